"""Which stories are trained on: human ones of studies, tables, and Fabula's own; each a corpus of its own."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import FabulaError
from core.formats.columns import series_of
from core.formats.stories.trained_rows import TableStories, table_stories
from core.formats.tables import Table, choose_columns
from core.formats.uploads import uploaded
from core.formats.uploads.examples import kept_example
from core.people import Person
from core.training.engine.stories import StorySet, upload_hash
from db.studies import story_texts
from db.training import corpora
from pages.ui.shared.example_file import example_file
from pages.ui.shared.study_choice import CHOSEN, my_studies
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.uploads import read_once

OURS = 0
"""Instead of a study's id: the stories that come with Fabula."""
OURS_NAME = "Fabula's demonstration"
LONGEST = 80
TABLES = "train-tables"


@dataclass(frozen=True)
class TrainingStories:
    """Corpora with their whole stories, of which the sets say for sure whether they are the same. `tables`: what else
    is known of those that were uploaded, None of the others.
    """

    sets: tuple[StorySet, ...]
    texts: tuple[tuple[str, ...], ...]
    tables: tuple[TableStories | None, ...]


def choose_stories(viewer: Person) -> TrainingStories:
    """The widgets; what is chosen, which may be nothing yet."""
    results: list[tuple[StorySet, tuple[str, ...], TableStories | None]] = []
    left, right = st.columns(2)
    with left:
        results += _of_studies(viewer, alone=bool(st.session_state.get(TABLES)))
    with right:
        files = st.file_uploader(
            "Tables of human stories, or texts with a story a line",
            accept_multiple_files=True,  # of any kind: what is none of them is refused below, in words
            key=TABLES,
            help="A table (.csv, .tsv, .json, .jsonl or .parquet) has one story per row, with its prompt in a column "
            "of its own or as its beginning. A text (.txt) has one story per line; empty lines do not count.",
        )
        if not files:
            example_file(kept_example("human stories"))
    for file in files:
        try:
            part = _of_table(file, {known.name for known, *_ in results})
        except FabulaError as error:
            problem(str(error))
        else:
            results += [part] if part is not None else []
    sets, texts, tables = zip(*results, strict=True) if results else ((), (), ())
    return TrainingStories(sets, texts, tables)


def choose_studies(viewer: Person, most: int) -> TrainingStories:
    """Studies with stories by systems, up to so many; their texts stay in the database."""
    summaries = [summary for summary in my_studies() if summary.stories]
    names = {summary.study.id: summary.study.name for summary in summaries}
    key = _with_chosen_study(f"train-of-{most}", names)
    picked = st.multiselect(
        "Study" if most == 1 else "Studies",
        list(names),
        format_func=lambda i: names.get(i, "(deleted)"),
        key=key,
        max_selections=most,
        placeholder="Choose one" if most == 1 else "Choose one or more",
    )
    sets = [
        StorySet(names[number], study=number, version=story_texts.version(number))
        for number in picked
        if number in names
    ]
    return TrainingStories(tuple(sets), ((),) * len(sets), (None,) * len(sets))


def _with_chosen_study(key: str, offered: Container[int], *, alone: bool = False) -> str:
    """The key of a box of studies, which begins with the one that the pages are about, where it is offered, and follows
    it until another is chosen in the box. `alone`: a table was uploaded, which takes the place of that one.
    """
    chosen, begun = st.session_state.get(CHOSEN), f"{key}-begun"
    usual = [chosen] if chosen in offered and not alone else []
    if st.session_state.get(key) in (None, st.session_state.get(begun)):
        st.session_state[key] = usual
    st.session_state[begun] = usual
    return key


def _of_studies(viewer: Person, *, alone: bool) -> list[tuple[StorySet, tuple[str, ...], None]]:
    """`alone`: there are tables, which are trained on without a study unless one is chosen."""
    summaries = [summary for summary in my_studies() if summary.references]
    names = {summary.study.id: f"{summary.study.name} ({summary.references:,})" for summary in summaries}
    if not any(summary.study.demonstration for summary in summaries):
        names[OURS] = OURS_NAME
    # Not what the study's ratings lie on: a metric that is trained on these cannot be tested there.
    unrated = {summary.study.id for summary in summaries if not summary.ratings}
    picked = st.multiselect(
        "Human stories of studies",
        list(names),
        format_func=lambda i: names.get(i, "(deleted)"),
        key=_with_chosen_study("train-studies", unrated, alone=alone),
        placeholder="None: your table alone" if alone else "Choose one or more",
        help="The human stories of each, with their prompts; in brackets how many there are.",
    )
    called = {summary.study.id: summary.study.name for summary in summaries} | {OURS: OURS_NAME}
    return [(*_of_study(viewer, number, called[number]), None) for number in picked if number in names]


def _of_study(viewer: Person, study_id: int, name: str) -> tuple[StorySet, tuple[str, ...]]:
    if study_id == OURS:
        return StorySet(name), _ours()
    version = story_texts.version(study_id)
    return StorySet(name, study=study_id, version=version), _read(study_id, version, viewer)


@st.cache_resource(max_entries=4, show_spinner="Reading the stories")
def _read(study_id: int, version: str, _viewer: Person) -> tuple[str, ...]:
    del version
    return tuple(corpora.of_study(_viewer, study_id))


@st.cache_resource(show_spinner=False)
def _ours() -> tuple[str, ...]:
    return tuple(corpora.of_ours())


def _of_table(file: UploadedFile, taken: set[str]) -> tuple[StorySet, tuple[str, ...], TableStories] | None:
    """A table's stories, once its column is known; None where it has none."""
    table = read_once(uploaded.table, [file])
    try:
        guessed = choose_columns(table, {})
    except FabulaError:  # no column has a usual name: the boxes below ask
        guessed = {}
    offered = ["", *table.columns, *series_of(table.columns).values()]
    st.caption(f"Columns of {escaped(file.name)}:")
    text, prompt = (
        box.selectbox(
            label,
            offered,
            offered.index(guessed.get(field, "")),
            format_func=lambda column: column or "–",
            key=f"train-{field}-{file.file_id}",
        )
        for box, field, label in zip(st.columns(2), ("text", "prompt"), ("Story", "Prompt"), strict=True)
    )
    if not text:
        st.info("Choose the column that holds the story's text.")
        return None
    chosen = {**guessed, "text": text, "prompt": prompt or ""}
    stories = _whole(file.file_id, tuple(sorted(chosen.items())), table)
    if not stories.texts:
        st.info(f"{escaped(stories.left_out_sentence())} Choose another column, or another file.")
        return None
    name = _unlike(PurePath(file.name).stem[:LONGEST], taken)
    return StorySet(name, upload=upload_hash(stories.texts)), stories.texts, stories


@st.cache_resource(max_entries=4, ttl=900, show_spinner="Reading the stories")
def _whole(upload: str, columns: Sequence[tuple[str, str]], _table: Table) -> TableStories:
    del upload
    return table_stories(_table, {field: column for field, column in columns if column})


def _unlike(name: str, taken: set[str]) -> str:
    """Corpora go by their names."""
    number, unique = 1, name
    while unique in taken:
        number += 1
        unique = f"{name} ({number})"
    return unique
