"""The cases that a metric gets most wrong, with what was changed marked in them."""

import streamlit as st

from core.analysis.capability.results import Wrong, worst
from core.perturb.cases import Case
from core.perturb.test_sets.aspects import Test, test_of
from core.stories import begins_with_prompt
from pages.ui.capability.view import CapabilityView
from pages.ui.components.changed_story import changed_story
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.text import escaped

SO_MANY = (3, 5, 10, 20)


def worst_cases(shown: CapabilityView) -> None:
    """Choose a metric and an aspect; its worst cases."""
    left, middle, right = st.columns([2, 2, 1])
    name = choose("Metric", list(shown.columns), "metric", left)
    aspects = list(dict.fromkeys(case.aspect for case in shown.tests.kept if not case.label))
    aspect = choose("Aspect", aspects, "aspect", middle)
    number = right.selectbox("Cases", SO_MANY, index=1, key="so_many", bind="query-params")
    should_see = test_of(aspect) is Test.DISCRIMINATION
    examples = worst(shown.tests.cases, shown.columns[name], aspect, number, filtered=shown.filtered)
    if not examples:
        st.info(
            "There is nothing to show: fewer than two of these cases have a score, or the metric gives all originals "
            "the same one. Choose another metric or aspect, or run the metric on these sets."
        )
        return
    if said := shown.on_cases(name, aspect):
        verdict(escaped(said))
    st.caption(
        "Changed stories should score lower than their originals: first come those that gained most. A change below 0 "
        "is right after all."
        if should_see
        else "The score should stay as it was: first come the stories whose score moved most, either way."
    )
    for place, wrong in enumerate(examples, 1):
        _case(place, wrong, shown.tests.kept[wrong.case])


def choose(label: str, options: list[str], key: str, where: "st.delta_generator.DeltaGenerator") -> str:
    """A box that the address keeps; other sets may not have what was chosen in those before."""
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    return str(where.selectbox(label, options, key=key, bind="query-params"))


def _case(place: int, wrong: Wrong, case: Case) -> None:
    with st.container(border=True, key=f"case-{place}"):
        st.markdown(
            f"**{place}. {escaped(case.id)}**: {_number(wrong.original)} → {_number(wrong.score)}, "
            f"**{_signed(wrong.change)} SD**"
        )
        ways = "; ".join(f"{step.technique}: {step.way}" for step in case.perturbed.steps)
        judged = "" if case.acceptable is None else f" Acceptable English: {case.acceptable:.2f}."
        st.caption(escaped(f"{ways[:1].upper()}{ways[1:]}.{judged} Original: {case.of}."))
        if case.prompt.strip() and not begins_with_prompt(case.prompt, case.perturbed.original):
            st.caption("Its prompt:")
            st.text(case.prompt)
        changed_story(case.perturbed, ("Its original", "Changed"), key=f"changed-{place}-{wrong.case}")


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
