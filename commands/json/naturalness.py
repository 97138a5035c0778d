"""What `naturalness --json` prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.naturalness.corpora import Discriminator, FpSummary, Naturalness
from core.analysis.naturalness.discrimination import Discrimination
from core.analysis.naturalness.hypotheses import Hypothesis
from core.formats.plain_json import plain


def naturalness_report(
    naturalness: Naturalness,
    discriminations: Mapping[Discriminator, Discrimination],
    hypotheses: Sequence[Hypothesis],
    notices: Sequence[str],
) -> dict[str, Any]:
    """DESIGN's object, of the first discriminator; `rows` has one a discriminator, `hypotheses` one a test.

    Figures of systems stand under their names.
    """
    rows = [_row(naturalness, discrimination, discriminations[discrimination]) for discrimination in discriminations]
    return {
        **rows[0],
        "n": sum(
            summary.n
            for summary in naturalness.summaries
            if summary.discriminator == naturalness.summaries[0].discriminator
        ),
        "seed": naturalness.seed,
        "resamples": naturalness.resamples,
        "notices": list(notices),
        "rows": rows,
        "hypotheses": [
            plain(hypothesis) | {"holds": hypothesis.holds, "sentence": hypothesis.sentence}
            for hypothesis in hypotheses
        ],
    }


def _row(naturalness: Naturalness, by: Discriminator, judged: Discrimination) -> dict[str, Any]:
    summaries = [summary for summary in naturalness.summaries if summary.discriminator == by]
    comparisons = [comparison for comparison in naturalness.comparisons if comparison.discriminator == by]
    return {
        "model": by.model,
        "mode": by.mode.value,
        "first": by.length,
        "human": next(_summary(summary) for summary in summaries if summary.system is None),
        "machine": {summary.system: _summary(summary) for summary in summaries if summary.system is not None},
        "share_greater": {comparison.system: comparison.paired.share_greater.value for comparison in comparisons},
        "difference": {comparison.system: comparison.difference.value for comparison in comparisons},
        "p": {comparison.system: comparison.p for comparison in comparisons},
        "p_holm": {comparison.system: comparison.p_holm for comparison in comparisons},
        "auc": {comparison.system: plain(comparison.unpaired.auc) for comparison in comparisons},
        "paired": {comparison.system: plain(comparison.paired) for comparison in comparisons},
        "unpaired": {comparison.system: plain(comparison.unpaired) for comparison in comparisons},
        "thresholds": list(judged.thresholds),
        "h_score": {system: classes.h.value for system, classes in judged.systems.items()},
        "discrimination": plain(judged),
    }


def _summary(fp_summary: FpSummary) -> dict[str, Any]:
    return {
        "n": fp_summary.n,
        "mean": fp_summary.mean.value,
        "low": fp_summary.mean.low,
        "high": fp_summary.mean.high,
        "sd": fp_summary.sd,
        "left_out": dict(fp_summary.left_out),
    }
