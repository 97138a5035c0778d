"""How many more? Whether further ratings, or further stories, are worth their price."""

import streamlit as st

from core.analysis.correlation.cost import advice_opening, advice_sentence, price, price_sentence
from core.analysis.correlation.sample_size import Extrapolation, extrapolation
from core.analysis.verdict.finding import short
from core.analysis.verdict.grade import DISAGREE, REMEDIES
from core.figures.sample_size import more_ratings, more_stories
from core.figures.style import side_by_side
from core.scores import ScoreTable
from pages.ui.form.plan import METRICS
from pages.ui.shared.analysis.finding import agreement, say_of
from pages.ui.shared.analysis.metric_choice import choose_metric
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import want_page
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

METHOD = (
    "Solid: means over random thinnings of what is collected (some of each story's ratings; some of the prompts with "
    "all their stories). Dashed: extrapolated, to twice and four times as much. The width falls with 1/√stories; its "
    "square is fitted as a + b / ratings; r rises with ratings as Spearman and Brown's formula says. The interval is "
    "the normal one by prompt, which the bootstrap tends to."
)


@st.cache_data(max_entries=8, show_spinner="Thinning out")
def _found(key: tuple[object, ...], index: int, seed: int, _table: ScoreTable) -> Extrapolation:
    values, prompts = _table.columns[index].values, _table.prompts
    if _table.averaged.any():
        return extrapolation(values, _table.human, prompts, averaged=_table.behind, seed=seed)
    return extrapolation(values, _table.ratings, prompts, seed=seed)


def _to_plan() -> None:
    st.button(
        "How many it takes to tell two metrics apart",
        icon=":material/balance:",
        type="tertiary",
        key="plan-two-metrics",
        on_click=want_page,
        args=("form.py",),
        kwargs={"form-tab": "Plan", "plan-what": METRICS},
    )


def more_section(shown: View) -> None:
    """The choice of a metric, the sentence, what it costs, and both curves."""
    chosen = choose_metric(shown)
    name = shown.names[chosen]
    if agreement(shown).disagree:
        st.info(
            f"Whether more ratings or more stories are worth their price cannot be told: {DISAGREE}. What could help: "
            f"{REMEDIES[DISAGREE]}."
        )
        return
    effects = _found(shown.key, chosen, shown.seed, shown.table)
    if effects.undefined:
        st.info(
            f"Nothing to go by for {escaped(name)}: {escaped(effects.undefined)}. Have more stories rated; how many "
            "it takes to tell two metrics apart can be planned before."
        )
        _to_plan()
        return
    say_of(name, advice_opening(effects))
    left, right = st.columns(2)
    by_stories = more_stories(effects, name)
    if effects.by_ratings:
        by_ratings = more_ratings(effects, name)
        side_by_side(by_stories, by_ratings)
        with right:
            chart(by_ratings, key="more_ratings", alt="Width of the interval by ratings a story")
    with left:
        chart(by_stories, key="more_stories", alt="Width of the interval by number of stories")
    st.markdown(escaped(advice_sentence(effects)))
    _to_plan()
    pay = shown.study.payment
    cost = price(effects, shown.study.scheme.unit, pay)
    if cost:
        st.markdown(escaped(price_sentence(cost, pay)))
    fitted = (
        f" Here it fell with stories to the power {short(effects.exponent)}; the law says −0.50."
        if effects.exponent
        else ""
    )
    st.caption(METHOD + fitted)
    with st.expander("As a table"):
        table("How many more", _rows(effects), {"Size": "%d"})


def _rows(result: Extrapolation) -> list[dict[str, object]]:
    return [
        {
            "Of": of,
            "Size": step.size,
            "r": step.r,
            "Width": step.width,
            "Width by reliability": step.reach,
            "": "extrapolated" if step.extrapolated else "found",
        }
        for of, steps in (("stories", result.by_stories), ("ratings a story", result.by_ratings))
        for step in steps
    ]
