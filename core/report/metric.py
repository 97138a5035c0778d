"""All that the analyses say about one metric of a study, with a verdict in plain sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from core.analysis.correlation.limits import Limits, limits
from core.analysis.correlation.partial import Partial, partial_table
from core.analysis.correlation.subsets import (
    Definition,
    by_error,
    by_system,
    definition_for,
    error_sets,
    within_prompts,
)
from core.analysis.difference.differences import Difference, difference_table
from core.analysis.drift.quality import QualityDrift, draws_in_time, quality_drift
from core.analysis.judgments.reliability import Reliability, reliability
from core.analysis.significance.tests import PairTest, Significance
from core.analysis.systems.powered import PoweredSystem, nothing_to_gain, powered_systems
from core.analysis.systems.ranking import over_systems
from core.analysis.systems.soft import soft_pairs
from core.analysis.verdict.best_system import on_order
from core.analysis.verdict.criteria import on_criteria
from core.analysis.verdict.degenerate import CheckUp, check_up, on_degenerate
from core.analysis.verdict.family import family_of, one_with_others, usual_tests
from core.analysis.verdict.few_stories import without_if_claimed
from core.analysis.verdict.grade import Graded, grade_of
from core.analysis.verdict.graded import against_words, corrected_against_words
from core.analysis.verdict.parts import prompts_behind, subset_results
from core.analysis.verdict.preferences import ComparedPairs, on_pairs_of_metric
from core.analysis.verdict.sentences import (
    Basis,
    VerdictSentence,
    claimed,
    on_agreement,
    on_correlation,
    on_lines,
    on_rank,
    on_rank_by_rho,
    on_sample,
)
from core.analysis.verdict.subsets import (
    SubsetResult,
    on_difference,
    on_drift,
    on_partial,
    on_parts,
    on_rank_within_systems,
)
from core.analysis.verdict.training import on_training
from core.analysis.verdict.without_degenerate import inside_without, on_overturned
from core.annotation.past_imports import RowsLeftOut
from core.arrays import Floats, Ints
from core.checks import FindingKind
from core.checks.degenerate import degenerate_kinds
from core.figures.correlation import metric_names
from core.metrics import registered
from core.metrics.base import Card
from core.metrics.naming import negated_number, place_of
from core.report.capability import CapabilityInReport
from core.report.doubts import Doubts, one_rater_without, within_of_first
from core.scores import IMPORTED, RatingChoice, ScoreTable
from core.statistics.correlation import (
    Correlation,
    MetricCorrelation,
    correlate,
    correlate_table,
)
from core.statistics.groups import members
from core.statistics.threads import side_by_side


@dataclass(frozen=True)
class ReportBasis:
    """What a report is made from, besides the scores. `excluded`: how many stories each condition leaves out, in words.

    `scale`: lowest and highest rating. `made`: when, in UTC. `judgment`: which of the study's criteria the metric is
    held against, "" where there is but one. `seen`: on how many of the study's stories the metric was trained;
    `learnt`: the signatures of all of the study's metrics that were trained on some. `question`: what people were
    asked, as the form asks it; `annotators`: how many they were, None where the data hides it; `imported`: whether
    all of their ratings were, so that the form's words need not be those that they read. `training`: what the metric's
    checkpoint was trained on, in words; "" where it has none here. `left_out`: what imports did not bring.
    `disagreed`: of several criteria those on which nothing shows that the ratings agree. `scoring`: which metrics the
    study was being scored with. `measures`: what a metric of the user's own measures, by its card; "" of any other.
    """

    study: str
    demonstration: bool
    scale: tuple[int, int]
    validity: RatingChoice
    excluded: Mapping[str, int]
    seed: int
    resamples: int
    made: datetime
    judgment: str = ""
    seen: int = 0
    question: str = ""
    annotators: int | None = None
    imported: bool = False
    learnt: frozenset[str] = frozenset()
    training: str = ""
    left_out: Sequence[RowsLeftOut] = ()
    disagreed: tuple[str, ...] = ()
    scoring: tuple[str, ...] = ()
    measures: str = ""


@dataclass(frozen=True)
class MetricReport:
    """One metric (`name` among the study's) over the stories of `table`.

    `table` holds the one column that this is about. `card` is None for a metric that Fabula does not have: `origin`
    says where its scores come from. `prompts`: of the stories that are correlated. `among`: every metric of the study,
    best first by Pearson's r; `prompts_among`: of each one's stories. `tests`: whether it differs from each of the
    others, as they stand in the tests of every pair, and `untested`: which metrics are in none, and why.
    `errors`, `systems`: its correlation on parts of the stories. `partial`: with systems and length held equal;
    `against_words`: tested against the number of words, alone; `corrected`: the same among `tests`, where that is a
    metric. `reliability`: whether the ratings agree at all. `limits`: one human rater, and the ceiling. `check_up`: of
    degenerate stories. `sees`: of test sets; None where no kept one has scores under its signature. `criteria`: its
    correlation with each, where there are several. `within`: within prompts, with its acc_eq; `soft`: its soft
    pairwise accuracy over systems. `together`: systems by people and the metric, where it has something to add.
    `pairs`: of a study of pairs, what its comparisons say.
    """

    setting: ReportBasis
    name: str
    table: ScoreTable
    card: Card | None
    origin: str
    correlation: MetricCorrelation
    prompts: int
    partial: Partial
    against_words: PairTest
    reliability: Reliability
    among: tuple[MetricCorrelation, ...]
    prompts_among: tuple[int, ...]
    tests: tuple[PairTest, ...]
    limits: Limits
    definition: Definition
    errors: tuple[SubsetResult, ...]
    systems: tuple[SubsetResult, ...]
    drift: QualityDrift
    difference: Difference
    check_up: CheckUp
    verdict: tuple[VerdictSentence, ...]
    sees: CapabilityInReport | None = None
    criteria: Mapping[str, Correlation] = field(default_factory=dict)
    within: Correlation | None = None
    soft: float | None = None
    together: tuple[PoweredSystem, ...] = ()
    untested: str = ""
    corrected: PairTest | None = None
    pairs: ComparedPairs | None = None

    @property
    def graded(self) -> Graded:
        """How good the evidence is that it agrees with people."""
        return grade_of(
            self.correlation.correlation,
            prompts=self.prompts,
            partial=self.partial,
            against_words=self.against_words,
            one_rater=self.limits.one_rater,
            disagree=self.reliability.disagree,
            means=self.reliability.averaged.of_raters,
            seen=self.setting.seen,
            corrected=self.corrected,
            inside_without=self.check_up.inside_if_they_matter,
            left_out=self.check_up.stories,
        )

    @property
    def signature(self) -> str:
        """All that its numbers depend on."""
        return self.correlation.signature


def column_number(table: ScoreTable, metric: str) -> int:
    """The place of the column that is called so, or has this signature; raises InputError with the names there are."""
    return place_of(metric, [(column.metric, column.signature) for column in table.columns])


def metric_report(
    table: ScoreTable,
    metric: str,
    setting: ReportBasis,
    *,
    among: Sequence[MetricCorrelation] | None = None,
    tested: Significance | None = None,
    sees: CapabilityInReport | None = None,
    pairs: ComparedPairs | None = None,
) -> MetricReport:
    """Run every analysis of one metric. `table`: all metrics of the study; raises InputError for one it lacks.

    `among`, `tested`: what `correlate_table` and `usual_tests` give for the table, seed and draws, where that is known
    already. `sees`: what it sees in test sets, under the same signature. `pairs`: as the report has them.
    """
    place = column_number(table, metric)
    column = table.columns[place]
    single = replace(table, columns=(column,))
    seed, resamples = setting.seed, setting.resamples
    among = among or correlate_table(table, seed=seed, resamples=resamples)
    own = among[place]
    definition, names = definition_for(setting.scale), metric_names(table.columns)
    family = family_of(table, setting.learnt)
    degenerates = degenerate_kinds(table.texts)
    draws = draws_in_time(len(table.keys), resamples)
    tested = tested or usual_tests(table, names, family, seed=seed, resamples=resamples)  # alone: it takes most room
    tests = one_with_others(tested, names[place])
    with side_by_side(len(table.keys)) as run:  # what takes longest first
        drift = run.submit(quality_drift, single, setting.scale, draws=draws, seed=seed)
        difference = run.submit(difference_table, single, seed=seed)
        errors = run.submit(by_error, single, definition, setting.scale, seed=seed, resamples=resamples)
        systems = run.submit(by_system, single, seed=seed, resamples=resamples)
        soft = run.submit(soft_pairs, single, table.human, seed=seed)
        partial = run.submit(partial_table, single, seed=seed, resamples=resamples)
        within = run.submit(within_prompts, single, seed=seed, resamples=resamples)
        agreement = run.submit(reliability, table, seed=seed)
        checked = run.submit(_checked, single, degenerates, seed=seed, resamples=resamples)
        lines = run.submit(limits, table, seed=seed)
        words_test = run.submit(against_words, table, column.values, seed=seed, resamples=resamples)
    report = MetricReport(
        setting,
        names[place],
        single,
        _card(column.metric, column.signature),
        _origin(column.metric, column.signature, setting.measures),
        own,
        prompts_behind(table, column.values),
        partial.result()[0],
        words_test.result(),
        agreement.result(),
        *_best_first(table, among),
        tests,
        lines.result(),
        definition,
        _of_one(single, errors.result(), [one.rows for one in error_sets(single, definition, setting.scale)]),
        _of_one(single, systems.result(), list(members(table.systems).values())),
        drift.result(),
        difference.result()[0].difference,
        checked.result(),
        (),
        sees,
        _by_criterion(table, column.values, setting),
        within.result()[0].correlation,
        soft.result()[0],
        _together(single),
        family.left_out(names),
        corrected_against_words(table, names, tests),
        pairs,
    )
    beside = family.places if place in family.places else range(len(names))
    doubts = _doubts(report, table, place, among, degenerates, beside)
    return replace(
        report,
        verdict=tuple(_verdict(report, table.rated, own, [among[other] for other in beside], doubts)),
    )


def _doubts(
    report: MetricReport,
    table: ScoreTable,
    place: int,
    among: Sequence[MetricCorrelation],
    kinds: Sequence[FindingKind | None],
    beside: Sequence[int],
) -> Doubts:
    """`beside`: the places of the metrics that it is set beside, its own among them."""
    names = metric_names(table.columns)
    return Doubts(
        on_overturned(
            table,
            names,
            place,
            among,
            kinds,
            report.setting.learnt,
            without_if_claimed(report.check_up, report.prompts),
        ),
        one_rater_without(table, kinds, report.setting.seed) if report.check_up.moves else None,
        within_of_first(table, place, among, beside),
    )


def _together(single: ScoreTable) -> tuple[PoweredSystem, ...]:
    systems = powered_systems(single, 0)
    return () if nothing_to_gain(systems) else systems


def _by_criterion(table: ScoreTable, scores: Floats, setting: ReportBasis) -> dict[str, Correlation]:
    prompts, seed, resamples = table.prompts, setting.seed, setting.resamples
    of = table.criteria.items()
    return {name: correlate(scores, human, prompts, seed=seed, resamples=resamples) for name, human in of}


def _verdict(
    report: MetricReport,
    rated: int,
    own: MetricCorrelation,
    among: Sequence[MetricCorrelation],
    doubts: Doubts,
) -> Iterator[VerdictSentence]:
    """What the analyses say, in their order; `rated`: the study's rated stories, `among`: it and those that it is
    tested with, or all where it is in no test.
    """
    agreed, prompts, r = not report.reliability.disagree, report.prompts, own.correlation.pearson
    draws = report.setting.resamples
    averaged, pairs = report.reliability.averaged, report.pairs
    of_pairs = averaged.compared or pairs
    yield from on_pairs_of_metric(report.name, averaged, pairs) if of_pairs else on_agreement(report.reliability)
    yield from on_training(report.setting.seen)
    yield from on_correlation(
        own.correlation,
        prompts=prompts,
        draws=draws,
        partial=report.partial,
        agreed=agreed,
        negated=negated_number(own.metric, own.signature),
        inside_without=report.check_up.inside_if_they_matter,
        left_out=report.check_up.stories,
    )
    if agreed and r.value is not None and claimed(own.correlation.n, prompts):
        yield from on_criteria(report.criteria, prompts, report.setting.disagreed)
        yield from on_partial(report.partial, report.against_words, report.corrected)
        moved = (report.check_up.r_without.value, doubts.one_rater) if report.check_up.moves else None
        yield from on_lines(
            r, report.limits.one_rater, report.limits.ceiling, moved=moved, left_out=report.check_up.stories
        )
        yield from on_rank(own, among, report.tests, report.untested)
        yield from on_rank_by_rho(own, among, _names_of(among, report.among))
        yield from on_rank_within_systems(doubts.within)
        yield from on_parts(report.errors, Basis.ERROR_TYPES)
        if len(report.systems) > 1:
            yield from on_parts(report.systems, Basis.SYSTEMS)
            yield from on_order(report.name, over_systems(report.table, 0), [one.metric for one in among])
        yield from on_drift(report.drift.rows[0], report.drift.sets)
        yield from on_difference(report.difference)
    if agreed:
        yield from doubts.overturn
    yield from on_degenerate(
        replace(report.check_up, r_without=without_if_claimed(report.check_up, prompts, agreed=agreed)), agreed=agreed
    )
    if report.sees:
        yield from report.sees.verdict
    table = report.table
    (judged,) = table.take(np.flatnonzero(np.isfinite(table.human))).columns
    yield from on_sample(own.correlation.n, rated, prompts, judged.own_references)


def _names_of(some: Sequence[MetricCorrelation], every: Sequence[MetricCorrelation]) -> list[str]:
    """What metrics are called among all of the study's."""
    names = dict(zip([(row.metric, row.signature) for row in every], metric_names(every), strict=True))
    return [names[row.metric, row.signature] for row in some]


def _card(metric: str, signature: str) -> Card | None:
    kind = registered(metric)
    return None if kind is None or signature.startswith(IMPORTED) else kind.card


def _origin(metric: str, signature: str, measures: str) -> str:
    if signature.startswith(IMPORTED):
        return "Imported: another program made these scores. The signature names the file by its hash."
    if registered(metric):
        return "Computed by Fabula."
    own = "Computed by a metric of the user's own, whose file the signature names by its hash."
    return f"{own} By its card it measures: {measures}" if measures else own


def _checked(single: ScoreTable, kinds: Sequence[FindingKind | None], *, seed: int, resamples: int) -> CheckUp:
    """Of the table's one metric, with its r within systems without degenerate stories."""
    (column,), of_stories = single.columns, (single.human, single.prompts)
    up = check_up(column.values, *of_stories, kinds, systems=single.systems, seed=seed, resamples=resamples)
    return replace(up, inside=inside_without(single, kinds, seed=seed, resamples=resamples))


def _best_first(
    table: ScoreTable, among: Sequence[MetricCorrelation]
) -> tuple[tuple[MetricCorrelation, ...], tuple[int, ...]]:
    """All metrics by r, and of how many prompts each one's stories are."""
    order = sorted(range(len(among)), key=lambda place: _r_falling(among[place]))
    prompts = [prompts_behind(table, table.columns[place].values) for place in order]
    return tuple(among[place] for place in order), tuple(prompts)


def _r_falling(correlation: MetricCorrelation) -> float:
    value = correlation.correlation.pearson.value
    return 2.0 if value is None else -value


def _of_one(
    single: ScoreTable, correlations: Sequence[MetricCorrelation], rows: Sequence[Ints]
) -> tuple[SubsetResult, ...]:
    """Of each part the one metric of the table."""
    return tuple(result for (result,) in subset_results(single, correlations, rows))
