"""Figures of the token view, and the coloured text as a picture of its own."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures.data import figure_rows
from core.figures.tokens.levels import level_names
from core.figures.tokens.picture import COLUMNS, FILLS, picture
from core.figures.tokens.statistics import bucket_shares, entropies, fractions
from core.tokens import RANKS, buckets
from tests.core.made_tokens import made_table

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_are_shares_of_the_buckets() -> None:
    table = made_table("a b c d", rank=[0, 9, 10, 5000])
    figure = bucket_shares({"<b>one</b>": table, "two": table}, RANKS)
    rows = figure_rows(figure)
    assert [row["y"] for row in rows] == [0.5, 0.25, 0, 0.25] * 2
    assert [row["x"] for row in rows][:4] == ["1 to 10", "11 to 100", "101 to 1,000", "above 1,000"]
    assert "<b>" not in figure.to_json()
    assert "made@1" in figure.layout.title.text


@pytest.mark.parametrize("draw", [fractions, entropies])
def test_histograms_hold_every_token(draw) -> None:  # type: ignore[no-untyped-def]
    table = made_table(" word" * 40)
    table = replace(table, entropy=np.append(table.entropy[1:], 2.4), fraction=np.append(table.fraction[1:], 1.0))
    rows = figure_rows(draw({"one": table}))
    assert sum(row["y"] for row in rows) == pytest.approx(1)


def test_the_picture_is_whole_svg_with_every_sign_of_the_text() -> None:
    text = "He said <script>alert('&')</script> — 漢字 and\x07\ttabs\n\nand 🦊 " + "long" * 40
    table = made_table(text, rank=None)
    levels = buckets(table.rank)
    drawn = picture(table, levels, level_names(RANKS), "A <title> & more", np.ones(len(table), dtype=bool))
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    assert not list(root.iter(f"{SVG}script"))
    words = "".join("".join(item.itertext()) for item in root.iter(f"{SVG}text"))
    for part in ("<script>alert('&')</script>", "漢字", "␇", "🦊", "A <title> & more", "rank above 1,000"):
        assert part in words, part
    width = float(root.attrib["width"])
    for element in root.iter(f"{SVG}rect"):
        if element.attrib["width"] != "100%":
            assert float(element.attrib["width"]) > 0
            assert float(element.attrib["x"]) + float(element.attrib["width"]) <= width
    assert {item.attrib["fill"] for item in root.iter(f"{SVG}rect")} >= {FILLS[level] for level in set(levels.tolist())}
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


def test_lines_of_the_text_are_kept_and_long_ones_are_cut() -> None:
    table = made_table("a\nb" + "c" * (COLUMNS + 5), [(0, 1), (1, 2), (2, 3), (3, COLUMNS + 8)])
    drawn = picture(table, np.zeros(4, dtype=np.int64), ["one"], "")
    lines = {element.attrib["y"] for element in ElementTree.fromstring(drawn).iter(f"{SVG}text")}
    assert len(lines) == 3 + 1 + 2  # of the text, its title, and the legend


def test_lightness_alone_tells_the_levels_apart() -> None:
    def lightness(colour: str) -> float:
        rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in rgb]
        y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        return 116 * y ** (1 / 3) - 16

    steps = -np.diff([lightness(colour) for colour in FILLS])
    assert (steps > 9).all(), steps
