"""Prompts are openings, unless the column or most of them say otherwise."""

import pytest

from core.annotation.unit import PromptKind
from core.formats.stories.prompt_kinds import likely_kind

OPENINGS = ("Mia found a key.", "“Tell me the truth,” said Ben.", "Write to me, she had said.")
TASKS = ("Write a story about a key.", "Please tell a short, sad tale of two brothers", "  generate three stories")


@pytest.mark.parametrize(
    ("column", "prompts", "kind"),
    [
        ("prompt", OPENINGS, PromptKind.OPENING),
        ("writing_prompt", (), PromptKind.OPENING),
        ("prompt", TASKS, PromptKind.TASK),
        ("prompt", TASKS[:1] + OPENINGS[:1], PromptKind.OPENING),
        ("prompt", TASKS[:2] + OPENINGS[:1], PromptKind.TASK),
        ("Instruction", OPENINGS, PromptKind.TASK),
        ("Input.task_text", OPENINGS, PromptKind.TASK),
    ],
)
def test_tasks_are_told_by_the_column_or_by_most_of_the_prompts(
    column: str, prompts: tuple[str, ...], kind: PromptKind
) -> None:
    assert likely_kind(column, prompts) is kind
