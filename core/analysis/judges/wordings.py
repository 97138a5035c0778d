"""The wordings that a study's judges were tried in: how far each agrees with people on the development half of the
prompts, which of two agrees more, and how far one agrees on the held-out half alone.
"""

import difflib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judges.columns import JudgeRatings, judges_of
from core.analysis.judges.reported import Tried, on_half, tried
from core.analysis.judges.trial import as_table
from core.analysis.significance.tests import PairTest, SignificanceSettings, compare_table
from core.errors import InputError
from core.judges.naming import AskedJudge, asked_judge
from core.judges.template import Template
from core.scores import ScoreTable
from core.statistics.correlation import Correlation, correlate_columns

CONTEXT = 1
"""Unchanged lines that are shown around those that differ."""


@dataclass(frozen=True)
class Wording:
    """A judge in some words. `correlation`: with people, on the development half; `held_out`: how many stories of the
    other half it has scored.
    """

    judge: JudgeRatings
    asked: AskedJudge
    correlation: Correlation
    held_out: int


@dataclass(frozen=True)
class Wordings:
    """All that were tried, those of the standard template first, then by name and version. `rated`: the stories of
    the development half that people rated.
    """

    rows: tuple[Wording, ...]
    tried: Tried
    rated: int

    def named(self, name: str) -> Wording:
        """The judge of this name, or the only one of this template. Raises InputError naming those there are."""
        found = [row for row in self.rows if row.judge.name == name]
        found = found or [row for row in self.rows if row.asked.template == name]
        if len(found) == 1:
            return found[0]
        there = ", ".join(row.judge.name for row in self.rows) or "none"
        raise InputError(
            f"{len(found)} judges were asked by the template {name!r}: name one of {there}."
            if found
            else f"No judge was asked in the wording {name!r} on the development half; there are {there}."
        )


def wordings(
    table: ScoreTable, criteria: Sequence[str], held_out: Collection[str], *, seed: int = 0, resamples: int = 1000
) -> Wordings:
    """Every judge of these criteria that was asked here and has scores on the development half, in whatever words.

    `held_out`: the keys of the prompts of that half. Intervals are 95 %, from draws of whole prompts of the half.
    """
    other = on_half(table, held_out)
    half = table.take(np.flatnonzero(~other))
    judges = [judge for judge in _asked(table, criteria) if np.isfinite(judge.values[~other]).any()]
    values = [judge.values[~other] for judge in judges]
    found = correlate_columns(values, half.human, half.prompts, seed=seed, resamples=resamples)
    rows = [
        Wording(judge, asked, correlation, int(np.isfinite(judge.values[other]).sum()))
        for judge, correlation in zip(judges, found, strict=True)
        if (asked := asked_judge(judge.signatures[0]))
    ]
    return Wordings(tuple(sorted(rows, key=_place)), tried(table, criteria, held_out), half.rated)


def compare_wordings(
    table: ScoreTable, new: Wording, old: Wording, held_out: Collection[str], settings: SignificanceSettings
) -> PairTest:
    """The paired test of two wordings' correlations with people on the development half; `a` is the new one."""
    half = as_table(table, [new.judge, old.judge]).take(np.flatnonzero(~on_half(table, held_out)))
    (test,) = compare_table(half, [new.judge.name, old.judge.name], settings).rows
    return test if test.a == new.judge.name else test.turned


def report_wording(
    table: ScoreTable, wording: Wording, held_out: Collection[str], *, seed: int = 0, resamples: int = 1000
) -> Correlation:
    """How far a wording agrees with people on the held-out half alone."""
    values = [np.where(on_half(table, held_out), wording.judge.values, np.nan)]
    return correlate_columns(values, table.human, table.prompts, seed=seed, resamples=resamples)[0]


def changes(old: Template, new: Template) -> str:
    """What differs in the new wording, line by line: `-` before what was, `+` before what is; "" for nothing."""
    lines = []
    for before, after in ((old.system, new.system), (old.user, new.user)):
        changed = difflib.unified_diff(before.splitlines(), after.splitlines(), n=CONTEXT, lineterm="")
        lines += [line for line in changed if not line.startswith(("---", "+++"))]
    return "\n".join(lines)


def _asked(table: ScoreTable, criteria: Sequence[str]) -> list[JudgeRatings]:
    return [
        judge
        for judge in judges_of(table.columns, criteria)
        if all(asked_judge(signature) for signature in judge.signatures)
    ]


def _place(row: Wording) -> tuple[object, ...]:
    name, _, version = row.asked.template.rpartition(".")
    numbered = re.fullmatch("[0-9]+", version) is not None
    title = (name, int(version)) if numbered else (row.asked.template, 0)
    return (row.asked.own, *title, row.judge.name)
