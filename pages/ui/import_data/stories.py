"""The Import page's part for tables of stories: the file as it is, its columns, who its systems are, what comes in."""

import dataclasses
from collections import Counter
from collections.abc import Mapping

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.formats.columns import DEFAULTS, guess_columns, parts_of, series_of
from core.formats.scores import MetricColumn, numeric_columns, scores_beside
from core.formats.tables import Table, repeats, stories_of
from core.formats.uploads import uploaded
from core.people import Person
from core.stories import Corpus, Source
from pages.ui.import_data.steps import KIND, PREVIEWED, offer
from pages.ui.shared.text import escaped
from pages.ui.shared.uploads import read_once, saved

SHOWN_OF_A_CELL = 200
QUESTIONS = {Source.HUMAN: "your human reference?", Source.NEGATIVE: "your negative control?"}
ANSWERS = {
    Source.HUMAN: {Source.HUMAN: "Yes, people wrote these", Source.SYSTEM: "No, a system like the others"},
    Source.NEGATIVE: {Source.NEGATIVE: "Yes, bad on purpose", Source.SYSTEM: "No, a system like the others"},
}
MEANINGS = {
    Source.HUMAN: "The human stories of a prompt are its references, and the good control of a MANS panel.",
    Source.NEGATIVE: "A negative story is the bad control of a MANS panel. Where you bring none, Fabula makes one.",
}


def import_stories(viewer: Person) -> None:
    """Read a table, show it, ask what it holds, show what would come in, import."""
    file = st.file_uploader("A CSV, TSV, JSON, JSONL or Parquet file", ["csv", "tsv", "json", "jsonl", "parquet"])
    if file is None:
        st.caption("One row per story, with its text and, if you have them, prompt, system, reference and id.")
        return
    table = read_once(uploaded.table, [file])
    _as_it_is(table)
    chosen = _columns_of(table, file.file_id)
    if "text" not in chosen:
        st.info("Choose the column that holds the story's text.")
        return
    wanted = _score_columns(table, chosen, file.file_id)
    once = _once(table, chosen, file.file_id)
    if once is None:
        return
    corpus = stories_of(table, chosen, defaults=False, once=once)
    sources, open_question = _sources(corpus, file.file_id)
    corpus = stories_of(table, chosen, defaults=False, once=once, sources=sources) if sources else corpus
    if wanted:
        corpus = _with_scores(corpus, file, table, chosen, wanted)
    offer(viewer, corpus, file.name.rsplit(".", 1)[0], file.file_id, open_question)


def _as_it_is(table: Table) -> None:
    st.caption(f"{len(table.rows):,} rows. The first ones as they are in the file:")
    rows = [
        {column: str(row.get(column, ""))[:SHOWN_OF_A_CELL] for column in table.columns}
        for row in table.rows[:PREVIEWED]
    ]
    st.dataframe(rows, hide_index=True, alt="The first rows of the file")


def _columns_of(table: Table, upload: str) -> dict[str, str]:
    """Let the viewer say which column holds what."""
    guessed = guess_columns(table.columns, table.rows)
    offered = ["", *table.columns, *series_of(table.columns).values()]
    chosen = {}
    st.caption("Which column holds what? Those whose names say so are chosen already.")
    boxes = st.columns(4)
    for index, field in enumerate(DEFAULTS):
        label = f"{field.replace('_', ' ').capitalize()}{' (required)' if field == 'text' else ''}"
        picked = boxes[index % 4].selectbox(
            label,
            offered,
            offered.index(guessed.get(field, "")),
            format_func=lambda column: column or "–",
            key=f"column-{field}-{upload}",
        )
        if picked:
            chosen[field] = picked
    return chosen


def _score_columns(table: Table, chosen: Mapping[str, str], upload: str) -> list[MetricColumn]:
    """The columns of numbers that are metrics' scores of the stories."""
    used = {part for column in chosen.values() for part in parts_of(column, table.columns)}
    offered = numeric_columns(table, chosen.get("id"), used)
    if not offered:
        return []
    left, right = st.columns(2)
    picked = left.multiselect(
        "Columns of metrics' scores", offered, key=f"scores-{upload}", placeholder="None; choose those to import"
    )
    lower = right.multiselect(
        "Of these, lower is better in", picked, key=f"lower-{upload}", placeholder="None", disabled=not picked
    )
    return [MetricColumn(column, column, column in lower) for column in picked]


def _choose_ratings() -> None:
    st.session_state[KIND] = "fabula"


def _once(table: Table, chosen: Mapping[str, str], upload: str) -> bool | None:
    """Whether each story counts once where rows repeat it; None while a table of ratings waits for an answer."""
    repeated = repeats(table, chosen)
    if repeated.stories == repeated.rows:
        return False
    if not repeated.of_ratings:
        number = repeated.rows - repeated.stories
        sentence = f"Leave out the {number:,} rows that repeat prompt, system and text of an earlier row"
        return st.checkbox(sentence, key=f"once-{upload}")
    st.warning(
        f"{repeated.sentence} The part *Ratings, or an export* reads both ratings and stories; this one stories alone.",
        icon=":material/help:",
    )
    once = st.checkbox("Import each story once, without the ratings", key=f"once-{upload}")
    if not once:
        st.button("Import as ratings", icon=":material/arrow_forward:", on_click=_choose_ratings)
    return True if once else None


def _sources(corpus: Corpus, upload: str) -> tuple[dict[str, Source], str]:
    """What the systems are that are called like controls, and what is to be said while a question is open."""
    counts = Counter(story.system for story in corpus.stories)
    sources, unanswered = {}, []
    for system, likely in corpus.called_like_controls().items():
        answer = st.radio(
            f"**{escaped(system)}** ({counts[system]:,}): {QUESTIONS[likely]}",
            list(ANSWERS[likely]),
            index=None,
            format_func=ANSWERS[likely].__getitem__,
            horizontal=True,
            key=f"source-{system}-{upload}",
            help=MEANINGS[likely],
        )
        if answer is None:
            unanswered.append(escaped(system))
        else:
            sources[system] = answer
    return sources, f"Before you import, answer above: {', '.join(unanswered)}." if unanswered else ""


def _with_scores(
    corpus: Corpus, file: UploadedFile, table: Table, chosen: Mapping[str, str], wanted: list[MetricColumn]
) -> Corpus:
    keys = {story.key for story in corpus.stories if story.source is not Source.HUMAN}
    with saved([file]) as folder:
        return dataclasses.replace(corpus, scores=scores_beside(folder / file.name, table, chosen, wanted, keys))
