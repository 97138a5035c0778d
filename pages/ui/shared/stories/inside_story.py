"""What in a story lifts two metrics' scores or pulls them down: sentences of acceptability, words of a language model.

Both are worked out when somebody wants to see them: a model has to read the story.
"""

from collections.abc import Collection, Mapping

import streamlit as st

from core.analysis.stories.pulling import likely_words, telling_sentences, unlikely_words
from core.analysis.stories.view import StoryView
from core.analysis.verdict.finding import short
from core.errors import FabulaError
from core.metrics.acceptability import Acceptability
from core.metrics.base import Metric
from core.metrics.naturalness import FractionMasked, NaturalnessMetric
from core.metrics.perplexity import LanguageModelMetric
from core.metrics.sentinels import PromptOnly
from core.models.acceptability.settings import SentenceRequest
from core.models.tokens.settings import TokenRequest
from core.people import Person
from core.stories import sentences
from core.tokens import TokenTable
from pages.ui.shared.jobs.awaited_job import ask, awaited, latest, stay
from pages.ui.shared.stories.story_tokens import kept_tokens, reading_of
from pages.ui.shared.text import escaped, problem

WANTED = "inside-story"
SENTENCES = "sentences"
PUNCTUATION = ".,;:!?…\"'“”‘’()"
"""What stands around a word that is quoted, and is no part of it."""


def inside_story(
    viewer: Person,
    story: StoryView,
    kinds: Mapping[str, type[Metric]],
    high: Collection[str],
    prompted: Collection[str],
) -> list[TokenRequest]:
    """Of the metrics of these names, as far as what they score can be taken apart; nothing where none can be. `high`:
    those that place the story in the upper half: what lifts it is shown, of the others what pulls it down. `prompted`:
    those whose model reads the prompt first. Returns the readings of the story's tokens that are wanted for it.
    """
    of_sentences = [name for name, kind in kinds.items() if issubclass(kind, Acceptability)]
    of_words = {name: kind for name, kind in kinds.items() if of_likely_words(kind)}
    explainable = [*of_sentences, *of_words]
    scores = f"the score of {explainable[0]}" if len(explainable) == 1 else "their scores"
    if not explainable or not st.toggle(
        escaped(f"Show what lifts or lowers {scores} here"),
        key=WANTED,
        persist_state="session",
        help="A bundled model reads the story for it; one that it has not read yet takes some seconds.",
    ):
        return []
    read = [_sentences(viewer, story, name, lift=name in high) for name in of_sentences]
    if not all(read):
        return []  # the worker does one thing after the other, and so one progress is shown after the other
    by_reading: dict[TokenRequest, dict[str, type[Metric]]] = {}
    for name, kind in of_words.items():
        by_reading.setdefault(reading_of(story, prompted=name in prompted), {})[name] = kind
    for reading, some in by_reading.items():
        _words(reading, some, high)
    return list(by_reading)


def of_likely_words(kind: type[Metric]) -> bool:
    """Whether its score is of how likely the story's words are; of `prompt-only` it is not."""
    return issubclass(kind, LanguageModelMetric | FractionMasked) and not issubclass(kind, PromptOnly)


def _sentences(viewer: Person, story: StoryView, name: str, *, lift: bool) -> bool:
    """The sentences that tell most; says whether the model is done with the story, whatever came of it."""
    asked = SentenceRequest(story.text, story.id)
    try:
        job = latest(SENTENCES, asked)
        failed = job is not None and not job.state.active and job.result is None
        if job is None or (failed and st.button("Score them again", icon=":material/refresh:", key="sentences-again")):
            ask(viewer, SENTENCES, [asked])
            stay(SENTENCES, [asked], "sentences")
            job = latest(SENTENCES, asked)
        if job is None or job.result is None:
            awaited(viewer, SENTENCES, [asked], "sentences", queue=False)
            return not (job is not None and job.state.active)
    except FabulaError as error:
        problem(str(error))
        return True
    parts = [story.text[start:end] for start, end in sentences(story.text)]
    telling = telling_sentences(parts, job.result["acceptable"], lift=lift)
    listed = [f"- {short(value)}: {escaped(' '.join(sentence.split()))}" for sentence, value in telling.furthest]
    st.markdown("\n".join([f"**{escaped(name)}**: {telling.text}", "", *listed]))
    return True


def _words(reading: TokenRequest, of_words: Mapping[str, type[Metric]], high: Collection[str]) -> None:
    """What a language model expected of the story and what it did not, whichever has made a metric's score what it is.

    Likely words lift a mean log-probability. Metrics of naturalness, under which likely words look machine-made, they
    lower.
    """
    table = kept_tokens(reading)
    if table is None:
        st.caption(f"{escaped(' and '.join(of_words))}: a language model is reading the story.")
        return
    by_likely: dict[bool, list[str]] = {}
    for name, kind in of_words.items():
        likely = (name in high) != issubclass(kind, NaturalnessMetric | FractionMasked)
        does = f"{'likely' if likely else 'unlikely'} words {'lift' if name in high else 'lower'} it."
        by_likely.setdefault(likely, []).append(f"**{escaped(name)}**: {does}")
    for likely, effects in by_likely.items():
        st.markdown(" ".join([*effects, _likely(table) if likely else _unlikely(table)]))
    if reading.prompt:
        st.caption("It has read the prompt first, as for the score: a word that the prompt names surprises it less.")


def _likely(table: TokenTable) -> str:
    found = likely_words(table)
    return (
        f"The first guess of {escaped(table.model)} was right for {found.expected:.0%} of the story's tokens. "
        f"Likeliest of the longer words, in their places: {escaped(_quoted(found.words))}."
    )


def _unlikely(table: TokenTable) -> str:
    found = unlikely_words(table)
    return (
        f"Least likely to {escaped(table.model)}, in their places: {escaped(_quoted(found.words))}. Of the "
        f"{found.number:,} words these make up {found.share:.0%} of its surprise, the sum of −log p."
    )


def _quoted(words: Collection[str]) -> str:
    return ", ".join(f"“{word.strip(PUNCTUATION)}”" for word in words)
