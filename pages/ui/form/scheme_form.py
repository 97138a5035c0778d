"""The tab where a study gets its own criteria, scales and error types."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.annotation.builtin import SCHEMES, with_prompts
from core.annotation.criterion import LEVELS, MOST_CRITERIA, OVERALL, Criterion
from core.annotation.scale import scale_from, scale_text
from core.annotation.scheme import CHECK, ErrorType, Scheme
from core.annotation.studies import Study, StudySummary
from core.annotation.unit import PromptKind, Unit
from core.errors import FabulaError, InputError
from core.people import Person
from core.wording import meaning
from db.annotation import previews, settings
from db.studies.counts import only_imported
from pages.ui.annotating.instructions import beforehand, placeholder_of
from pages.ui.form.pair_fields import pair_fields
from pages.ui.shared.prompt_kind import choose_prompt_kind
from pages.ui.shared.text import escaped, problem

WIDE, NARROW = st.column_config.TextColumn(width="medium"), st.column_config.TextColumn(width="small")
LETTERS, LINE, LEAST_HIGH, MOST_LINES = 28, 19, 72, 7
"""Of a cell of a wide column: letters in a line, its pixels, those of a row that wraps at all, lines shown at most."""
SAVED = "form_saved"
SHOWN = {Unit.STORY: "One story at a time", Unit.PANEL: "All stories of an opening together"}
"""How the stories of a study on several criteria may be handed out."""


def own_form(viewer: Person, summary: StudySummary) -> None:
    """Edit the form while nobody has rated, beside what annotators are told."""
    study, scheme = summary.study, summary.study.scheme
    if summary.answered:
        why = "Ratings have been imported" if only_imported(study.id) else "Somebody has begun to answer it"
        st.caption(f"What annotators answer. {why}, so it can no longer change.")
        _told(viewer, study)
        return
    st.caption("What annotators answer. It can be changed until the first panel is begun or rating imported.")
    with st.expander("What annotators are told now", icon=":material/help:"):
        _told(viewer, study)
    with st.form(f"form-{study.id}", border=False):
        question, tables = scheme.question, None
        if scheme.unit.of_pairs:
            question = st.text_input("Question", question, key=f"question-{study.id}")
        else:
            tables = _tables(scheme, study.id)
        compared = pair_fields(scheme, study.id) if scheme.pairs is not None else None
        shown, controls = _shown(scheme, study.id)
        prompts = _prompts(scheme, study.id)
        comments, closing = _words(scheme, study.id)
        check = None if scheme.unit.of_pairs else _check(scheme, study.id)
        if scheme.controls and not scheme.unit.of_pairs:
            st.caption("Saving also fits the thresholds of the control stories to the scale: see Quality rules.")
        if st.form_submit_button("Save the form", type="primary"):
            try:
                form = _form(scheme, *tables) if tables else _asking(scheme, question)
                form = with_prompts(_shown_by(form, shown, controls=controls), prompts)
                form = replace(form, comments=comments, closing_question=closing)
                form = _with_check(form, *check) if check else form
                form = compared.form(form) if compared is not None else form
                settings.set_form(viewer, study.id, form)
            except FabulaError as error:
                problem(str(error))
            else:
                st.session_state[SAVED] = True
                st.rerun()
    if st.session_state.pop(SAVED, False):
        asked = " ".join(f"“{criterion.question}”" for criterion in scheme.criteria)
        st.success(escaped(f"Saved. Annotators are asked now: {asked}"))
        query = {"study": str(study.id)}
        st.page_link("overview.py", label="Next: where the study stands", icon=":material/home:", query_params=query)


def _told(viewer: Person, study: Study) -> None:
    """What annotators read: before the first panel, and above the prompt."""
    scheme = study.scheme
    beforehand(scheme, previews.panels_per_annotator(viewer, study.id), placeholder_of(study))
    if scheme.shows_prompt:
        st.markdown(f"Above {'each prompt' if scheme.of_tasks else 'each opening'} stands: *{scheme.wording.opening}*")
    st.page_link(
        "preview.py",
        label="See it as annotators do",
        icon=":material/visibility:",
        query_params={"study": str(study.id)},
    )


def _asking(scheme: Scheme, question: str) -> Scheme:
    return replace(scheme, criteria=(replace(scheme.main, question=question),))


def _tables(scheme: Scheme, study_id: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The criteria and the error types, to be edited."""
    st.caption(
        f"Criteria: one for an overall rating, up to {MOST_CRITERIA} for several. The one called *{OVERALL}* is what "
        "deductions belong to. Write a scale as its steps with their labels: 1 Poor; 2 Fair; 3 Good. Add a criterion "
        "in the empty row below; to remove a row, tick it and press the bin."
    )
    rows = [(c.name, c.question, scale_text(c.scale), c.level, c.example) for c in scheme.criteria]
    criteria = st.data_editor(
        pd.DataFrame(rows, columns=["Criterion", "Question", "Scale", "Level", "Worked example"], dtype=str),
        num_rows="dynamic",
        hide_index=True,
        column_config={
            "Question": WIDE,
            "Scale": WIDE,
            "Level": st.column_config.SelectboxColumn(options=list(LEVELS), help=meaning("Level of measurement")),
            "Worked example": WIDE,
        },
        row_height=_wrapped(rows),
        height="content",
        key=f"criteria-{study_id}",
        alt="The criteria: name, question, scale, level of measurement and example",
    )
    st.caption("Error types. Points are the deductions on offer, like 1, 2; none for a simple tick.")
    errors = [(e.name, ", ".join(map(str, e.points)), e.description, e.example, e.why) for e in scheme.error_types]
    types = st.data_editor(
        pd.DataFrame(
            errors,
            columns=["Error type", "Points", "Description", "Example", "What is wrong in it"],
            dtype=str,
        ),
        num_rows="dynamic",
        hide_index=True,
        column_config={"Points": NARROW} | dict.fromkeys(("Description", "Example", "What is wrong in it"), WIDE),
        row_height=_wrapped(errors),
        height="content",
        key=f"types-{study_id}",
    )
    return criteria, types


def _wrapped(rows: Sequence[Sequence[str]]) -> int:
    """Pixels of a row in which the longest of these cells wraps, so that it is read without being opened."""
    longest = max((len(cell) for row in rows for cell in row), default=0)
    return max(LEAST_HIGH, LINE * min(MOST_LINES, longest // LETTERS + 2))


def _shown(scheme: Scheme, study_id: int) -> tuple[Unit, bool]:
    """How stories are handed out, where the scheme leaves that open, and whether with controls."""
    if scheme.unit.of_pairs or len(SCHEMES[scheme.key].criteria) == 1:
        return scheme.unit, scheme.controls
    left, right = st.columns(2)
    shown = left.radio(
        "Annotators rate",
        list(SHOWN),
        list(SHOWN).index(scheme.unit),
        format_func=SHOWN.__getitem__,
        key=f"unit-{study_id}",
    )
    controls = right.checkbox(
        "Control stories among them: a human and a damaged one",
        scheme.controls,
        key=f"controls-{study_id}",
        help="By their ratings careless work is rejected. Where all stories of an opening are rated together.",
    )
    return shown, controls and shown is Unit.PANEL


def _shown_by(scheme: Scheme, unit: Unit, *, controls: bool) -> Scheme:
    """The scheme with stories handed out so. Whoever is a control is not rated for their own sake."""
    if (unit, controls) == (scheme.unit, scheme.controls):
        return scheme
    built_in = SCHEMES[scheme.key]
    sources = tuple(source for source in built_in.sources if source == "system" or not controls)
    return replace(scheme, unit=unit, controls=controls, sources=sources)


def _prompts(scheme: Scheme, study_id: int) -> PromptKind:
    """What annotators are told that the prompt is, where they are shown it."""
    if not scheme.shows_prompt:
        return scheme.prompt_kind
    return choose_prompt_kind(scheme.prompt_kind, f"prompt-kind-{study_id}") or scheme.prompt_kind


def _words(scheme: Scheme, study_id: int) -> tuple[bool, str]:
    """What may be said in words: a reason for each story, and something at the end."""
    left, right = st.columns(2)
    comments = left.checkbox(
        f"Ask for a reason in words, below each {'pair' if scheme.unit.of_pairs else 'story'}",
        scheme.comments,
        key=f"comments-{study_id}",
        help="Optional for annotators.",
    )
    closing = right.text_input(
        "A question at the end of the study",
        scheme.closing_question,
        placeholder="None",
        key=f"closing-{study_id}",
    )
    return comments, closing.strip()


def _check(scheme: Scheme, study_id: int) -> tuple[str, int | None]:
    """The question of an attention check, "" for none, and the answer that it wants, None where nothing stands."""
    left, right = st.columns(2)
    question = left.text_input(
        "An attention check: a question that says which answer to choose",
        scheme.check.question if scheme.check else "",
        placeholder="None. Such as: To show that you read this, choose 2.",
        key=f"check-{study_id}",
        help=f"{meaning('Attention check')} It stands once in each panel, below its middle story; where stories are "
        "rated one at a time, below each.",
    )
    wanted = right.number_input(
        "The answer it asks for",
        -1_000_000,
        1_000_000,
        scheme.check_answer if scheme.check else None,
        placeholder="No attention check",
        key=f"check-answer-{study_id}",
    )
    return question.strip(), wanted


def _with_check(scheme: Scheme, question: str, wanted: int | None) -> Scheme:
    if not question:
        return replace(scheme, check=None, check_answer=0)
    if wanted is None:
        raise InputError("Say which answer the attention check asks for.")
    steps = tuple((step, str(step)) for step in scheme.main.steps)
    return replace(scheme, check=Criterion(CHECK, question, steps, "nominal"), check_answer=wanted)


def _form(scheme: Scheme, criteria: pd.DataFrame, types: pd.DataFrame) -> Scheme:
    """What the tables say, as a scheme; raises InputError naming the field that cannot be used."""
    asked = [[_text(cell) for cell in row] for row in criteria.itertuples(index=False)]
    rows = [[_text(cell) for cell in row] for row in types.itertuples(index=False)]
    error_types = tuple(
        ErrorType(name, _points(name, points), description, example, why)
        for name, points, description, example, why in rows
        if name or points or description or example or why
    )
    named = {e.name for e in error_types}
    changed = replace(
        scheme,
        criteria=tuple(_criterion(*row) for row in asked if any(row)),
        error_types=error_types,
        reasons_for=scheme.reasons_for if error_types else (),
        catch_all=scheme.catch_all if scheme.catch_all in named else "",
    )
    steps = set(changed.main.steps)
    return replace(
        changed,
        reasons_for=tuple(value for value in changed.reasons_for if value in steps),
        shares=tuple((name, values) for name, values in changed.shares if set(values) <= steps),
    )


def _criterion(name: str, question: str, scale: str, level: str, example: str) -> Criterion:
    try:
        return Criterion(name, question, scale_from(scale), level or "interval", example)
    except InputError as error:
        raise InputError(f"Criterion {name[:60]!r}: {error}") from None


def _text(cell: object) -> str:
    return cell.strip() if isinstance(cell, str) else ""


def _points(name: str, cell: str) -> tuple[int, ...]:
    numbers = re.split(r"[\s,;/]+", cell) if cell else []
    if not all(number.isdecimal() for number in numbers):
        raise InputError(f"The points of {name!r} are whole numbers with commas between, like 1, 2; not {cell!r}.")
    return tuple(sorted({int(number) for number in numbers}))
