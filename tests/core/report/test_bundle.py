"""What goes into a bundle: the analyses that pages and commands show, of the metrics that may be reported."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import InputError
from core.statistics.correlation import correlate_table
from tests.core.report.bundle import FEW_DRAWS, bundle_of
from tests.core.report.metric import random_table


def test_the_best_metric_comes_first_with_the_numbers_of_correlate() -> None:
    table = random_table()
    turned = replace(table, columns=table.columns[::-1])
    bundle = bundle_of(turned)
    assert [row.metric for row in bundle.correlations] == ["bleu", "weak"]
    alone = correlate_table(table, seed=0, resamples=FEW_DRAWS.resamples)
    assert [row.correlation for row in bundle.correlations] == [row.correlation for row in alone]
    assert [linked.file for linked in bundle.reports] == ["reports/01-bleu.html", "reports/02-weak.html"]
    assert [linked.report.name for linked in bundle.reports] == ["bleu", "weak"]


def test_names_that_are_alike_to_a_file_system_have_files_of_their_own() -> None:
    table = random_table()
    names = ("μετρική", "../../etc")
    table = replace(table, columns=tuple(replace(c, metric=n) for c, n in zip(table.columns, names, strict=True)))
    assert [linked.file for linked in bundle_of(table).reports] == ["reports/01-.html", "reports/02-etc.html"]


def test_a_study_with_neither_ratings_nor_scores_is_refused() -> None:
    table = random_table()
    unrated = replace(table, human=np.full(120, np.nan), ratings=np.empty((0, 0)), votes={})
    with pytest.raises(InputError, match="'a study' has neither ratings nor scores yet"):
        bundle_of(replace(unrated, columns=()))
    assert bundle_of(unrated).missing == (
        "No story has a valid rating yet, so there is nothing to hold the metrics against.",
    )
    assert bundle_of(unrated).reports == ()
    assert bundle_of(replace(table, columns=())).missing == (
        "No metric has scored these stories yet, so this holds what people said alone.",
    )
