"""UNION: the probability, or the logit, that a story is human, by a trained checkpoint. Higher is better."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from core.checkpoints.card import CheckpointCard
from core.errors import InputError
from core.metrics.base import Card, Derivation, Kind, Option, Progress, Scores
from core.metrics.referenced import EMPTY_STORY
from core.metrics.trained.base import FIRST_WORDS, LONG, checkpoint_option
from core.metrics.trained.odds import OddsMetric, of_option
from core.stories import Story, normalise, whole_story
from core.windows import Long, fits

_OF = of_option("a person's story")


def _options(checkpoints: tuple[str, ...]) -> dict[str, Option]:
    """`checkpoints`: those that come with Fabula and fit; the first is the default."""
    which = "which trained UNION; the first three come with Fabula (docs/methods/union.md)"
    return {"checkpoint": checkpoint_option(checkpoints, which), "of": _OF, "first_words": FIRST_WORDS, "long": LONG}


class UnionMetric(OddsMetric):
    """The prompt and the story after it, read as the checkpoint's training stories were."""

    kind = Kind.UNREFERENCED
    speed = 1_700
    trained = "union"
    called = "a UNION"
    reads = ("words", "normalisation", "layers", "tuning")
    reconstruction: ClassVar[bool]
    """Whether its checkpoints learnt to say what the human story was."""

    @classmethod
    def fits(cls, card: CheckpointCard) -> bool:
        """Whether a checkpoint is this metric's."""
        return super().fits(card) and bool(card.recipe.get("reconstruction")) == cls.reconstruction

    @classmethod
    def how_to_train(cls) -> str:
        """The command that makes a checkpoint."""
        return "train union --stories FILE --out FOLDER" + ("" if cls.reconstruction else " --reconstruction 0")

    def check(self, card: CheckpointCard) -> None:
        """Raises InputError for one that learnt otherwise."""
        rebuilds = bool(card.recipe.get("reconstruction"))
        if rebuilds != self.reconstruction:
            how, other = ("with", "union") if rebuilds else ("without", "union-no-recon")
            raise InputError(f"The checkpoint {card.name!r} learnt {how} reconstruction: it is for the metric {other}.")

    @property
    def long(self) -> Long:
        """What is done with long stories."""
        return Long(self.chosen["long"])

    def option_parts(self) -> dict[str, str]:
        """`long` is named where there are windows: scores of before there was a choice keep their signature."""
        result = super().option_parts()
        long = result.pop("long")
        return result if long == Long.CUT or result["first_words"] == "all" else {**result, "long": long}

    @classmethod
    def unsaid(cls, parts: Mapping[str, str]) -> Mapping[str, str]:
        """The cut, where something is cut."""
        return {} if "long" in parts or parts.get("first_words", "all") == "all" else {"long": Long.CUT}

    def derivations(self) -> tuple[Derivation, ...]:
        """Also, for a story that is read at once, from the scores of those that treat long ones otherwise."""
        result = super().derivations()
        words = self.option_parts()["first_words"]
        if words == "all":
            return result
        other = self.with_options({"long": Long.CUT if self.long is Long.WINDOWS else Long.WINDOWS})
        how = str(self.checkpoint.card.options["normalisation"])

        def of_short(derivation: Derivation) -> Derivation:
            def of(story: Story, value: float) -> float | None:
                text = normalise(whole_story(story.prompt, story.text), how)
                return derivation.of(story, value) if fits(text, int(words)) else None

            return replace(derivation, of=of, mostly=False)

        same = Derivation(other.signature, lambda _story, value: value)
        return (*result, *map(of_short, (same, *OddsMetric.derivations(other))))

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story."""
        from core.metrics.trained.union_scorer import (
            union_scorer,  # torch: the pages import this file and must stay light
        )

        weights = self.checkpoint.card.weights
        scorer = union_scorer(
            self.checkpoint.folder, weights, self.source, self.settings.device, self.settings.precision
        )
        readable = [i for i, story in enumerate(stories) if story.text.strip()]
        if on_progress and len(readable) < len(stories):
            on_progress(len(stories) - len(readable))
        texts = [whole_story(stories[i].prompt, stories[i].text) for i in readable]
        logits = scorer.logits(texts, on_progress, self.words, self.long)
        result = dict(zip(readable, logits.tolist(), strict=True))
        return Scores.collect(self.number(result[i]) if i in result else EMPTY_STORY for i in range(len(stories)))


class Union(UnionMetric):
    """UNION with both of its tasks; 0 to 1, but for logits."""

    name = "union"
    reconstruction = True
    options = _options(("union", "union-roc", "union-wp"))
    card = Card(
        measures="How likely it is that a person wrote the story, to a classifier that learnt to tell human stories "
        "from the same stories with sentences repeated, replaced, reordered or negated. It needs no reference and no "
        "human judgment.",
        paper="UNION (Guan and Huang 2020), section 3.",
        blind_spots="It knows the four kinds of damage that it was taught, best in texts like those it was taught on: "
        "across corpora it loses a third or more. Of stories longer than 200 words it reads windows, each alone: what "
        "contradicts something far away is not seen. Repeated text may score high: the check-up beside the scores "
        "says where. Reconstruction, its second task, did not help here: the guide says how far, under UNION.",
    )


class UnionNoReconstruction(UnionMetric):
    """UNION without its second task; 0 to 1, but for logits."""

    name = "union-no-recon"
    reconstruction = False
    options = _options(("union-no-recon", "union-roc-no-recon", "union-wp-no-recon"))
    card = Card(
        measures="How likely it is that a person wrote the story, as union, but learnt from telling stories apart "
        "alone, without the second task of saying what the human story was.",
        paper="UNION (Guan and Huang 2020), sections 3 and 4.3 (-Recon).",
        blind_spots="As union: four kinds of damage, the corpora it was taught on, windows of 200 words.",
    )
