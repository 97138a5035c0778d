"""The settings of an explanation: which checkpoint, and which story or which negative of a human story."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.perturb.negatives.sampler import Mix, MixName, Technique
from core.windows import Long


@dataclass(frozen=True)
class NegativeRecipe:
    """How a negative is made again: of the story `key` among the first `lenders` stories of a group of a study, or
    (`study` None) of the text that was asked, with what the demonstration's human stories lend.
    """

    study: int | None
    group: str
    key: str
    lenders: int
    seed: int
    techniques: tuple[str, ...]
    knowledge: str
    mix_name: MixName = MixName.FABULA

    @property
    def mix(self) -> Mix:
        """The mix of this name, of these techniques."""
        return Mix(name=self.mix_name).without(
            *(technique for technique in Technique if technique not in self.techniques)
        )


@dataclass(frozen=True)
class ExplanationRequest:
    """`checkpoint`: one that comes with Fabula, or the place of a kept one; `base`: where its base is, "" where its
    card says so; `long`: what is done with a long story. A `story` of a study is known by its id, a negative of one by
    its `recipe`: texts stay with the study.
    """

    checkpoint: str
    text: str
    prompt: str = ""
    base: str = ""
    story: int | None = None
    recipe: NegativeRecipe | None = None
    long: Long = Long.WINDOWS

    def settings(self) -> dict[str, Any]:
        """Return the settings that a job keeps."""
        how = {"checkpoint": self.checkpoint, "base": self.base}
        if self.long is not Long.CUT:  # which was all that there was before there was a choice
            how["long"] = self.long
        if self.story is not None:
            return {**how, "story": self.story}
        own = {} if self.recipe is not None and self.recipe.study is not None else {"text": self.text}
        if self.recipe is None:
            return {**how, **own, "prompt": self.prompt}
        recipe = {**asdict(self.recipe), "techniques": list(self.recipe.techniques)}
        if self.recipe.mix_name is MixName.FABULA:  # the same as one of before there was a choice
            del recipe["mix_name"]
        return {**how, **own, "recipe": recipe}


def recipe_from(data: Mapping[str, Any]) -> NegativeRecipe:
    """A recipe as `ExplanationRequest.settings` has written it."""
    mix = MixName(data.get("mix_name", MixName.FABULA))
    return NegativeRecipe(**{**data, "techniques": tuple(data["techniques"]), "mix_name": mix})


def long_of(settings: Mapping[str, Any]) -> Long:
    """What a job's settings do with long stories."""
    return Long(settings.get("long", Long.CUT))


def story_hash(text: str) -> str:
    """Tells whether an explanation is of this text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
