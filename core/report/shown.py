"""A report's correlations as its figures and tables show them: values alone where too few stories bear them."""

from dataclasses import replace

from core.analysis.correlation.partial import Partial, PartialCorrelation
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.degenerate import CheckUp
from core.analysis.verdict.few_stories import each_if_claimed, if_claimed, only_claimed
from core.analysis.verdict.sentences import claimed
from core.report.metric import MetricReport


def as_shown(report: MetricReport) -> MetricReport:
    """The same report for its figures and tables; files of these have all numbers. Where ratings do not agree they bear
    nothing, however many they are.
    """
    agreed = not report.reliability.disagree
    prompts = report.prompts if agreed else 0
    among, _ = only_claimed(report.among, report.prompts_among if agreed else [0] * len(report.among))
    return replace(
        report,
        correlation=among[report.among.index(report.correlation)],
        among=among,
        partial=_partial(report.partial, prompts),
        tests=tuple(_test(test, prompts) for test in report.tests),
        criteria={name: each_if_claimed(of, of.n, prompts) for name, of in report.criteria.items()},
        check_up=_check_up(report.check_up, prompts),
    )


def _partial(partial: Partial, prompts: int) -> Partial:
    def shown(part: PartialCorrelation) -> PartialCorrelation:
        return replace(part, r=if_claimed(part.r, partial.n, prompts))

    return replace(
        partial,
        pooled=shown(partial.pooled),
        within_systems=shown(partial.within_systems),
        equal_length=shown(partial.equal_length),
        both=shown(partial.both),
        words=shown(partial.words),
    )


def _test(test: PairTest, prompts: int) -> PairTest:
    return test if claimed(test.n, prompts) else replace(test, low=None, high=None, p_holm=None)


def _check_up(up: CheckUp, prompts: int) -> CheckUp:
    others = up.n - up.degenerate
    return replace(up, r=if_claimed(up.r, up.n, prompts), r_without=if_claimed(up.r_without, others, prompts))
