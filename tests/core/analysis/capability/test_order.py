"""Metrics stand by what they see, in every table of a result."""

from core.analysis.capability.results import Capability, Robustness, Seen, best_first
from core.statistics.correlation import NOTHING, Coefficient


def test_the_best_first_and_undefined_last() -> None:
    def row(aspect: str, metric: str, r: float | None) -> Seen:
        return Seen(aspect, metric, f"{metric}|v:1", 9, 9, 0, NOTHING if r is None else Coefficient(r))

    rows = (
        *(row("causal", metric, r) for metric, r in (("low", 0.1), ("none", None), ("high", 0.3))),
        *(row("typos", metric, r) for metric, r in (("low", 0.9), ("none", 0.9), ("high", 0.0))),
    )
    robust = tuple(Robustness("typos", "all", metric, f"{metric}|v:1", 9, 0) for metric in ("low", "none", "high"))
    found = best_first(Capability(9, 0, 0, rows, rows, robust, robust))
    assert list(dict.fromkeys(one.metric for one in found.rows)) == ["high", "low", "none"]
    assert [one.aspect for one in found.rows if one.metric == "high"] == ["causal", "typos"]
    assert [one.metric for one in found.invariance_unfiltered] == ["high", "low", "none"]
    assert set(found.unfiltered) == set(rows)
