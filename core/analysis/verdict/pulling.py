"""What in a story pulls a metric's score down: its least acceptable sentences, the words that surprise a model most."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.verdict.finding import short
from core.tokens import TokenTable

MOST_SENTENCES, MOST_WORDS = 3, 5


@dataclass(frozen=True)
class WeakSentences:
    """The sentences that score below the mean of all `number`, the lowest first and three at most, each with its
    probability of being acceptable; `mean` of all, and of the others (`without`), None where there are no others.
    """

    lowest: tuple[tuple[str, float], ...]
    number: int
    mean: float
    without: float | None

    @property
    def text(self) -> str:
        """What they come to, before they are listed."""
        if self.number == 1:
            return f"the story is a single sentence, which scores {short(self.mean)}."
        if not self.lowest:
            return f"its {self.number} sentences all score {short(self.mean)}."
        which = "this sentence pulls" if len(self.lowest) == 1 else f"these {len(self.lowest)} sentences pull"
        return (
            f"{which} it down most, of {self.number} with a mean of {short(self.mean)}; the others have "
            f"{short(self.without)}."
        )


def weak_sentences(sentences: Sequence[str], acceptable: Sequence[float]) -> WeakSentences:
    """Of one sentence or more, with P(acceptable) of each in 0..1."""
    values = np.asarray(acceptable, dtype=np.float64)
    mean = float(values.mean())
    below = [int(place) for place in np.argsort(values, kind="stable") if values[place] < mean][:MOST_SENTENCES]
    others = np.delete(values, below)
    return WeakSentences(
        tuple((sentences[place], float(values[place])) for place in below),
        len(values),
        mean,
        float(others.mean()) if below else None,
    )


@dataclass(frozen=True)
class UnlikelyWords:
    """The words that add most to a text's surprise, the sum of −log p of its tokens, the most first and five at most;
    `share` of it in 0..1, of `number` words.
    """

    words: tuple[str, ...]
    number: int
    share: float


def unlikely_words(table: TokenTable) -> UnlikelyWords:
    """Of a text that a model has read; a word's surprise is that of all of its tokens."""
    words = table.text.split()
    known = table.words < len(words)
    surprise = np.bincount(table.words[known], -table.log_p[known], minlength=len(words))
    order = np.argsort(-surprise, kind="stable")
    distinct = dict.fromkeys(words[place] for place in order)
    most = list(distinct)[:MOST_WORDS]
    total = float(surprise.sum())
    chosen = sum(surprise[place] for place, word in enumerate(words) if word in most)
    return UnlikelyWords(tuple(most), len(words), float(chosen) / total if total else 0.0)
