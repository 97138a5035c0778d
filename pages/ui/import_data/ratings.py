"""The Import page's part for exports and for files of ratings: columns, rows and scale of the latter, a preview, the
study, a bar while it is stored.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import PurePosixPath

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.annotation.builtin import SCHEMES
from core.annotation.builtin_criteria import scheme_for
from core.annotation.criterion import OVERALL
from core.annotation.past_imports import asks_now, counts_text
from core.annotation.scheme import CHECK, Scheme
from core.annotation.studies import StudySummary
from core.annotation.unit import PromptKind
from core.formats.exports.parts import RestoredPart, joined
from core.formats.exports.rating_check import usual_scale
from core.formats.exports.restored import Restored
from core.formats.exports.sorted_columns import sorted_in_each_row
from core.formats.manifest import NAME
from core.formats.uploads import uploaded
from core.formats.uploads.examples import kept_example
from core.people import Person
from core.stories import Source, StoryRecord, group_of
from core.wording import so_many
from db.studies import studies
from db.studies.story_texts import has_texts
from db.transfer import rating_imports
from db.transfer.there_already import rated_there
from pages.ui.import_data.asked_questions import ask_questions
from pages.ui.import_data.chosen_rows import warn_of_rejected
from pages.ui.import_data.prompt_kind import AskedKind, ask_prompt_kind
from pages.ui.import_data.rating_columns import choose_columns, say_scale
from pages.ui.import_data.rating_form import form_with, say_form
from pages.ui.import_data.running import ImportResult, Tell
from pages.ui.import_data.steps import (
    CARRIED,
    OTHERWISE,
    PREVIEWED,
    UNNAMED,
    UNUSED,
    brings,
    empty_key,
    first_rows,
    import_once,
    leave_out_empty,
    led_from,
    open_refused,
    say_beside,
    say_unanswered,
    say_where,
    takes,
    target,
)
from pages.ui.import_data.unused_columns import numbers_unused, say_who
from pages.ui.shared.analysis.replacement_words import HANGS_ON_IT, SAME_PERSON
from pages.ui.shared.example_file import example_file
from pages.ui.shared.study_choice import chosen_study, my_studies
from pages.ui.shared.text import escaped, notice, problem, warning
from pages.ui.shared.uploads import read_once, streamed_once

TABLES = ("csv", "tsv", "jsonl", "json", "parquet")
KINDS = ["zip", *TABLES]
NO_PEOPLE = "The file does not name the raters: *rater 1*, *rater 2* and so on are its columns of ratings, not people. "
SAY_SO = f"If each column is the same person in every row, tick that above: {HANGS_ON_IT}. "
SORTED = (
    "The ratings of each row stand in order, the lowest at one end: somebody has sorted them, so no column can be the "
    "same person in every row. "
)
TAKE_BACK = f"Take *{SAME_PERSON}* back, or every finding about raters is wrong."
DEDUCTIONS = "Deductions"
ADDED = "the file's ratings of these go to them, and stories that the study lacks are added"


def import_ratings(viewer: Person) -> None:
    """Read what was uploaded, show what it is, ask for the study and import."""
    where = st.empty()
    files = _uploaded()
    example = st.empty()
    if not files:
        _say_where(where)
        with example.container():
            example_file(
                kept_example("ratings"),
                "An export comes back whole: form, rules, stories, panels, ratings and scores. A CSV, TSV, JSON, "
                "JSONL or Parquet file of ratings from elsewhere needs the story (its id or its text) and its "
                "rating, or one for each criterion; the guide's pages on formats and criteria have the rest.",
            )
        return
    question = st.container()  # above what the file holds: below that nobody looks for it
    choice = None
    if len(files) == 1 and files[0].name != NAME and PurePosixPath(files[0].name).suffix.lower().lstrip(".") in TABLES:
        choice = choose_columns(files[0])
        if choice is None:
            st.info("Choose the columns that hold the story (its id or its text) and its rating, or its criteria.")
            return
        choice = replace(choice, without_empty=bool(st.session_state.get(empty_key(files[0]))))
        shown = streamed_once(partial(uploaded.ratings_parts, choice=choice), _looked_through, files)
    else:
        shown = streamed_once(uploaded.export_parts, _looked_through, files)
    brought = shown.brought
    columns = choice is not None and choice.same_raters is not None
    in_order = columns and sorted_in_each_row(brought.panels, brought.ratings)
    _preview(shown, files[0], of_columns=choice is not None and choice.same_raters is False, in_order=in_order)
    if choice is not None and choice.same_raters is None and not shown.people:
        say_who(files[0], choice, brought)
    if choice is not None and choice.same_raters and in_order:
        warning(f"{SORTED}{TAKE_BACK}")
    if brought.stories or brought.nameless.number:
        leave_out_empty(brought.empty, files[0])
    name, there = target(
        _suggested(brought),
        brought.sheet.path.stem,
        files[0].file_id,
    )
    form, unfit = form_with(viewer, there, brought)
    refusal = open_refused(there) or " ".join(filter(None, (_nameless(brought), _rated_before(viewer, there, brought))))
    say_beside(there, ADDED if brought.stories else "the ratings are of these", refusal or escaped(unfit))
    if there is not None and brought.manifest is None and not refusal:
        say_form(there, form, refused=bool(unfit))
    refusal = refusal or unfit
    prompts, questions = AskedKind(), _questions(brought, there, form, files[0].file_id)
    if (there is None or not there.prompts) and not brought.scheme_key and brought.manifest is None and brought.stories:
        column = brought.sheet.named.get("prompt", "")
        asked = _asked(brought) if there is None else there.study.scheme
        prompts = ask_prompt_kind(question, asked, column, brought.stories, files[0].file_id)
    if not brought.stories and (there is None or not there.prompts):
        st.caption("These ratings come without their stories: choose the study that has them.")
    scale = _scale(brought, there)
    st.caption(f"{brings(refusal)} {_counts(brought)}{'' if refusal else _said(scale, brought)}.")
    if _outside(scale, brought, there, files[0]):
        return
    st.session_state[UNUSED] = [] if choice is None else numbers_unused(files[0], choice, brought)
    work = partial(_store, viewer, name, brought, there, prompts.kind, questions)
    waits = say_unanswered([prompts.question]) or bool(refusal)
    import_once((files[0].file_id, name.strip()), work, doing="Importing the ratings", waits=waits)


def _nameless(brought: Restored) -> str:
    """Why a file does not come in: of some of its ratings nobody knows the story; "" where that is known of all."""
    if not brought.nameless.number:
        return ""
    have = "has" if brought.nameless.number == 1 else "have"
    return (
        f"{brought.nameless.counted} {have} neither a story nor its id ({brought.nameless.named}): leave out above "
        "what is empty, or complete the file."
    )


def _rated_before(viewer: Person, there: StudySummary | None, brought: Restored) -> str:
    """Why a study does not take the file: a rater's ratings of it are there already; "" where nobody's are."""
    rater = rated_there(viewer, there.study.id, brought) if there is not None and there.prompts else ""
    if not rater:
        return ""
    return (
        f"This study has ratings of these prompts by *{escaped(rater)}* already: nobody's ratings come in twice, and a "
        "file comes in as a whole. Was it imported before? Otherwise choose another study."
    )


def _questions(brought: Restored, there: StudySummary | None, form: Scheme | None, upload: str) -> dict[str, str]:
    """What people were asked, where the ratings make a study's form: of a new one, or the other `form` of one that is
    there.
    """
    makes = brought.stories if there is None else form is not None and form.names != there.study.scheme.names
    if not makes or brought.scheme_key or brought.manifest is not None or "deductions" in brought.sheet.named:
        return {}  # of deductions the scheme is MANS, with words of its own
    return ask_questions(_criteria(brought), brought.scale, upload, new=there is None)


def _uploaded() -> list[UploadedFile]:
    """What was uploaded here, or in the part for tables of stories, which has led here."""
    carried: UploadedFile | None = st.session_state.get(CARRIED)
    if carried is None:
        return st.file_uploader(
            "The zip of an export, all of its files, or one file of ratings", KINDS, accept_multiple_files=True
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"The file **{escaped(carried.name)}**")
        st.button("Another file", icon=":material/upload:", on_click=st.session_state.pop, args=(CARRIED,))
    return [carried]


def _say_where(place: DeltaGenerator) -> None:
    """Say, before a file is chosen, which study it goes into."""
    chosen = chosen_study()
    if chosen is None or led_from(chosen):
        say_where(place, chosen.study.name if chosen is not None else "")
        return
    name = f"the chosen study, **{escaped(chosen.study.name)}**"
    if not takes(chosen, ""):
        ratings, others = (
            f"Ratings without their stories go into {name}",
            "Ratings with their stories, and exports, make",
        )
    elif chosen.prompts:
        ratings, others = (
            f"Ratings of stories that are in {name}, go into it",
            "Ratings of other stories, and exports, make",
        )
    else:
        ratings, others = f"Ratings go into {name}", "An export makes"
    place.caption(f"{ratings}. {others} **a new study**. Once the file is read, you can {OTHERWISE}.")


@dataclass(frozen=True)
class _Shown:
    """What was brought, and what of it takes a look at all of it: how many people rated, and the stories, by id, whose
    ratings are shown.
    """

    brought: Restored
    people: int
    rated: Mapping[str, StoryRecord]


def _looked_through(parts: Iterator[RestoredPart]) -> _Shown:
    brought = joined(parts)
    people = len({panel.annotator for panel in brought.panels if panel.person})
    keys = {given.story_key for given in brought.ratings[:PREVIEWED]}
    found = (story for story in brought.stories if story.key in keys)
    return _Shown(brought, people, {story.key: story for story in islice(found, len(keys))})


def _preview(shown: _Shown, file: UploadedFile, *, of_columns: bool, in_order: bool) -> None:
    """`of_columns`: the raters have a column each, and another person may be behind it in each row; `in_order`: the
    ratings of each row are sorted, so that it is so.
    """
    brought = shown.brought
    by = f" by {so_many(shown.people, 'annotator')}" if shown.people else "" if of_columns else f" {UNNAMED}"
    if brought.manifest is None and any(given.raters > 1 for given in brought.ratings[:1]):  # then all of them are
        by = ", each a mean of several raters"
    kinds = Counter(story.source for story in brought.stories)
    stories = f"; {counts_text(kinds, 0, 0)}" if kinds else ""
    panels = "" if brought.manifest is None else f" in {so_many(len(brought.panels), 'panel')}"  # others have none
    nobody = "" if by else NO_PEOPLE + (SORTED if in_order else SAY_SO)
    st.caption(f"{so_many(len(brought.ratings), 'rating')}{panels}{by}{stories}. {nobody}The first ratings:")
    rows = [
        {
            **_of_story(shown.rated.get(given.story_key)),
            "Id": given.story_key,
            "Annotator" if shown.people else "Rater": brought.panels[given.panel].annotator,
            **{"Rating" if name == OVERALL else name: given.values.get(name) for name in brought.criteria},
            DEDUCTIONS: ", ".join(f"{name} {points}" for name, points in given.deductions.items()),
            "State": brought.panels[given.panel].state if brought.manifest is not None else "",
        }
        for given in brought.ratings[:PREVIEWED]
    ]
    empty = {column for column in (*_of_story(None), DEDUCTIONS, "State") if not any(row[column] for row in rows)}
    shown_rows = [{column: cell for column, cell in row.items() if column not in empty} for row in rows]
    first_rows(shown_rows, "The first ratings of the file")
    for lacking in brought.lacking:
        warning(lacking.sentence("choose it above under Columns, rows and scale"))
    if brought.rejected:
        warn_of_rejected(file, brought.rejected, read_once(uploaded.file_overview, [file]).values)
    for message in brought.said:
        notice(message)


def _of_story(story: StoryRecord | None) -> dict[str, str]:
    """What the preview shows of a story, None for one that the file lacks: empty."""
    if story is None:
        return {"Prompt": "", "System": "", "Story": ""}
    return {"Prompt": story.prompt, "System": group_of(story.source, story.system), "Story": story.text}


def _suggested(brought: Restored) -> str:
    """The study that was exported, or a copy of it; for ratings the one chosen, which may have their stories: unless
    they bring these and it lacks one, or takes none, as the demonstration and a study that people rate do: then a new
    one, "".
    """
    if brought.manifest is not None:
        name = brought.manifest.study.name
        exists = any(summary.study.name == name and summary.prompts for summary in my_studies())
        return f"{name} (imported)"[: studies.LONGEST_NAME] if exists else name
    chosen = chosen_study()
    if chosen is None:
        return brought.sheet.path.stem
    if not brought.stories or led_from(chosen) or (takes(chosen, "") and _has_first(chosen, brought.stories)):
        return chosen.study.name
    return ""


def _has_first(summary: StudySummary, stories: Iterable[StoryRecord]) -> bool:
    """Whether a study has the first of these stories, or has none yet: one text may well stand in two studies."""
    return not summary.prompts or has_texts(summary.study.id, [record.text for record in islice(stories, PREVIEWED)])


def _counts(brought: Restored) -> str:
    return counts_text(Counter(story.source for story in brought.stories), len(brought.ratings), 0)


def _scale(brought: Restored, there: StudySummary | None) -> tuple[int, int] | None:
    """On which scale a file's ratings will be taken to be, in the study that is there or a new one: what was said, else
    what the study asks for; None of an export, and of what has no one scale.
    """
    if brought.manifest is not None:
        return None
    steps = {tuple(step for step, _ in brought.scale)} if brought.scale else set()
    if not steps:
        asked = _asked(brought)
        if there is not None:
            known = {name.casefold() for name in there.study.scheme.names}
            asked = there.study.scheme if known.issuperset(map(str.casefold, _criteria(brought))) else asked
        steps = {criterion.steps for criterion in asked.criteria}
    ends = {(scale[0], scale[-1]) for scale in steps}
    return ends.pop() if len(ends) == 1 else None


def _criteria(brought: Restored) -> list[str]:
    return [name for name in brought.criteria if name != CHECK]


def _asked(brought: Restored) -> Scheme:
    """The scheme that a file's ratings are of."""
    return SCHEMES[brought.scheme_key] if brought.scheme_key else scheme_for(_criteria(brought))


def _said(scale: tuple[int, int] | None, brought: Restored) -> str:
    if scale is None:
        return ""
    lowest, highest = scale
    otherwise = "" if brought.scale else "; if they are on another, say so above under *Columns, rows and scale*"
    return f" on a scale from {lowest} to {highest}{otherwise}"


def _outside(scale: tuple[int, int] | None, brought: Restored, there: StudySummary | None, file: UploadedFile) -> bool:
    """Whether the scale does not hold the ratings, which is said before anything is imported, with a button that takes
    one that does, unless the study is rated on the other.
    """
    if scale is None or brought.ends is None:
        return False
    (lowest, highest), (least, most) = scale, brought.ends
    if lowest <= least.value and most.value <= highest:
        return False
    first = most if most.value > highest else least
    column = brought.sheet.named.get(brought.column_of(first.criterion), first.criterion)
    misfit = (
        f"The ratings go from {least.value:g} to {most.value:g}, and the scale from {lowest} to {highest}: the first "
        f"{first.value:g} is in {brought.sheet.unit} {first.number}, column {column!r}."
    )
    if there is not None and there.ratings:
        problem(f"{misfit} This study has ratings on that scale: import these into a study of their own.")
        return True
    fits = usual_scale(least.value, most.value)
    problem(f"{misfit} Say which one they are on, here or under Columns, rows and scale.")
    label = f"They are on a scale of {fits}"
    st.button(label, type="primary", icon=":material/straighten:", on_click=say_scale, args=(file, fits))
    return True


def _store(
    viewer: Person,
    name: str,
    brought: Restored,
    before: StudySummary | None,
    prompts: PromptKind | None,
    questions: Mapping[str, str],
    tell: Tell,
) -> ImportResult:
    """Import it and say what is new; `before`: the study as it was, if it was there; `prompts`: what those of a new one
    are; `questions`: what people were asked, where the ratings make its form.
    """
    study = rating_imports.import_ratings(viewer, name, brought, prompts=prompts, questions=questions, on_progress=tell)
    changed = asks_now(before.study.scheme.names, study.scheme.names) if before is not None else ""
    sentences = (changed, *(one.sentence for one in brought.left_out))
    more = "".join(f" {sentence}" for sentence in sentences if sentence)
    if before is None or not before.prompts or not brought.stories:
        return f"Imported {_counts(brought)} into the study {name.strip()!r}.{more}", study.id
    (after,) = studies.summaries(viewer, only=study.id)
    new = {Source.SYSTEM: after.stories - before.stories, Source.HUMAN: after.references - before.references}
    ratings = counts_text({}, len(brought.ratings), 0)
    beside = counts_text(new, 0, 0) or "no story that it did not have"
    return f"Imported {ratings} into the study {name.strip()!r}, and {beside}.{more}", study.id
