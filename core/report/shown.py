"""A report's correlations as its figures and tables show them: no more of each than the verdict claims."""

from dataclasses import replace

from core.analysis.correlation.partial import Partial, PartialCorrelation
from core.analysis.verdict.degenerate import CheckUp
from core.analysis.verdict.few_stories import (
    each_if_claimed,
    if_claimed,
    only_claimed,
    pair_if_claimed,
    without_if_claimed,
)
from core.report.metric import MetricReport


def as_shown(report: MetricReport) -> MetricReport:
    """The same report for its figures and tables; files of these have all numbers."""
    agreed, prompts = not report.reliability.disagree, report.prompts
    among, _ = only_claimed(report.among, report.prompts_among, agreed=agreed)
    return replace(
        report,
        correlation=among[report.among.index(report.correlation)],
        among=among,
        partial=_partial(report.partial, prompts, agreed=agreed),
        tests=tuple(pair_if_claimed(test, prompts, agreed=agreed) for test in report.tests),
        criteria={
            name: each_if_claimed(of, of.n, prompts, agreed=agreed and name not in report.setting.disagreed)
            for name, of in report.criteria.items()
        },
        check_up=_check_up(report.check_up, prompts, agreed=agreed),
    )


def _partial(partial: Partial, prompts: int, *, agreed: bool) -> Partial:
    def shown(part: PartialCorrelation) -> PartialCorrelation:
        return replace(part, r=if_claimed(part.r, partial.n, prompts, agreed=agreed))

    return replace(
        partial,
        pooled=shown(partial.pooled),
        within_systems=shown(partial.within_systems),
        equal_length=shown(partial.equal_length),
        both=shown(partial.both),
        words=shown(partial.words),
    )


def _check_up(up: CheckUp, prompts: int, *, agreed: bool) -> CheckUp:
    return replace(
        up,
        r=if_claimed(up.r, up.n, prompts, agreed=agreed),
        r_without=without_if_claimed(up, prompts, agreed=agreed),
    )
