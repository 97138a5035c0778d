"""Small test sets with scores that are known: what the tests of the page Capability and of the report start from."""

import numpy as np

from core.analysis.capability.scoring import lay_out
from core.metrics.base import Scores
from core.people import TERMINAL
from core.perturb.cases import Case, Of
from core.perturb.edits import Draft
from db.test_sets import set_scores, test_sets

STORIES = 36


def case(number: int, aspect: str, label: int, new: str = "", *, of: Of = Of.HUMAN, good: float | None = None) -> Case:
    """A story of its own, whose last word `new` replaces; `good`: how acceptable that is."""
    text = f"Ann had {number} cats. They slept all day. She was glad"
    draft = Draft(text)
    if new:
        draft.step("mistype" if aspect == "typos" else "deny", "a way", [(len(text) - 4, len(text), new)])
    return Case(f"s{number}", aspect, label, "", draft.done(), of=of, acceptable=good)


def discrimination(stories: int = STORIES) -> list[Case]:
    """Two aspects with a coherent and a changed story each; a third of the changed ones do not pass the filter."""
    return [
        item
        for number in range(stories)
        for aspect, new in (("consistency", "sad"), ("causal", "red"))
        for item in (case(number, aspect, 1), case(number, aspect, 0, new, good=0.2 if number % 3 == 0 else 0.9))
    ]


def invariance(stories: int = STORIES) -> list[Case]:
    """Typing errors in human and in incoherent stories."""
    return [
        case(number, "typos", 0, f"gald{of[:1]}", of=of)
        for number in range(stories)
        for of in (Of.HUMAN, Of.INCOHERENT)
    ]


def keep(name: str, cases: list[Case], of: str = "") -> int:
    """A set under its name."""
    return test_sets.add(TERMINAL, name, cases, {"of": of, "seed": 4, "made_with": {"lexicon": "by hand"}})


def read(number: int, metric: str = "keen", signature: str = "", *, undefined: str = "") -> None:
    """Scores of a set: `keen` marks `sad` and `red` and typing errors down, any other metric sees nothing; texts that
    hold `undefined` have none.
    """
    rng = np.random.default_rng(len(metric))
    layout = lay_out([kept_case.case for kept_case in test_sets.cases(TERMINAL, number, struck=False)])
    values, reasons = [], {}
    for place, story in enumerate(layout.stories):
        own = rng.normal() + 5 * float(story.text.split()[-1] == "glad") * (metric == "keen")
        if undefined and undefined in story.prompt + story.text:
            own, reasons[place] = np.nan, "it is <b>odd</b>"
        values.append(own)
    of = set_scores.begin(number, metric, signature or f"{metric}|v:1")
    hashes = [story.content_hash for story in layout.stories]
    set_scores.store(number, of, hashes, Scores(np.array(values), reasons))
