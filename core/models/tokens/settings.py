"""The settings of a reading of a text's tokens, and the key under which its result is stored."""

import hashlib
from dataclasses import dataclass
from typing import Any

from core.models.catalogue import ModelRole, locate
from core.tokens import Mode

PRECISION = "float32"
ALTERNATIVES = 5
VERSION = 1
"""Raised when the numbers of a reading change, never by a release."""


@dataclass(frozen=True)
class TokenRequest:
    """A text (or a story of a study, by its id), the model that reads it ("" for the bundled one), and how. `prompt`:
    of the story, what a causal model reads first; "" where it reads the text alone.
    """

    text: str
    model: str = ""
    mode: Mode = Mode.CAUSAL
    story: int | None = None
    prompt: str = ""

    @property
    def role(self) -> ModelRole:
        """What the model must be."""
        return role_of(self.mode)

    def signature(self) -> str:
        """The model with its revision, the mode, the precision, the prompt: all that the numbers of a text depend on.

        Raises ModelMissing where the model is not there; a hub name may take a while.
        """
        source = locate(self.model or None, self.role)
        after = f"|after:{hashlib.sha256(self.prompt.encode()).hexdigest()[:16]}" if self.prompt else ""
        return f"{source.title}|{self.mode}|{PRECISION}|top:{ALTERNATIVES}{after}|v:{VERSION}"

    def settings(self) -> dict[str, Any]:
        """Return the settings that a job keeps; neither text nor prompt of a study's story are among them."""
        where = {"text": self.text} if self.story is None else {"story": self.story}
        after = {"prompted": True} if self.prompt else {}
        return {**where, **after, "model": self.model, "mode": str(self.mode)}


def role_of(mode: Mode) -> ModelRole:
    """What a model must be to read in this mode."""
    return ModelRole.LANGUAGE if mode is Mode.CAUSAL else ModelRole.MASKED
