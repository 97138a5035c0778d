"""The transcribed tables against the papers' own texts, where these are there."""

import re
from pathlib import Path

import pytest

from core.published import naturalness, openmeva, perception, union
from core.published import openmeva_words as words
from core.published.catalogue import TABLES
from core.published.tables import PublishedTable, grid

OF_WORDS = (words.DISCRIMINATION_ASPECTS, words.INVARIANCE_ASPECTS, words.DEDUCTIONS, words.ALPHAS, words.WORDS,
            words.PRONOUNS)  # fmt: skip
PAPERS = Path(__file__).resolve().parents[4] / "shared" / "papers"
FILES = {
    union.SOURCE: "union.txt",
    openmeva.SOURCE: "openmeva.txt",
    perception.SOURCE: "perception-score.txt",
    naturalness.SOURCE: "naturalness.txt",
}


def text_of(paper: str) -> str:
    """The paper's text with plain stars and minus signs, and no blanks within formulas."""
    path = PAPERS / FILES[paper]
    if not path.is_file():
        pytest.skip("the papers (../shared/papers) are not on this machine")
    text = path.read_text(encoding="utf-8")
    for star in ("‚àó", "∗", "^{*}"):
        text = text.replace(star, "*")
    return text.replace("−", "-").replace("–", "-")


def joined(text: str) -> str:
    """Without blanks, hyphens and full stops: the text breaks words at the ends of its lines."""
    return re.sub(r"[\s.-]", "", text)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_tables_are_whole(table: PublishedTable) -> None:
    assert table.rows or "nothing to compare" in table.note
    assert {len(cells) for cells in table.rows.values()} <= {len(table.columns)}
    assert len(set(table.columns)) == len(table.columns)
    for cells in table.rows.values():
        for cell in cells if table not in OF_WORDS else ():
            assert re.fullmatch(r"|-|-?[\d,]*\d(\.\d+)?[*%]?", cell), (table.name, cell)


# HANNA's numbers stand in its authors' repository, not in the paper: `reproduce hanna` is what meets them all.
@pytest.mark.parametrize("table", [table for table in TABLES if table.paper in FILES], ids=lambda table: table.name)
def test_every_number_is_in_the_paper(table: PublishedTable) -> None:
    text = text_of(table.paper)
    for label, cells in table.rows.items():
        for cell in cells:
            if table in OF_WORDS:
                assert all(joined(word) in joined(text) for word in cell.split(", ")), (table.name, label)
            elif (number := cell.rstrip("*%")) not in ("", "-"):
                assert re.search(rf"(?<!-){re.escape(number)}", text), (table.name, label, cell)


def test_names_are_unique() -> None:
    names = [table.name for table in TABLES]
    assert len(set(names)) == len(names) == 36
    assert (
        sum(bool(cell.strip("-")) for table in TABLES for cells in table.rows.values() for cell in cells) == 764 + 2_592
    )


@pytest.mark.parametrize("table", [union.CORRELATIONS, union.DATASET_DRIFT], ids=lambda table: table.name)
def test_rows_of_union_stand_together(table: PublishedTable) -> None:
    """With their stars and in their order; a row of Table 6 holds one half of ours."""
    lines = [re.sub(r"\s+", "", line).split("|") for line in text_of(table.paper).splitlines() if "|" in line]
    result = {tuple(cell for cell in line if re.fullmatch(r"-?0\.\d{4}\*?", cell)) for line in lines}
    for cells in table.rows.values():
        assert cells in result or {cells[:3], cells[3:]} <= result


@pytest.mark.parametrize("table", perception.TABLES, ids=lambda table: table.name)
def test_rows_of_perception_score_stand_together(table: PublishedTable) -> None:
    lines = {tuple(line.split("\t")[1:]) for line in text_of(table.paper).splitlines()}
    for cells in table.rows.values():
        assert cells in lines


@pytest.mark.parametrize("table", naturalness.TABLES, ids=lambda table: table.name)
def test_rows_of_naturalness_stand_together(table: PublishedTable) -> None:
    lines = {tuple(re.findall(r"\d+\.\d+", line)) for line in text_of(table.paper).splitlines() if "summ" in line}
    for cells in table.rows.values():
        assert cells in lines


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (openmeva.BY_ERROR_TYPE, (1, 3)),
        (openmeva.BY_ERROR_TYPE, (3, 7)),
        (openmeva.BY_SYSTEM, (0, 3)),
        (openmeva.BY_SYSTEM, (3, 6)),
        (openmeva.DATASET_DRIFT, (0, 3)),
        (openmeva.DISCRIMINATION, (0, 2)),
        (openmeva.DISCRIMINATION, (2, 6)),
        (openmeva.DISCRIMINATION, (6, 8)),
        (openmeva.DISCRIMINATION, (8, 12)),
        (openmeva.INVARIANCE, (1, 5)),
        (openmeva.INVARIANCE, (6, 10)),
        (openmeva.STATISTICS, (0, 6)),
        (openmeva.CORRELATIONS, (0, 11)),
        (openmeva.CORRELATIONS, (11, 15)),
        (openmeva.CORRELATIONS, (15, 18)),
    ],
)
def test_columns_of_openmeva_stand_together(table: PublishedTable, rows: tuple[int, int]) -> None:
    """Its text gives blocks of a column: each is there as one piece, with its stars."""
    text = text_of(table.paper)
    for column in range(len(table.columns)):
        block = "".join(cells[column] for cells in list(table.rows.values())[rows[0] : rows[1]])
        assert block in text, (table.name, table.columns[column], block)


def test_derived_names() -> None:
    assert union.TABLE_5["wp"]["union"] == ("0.3663*", "0.4493*", "0.3293*")
    assert set(union.METRICS) == set(union.CORRELATIONS.rows)
    assert openmeva.TABLE_11_ROC["ppl (P)"] == "0.2547*"
    assert set(openmeva.METRICS) == set(openmeva.CORRELATIONS.rows)
    assert union.CORRELATIONS.cell("Perplexity", "WP τ") == "-0.0345"


def test_grid() -> None:
    assert grid("a b | 1 .\n  c | -  2*") == {"a b": ("1", ""), "c": ("-", "2*")}
