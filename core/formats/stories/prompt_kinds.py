"""What the prompts of a file are: openings, which its stories continue, or tasks, where the file shows it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.annotation.unit import PromptKind
from core.formats.columns import words_of
from core.stories import StoryRecord, begins_with_prompt

TASKS = frozenset(
    ("instruction", "instructions", "task", "tasks", "assignment", "request", "brief", "topic", "writing")
)
"""Words in a column's name that say that it holds tasks; of "writing" it is the prompts of r/WritingPrompts."""
OPENINGS = frozenset(("opening", "openings", "beginning", "context"))
"""Words in a column's name that say that it holds how stories begin."""
_TASK = re.compile(
    r"\W*(?:please\s+)?(?:write|tell|compose|create|generate)\b[^.!?]*\b(?:stor(?:y|ies)|tale|narrative)\b", re.I
)


@dataclass(frozen=True)
class LikelyKind:
    """A kind of prompts, and what in the file says so: a clause."""

    kind: PromptKind
    why: str


def likely_kind(column: str, stories: Sequence[StoryRecord]) -> LikelyKind | None:
    """What these stories, the first of a file, and the name of the prompts' `column` say; None where that is nothing:
    whether “A dog can speak.” is an opening or a task, its words do not tell.
    """
    with_prompts = [story for story in stories if story.prompt.strip()]
    named = set(words_of(column))
    if 2 * sum(begins_with_prompt(story.prompt, story.text) for story in with_prompts) > len(with_prompts):
        return LikelyKind(PromptKind.OPENING, "most of the first stories begin with their prompts")
    if 2 * sum(bool(_TASK.match(story.prompt)) for story in with_prompts) > len(with_prompts):
        return LikelyKind(PromptKind.TASK, "most of the first prompts ask for a story, as “Write a story” does")
    for kind, names in ((PromptKind.TASK, TASKS), (PromptKind.OPENING, OPENINGS)):
        if not names.isdisjoint(named):
            return LikelyKind(kind, f"their column is called {column}")
    return None
