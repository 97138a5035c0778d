"""Numbers in the cells of a table as pages write them elsewhere: below 0 with a minus sign, not with a hyphen, a p
with three digits, and a half rounded up also where it lies below a half by the rounding of its computation.

Streamlit's own formats write a hyphen, and 0.00000556 for 5.56e-06. What a styled frame shows stands beside the
numbers, by which a table is sorted and downloaded as before.
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
P = "p"
"""The format of a column of p, of which Streamlit has none."""
WHOLE = "%.0f"
P_OF_LARGE = "%.3g"
"""The nearest that Streamlit has, for a table too large to be styled."""
Config = dict[str, Any]
Shown = Sequence[Mapping[str, object]] | Styler
"""What `st.dataframe` takes."""


def as_written(rows: Sequence[Mapping[str, object]], config: Mapping[str, Any] | None) -> tuple[Shown, Config]:
    """The rows and the configuration of their columns, as `st.dataframe` takes them; the rows as they are where none
    of their numbers is below 0, a half or a p, or there are more than `MOST_CELLS`. Columns with such a number are
    written here, by the formats that they have.
    """
    kept = dict(config or {})
    formats = {name: column.get("type_config", {}).get("format") for name, column in kept.items() if column}
    of_p = {name for name, form in formats.items() if form == P}
    if sum(map(len, rows)) > MOST_CELLS:
        return rows, kept | {name: _with_format(kept[name], P_OF_LARGE) for name in of_p}
    names = dict.fromkeys(name for row in rows for name in row)
    here = [
        name for name in names if name in of_p or _any_below(rows, name) or _any_half(rows, name, formats.get(name))
    ]
    if not here:
        return rows, kept
    whole = [name for name in names if _whole(rows, name)]  # a frame has them as 50.000000 where one is missing
    written = {name: partial(_written, WHOLE) for name in whole}
    for name in here:
        column, usual = kept.get(name) or {}, WHOLE if name in whole else "%s"
        written[name] = partial(_written, formats.get(name) or usual)
        kept[name] = _with_format(column, None)
    frame = pd.DataFrame(list(rows))
    styler: Styler = frame.style.format(written)  # type: ignore[arg-type]
    return styler, kept


def _with_format(column: Mapping[str, Any], form: str | None) -> Config:
    """The configuration of a column with this format; None: without any."""
    type_config = {key: value for key, value in column.get("type_config", {}).items() if key != "format"}
    if form is not None:
        type_config["format"] = form
    return {**column, "type_config": type_config} if type_config else dict(column)


def _whole(rows: Sequence[Mapping[str, object]], name: str) -> bool:
    """Whether all numbers of the column are whole ones."""
    cells = [cell for row in rows if (cell := row.get(name)) is not None]
    return bool(cells) and all(isinstance(cell, int) and not isinstance(cell, bool) for cell in cells)


def _any_below(rows: Sequence[Mapping[str, object]], name: str) -> bool:
    cells = [row.get(name) for row in rows]
    numbers = [cell for cell in cells if isinstance(cell, (int, float)) and not isinstance(cell, bool)]
    return len(numbers) == sum(cell is not None for cell in cells) and any(number < 0 for number in numbers)


def _any_half(rows: Sequence[Mapping[str, object]], name: str, form: str | None) -> bool:
    """Whether some number of the column is rounded up here, and not by its format alone."""
    if form is None or form == P:
        return False
    floats = [cell for row in rows if isinstance(cell := row.get(name), float)]
    return any(_in_format(form, cell) != _in_format(form, cell * wording.HALF_UP) for cell in floats)


def _in_format(form: str, value: float) -> str:
    return f"{value:.2%}" if form == PERCENT else form % value


def _written(form: str, value: object) -> str:
    """A cell; "" of one without a number, in whose place the table has a dash."""
    if pd.isna(value):  # type: ignore[call-overload]
        return ""
    if form == P:
        return wording.p_digits(value)  # type: ignore[arg-type]
    up = value * wording.HALF_UP if isinstance(value, float) and form != "%s" else value
    return wording.real_minus(_in_format(form, up))  # type: ignore[arg-type]
