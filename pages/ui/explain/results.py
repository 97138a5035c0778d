"""Why a score is what it is: in words, in the text, as bars and in a table."""

import streamlit as st

from core.explanation.results import Explanation, ScoredSentence, StoryLayout, verdict
from core.figures.explain import contributions
from core.figures.style import number
from core.metrics.trained.odds import probability
from pages.ui.components.explained_story import ShadedSpan, explained_story
from pages.ui.explain.checkpoint import ChosenCheckpoint
from pages.ui.explain.reconstruction import rebuilt
from pages.ui.explain.story_choice import ExplanationChoice
from pages.ui.shared.stories.negative_example import side_by_side
from pages.ui.shared.tables.downloads import chart, table_with_downloads

NOTES = {
    "Contribution": "The story's logit less that of the story without this sentence: above 0 the sentence makes the "
    "story look more like a person's.",
    "P without it": "The score of the story without this sentence, 0 to 1.",
    "Edited by": "The techniques that made this sentence of the negative.",
    "Put back": "By how much the logit rises where the human story's sentence stands in its place.",
}
FEW = 0.005
"""A logit that nobody would see."""


def results(wanted: ExplanationChoice, explanation: Explanation, checkpoint: ChosenCheckpoint) -> None:
    """Everything that was found."""
    layout = StoryLayout.of(wanted.story)
    _score(explanation, checkpoint)
    st.header("Sentences")
    if wanted.negative:
        st.markdown(f"**{verdict(explanation)}** {_put_back(explanation)}")
    elif text := _strongest(explanation):
        st.markdown(f"**{text}**")
    _text(layout.text, explanation)
    if any(sentence.without is not None for sentence in explanation.sentences):
        chart(
            contributions(explanation, layout.text),
            key="contributions",
            alt="What each sentence adds to the logit",
            name="Contributions",
        )
        _table(layout.text, explanation)
    else:
        st.info("The checkpoint reads a single sentence of this story: there is nothing to leave out.")
    if wanted.human and wanted.negative:
        st.header("What was edited")
        side_by_side(wanted.human, wanted.negative)
    rebuilt(layout.text, explanation, checkpoint)


def _score(explanation: Explanation, checkpoint: ChosenCheckpoint) -> None:
    with st.container(horizontal=True, gap="medium"):
        st.metric("P(a person's story)", f"{explanation.probability:.3f}", width="content")
        st.metric("Logit", number(explanation.logit), width="content", help="The log-odds of that probability.")
        if explanation.human is not None:
            st.metric("P of the human story", f"{probability(explanation.human):.3f}", width="content")
            st.metric("Its logit", number(explanation.human), width="content")
    side = "a person's" if explanation.logit >= 0 else "a negative"
    sentence = f"The checkpoint {checkpoint.kept.card.name} takes this story for {side}."
    if explanation.human is not None:
        gap = explanation.human - explanation.logit
        where = f"{abs(gap):.3f} below" if gap > 0 else f"{abs(gap):.3f} above"
        sentence += f" The negative's logit is {where} that of the human story it was made of."
    st.text(sentence)


def _strongest(explanation: Explanation) -> str:
    """Which sentence pulls the score down most, and which holds it up."""
    values = [
        (value, place)
        for place, scored_sentence in enumerate(explanation.sentences, 1)
        if (value := explanation.contribution(scored_sentence))
    ]
    if not values:
        return ""
    (low, lowest), (high, highest) = min(values), max(values)
    lines = []
    if low < -FEW:
        lines.append(f"sentence {lowest} pulls the score down most: without it the logit is {-low:.2f} higher")
    if high > FEW:
        lines.append(f"sentence {highest} holds it up most: without it the logit is {high:.2f} lower")
    sentence = "; ".join(lines) or "no sentence changes the score"
    return f"{sentence[0].upper()}{sentence[1:]}."


def _put_back(explanation: Explanation) -> str:
    """Which of the edited sentences costs the negative most."""
    values = [
        (value, place)
        for place, sentence in enumerate(explanation.sentences, 1)
        if (value := explanation.regained(sentence))
    ]
    if not values:
        return ""
    most, place = max(values)
    if most <= FEW:
        return "No human sentence that is put back in its place raises the score."
    return f"Sentence {place} put back as the human story has it raises the logit most, by {most:.2f}."


def _text(text: str, explanation: Explanation) -> None:
    most = max((abs(explanation.contribution(sentence) or 0.0) for sentence in explanation.sentences), default=0.0)
    parts, reached = [], 0
    for place, scored_sentence in enumerate(explanation.sentences, 1):
        parts += [
            ShadedSpan(text[reached : scored_sentence.start]),
            _part(text, place, scored_sentence, explanation, most),
        ]
        reached = scored_sentence.end
    explained_story([*parts, ShadedSpan(text[reached:])], "The story, shaded by contribution", key="explained-story")
    words = "Blue sentences raise the score, orange ones lower it, by the number behind them."
    if explanation.human is not None:
        words += " Underlined ones were edited."
    words += " The opening is never edited in training: what a story without it means, the checkpoint has not learnt."
    if any(sentence.without is None for sentence in explanation.sentences) and len(explanation.sentences) > 1:
        words += " Pale sentences lie behind what the checkpoint reads."
    st.caption(words)


def _part(text: str, place: int, sentence: ScoredSentence, explanation: Explanation, most: float) -> ShadedSpan:
    value, shown = explanation.contribution(sentence), text[sentence.start : sentence.end]
    if value is None:
        title = f"Sentence {place}: it was not left out"
        return ShadedSpan(shown, title=title, edited=sentence.edited, faint=len(explanation.sentences) > 1)
    edited = f"; edited by {', '.join(sentence.techniques)}" if sentence.edited else ""
    opening = "; the opening" if sentence.fixed else ""
    contribution = f"{value:+.3f}".replace("-", "−")
    note = f"{value:+.2f}".replace("-", "−") + (f" {', '.join(sentence.techniques)}" if sentence.edited else "")
    title = f"Sentence {place}: contributes {contribution} to the logit{edited}{opening}"
    return ShadedSpan(shown, value / most if most else 0.0, note, title, sentence.edited)


def _table(text: str, explanation: Explanation) -> None:
    rows = []
    for place, sentence in enumerate(explanation.sentences, 1):
        row: dict[str, str | float | int | None] = {
            "Sentence": place,
            "Contribution": explanation.contribution(sentence),
            "P without it": None if sentence.without is None else probability(sentence.without),
        }
        if explanation.human is not None:
            row |= {"Edited by": ", ".join(sentence.techniques) or None, "Put back": explanation.regained(sentence)}
        rows.append(row | {"Text": " ".join(text[sentence.start : sentence.end].split())})
    table_with_downloads(rows, "Contributions of sentences", formats={"Sentence": "%d"}, notes=NOTES)
