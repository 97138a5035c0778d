"""What `capability --json` prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from commands.json.results import by_metric, called, coefficient_row
from core.analysis.capability.results import Capability, Robustness, Seen
from core.formats.plain_json import plain
from core.statistics.intervals import Estimate


def capability_report(
    capability: Capability, not_applicable: Sequence[tuple[str, str]], notices: Sequence[str]
) -> dict[str, Any]:
    """DESIGN's object. `not_applicable`: metrics that were not tested, and why."""
    every: list[Seen | Robustness] = [
        *capability.rows,
        *capability.unfiltered,
        *capability.invariance,
        *capability.invariance_unfiltered,
    ]
    names = called((row.metric, row.signature) for row in every)
    return {
        "n": capability.n,
        "seed": capability.seed,
        "resamples": capability.resamples,
        "signatures": by_metric(list(dict.fromkeys((row.metric, row.signature) for row in capability.rows))),
        "rows": [_seen(row, names) for row in capability.rows],
        "unfiltered": [_seen(row, names) for row in capability.unfiltered],
        "invariance": [_robust(row, names) for row in capability.invariance],
        "invariance_unfiltered": [_robust(row, names) for row in capability.invariance_unfiltered],
        "not_applicable": [{"metric": metric, "reason": reason} for metric, reason in not_applicable],
        "notices": list(notices),
    }


def _seen(row: Seen, names: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    return {
        **plain(row),
        "metric": names[row.metric, row.signature],
        "pearson": coefficient_row(row.pearson),
        "auc": _estimate(row.auc),
        "ordered": _estimate(row.ordered),
    }


def _robust(row: Robustness, names: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    return {
        **plain(row),
        "metric": names[row.metric, row.signature],
        "pearson": coefficient_row(row.pearson),
        "absolute": row.absolute,
        "change": _estimate(row.change),
    }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
