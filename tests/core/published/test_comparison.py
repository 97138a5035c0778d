"""Published tables beside a study: cells that agree, differ, are missing or are about other stories."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.analysis.correlation.subsets import MANS, error_sets
from core.analysis.difference.differences import Convention, differences
from core.published import openmeva, openmeva_words, perception, union
from core.published.catalogue import TABLES
from core.published.comparison import (
    EMPTY,
    OWN_MODEL,
    UNEXPLAINED,
    Cell,
    CellState,
    best_table,
    compare_table,
    count_states,
    grouped,
    guess,
    named,
    needed,
    number,
    rounded,
)
from core.published.inventory import inventory_of
from core.published.measure import NO_SCORES, NO_TRAINED, measure
from core.published.quantities import Quantity, QuantityKind, Released, StoryRule, quantity
from core.published.reasons import REASONS, Why, reason
from core.published.tables import PublishedTable
from core.scores import ScoreColumn, ScoreTable


def made(stories: int, ratings: int, highest: int, names: tuple[str, ...] = ("union",), words: int = 5) -> ScoreTable:
    """Stories of five systems a prompt, with random ratings and scores."""
    rng = np.random.default_rng(0)
    table = rng.integers(0 if highest == 1 else 1, highest + 1, (stories, ratings)).astype(float)
    types = union.ERROR_TYPES if highest == 1 else openmeva.ERROR_TYPES
    systems = tuple(openmeva.SYSTEMS.values())
    return ScoreTable(
        tuple(f"s{i}" for i in range(stories)),
        tuple(f"p{i // 5}" for i in range(stories)),
        tuple(systems[i % 5] for i in range(stories)),
        tuple("word " * words for _ in range(stories)),
        table.mean(1) if table.size else np.full(stories, np.nan),
        tuple(ScoreColumn(name, f"{name}|1", rng.normal(size=stories), {}) for name in names),
        table,
        {name: rng.integers(0, ratings + 1, stories) for name in types.values()},
    )


def by_label(cells: tuple[Cell, ...]) -> dict[tuple[str, str], Cell]:
    return {(cell.row, cell.column): cell for cell in cells}


@pytest.mark.parametrize(
    ("printed", "value", "starred", "text"),
    [
        ("0.3687*", 0.36874, True, "0.3687*"),
        ("0.3687*", 0.36874, False, "0.3687"),
        ("-0.0345", -0.03449, None, "-0.0345"),
        ("0.1", -0.01, None, "-0.0"),
        ("1,000", 1000.0, None, "1,000"),
        ("36.48%", 36.4829, None, "36.48%"),
        ("46", 46.0, None, "46"),
    ],
)
def test_rounding_like_the_paper(printed: str, value: float, starred: bool | None, text: str) -> None:
    assert rounded(printed, value, starred) == text


def test_numbers_as_printed() -> None:
    assert [number(place) for place in ("1,000", "-0.0345", "0.3687*", "36.48%", "35,90")] == [
        *(1000.0, -0.0345, 0.3687, 36.48, 3590.0)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("of", [None, *Released])
def test_every_table_compares_with_any_study(of: Released | None) -> None:
    """Empty ones too; every cell that does not agree says why."""
    whole = made(50, 5, 5)
    bare = replace(whole, ratings=np.empty((0, 0)), human=np.full(50, np.nan), columns=(), votes={})
    for table in (whole, bare, whole.take(np.arange(0)), whole.take(np.arange(2))):
        for published in TABLES:
            cells = compare_table(published, table, of)
            assert len(cells) == len(published.rows) * len(published.columns)
            for cell in cells:
                assert bool(cell.reason) == (cell.state not in (CellState.AGREES, CellState.EMPTY)), cell
                assert (cell.kind is None) == (
                    cell.state in (CellState.AGREES, CellState.EMPTY, CellState.ELSEWHERE) or cell.reason == UNEXPLAINED
                ), cell
                assert (cell.ours is None) == (cell.state not in (CellState.AGREES, CellState.DIFFERS)), cell


def test_a_metric_under_its_name_and_one_that_is_not_there() -> None:
    cells = by_label(compare_table(union.CORRELATIONS, made(400, 7, 1), Released.UNION_ROC))
    cell, lacking, other = cells["UNION", "ROC r"], cells["BLEU", "ROC r"], cells["UNION", "WP r"]
    assert (cell.state, cell.signature, cell.n) == (CellState.DIFFERS, "union|1", 400)
    assert cell.reason == UNEXPLAINED
    assert lacking.state is CellState.MISSING
    assert (lacking.reason, lacking.kind) == (NO_SCORES, Why.NOT_YET)
    assert named(lacking) == "BLEU, ROC r (bleu)"
    assert named(cell) == "UNION, ROC r"
    assert other.state is CellState.ELSEWHERE
    assert other.reason == "Of other stories: UNION, WP."


def test_agreement_is_at_the_printed_digits_with_the_star() -> None:
    table = made(400, 7, 1, ("union",))
    ours = float(np.corrcoef(table.columns[0].values, table.human)[0, 1])
    for text, state in ((f"{ours:.4f}", CellState.AGREES), (f"{ours:.4f}*", CellState.DIFFERS)):
        like = replace(union.CORRELATIONS, rows={"UNION": (text, "", "", "0.5*", "", "")})
        cell = by_label(compare_table(like, table, Released.UNION_ROC))["UNION", "ROC r"]
        assert (cell.state, cell.shown) == (state, f"{ours:.4f}")
        assert ("its star does not: here p is not below 0.01" in cell.reason) is (state is CellState.DIFFERS)


def test_mans_subsets_are_those_of_section_4_2() -> None:
    """Labels of 1 and 0: above 4, and at most 4 with exactly this type named by three."""
    table = made(300, 5, 5, ("bleu",))
    name = "repetitive plots"
    good = table.human > 4
    named = {text: votes >= 3 for text, votes in table.votes.items()}
    bad = ~good & named[name] & ~np.any([named[text] for text in named if text != name], axis=0)
    wanted = Quantity(Released.MANS_ROC, QuantityKind.PEARSON, ("bleu",), rule=StoryRule.MANS, error_type=name)
    rows = np.flatnonzero(good | bad)
    expected = np.corrcoef(table.columns[0].values[rows], good[rows].astype(float))[0, 1]
    measurement = measure(wanted, table)
    assert measurement.value == pytest.approx(expected)
    assert measurement.n == len(rows)
    assert measure(replace(wanted, kind=QuantityKind.STORIES), table).value == bad.sum()
    assert measure(replace(wanted, kind=QuantityKind.STORIES, error_type=""), table).value == good.sum()


def test_subsets_follow_the_number_of_ratings() -> None:
    """Three of seven ratings name a type, and two of three: as on the Correlation page."""
    table = made(300, 3, 5, ("bleu",))
    name = "repetitive plots"
    wanted = Quantity(Released.MANS_ROC, QuantityKind.STORIES, rule=StoryRule.MANS, error_type=name)
    (of, *_) = [error_set for error_set in error_sets(table, MANS, (1, 5)) if error_set.error_type == name]
    assert measure(wanted, table).value == len(of.unreasonable) > 0
    assert any(table.votes[name][of.unreasonable] == 2)


def test_stars_that_do_not_follow_are_named() -> None:
    """Every star of OpenMEVA's Table 11 that cannot be had from 1,000 stories stands in the note below it."""
    wrong = []
    for row, cells in openmeva.CORRELATIONS.rows.items():
        for cell in cells:
            r = abs(number(cell)) + (0.00005 if cell.endswith("*") else -0.00005)
            p = 2 * stats.t.sf(r * np.sqrt(998 / (1 - r * r)), 998)
            if bool(p < 0.01) != cell.endswith("*"):
                wrong.append(row)
    assert wrong == ["RR-BERT"]
    assert "star of RR-BERT" in openmeva.CORRELATIONS.note


def test_one_system() -> None:
    table = made(100, 5, 5, ("union",))
    rows = np.array([system == "gpt" for system in table.systems])
    wanted = quantity(openmeva.BY_SYSTEM, "ROC UNION", "GPT-2")
    assert wanted is not None
    expected = np.corrcoef(table.columns[0].values[rows], table.human[rows])[0, 1]
    assert measure(wanted, table).value == pytest.approx(expected)
    renamed = replace(table, systems=("x",) * 100)
    assert measure(wanted, renamed).missing == "The study has no system called gpt."


def test_without_error_types() -> None:
    table = made(100, 7, 1)
    bare = replace(table, votes={name: np.zeros(100, dtype=np.intp) for name in table.votes})
    for published in (union.SHARES, union.TYPES):
        cells = compare_table(published, bare, Released.UNION_ROC)
        assert {cell.state for cell in cells} == {CellState.MISSING}
    cell = by_label(compare_table(union.SHARES, bare, Released.UNION_ROC))["Prop (%)", "Repe"]
    assert cell.reason == "The study's ratings name no error types."


def test_guessing_the_stories() -> None:
    assert guess(made(400, 7, 1)) is Released.UNION_ROC
    assert guess(made(200, 7, 1)) is Released.UNION_WP
    assert guess(made(1000, 5, 5)) is Released.MANS_ROC
    assert guess(made(1000, 5, 5, words=200)) is Released.MANS_WP
    assert guess(made(399, 7, 1)) is None
    assert guess(made(400, 7, 5)) is None  # ratings from 1 to 5 are no votes
    assert guess(replace(made(400, 7, 1), ratings=np.full((400, 7), np.nan))) is None
    assert guess(made(400, 7, 1).take(np.arange(0))) is None


def test_quantities_are_of_cells_with_a_number() -> None:
    assert quantity(openmeva.BY_ERROR_TYPE, "BLEU", "ROC reasonable") is None
    assert quantity(union.ABLATION, "-Reordering", "All") is None
    assert quantity(perception.CORRELATIONS, "BLEU-1", "R") is None
    assert quantity(union.STATISTICS, "UNION", "ROC train") is None
    for column, trained in (("ROC to WP", "roc"), ("WP to WP", "wp")):
        result = quantity(openmeva.DATASET_DRIFT, "UNION", column)
        assert result is not None
        assert (result.of, result.trained) == (Released.MANS_WP, trained)


def column_of(table: ScoreTable, metric: str, signature: str, seed: int = 5) -> ScoreTable:
    """With one more metric."""
    values = np.random.default_rng(seed).normal(size=len(table.keys))
    return replace(table, columns=(*table.columns, ScoreColumn(metric, signature, values, {})))


def test_cells_of_dataset_drift_take_a_checkpoint_of_that_corpus_alone() -> None:
    """A card that names both corpora fills neither; released scores are of the corpus that they are of."""
    table = made(400, 7, 1, ())
    for name in ("wp", "roc", "both"):
        table = column_of(table, "union", f"union|checkpoint:{name}|v:1", len(name))
    cards = {"union|checkpoint:wp|v:1": "wp", "union|checkpoint:roc|v:1": "roc", "union|checkpoint:both|v:1": "roc, wp"}
    cell = by_label(compare_table(union.DATASET_DRIFT, table, Released.UNION_ROC, cards))["UNION", "WP to ROC r"]
    assert (cell.signature, cell.state, cell.kind) == ("union|checkpoint:wp|v:1", CellState.DIFFERS, Why.OTHER_MODEL)
    assert cell.reason == OWN_MODEL
    for name, fills in (("union-wp", True), ("wpx", False), ("wp, tales", False), ("", False)):
        named = {"union|checkpoint:wp|v:1": name}
        other = by_label(compare_table(union.DATASET_DRIFT, table, Released.UNION_ROC, named))["UNION", "WP to ROC r"]
        assert (other.state is CellState.DIFFERS) is fills, name
    assert cell.ours == pytest.approx(np.corrcoef(table.columns[0].values, table.human)[0, 1])
    without = by_label(compare_table(union.DATASET_DRIFT, table, Released.UNION_ROC))["UNION", "WP to ROC r"]
    assert (without.state, without.kind) == (CellState.MISSING, Why.NOT_RELEASED)
    wanted = quantity(union.DATASET_DRIFT, "UNION", "WP to ROC r")
    assert wanted is not None
    assert measure(wanted, table).missing == NO_TRAINED


def test_a_matched_cell_of_dataset_drift_takes_imported_scores() -> None:
    table = column_of(column_of(made(1000, 5, 5, ()), "union", "union|checkpoint:both|v:1"), "union", "file:abc", 7)
    cells = by_label(
        compare_table(openmeva.DATASET_DRIFT, table, Released.MANS_ROC, {"union|checkpoint:both|v:1": "roc, wp"})
    )
    assert cells["UNION", "ROC to ROC"].signature == "file:abc"
    assert cells["UNION", "WP to ROC"].state is CellState.MISSING


def test_released_scores_come_before_our_own() -> None:
    table = column_of(column_of(made(400, 7, 1, ()), "union", "union|model:x|v:1"), "union", "file:abc", 7)
    assert (
        by_label(compare_table(union.CORRELATIONS, table, Released.UNION_ROC))["UNION", "ROC r"].signature == "file:abc"
    )
    own = replace(table, columns=table.columns[:1])
    cell = by_label(compare_table(union.CORRELATIONS, own, Released.UNION_ROC))["UNION", "ROC r"]
    assert (cell.kind, cell.reason) == (Why.OTHER_MODEL, OWN_MODEL)


def test_figure_2_has_a_range_and_agrees_within_it() -> None:
    table = made(1000, 5, 5, ("bertscore-f1",))
    cell = by_label(compare_table(openmeva.DIFFERENCE, table, Released.MANS_ROC))["BERTScore-F1", "ROC"]
    (difference,) = differences([table.columns[0].values], table.human, convention=Convention.PAPER)
    assert (cell.ours, cell.low, cell.high, cell.n) == (
        difference.r2_median,
        difference.r2_low,
        difference.r2_high,
        1000,
    )
    assert cell.low is not None
    assert cell.high is not None
    assert cell.shown == f"{cell.ours:.2f} ({cell.low:.2f} to {cell.high:.2f})"
    for printed, agrees in ((f"{cell.high:.2f}", True), (f"{cell.high + 0.02:.2f}", False), ("0.99", False)):
        like = replace(openmeva.DIFFERENCE, rows={"BERTScore-F1": (printed, "")})
        state = by_label(compare_table(like, table, Released.MANS_ROC))["BERTScore-F1", "ROC"].state
        assert (state is CellState.AGREES) is agrees


def test_what_fabula_itself_has_needs_no_study() -> None:
    cells = by_label(compare_table(openmeva_words.WORDS, EMPTY, None))
    causes = cells["Causality-related", "conjunction, preposition, adverb"]
    assert (causes.state, causes.ours, causes.shown, causes.reason) == (CellState.AGREES, 5, "all 5", "")
    like = replace(openmeva_words.DEDUCTIONS, rows={"chaotic scenes": ("-1, -2",)})
    assert inventory_of(like, "chaotic scenes", "Points") is None  # another table
    cell = compare_table(openmeva_words.PRONOUNS, EMPTY, None)[0]
    assert (cell.printed, cell.state, cell.quantity and cell.quantity.of) == ("i", CellState.AGREES, None)


@pytest.mark.parametrize(
    "table",
    [published_table for published_table in TABLES if published_table.paper == openmeva.SOURCE],
    ids=lambda item: item.name,
)
def test_words_that_fabula_lacks_are_told(table: PublishedTable) -> None:
    """A cell that differs in a word has a reason that names it, or says how Fabula does it."""
    for cell in compare_table(table, EMPTY, None):
        if cell.quantity and cell.quantity.kind is QuantityKind.HELD and cell.state is CellState.DIFFERS:
            inventory = inventory_of(table, cell.row, cell.column)
            assert inventory is not None
            assert cell.reason
            assert all(word in cell.reason for word in inventory.lacking)


def test_every_reason_is_about_a_cell() -> None:
    for item in REASONS:
        assert any(
            item is reason(table, row, column) for table in TABLES for row in table.rows for column in table.columns
        ), item
    assert reason(union.CORRELATIONS, "UNION", "ROC r") is None


def test_grouping_and_counting() -> None:
    cells = compare_table(union.CORRELATIONS, made(400, 7, 1), Released.UNION_ROC)
    groups = grouped(cells)
    assert {why: len(those) for why, those in groups.items()} == {NO_SCORES: 27, UNEXPLAINED: 3}
    assert count_states(cells) == {
        CellState.AGREES: 0, CellState.DIFFERS: 3, CellState.MISSING: 27, CellState.ELSEWHERE: 30, CellState.EMPTY: 0,
    }  # fmt: skip
    assert sum(count_states(compare_table(openmeva.CORRELATIONS, EMPTY, None)).values()) == 36


def test_what_to_import() -> None:
    assert "ant_data.txt" in needed(union.SHARES)
    assert "MANS file" in needed(openmeva.CORRELATIONS)
    assert needed(perception.ENDINGS) == ""
    assert best_table(Released.MANS_WP) is openmeva.CORRELATIONS
    assert best_table(None) is union.CORRELATIONS
