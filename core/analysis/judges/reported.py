"""What may be reported of a study's judges: those whose wording was tuned here, on the half of the prompts alone that
it was not tuned on.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.judges.columns import JudgeRatings, judges_of
from core.arrays import Bools
from core.errors import InputError
from core.judges.naming import asked_judge, is_own, judge_column
from core.scores import PairColumn, ScoreColumn, ScoreTable

TUNED_ON = "its wording was tuned on the development half"
"""Why a story has no score of such a judge in what is reported."""
WHERE = "on the Judges page under Wording, or by `score --half held-out`"


@dataclass(frozen=True)
class Tried:
    """Judges of a study's own wording that have scores on the development half: how many `wordings`, that is versions
    of templates, and `judges`, which are more where a wording was tried with several models, ways or options.
    """

    wordings: int
    judges: int

    @property
    def text(self) -> str:
        """`3 versions of the wording were tried`, or that there was none of the study's own."""
        if not self.wordings:
            return "Only the wording that comes with Fabula was tried"
        many = self.wordings != 1
        several = f" (as {self.judges:,} judges, with their models and options)" if self.judges > self.wordings else ""
        return (
            f"{self.wordings:,} version{'s' if many else ''} of the wording{several} {'were' if many else 'was'} tried"
        )


@dataclass(frozen=True)
class Reported:
    """A study's table as judges are reported on, in which those of the study's own wording have the scores of the
    held-out half alone, and are left out where they have none there.

    `tried`, `held_out`, `waiting`: of the criteria that are looked at, how many wordings were tried, the judges that
    are reported on the held-out half alone, and those that are left out.
    """

    table: ScoreTable
    tried: Tried
    held_out: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def cautions(self) -> tuple[str, ...]:
        """What has to be said with any figure, a sentence each."""
        said = []
        if self.held_out:
            one = len(self.held_out) == 1
            said.append(
                f"{', '.join(self.held_out)}: the wording is this study's own, and {self.tried.text} on the "
                "development half of the prompts. The figures are of the held-out half alone."
                + ("" if one else " Whoever chooses among them by these figures tunes on that half too.")
            )
        if self.waiting:
            said.append(
                f"{', '.join(self.waiting)}: not reported. {'Its' if len(self.waiting) == 1 else 'Their'} wording was "
                f"tuned on the development half of the prompts, where {self.tried.text}, and there is no score on the "
                f"held-out half. Run it there: {WHERE}."
            )
        return tuple(said)


def reported(table: ScoreTable, criteria: Sequence[str], held_out: Collection[str]) -> Reported:
    """The table as judges of these criteria are reported on. `held_out`: the keys of the prompts of that half."""
    masked = held_out_alone(table, held_out)
    judges = [judge for judge in judges_of(masked.columns, criteria) if _own(judge)]
    there = {judge.name: bool(np.isfinite(judge.values).any()) for judge in judges}
    columns = [column for column in masked.columns if column.scored or not is_own(column.signature)]
    return Reported(
        replace(masked, columns=tuple(columns)),
        tried(table, criteria, held_out),
        tuple(name for name, known in there.items() if known),
        tuple(name for name, known in there.items() if not known),
    )


def held_out_alone(table: ScoreTable, held_out: Collection[str]) -> ScoreTable:
    """The table in which judges of the study's own wording have no scores but those of the held-out half."""
    left_out = ~on_half(table, held_out)
    return replace(table, columns=tuple(_masked(column, left_out) for column in table.columns))


@dataclass(frozen=True)
class ReportedMetric:
    """The stories that a metric is reported on whose wording was tuned here, how many are left out for that, in words,
    and what is said with the figures.
    """

    table: ScoreTable
    excluded: Mapping[str, int]
    cautions: tuple[str, ...]


def reported_metric(table: ScoreTable, column: ScoreColumn, held_out: Collection[str]) -> ReportedMetric | None:
    """The held-out half for a metric of the table whose wording was tuned here, None for any other.

    Raises InputError where it has no score there.
    """
    of = judge_column(column.metric)
    if of is None or not is_own(column.signature):
        return None
    judge = next(one for one in judges_of(table.columns, (of.criterion,)) if column.signature in one.signatures)
    found = reported(table, (of.criterion,), held_out)
    if judge.name in found.waiting:
        raise InputError(replace(found, held_out=(), waiting=(judge.name,)).cautions[0])
    rows = on_half(table, held_out)
    left_out = {f"of the development half, where {found.tried.text}": int((~rows).sum())}
    cautions = replace(found, held_out=(judge.name,), waiting=()).cautions
    return ReportedMetric(table.take(np.flatnonzero(rows)), left_out, cautions)


def tried(table: ScoreTable, criteria: Sequence[str], held_out: Collection[str]) -> Tried:
    """How many wordings of judges of these criteria have been tried."""
    development = ~on_half(table, held_out)
    judges = [
        judge
        for judge in judges_of(table.columns, criteria)
        if _own(judge) and np.isfinite(judge.values[development]).any()
    ]
    titles = {asked.template for judge in judges if (asked := asked_judge(judge.signatures[0]))}
    return Tried(len(titles), len(judges))


def on_half(table: ScoreTable, prompts: Collection[str]) -> Bools:
    """Which stories are of these prompts."""
    return np.array([key in prompts for key in table.prompts], dtype=np.bool_)


def _own(judge: JudgeRatings) -> bool:
    return any(is_own(signature) for signature in judge.signatures)


def _masked(column: ScoreColumn, left_out: Bools) -> ScoreColumn:
    if not is_own(column.signature):
        return column
    reasons = {**column.reasons, **dict.fromkeys(np.flatnonzero(left_out).tolist(), TUNED_ON)}
    return replace(column, values=np.where(left_out, np.nan, column.values), reasons=reasons)


def pairs_held_out(columns: Sequence[PairColumn], held_out: Collection[str]) -> list[PairColumn]:
    """What judges of pairs say; of those in the study's own wording on the held-out half alone, as they judge all pairs
    at once. `held_out`: the keys of the prompts of that half.
    """
    return [_pairs_masked(column, held_out) if is_own(column.signature) else column for column in columns]


def pairs_caution(signatures: Mapping[str, str]) -> str:
    """What has to be said of judges of pairs in the study's own wording, "" without one. `signatures`: of all judges of
    pairs, by their names.
    """
    own = {name: asked for name, signature in signatures.items() if (asked := asked_judge(signature)) and asked.own}
    if not own:
        return ""
    tried = Tried(len({asked.template for asked in own.values()}), len(own))
    return (
        f"{', '.join(own)}: the wording is this study's own, and {tried.text}. The figures are of the held-out half of "
        "the prompts alone."
    )


def _pairs_masked(column: PairColumn, held_out: Collection[str]) -> PairColumn:
    left_out = np.array([key not in held_out for key in column.prompts], dtype=np.bool_)
    forward, backward = (np.where(left_out, np.nan, said) for said in (column.forward, column.backward))
    reasons = {**column.reasons, **dict.fromkeys(np.flatnonzero(left_out).tolist(), TUNED_ON)}
    return replace(column, forward=forward, backward=backward, reasons=reasons)
