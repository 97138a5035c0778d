"""The settings of a bias run: those of a scoring run whose metrics are judges, with the sample that is asked about.

`{"metrics": ["judge:coherence"], "models": …, "options": …, "judge": {"endpoint": …}, "stories": 50, "seed": 0}`
"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.judges.probes import MOST_STORIES, STORIES, SampledStory, most_questions
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.judges.study import JudgedStudy
from core.metrics import build, find
from core.metrics.judging.judge import Judge
from core.metrics.run import settings_of


def check_run(run: Mapping[str, Any], scheme: Scheme) -> None:
    """Raise InputError where a study under this scheme cannot have such a run, besides what no scoring run could be."""
    rates_single(scheme)
    for name in run["metrics"]:
        if not issubclass(find(name), Judge):
            raise InputError(f"Biases are measured of judges, such as judge:coherence, and {name} is none.")
    drawn_by(run)


def rates_single(scheme: Scheme) -> None:
    """Raise InputError for a study of pairs."""
    if scheme.unit.of_pairs:
        raise InputError("This study asks which of two stories is better; a judge here rates single ones.")


def drawn_by(run: Mapping[str, Any]) -> tuple[int, int]:
    """How many stories a run draws, and by which seed. Raises InputError where these cannot be."""
    most, seed = int(run.get("stories", STORIES)), int(run.get("seed", 0))
    if not 1 <= most <= MOST_STORIES:
        raise InputError(f"A bias run is of 1 to {MOST_STORIES:,} stories, not {most:,}.")
    return most, seed


def judges_in(run: Mapping[str, Any], judged: JudgedStudy) -> list[Judge]:
    """The run's judges, ready to be asked."""
    built = [build(name, settings_of(run, name, judged=judged)) for name in run["metrics"]]
    return [metric for metric in built if isinstance(metric, Judge)]


def amounts(
    run: Mapping[str, Any], judged: JudgedStudy, sample: Sequence[SampledStory]
) -> list[tuple[Judge, int, int]]:
    """What a run asks at most, a row a judge: how many questions, and the characters of all the stories in them."""
    characters = sum(len(of.story.text) for of in sample)
    times = [(judge, most_questions(judge.question)) for judge in judges_in(run, judged)]
    return [(judge, most * len(sample), most * characters) for judge, most in times]
