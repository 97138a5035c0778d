"""What the prompts of a study without stories are, as the Import page asks for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from streamlit.delta_generator import DeltaGenerator

from core.annotation.scheme import Scheme
from core.annotation.unit import PromptKind
from core.formats.stories.prompt_kinds import LikelyKind, likely_kind
from core.stories import StoryRecord
from pages.ui.import_data.steps import PREVIEWED
from pages.ui.shared.prompt_kind import choose_prompt_kind
from pages.ui.shared.text import escaped

LATER = "Form and rules can change it until somebody has rated."
SHOWN = 160
"""Characters of the first prompt that stand below the question."""


@dataclass(frozen=True)
class AskedKind:
    """What was answered, None where there is no question or no answer; `open`: there is one and it is not answered."""

    kind: PromptKind | None = None
    open: bool = False

    @property
    def question(self) -> str:
        """How what has to be answered yet is called, "" for nothing."""
        return "what the prompt is" if self.open else ""


def ask_prompt_kind(
    place: DeltaGenerator, scheme: Scheme, column: str, stories: Iterable[StoryRecord], upload: str
) -> AskedKind:
    """Ask it of a study of this scheme that has no stories, unless its form shows no prompt, or the first stories of
    the file have none. What form or file say is chosen already.
    `column`: of the prompts; `upload`: the file's id.
    """
    first = [story for story in islice(stories, PREVIEWED) if story.prompt.strip()]
    if not first or not scheme.shows_prompt:
        return AskedKind()
    if scheme.prompt_kind is PromptKind.TASK:
        likely: LikelyKind | None = LikelyKind(PromptKind.TASK, "the form says so")
    else:
        likely = likely_kind(column, first)
    usual = likely.kind if likely else None
    with place:
        answer = choose_prompt_kind(usual, f"prompt-kind-{usual}-{upload}", LATER)
    prompt = " ".join(first[0].prompt.split())
    shown = escaped(prompt if len(prompt) <= SHOWN else f"{prompt[:SHOWN]} …")
    why = f"Chosen because {escaped(likely.why)}. " if likely and answer is usual else ""
    if answer is None:
        why = "Please choose: the file does not say it. "
    place.caption(f"{why}The first prompt: “{shown}”")
    return AskedKind(answer, open=answer is None)
