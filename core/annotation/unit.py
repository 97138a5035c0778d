"""Units: what one assignment holds, and what the pages call it.

A slot is for a prompt or for a story; that decides how slots are counted, which stories an annotator gets, and which
form the answers are given on. All else that differs between units is wording.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class PromptKind(StrEnum):
    """What a study's prompts are: how its stories begin, or what they were to be about."""

    OPENING = "opening"
    TASK = "task"


@dataclass(frozen=True)
class Wording:
    """Nouns in small letters, one and several; the sentences stand on the page as they are.

    `rated`, `rated_plural`: what annotators hand in. `task`: what they will do, and `task_of_criteria`: the same where
    several questions are asked. `opening`: what stands above the prompt. `shuffled`: what the test of a story's
    position shuffles.
    """

    noun: str
    plural: str
    rated: str
    rated_plural: str
    task: str
    task_of_criteria: str
    opening: str
    shuffled: str


class Unit(StrEnum):
    """What one assignment holds: all stories of a prompt, one story, or pairs of stories, each of one prompt."""

    PANEL = "panel"
    STORY = "story"
    PAIRS = "pairs"

    @property
    def of_prompt(self) -> bool:
        """Whether a slot is for a prompt with all its stories, rather than for one story."""
        return self in OF_PROMPT

    @property
    def of_pairs(self) -> bool:
        """Whether an answer says how one story compares with another; a slot is then for a panel of pairs, which the
        study's design sets together.
        """
        return self is Unit.PAIRS

    @property
    def several(self) -> bool:
        """Whether an assignment is a panel: several stories or pairs, after which there is a pause."""
        return self.of_prompt or self.of_pairs

    @property
    def single(self) -> bool:
        """Whether a story is shown and rated by itself."""
        return not self.of_prompt and not self.of_pairs

    @property
    def wording(self) -> Wording:
        """How the pages call it."""
        return WORDING[self]

    def wording_of(self, prompts: PromptKind) -> Wording:
        """How annotators are told of it, where a study's prompts are such."""
        return WORDING[self] if prompts is PromptKind.OPENING else WORDING_OF_TASKS[self]


OF_PROMPT = frozenset({Unit.PANEL})
WORDING = {
    Unit.PANEL: Wording(
        noun="panel",
        plural="panels",
        rated="panel",
        rated_plural="panels",
        task="You will read the opening of a story and several ways it goes on, and answer a question about each.",
        task_of_criteria=(
            "You will read the opening of a story and several ways it goes on, and answer a few questions about each."
        ),
        opening="The stories begin like this:",
        shuffled="positions shuffled within the panels",
    ),
    Unit.STORY: Wording(
        noun="story",
        plural="stories",
        rated="rated story",
        rated_plural="rated stories",
        task="You will read one text at a time and answer a question about it.",
        task_of_criteria="You will read one text at a time and answer a few questions about it.",
        opening="The story begins like this:",
        shuffled="positions shuffled among the ratings of a story",
    ),
    Unit.PAIRS: Wording(
        noun="panel",
        plural="panels",
        rated="panel of pairs",
        rated_plural="panels of pairs",
        task="You will read two stories with the same opening at a time, and say which is better.",
        task_of_criteria="You will read two stories with the same opening at a time, and say which is better.",
        opening="Both stories begin like this:",
        shuffled="sides shuffled within the panels",
    ),
}
WORDING_OF_TASKS = {
    Unit.PANEL: replace(
        WORDING[Unit.PANEL],
        task="You will read a prompt and several stories that were written for it, and answer a question about each.",
        task_of_criteria=(
            "You will read a prompt and several stories that were written for it, and answer a few questions about "
            "each."
        ),
        opening="The stories were written for this prompt:",
    ),
    Unit.STORY: replace(WORDING[Unit.STORY], opening="The story was written for this prompt:"),
    Unit.PAIRS: replace(
        WORDING[Unit.PAIRS],
        task="You will read two stories at a time that were written for the same prompt, and say which is better.",
        task_of_criteria=(
            "You will read two stories at a time that were written for the same prompt, and say which is better."
        ),
        opening="Both stories were written for this prompt:",
    ),
}
