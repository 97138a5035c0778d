"""A study's findings, to be put beside a paper: what goes into the folder, and the analyses behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from core.analysis.correlation.limits import Limits, limits
from core.analysis.correlation.metric_order import best_first
from core.analysis.judges.reported import held_out_alone, reported_metric
from core.analysis.judgments.judgments import Judgments, summarise
from core.analysis.judgments.rating_table import RatingTable
from core.analysis.judgments.strictness import strictness
from core.analysis.significance.tests import Significance
from core.analysis.verdict.family import family_of, usual_tests
from core.analysis.verdict.few_stories import without_if_claimed
from core.analysis.verdict.finding import Finding
from core.analysis.verdict.of_study import finding_of_study
from core.analysis.verdict.preferences import ComparedPairs
from core.analysis.verdict.training import training_caution
from core.analysis.verdict.without_degenerate import overturned_finding
from core.annotation.past_imports import RowsLeftOut
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.annotation.target import Target, on_target, question_of
from core.errors import InputError
from core.figures.correlation import metric_names
from core.judges.naming import is_own
from core.report.capability import CapabilityInReport
from core.report.files.html import file_name
from core.report.metric import MetricReport, ReportBasis, metric_report
from core.scores import RatingChoice, ScoreTable
from core.statistics.correlation import MetricCorrelation, correlate_table

INDEX, MANIFEST = "index.html", "manifest.json"
SCORES, STORIES = "data/scores.csv", "data/stories.csv"
LONGEST_NAME = 60


@dataclass(frozen=True)
class BundleChoice:
    """What goes into a bundle besides the findings. `data`: scores and mean ratings by story; `texts`: the stories
    themselves; `seed`, `resamples`: of the bootstrap.
    """

    data: bool = False
    texts: bool = False
    seed: int = 0
    resamples: int = 1000


@dataclass(frozen=True)
class BundledStudy:
    """What a study has to say, as the database holds it.

    `table`: scores and valid ratings of its systems' stories on the `target`; `rated`: single ratings, those of
    controls too; `annotators`: None where the data hides who rated; `held_out`: the prompts on which judges of the
    study's own wording are reported; `sees`: by signature, what a metric sees in test sets; `openings`: the text of
    each prompt, where stories go along; `trained_on`: by signature, on how many of the study's stories a metric
    was trained; `trainings`: by signature, what its checkpoint was trained on, in words; `imported`: whether all
    ratings were; `left_out`: what imports did not bring; `disagreed`: of several criteria those on which nothing
    shows that the ratings agree; `pairs`: of a study of pairs, by signature, what its comparisons say; `measures`: by
    signature, what a metric of the user's own measures.
    """

    study: Study
    target: Target
    table: ScoreTable
    rated: RatingTable
    annotators: int | None
    held_out: frozenset[str]
    sees: Mapping[str, CapabilityInReport]
    app_version: str
    openings: Mapping[str, str] = field(default_factory=dict)
    trained_on: Mapping[str, int] = field(default_factory=dict)
    imported: bool = False
    trainings: Mapping[str, str] = field(default_factory=dict)
    left_out: Sequence[RowsLeftOut] = ()
    disagreed: tuple[str, ...] = ()
    pairs: Mapping[str, ComparedPairs] = field(default_factory=dict)
    measures: Mapping[str, str] = field(default_factory=dict)

    @property
    def scheme(self) -> Scheme:
        """The study's form, with the one question that this is about."""
        return on_target(self.study.scheme, self.target)


@dataclass(frozen=True)
class LinkedReport:
    """A metric's report, and the file that it stands in."""

    report: MetricReport
    file: str


@dataclass(frozen=True)
class Bundle:
    """All that goes into the files. `made`: when, in UTC."""

    source: BundledStudy
    choice: BundleChoice
    made: datetime

    def __post_init__(self) -> None:
        """Raises InputError for a study of which there is nothing to say yet."""
        if not self.source.table.columns and not self.source.table.rated:
            raise InputError(
                f"The study {self.source.study.name!r} has neither ratings nor scores yet: there are no findings. Let "
                "people rate its stories, or run `score`."
            )

    @property
    def missing(self) -> tuple[str, ...]:
        """What the study has not yet, a sentence each."""
        said = []
        if not self.source.table.rated:
            said.append("No story has a valid rating yet, so there is nothing to hold the metrics against.")
        if not self.source.table.columns:
            said.append("No metric has scored these stories yet, so this holds what people said alone.")
        return tuple(said)

    @cached_property
    def judgments(self) -> Judgments:
        """What people said."""
        source, choice = self.source, self.choice
        return summarise(
            source.rated,
            source.scheme,
            annotators=source.annotators,
            raters_identified=source.study.raters_identified,
            seed=choice.seed,
            resamples=choice.resamples,
        )

    @cached_property
    def shown(self) -> ScoreTable:
        """The metrics that are reported, the best first: judges whose wording was tuned here by the held-out half."""
        table = held_out_alone(self.source.table, self.source.held_out)
        columns = tuple(column for column in table.columns if column.scored or not is_own(column.signature))
        return best_first(replace(table, columns=columns))

    @cached_property
    def correlations(self) -> tuple[MetricCorrelation, ...]:
        """Of these metrics, in their order."""
        return tuple(correlate_table(self.shown, seed=self.choice.seed, resamples=self.choice.resamples))

    @cached_property
    def limits(self) -> Limits:
        """One human rater and the ceiling."""
        return limits(self.source.table, seed=self.choice.seed)

    @cached_property
    def reports(self) -> tuple[LinkedReport, ...]:
        """A report a metric, in the order of `shown`; none where no story is rated."""
        if not self.source.table.rated:
            return ()
        own = {(column.metric, column.signature) for column in self.source.table.columns}
        table, seed, resamples = self.source.table, self.choice.seed, self.choice.resamples
        among = correlate_table(table, seed=seed, resamples=resamples)
        family = family_of(table, self.source.trained_on)
        tested = usual_tests(table, metric_names(table.columns), family, seed=seed, resamples=resamples)
        reports = [
            self._report(column.signature, among, tested)
            for column in self.shown.columns
            if (column.metric, column.signature) in own
        ]
        return tuple(
            LinkedReport(report, f"reports/{number:02d}-{file_name(report.name).strip('-')[:LONGEST_NAME]}.html")
            for number, report in enumerate(reports, 1)
        )

    @cached_property
    def finding(self) -> Finding | None:
        """Which metric agrees best with people; None where none can be set against ratings."""
        if not self.reports:
            return None
        source, seed = self.source, self.choice.seed
        disagree = self.judgments.agreement["valid"].reliability.disagree
        return finding_of_study(
            self.shown,
            metric_names(self.shown.columns),
            self.correlations,
            one_rater=self.limits.one_rater,
            disagree=disagree,
            trained_on=source.trained_on,
            strictness=strictness(source.rated, source.table.keys, seed=seed)
            if disagree and source.study.raters_identified
            else None,
            seed=seed,
        )

    @cached_property
    def overturned(self) -> str:
        """What leaving degenerate stories out overturns of the finding, in a sentence; "" where it is nothing."""
        if self.finding is None:
            return ""
        ups = {
            report.signature: replace(report.check_up, r_without=without_if_claimed(report.check_up, report.prompts))
            for report in (linked.report for linked in self.reports)
        }
        named = [
            (name, column.signature)
            for name, column in zip(metric_names(self.shown.columns), self.shown.columns, strict=True)
            if column.signature in ups
        ]
        signatures = [signature for _, signature in named]
        return overturned_finding(
            [name for name, _ in named],
            signatures,
            [ups[signature] for signature in signatures],
            self.finding.best,
            self.source.trained_on,
            among_all=self.finding.r,
        )

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What has to be said of metrics that were trained on this study, and of judges that were tuned on it."""
        names = zip(metric_names(self.source.table.columns), self.source.table.columns, strict=True)
        seen = {name: self.source.trained_on.get(column.signature, 0) for name, column in names}
        said = [training_caution({name: number for name, number in seen.items() if number})]
        for column in self.source.table.columns:
            try:
                tuned = reported_metric(self.source.table, column, self.source.held_out)
            except InputError as refused:  # it has no score where it could be reported
                said.append(str(refused))
                continue
            said += tuned.cautions if tuned else ()
        return tuple(dict.fromkeys(filter(None, said)))

    def _report(self, signature: str, among: tuple[MetricCorrelation, ...], tested: Significance) -> MetricReport:
        source = self.source
        column = next(column for column in source.table.columns if column.signature == signature)
        tuned = reported_metric(source.table, column, source.held_out)
        scheme = source.scheme
        basis = ReportBasis(
            source.study.name,
            source.study.demonstration,
            (scheme.lowest, scheme.highest),
            RatingChoice.VALID,
            tuned.excluded if tuned else {},
            self.choice.seed,
            self.choice.resamples,
            self.made,
            source.target.title if len(source.study.scheme.criteria) > 1 else "",
            source.trained_on.get(signature, 0),
            question_of(source.study.scheme, source.target),
            source.annotators,
            source.imported,
            frozenset(source.trained_on),
            source.trainings.get(signature, ""),
            source.left_out,
            source.disagreed,
            measures=source.measures.get(signature, ""),
        )
        return metric_report(
            tuned.table if tuned else source.table,
            signature,
            basis,
            among=None if tuned else among,
            tested=None if tuned else tested,
            sees=source.sees.get(signature),
            pairs=source.pairs.get(signature),
        )
