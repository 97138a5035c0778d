"""Results as plain JSON objects with stable names; what is undefined is null, numbers are unrounded."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from core.analysis.judgments.judgments import Judgments
from core.analysis.judgments.reliability import Reliability
from core.analysis.judgments.texts import Texts
from core.annotation.forecast import Forecast
from core.annotation.studies import Study
from core.metrics.naming import unique_names
from core.statistics.correlation import Coefficient, MetricCorrelation


def plain(value: Any) -> Any:
    """Dataclasses, arrays and enums as dictionaries, lists and strings; NaN and infinities as None."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def correlate_report(
    study: Study, found: Sequence[MetricCorrelation], seed: int, resamples: int, definition: str | None = None
) -> dict[str, Any]:
    """What `correlate --json` prints. `definition`: of the sets of error types, where there are such rows."""
    rows = []
    names = called((one.metric, one.signature) for one in found)
    for one in found:
        c = one.correlation
        rows.append(
            {
                "metric": names[one.metric, one.signature],
                "signature": one.signature,
                "subset": one.subset,
                "n": c.n,
                "pearson": coefficient_row(c.pearson),
                "spearman": coefficient_row(c.spearman),
                "kendall": coefficient_row(c.kendall),
                "pairwise": plain(c.pairwise),
                "prompts": None if c.prompts is None else {"counted": c.prompts[0], "of": c.prompts[1]},
                "linearised": c.linearised,
                "no_interval": c.no_interval,
                "undefined": c.undefined,
            }
        )
    n = max((one.correlation.n for one in found), default=0)
    signatures = by_metric(list(dict.fromkeys((one.metric, one.signature) for one in found)))
    about = {**_about(study), "n": n, "seed": seed, "resamples": resamples, "signatures": signatures}
    return about | ({"definition": definition} if definition else {}) | {"rows": rows}


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


def agreement_report(found: Reliability) -> dict[str, Any]:
    """How far the ratings agree, and what is to be said first where nothing shows that they do; else null."""
    alpha = found.alpha
    return {"alpha": {"value": alpha.value, "low": alpha.low, "high": alpha.high}, "caution": found.caution}


def judgments_report(study: Study, found: Judgments, texts: Texts, left: Forecast, seed: int) -> dict[str, Any]:
    """What `judgments --json` prints."""
    return {
        **_about(study),
        "n": found.stories,
        "seed": seed,
        **plain(found),
        "texts": plain(texts),
        "forecast": plain(left),
    }
