"""Tables of results as LaTeX (booktabs), ready for a paper; all text in cells is escaped."""

import math
import re
import unicodedata
from collections.abc import Sequence

from core.formats.results_csv import ResultRow
from core.statistics.intervals import Estimate

UNDEFINED = "--"
DECIMALS = 3
WIDE = 9
"""Columns of a table that is set across both columns of a page, and scaled down to its width."""
ASIDE = "Signature"
"""Columns whose name begins so are too long to set: they stand in comments above the table."""
_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    # After `\\` these two would be arguments of it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    # Ligatures: `--` would be a dash.
    "-": "-{}",
    '"': "{''}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "²": "$^{2}$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "α": r"$\alpha$",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "ß": r"\ss{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
    "\u0328": "k",
}
_MINUS = re.compile(r"(?<![^ (])-(?=\.?\d)")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?", re.ASCII)
_STARRED = re.compile(r"(?s)(.*\d)(\*{1,3})")


def escape_latex(text: str) -> str:
    """`text` so that LaTeX prints it: commands, accents and ligatures taken apart, blanks and controls one blank.

    Letters of scripts that pdfLaTeX does not set stay as they are.
    """
    kept = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
    kept = _MINUS.sub("−", unicodedata.normalize("NFC", " ".join(kept.split())))
    return "".join(_character(c) for c in kept)


def _character(character: str) -> str:
    if character in _COMMANDS:
        return _COMMANDS[character]
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        base = rf"\{parts[0]}" if parts[0] in "ij" else parts[0]
        return rf"\{_ACCENTS[parts[1]]}{{{base}}}"
    return character


def latex_table(rows: Sequence[ResultRow], caption: str, label: str) -> str:
    """The rows under the columns of all of them: numbers to three decimals on the right, `--` where undefined, stars
    after a number raised, an Estimate with its interval in a column of its own. `label` names it for `\\ref`.

    Signatures stand in comments, and a column that is empty in every row is left out; a table of `WIDE` columns or more
    is scaled down to the width of the page.
    """
    every = list(dict.fromkeys(column for row in rows for column in row))
    columns = [
        column for column in every if not column.startswith(ASIDE) and any(row.get(column, "") != "" for row in rows)
    ]
    estimated = {c for c in columns if any(isinstance(row.get(c), Estimate) for row in rows)}
    header: list[str] = []
    alignment = ""
    for column in columns:
        header.append(escape_latex(column))
        alignment += "l" if all(_is_text(row.get(column)) for row in rows) else "r"
        if column in estimated:
            header.append(rf"95\,\% of {escape_latex(column)}")
            alignment += "r"
    wide = len(header) >= WIDE
    table = "table*" if wide else "table"
    lines = [
        rf"\begin{{{table}}}[t]",
        r"\centering",
        rf"\caption{{{escape_latex(caption)}}}",
        rf"\label{{tab:{_label(label)}}}",
        *([r"\resizebox{\textwidth}{!}{%"] if wide else []),
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        " & ".join(header) + r" \\",
        r"\midrule",
        *(" & ".join(_cells(row, columns, estimated)) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}" + ("}" if wide else ""),
        rf"\end{{{table}}}",
    ]
    comment = ["% Needs \\usepackage{booktabs}" + (" and \\usepackage{graphicx}." if wide else ".")]
    if not all(line.isascii() for line in lines):
        comment.append("% Holds letters that pdfLaTeX does not set: use LuaLaTeX or XeLaTeX and a font that has them.")
    comment += [_aside(row, column) for column in every if column.startswith(ASIDE) for row in rows]
    return "\n".join([*comment, *lines]) + "\n"


def _aside(row: ResultRow, column: str) -> str:
    """A comment that holds a row's first cell and the cell of this column, on one line whatever they hold."""
    return " ".join(f"% {column} of {next(iter(row.values()))}: {row.get(column) or UNDEFINED}".split())


def _cells(row: ResultRow, columns: Sequence[str], estimated: set[str]) -> list[str]:
    cells = []
    for column in columns:
        value = row.get(column)
        if column in estimated:
            estimate = value if isinstance(value, Estimate) else Estimate(None)
            ends = (
                UNDEFINED
                if estimate.low is None or estimate.high is None
                else f"{_cell(estimate.low)} to {_cell(estimate.high)}"
            )
            cells += [_cell(estimate.value), ends]
        else:
            cells.append(_cell(value))
    return cells


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        value += 0.0  # no minus before 0
        return _typeset(f"{value:.{DECIMALS}f}" if abs(value) >= 10**-DECIMALS or value == 0 else f"{value:.2g}")
    if isinstance(value, int):
        return _typeset(str(value))
    text = str(value)
    starred = _STARRED.fullmatch(text)
    if starred:
        return f"{_number_or_text(starred[1])}$^{{{starred[2]}}}$"
    return _number_or_text(text)


def _number_or_text(text: str) -> str:
    return _typeset(text) if _NUMBER.fullmatch(text) else escape_latex(text)


def _typeset(number: str) -> str:
    """`-1.2e-05` as it is printed."""
    mantissa, _, exponent = number.partition("e")
    sign = "$-$" if mantissa.startswith("-") else ""
    power = rf"$\times 10^{{{int(exponent)}}}$" if exponent else ""
    return sign + mantissa.removeprefix("-") + power


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != "–" and not _NUMBER.fullmatch(value.rstrip("*"))


def _label(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", label).strip("-").lower() or "table"
