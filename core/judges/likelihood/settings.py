"""The settings of a reading of a story by a model on a server, and the key under which its tokens are stored."""

from dataclasses import dataclass
from typing import Any

from core.judges.backends.endpoint import Endpoint
from core.models.tokens.settings import ALTERNATIVES
from core.tokens import Mode

VERSION = 1
"""Raised when the numbers of a reading change, never by a release."""


@dataclass(frozen=True)
class ServedTokenRequest:
    """A story of a study, by its id, whose owner has agreed to the endpoint, and its text."""

    text: str
    endpoint: Endpoint
    story: int

    def signature(self) -> str:
        """The model and where it is, what stands before a text: all that is known of what the numbers depend on."""
        start = self.endpoint.start or "server"
        return f"{self.endpoint.name}|start:{start}|{Mode.CAUSAL}|top:{ALTERNATIVES}|v:{VERSION}"

    def settings(self) -> dict[str, Any]:
        """Return the settings that a job keeps; the story's text is not among them."""
        return {"story": self.story, "endpoint": self.endpoint.as_settings()}
