"""Numbers below 0 in the cells of a table with the minus sign that pages have elsewhere, not with a hyphen.

Streamlit's own formats write a hyphen. What a styled frame shows stands beside the numbers, by which a table is sorted
and downloaded as before.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler

from core import wording

MOST_CELLS = 50_000
"""Of a table that is styled, which takes a tenth of a second for so many."""
PERCENT = "percent"
"""The one format in use that is a name of Streamlit's and no pattern."""
Config = dict[str, Any]
Shown = Sequence[Mapping[str, object]] | Styler
"""What `st.dataframe` takes."""


def real_minus(rows: Sequence[Mapping[str, object]], config: Mapping[str, Any] | None) -> tuple[Shown, Config]:
    """The rows and the configuration of their columns, as `st.dataframe` takes them; the rows as they are where none
    of their numbers is below 0, or there are more than `MOST_CELLS`. Columns with such a number are written here, by
    the formats that they have.
    """
    kept = dict(config or {})
    if sum(map(len, rows)) > MOST_CELLS:
        return rows, kept
    below = [name for name in dict.fromkeys(name for row in rows for name in row) if _any_below(rows, name)]
    if not below:
        return rows, kept
    written = {}
    for name in below:
        column = dict(kept.get(name) or {})
        type_config = dict(column.get("type_config") or {})
        written[name] = partial(_written, type_config.pop("format", None) or "%s")
        kept[name] = {**column, "type_config": type_config} if type_config else column
    frame = pd.DataFrame(list(rows))
    styler: Styler = frame.style.format(written)  # type: ignore[arg-type]
    return styler, kept


def _any_below(rows: Sequence[Mapping[str, object]], name: str) -> bool:
    cells = [row.get(name) for row in rows]
    numbers = [cell for cell in cells if isinstance(cell, (int, float)) and not isinstance(cell, bool)]
    return len(numbers) == sum(cell is not None for cell in cells) and any(number < 0 for number in numbers)


def _written(form: str, value: object) -> str:
    """A cell; "" of one without a number, in whose place the table has a dash."""
    if pd.isna(value):  # type: ignore[call-overload]
        return ""
    text = f"{value:.2%}" if form == PERCENT else form % value
    return wording.real_minus(text)
