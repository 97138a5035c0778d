"""Judges on trial as plain JSON objects; see `commands.json.results`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from commands.json.results import coefficient_row
from core.analysis.judges.alternative import Alignment, AlternativeTest
from core.analysis.judges.biases import Biases, JudgeBiases
from core.analysis.judges.quotes import QuoteOverlap
from core.analysis.judges.replacement import JudgeTest, Standard, verdicts
from core.analysis.judges.reported import Reported
from core.analysis.judges.trial import JudgeTrial, Trial
from core.analysis.judges.wordings import Wordings
from core.analysis.significance.tests import PairTest
from core.annotation.studies import Study
from core.annotation.target import Target
from core.formats.plain_json import plain
from core.scores import ScoreTable
from core.statistics.correlation import NAMES, Correlation
from core.stored_texts import strings_at


@dataclass(frozen=True)
class Tried:
    """What may be reported of a target's judges, the trial of these, their biases, and what they quote beside people's
    marks.
    """

    reported: Reported
    trial: Trial
    biases: Biases
    quotes: Mapping[str, QuoteOverlap | str]


def alternative_report(
    study: Study | None,
    tests: Mapping[str, Sequence[JudgeTest]],
    standard: Standard,
    alignment: Alignment,
    seed: int,
    reported: Mapping[str, Reported],
    disagreed: Collection[str],
) -> dict[str, Any]:
    """What `alt-test --json` prints: a row a judge and target; `n` counts a person's instances. `reported`: by target,
    what of a study's judges may be; `disagreed`: the targets on which nothing shows that the ratings agree, of which
    `passed` is what the test says all the same.
    """
    return {
        "study": None if study is None else study.name,
        "demonstration": study is not None and study.demonstration,
        "scoring": alignment.value,
        "epsilon": standard.epsilon,
        "annotators": standard.annotators,
        "seed": seed,
        "rows": [_row(target, row) for target, of in tests.items() for row in of],
        "verdicts": verdicts(tests, standard, disagreed),
        "disagreed": list(disagreed),
        "wordings": {target: wordings_row(of) for target, of in reported.items()},
    }


def wordings_row(of: Reported) -> dict[str, Any]:
    """How many wordings of the study's own were tried, which judges are reported on the held-out half alone, and which
    are not reported.
    """
    return {**plain(of.tried), "held_out": of.held_out, "waiting": of.waiting}


def _row(target: str, row: JudgeTest) -> dict[str, Any]:
    return {
        "judge": row.judge,
        "target": target or None,
        "signatures": row.signatures,
        "calibrated": row.calibrated,
        **_test(row.test),
    }


def _test(test: AlternativeTest) -> dict[str, Any]:
    return {
        "winning_rate": test.winning_rate,
        "advantage_probability": test.advantage_probability,
        "passed": test.passed,
        "instances": test.instances,
        "undefined": test.undefined,
        "cautions": test.cautions(),
        "people": [
            {
                "person": one.person,
                "n": one.n,
                "advantage": one.judge,
                "human": one.human,
                "p": one.p,
                "rejected": one.won,
                "wilcoxon": one.few and one.p is not None,
            }
            for one in test.people
        ],
    }


def trial_report(
    study: Study, tried: Mapping[str, Tried], run: Mapping[str, Any] | None, seed: int, resamples: int
) -> dict[str, Any]:
    """What `judge --json` prints: by target, in words, the judges that agree most with people first. `run`: what
    `score` says of the judge that was asked first, None where none was.
    """
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "run": None if run is None else {"rows": run["rows"], "notices": run["notices"]},
        "seed": seed,
        "resamples": resamples,
        "targets": {target: _trial(of) for target, of in tried.items()},
    }


def _trial(tried: Tried) -> dict[str, Any]:
    trial, biases = tried.trial, tried.biases
    of = {row.judge.name: row for row in biases.rows}
    return {
        "n": trial.rated,
        "one_rater": {name: limit.one_rater for name, limit in trial.limits.items()},
        "ceiling": trial.limits["pearson"].ceiling,
        "caution": trial.limits["pearson"].caution,
        "words": plain(biases.words),
        "between_judges": plain(biases.between_judges),
        "wordings": wordings_row(tried.reported),
        "rows": [
            _judge(tried.reported.table, row, of[row.judge.name]) | {"quotes": plain(tried.quotes.get(row.judge.name))}
            for row in trial.judges
        ],
    }


def _judge(table: ScoreTable, row: JudgeTrial, biases: JudgeBiases) -> dict[str, Any]:
    keys = strings_at(table.keys, np.array([one.story for one in row.disagreements], dtype=np.intp))
    names = ("lenient", "pooled", "equal_length", "longer", "length", "family", "wordings")
    return {
        "judge": row.judge.name,
        "signatures": row.judge.signatures,
        "n": row.n,
        **{level: _correlation(getattr(row, level)) for level in ("pooled", "prompt", "system")},
        "confusion": plain(row.confusion),
        "disagreements": [
            {"story": key, "human": one.human, "judge": one.judge, "apart": one.apart}
            for key, one in zip(keys, row.disagreements, strict=True)
        ],
        "biases": {name: plain(getattr(biases, name)) for name in names}
        | {"relatives": biases.relatives, "variants": biases.variants},
    }


def _correlation(of: Correlation) -> dict[str, Any]:
    return {"n": of.n, **{name: coefficient_row(getattr(of, name)) for name in NAMES}, "undefined": of.undefined}


def wordings_report(
    study: Study,
    target: Target,
    found: Wordings,
    pair: PairTest | None,
    prompts: Mapping[str, int],
    coefficient: str,
    seed: int,
    resamples: int,
) -> dict[str, Any]:
    """What `wording --json` prints. `prompts`: of each half; `comparison`: null where none was asked for."""
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "target": target.text,
        "coefficient": coefficient,
        "seed": seed,
        "resamples": resamples,
        "prompts": prompts,
        "n": found.rated,
        **plain(found.tried),
        "rows": [
            {
                "judge": row.judge.name,
                "signatures": row.judge.signatures,
                "template": row.asked.template,
                "way": row.asked.way,
                "model": row.asked.model,
                "own": row.asked.own,
                "held_out": row.held_out,
                **_correlation(row.correlation),
            }
            for row in found.rows
        ],
        "comparison": None if pair is None else plain(pair),
    }
