"""How a long story is best read: cut, or in windows, by held-out pairs that are longer than what was trained on.

    python scripts/union/windows.py FOLDER [--stories N]

FOLDER as for `build.py`. The pairs: stories of WritingPrompts in full, whose beginnings no shipped checkpoint was
trained on, each beside a negative of all of it. A story's number is the mean logit of its windows. Each way of reading
stands beside the cut, with the 95 % interval of the bootstrap over stories. The outcome stands in
docs/results/union-long-stories.md.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from core.arrays import Floats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.checkpoint import load
from core.checkpoints.store import SHIPPED
from core.english.knowledge import shared_wordnet
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, locate
from core.perturb.negatives.sampler import Sampler
from core.statistics.roc import area
from core.stories import first_words, sentences
from core.training.engine.held_out import number_of
from core.windows import windows
from scripts.union.build import PASSAGE_WORDS, SEED, writing_prompts

WORDS = PASSAGE_WORDS
HELD_OUT = 0.095
"""The trainings held out a tenth; a little less is surely among it."""
CHECKPOINTS = ("union", "union-no-recon", "union-wp", "union-wp-no-recon")
"""They share corpus, seed and base: a text is read once for all."""
AT_ONCE = 64
DRAWS = 2_000


def apart(text: str, words: int = WORDS) -> list[str]:
    """As the metric reads it."""
    return [text[start:end] for start, end in windows(text, words)]


def overlapping(text: str, words: int = WORDS) -> list[str]:
    """Each begins at the first sentence from the middle of the one before on; the last is that of `apart`."""
    places = sentences(text)
    before = [len(text[:start].split()) for start, _ in places]
    result, first = [], 0
    while len(text.split()) - before[first] > words:
        behind = first + 1
        while len(text[places[first][0] : places[behind][1]].split()) <= words:
            behind += 1
        result.append(text[places[first][0] : places[behind - 1][1]])
        middle = (before[first] + before[behind]) / 2
        first = next(i for i in range(first + 1, behind + 1) if i == behind or before[i] >= middle)
    return [*result, apart(text, words)[-1]]


def opened(text: str, read: Callable[[str, int], list[str]]) -> list[str]:
    """What follows the first sentence, with that in front of each window."""
    end = sentences(text)[0][1]
    opening, rest = text[:end], text[end:].strip()
    left = WORDS - len(opening.split())
    if len(text.split()) <= WORDS or left < WORDS / 2:
        return read(text, WORDS)
    return [f"{opening} {window}" for window in read(rest, left)]


WAYS: dict[str, Callable[[str], list[str]]] = {
    "cut": lambda text: [first_words(text, WORDS)],
    "windows": apart,
    "windows that overlap": overlapping,
    "windows, the opening before each": lambda text: opened(text, apart),
    "windows that overlap, the opening before each": lambda text: opened(text, overlapping),
    "all at once": lambda text: [text],
}


def long_pairs(folder: Path, scorer: Scorer, most: int | None) -> list[str]:
    """Human story and negative in turn, as the checkpoints read them."""
    every = list(dict.fromkeys(scorer.prepared(story, 0) for story in writing_prompts(folder)))
    held = [story for story in every if number_of(f"{SEED} {first_words(story, WORDS)}") <= HELD_OUT]
    sampler, result = Sampler(every, shared_wordnet()), []
    for story in held:
        altered = sampler.negative(story, f"{SEED}/{story}")
        if altered and len(story.split()) > WORDS:
            result += [story, altered.text]
    pairs = list(zip(result[::2], result[1::2], strict=True))
    random.Random(SEED).shuffle(pairs)
    return [text for pair in pairs[:most] for text in pair]


def logits(scorers: list[Scorer], texts: list[str], way: Callable[[str], list[str]]) -> Floats:
    """Of each checkpoint (rows) and text, the mean over what is read of it."""
    read = [way(text) for text in texts]
    flat = list(dict.fromkeys(part for some in read for part in some))
    result: dict[str, list[float]] = {}
    for begin in range(0, len(flat), AT_ONCE):
        some = flat[begin : begin + AT_ONCE]
        for part, reading in zip(some, scorers[0].trunk.read_once(some), strict=True):
            result[part] = [scorer.logit(reading) for scorer in scorers]
    return np.array([np.mean([result[part] for part in some], axis=0) for some in read]).T


def over_pairs(values: Floats, rows: NDArray[np.int64]) -> float:
    """AUC of the pairs in these rows."""
    pairs = values.reshape(-1, 2)[rows]
    return area(pairs[:, 0], pairs[:, 1])


def main(folder: Path, stories: Annotated[int | None, typer.Option()] = None) -> None:
    """Print a line a way of reading and checkpoint, as soon as it is known."""
    base = locate(None, ModelRole.BASE)
    scorers = [Scorer(load(SHIPPED / name), base, precision="bfloat16") for name in CHECKPOINTS]
    texts = long_pairs(folder, scorers[0], stories)
    n = len(texts) // 2
    words = [len(text.split()) for text in texts[::2]]
    print(f"{n} pairs of {min(words)} to {max(words)} words, {np.mean(words):.0f} on average", flush=True)
    draws = np.random.default_rng(0).integers(n, size=(DRAWS, n))
    cut = None
    for name, way in WAYS.items():
        result = logits(scorers, texts, way)
        cut = result if cut is None else cut
        read = sum(len(part.split()) for text in texts for part in way(text)) / sum(len(text.split()) for text in texts)
        print(f"{name}: {read:.2f} of the words", flush=True)
        for checkpoint, ours, theirs in zip(CHECKPOINTS, result, cut, strict=True):
            value = over_pairs(ours, np.arange(n))
            apart = [over_pairs(ours, rows) - over_pairs(theirs, rows) for rows in draws]
            low, high = np.quantile(apart, [0.025, 0.975])
            top = float((ours[::2] > ours[1::2]).mean())
            more = value - over_pairs(theirs, np.arange(n))
            sentence = f"  {checkpoint}: AUC {value:.3f}, {more:+.3f} ({low:+.3f} to {high:+.3f}); ranked {top:.3f}"
            print(sentence, flush=True)


if __name__ == "__main__":
    typer.run(main)
