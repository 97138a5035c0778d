"""Prompts are openings or tasks where the file shows it; else somebody has to be asked."""

import pytest

from core.annotation.unit import PromptKind
from core.formats.stories.prompt_kinds import likely_kind
from core.stories import Source, StoryRecord

OPENINGS = ("Mia found a key.", "“Tell me the truth,” said Ben.", "Write to me, she had said.")
TASKS = ("Write a story about a key.", "Please tell a short, sad tale of two brothers", "  generate three stories")


def stories(prompts: tuple[str, ...], *, begun: bool = False) -> list[StoryRecord]:
    """A story of each prompt; `begun`: which begins with it."""
    return [
        StoryRecord(str(i), prompt, prompt, f"{prompt} It rained." if begun else "It rained.", Source.SYSTEM, "gpt")
        for i, prompt in enumerate(prompts)
    ]


@pytest.mark.parametrize(
    ("column", "prompts", "kind"),
    [
        ("prompt", OPENINGS, None),
        ("prompt", (), None),
        ("prompt", TASKS, PromptKind.TASK),
        ("prompt", TASKS[:1] + OPENINGS[:1], None),
        ("prompt", TASKS[:2] + OPENINGS[:1], PromptKind.TASK),
        ("Instruction", OPENINGS, PromptKind.TASK),
        ("Input.task_text", OPENINGS, PromptKind.TASK),
        ("WritingPrompt", OPENINGS, PromptKind.TASK),
        ("Opening", OPENINGS, PromptKind.OPENING),
        ("leading_context", OPENINGS, PromptKind.OPENING),
        ("opening", TASKS, PromptKind.TASK),
    ],
)
def test_the_column_or_most_of_the_prompts_say_it_or_nothing_does(
    column: str, prompts: tuple[str, ...], kind: PromptKind | None
) -> None:
    likely = likely_kind(column, stories(prompts))
    assert (likely and likely.kind) == kind


def test_stories_that_begin_with_their_prompts_say_it_before_all_else() -> None:
    likely = likely_kind("instruction", stories(TASKS, begun=True))
    assert likely is not None
    assert likely.kind is PromptKind.OPENING
    some = stories(OPENINGS[:1], begun=True) + stories(OPENINGS[1:])
    assert likely_kind("prompt", some) is None
