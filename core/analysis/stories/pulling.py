"""What in a story lifts a metric's score or pulls it down: its most and least acceptable sentences, the words that a
model expects most and those that surprise it most.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.tokens import TokenTable

MOST_SENTENCES, MOST_WORDS = 3, 5
LONG = 4
"""Letters from which on a likely word is shown: to any model the likeliest are `the` and `and`."""


@dataclass(frozen=True)
class TellingSentences:
    """The sentences that score below the mean of all `number`, or above it where they `lift` the score: the furthest
    from it first and three at most, each with its probability of being acceptable; `mean` of all, and of the others
    (`without`), None where there are no others.
    """

    furthest: tuple[tuple[str, float], ...]
    number: int
    mean: float
    without: float | None
    lift: bool = False

    @property
    def text(self) -> str:
        """What they come to, before they are listed."""
        if self.number == 1:
            return f"the story is a single sentence, which scores {self.mean:.2f}."
        if not self.furthest:
            return f"its {self.number} sentences all score {self.mean:.2f}."
        alone = len(self.furthest) == 1
        which = "this sentence" if alone else f"these {len(self.furthest)} sentences"
        does = ("lifts it" if alone else "lift it") if self.lift else ("pulls it down" if alone else "pull it down")
        others = "the other scores" if self.number - len(self.furthest) == 1 else "the others score"
        mean = "" if self.number - len(self.furthest) == 1 else " on average"
        return (
            f"the mean of the {self.number} sentences is {self.mean:.2f}. {which.capitalize()} {does} most; {others} "
            f"{self.without:.2f}{mean}."
        )


def telling_sentences(sentences: Sequence[str], acceptable: Sequence[float], *, lift: bool) -> TellingSentences:
    """Of one sentence or more, with P(acceptable) of each in 0..1; those that `lift` the score, or pull it down."""
    values = np.asarray(acceptable, dtype=np.float64)
    mean = float(values.mean())
    beyond = values - mean if lift else mean - values
    chosen = [int(place) for place in np.argsort(-beyond, kind="stable") if beyond[place] > 0][:MOST_SENTENCES]
    others = np.delete(values, chosen)
    return TellingSentences(
        tuple((sentences[place], float(values[place])) for place in chosen),
        len(values),
        mean,
        float(others.mean()) if chosen else None,
        lift,
    )


@dataclass(frozen=True)
class UnlikelyWords:
    """The words that add most to a text's surprise, the sum of −log p of its tokens, the most first and five at most;
    `share` of it in 0..1, of `number` words.
    """

    words: tuple[str, ...]
    number: int
    share: float


@dataclass(frozen=True)
class LikelyWords:
    """The words of four letters or more that a model finds likeliest in their places, the likeliest first and five at
    most; `expected`: the share of all of the text's tokens, in 0..1, that it finds likelier than any other there.
    """

    words: tuple[str, ...]
    expected: float


def unlikely_words(table: TokenTable) -> UnlikelyWords:
    """Of a text that a model has read; a word's surprise is that of all of its tokens."""
    words = table.text.split()
    surprise = _surprise(table, len(words))
    order = np.argsort(-surprise, kind="stable")
    distinct = dict.fromkeys(words[place] for place in order)
    most = list(distinct)[:MOST_WORDS]
    total = float(surprise.sum())
    chosen = sum(surprise[place] for place, word in enumerate(words) if word in most)
    return UnlikelyWords(tuple(most), len(words), float(chosen) / total if total else 0.0)


def likely_words(table: TokenTable) -> LikelyWords:
    """Of a text of one token or more that a model has read."""
    words = table.text.split()
    order = np.argsort(_surprise(table, len(words)), kind="stable").tolist()
    distinct = dict.fromkeys(words[place] for place in order if sum(map(str.isalpha, words[place])) >= LONG)
    return LikelyWords(tuple(distinct)[:MOST_WORDS], float(np.mean(table.rank == 0)))


def _surprise(table: TokenTable, words: int) -> Floats:
    """Each word's −log p, that of all of its tokens together."""
    known = table.words < words
    return np.asarray(np.bincount(table.words[known], -table.log_p[known], minlength=words), dtype=np.float64)
