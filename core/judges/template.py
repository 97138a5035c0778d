"""The template of a judge's prompt: its two messages, with placeholders, under a name and a version."""

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Way(StrEnum):
    """How a judge is asked: a number on one criterion, numbers on all of them in one reply, the errors that it finds
    and quotes, or which of two stories is better.
    """

    POINTS = "points"
    CRITERIA = "criteria"
    DEDUCTIONS = "deductions"
    PAIRS = "pairs"


@dataclass(frozen=True)
class Template:
    """What a judge is told, with placeholders. `system`: who it is and what it must know, "" for no such message;
    `user`: what it is asked of one story. `version`: from 1; 0 for those that come with Fabula.
    """

    name: str
    way: Way
    system: str
    user: str
    version: int = 0

    @property
    def text_hash(self) -> str:
        """Of all that it says, whatever it is called."""
        parts = json.dumps([self.way, self.system, self.user], ensure_ascii=False)
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def parts(self) -> dict[str, Any]:
        """For storage beside its name, version and way."""
        return {"system": self.system, "user": self.user}
