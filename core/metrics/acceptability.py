"""How much of a story is acceptable English, by the bundled encoder with a head trained on CoLA."""

import math
from collections.abc import Sequence

from core.errors import InputError
from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Need, Option, Progress, Scores, Settings
from core.metrics.referenced import EMPTY_STORY
from core.models.acceptability.probability import acceptability
from core.models.acceptability.weights import ACCEPTED, revision
from core.models.catalogue import MINILM, ModelRole
from core.stories import Story, sentences


class Acceptability(Metric):
    """Mean over a story's sentences of P(acceptable), or the share of sentences at .5 or more; 0 to 1."""

    name = "acceptability"
    kind = Kind.UNREFERENCED
    needs = frozenset({Need.MODEL})
    version = 2
    role = ModelRole.ENCODER
    speed = 40_000
    options = {
        "of": Option(
            ("mean", "share"),
            "the mean of the sentences' probabilities, or the share of sentences at .5 or more",
            title="Score",
        ),
        **TEXT_OPTIONS,
    }
    card = Card(
        measures="How acceptable a story's sentences are as English: the mean probability that a linguist would let "
        "such a sentence stand.",
        paper="After the filter of AUTOS in OpenMEVA (2021), a BERT classifier of CoLA (Warstadt et al. 2019).",
        blind_spots="A hint, no verdict: its accuracy is 0.731 on CoLA's sentences and 0.729 on those of other "
        "domains, little above the 0.69 of calling all acceptable and below the 0.829 of AUTOS's BERT. Its Matthews "
        "correlation, 0 for guessing, is 0.290 and 0.292. It sees words out of order, lost or doubled, hardly "
        "agreement, endings or capitals. It was taught on linguists' single short sentences: long ones, dialogue "
        "and other languages mislead it. It shares its encoder with BERTScore and its like, but no model with "
        "perplexity or Fp.",
    )

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises InputError also where another encoder is named than the one that the classifier was trained on."""
        super().__init__(settings)
        if self.settings.model not in (None, "", MINILM):
            raise InputError(
                f"The metric {self.name} was trained on {MINILM} and runs on no other encoder: leave "
                f"{self.settings.model} out, or run it by itself."
            )

    def option_parts(self) -> dict[str, str]:
        """The hash of the classifier's weights counts too."""
        return {**self.chosen, "head": revision()}

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Equal sentences are judged once. Undefined for an empty story."""
        texts = [self.text(story.text) for story in stories]
        split = [[text[start:end] for start, end in sentences(text)] for text in texts]
        unique = list(dict.fromkeys(sentence for part in split for sentence in part))
        judged = acceptability(unique, self.settings.device, self.settings.precision)
        result = dict(zip(unique, judged.tolist(), strict=True))
        if on_progress:
            on_progress(len(stories))
        return Scores.collect(self._number([result[sentence] for sentence in part]) for part in split)

    def _number(self, probabilities: list[float]) -> float | str:
        if not probabilities:
            return EMPTY_STORY
        if self.chosen["of"] == "share":
            return sum(value >= ACCEPTED for value in probabilities) / len(probabilities)
        return math.fsum(probabilities) / len(probabilities)
