"""The table in which a study's owner writes practice items, and the items that it holds."""

from collections.abc import Hashable, Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from core.annotation.onboarding import PracticeItem
from core.annotation.scale import step_text
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.errors import InputError
from pages.ui.annotating.onboarding_item import names

TEXT = st.column_config.TextColumn(width="medium")


def _columns(scheme: Scheme) -> dict[str, ColumnConfig]:
    """The editor's columns: texts, and choices among the ratings and error types of the form."""
    types = [error_type.name for error_type in scheme.error_types]
    columns: dict[str, ColumnConfig] = {"Opening": TEXT} if scheme.shows_prompt else {}
    columns |= {"Text A": TEXT, "Text B": TEXT} if scheme.unit.of_pairs else {"Text": TEXT}
    if len(scheme.criteria) > 1:
        columns["Criterion"] = st.column_config.SelectboxColumn(
            options=list(scheme.names), required=True, help="What the example asks about."
        )
    columns["Right"] = st.column_config.MultiselectColumn(
        options=list(_steps(scheme)), width="medium", help="Every rating that is right."
    )
    if types:
        columns["Needed"] = st.column_config.MultiselectColumn(options=types, help="Error types that have to be given.")
        columns["Wrong"] = st.column_config.MultiselectColumn(options=types, help="Error types that must not be given.")
    return columns | {"Explanation": TEXT}


def _steps(scheme: Scheme) -> dict[str, int]:
    """The ratings as the editor names them: by number alone where criteria may call them differently."""
    if len(scheme.criteria) > 1:
        return {str(step): step for step in sorted({step for of in scheme.criteria for step in of.steps})}
    return {step_text(step, name): step for step, name in names(scheme).items()}


def rows_of(scheme: Scheme, items: Sequence[PracticeItem]) -> list[dict[str, object]]:
    """The items as rows of the table, by column; a rating that the form has no more is left out."""
    words = {step: name for name, step in _steps(scheme).items()}
    columns = _columns(scheme)
    return [
        {
            name: value
            for name, value in {
                "Opening": item.prompt,
                **dict(zip(("Text A", "Text B") if len(item.texts) > 1 else ("Text",), item.texts, strict=True)),
                "Criterion": item.criterion or scheme.main.name,
                "Right": [words[step] for step in item.accepted if step in words],
                "Needed": list(item.needed),
                "Wrong": list(item.forbidden),
                "Explanation": item.explanation,
            }.items()
            if name in columns
        }
        for item in items
    ]


def editor(study: Study, items: Sequence[PracticeItem]) -> pd.DataFrame:
    """The table, filled with these items."""
    st.caption("Add an example in the empty row below; to remove a row, tick it and press the bin.")
    columns = _columns(study.scheme)
    return st.data_editor(
        pd.DataFrame(rows_of(study.scheme, items), columns=list(columns), dtype=object),
        num_rows="dynamic",
        hide_index=True,
        column_config=columns,
        key=f"practice-items-{study.id}",
        alt="The examples: what is shown, what is right, and the explanation",
    )


def items_of(scheme: Scheme, edited: pd.DataFrame) -> tuple[PracticeItem, ...]:
    """The rows as items, empty ones left out; raises InputError for a rating that is not of the scale."""
    rows = [{name: _cell(value) for name, value in row.items()} for row in edited.to_dict("records")]
    return tuple(_item(scheme, number, row) for number, row in enumerate((r for r in rows if any(r.values())), 1))


def _item(scheme: Scheme, number: int, row: Mapping[Hashable, tuple[str, ...]]) -> PracticeItem:
    steps, right = _steps(scheme), row["Right"]
    if unknown := set(right) - set(steps):
        raise InputError(f"Example {number}: {min(unknown)!r} is no rating of this form.")
    texts = tuple("".join(row[name]) for name in ("Text", "Text A", "Text B") if name in row)
    return PracticeItem(
        "".join(row.get("Opening", ())),
        texts,
        tuple(sorted(steps[word] for word in right)),
        "".join(row["Explanation"]),
        row.get("Needed", ()),
        row.get("Wrong", ()),
        "".join(row.get("Criterion", ())),
    )


def _cell(value: object) -> tuple[str, ...]:
    """The words of a cell, one of a text; none where it is empty, whatever the editor puts there."""
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
