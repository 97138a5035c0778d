"""The Import page's part for ratings that language models gave elsewhere: what the file's columns say, a preview."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.annotation.past_imports import JUDGES, Origin
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.formats.columns import called_like_judge
from core.formats.corpora.judges import JudgeChoice, JudgesBrought, judge_layout
from core.formats.tables import Table
from core.formats.uploads import uploaded
from core.formats.uploads.examples import judges_example
from core.formats.uploads.score_columns import offered_scores
from core.people import Person
from core.stories import Source
from core.wording import so_many
from db.scores import scores
from pages.ui.import_data.ratings import TABLES
from pages.ui.import_data.running import ImportResult, Tell
from pages.ui.import_data.steps import PREVIEWED, as_it_is, import_once, say_chosen
from pages.ui.shared.example_file import example_file
from pages.ui.shared.study_choice import choose
from pages.ui.shared.text import escaped, notice
from pages.ui.shared.uploads import read_once


def import_judges(viewer: Person) -> None:
    """Judges' ratings into the chosen study, as scores."""
    summary = choose()
    where = st.empty()
    file = st.file_uploader("A file of judges' ratings", list(TABLES))
    example = st.empty()
    study = summary.study
    keys = tuple(scores.story_keys(study.id, scores.sources(study.id)))
    if file is None:
        say_chosen(where, study)
        with example.container():
            example_file(
                judges_example(keys, study.scheme),
                "A row for each judge and story, with the story's id, the judge, the variant of its prompt where "
                "there are several, and a column for each criterion (or the columns criterion and rating). Or a row "
                "for each story, with columns such as “gpt-4o coherence”. The example has made-up ratings of this "
                "study's first stories.",
            )
        return
    others = tuple(scores.story_keys(study.id, tuple(Source)))
    choice = _choice(file, study.scheme)
    reader = partial(uploaded.judges, scheme=study.scheme, keys=keys, others=others, choice=choice)
    brought = read_once(reader, [file])
    _preview(brought, len(keys))
    signatures = [(record.metric, record.signature) for record in brought.records]
    replace = st.checkbox("Replace imported ratings by the same judges")

    def work(tell: Tell) -> ImportResult:
        origin = Origin(JUDGES, (file.name,))
        scores.import_scores(viewer, study.id, *brought.records, replace=replace, origin=origin)
        ratings = sum(len(record.values) for record in brought.records)
        said = f"Imported {ratings:,} ratings by {so_many(len(brought.judges), 'judge')}."
        return said, study.id

    import_once((study.id, replace, *signatures), work, doing="Importing the judges' ratings")


def _choice(file: UploadedFile, scheme: Scheme) -> JudgeChoice:
    """What the viewer says of the columns; nothing where their names say it."""
    names = ["", *read_once(uploaded.all_names, [file])]
    table = read_once(uploaded.file_overview, [file])
    whole = read_once(uploaded.table, [file])
    found = _found(whole, scheme)
    with st.expander("Columns", icon=":material/tune:", expanded=not found):
        as_it_is(table.columns, table.rows, table.first)
        st.caption("Columns with usual names are found; choose where yours are called otherwise.")
        row = st.container(horizontal=True)

        def column(label: str, key: str) -> str:
            return row.selectbox(
                label,
                names,
                format_func=lambda name: name or "found by its name",
                key=f"judges-{key}-{file.file_id}",
                width=220,
            )

        story, judge, variant = column("Story's id", "story"), column("Judge", "judge"), column("Variant", "variant")
        criteria = _criteria(row, whole, scheme, file, found=found)
        (called,) = {of for _, of in criteria} if len(criteria) == 1 else {""}
        only = row.text_input(
            "Or the only judge's name",
            called,
            key=f"judges-name-{called}-{file.file_id}",
            disabled=bool(judge),
            width=220,
        )
        mean = st.checkbox("Also each judge's mean over the variants of its prompt", key=f"judges-mean-{file.file_id}")
    return JudgeChoice(judge or only.strip(), variant, story, mean, criteria)


def _found(table: Table, scheme: Scheme) -> bool:
    """Whether the columns' names say which judge rated what."""
    try:
        judge_layout(table, scheme, JudgeChoice())
    except InputError:
        return False
    return True


def _criteria(
    row: DeltaGenerator, table: Table, scheme: Scheme, file: UploadedFile, *, found: bool
) -> tuple[tuple[str, str], ...]:
    """The criteria with the columns of the judge's ratings of them. Of one criterion, the column that is called like a
    judge is chosen where the names say no more.
    """
    numeric = list(offered_scores(table).columns)
    likely = next((column for column in numeric if called_like_judge(column)), "")
    first = likely if not found and len(scheme.criteria) == 1 else ""
    chosen = {
        criterion.name: row.selectbox(
            f"The judge's ratings of {criterion.name}" if len(scheme.criteria) > 1 else "The judge's ratings",
            ["", *numeric],
            index=numeric.index(first) + 1 if first else 0,
            format_func=lambda name: name or "found by its name",
            key=f"judges-ratings-{criterion.name}-{file.file_id}",
            width=220,
        )
        for criterion in scheme.criteria
    }
    return tuple((name, column) for name, column in chosen.items() if column)


def _preview(brought: JudgesBrought, stories: int) -> None:
    criteria = ", ".join(brought.criteria)
    most = max(len(record.values) for record in brought.records)
    st.caption(
        escaped(
            f"{so_many(len(brought.judges), 'judge')} ({', '.join(brought.judges)}) on {criteria}: ratings of up to "
            f"{most:,} of {stories:,} stories. The first ones:"
        )
    )
    shown = list(dict.fromkeys(key for record in brought.records for key in record.values))[:PREVIEWED]
    rows = [{"Id": key, **{record.metric: record.values.get(key) for record in brought.records}} for key in shown]
    st.dataframe(rows, hide_index=True, placeholder="–", alt="The first ratings of the file")
    for message in brought.notices:
        notice(message)
