"""Judges: which language model that rates stories agrees with people, and may it stand in for one of them?"""

from dataclasses import replace

import streamlit as st

from core.analysis.verdict.sentences import listed
from core.annotation.target import in_a_sentence
from core.figures.correlation import AXES
from core.formats.columns import called_like_judge
from core.judges.naming import judge_column
from core.people import Role
from core.scores import IMPORTED
from pages.ui.judges.agreement import agreement_section
from pages.ui.judges.biases import biases_section
from pages.ui.judges.confusion import confusion_section
from pages.ui.judges.disagreements import disagreements_section
from pages.ui.judges.pairs import pairs_section
from pages.ui.judges.quotes import quotes_section
from pages.ui.judges.replacement import replacement_section
from pages.ui.judges.results import judges_here, trial_of
from pages.ui.judges.wording import wording_section
from pages.ui.shared.analysis.finding import disagreeing
from pages.ui.shared.analysis.page_frame import analysis, without_ratings
from pages.ui.shared.analysis.replacement_words import TRIAL
from pages.ui.shared.analysis.tuned import reported_of, say_cautions
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import JUDGE_RUN
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)
TABS = ("Agreement", TRIAL, "Confusion", "Disagreements", "Quotes", "Biases", "Wording")
COEFFICIENTS = ("Agreement", "Wording")
"""The tabs that show one; the others count, or have measures of their own."""
NAMED = 5
"""Imported metrics that a message names."""
OWN_CHOICE = "Confusion"
"""The tab that has a judge of its own in the bar, where a way to run another has no room."""


def tabs(shown: View) -> None:
    """Only the tab that is looked at is made."""
    if shown.study.scheme.unit.of_pairs:
        pairs_section(shown)
        return
    if without_ratings(shown):
        return
    drawn = dict(zip(TABS, st.tabs(TABS, key="tab", bind="query-params"), strict=True))
    chosen = next((name for name, tab in drawn.items() if tab.open), TABS[0])
    coefficient = _coefficient(shown) if chosen in COEFFICIENTS else ""
    if chosen != OWN_CHOICE:
        _run_a_judge(shown)
    with drawn[chosen]:
        if chosen == TABS[-1]:
            wording_section(viewer, shown, coefficient)
        else:
            _report(chosen, shown, coefficient)


def _coefficient(shown: View) -> str:
    """The coefficient that is pressed; beside the choice of a judgment by its symbol alone: all choices stand in one
    line, so that the tabs below keep their place.
    """
    several = len(shown.study.scheme.criteria) > 1
    return (shown.bar or st).segmented_control(
        "Coefficient",
        list(AXES),
        format_func=lambda name: AXES[name].split()[-1] if several else AXES[name],
        default="pearson",
        required=True,
        key="coefficient",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
    )


def _report(tab: str, shown: View, coefficient: str) -> None:
    """A tab of figures: judges that were tuned here have those of the stories that they were not tuned on."""
    if not judges_here(shown):
        _no_judge(shown)
        if tab == "Biases":  # a judge need not have rated the study
            biases_section(viewer, shown)
        return
    found = reported_of(shown)
    say_cautions(found)
    every = shown  # the people whose ratings agree, or do not, have rated the other half too
    shown = replace(shown, table=found.table)
    if not judges_here(shown):
        return
    match tab:
        case "Agreement":
            agreement_section(shown, trial_of(shown), coefficient, disagreeing(every))
        case "Confusion":
            confusion_section(shown, trial_of(shown))
        case "Disagreements":
            disagreements_section(viewer, shown, trial_of(shown))
        case "Quotes":
            quotes_section(viewer, shown)
        case "Biases":
            biases_section(viewer, shown)
        case _:
            replacement_section(viewer, shown, disagreeing(every))


def _run_a_judge(shown: View) -> None:
    """The way to a run of another judge, or of the first one."""
    if judges_here(shown):  # else the page says it in its middle
        place = shown.bar or st
        place.page_link("score.py", label="Run a judge", icon=":material/gavel:", query_params=JUDGE_RUN)


def _no_judge(shown: View) -> None:
    several = len(shown.study.scheme.criteria) > 1  # else there is no judgment to choose
    ways = "run one on the page Run metrics, where it is chosen already" + (", " if several else ", or ")
    ways += "import the ratings of some" + (", or choose another judgment above" if several else "")
    title = escaped(in_a_sentence(shown.target.title))
    if rated := _criteria_rated(shown):
        choose = "choose that judgment" if len(rated) == 1 else "choose one of these judgments"
        st.info(
            f"Judges have rated {escaped(listed(rated))} here, but not {title}: {choose} above, or run a judge on "
            "what is missing."
        )
    else:
        st.info(f"No judge has rated {title} here yet. A judge is a language model that rates stories: {ways}.")
    if brought := _imported(shown):
        named = ", ".join(f"*{escaped(name)}*" for name in brought[:NAMED])
        st.info(
            f"Scores of {named} were imported as a metric's. If a judge gave them, take that import back (*Last "
            "imports* on the Import page) and import the column as *Judges' ratings*: it is put on trial here then."
        )
    with st.container(horizontal=True, gap="medium"):
        st.page_link("score.py", label="Run a judge", icon=":material/gavel:", query_params=JUDGE_RUN)
        st.page_link(
            "import_data.py", label="Import judges' ratings", icon=":material/upload:", query_params={"kind": "judges"}
        )


def _criteria_rated(shown: View) -> list[str]:
    """The study's criteria that some judge rates, where none rates all that the page is about."""
    judged = (judge_column(column.metric) for column in shown.table.columns)
    rated = {judge.criterion.casefold() for judge in judged if judge is not None}
    return [name for name in shown.study.scheme.names if name.casefold() in rated]


def _imported(shown: View) -> list[str]:
    """The metrics whose scores came from a file: those that are called like a judge, or else all."""
    metrics = [column.metric for column in shown.table.columns if column.signature.startswith(IMPORTED)]
    others = [metric for metric in dict.fromkeys(metrics) if judge_column(metric) is None]
    return [metric for metric in others if called_like_judge(metric)] or others


analysis("Judges", "Which judge deserves trust, and may it stand in for a person?", tabs)
