"""Blends stand beside their parts in every table, made anew of what is stored."""

import numpy as np
import pytest

from core.annotation.studies import Study
from core.errors import InputError
from core.metrics import build
from core.metrics.base import Scores, Settings
from core.people import TERMINAL
from core.scores import ScoreColumn
from core.stories import ScoreRecord
from db.scores import scores, tables

PARTS = {"ruber-r-bert": [2.0, 5.0, 3.0, 4.0], "ruber-u-bert": [0.5, 0.1, 0.3, 0.9]}


def give(study: Study, metric: str, values: list[float], way: str = "a") -> None:
    """Scores of the study's first stories; the others have none yet."""
    signature = scores.begin_run(study.id, metric, f"{metric}|{way}|v:1")
    pending, _ = scores.pending(study.id, [signature], -1, len(values))
    stored = [item.content_hash for item in pending]
    scores.store(study.id, signature, stored, Scores(np.array(values[: len(stored)]), {}))


@pytest.fixture
def scored(study: Study) -> Study:
    for metric, values in PARTS.items():
        give(study, metric, values)
    return study


def blend(study: Study, **asked: object) -> ScoreColumn:
    (column,) = [
        score_column for score_column in tables.table(study.id, **asked).columns if score_column.metric == "ruber-bert"
    ]  # type: ignore[arg-type]
    return column


def test_it_is_the_mean_of_both_parts_brought_to_0_to_1(scored: Study) -> None:
    column = blend(scored)
    np.testing.assert_allclose(column.values[:4], [0.25, 0.5, (1 / 3 + 0.25) / 2, (2 / 3 + 1) / 2])
    assert np.isnan(column.values[4:]).all()
    assert column.reasons == dict.fromkeys(range(4, 10), "ruber-r-bert: there is no score yet")
    assert column.signature == "ruber-bert|how:mean|parts:(ruber-r-bert|a|v:1),(ruber-u-bert|a|v:1)|v:1"
    assert [score_column.metric for score_column in tables.table(scored.id).columns] == ["ruber-bert", *PARTS]


def test_who_asks_for_it_alone_gets_it_alone_with_the_same_numbers(scored: Study) -> None:
    assert [column.metric for column in tables.table(scored.id, ["ruber-bert"]).columns] == ["ruber-bert"]
    np.testing.assert_array_equal(blend(scored, metrics=["ruber-bert"]).values, blend(scored).values)
    with pytest.raises(InputError, match="no scores of 'ruber'; it has ruber-bert, ruber-r-bert, ruber-u-bert"):
        tables.table(scored.id, ["ruber"])


def test_a_filter_chooses_among_the_numbers_and_changes_none(scored: Study) -> None:
    whole = tables.table(scored.id)
    part = whole.take(np.array([0, 2]))
    np.testing.assert_array_equal(part.columns[0].values, whole.columns[0].values[[0, 2]])


def test_it_changes_with_its_parts_and_only_then(scored: Study) -> None:
    kept: tables.Kept = {}
    first = blend(scored, kept=kept)
    parts = [column for column in tables.table(scored.id, kept=kept).columns if column.metric in PARTS]
    again = [column for column in tables.table(scored.id, kept=kept).columns if column.metric in PARTS]
    assert all(a is b for a, b in zip(parts, again, strict=True))
    give(scored, "ruber-r-bert", [12.0])  # of the fifth story
    give(scored, "ruber-u-bert", [0.9])
    changed = blend(scored, kept=kept)
    assert changed.values[4] == 1
    np.testing.assert_allclose(changed.values[0], 0.25)  # 2 is still the least, .5 in the middle
    assert changed.values[1] != first.values[1]


def test_every_way_in_which_a_part_was_scored(scored: Study) -> None:
    give(scored, "ruber-u-bert", [0.1, 0.2, 0.3, 0.4], "b")
    columns = [column for column in tables.table(scored.id).columns if column.metric == "ruber-bert"]
    assert [column.signature.split(",(")[1] for column in columns] == [
        "ruber-u-bert|a|v:1)|v:1",
        "ruber-u-bert|b|v:1)|v:1",
    ]
    assert (columns[0].values != columns[1].values)[:4].any()


def test_another_way_of_making_it_where_a_run_has_asked(scored: Study) -> None:
    least = build("ruber-bert", Settings(options={"how": "min"}))
    scores.begin_run(scored.id, least.name, least.signature)
    columns = [column for column in tables.table(scored.id).columns if column.metric == "ruber-bert"]
    assert [column.signature.split("|")[1] for column in columns] == ["how:mean", "how:min"]
    np.testing.assert_allclose(columns[1].values[:4], [0, 0, 0.25, 2 / 3])


@pytest.mark.both_databases
def test_imported_parts_are_not_blended(study: Study) -> None:
    keys = scores.story_keys(study.id)
    for number, metric in enumerate(PARTS):
        record = ScoreRecord(metric, f"file:{metric}", {key: float(i + number) for i, key in enumerate(keys)})
        scores.import_scores(TERMINAL, study.id, record)
    assert [column.metric for column in tables.table(study.id).columns] == list(PARTS)
