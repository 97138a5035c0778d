"""The table of a study that lies on disk is that of any other study, and so is what is correlated of it."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import update

from core import arrays
from core.analysis.correlation.metric_order import best_first
from core.analysis.judgments.reliability import reliability
from core.annotation.studies import Study
from core.engines.here import HereEngine
from core.people import TERMINAL
from core.scores import ScoreTable
from core.statistics import many_stories, resamples
from core.statistics.correlation import correlate_table
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from core.streams.run import score_files
from db.engine import writing
from db.schema import rating
from db.scores import large, tables
from db.transfer import imports
from tests.core.statistics.large.figures import assert_alike
from tests.core.streams.stories import settings, write_jsonl

KEYS = ("zebra", "Ähre", "_", "a", "B", "日", "é", "prompt 10", "prompt 9", "b")
"""Of prompts: their order is neither that of their import nor that of any language."""


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever there is is large, and read a few stories at a time."""
    for module, name, value in (
        (arrays, "BLOCK", 7),
        (many_stories, "BLOCK", 7),
        (arrays, "SORTED", 20),
        (tables, "POSITIONS_A_PART", 9),
        (large, "KEYS_AT_ONCE", 3),
        (resamples, "LARGEST_EXACT", 0),
        (resamples, "FEWEST_LINEAR", 2),
    ):
        monkeypatch.setattr(module, name, value)


def brought(raters: int, *, means: bool = False) -> Study:
    """A study of 60 stories, a reference each, with scores of three metrics; the last ones have most ratings."""
    rng = np.random.default_rng(4)
    stories_ = [
        StoryRecord(
            f"s{n}",
            KEYS[n % 10],
            f"About {KEYS[n % 10]}.",
            f"Story {n} went on and on." * (1 + n % 4),
            system=f"m{-n % 3}",
        )
        for n in range(60)
    ]
    people = [StoryRecord(f"h{n}", KEYS[n], f"About {KEYS[n]}.", f"Once {KEYS[n]}.", Source.HUMAN) for n in range(9)]
    people.append(StoryRecord("own", KEYS[9], f"About {KEYS[9]}.", stories_[19].text, Source.HUMAN))
    given = [
        RatingRecord(f"s{n}", str(who), float(rng.integers(1, 6)))
        for n in range(55)
        for who in range(1 if n < 40 else raters)
    ]
    scores = tuple(
        ScoreRecord(name, f"file:{where}", {f"s{n}": float(rng.integers(0, 9)) for n in range(60) if (n + skip) % 8})
        for name, where, skip in (("mine", "one", 0), ("theirs", "one", 1), ("bleu", "another", 3))
    )
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", (*stories_, *people), tuple(given), scores=scores)])
    if means:
        with writing() as connection:
            connection.execute(update(rating).where(rating.c.id > 30).values(raters=3))
    return study


def assert_equal(mine: ScoreTable, usual: ScoreTable) -> None:
    assert (mine.keys, mine.texts) == (usual.keys, usual.texts)
    assert (mine.prompts, mine.systems, mine.compared) == (usual.prompts, usual.systems, usual.compared)
    for name in ("human", "ratings", "averaged"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(usual, name))
    for own, other in zip(mine.columns, usual.columns, strict=True):
        assert (own.metric, own.signature, own.reasons) == (other.metric, other.signature, other.reasons)
        np.testing.assert_array_equal(own.values, other.values)


@pytest.mark.both_databases
@pytest.mark.parametrize(("raters", "means"), [(1, False), (3, False), (1, True), (3, True)])
def test_the_same_table_and_the_same_figures(
    database: str, monkeypatch: pytest.MonkeyPatch, raters: int, means: bool
) -> None:
    study = brought(raters, means=means)
    usual = tables.table(study.id)
    agreed, correlated = reliability(usual), correlate_table(best_first(usual), resamples=20)
    assert not large.is_large(study.id)
    monkeypatch.setattr(arrays, "LARGEST_AT_ONCE", 20)
    assert large.is_large(study.id)
    table = large.large_table(study.id)
    assert_equal(table, usual)
    assert_equal(large.large_table(study.id, ["theirs"]), tables.table(study.id, ["theirs"]))
    mine = reliability(table)
    assert (mine.stories, mine.averaged) == (agreed.stories, agreed.averaged)
    assert_alike(asdict(mine.alpha), asdict(agreed.alpha))
    for own, other in zip(correlate_table(best_first(table), resamples=20), correlated, strict=True):
        assert_alike(asdict(own), asdict(other))


def test_folders_of_scores(database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also of a metric that compares with references, one of which is a story itself."""
    study = brought(1)
    table = tables.table(study.id)
    rows = [
        {"id": key, "prompt": prompt, "text": text, "reference": "Story 3 went on."}
        for key, prompt, text in zip(table.keys, table.prompts, table.texts, strict=True)
    ]
    source = write_jsonl(tmp_path / "s.jsonl", rows[5:])
    score_files([str(source)], tmp_path / "out", settings("words", "bleu"), HereEngine(), mapping={})
    usual = tables.table(study.id, folders=[tmp_path / "out"])
    monkeypatch.setattr(arrays, "LARGEST_AT_ONCE", 20)
    assert_equal(large.large_table(study.id, folders=[tmp_path / "out"]), usual)
