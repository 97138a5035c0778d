"""Judges on trial as plain JSON objects; see `commands.json.results`."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.judges.alternative import Alignment, AlternativeTest
from core.analysis.judges.replacement import JudgeTest, Standard, verdicts
from core.annotation.studies import Study


def alternative_report(
    study: Study | None, tests: Mapping[str, Sequence[JudgeTest]], standard: Standard, alignment: Alignment, seed: int
) -> dict[str, Any]:
    """What `alt-test --json` prints: a row a judge and target; `n` counts a person's instances."""
    return {
        "study": None if study is None else study.name,
        "demonstration": study is not None and study.demonstration,
        "scoring": alignment.value,
        "epsilon": standard.epsilon,
        "annotators": standard.annotators,
        "seed": seed,
        "rows": [_row(target, row) for target, of in tests.items() for row in of],
        "verdicts": verdicts(tests, standard),
    }


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
        "undefined": test.undefined,
        "cautions": test.cautions,
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
