"""How similar two sentences are: MoverScore of the bundled encoder for meaning, BLEU-1 for words (OpenMEVA, B.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.metrics.base import Settings
from core.metrics.bleu import sentence_bleu, word_punct
from core.metrics.moverscore import Grams, MoverScoreBigrams, distances, transport
from core.models.catalogue import MINILM, ModelRole, locate
from core.stories import normalise

if TYPE_CHECKING:
    from core.models.encoder import Encoder

Group = TypeVar("Group", bound=Sequence[str])
PARAPHRASE, UNRELATED = 0.26, -0.12
"""The paper's thresholds, .4 and .1 (appendix B.1, footnote 4), which are for another encoder, as `similar` has them.

`scripts/paraphrases/calibrate.py` found them. Of 15 pairs of sentences the MoverScore is in print (Table 14, and
OpenMEVA's `story_bt.json`); least squares of ours on it: -.270 + 1.323 M, r = .981, and .975 on the 13 of different
words. M = .4 is .259 (.242 to .279 with any pair left out), and 15 of 15 stay on their side of it. M = .1 is -.138
(-.161 to -.098), near the end of what the pairs tell; as large a share of ROC's stories as in the paper, 563 of 4,909,
is under -.118 (2,000 stories), and that is taken. Single words in place of phrases of two: r = .977, and 14 of 15.
"""
UNLIKE = -1.0
"""The least that a similarity can be, and what is said where there is no word to move: below every threshold."""
CHARACTERS_AT_ONCE = 200_000
"""So much text has its n-grams held at a time, some 100 MB of them."""
ROWS_AT_ONCE = 512
"""n-grams of a story whose distances to all others are held at a time."""
ROUNDING = 1e-9
"""By how much a bound may miss what it bounds."""


@cache
def _metric() -> MoverScoreBigrams:
    """Phrases of two words agree with the paper's numbers a little better than single words do."""
    return MoverScoreBigrams(Settings(model=MINILM, options={"idf": "no", "form": "one-minus"}))


def similar(
    pairs: Sequence[tuple[str, str]], device: str = "auto", done: Callable[[int], None] | None = None
) -> NDArray[np.float64]:
    """MoverScore of each pair of sentences, in input order: -1 to 1, and 1 for the same words.

    One minus the distance, of bigrams, every word alike in weight; a sentence is read alone. -1 where a sentence has
    no word, or more than 4,000. `done` counts pairs. Raises ModelMissing, and InputError for a device there is not.
    """
    results: list[float] = []
    for part, known in _read(pairs, device):
        for name, other in part:
            ours, theirs = known[name.strip()], known[other.strip()]
            if ours is None or theirs is None:
                results.append(UNLIKE)
            else:
                far = distances(ours.vectors, theirs.vectors)
                results.append(_moved(ours.weights, theirs.weights, far))
            if done:
                done(1)
    return np.array(results, dtype=np.float64)


def bleu_1(candidate: str, sentence: str) -> float:
    """The share (0..1) of the candidate's words and marks that the sentence has too, with BLEU's penalty for brevity.

    Capitals and the spaces of tokenised text make no difference. Four of the five values that Table 14 prints are
    these; where it has .89 (eight words of nine) all are the same but for a capital.
    """
    ours, theirs = (word_punct(normalise(text, "detokenised").lower()) for text in (candidate, sentence))
    return sentence_bleu(ours, theirs, highest=1)


def weakly_related(
    stories: Sequence[Sequence[str]],
    below: float,
    done: Callable[[int], None] | None = None,
    device: str = "auto",
) -> list[bool]:
    """Whether no two sentences of a story are as alike as `below` (OpenMEVA footnote 4), for each story in turn.

    A sentence without a word is like none; a story of fewer than two others has no pair, so it is weakly related.
    `done` counts stories. Raises as `similar` does.
    """
    result: list[bool] = []
    for part, known in _read(stories, device):
        for story in part:
            story_grams = [grams for sentence in story if (grams := known[sentence.strip()]) is not None]
            result.append(len(story_grams) < 2 or not _any_alike(story_grams, below))
            if done:
                done(1)
    return result


def relaxed(
    far: NDArray[np.float64],
    ours: NDArray[np.float64],
    theirs: NDArray[np.float64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> NDArray[np.float64]:
    """What moving each sentence to each other costs at least, since every n-gram goes at best to the nearest there is.

    `far` (n × m): distances; `ours` (n), `theirs` (m): weights, which sum to 1 in each sentence; `rows`, `columns`:
    where the sentences begin in them. One bound a pair of sentences, (rows × columns): the relaxed word mover's
    distance of Kusner et al. (2015), the greater of both directions.
    """
    leaving = np.minimum.reduceat(far, columns, axis=1) * ours[:, None]
    arriving = np.minimum.reduceat(far, rows, axis=0) * theirs
    return np.maximum(np.add.reduceat(leaving, rows, axis=0), np.add.reduceat(arriving, columns, axis=1))


def _any_alike(story: Sequence[Grams], threshold: float) -> bool:
    """Whether any pair reaches the threshold: the likeliest first, and without a transport for those that cannot."""
    import torch

    vectors = torch.cat([grams.vectors for grams in story])
    weights = np.concatenate([grams.weights / grams.weights.sum() for grams in story])
    starts = np.cumsum([0, *(len(grams.weights) for grams in story)])
    for first, last in pairwise(_blocks(starts)):
        here, rest = slice(starts[first], starts[last]), slice(starts[first], starts[-1])
        far = distances(vectors[here], vectors[rest])
        rows, columns = starts[first : last + 1] - starts[first], starts[first:] - starts[first]
        best = 1 - relaxed(far, weights[here], weights[rest], rows[:-1], columns[:-1])
        left, right = np.nonzero(np.triu(best >= threshold - ROUNDING, k=1))
        for k in np.argsort(-best[left, right], kind="stable"):
            ours, theirs = (slice(columns[i], columns[i + 1]) for i in (left[k], right[k]))
            if _moved(weights[here][ours], weights[rest][theirs], far[ours, theirs]) >= threshold:
                return True
    return False


def _blocks(starts: NDArray[np.int64]) -> list[int]:
    """Numbers of sentences between which about `ROWS_AT_ONCE` n-grams lie, the first and the last included."""
    cuts = np.searchsorted(starts, np.arange(ROWS_AT_ONCE, starts[-1], ROWS_AT_ONCE))
    return sorted({0, *cuts.tolist(), len(starts) - 1})


def _moved(ours: NDArray[np.float64], theirs: NDArray[np.float64], far: NDArray[np.float64]) -> float:
    distance = transport(ours, theirs, far)
    return UNLIKE if distance is None else 1 - distance


def _read(groups: Sequence[Group], device: str) -> Iterator[tuple[list[Group], dict[str, Grams | None]]]:
    """The groups of sentences in order, a few at a time, each time with the n-grams of all their sentences.

    None stands for those of a sentence that has no word, or too many.
    """
    from core.models.runtime import encoder  # torch: the pages import this file

    if not groups:
        return
    model = encoder(locate(MINILM, ModelRole.ENCODER), device, "float32")
    for part in _parts(groups):
        yield part, _known({sentence.strip() for group in part for sentence in group}, model)


def _known(sentences: set[str], model: Encoder) -> dict[str, Grams | None]:
    metric = _metric()
    worded = sorted(sentence for sentence in sentences if sentence)
    known: dict[str, Grams | None] = dict.fromkeys(sentences)
    for sentence, embedding in zip(worded, model.embed(worded, model.layers), strict=True):
        grams = metric.grams(embedding, "sentence")
        known[sentence] = None if isinstance(grams, str) else grams
    return known


def _parts(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Cut the groups into parts within the limit, in order; a longer group is a part of its own."""
    part: list[Group] = []
    characters = 0
    for group in groups:
        length = sum(map(len, group))
        if part and characters + length > CHARACTERS_AT_ONCE:
            yield part
            part, characters = [], 0
        part.append(group)
        characters += length
    yield part
