"""Blends: numbers of other metrics' scores over a whole study."""

import statistics

import numpy as np
import pytest

from core.errors import InputError
from core.metrics import METRICS, build
from core.metrics.base import Settings
from core.metrics.blend import MOST, Blend, blended, ways
from core.metrics.run import checked, models_by_role, steps, with_parts
from core.metrics.trained.ruber import RuberBert
from core.scores import ScoreColumn
from core.stories import Story

NAN = float("nan")
FIRST, SECOND = [2.0, 5.0, NAN, 3.0, 4.0], [0.5, 0.1, 0.3, 0.9, NAN]


def column(metric: str, values: list[float], signature: str = "", reason: str = "no reference") -> ScoreColumn:
    reasons = {i: reason for i, value in enumerate(values) if value != value} if reason else {}
    return ScoreColumn(metric, signature or f"{metric}|v:1", np.array(values), reasons)


def blend(how: str = "mean") -> Blend:
    return RuberBert(Settings(options={"how": how}))


def slow(values: list[float]) -> list[float]:
    given = [value for value in values if value == value]
    return [(value - min(given)) / (max(given) - min(given)) for value in values]


@pytest.mark.parametrize(
    ("how", "one"),
    [("mean", statistics.fmean), ("min", min), ("max", max), ("geometric", statistics.geometric_mean)],
)
def test_equal_to_doing_it_one_by_one(how: str, one: object) -> None:
    score_column = blend(how).column([column("ruber-r-bert", FIRST), column("ruber-u-bert", SECOND)])
    pairs = list(zip(slow(FIRST), slow(SECOND), strict=True))
    for i in (0, 1, 3):
        wanted = 0.0 if how == "geometric" and 0 in pairs[i] else one(pairs[i])  # type: ignore[operator]
        assert score_column.values[i] == pytest.approx(wanted)
    assert np.isnan(score_column.values[[2, 4]]).all()
    assert score_column.reasons == {2: "ruber-r-bert: no reference", 4: "ruber-u-bert: no reference"}
    assert score_column.signature == f"ruber-bert|how:{how}|parts:(ruber-r-bert|v:1),(ruber-u-bert|v:1)|v:1"


def test_a_part_that_tells_nothing() -> None:
    flat = blend().column([column("ruber-r-bert", [1.0, 1.0]), column("ruber-u-bert", [0.1, 0.2])])
    assert np.isnan(flat.values).all()
    assert set(flat.reasons.values()) == {"ruber-r-bert is the same for all stories"}
    none = blend().column([column("ruber-r-bert", [0.1, 0.2]), column("ruber-u-bert", [NAN, NAN], reason="no prompt")])
    assert none.reasons == dict.fromkeys(range(2), "ruber-u-bert: no prompt")
    later = blend().column([column("ruber-r-bert", [0.1, 0.2]), column("ruber-u-bert", [NAN, NAN], reason="")])
    assert later.reasons == dict.fromkeys(range(2), "ruber-u-bert: there is no score yet")


def test_every_way_of_the_parts_but_the_latest_first_and_no_imported_ones() -> None:
    columns = [column("ruber-u-bert", SECOND, f"ruber-u-bert|{i}|v:1") for i in range(6)]
    columns += [column("ruber-r-bert", FIRST), column("ruber-r-bert", FIRST, "file:ab12"), column("bleu", FIRST)]
    result = blended([blend()], columns)
    assert [score_column.signature.partition("),(")[2] for score_column in result] == [
        f"ruber-u-bert|{i}|v:1)|v:1" for i in range(MOST)
    ]
    assert blended([blend()], columns[:6]) == []


def test_the_usual_way_and_those_asked_for() -> None:
    asked = {blend("min").signature, "bleu|v:1"}
    assert [(way.name, way.chosen["how"]) for way in ways(METRICS.values(), asked)] == [
        ("ruber-bert", "mean"), ("ruber-bert", "min"), ("ruber", "mean"),
    ]  # fmt: skip


def test_a_run_scores_the_parts() -> None:
    assert with_parts(["ruber-bert", "bleu", "ruber-r-bert"]) == ["ruber-bert", "ruber-r-bert", "ruber-u-bert", "bleu"]
    run = checked({"metrics": ["ruber-bert"], "options": {"ruber-bert": {"how": "max"}}})
    assert run["metrics"] == ["ruber-bert", "ruber-r-bert", "ruber-u-bert"]
    assert checked(run) == run
    assert {name for step in steps(run) for name in step.metrics} == {"ruber-r-bert", "ruber-u-bert"}
    with pytest.raises(InputError, match="need models of several kinds"):
        models_by_role(["all-minilm-l6-v2"], run["metrics"])
    with pytest.raises(InputError, match="cannot be 'median'"):
        checked({"metrics": ["ruber"], "options": {"ruber": {"how": "median"}}})
    with pytest.raises(InputError, match="depends on a study's other stories: score ruber-r and ruber-u in a study"):
        build("ruber").score([Story("A.")])
