"""The request for how acceptable each sentence of a story is."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SentenceRequest:
    """A story of a study, by its id; its `text` stays with the study."""

    text: str
    story: int

    def settings(self) -> dict[str, Any]:
        """Return the settings that a job keeps."""
        return {"story": self.story}
