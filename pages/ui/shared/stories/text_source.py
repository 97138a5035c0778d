"""Where the token view's text comes from: pasted, a story of a study, or a file written by GLTR."""

from dataclasses import dataclass

import streamlit as st

from core.errors import FabulaError, InputError
from core.formats.uploads import uploaded
from core.formats.uploads.examples import kept_example
from core.people import Person
from core.tokens import TokenTable
from db.jobs import jobs
from db.studies import story_list
from db.transfer.demonstration import demonstration
from pages.ui.shared.example_file import example_file
from pages.ui.shared.study_choice import choose, my_studies
from pages.ui.shared.text import problem, story_text
from pages.ui.shared.uploads import read_once

PASTE, STORY, GLTR = "Paste a text", "A story of a study", "A GLTR file"
MOST_LISTED = 200
MOST_DIGITS = 10
"""Of an id in an address; a database takes no longer ones."""
ALL = "All"
EXAMPLE = "p01-greedy"
"""A story of the demonstration study: a small model's, written greedily."""
READ_NOW = "read-now"


@dataclass(frozen=True)
class SourceText:
    """A text with what people call it; `story`: its id where it is that of the study with the id `study`, and its
    `prompt`; `table`: where a file has it read.
    """

    label: str
    text: str
    story: int | None = None
    table: TokenTable | None = None
    prompt: str = ""
    study: int | None = None


def text_source(viewer: Person, part: str) -> SourceText | None:
    """The widgets to choose a text; None where there is none yet. `part`: tells the first text from the second."""
    kinds = [PASTE, STORY, GLTR]
    title = "Text" if part == "1" else "The other text"
    line = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    kind = line.segmented_control(
        title, kinds, default=PASTE, required=True, key=f"source{part}", bind="query-params", persist_state="page"
    )
    if kind == STORY:
        return story_source(viewer, part)
    if kind == GLTR:
        return _gltr(part)
    if part == "1":
        line.button("Try an example", icon=":material/auto_awesome:", type="tertiary", on_click=_example)
    return _pasted(part)


def _pasted(part: str) -> SourceText | None:
    key = f"text{part}"
    if key not in st.session_state:
        st.session_state[key] = _read_before(part)
    text = st.text_area(
        "The text",
        key=key,
        height=110,
        persist_state="page",
        placeholder="Paste a story, an article, anything: a few sentences at least.",
        label_visibility="collapsed",
    )
    return SourceText("Pasted text", text) if text.strip() else None


def _read_before(part: str) -> str:
    """The text of the reading that the address names: pasted texts do not fit into an address."""
    asked = st.query_params.get(f"reading{part}", "")
    if not asked.isdecimal() or len(asked) >= MOST_DIGITS:
        return ""
    try:
        return str(jobs.get(int(asked)).settings.get("text", ""))
    except FabulaError:
        return ""


def _example() -> None:
    records = demonstration().stories
    st.session_state["text1"] = next(record.text for record in records if record.key == EXAMPLE)
    st.session_state[READ_NOW] = True


def story_source(viewer: Person, part: str) -> SourceText | None:
    """A study's story, which the address keeps."""
    study_id = choose().study.id if part == "1" else _other_study()
    left, right = st.columns([1, 2])
    groups = [ALL, *story_list.systems(viewer, study_id)]
    key = f"system{part}"
    if st.session_state.get(key, ALL) not in groups:
        del st.session_state[key]
    group = left.selectbox("System", groups, key=key, bind="query-params")
    words = right.text_input("Holds the words", key=f"words{part}", persist_state="page", placeholder="anything")
    box, address = f"story{part}", "story" if part == "1" else "story2_id"
    asked = st.query_params.get(address, "")
    linked = int(asked) if asked.isdecimal() and len(asked) < MOST_DIGITS else None
    listed_stories, number = story_list.stories(
        viewer, study_id, None if group == ALL else group, words.strip(), most=MOST_LISTED, before=linked
    )
    if not listed_stories:
        st.info("No story of this study is so; choose another system, or other words.")
        return None
    by_id = {listed_story.id: listed_story for listed_story in listed_stories}
    if st.session_state.get(box) not in by_id:
        st.session_state[box] = linked if linked in by_id else listed_stories[0].id
    picked = st.selectbox(
        "Story" if number <= MOST_LISTED else f"Story (the first {MOST_LISTED:,} of {number:,}: narrow them down)",
        list(by_id),
        key=box,
        format_func=lambda i: f"{by_id[i].key} ({by_id[i].group}): {by_id[i].opening}" if i in by_id else "",
    )
    st.query_params[address] = str(picked)
    story = story_list.story_opening(viewer, picked)
    with st.expander("Its text"):
        story_text(story.opening)
    return SourceText(f"{story.key} ({story.group})", story.opening, story=picked, prompt=story.prompt, study=study_id)


def _other_study() -> int:
    names = {summary.study.id: summary.study.name for summary in my_studies()}
    if not names:
        st.info("There is no study yet: load the demonstration on the Overview, or paste the text.")
        st.stop()
    if st.session_state.get("study2") not in names:
        st.session_state["study2"] = next(iter(names))
    return int(st.selectbox("Its study", list(names), key="study2", format_func=lambda i: names.get(i, "")))


def _gltr(part: str) -> SourceText | None:
    """A file, and whatever is wrong with it."""
    file = st.file_uploader("A JSON file that GLTR or Fabula has written", ["json"], key=f"gltr{part}")
    if file is None:
        example_file(kept_example("tokens"), part=part)
        return None
    try:
        table = read_once(uploaded.gltr, [file])
        if not len(table):
            raise InputError("This file has no token: choose another one.")
    except FabulaError as error:
        problem(str(error))
        return None
    return SourceText(file.name, table.text, table=table)
