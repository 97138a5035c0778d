"""What the prompts of a file are likely to be: openings, which its stories continue, or tasks."""

import re
from collections.abc import Sequence

from core.annotation.unit import PromptKind
from core.formats.columns import words_of

NAMES = frozenset(("instruction", "instructions", "task", "tasks", "assignment", "request", "brief", "topic"))
"""Words in a column's name that say that it holds tasks."""
_TASK = re.compile(
    r"\W*(?:please\s+)?(?:write|tell|compose|create|generate)\b[^.!?]*\b(?:stor(?:y|ies)|tale|narrative)\b", re.I
)


def likely_kind(column: str, prompts: Sequence[str]) -> PromptKind:
    """Tasks where the `column` is called so, or where most of these `prompts` begin as "Write a story" does."""
    asking = sum(bool(_TASK.match(prompt)) for prompt in prompts)
    named = not NAMES.isdisjoint(words_of(column))
    return PromptKind.TASK if named or 2 * asking > len(prompts) else PromptKind.OPENING
