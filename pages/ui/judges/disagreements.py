"""The stories on which a judge and people are farthest apart, each a click from its text and its ratings."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.judges.trial import Disagreement, Trial
from core.analysis.judgments.evidence import MarkedStory
from core.analysis.verdict.judges import of_one_step, on_disagreements
from core.judges.asking import Reply
from core.judges.kept import kept_replies
from core.metrics.judging.asked import Asked, asked_of
from core.people import Person
from core.scores import ScoreTable
from core.stored_texts import strings_at
from core.stories import Story
from core.wording import digits, real_minus
from db.judges.judged import judged_study
from db.studies import story_texts
from pages.ui.components.marked_story import marked_story
from pages.ui.judges.results import choose_judge, marked_of
from pages.ui.shared.analysis.finding import say
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.judge_reply import judge_reply
from pages.ui.shared.stories.story_drawer import PRESS_ROW, open_row
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped, story_text

OPENED = 10
"""Stories that can be opened; the table has more."""


@st.cache_data(max_entries=4, show_spinner=False)
def _prompts(study_id: int, version: str, _by: Person) -> dict[str, str]:
    del version  # what the result is kept under
    return story_texts.of_study(_by, study_id)[0]


def disagreements_section(viewer: Person, shown: View, trial: Trial) -> None:
    """One judge's stories, the farthest first."""
    row = choose_judge(trial)
    if not row.disagreements:
        st.info(f"{escaped(row.judge.name)} and people nowhere part: nothing to show.")
        return
    say(shown, on_disagreements(row, shown.table.keys))
    if alike := of_one_step([row.judge], row.confusion.steps):
        st.caption(escaped(alike))
    st.caption(
        "How far apart: by how many points the judge is above or below people, beyond what it is on average. So a "
        "strict judge does not disagree with everything."
    )
    prompts = _prompts(shown.study.id, story_texts.version(shown.study.id), viewer)
    places = np.array([one.story for one in row.disagreements], dtype=np.intp)
    keys = list(strings_at(shown.table.keys, places))
    opened, first = row.disagreements[:OPENED], places[:OPENED]
    texts_and_prompts = zip(strings_at(shown.table.texts, first), strings_at(shown.table.prompts, first), strict=True)
    stories = [Story(text, prompts.get(prompt, "")) for text, prompt in texts_and_prompts]
    judged = judged_study(shown.study.id)
    asked, marked = asked_of(row.judge.signatures[0], judged), marked_of(viewer, shown)
    words: list[tuple[Reply, ...]] = [() for _ in stories]
    if isinstance(asked, Asked):
        words = kept_replies(asked.question, asked.model, judged.replies, stories)
    for one, key, story, replies in zip(opened, keys[:OPENED], stories, words, strict=True):
        with st.expander(_label(one, key, shown.table.systems[one.story])):
            _story(shown.table, trial, one, story, marked.get(key))
            if isinstance(asked, Asked):
                for reply in replies:
                    judge_reply(row.judge.name, reply, asked.question, story)
    if isinstance(asked, str):
        st.caption(escaped(f"What {row.judge.name} said cannot be shown: {asked}."))
    table(
        "Disagreements",
        [
            {
                "Story": key,
                "System": shown.table.systems[one.story],
                "People": one.human,
                "Judge": one.judge,
                "Apart": one.apart,
            }
            for one, key in zip(row.disagreements, keys, strict=True)
        ],
        notes={"Apart": "Points by which the judge is above people, less how many it is on average"},
        on_row=partial(open_row, keys),
    )
    st.caption(PRESS_ROW)


def _label(one: Disagreement, key: str, system: str) -> str:
    about = f"{key}, by {system}"
    return (
        f"{escaped(about)} · people **{_number(one.human)}**, judge **{_number(one.judge)}** "
        f"({_number(one.apart, '+.1f')} points)"
    )


def _number(value: float, form: str = ".2f") -> str:
    """With a minus of its own, not a hyphen."""
    return real_minus(digits(value, form))


def _listed(values: Mapping[str, float]) -> str:
    """Names with their numbers, in one paragraph that can be read."""
    return " · ".join(f"{escaped(name)} **{_number(value)}**" for name, value in values.items() if value == value)


def _story(shown: ScoreTable, trial: Trial, one: Disagreement, story: Story, marked: MarkedStory | None) -> None:
    """The prompt, the story with what people marked in it, what they and every judge gave it."""
    if story.prompt.strip():
        st.caption("Prompt")
        story_text(story.prompt)
    if marked is None:
        st.caption("Story")
        story_text(story.text)
    else:
        st.caption("Story; the raised figure is how many people marked the passage before it")
        marked_story(marked, None, key=f"marked-{one.story}")
    given = shown.ratings[one.story] if len(shown.ratings) else []
    single = ", ".join(f"{value:g}" for value in given if value == value)
    st.markdown(f"People: {single.replace('-', '−') or 'a mean'}, on average **{_number(one.human)}**")
    if shown.criteria:
        means = {name: float(values[one.story]) for name, values in shown.criteria.items()}
        st.markdown(f"People on every criterion: {_listed(means)}")
    said = {other.judge.name: float(other.judge.values[one.story]) for other in trial.judges}
    st.markdown(f"Judges: {_listed(said)}")
