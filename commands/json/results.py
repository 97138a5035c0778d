"""Results as plain JSON objects with stable names; undefined is null, numbers are unrounded."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.analysis.correlation.subsets import WITHIN_PROMPTS
from core.analysis.criteria.heat_map import OF_CRITERION
from core.analysis.judgments.judgments import Judgments
from core.analysis.judgments.reliability import Reliability
from core.analysis.judgments.texts import Texts
from core.analysis.systems.ranking import OF_SYSTEMS
from core.annotation.monitor.forecast import Forecast
from core.annotation.studies import Study
from core.annotation.target import Target
from core.formats.plain_json import plain
from core.metrics.naming import unique_names
from core.statistics.correlation import Coefficient, MetricCorrelation

LEVELS = {WITHIN_PROMPTS: "prompt", OF_SYSTEMS: "system"}
"""Subset -> what a row is by, where its coefficient is not over single stories."""


def correlate_report(
    study: Study,
    correlations: Sequence[MetricCorrelation],
    target: Target,
    seed: int,
    resamples: int,
    definition: str | None = None,
) -> dict[str, Any]:
    """What `correlate --json` prints. `definition`: of the sets of error types, where there are such rows."""
    rows = []
    names = called((metric_correlation.metric, metric_correlation.signature) for metric_correlation in correlations)
    for correlation in correlations:
        c = correlation.correlation
        rows.append(
            {
                "metric": names[correlation.metric, correlation.signature],
                "signature": correlation.signature,
                **_about_row(correlation.subset or "", target),
                "subset": correlation.subset,
                "n": c.n,
                "pearson": coefficient_row(c.pearson),
                "spearman": coefficient_row(c.spearman),
                "kendall": coefficient_row(c.kendall),
                "pairwise": plain(c.pairwise),
                "acc_eq": plain(c.ties),
                "soft_pairwise": c.soft,
                "prompts": None if c.prompts is None else {"counted": c.prompts[0], "of": c.prompts[1]},
                "linearised": c.linearised,
                "no_interval": c.no_interval,
                "undefined": c.undefined,
            }
        )
    n = max((metric_correlation.correlation.n for metric_correlation in correlations), default=0)
    signatures = by_metric(
        list(
            dict.fromkeys(
                (metric_correlation.metric, metric_correlation.signature) for metric_correlation in correlations
            )
        )
    )
    about = {**_about(study), "target": target.text, "n": n, "seed": seed, "resamples": resamples}
    about["signatures"] = signatures
    return about | ({"definition": definition} if definition else {}) | {"rows": rows}


def _about_row(subset: str, target: Target) -> dict[str, str | None]:
    """What a row is held against, and what its coefficient is by where it is not over single stories."""
    if subset.startswith(OF_CRITERION):
        return {"target": subset.removeprefix(OF_CRITERION), "by": "prompt"}
    return {"target": target.text, "by": LEVELS.get(subset)}


def by_metric(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What each metric is called -> its signature, in the order given."""
    return dict(zip(unique_names(pairs), (signature for _, signature in pairs), strict=True))


def called(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What each pair of a metric and a signature is called."""
    different = list(dict.fromkeys(pairs))
    return dict(zip(different, unique_names(different), strict=True))


def _about(study: Study) -> dict[str, Any]:
    """Which study, and whether its ratings are made up."""
    return {"study": study.name, "demonstration": study.demonstration}


def coefficient_row(c: Coefficient) -> dict[str, float | None]:
    """A correlation, its p-values and its interval."""
    return {"value": c.value, "p": c.p, "p_cluster": c.p_cluster, "low": c.low, "high": c.high}


def agreement_report(reliability: Reliability) -> dict[str, Any]:
    """How far the ratings agree, and what is to be said first where nothing shows that they do; else null."""
    alpha = reliability.alpha
    return {"alpha": {"value": alpha.value, "low": alpha.low, "high": alpha.high}, "caution": reliability.caution}


def judgments_report(
    study: Study, target: Target, judgments: Judgments, texts: Texts, left: Forecast, seed: int
) -> dict[str, Any]:
    """What `judgments --json` prints."""
    return {
        **_about(study),
        "target": target.text,
        "n": judgments.stories,
        "seed": seed,
        **plain(judgments),
        "distribution": judgments.distribution.by_system,
        "texts": plain(texts),
        "forecast": plain(left),
    }
