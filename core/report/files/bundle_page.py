"""The first page of a bundle: what the study is, what it found, and the way to each metric's report."""

from dataclasses import replace

from core.analysis.judgments.judgments import Agreement
from core.analysis.verdict.few_stories import only_claimed
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import Basis
from core.annotation.past_imports import left_out_briefly
from core.annotation.quality import rules_in_words
from core.annotation.target import question_of
from core.figures.correlation import by_metric, metric_names
from core.figures.judgments import by_mean, means
from core.formats.results_csv import ResultRow
from core.report.coefficients import p_by_prompt, two_ps
from core.report.files.bundle import MANIFEST, SCORES, STORIES, Bundle
from core.report.files.html import DEMONSTRATION, LOOKS, page, script_hashes, scripts, style
from core.report.section import Drawn, Section, Tabled
from core.report.sections.parts import SYMBOLS
from core.statistics.agreement import LEVELS
from core.statistics.correlation import Coefficient, MetricCorrelation
from core.statistics.intervals import Estimate
from core.stories import Source
from core.wording import so_many


def index_html(bundle: Bundle) -> str:
    """The whole page; the same bundle gives the same page."""
    study = bundle.source.study
    return page("bundle.html.jinja").render(
        name=study.name,
        heading=f"Findings · made by Fabula {bundle.source.app_version} · {bundle.made:%Y-%m-%d %H:%M} UTC",
        demonstration=DEMONSTRATION if study.demonstration else "",
        about=_about(bundle),
        finding=_finding(bundle),
        findings=_findings(bundle),
        cautions=bundle.cautions,
        missing=bundle.missing,
        sections=index_sections(bundle),
        files=_files(bundle),
        signatures=[
            (name, column.signature)
            for name, column in zip(metric_names(bundle.shown.columns), bundle.shown.columns, strict=True)
        ],
        hashes=script_hashes(),
        scripts=scripts(),
        looks=LOOKS,
        style=style(),
    )


def index_sections(bundle: Bundle) -> tuple[Section, ...]:
    """What people said, how far they agree, and how far metrics agree with them."""
    results: list[Section] = []
    if bundle.source.table.rated:
        results += [_judgments(bundle), _agreement(bundle)]
        if bundle.judgments.error_types:
            results.append(_error_types(bundle))
    if bundle.correlations:
        results.append(_correlation(bundle))
    return tuple(results)


def _about(bundle: Bundle) -> list[tuple[str, str]]:
    source, table = bundle.source, bundle.source.table
    scheme = source.study.scheme
    raters, left_out = source.annotators, left_out_briefly(source.left_out)
    return [
        ("Scheme", f"{scheme.title}: {scheme.summary}"),
        *([("Question of the form", question)] if (question := question_of(scheme, source.target)) else []),
        ("Judgment", f"The {source.target.title}, from {source.scheme.lowest} to {source.scheme.highest}."),
        (
            "Sample",
            f"{len(table.keys):,} stories of {len(set(table.systems)):,} systems for {len(set(table.prompts)):,} "
            f"prompts, {table.rated:,} rated, by {table.given:,} {'comparisons' if table.compared else 'valid ratings'}"
            + (f" of {raters:,} annotators" if raters is not None else "; the data hides who rated")
            + (f" ({left_out})." if left_out else "."),
        ),
        *_quality_control(bundle),
        ("Seed and draws", f"Seed {bundle.choice.seed}; {bundle.choice.resamples:,} draws of whole prompts."),
    ]


def _quality_control(bundle: Bundle) -> list[tuple[str, str]]:
    """How much of what was handed in counts, and by which rules; nothing where all ratings were imported."""
    valid, rejected = bundle.judgments.panels_valid, bundle.judgments.panels_rejected
    if not valid + rejected:
        return []
    study = bundle.source.study
    several = study.scheme.unit.wording.rated_plural
    were = "was" if rejected == 1 else "were"
    counted = f"Of {valid + rejected:,} {several} that were handed in, {rejected:,} {were} rejected."
    rules = rules_in_words(study.scheme, study.rules)
    return [("Quality control", counted), *([("Quality rules", f"As they stand now: {rules}")] if rules else [])]


def _finding(bundle: Bundle) -> str:
    """The sentence that is read first, with the grade of its evidence; "" where there is none."""
    found = bundle.finding
    if found is None:
        return ""
    grade = next((one.report.graded for one in bundle.reports if one.report.name == found.best), None)
    return found.text(doubt=bundle.overturned) + (f" {grade.sentence}" if grade is not None else "")


def _findings(bundle: Bundle) -> list[tuple[str, str, list[str]]]:
    """Of each metric its name, the file of its report, and what that says of its correlation."""
    return [
        (
            linked.report.name,
            linked.file,
            [one.text for one in linked.report.verdict if one.about is Basis.CORRELATION and not one.caution],
        )
        for linked in bundle.reports
    ]


def _judgments(bundle: Bundle) -> Section:
    judged, scheme = bundle.judgments, bundle.source.scheme
    rows: tuple[ResultRow, ...] = tuple(
        {
            "System": group,
            "Stories": judged.by_system[group].n,
            "Mean": Estimate(judged.by_system[group].mean, judged.by_system[group].low, judged.by_system[group].high),
            "SD": judged.by_system[group].sd,
        }
        for group in reversed(by_mean(judged.by_system))
    )
    figure = means(judged.by_system, (scheme.lowest, scheme.highest), judged.judgment)
    drawn = Drawn("bundle-means", "Judgments by system", figure, lambda: rows, f"The {judged.judgment} by system")
    controls = "; control stories stand beside the systems" if set(judged.by_system) & set(Source) else ""
    words = f"Means of the stories' judgments, with 95 % intervals by prompt{controls}."
    return Section(Basis.SYSTEMS, "Judgments", words, (drawn,), (Tabled("By system", rows),))


def _agreement(bundle: Bundle) -> Section:
    judged = bundle.judgments
    valid: Agreement = judged.agreement["valid"]
    every = judged.agreement["before_rejection"]
    rejected = every.ratings > valid.ratings
    before = {"Krippendorff's alpha, interval, with rejected ratings": every.alpha["interval"]} if rejected else {}
    figures: dict[str, Estimate] = {
        **{f"Krippendorff's alpha, {level}": valid.alpha[level] for level in LEVELS},
        **before,
        "Fleiss' kappa": valid.fleiss_kappa,
        "ICC(1,k)": valid.icc,
        "Kendall's W": valid.kendall_w,
        "One human rater, Pearson's r with the others": Estimate(judged.one_rater),
        "Ceiling, what a perfect metric could reach": Estimate(judged.ceiling),
    }
    rows: tuple[ResultRow, ...] = tuple({"Figure": name, "Value": value} for name, value in figures.items())
    agreed = replace(valid.reliability, criterion=bundle.source.table.criterion)
    caution = valid.averaged.by_itself if valid.averaged.compared else agreed.caution
    stories = f"{valid.paired:,} stories that have two or more"
    few = (
        f"The {stories} are of {so_many(valid.prompts, 'prompt')}: too few to say how far people agree. The figures "
        f"are of {valid.ratings:,} valid ratings, as they stand, and have no intervals."
    )
    words = " ".join(filter(None, (caution, few if valid.reliability.small else ""))) or (
        f"How far {valid.ratings:,} valid ratings agree, over the {stories}."
    )
    table = _of_people("Agreement of people", rows, valid)
    return Section(Basis.AGREEMENT, "Agreement", words, (), (table,))


def _of_people(name: str, rows: tuple[ResultRow, ...], valid: Agreement) -> Tabled:
    """How far people agree; of too few prompts without intervals, as correlations are."""
    if not valid.reliability.small:
        return Tabled(name, rows)
    shown = tuple(
        {key: replace(cell, low=None, high=None) if isinstance(cell, Estimate) else cell for key, cell in row.items()}
        for row in rows
    )
    return Tabled(name, shown)


def _error_types(bundle: Bundle) -> Section:
    rows: tuple[ResultRow, ...] = tuple(
        {
            "Error type": name,
            "Share of stories": error.share,
            "Alpha": Estimate(error.alpha, error.low, error.high, error.undefined),
        }
        for name, error in bundle.judgments.error_types.items()
    )
    words = "Of the stories that not everyone gave the top; alpha: of giving this type or not."
    table = _of_people("Error types", rows, bundle.judgments.agreement["valid"])
    return Section(Basis.ERROR_TYPES, "Error types", words, (), (table,))


def _correlation(bundle: Bundle) -> Section:
    behind = [prompts_behind(bundle.shown, column.values) for column in bundle.shown.columns]
    agreed = not bundle.judgments.agreement["valid"].reliability.disagree
    printed, too_few = only_claimed(bundle.correlations, behind, agreed=agreed)
    words = (
        "Raw scores with the stories' judgments, with 95 % intervals by prompt, the best metric first. One human rater "
        f"and the ceiling are lines. {' '.join(filter(None, (two_ps(bundle.choice.resamples), too_few)))}"
    )
    rows = tuple(_line(name, row) for name, row in zip(metric_names(printed), printed, strict=True))
    undefined = None if any(row.correlation.pearson.value is not None for row in bundle.correlations) else (
        bundle.correlations[0].correlation.undefined
    )  # fmt: skip
    figures: tuple[Drawn, ...] = ()
    if undefined is None:
        figure = by_metric(printed, limits=bundle.limits)
        figures = (
            Drawn("bundle-metrics", "Agreement with people", figure, lambda: rows, "Pearson's r of each metric"),
        )
    tables = (Tabled("Correlation with people", rows),)
    return Section(Basis.CORRELATION, "Correlation with people", words, figures, tables, undefined)


def _line(name: str, row: MetricCorrelation) -> ResultRow:
    c = row.correlation
    return {
        "Metric": name,
        "n": c.n,
        **{symbol: _estimate(getattr(c, coefficient), c.undefined) for coefficient, symbol in SYMBOLS.items()},
        "p": c.pearson.p,
        "p by prompt": p_by_prompt(c.pearson),
        "Pairs right": c.pairwise.accuracy,
        "By chance": c.pairwise.chance,
    }


def _estimate(c: Coefficient, undefined: str | None) -> Estimate:
    return Estimate(c.value, c.low, c.high, undefined)


def _files(bundle: Bundle) -> list[tuple[str, str]]:
    """What lies beside the page, and what it is."""
    listed = [(linked.file, f"the report of {linked.report.name}") for linked in bundle.reports]
    if bundle.choice.data:
        listed.append((SCORES, "scores and judgments by story, unrounded"))
    if bundle.choice.texts:
        listed.append((STORIES, "the systems' stories and their openings"))
    return [*listed, (MANIFEST, "versions, signatures, and the SHA-256 of every file")]
