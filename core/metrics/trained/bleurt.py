"""The rating that people would give a story: a regression on a study's ratings, with the human stories of the prompt as
references.
"""

from collections.abc import Sequence

from core.checkpoints.kinds import BLEURT
from core.metrics.base import Card, Kind, Need, Progress, Scores
from core.metrics.referenced import EMPTY_REFERENCE, EMPTY_STORY, NO_REFERENCE
from core.metrics.trained.base import TrainedMetric, checkpoint_option
from core.stories import Story, distinct_texts


class BleurtFinetuned(TrainedMetric):
    """Prompt, story and references, by the one of the checkpoint's regressions that has not seen the prompt; on the
    scale of the study that it learnt from.
    """

    name = "bleurt-finetuned"
    kind = Kind.HYBRID
    needs = frozenset({Need.MODEL, Need.REFERENCE})
    trained = BLEURT
    called = "a regression on a study's ratings"
    reads = ("words", "normalisation", "layers", "folds", "fold_seed")
    speed = 4_000
    options = {
        "checkpoint": checkpoint_option((), "which regression: there is none until one is trained on a study's ratings")
    }
    card = Card(
        measures="The rating that people would give the story, as a regression foretells it that learnt from the "
        "ratings of a study, from what the base says of the story and of human stories of the same prompt. A story of "
        "that study is scored by a regression that saw no rating of its prompt.",
        paper="BLEURT (Sellam, Das and Parikh 2020), section 2, over a base that stays as it is, or one that learns as "
        "there; fine-tuned on stories "
        "as in OpenMEVA (Guan et al. 2021), section 4.1.",
        blind_spots="It knows what the study's people rated, of the study's systems: much of what it foretells may be "
        "which system wrote the story (the card has that figure beside it). On another study it may say little.",
    )

    @classmethod
    def how_to_train(cls) -> str:
        """The command that makes a checkpoint."""
        return "train bleurt --study NAME --out FOLDER"

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """A mean over the references. Undefined for an empty story or without a reference."""
        from core.metrics.trained.bleurt_scorer import bleurt_scorer  # torch: the pages import this file

        settings, weights = self.settings, self.checkpoint.card.weights
        scorer = bleurt_scorer(self.checkpoint.folder, weights, self.source, settings.device, settings.precision)
        reasons = [_undefined(story) for story in stories]
        readable = [i for i, reason in enumerate(reasons) if not reason]
        if on_progress and len(readable) < len(stories):
            on_progress(len(stories) - len(readable))
        given = [(stories[i].prompt, stories[i].text, distinct_texts(stories[i].references)) for i in readable]
        result = dict(zip(readable, scorer.ratings(given, on_progress), strict=True))
        return Scores.collect(result.get(i, reason) for i, reason in enumerate(reasons))


def _undefined(story: Story) -> str:
    """Why a story has no score, "" where it has one."""
    if not story.text.strip():
        return EMPTY_STORY
    if not story.references:
        return NO_REFERENCE
    return "" if distinct_texts(story.references) else EMPTY_REFERENCE
