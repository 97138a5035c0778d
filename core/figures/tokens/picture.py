"""The coloured text as a self-contained SVG."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from core.arrays import Bools, Ints
from core.tokens import TokenTable

FILLS = ("#dcebf7", "#eac54f", "#d9772b", "#6b2c91")
INKS = ("#111111", "#111111", "#111111", "#ffffff")
DASHES = ("none", "1.5 2", "5 3", "")
"""Of the line below a token; none for the likeliest: the levels are told apart in grey print too."""
COLUMNS = 96
CELL, LINE, EDGE, SIZE = 8.4, 24, 16, 14
"""Pixels: a letter's width, a line's height, the margin, the letters' size."""


@dataclass(frozen=True)
class _Piece:
    """A run of signs of one token on one line; `level` -1 for text between tokens."""

    text: str
    line: int
    column: int
    width: int
    level: int
    marked: bool


def picture(table: TokenTable, levels: Ints, legend: Sequence[str], title: str, differs: Bools | None = None) -> str:
    """The text in lines of 96 columns, each token on the colour of its level (0 to 3); below, what the levels are."""
    pieces = list(_pieces(table, levels, differs))
    lines = 1 + max((piece.line for piece in pieces), default=0)
    width = 2 * EDGE + COLUMNS * CELL
    top = 2 * EDGE + SIZE
    height = top + lines * LINE + EDGE + LINE * len(legend) + EDGE
    drawn = [_text(EDGE, EDGE + SIZE, title, "#111111", bold=True)]
    drawn += [mark for piece in pieces for mark in _drawn(piece, top)]
    for level, words in enumerate(legend):
        y = top + lines * LINE + EDGE + level * LINE
        drawn += _drawn(_Piece("abc", 0, 0, 3, level, False), y)
        drawn.append(_text(EDGE + 5 * CELL, y + 16, words, "#111111"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(drawn)}</svg>'
    )


def _pieces(table: TokenTable, levels: Ints, differs: Bools | None) -> Iterator[_Piece]:
    line = column = shown = 0
    for begin, end, level, marked in _runs(table, levels, differs):
        text, begin, shown = table.text[max(begin, shown) : end], max(begin, shown), max(end, shown)
        run, at = "", column
        for sign in text:
            wide = _columns(sign)
            if sign == "\n" or column + wide > COLUMNS:
                if run:
                    yield _Piece(run, line, at, column - at, level, marked)
                line, column, run, at = line + 1, 0, "", 0
            if sign != "\n":
                run, column = run + sign, column + wide
        if run:
            yield _Piece(run, line, at, column - at, level, marked)


def _runs(table: TokenTable, levels: Ints, differs: Bools | None) -> Iterator[tuple[int, int, int, bool]]:
    """Tokens and what stands between them, in order."""
    reached = 0
    for i, (begin, end) in enumerate(zip(table.starts.tolist(), table.ends.tolist(), strict=True)):
        if begin > reached:
            yield reached, begin, -1, False
        yield begin, end, int(levels[i]), bool(differs is not None and differs[i])
        reached = max(reached, end)
    yield reached, len(table.text), -1, False


def _columns(sign: str) -> int:
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _drawn(piece: _Piece, top: float) -> Iterator[str]:
    x, y, width = EDGE + piece.column * CELL, top + piece.line * LINE, piece.width * CELL
    if piece.level >= 0:
        yield f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{LINE - 3}" fill="{FILLS[piece.level]}"/>'
        if piece.marked:
            yield f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="2.5" fill="{INKS[piece.level]}"/>'
        if DASHES[piece.level] != "none":
            dash = f' stroke-dasharray="{DASHES[piece.level]}"' if DASHES[piece.level] else ""
            yield (
                f'<path d="M{x:g} {y + LINE - 5:g}h{width:g}" stroke="{INKS[piece.level]}" stroke-width="1.5"{dash}/>'
            )
    if piece.text.strip():
        yield _text(x, y + 15, piece.text, INKS[max(0, piece.level)], width=width)


def _text(x: float, y: float, text: str, ink: str, *, bold: bool = False, width: float = 0) -> str:
    """Letters as wide as their columns, whichever font there is."""
    weight = ' font-weight="bold"' if bold else ""
    length = f' textLength="{width:g}" lengthAdjust="spacingAndGlyphs"' if width else ""
    sentence = escape("".join(map(_allowed, text)))
    return f'<text x="{x:g}" y="{y:g}" fill="{ink}"{weight}{length} xml:space="preserve">{sentence}</text>'


def _allowed(sign: str) -> str:
    """XML has no place for control characters: their pictures stand for them."""
    code = ord(sign)
    if code < 0x20:
        return " " if sign == "\t" else chr(0x2400 + code)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF or code in (0xFFFE, 0xFFFF) or 0x7F <= code < 0xA0 else sign
