"""Which story is explained: typed, of a study, or a known negative of a human one."""

from dataclasses import dataclass

import streamlit as st

from core.errors import InputError
from core.explanation.settings import ExplanationRequest, NegativeRecipe
from core.people import Person
from core.perturb.edits import Perturbed
from core.perturb.negatives.sets import negative_of, why_not
from core.stories import LONGEST_STORY, Source, Story, StoryRecord
from db.transfer.demonstration import demonstration
from pages.ui.explain.checkpoint import ChosenCheckpoint
from pages.ui.explain.finished_jobs import addressed
from pages.ui.shared.stories.negative_example import choose_story
from pages.ui.shared.stories.negative_settings import choose_settings
from pages.ui.shared.stories.negative_source import MOST, choose_stories, sampler
from pages.ui.shared.stories.text_source import story_source
from pages.ui.shared.text import notice

TYPED, STORY, NEGATIVE = "Type a story", "A story of a study", "A known negative"
EXPLAIN_NOW = "explain-now"
PROMPT, TEXT, PASTED = "explain-prompt", "explain-text", "pasted-story"


@dataclass(frozen=True)
class ExplanationChoice:
    """What to ask the worker, the story as it is scored, and how it was made where it is a negative of a human one."""

    asked: ExplanationRequest
    story: Story
    human: StoryRecord | None = None
    negative: Perturbed | None = None


def choose_wanted(viewer: Person, checkpoint: ChosenCheckpoint) -> ExplanationChoice | None:
    """The widgets to choose a story; None where there is none yet. Raises InputError for one that is too long."""
    kinds = [TYPED, STORY, NEGATIVE]
    kind = st.segmented_control(
        "What to explain", kinds, default=TYPED, required=True, key="explain-of", bind="query-params"
    )
    _restore()
    if kind == NEGATIVE:
        choice = _negative(viewer, checkpoint)
    else:
        choice = _of_study(viewer, checkpoint) if kind == STORY else _typed(checkpoint)
    if choice and len(choice.story.text) > LONGEST_STORY:
        raise InputError(
            f"The story has {len(choice.story.text):,} characters; at most {LONGEST_STORY:,} are "
            "explained: give a part."
        )
    return choice


def _restore() -> None:
    """Put typed texts back after a reload, from the job that the address names: they do not fit into it."""
    if TEXT in st.session_state or (job := addressed()) is None:
        return
    text = str(job.settings.get("text", ""))
    if "recipe" in job.settings:
        st.session_state.setdefault(PASTED, text)
    else:
        st.session_state[TEXT], st.session_state[PROMPT] = text, str(job.settings.get("prompt", ""))


def _typed(checkpoint: ChosenCheckpoint) -> ExplanationChoice | None:
    prompt = st.text_input("Prompt", key=PROMPT, persist_state="page", placeholder="none: the story stands alone")
    text = st.text_area(
        "The story",
        key=TEXT,
        height=160,
        persist_state="page",
        placeholder="Type or paste a story of a few sentences.",
    )
    st.button("Try an example", icon=":material/auto_awesome:", type="tertiary", on_click=_example)
    if not text.strip():
        return None
    asked = ExplanationRequest(checkpoint.kept.place, text, prompt, checkpoint.base, long=checkpoint.long)
    return ExplanationChoice(asked, Story(text, prompt))


def _example() -> None:
    """A system's story of the demonstration study."""
    record = next(story for story in demonstration().stories if story.source is Source.SYSTEM)
    st.session_state[PROMPT], st.session_state[TEXT] = record.prompt, record.text
    st.session_state[EXPLAIN_NOW] = True


def _of_study(viewer: Person, checkpoint: ChosenCheckpoint) -> ExplanationChoice | None:
    source = story_source(viewer, "1")
    if source is None:
        return None
    if not source.text.strip():
        st.info("This story is empty: choose another one.")
        return None
    asked = ExplanationRequest(
        checkpoint.kept.place, source.text, source.prompt, checkpoint.base, source.story, long=checkpoint.long
    )
    return ExplanationChoice(asked, Story(source.text, source.prompt))


def _negative(viewer: Person, checkpoint: ChosenCheckpoint) -> ExplanationChoice | None:
    chosen = choose_stories(viewer)
    settings = choose_settings(viewer)
    if chosen is None or settings is None:
        return None
    record = choose_story(chosen)
    perturbed = negative_of(record, sampler(chosen, settings), settings.seed)
    if perturbed is None:
        notice(f"This story has no negative: {why_not(record)}. Choose another one, or more techniques.")
        return None
    recipe = NegativeRecipe(
        chosen.study,
        chosen.group,
        record.key,
        MOST,
        settings.seed,
        tuple(str(technique) for technique in settings.mix.techniques),
        settings.knowledge,
        settings.mix.name,
    )
    text = record.text if chosen.study is None else perturbed.text
    asked = ExplanationRequest(
        checkpoint.kept.place, text, record.prompt, checkpoint.base, recipe=recipe, long=checkpoint.long
    )
    return ExplanationChoice(asked, Story(perturbed.text, record.prompt), record, perturbed)
