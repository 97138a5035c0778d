"""CSV cells that a spreadsheet would run as formulas: made harmless, and read back."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet may run (OWASP, "CSV injection"; the last four are full-width signs)."""


def cell_of(text: str) -> str:
    """`text` as a cell: with `'` before it where it would run, or where it is such a cell already.

    The second makes `text_of` exact: `'=1` becomes `''=1`, while `'tis` stays as it is.
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def text_of(cell: str) -> str:
    """The text that `cell_of` wrote; cells of other programs that hide a formula so are read alike."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA) else cell
