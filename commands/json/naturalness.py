"""What `naturalness --json` prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.naturalness.corpora import Discriminator, FpSummary, Naturalness
from core.analysis.naturalness.discrimination import Discrimination
from core.analysis.naturalness.hypotheses import Hypothesis
from core.formats.plain import plain


def naturalness_report(
    found: Naturalness,
    discriminations: Mapping[Discriminator, Discrimination],
    hypotheses: Sequence[Hypothesis],
    notices: Sequence[str],
) -> dict[str, Any]:
    """DESIGN's object, of the first discriminator; `rows` has one a discriminator, `hypotheses` one a test.

    Figures of systems stand under their names.
    """
    rows = [_row(found, one, discriminations[one]) for one in discriminations]
    return {
        **rows[0],
        "n": sum(one.n for one in found.summaries if one.discriminator == found.summaries[0].discriminator),
        "seed": found.seed,
        "resamples": found.resamples,
        "notices": list(notices),
        "rows": rows,
        "hypotheses": [plain(one) | {"holds": one.holds, "sentence": one.sentence} for one in hypotheses],
    }


def _row(found: Naturalness, by: Discriminator, judged: Discrimination) -> dict[str, Any]:
    summaries = [one for one in found.summaries if one.discriminator == by]
    comparisons = [one for one in found.comparisons if one.discriminator == by]
    return {
        "model": by.model,
        "mode": by.mode.value,
        "first": by.length,
        "human": next(_summary(one) for one in summaries if one.system is None),
        "machine": {one.system: _summary(one) for one in summaries if one.system is not None},
        "share_greater": {one.system: one.paired.share_greater.value for one in comparisons},
        "difference": {one.system: one.difference.value for one in comparisons},
        "p": {one.system: one.p for one in comparisons},
        "p_holm": {one.system: one.p_holm for one in comparisons},
        "auc": {one.system: plain(one.unpaired.auc) for one in comparisons},
        "paired": {one.system: plain(one.paired) for one in comparisons},
        "unpaired": {one.system: plain(one.unpaired) for one in comparisons},
        "thresholds": list(judged.thresholds),
        "h_score": {system: one.h.value for system, one in judged.systems.items()},
        "discrimination": plain(judged),
    }


def _summary(one: FpSummary) -> dict[str, Any]:
    return {
        "n": one.n,
        "mean": one.mean.value,
        "low": one.mean.low,
        "high": one.mean.high,
        "sd": one.sd,
        "left_out": dict(one.left_out),
    }
