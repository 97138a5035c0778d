"""The Import page's part for tables of stories: the file as it is, its columns, who its systems are, what comes in."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.annotation.builtin import SCHEMES
from core.annotation.past_imports import counts_text
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.formats.cells import is_number
from core.formats.columns import DEFAULTS, parts_of, series_of
from core.formats.exports.choice import called_ratings
from core.formats.scores import MetricColumn
from core.formats.stories.blocks import brought
from core.formats.stories.choice import StoryChoice
from core.formats.stories.overview import TableOverview
from core.formats.stories.survey import StorySurvey, Surveyed
from core.formats.tables import Repeats
from core.formats.uploads import uploaded
from core.formats.uploads.apart import streamed_apart
from core.formats.uploads.examples import kept_example
from core.people import Person
from core.stories import Source
from core.wording import so_many
from db.transfer import story_imports
from pages.ui.import_data.prompt_kind import AskedKind, ask_prompt_kind
from pages.ui.import_data.running import ImportResult, Tell
from pages.ui.import_data.steps import (
    ADDED,
    BY_PEOPLE,
    CARRIED,
    KIND,
    as_it_is,
    brings,
    import_once,
    leave_out_empty,
    named_columns,
    open_refused,
    preview,
    say_beside,
    say_unanswered,
    say_where,
    scheme_for,
    stories_refused,
    study_for,
    target,
)
from pages.ui.shared.damaged_stories import ask_to_mask, say_names_to_replace
from pages.ui.shared.example_file import example_file
from pages.ui.shared.study_choice import chosen_study
from pages.ui.shared.text import escaped, warning
from pages.ui.shared.uploads import read_once, saved

QUESTIONS = {Source.HUMAN: "your human reference?", Source.NEGATIVE: "your negative control?"}
ANSWERS = {
    Source.HUMAN: {Source.HUMAN: "Yes, people wrote these", Source.SYSTEM: "No, a system like the others"},
    Source.NEGATIVE: {Source.NEGATIVE: "Yes, bad on purpose", Source.SYSTEM: "No, a system like the others"},
}
NAMELESS = {Source.SYSTEM: "A system", Source.HUMAN: "People: these are human stories"}
OPEN = {
    Source.HUMAN: "whether people wrote the stories of *{}*",
    Source.NEGATIVE: "whether the stories of *{}* are bad on purpose",
}
"""What is asked of a system until it is answered."""
MEANINGS = {
    Source.HUMAN: "The human stories of a prompt are its references, and the good control of a MANS panel.",
    Source.NEGATIVE: "A negative story is the bad control of a MANS panel. Where you bring none, Fabula makes one.",
}


def import_stories(viewer: Person) -> None:
    """Read a table, show it, ask what it holds, show what would come in, import."""
    where, names = st.empty(), st.empty()
    file = st.file_uploader("A CSV, TSV, JSON, JSONL or Parquet file, or a text with a story a line (.txt)")
    example = st.empty()
    st.session_state.pop(CARRIED, None)
    if file is None:
        say_where(where, study_for("", ""))
        if present := chosen_study():
            with names:
                say_names_to_replace(viewer, present.study)
        about = (
            "One row per story, with its text and, if you have them, prompt, system, reference and id; or a text whose "
            "lines are the stories. A table with "
            "people's ratings comes in with *Ratings, or an export*, its stories too."
        )
        with example.container():
            example_file(kept_example("stories"), about)
        return
    table = read_once(uploaded.story_table, [file])
    asked = st.container()  # above what the file holds: below that nobody looks for it
    as_it_is(table.columns, table.rows, table.first)
    chosen = _columns_of(table, file.file_id)
    if "text" not in chosen:
        st.info("Choose the column that holds the story's text.")
        return
    scores = _score_columns(table, chosen, file.file_id)
    choice = StoryChoice(tuple(chosen.items()), scores=scores, defaults=False)
    plain = _surveyed(file, choice)
    if not plain.repeats.of_ratings:  # else that is said below
        warned_of = {column for one in plain.lacking for column in one.unused}
        _left_out(table, chosen, scores, file, warned_of)
    once = _once(plain.repeats, file)
    if once is None:
        return
    survey = _surveyed(file, replace(choice, once=True)) if once else plain
    if survey.problem:
        raise InputError(survey.problem)
    without_empty = leave_out_empty(survey.empty, file)
    sources, unanswered = _sources(survey, file.file_id)
    beside_humans = st.empty()
    choice = replace(choice, once=once, without_empty=without_empty, sources=tuple(sources.items()))
    if without_empty or any(source is not Source.SYSTEM for source in sources.values()):
        survey = _surveyed(file, choice)
    if survey.problem:
        raise InputError(survey.problem)
    present = chosen_study()
    if present and set(survey.stories) == {Source.HUMAN} and ask_to_mask(viewer, present.study, f"mask-{file.file_id}"):
        choice = replace(choice, masked=True)
        survey = _surveyed(file, choice)
    _offer(viewer, file, choice, survey, unanswered, asked, beside_humans)


def _surveyed(file: UploadedFile, choice: StoryChoice) -> StorySurvey:
    return read_once(partial(uploaded.story_survey, choice=choice), [file])


def _offer(
    viewer: Person,
    file: UploadedFile,
    choice: StoryChoice,
    survey: StorySurvey,
    unanswered: list[str],
    asked: DeltaGenerator,
    beside_humans: DeltaGenerator,
) -> None:
    """Show what would come in, ask for the study and import. `unanswered`: questions that were asked before; `asked`:
    where what the prompts are is asked; `beside_humans`: where it is said what becomes of stories by people.
    """
    upload = file.file_id
    kinds = Counter(survey.stories)
    kinds[Source.HUMAN] += survey.references
    counts = counts_text(kinds, 0, len(survey.scores))
    left_out = survey.empty.left_sentence()
    place = preview(counts, survey.first, survey.notices)
    for lacking in survey.lacking:
        warning(lacking.sentence("choose it above"))
    stem = file.name.rsplit(".", 1)[0]
    name, summary = target(study_for("", stem), stem, upload)
    refusal = open_refused(summary) or stories_refused(viewer, summary, survey.known_by, by_ids="id" in survey.columns)
    unsure = "" if survey.known_by else ". If it has one of them already, nothing is imported"
    say_beside(summary, ADDED + unsure, refusal)
    if summary is not None and kinds[Source.HUMAN] and not choice.masked:
        say_names_to_replace(viewer, summary.study)
    if refusal:
        place.caption(f"{brings(refusal)} {counts}. The first ones:")
    scheme = None if summary else scheme_for("", upload)
    form = summary.study.scheme if summary is not None else SCHEMES[str(scheme)]
    if kinds[Source.HUMAN] or Source.HUMAN in survey.called_like_controls().values():
        beside_humans.caption(_of_people(form))
    prompts = AskedKind()
    if summary is None or not summary.prompts:
        prompts = ask_prompt_kind(asked, form, survey.columns.get("prompt", ""), survey.first, upload)

    def work(tell: Tell) -> ImportResult:
        def looked(surveyed: Surveyed) -> None:
            tell(surveyed.rows, survey.rows, "Looking through the rows")

        def stored(done: int, total: int) -> None:
            tell(done, total, f"Storing {counts}")

        with (
            saved([file]) as folder,
            streamed_apart(partial(uploaded.stories, choice=choice), folder) as messages,
        ):
            table = brought(messages, looked)
            if table.survey.problem:
                raise InputError(table.survey.problem)
            study = story_imports.import_tables(
                viewer, name, [table], scheme=scheme, prompts=prompts.kind, on_progress=stored
            )
        return f"Imported {counts} into the study {name.strip()!r}. {left_out}".rstrip(), study.id

    to_answer = say_unanswered([prompts.question, *unanswered])
    import_once((upload, name.strip()), work, doing=f"Importing {counts}", waits=bool(to_answer or refusal))


def _of_people(form: Scheme) -> str:
    """What becomes of stories by people in a study of this form."""
    apart = "" if form.unit.of_pairs else " Correlations of metrics with people leave them out."
    asked = form.of_people[0].upper() + form.of_people[1:]
    return f"Stories by people are the references of their prompts, which metrics compare with.{apart} {asked}."


def _columns_of(table: TableOverview, upload: str) -> dict[str, str]:
    """Let the viewer say which column holds what."""
    guessed = table.guessed
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


def _score_columns(table: TableOverview, chosen: Mapping[str, str], upload: str) -> tuple[MetricColumn, ...]:
    """The columns of numbers that are metrics' scores of the stories."""
    offered = table.scores(chosen.get("id"), _used(table, chosen))
    if not offered:
        return ()
    left, right = st.columns(2)
    picked = left.multiselect(
        "Columns of metrics' scores", offered, key=f"scores-{upload}", placeholder="None; choose those to import"
    )
    lower = right.multiselect(
        "Of these, lower is better in", picked, key=f"lower-{upload}", placeholder="None", disabled=not picked
    )
    return tuple(MetricColumn(column, column, column in lower) for column in picked)


def _used(table: TableOverview, chosen: Mapping[str, str]) -> set[str]:
    """The columns that hold something of a story."""
    return {part for column in chosen.values() for part in parts_of(column, table.columns)}


def _left_out(
    table: TableOverview,
    chosen: Mapping[str, str],
    scores: Sequence[MetricColumn],
    file: UploadedFile,
    warned_of: Collection[str],
) -> None:
    """Say which columns are not read, and where what people gave would be. `warned_of`: those that a warning names."""
    used = _used(table, chosen) | {column.column or column.metric for column in scores}
    left_out = [column for column in table.columns if column not in used]
    numeric = [column for column in left_out if any(is_number(row.get(column), table.separator) for row in table.first)]
    rated = called_ratings(numeric)
    unread = (
        f"{named_columns(rated)}. It looks like people's ratings: *Ratings, or an export* takes in stories and "
        "ratings of the same file."
    )
    if not rated:
        rated = [column for column in numeric if _numbers_alone(table, column)]
        unread = (
            f"{named_columns(rated)}, which hold only numbers. People's ratings come in with *Ratings, or an export*, "
            "with the stories."
        )
    if rated:
        st.info(f"Not read: {unread}", icon=":material/help:")
        _to_ratings("Import with the ratings", file)
    if others := [column for column in left_out if column not in rated and column not in warned_of]:
        st.caption(f"Not read: {named_columns(others)}. To read a column, choose above what it holds.")


def _numbers_alone(table: TableOverview, column: str) -> bool:
    """Whether the first rows have nothing but numbers in a column, or nothing."""
    cells = (row.get(column) for row in table.first)
    return all(is_number(cell, table.separator) for cell in cells if cell not in (None, ""))


def _to_ratings(label: str, file: UploadedFile) -> None:
    """A button to the part for ratings, which reads the same file."""

    def choose() -> None:
        st.session_state[KIND] = "fabula"
        st.session_state[CARRIED] = file

    st.button(label, icon=":material/arrow_forward:", on_click=choose)


def _once(repeated: Repeats, file: UploadedFile) -> bool | None:
    """Whether each story counts once where rows repeat it; None while a table of ratings waits for an answer."""
    if repeated.stories == repeated.rows:
        return False
    if not repeated.of_ratings:
        number = repeated.rows - repeated.stories
        sentence = f"Leave out the {number:,} rows that repeat prompt, system and text of an earlier row"
        return st.checkbox(sentence, key=f"once-{file.file_id}")
    st.warning(
        f"{repeated.sentence} The part *Ratings, or an export* reads both ratings and stories; this one stories alone.",
        icon=":material/help:",
    )
    once = st.checkbox("Import each story once, without the ratings", key=f"once-{file.file_id}")
    if not once:
        _to_ratings("Import as ratings", file)
    return True if once else None


def _sources(survey: StorySurvey, upload: str) -> tuple[dict[str, Source], list[str]]:
    """What the systems are that are called like controls, and what is not said of them yet; and who wrote the stories
    that have no system.
    """
    counts: Counter[str] = Counter()
    for (_, system), number in survey.systems.items():
        counts[system] += number
    sources: dict[str, Source] = {}
    unanswered = []
    if nameless := survey.systems.get((Source.SYSTEM, "")):
        sources[""] = st.radio(
            f"Who wrote the {so_many(nameless, 'story', 'stories')} for which the file names no system?",
            list(NAMELESS),
            index=list(NAMELESS).index(Source.HUMAN if st.session_state.get(BY_PEOPLE) else Source.SYSTEM),
            format_func=NAMELESS.__getitem__,
            horizontal=True,
            key=f"nameless-{upload}",
            help=MEANINGS[Source.HUMAN],
        )
    for system, likely in survey.called_like_controls().items():
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
            unanswered.append(OPEN[likely].format(escaped(system)))
        else:
            sources[system] = answer
    return sources, unanswered
