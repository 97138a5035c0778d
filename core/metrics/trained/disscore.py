"""DisScore: the probability, by a trained checkpoint, that a story is a person's rather than a system's."""

from collections.abc import Sequence

from core.checkpoints.kinds import DISSCORE
from core.metrics.base import Card, Kind, Progress, Scores
from core.metrics.referenced import EMPTY_STORY
from core.metrics.trained.base import checkpoint_option
from core.metrics.trained.odds import OddsMetric, of_option
from core.stories import Story


class DisScore(OddsMetric):
    """The prompt and the story after it, by the one of the checkpoint's models that has not seen the prompt; 0 to 1."""

    name = "disscore"
    kind = Kind.UNREFERENCED
    trained = DISSCORE
    called = "a DisScore"
    reads = ("words", "normalisation", "layers", "folds", "fold_seed")
    speed = 4_000
    options = {
        "checkpoint": checkpoint_option(
            ("disscore",), "which trained DisScore; the first comes with Fabula (docs/methods/learned.md)"
        ),
        "of": of_option("a person's story"),
    }
    card = Card(
        measures="How likely it is that a person wrote the story and no system, to UNION's classifier that learnt from "
        "stories by people and by systems. Of a story that it was taught, the model is asked that saw nothing of its "
        "prompt. It needs no reference and no human judgment.",
        paper="UNION (Guan and Huang 2020), section 4.1; Kannan and Vinyals (2017).",
        blind_spots="It knows the systems that it was taught, and their style rather than their faults: a good story "
        "in the style of a system scores low, and a bad one by a system that writes like people scores high. Of "
        "systems that it was not taught it may say nothing: teach one on the study itself.",
    )

    @classmethod
    def how_to_train(cls) -> str:
        """The command that makes a checkpoint."""
        return "train discriminator --study NAME --out FOLDER"

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story."""
        from core.metrics.trained.disscore_scorer import discriminator_scorer  # torch: the pages import this file

        settings, weights = self.settings, self.checkpoint.card.weights
        scorer = discriminator_scorer(self.checkpoint.folder, weights, self.source, settings.device, settings.precision)
        readable = [i for i, story in enumerate(stories) if story.text.strip()]
        if on_progress and len(readable) < len(stories):
            on_progress(len(stories) - len(readable))
        logits = scorer.logits([(stories[i].prompt, stories[i].text) for i in readable], on_progress)
        result = dict(zip(readable, logits.tolist(), strict=True))
        return Scores.collect(self.number(result[i]) if i in result else EMPTY_STORY for i in range(len(stories)))
