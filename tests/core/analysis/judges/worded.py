"""A table of stories that judges have rated in several wordings, some of them on one half of the prompts alone."""

import numpy as np

from core.arrays import Bools
from core.scores import ScoreColumn, ScoreTable

PROMPTS = 24
STORIES = 3
HELD_OUT = frozenset(f"p{number}" for number in range(0, PROMPTS, 2))


def signature(template: str, model: str = "big@1", criterion: str = "overall") -> str:
    """As a judge's that was asked here."""
    options = f"few_shot:0|samples:1|seed:0|temperature:usual|template:{template}@0123456789ab|way:points"
    return f"judge:{criterion}|model:{model}|dtype:float32|{options}|v:1"


def worded_table() -> ScoreTable:
    """`standard` and `mine.1` on all stories, `mine.2` on the development half, `mine.10` on a story more; a judge
    from a file; a metric. The better a wording, the less noise there is in it.
    """
    rng = np.random.default_rng(5)
    prompts = tuple(f"p{number // STORIES}" for number in range(PROMPTS * STORIES))
    human = rng.normal(3, 1, len(prompts))
    held_out = on_held_out(prompts)
    few = held_out & (np.arange(len(prompts)) > 3)

    def column(metric: str, text: str, noise: float, missing: Bools | None = None) -> ScoreColumn:
        values = human + rng.normal(0, noise, len(human))
        return ScoreColumn(metric, text, np.where(missing, np.nan, values) if missing is not None else values, {})

    columns = (
        column("judge:overall", signature("standard"), 3),
        column("judge:overall", signature("mine.1"), 2),
        column("judge:overall", signature("mine.2"), 0.8, held_out),
        column("judge:overall", signature("mine.10"), 0.5, few),
        column("gpt-4o:overall", "file:abc", 1),
        column("bleu", "bleu|v:1", 4),
    )
    return ScoreTable(
        tuple(f"{prompt}-{number % STORIES}" for number, prompt in enumerate(prompts)),
        prompts,
        tuple(f"s{number % STORIES}" for number in range(len(prompts))),
        tuple(f"Story {number}." for number in range(len(prompts))),
        human,
        columns,
    )


def on_held_out(prompts: tuple[str, ...]) -> Bools:
    """Which stories are of the held-out half."""
    return np.array([prompt in HELD_OUT for prompt in prompts])
