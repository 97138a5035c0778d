"""One case for its readers: what changed in its text, by which technique, and how acceptable the result is."""

import streamlit as st

from core.perturb.cases import Case, Of
from core.perturb.inline import complete
from core.perturb.test_sets.grammar import passes
from pages.ui.components.changed_story import changed_story
from pages.ui.components.edited_story import edited_story
from pages.ui.shared.text import escaped, story_text

INLINE, SIDES = "In one text", "Side by side"


def show_case(case: Case) -> None:
    """The prompt, the text with its edits, the steps."""
    of = "an incoherent story" if case.of is Of.INCOHERENT else "a human story"
    if case.label:
        kind = "incoherent, an original" if case.of is Of.INCOHERENT else "unchanged, stands for a good story"
    else:
        kind = f"changed, of {of}"
    st.caption(f"**{escaped(case.aspect.capitalize())}**, {kind}. Id {escaped(case.id)}, story {escaped(case.source)}.")
    if case.prompt.strip():
        st.caption("Its prompt, which never changes:")
        story_text(case.prompt)
    if case.label:
        st.caption("The story:")
        story_text(case.perturbed.text)
        if case.acceptable is not None:
            st.caption(_acceptable(case))
        return
    view = st.segmented_control(
        "View", [INLINE, SIDES], default=INLINE, required=True, key="tests-view", bind="query-params"
    )
    perturbed = complete(case.perturbed)
    if view == SIDES:
        changed_story(perturbed, ("The original", "Changed"), key="tests-sides")
    else:
        edited_story(perturbed, "The changed story", key="tests-inline")
        st.caption("Struck through is what went, underlined what came.")
    if perturbed.steps:
        st.markdown(
            "\n".join(
                f"- **{escaped(step.technique.capitalize())}**{f': {escaped(step.way)}' if step.way else ''}"
                for step in perturbed.steps
            )
        )
    st.caption(_acceptable(case))


def _acceptable(case: Case) -> str:
    if case.acceptable is None:
        return (
            "P(acceptable): not judged, as typing errors, sentences of the original and sets without a filter are not."
        )
    passed = "passes" if passes(case) else "does not pass"
    return f"P(acceptable) of what the filter read of it: {case.acceptable:.2f}; it {passed} the filter at .5."
