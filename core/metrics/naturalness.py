"""How natural a story's choice of words looks to a language model: Fp, and GLTR's other tests. Higher is more human.

What sampled text has too much of are likely words (Gehrmann et al. 2019): its Fp and its share of the ten likeliest
are high, and it stays where few words are likely, so that its entropy is low. The first two are negated, for human text
to be higher under each.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Need, Option, Progress, Scores
from core.metrics.perplexity import OF, OF_DESCRIPTION, OF_TITLE, LanguageModelMetric, without_rows
from core.models.catalogue import ModelRole
from core.stories import Story
from core.tokens import Mode

if TYPE_CHECKING:
    from core.models.statistics import Rows

FIRST = Option(
    ("all", "50", "100", "200"),
    "how many of a story's tokens count, from its first on, so that stories are compared at equal lengths; one that "
    "has fewer is undefined",
    "[1-9][0-9]{0,5}",
    "a number of tokens",
    title="First tokens",
)
PAPER = "Naturalness paper, section 3 (Fp); after GLTR (Gehrmann et al. 2019)."


def _minus_mean(rows: "Rows", column: int) -> float:
    return 0.0 - float(rows[:, column].sum(dtype="float64")) / len(rows)  # 0 and not -0 where none is


def _without_default(parts: dict[str, str]) -> dict[str, str]:
    """All of a story is what scores were before there was a choice: they keep their signature."""
    return {key: value for key, value in parts.items() if (key, value) != ("first", FIRST.values[0])}


class NaturalnessMetric(LanguageModelMetric):
    """One of GLTR's tests under a causal model, of all of a story's tokens or of the first so many."""

    options = {
        **LanguageModelMetric.options,
        "of": Option(("story-alone", OF[0], OF[2]), OF_DESCRIPTION, title=OF_TITLE),
        "first": FIRST,
    }

    def option_parts(self) -> dict[str, str]:
        """`first` is named where it cuts."""
        return _without_default(super().option_parts())

    def _first(self) -> int | None:
        return None if self.chosen["first"] == "all" else int(self.chosen["first"])


class Fraction(NaturalnessMetric):
    """Minus Fp, the mean of p / p_max over a story's tokens: -1 (the likeliest word every time) to 0."""

    name = "fp"
    card = Card(
        measures="How rarely a story takes the word the language model holds likeliest: minus Fp, the mean of "
        "p / p_max a token. Text sampled from a model scores low, human text higher.",
        paper=PAPER,
        blind_spots="Word salad looks natural to it: any unlikely word raises the score, and repetition lowers it. It "
        "judges how a text was written, not how good it is.",
        number="minus Fp",
        negated=True,
    )

    @staticmethod
    def _number(rows: "Rows") -> float:
        return _minus_mean(rows, 1)


class TopTen(NaturalnessMetric):
    """Minus the share of a story's tokens that are among the ten likeliest of their place: -1 to 0."""

    name = "top-10"
    card = Card(
        measures="How rarely a story keeps to the ten likeliest words: minus the share of its tokens among them, "
        "GLTR's green ones. Text sampled from a model scores low, human text higher.",
        paper="GLTR (Gehrmann et al. 2019), test 2.",
        blind_spots="A count of tokens in one bucket: coarser than Fp in a short story, and as blind to word salad. "
        "It says nothing against text that was sampled from all words.",
        number="minus the share of the ten likeliest words",
        negated=True,
    )

    @staticmethod
    def _number(rows: "Rows") -> float:
        return _minus_mean(rows, 2)


class Entropy(NaturalnessMetric):
    """Mean entropy of the ten likeliest tokens of each place, renormalised, in nats: 0 to ln 10 = 2.303."""

    name = "entropy"
    card = Card(
        measures="How open the places are that a story leads to: the mean entropy of the language model's ten "
        "likeliest words. Text that stays on well-trodden paths scores low, human text usually higher.",
        paper="GLTR (Gehrmann et al. 2019), test 3.",
        blind_spots="It sees what comes before each word, not the word itself. Nonsense keeps the model unsure and "
        "scores high, repetition makes it sure and scores low; so do lists and names in human text.",
        number="mean entropy of the ten likeliest words",
    )

    @staticmethod
    def _number(rows: "Rows") -> float:
        return -_minus_mean(rows, 3)


class FractionMasked(Metric):
    """Minus Fp under a masked language model, each token hidden in its turn or all of them seen: -1 to 0."""

    name = "fp-masked"
    kind = Kind.UNREFERENCED
    needs = frozenset({Need.MODEL})
    role = ModelRole.MASKED
    speed = 25
    card = Card(
        measures="How rarely a story takes the word that a masked language model, which sees what comes before and "
        "after, holds likeliest: minus Fp, the mean of p / p_max a token.",
        paper="Naturalness paper, sections 3 and 4 (BERT as the discriminator); after GLTR (Gehrmann et al. 2019).",
        blind_spots="As blind to word salad as fp. Exactly, the model reads a story once a token, which is slow; "
        "unmasked it sees the token that it judges, finds nearly every one likely, and hardly tells texts apart. No "
        "masked model comes along: name a folder or a hub name.",
        number="minus Fp",
        negated=True,
    )
    options = {
        "mode": Option(
            (Mode.MASKED.value, Mode.UNMASKED.value),
            "each token hidden in its turn, or one quick pass that sees the token itself",
            title="Reading",
        ),
        "first": FIRST,
        **TEXT_OPTIONS,
    }

    def option_parts(self) -> dict[str, str]:
        """`first` is named where it cuts."""
        return _without_default(super().option_parts())

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story, and for one with too few tokens."""
        from core.models.runtime import masked_model  # torch: the pages import this file and must stay light

        model = masked_model(self.source, self.settings.device, self.settings.precision)
        first = None if self.chosen["first"] == "all" else int(self.chosen["first"])
        texts = [self.text(story.text).strip() for story in stories]
        result = model.measures(texts, Mode(self.chosen["mode"]), first, on_progress)
        return Scores.collect(
            _minus_mean(rows, 1) if len(rows) else without_rows(text, first)
            for text, rows in zip(texts, result, strict=True)
        )
