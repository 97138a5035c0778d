"""Which jobs wait for which."""

import pytest

from core.metrics import METRICS, build
from core.metrics.base import Need
from core.metrics.run import with_parts
from db.jobs.lanes import OWN_LIGHT, STORED, Lane, apart, lane_of, unmarked


def test_what_needs_no_model_is_light_and_nothing_else() -> None:
    for name, metric in METRICS.items():
        lane = lane_of("score", {"metrics": [name]})
        parts = [METRICS[part] for part in with_parts([name])]
        assert (lane is Lane.LIGHT) == all(part.role is None and Need.MODEL not in part.needs for part in parts)
        if lane is Lane.LIGHT:
            assert build(name).role is None
        assert lane_of("score", {"metrics": ["bleu", name]}) is lane
        assert lane_of("capability", {"metrics": [name], "test_set": 1}) is lane
        assert metric.name == name


@pytest.mark.parametrize(
    ("kind", "settings", "lane"),
    [
        ("tokens", {"text": "It rained."}, Lane.QUICK),
        ("sentences", {"story": 1}, Lane.QUICK),
        ("explain", {"story": 1, "checkpoint": "union"}, Lane.QUICK),
        ("train", {"name": "mine"}, Lane.HEAVY),
        ("perception", {}, Lane.HEAVY),
        ("score", {"metrics": []}, Lane.HEAVY),
        ("score", {"metrics": ["/home/ada/own.py:Own"]}, Lane.HEAVY),
        ("score", {"metrics": ["/home/ada/own.py:Own", "words"], OWN_LIGHT: ["/home/ada/own.py:Own"]}, Lane.LIGHT),
        ("score", {"metrics": ["own.py:Own", "other.py:Own"], OWN_LIGHT: ["own.py:Own"]}, Lane.HEAVY),
        ("score", {"metrics": ["perplexity"], OWN_LIGHT: ["perplexity"]}, Lane.HEAVY),
        ("score", {"metrics": ["perplexity", "words"], STORED: ["perplexity"]}, Lane.LIGHT),
        ("score", {"metrics": ["perplexity", "bertscore-r"], STORED: ["perplexity"]}, Lane.HEAVY),
        ("score", {"metrics": ["words", "judge-coherence"]}, Lane.HEAVY),
        ("score", {"metrics": ["no such metric"]}, Lane.HEAVY),
    ],
)
def test_lanes(kind: str, settings: dict[str, object], lane: Lane) -> None:
    assert lane_of(kind, settings) is lane


def test_a_run_of_both_kinds_is_two() -> None:
    run = {"metrics": ["bleu", "perplexity", "words"], "device": "cpu", "options": {"bleu": {"order": "2"}}}
    assert apart(run) == [{**run, "metrics": ["bleu", "words"]}, {**run, "metrics": ["perplexity"]}]
    kept = {**run, STORED: ["perplexity"]}
    assert apart(kept) == [kept]
    assert unmarked({**kept, OWN_LIGHT: ["own.py:Own"]}) == run
    for metrics in (["bleu", "words"], ["perplexity", "/home/ada/own.py:Own"]):
        assert apart({"metrics": metrics}) == [{"metrics": metrics}]
