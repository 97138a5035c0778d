"""What in a story pulls two metrics' scores down: sentences of acceptability, words of a language model.

Both are worked out when somebody wants to see them: a model has to read the story.
"""

from collections.abc import Mapping

import streamlit as st

from core.analysis.stories.overlap import overlap
from core.analysis.stories.view import StoryView
from core.analysis.verdict.finding import short
from core.analysis.verdict.pulling import unlikely_words, weak_sentences
from core.errors import FabulaError
from core.metrics.acceptability import Acceptability
from core.metrics.base import Kind, Metric
from core.metrics.naturalness import FractionMasked
from core.metrics.perplexity import LanguageModelMetric
from core.models.acceptability.settings import SentenceRequest
from core.people import Person
from core.stories import sentences
from pages.ui.shared.jobs.awaited_job import ask, awaited, latest
from pages.ui.shared.stories.story_tokens import kept_tokens
from pages.ui.shared.text import escaped, problem

WANTED = "inside-story"
SENTENCES = "sentences"


def inside_story(viewer: Person, story: StoryView, kinds: Mapping[str, type[Metric]]) -> bool:
    """Of the metrics of these names, as far as what they score can be taken apart; nothing where none can be. Says
    whether the story's tokens are wanted for it.
    """
    of_sentences = [name for name, kind in kinds.items() if issubclass(kind, Acceptability)]
    of_words = [name for name, kind in kinds.items() if issubclass(kind, LanguageModelMetric | FractionMasked)]
    for name, kind in kinds.items():
        if kind.kind is Kind.REFERENCED and (found := overlap(story.text, story.references)) is not None:
            st.markdown(
                f"**{escaped(name)}**: {found.shared:,} of the story's {found.words:,} words stand in what a person "
                "wrote for the prompt."
            )
    if not (of_sentences or of_words) or not st.toggle(
        "Show what pulls their scores down here",
        key=WANTED,
        persist_state="session",
        help="A bundled model reads the story for it; one that it has not read yet takes some seconds.",
    ):
        return False
    for name in of_sentences:
        _weak_sentences(viewer, story, name)
    if of_words:
        _unlikely_words(story, of_words)
    return bool(of_words)


def _weak_sentences(viewer: Person, story: StoryView, name: str) -> None:
    asked = SentenceRequest(story.text, story.id)
    try:
        job = latest(SENTENCES, asked)
        failed = job is not None and not job.state.active and job.result is None
        if job is None or (failed and st.button("Score them again", icon=":material/refresh:", key="sentences-again")):
            ask(viewer, SENTENCES, [asked])
            job = latest(SENTENCES, asked)
        if job is None or job.result is None:
            awaited(viewer, SENTENCES, [asked], "sentences", queue=False)
            return
    except FabulaError as error:
        problem(str(error))
        return
    parts = [story.text[start:end] for start, end in sentences(story.text)]
    weak = weak_sentences(parts, job.result["acceptable"])
    listed = [f"- {short(value)}: {escaped(' '.join(sentence.split()))}" for sentence, value in weak.lowest]
    st.markdown("\n".join([f"**{escaped(name)}**: {weak.text}", "", *listed]))


def _unlikely_words(story: StoryView, names: list[str]) -> None:
    table = kept_tokens(story)
    if table is None:
        st.caption(f"{escaped(' and '.join(names))}: a language model is reading the story.")
        return
    found = unlikely_words(table)
    listed = ", ".join(f"“{word}”" for word in found.words)
    st.markdown(
        f"**{escaped(' and '.join(names))}**: least likely to {escaped(table.model)}, in their places: "
        f"{escaped(listed)}. Of the {found.number:,} words these make up {found.share:.0%} of its surprise, the sum of "
        "−log p. For this list it reads the story alone, for a score the prompt first: a word that the prompt names "
        "surprises it only here."
    )
