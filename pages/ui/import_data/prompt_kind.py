"""What the prompts of a study without stories are, as the Import page asks for it."""

from collections.abc import Iterable
from itertools import islice

from core.annotation.scheme import Scheme
from core.annotation.unit import PromptKind
from core.formats.stories.prompt_kinds import likely_kind
from core.stories import StoryRecord
from pages.ui.import_data.steps import PREVIEWED
from pages.ui.shared.prompt_kind import choose_prompt_kind

WHY = (
    "Chosen is the second where the prompt's column is called task, instruction or the like, or most of the first "
    "prompts begin as “Write a story” does. Form and rules can change it until somebody has rated."
)


def ask_prompt_kind(scheme: Scheme, column: str, stories: Iterable[StoryRecord], upload: str) -> PromptKind | None:
    """Ask it of a study of this scheme that has no stories; None where its form shows no prompt, or the first stories
    of the file have none.
    `column`: of the prompts; `upload`: the file's id.
    """
    prompts = [story.prompt for story in islice(stories, PREVIEWED) if story.prompt.strip()]
    if not prompts or not scheme.shows_prompt:
        return None
    of_tasks = scheme.prompt_kind is PromptKind.TASK
    usual = PromptKind.TASK if of_tasks else likely_kind(column, prompts)
    return choose_prompt_kind(usual, f"prompt-kind-{usual}-{upload}", WHY)
