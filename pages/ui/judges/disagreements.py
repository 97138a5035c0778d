"""The stories on which a judge and people are farthest apart, each a click from its text and its ratings."""

from collections.abc import Mapping

import streamlit as st

from core.analysis.judges.trial import Disagreement, Trial
from core.people import Person
from core.scores import ScoreTable
from db.studies import story_texts
from pages.ui.judges.results import choose_judge
from pages.ui.shared.analysis.view import View
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
    st.caption(
        "How far apart is counted in standard deviations, each side around its own mean: a strict judge does not "
        "disagree with everything."
    )
    prompts = _prompts(shown.study.id, story_texts.version(shown.study.id), viewer)
    for one in row.disagreements[:OPENED]:
        with st.expander(_label(shown.table, one)):
            _story(shown.table, trial, one, prompts.get(shown.table.prompts[one.story], ""))
    table(
        "Disagreements",
        [
            {
                "Story": shown.table.keys[one.story],
                "System": shown.table.systems[one.story],
                "People": one.human,
                "Judge": one.judge,
                "Apart": one.apart,
            }
            for one in row.disagreements
        ],
        notes={"Apart": "Standard deviations by which the judge is above people"},
    )


def _label(shown: ScoreTable, one: Disagreement) -> str:
    about = f"{shown.keys[one.story]}, by {shown.systems[one.story]}"
    return (
        f"{escaped(about)} · people **{_number(one.human)}**, judge **{_number(one.judge)}** "
        f"({_number(one.apart, '+.1f')} SD)"
    )


def _number(value: float, form: str = ".2f") -> str:
    """With a minus of its own, not a hyphen."""
    return format(value, form).replace("-", "−")


def _listed(values: Mapping[str, float]) -> str:
    """Names with their numbers, in one paragraph that can be read."""
    return " · ".join(f"{escaped(name)} **{_number(value)}**" for name, value in values.items() if value == value)


def _story(shown: ScoreTable, trial: Trial, one: Disagreement, prompt: str) -> None:
    """The prompt, the story, what people and every judge gave it."""
    if prompt.strip():
        st.caption("Prompt")
        story_text(prompt)
    st.caption("Story")
    story_text(shown.texts[one.story])
    given = shown.ratings[one.story] if len(shown.ratings) else []
    single = ", ".join(f"{value:g}" for value in given if value == value)
    st.markdown(f"People: {single.replace('-', '−') or 'a mean'}, on average **{_number(one.human)}**")
    if shown.criteria:
        means = {name: float(values[one.story]) for name, values in shown.criteria.items()}
        st.markdown(f"People on every criterion: {_listed(means)}")
    said = {other.judge.name: float(other.judge.values[one.story]) for other in trial.judges}
    st.markdown(f"Judges: {_listed(said)}")
