"""The tab of the Studies page where a study gets its own question, scale and error types."""

import re
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.annotation.scheme import ErrorType, Scheme
from core.annotation.studies import StudySummary
from core.errors import FabulaError, InputError
from core.people import Person
from db.annotation import settings
from pages.ui.annotating.instructions import instructions
from pages.ui.shared.text import problem

WIDE = st.column_config.TextColumn(width="medium")


def own_form(viewer: Person, summary: StudySummary) -> None:
    """Edit the form while nobody has rated, beside what annotators are told."""
    study, scheme = summary.study, summary.study.scheme
    if summary.ratings or summary.panels_rejected or summary.panels_open:
        st.caption("What annotators answer. It has been answered already, so it can no longer change.")
        instructions(scheme)
        return
    st.caption("What annotators answer. It can be changed until the first panel is begun or rating imported.")
    with st.expander("What annotators are told now", icon=":material/help:"):
        instructions(scheme)
    with st.form(f"form-{study.id}", border=False):
        question = st.text_input("Question", scheme.question, key=f"question-{study.id}")
        steps = [(str(step), label) for step, label in scheme.scale]
        scale, types = pd.DataFrame(steps, columns=["Step", "Label"], dtype=str), None
        if not scheme.unit.compares:
            st.caption("The scale. Add a step in the empty row below; tick a row to remove it.")
            scale = st.data_editor(
                scale,
                num_rows="dynamic",
                hide_index=True,
                key=f"scale-{study.id}",
            )
            st.caption("Error types. Points are the deductions on offer, like 1, 2; none for a simple tick.")
            types = st.data_editor(
                pd.DataFrame(
                    [
                        (e.name, ", ".join(map(str, e.points)), e.description, e.example, e.why)
                        for e in scheme.error_types
                    ],
                    columns=["Error type", "Points", "Description", "Example", "What is wrong in it"],
                    dtype=str,
                ),
                num_rows="dynamic",
                hide_index=True,
                column_config={
                    name: st.column_config.TextColumn(width="medium")
                    for name in ("Description", "Example", "What is wrong in it")
                },
                key=f"types-{study.id}",
            )
        if scheme.controls:
            st.caption("Saving also fits the thresholds of the control stories to the scale: see Quality rules.")
        if st.form_submit_button("Save the form"):
            try:
                settings.set_form(viewer, study.id, _form(scheme, question, scale, types))
            except FabulaError as error:
                problem(str(error))
            else:
                st.rerun()


def _form(scheme: Scheme, question: str, scale: pd.DataFrame, types: pd.DataFrame | None) -> Scheme:
    """What the fields say, as a scheme; raises InputError naming the field that cannot be used."""
    steps = tuple(sorted((_whole(step), _text(label)) for step, label in scale.itertuples(index=False)))
    rows = [] if types is None else [[_text(cell) for cell in row] for row in types.itertuples(index=False)]
    error_types = tuple(
        ErrorType(name, _points(name, points), description, example, why)
        for name, points, description, example, why in rows
        if name or points or description or example or why
    )
    named = {e.name for e in error_types}
    return replace(
        scheme,
        criteria=(replace(scheme.main, question=question),),
        error_types=error_types,
        reasons_for=scheme.reasons_for if error_types else (),
        catch_all=scheme.catch_all if scheme.catch_all in named else "",
    ).with_scale(steps)


def _text(cell: object) -> str:
    return cell.strip() if isinstance(cell, str) else ""


def _whole(cell: object) -> int:
    try:
        return int(_text(cell))
    except ValueError:
        raise InputError(f"Every step of the scale is a whole number, not {_text(cell)!r}.") from None


def _points(name: str, cell: str) -> tuple[int, ...]:
    numbers = re.split(r"[\s,;/]+", cell) if cell else []
    if not all(number.isdecimal() for number in numbers):
        raise InputError(f"The points of {name!r} are whole numbers with commas between, like 1, 2; not {cell!r}.")
    return tuple(sorted({int(number) for number in numbers}))
