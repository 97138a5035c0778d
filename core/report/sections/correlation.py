"""How a metric goes with people over all stories, and beside the other metrics."""

from dataclasses import replace
from functools import partial

import numpy as np

from core.analysis.significance.notes import p_note
from core.analysis.significance.tests import PairTest
from core.analysis.systems.order import soft_caution
from core.analysis.verdict.sentences import Basis
from core.analysis.verdict.subsets import HELD
from core.figures.correlation import metric_names
from core.figures.scatter import scatter, scatter_rows
from core.formats.results_csv import ResultRow
from core.report.coefficients import about_p, coefficient_rows, p_by_prompt
from core.report.figures import ranked
from core.report.metric import MetricReport
from core.report.section import Drawn, Section, Tabled
from core.report.sections.tables import estimate, tabled
from core.report.shown import as_shown
from core.scores import judgment_of
from core.statistics.intervals import Estimate
from core.statistics.ties import UNCALIBRATED


def correlation_section(report: MetricReport) -> Section:
    """Its correlation with people, as figures and tables; why there is none where it is undefined."""
    shown, disagree = as_shown(report), report.reliability.disagree
    correlation = report.correlation.correlation
    about = about_p(report.setting.resamples, correlation.n, report.prompts, agreed=not disagree)
    words = f"Its raw scores with the {judgment_of(report.table.judgment, 'each story')}. {about}"
    if correlation.undefined:
        return Section(Basis.CORRELATION, "Correlation with people", words, undefined=correlation.undefined)
    table = replace(report.table, texts=("",) * len(report.table.keys))  # a report holds no stories
    column = replace(table.columns[0], metric=report.name)
    setting = report.setting
    lines: list[ResultRow] = [
        {"Line": "one human rater", "r": report.limits.one_rater},
        {"Line": "ceiling", "r": report.limits.ceiling},
    ]
    return Section(
        Basis.CORRELATION,
        "Correlation with people",
        words,
        (
            Drawn(
                "report-ranked",
                "Metrics by correlation",
                ranked(shown),
                lambda: (*({key: row[key] for key in ("Metric", "n", "r")} for row in _beside(report)), *lines),
                "Pearson's r of every metric, with one human rater and the ceiling",
            ),
            Drawn(
                "report-scatter",
                "Scores and ratings",
                scatter(table, column, correlation, scale=setting.scale, seed=setting.seed),
                partial(scatter_rows, table, column),
                f"Each story's score against its {report.table.judgment}",
            ),
        ),
        (
            tabled("Coefficients", _coefficients, report, shown),
            Tabled("As WMT judges metrics", _wmt(report), _wmt_note(report)),
            tabled("With systems and length held equal", _held, report, shown),
            tabled("Beside the other metrics", _beside, report, shown, _tests_note(shown)),
        ),
    )


def _coefficients(report: MetricReport) -> tuple[ResultRow, ...]:
    return coefficient_rows(report.correlation.correlation)


def _beside(report: MetricReport) -> tuple[ResultRow, ...]:
    tests = {test.b: test for test in report.tests}
    return tuple(
        {
            "Metric": name,
            "n": other.correlation.n,
            "r": estimate(other.correlation),
            **_tested(tests.get(name)),
            "Signature": other.signature,
        }
        for name, other in zip(metric_names(report.among), report.among, strict=True)
    )


def _held(report: MetricReport) -> tuple[ResultRow, ...]:
    """Pearson's r pooled and with something held equal, and that of the number of words."""
    result = report.partial
    rows = {"pooled": result.pooled, **{name: getattr(result, field) for field, name in HELD.items()}}
    rows["the number of words alone"] = result.words
    return tuple(
        {
            "Pearson's r": name,
            "Correlation": Estimate(row.r.value, row.r.low, row.r.high, row.undefined),
            "p": row.r.p,
            "p by prompt": p_by_prompt(row.r),
            "n": result.n,
        }
        for name, row in rows.items()
    )


def _tested(test: PairTest | None) -> ResultRow:
    """How much higher the report's metric is, over the stories that both score; empty for the metric itself."""
    if test is None:
        return {"Higher by": Estimate(None), "p, Holm": None}
    return {"Higher by": Estimate(test.difference, test.low, test.high, test.undefined), "p, Holm": test.p_holm}


def _tests_note(report: MetricReport) -> str:
    """What has to be known of the tests, and which metrics have none."""
    below = any((other.correlation.pearson.value or 0.0) < 0 for other in report.among)
    signed = "“Higher by” takes r with its sign, also where it is below 0." if below and report.tests else ""
    whole = {name: other.correlation.n for name, other in zip(metric_names(report.among), report.among, strict=True)}
    fewer = any(test.n < max(whole[test.a], whole[test.b]) for test in report.tests)
    over = (
        "“Higher by” is over the stories that both metrics score, r over all that each of them scores: where these are "
        "not the same, the one does not follow from the other."
        if fewer
        else ""
    )
    return " ".join(filter(None, (signed, over, p_note(report.tests), report.untested)))


def _wmt(report: MetricReport) -> tuple[ResultRow, ...]:
    """acc_eq within prompts and soft pairwise accuracy over systems."""
    ties = (report.within.ties if report.within else None) or UNCALIBRATED
    return (
        {
            "Figure": "acc_eq: share of a prompt's pairs as people order them, scores within ε as ties",
            "Value": ties.accuracy,
        },
        {"Figure": "ε: in points of the score, the best on the other half of the prompts", "Value": ties.epsilon},
        {"Figure": "the same with only equal scores as ties", "Value": ties.at_zero},
        {
            "Figure": "of this, what a guess with as many ties would get",
            "Value": report.within.pairwise.chance if report.within else None,
        },
        {"Figure": "soft pairwise accuracy over systems", "Value": report.soft},
    )


def _wmt_note(report: MetricReport) -> str:
    """That there are too few systems for the last row, where there are."""
    if report.soft is None:
        return ""
    table = report.table
    both = np.isfinite(table.human) & np.isfinite(table.columns[0].values)
    return soft_caution(len({table.systems[row] for row in np.flatnonzero(both).tolist()}))
