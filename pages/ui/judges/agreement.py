"""How far judges agree with people: each beside one human rater and the ceiling, and on every criterion."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.analysis.criteria.heat_map import Level
from core.analysis.judges.heat_map import JudgeMap
from core.analysis.judges.trial import LEAST_SHARE, JudgeTrial, Trial
from core.analysis.verdict.criteria import no_claim_on, without_marks
from core.analysis.verdict.few_stories import described, no_claim, trial_if_claimed
from core.analysis.verdict.grade import DISAGREE
from core.analysis.verdict.grade import TOO_FEW as REASON_FEW
from core.analysis.verdict.judges import compared, of_one_step, on_judges
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import claimed
from core.figures.correlation import AXES, by_metric
from core.figures.data import figure_rows
from core.figures.judges.trial import judges_by_criteria
from core.formats.results_csv import ResultRow
from core.judges.naming import asked_judge
from core.statistics.correlation import Coefficient, Correlation, MetricCorrelation
from core.statistics.intervals import Estimate
from pages.ui.judges.results import map_of, show_disagreements
from pages.ui.shared.analysis.finding import agreement, verdict
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.tables.column_notes import INTERVAL, P_OF_SYSTEMS
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.tables.no_claim import with_no_claim
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

P_SYSTEMS = "p, systems"
LEVELS = {Level.PROMPT: "Stories of a prompt", Level.SYSTEM: "Systems"}
NOTES = {
    "stories": "Over single stories",
    "prompts": "Among the stories of a prompt, averaged over prompts: which of them is better",
    "systems": "Over the systems' means; the interval keeps these systems, p does not",
}
SCORES = (
    "A judge's score of a story is the mean of its possible answers, each weighted by the probability that the model "
    "gives it, where the model tells these: so it may be 1.85. Else it is the answer itself, or the mean of several."
)


def agreement_section(shown: View, trial: Trial, coefficient: str, disagreed: Collection[str]) -> None:
    """The judges on the target, and all criteria at a glance. `disagreed`: the criteria on which nothing shows that the
    ratings agree.
    """
    first = next(iter(compared(trial)), trial.judges[0])
    disagree = agreement(shown).disagree
    if said := on_judges(trial, prompts_behind(shown.table, first.judge.values), disagree=disagree):
        verdict(escaped(said))
    if alike := of_one_step([row.judge for row in trial.judges], shown.scheme.main.steps):
        st.caption(escaped(alike))
    drawn = partial(by_metric, coefficient=coefficient, limits=trial.limits[coefficient], of="judge")
    judges, too_few = trial_if_claimed(trial.judges, shown.table, agreed=not disagree)
    of_each = _no_claims(trial, shown, agreed=not disagree)
    chart(
        drawn(_pooled(judges)),
        key="judge_agreement",
        alt="Agreement of each judge with people",
        data_rows=lambda: with_no_claim(
            figure_rows(drawn(_pooled(trial.judges))), _dots(trial.judges, coefficient, of_each)
        ),
        on_points=_mark,
    )
    if trial.limits[coefficient].one_rater is not None:
        st.caption(
            "A judge left of *one human rater* tells less than one more rating would; the ceiling is what a perfect "
            "judge could reach against such ratings."
        )
        _same_stories(trial)
    symbol = AXES[coefficient].split()[-1]
    table_with_downloads(
        _rows(judges, coefficient),
        "Judges",
        formats={P_SYSTEMS: P},
        notes={f"{symbol}, {where}": note for where, note in NOTES.items()}
        | {"n": "Stories with a rating by the judge and by people", P_SYSTEMS: f"Of {symbol}. {P_OF_SYSTEMS}"},
        data_rows=with_no_claim(_rows(trial.judges, coefficient), of_each),
        on_row=lambda row: show_disagreements(trial.judges[row].judge.name),
    )
    if asked := _asked_here(judges):
        st.caption(escaped(asked))
    of_p = f"“{P_SYSTEMS}” is of {AXES[coefficient]}: another coefficient has another p. " if not disagree else ""
    st.caption(f"{of_p}Press a dot or a row for the stories on which the judge and people part. {SCORES}")
    if too_few:
        st.caption(too_few)
    if shown.table.criteria:
        few = {
            row.judge.name for row in trial.judges if not claimed(row.n, prompts_behind(shown.table, row.judge.values))
        }
        _every_criterion(shown, coefficient, few, disagreed)


def _rows(judges: Sequence[JudgeTrial], coefficient: str) -> list[ResultRow]:
    symbol = AXES[coefficient].split()[-1]
    return [
        {
            "Judge": row.judge.name,
            "n": row.n,
            f"{symbol}, stories": _estimate(row.pooled, coefficient),
            f"{symbol}, prompts": _estimate(row.prompt, coefficient),
            f"{symbol}, systems": _estimate(row.system, coefficient),
            P_SYSTEMS: getattr(row.system, coefficient).p,
            "Signature": ", ".join(row.judge.signatures),
        }
        for row in judges
    ]


def _no_claims(trial: Trial, shown: View, *, agreed: bool) -> list[str]:
    """Why nothing may be claimed of each judge, for files that have its numbers all the same; "" where something is."""
    return [no_claim(row.n, prompts_behind(shown.table, row.judge.values), agreed=agreed) for row in trial.judges]


def _dots(judges: Sequence[JudgeTrial], coefficient: str, of_each: Sequence[str]) -> list[str]:
    """The same of each dot of their figure, which is drawn from the bottom."""
    drawn = [getattr(row.pooled, coefficient).value is not None for row in judges]
    return [reason for reason, there in zip(of_each, drawn, strict=True) if there][::-1]


def _asked_here(judges: Sequence[JudgeTrial]) -> str:
    """Which model is behind each judge that was asked here, and in which words: their names need not say it. "" where
    all come from files.
    """
    said = []
    for row in judges:
        if asked := asked_judge(row.judge.signatures[0]):
            said.append(f"{row.judge.name} is {asked.model}, asked for {asked.way} (wording: {asked.wording})")
    return f"{'; '.join(said)}." if said else ""


def _same_stories(trial: Trial) -> None:
    """Which stories both lines are of, where these are not all that people have rated, or not those of every judge."""
    of = f"the {trial.judged:,} of" if trial.judged < trial.rated else "all"
    said = [f"Both lines are computed from {of} {trial.rated:,} stories rated by people that a judge has rated, too."]
    if trial.on_part:
        few = ", ".join(f"{row.judge.name} has rated only {row.n:,}" for row in trial.on_part)
        said.append(f"Of these {few}: on these alone the line of one human rater may lie elsewhere.")
    if trial.on_part or trial.judged < LEAST_SHARE * trial.rated:
        st.caption(escaped(" ".join(said)))


def _estimate(correlation: Correlation, coefficient: str) -> Estimate:
    cell = getattr(correlation, coefficient)
    return Estimate(cell.value, cell.low, cell.high, correlation.undefined)


def _pooled(judges: Sequence[JudgeTrial]) -> list[MetricCorrelation]:
    return [MetricCorrelation(row.judge.name, "", None, row.pooled) for row in judges]


def _every_criterion(shown: View, coefficient: str, few: Collection[str], disagreed: Collection[str]) -> None:
    """`few`: the judges of too few stories for more than a value; `disagreed`: the criteria without marks."""
    st.header("On every criterion")
    level = st.segmented_control(
        "Over",
        list(LEVELS),
        format_func=LEVELS.__getitem__,
        default=Level.PROMPT,
        required=True,
        key="over",
        bind="query-params",
    )
    result = map_of(shown.key, level, coefficient, shown.table, shown.seed, shown.resamples)
    cells = tuple(
        tuple(Coefficient(cell.value) for cell in row)
        if judge in few
        else tuple(
            described(cell) if criterion in disagreed else cell
            for criterion, cell in zip(result.criteria, row, strict=True)
        )
        for judge, row in zip(result.judges, result.cells, strict=True)
    )
    of_cells = [
        REASON_FEW if judge in few else DISAGREE if criterion in disagreed else ""
        for judge in result.judges
        for criterion in result.criteria
    ]
    chart(
        judges_by_criteria(replace(result, cells=cells)),
        key="judges_by_criteria",
        alt="Agreement of each judge on each criterion",
        data_rows=lambda: with_no_claim(figure_rows(judges_by_criteria(result)), of_cells),
        on_points=_mark,
    )
    of_criteria = no_claim_on([criterion for criterion in result.criteria if criterion in disagreed])
    table_with_downloads(
        _map_rows(replace(result, cells=cells)),
        "Judges by criteria",
        data_rows=with_no_claim(
            _map_rows(result), [REASON_FEW if judge in few else of_criteria for judge in result.judges]
        ),
        on_cell=lambda row, column: _of_cell(result, row, column),
    )
    st.caption(
        f"{AXES[coefficient]} with people's mean; the judges that agree most on average stand on top. Press a cell for "
        "the stories on which the judge and people part on the criterion. "
        + escaped(without_marks([criterion for criterion in result.criteria if criterion in disagreed]))
    )


def _map_rows(result: JudgeMap) -> list[ResultRow]:
    return [
        {"Judge": judge}
        | {
            criterion: Estimate(cell.value, cell.low, cell.high, reason)
            for criterion, cell, reason in zip(result.criteria, row, reasons, strict=True)
        }
        for judge, row, reasons in zip(result.judges, result.cells, result.reasons, strict=True)
    ]


def _mark(points: list[dict[str, Any]]) -> None:
    parts = carried(points)
    if parts:
        show_disagreements(*parts)


def _of_cell(result: JudgeMap, row: int, column: str) -> None:
    """Of a cell of the table, a value or its interval; a judge's own name is of no criterion."""
    judge, criterion = result.judges[row], column.removeprefix(f"{INTERVAL} of ")
    if criterion in result.criteria and result.rates(judge, criterion):
        show_disagreements(judge, criterion)
