"""Every metric over systems: correlations and pairs in the right order."""

import streamlit as st

from core.analysis.correlation import Coefficient
from core.analysis.systems import SystemCorrelation, Systems
from core.annotation.draws import Estimate
from pages.ui.judgment_table import table


def metrics_section(found: Systems, names: list[str]) -> None:
    """A row a metric, the best by Pearson's r first, undefined ones last."""
    st.subheader("Do metrics rank systems as people do?")
    few = max((one.systems for one in found.correlations), default=0)
    ranked = sorted(zip(names, found.correlations, strict=True), key=lambda pair: _rank(pair[1]))
    table("Metrics over systems", [_row(name, one) for name, one in ranked])
    st.caption(
        f"Correlations over {few} systems' means: with so few points even a high one may be chance, and p says so. "
        "Pairs right: of the pairs of systems, the share that the metric puts in people's order. Apart: of those "
        "whose difference people see clearly (its 95 % interval by prompt has no zero in it)."
    )


def _rank(one: SystemCorrelation) -> float:
    return 2.0 if one.pearson.value is None else -one.pearson.value


def _row(name: str, one: SystemCorrelation) -> dict[str, object]:
    return {
        "Metric": name,
        "Systems": one.systems,
        "n": one.n,
        "Pearson's r": _estimate(one.pearson, one.undefined),
        "p of r": one.pearson.p,
        "Spearman's ρ": _estimate(one.spearman, one.undefined),
        "Kendall's τ": _estimate(one.kendall, one.undefined),
        "Pairs right": one.accuracy.every,
        "Pairs": one.accuracy.pairs,
        "Apart right": one.accuracy.apart,
        "Apart": one.accuracy.pairs_apart,
        "Signature": one.signature,
    }


def _estimate(one: Coefficient, undefined: str | None) -> Estimate:
    return Estimate(one.value, one.low, one.high, undefined)
