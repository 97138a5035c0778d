"""What a published table says in a sentence: from its own cells, of the stories that the study holds."""

from dataclasses import replace

import pytest

from core.published import hanna, naturalness, openmeva, perception, union
from core.published.catalogue import TABLES
from core.published.comparison import EMPTY, Cell, CellState, compare_table
from core.published.headline import RANKINGS, headline, places
from core.published.quantities import Released
from core.published.tables import PublishedTable


def changed(table: PublishedTable, row: str, cells: tuple[str, ...]) -> PublishedTable:
    """The table with one row's cells replaced."""
    return replace(table, rows={**table.rows, row: cells})


def test_the_best_metric_on_each_corpus_and_how_far_the_others_lie() -> None:
    assert headline(union.CORRELATIONS, (), None, lambda name: f"*{name}*").startswith(
        "UNION (2020) Table 5: of 10 metrics *UNION* follows people best by Pearson's r: 0.37 on ROC (the others 0.03 "
        "to 0.31) and 0.37 on WP (the others −0.07 to 0.33)."
    )


def test_of_released_stories_only_what_is_of_them_is_told() -> None:
    sentence = headline(union.CORRELATIONS, (), Released.UNION_ROC)
    assert "0.37 on ROC (the others 0.03 to 0.31)." in sentence
    assert "WP" not in sentence
    # a table that has none of the study's stories is told whole
    assert "on WP" in headline(union.CORRELATIONS, (), Released.HANNA)


def test_it_is_read_from_the_cells() -> None:
    other = changed(union.CORRELATIONS, "BLEU", ("0.9000*", "0.1", "0.1", "-0.5000", "0.1", "0.1"))
    assert (
        "none follows people best throughout by Pearson's r, but BLEU with 0.90 on ROC (the others 0.04 to 0.37) and "
        "UNION with 0.37 on WP (the others −0.50 to 0.33)." in headline(other, (), None)
    )


def test_many_comparisons_are_counted() -> None:
    assert headline(perception.CORRELATIONS, (), None).startswith(
        "Perception Score (2020) Table 1: of 13 metrics Perception Score (large) follows people best by Pearson's r in "
        "all 4 comparisons, 0.25 to 0.69. The first is at most 0.02 ahead of the next."
    )
    assert "UNION follows people best by Pearson's r in 3 of 5 comparisons, -Substitution and" in headline(
        union.ABLATION, (), None
    )
    assert "none follows people best throughout by Pearson's r: BARTScore-SP" in headline(hanna.STORY, (), None)


def test_of_changes_of_wording_the_least_moved_comes_first() -> None:
    assert "RU-BERT is moved least by a change of wording by the size of Pearson's r" in headline(
        openmeva.INVARIANCE, (), None
    )


def test_metrics_that_are_printed_alike_come_first_together() -> None:
    alike = changed(openmeva.DIFFERENCE, "PPL (F)", ("0.92", "0.58"))
    place = places(alike, RANKINGS[alike.name], Released.MANS_ROC)[0]
    assert set(place.first) == {"UNION", "PPL (F)"}
    assert place.others[0] == 0.92


def test_counts_and_words_rank_nothing() -> None:
    assert headline(union.STATISTICS, (), None) == "UNION (2020) Table 4 ranks no metrics. No cell of it is compared."
    assert headline(naturalness.TABLES[0], (), None) == "Text naturalness (2020) Table 1 has no number to compare."


def test_how_many_cells_agree() -> None:
    cells = [Cell("a", "b", "0.1", state) for state in (CellState.AGREES, CellState.DIFFERS, CellState.ELSEWHERE)]
    assert headline(union.STATISTICS, cells, None).endswith("**1 of 2** cells that this study gives agree.")
    assert headline(openmeva.CORRELATIONS, cells, None).endswith("agree.")
    for number, cells_given in ((1, "1 cell"), (6, "6 cells")):
        unlike = [Cell("a", "b", "0.1", CellState.DIFFERS)] * number
        assert headline(union.STATISTICS, unlike, None).endswith(
            f"This study gives {cells_given} another number than was printed, as other stories than the paper's do."
        )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_begins_with_its_name(table: PublishedTable) -> None:
    sentence = headline(table, compare_table(table, EMPTY, None), None)
    assert sentence.startswith(table.name)
    assert sentence.endswith(".")
