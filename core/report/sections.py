"""The parts of a metric report in order: its figures and tables, for the page and the file alike."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from core.analysis.difference.differences import Difference
from core.analysis.difference.windows import Sets, pairs_of
from core.analysis.significance.tests import PairTest, p_note
from core.analysis.systems.powered import PoweredSystem, gain_sentence
from core.analysis.verdict.criteria import no_p_on
from core.analysis.verdict.few_stories import OPEN_PARTS, open_if_few
from core.analysis.verdict.sentences import Basis
from core.analysis.verdict.subsets import HELD, SubsetResult
from core.figures.capability.dots import by_aspect
from core.figures.correlation import metric_names
from core.figures.difference import plane
from core.figures.drift import biased_sets, quality_curves
from core.figures.scatter import scatter, scatter_rows
from core.figures.systems.means import together
from core.formats.results_csv import ResultRow
from core.report.capability import CapabilityInReport
from core.report.coefficients import about_p, coefficient_rows, p_by_prompt
from core.report.figures import by_part, ranked
from core.report.metric import MetricReport
from core.report.section import Drawn, Section, Tabled
from core.report.shown import as_shown
from core.scores import judgment_of
from core.statistics.correlation import Coefficient, Correlation, MetricCorrelation
from core.statistics.intervals import Estimate
from core.statistics.ties import UNCALIBRATED

ALL = "all stories"
NO_CLAIM = "No claim is made here: nothing shows that the ratings agree with one another."


SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def sections(report: MetricReport) -> tuple[Section, ...]:
    """Every analysis of the report; those of parts are left out where there are none."""
    results = [_correlation(report)]
    if report.criteria:
        results.append(_criteria(report))
    if report.errors:
        words = f"{report.definition.words} After {report.definition.source}."
        results.append(_parts(report, report.errors, Basis.ERROR_TYPES, "By error type", words))
    if len(report.systems) > 1:
        words = "Its correlation on each system's stories apart, as OpenMEVA's Table 4."
        results.append(_parts(report, report.systems, Basis.SYSTEMS, "By system", words))
    if report.together:
        results.append(_together(report.together, report.name))
    results += [_drift(report), _difference(report)]
    if report.check_up.degenerate:
        results.append(_check_up(report))
    if report.reliability.disagree:
        results = [replace(section, words=f"{NO_CLAIM} {section.words}") for section in results]
    return (*results, _sees(report.sees)) if report.sees else tuple(results)


def _correlation(report: MetricReport) -> Section:
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
            _tabled("Coefficients", _coefficients, report, shown),
            Tabled("As WMT judges metrics", _wmt(report)),
            _tabled("With systems and length held equal", _held, report, shown),
            _tabled("Beside the other metrics", _beside, report, shown, _tests_note(shown)),
        ),
    )


def _tabled(
    name: str,
    rows: Callable[[MetricReport], tuple[ResultRow, ...]],
    report: MetricReport,
    shown: MetricReport,
    note: str = "",
) -> Tabled:
    """What is shown, and all numbers where that is less."""
    printed, data = rows(shown), rows(report)
    return Tabled(name, printed, note, data if data != printed else ())


def _coefficients(report: MetricReport) -> tuple[ResultRow, ...]:
    return coefficient_rows(report.correlation.correlation)


def _beside(report: MetricReport) -> tuple[ResultRow, ...]:
    tests = {test.b: test for test in report.tests}
    return tuple(
        {
            "Metric": name,
            "n": other.correlation.n,
            "r": _estimate(other.correlation),
            **_tested(tests.get(name)),
            "Signature": other.signature,
        }
        for name, other in zip(metric_names(report.among), report.among, strict=True)
    )


def _criteria(report: MetricReport) -> Section:
    words = "Its raw scores with the mean rating on each of the study's criteria, over all stories."
    words += no_p_on(report.setting.disagreed)
    table = _tabled("By criterion", _by_criterion, report, as_shown(report))
    return Section(Basis.CRITERIA, "By criterion", words, (), (table,))


def _by_criterion(report: MetricReport) -> tuple[ResultRow, ...]:
    return tuple(
        {
            "Criterion": criterion,
            "n": c.n,
            **{symbol: _interval(getattr(c, name)) for name, symbol in SYMBOLS.items()},
            "p by prompt": p_by_prompt(c.pearson),
            "Undefined": c.undefined or "",
        }
        for criterion, c in report.criteria.items()
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
    return " ".join(filter(None, (signed, p_note(report.tests), report.untested)))


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


def _estimate(correlation: Correlation) -> Estimate:
    return Estimate(correlation.pearson.value, correlation.pearson.low, correlation.pearson.high, correlation.undefined)


def _parts(report: MetricReport, parts: Sequence[SubsetResult], about: Basis, title: str, words: str) -> Section:
    correlation: MetricCorrelation = report.correlation
    whole = SubsetResult(ALL, correlation.correlation.n, report.prompts, _estimate(correlation.correlation))
    column = "System" if about is Basis.SYSTEMS else "Error type"
    every = (*parts, whole)
    *shown, shown_whole = map(open_if_few, every)
    data, rows = (_of_parts(column, some) for some in (every, (*shown, shown_whole)))
    undefined = None
    figures: tuple[Drawn, ...] = ()
    if any(part.r.value is not None for part in parts):
        key = "report-systems" if about is Basis.SYSTEMS else "report-errors"
        figure = by_part(shown, shown_whole, f"Agreement with people, {title.lower()}")
        figures = (Drawn(key, f"Correlation {title.lower()}", figure, lambda: data, f"Pearson's r {title.lower()}"),)
    else:
        undefined = "no part of the stories allows a correlation"
    words = f"{words} {OPEN_PARTS}" if data != rows else words
    tables = (Tabled(f"Correlation {title.lower()}", rows, unshown=data),)
    return Section(about, title, words, figures, tables, undefined)


def _of_parts(column: str, parts: Sequence[SubsetResult]) -> tuple[ResultRow, ...]:
    return tuple({column: part.name, "n": part.n, "r": part.r} for part in parts)


def _together(systems: Sequence[PoweredSystem], name: str) -> Section:
    words = (
        "Prediction-powered means (PPI++, 2023): what its scores of unrated stories add to people's means. "
        f"{gain_sentence(systems)} It must have been chance which prompts were rated."
    )
    rows: tuple[ResultRow, ...] = tuple(
        {
            "System": row.system,
            "Rated": row.mean.n_rated,
            "Unrated": row.mean.n_unrated,
            "People alone": row.mean.alone,
            "With the metric": row.mean.powered or Estimate(None, undefined=row.mean.undefined),
            "λ": row.mean.weight,
            "Worth": row.mean.effective,
        }
        for row in systems
    )
    title, alt = "People and the metric together", "Means of the systems by people, and with the metric"
    drawn = Drawn("report-together", title, together(systems, name, "mean rating"), lambda: rows, alt)
    return Section(Basis.TOGETHER, title, words, (drawn,), (Tabled(title, rows),))


def _drift(report: MetricReport) -> Section:
    drift, row = report.drift, report.drift.rows[0]
    words = (
        "UNION's eight biased sets (section 4.4): set 1 holds mostly poor stories, set 8 mostly good ones. "
        f"Means over {drift.draws:,} draws; a line through a point holds 95 % of them."
        + (f" Grey lines are of all stories: {report.limits.lines}." if report.limits.lines else "")
    )
    if all(value.value is None for value in row.values):
        return Section(Basis.DRIFT, "Quality drift", words, undefined=row.values[0].undefined)
    rows: tuple[ResultRow, ...] = tuple(
        {
            "Set": biased_set.number,
            "Expected stories": biased_set.expected_size,
            "SD of ratings": biased_set.rating_sd,
            "r": value,
        }
        for biased_set, value in zip(drift.sets, row.values, strict=True)
    )
    sizes: tuple[ResultRow, ...] = tuple(
        {"Set": biased_set.number, "From rating": level.low, "To rating": level.high, "Expected stories": count}
        for biased_set in drift.sets
        for level, count in zip(drift.levels, biased_set.by_level, strict=True)
    )
    return Section(
        Basis.DRIFT,
        "Quality drift",
        words,
        (
            Drawn("report-sets", "Biased sets", biased_sets(drift), lambda: sizes, "Stories in each biased set"),
            Drawn(
                "report-drift",
                "Quality drift",
                quality_curves(drift, {report.name: row}, report.limits),
                lambda: rows,
                "Pearson's r in each biased set",
            ),
        ),
        (Tabled("Quality drift", rows),),
    )


def _difference(report: MetricReport) -> Section:
    result: Difference = report.difference
    words = (
        "Stories sorted by human judgment, cut into overlapping sets; differences of the sets' means, in the metric "
        "and to people (OpenMEVA, section 4.2). As in the paper the last set that would fit is left out, and a pair of "
        "sets counts in both orders. The sets overlap and are sorted on the outcome, so the t-tests only describe "
        "these sets: no p says how sure a difference is."
    )
    if result.undefined:
        return Section(Basis.DIFFERENCE, "Differences between sets", words, undefined=result.undefined)
    quantities = {
        "R², order of the seed": result.r2,
        "R², median over orders of ties": result.r2_median,
        "R², low over orders of ties": result.r2_low,
        "R², high over orders of ties": result.r2_high,
        "Slope": result.slope,
        "Pairs: both see a difference": result.both,
        "of these: opposed": result.opposed,
        "Pairs: people only": result.human_only,
        "Pairs: metric only": result.metric_only,
        "Pairs: neither": result.neither,
        "Sets": result.plan.number,
        "Stories a set": result.plan.size,
        "From set to set": result.plan.stride,
        "Stories": result.n,
    }
    rows: tuple[ResultRow, ...] = tuple({"Quantity": name, "Number": value} for name, value in quantities.items())
    figures = (
        (
            Drawn(
                "report-difference",
                "Differences",
                plane(report.name, result),
                partial(_pairs, result.sets),
                "Differences of sets of stories in the metric and to people",
            ),
        )
        if result.sets is not None
        else ()
    )
    return Section(Basis.DIFFERENCE, "Differences between sets", words, figures, (Tabled("Differences", rows),))


def _pairs(sets: Sets) -> tuple[ResultRow, ...]:
    pairs = pairs_of(sets)
    columns = {
        "Set": pairs.first + 1,
        "Other set": pairs.second + 1,
        "Difference of ratings": pairs.human,
        "Difference of scores": pairs.metric,
        "People p < 0.01": pairs.human_apart,
        "Metric p < 0.01": pairs.metric_apart,
    }
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return tuple(dict(zip(columns, row, strict=True)) for row in values)


def _check_up(report: MetricReport) -> Section:
    up = report.check_up
    words = (
        f"{up.counted}: runs of words that come again and again, one character over and over, mostly no letters. "
        "Good metrics put such stories low; those that rate how likely or how human-like words are may not. In "
        "Fabula the page Run metrics lists them."
    )
    table = _tabled("Degenerate stories", _degenerate, report, as_shown(report))
    return Section(Basis.DEGENERATE, "Degenerate stories", words, (), (table,))


def _degenerate(report: MetricReport) -> tuple[ResultRow, ...]:
    up = report.check_up
    others = up.scored - up.degenerate
    return (
        {"Stories": ALL, "n": up.scored, "Mean score": None, "r": _interval(up.r)},
        {"Stories": "degenerate", "n": up.degenerate, "Mean score": up.mean, "r": None},
        {"Stories": "the others", "n": others, "Mean score": up.rest, "r": _interval(up.r_without)},
    )


def _interval(c: Coefficient) -> Estimate:
    return Estimate(c.value, c.low, c.high)


def _sees(sees: CapabilityInReport) -> Section:
    words = (
        f"Human stories changed in one aspect each, of the test sets {', '.join(sees.sets)} (OpenMEVA, sections 4.4 "
        "and 4.5): those that pass the grammaticality filter. In order: the share of changed stories that score below "
        "their own original; .5 sees nothing. Intervals are by human story."
    )
    aspects: tuple[ResultRow, ...] = tuple(
        {
            "Aspect": row.aspect,
            "Coherent": row.positives,
            "Changed": row.negatives,
            "r": Estimate(row.pearson.value, row.pearson.low, row.pearson.high, row.undefined),
            "AUC": row.auc,
            "In order": row.ordered,
            "Sees it": sees.label(row),
        }
        for row in sees.aspects
    )
    changes: tuple[ResultRow, ...] = tuple(
        {
            "Change": row.aspect,
            "Pairs": row.pairs,
            "|r|": row.absolute,
            "r": Estimate(row.pearson.value, row.pearson.low, row.pearson.high, row.undefined),
            "Mean change (SD)": row.change,
        }
        for row in sees.changes
    )
    tables = (Tabled("What it sees", aspects), Tabled("What it should not mind", changes))
    figures: tuple[Drawn, ...] = ()
    if any(row.ordered.value is not None for row in sees.aspects):
        figure = by_aspect(sees.aspects, "What it sees, by aspect")
        alt = "Share of changed stories below their original, by aspect"
        figures = (Drawn("report-sees", "What it sees", figure, lambda: aspects, alt),)
    return Section(Basis.CAPABILITY, "What it sees", words, figures, tuple(table for table in tables if table.rows))
