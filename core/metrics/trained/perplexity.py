"""Perplexity under a language model that was fine-tuned on human stories. Higher is better."""

from typing import TYPE_CHECKING

from core.checkpoints.kinds import LANGUAGE_MODEL
from core.metrics.base import TEXT_OPTIONS, Card, Option
from core.metrics.perplexity import LanguageModelMetric, Perplexity
from core.metrics.trained.base import TrainedMetric, checkpoint_option
from core.stories import NORMALISATIONS

if TYPE_CHECKING:
    from core.models.language import LanguageModel
    from core.models.statistics import Rows


class FineTunedPerplexity(TrainedMetric, LanguageModelMetric):
    """The mean log-likelihood of a story's tokens, in nats a token; below 0."""

    name = "perplexity-finetuned"
    trained = LANGUAGE_MODEL
    called = "a language model"
    served = False
    in_vllm = False
    options = {
        "checkpoint": checkpoint_option(
            ("perplexity-finetuned-roc", "perplexity-finetuned", "perplexity-finetuned-wp"),
            "which language model; those that come with Fabula know ROCStories, all corpora, or WritingPrompts "
            "(docs/methods/perplexity.md)",
        ),
        **LanguageModelMetric.options,
        "normalisation": Option(
            ("trained", *NORMALISATIONS),
            "what is done to the texts first, usually what was done to the stories that the checkpoint was trained on",
        ),
        "first_words": TEXT_OPTIONS["first_words"],
    }
    card = Card(
        measures="How expected a story's words are to a language model that has learnt from human stories of the kind, "
        "and has read the prompt: the mean log-likelihood of a token.",
        paper="OpenMEVA (2021), section 4.1, PPL (F).",
        blind_spots="As perplexity: repetition is easy to predict, fluency counts and plot hardly does. What is usual "
        "in the stories that it learnt from is expected, so that a dull story gains; and it knows that kind alone.",
        number=Perplexity.card.number,
        negated=Perplexity.card.negated,
    )

    @classmethod
    def how_to_train(cls) -> str:
        """The command that makes a checkpoint."""
        return "train language-model --stories FILE --out FOLDER"

    @property
    def normalisation(self) -> str:
        """Return how texts are normalised: as in training, where nothing else is chosen."""
        chosen = self.chosen["normalisation"]
        return str(self.checkpoint.card.options["normalisation"]) if chosen == "trained" else chosen

    def _model(self) -> "LanguageModel":
        from core.metrics.trained.language_model import finetuned_model

        weights = self.checkpoint.card.weights
        return finetuned_model(
            self.checkpoint.folder, weights, self.source, self.settings.device, self.settings.precision
        )

    @staticmethod
    def _number(rows: "Rows") -> float:
        return Perplexity._number(rows)
