"""What an annotator is asked to do, from the scheme."""

import streamlit as st

from core.annotation.criterion import Criterion
from core.annotation.scheme import Scheme
from pages.ui.annotating.answer_form import FEW_STEPS
from pages.ui.shared.text import escaped


def task(scheme: Scheme) -> str:
    """What annotators will do, in a sentence."""
    wording = scheme.unit.wording
    return wording.task if len(scheme.criteria) == 1 else wording.task_of_criteria


def instructions(scheme: Scheme) -> None:
    """The question, the scale, and every error type with an example."""
    stories = "both stories" if scheme.unit.of_pairs else "the whole story"
    whole = f"Read the opening and {stories} first." if scheme.shows_prompt else "Read the whole text first."
    if len(scheme.criteria) > 1:
        st.markdown(f"**{len(scheme.criteria)} questions about each story.** {whole} Answer each question by itself.")
        _criteria(scheme)
    else:
        st.markdown(f"**{escaped(scheme.question)}** {whole}")
        if scheme.unit.of_pairs:
            much = ", and by how much" if scheme.highest > 1 else ""
            equal = ", or that they are about equal" if 0 in scheme.main.steps else ", even where it is close"
            st.markdown(f"Say which of the two is better{much}{equal}. The better one may be A or B.")
        else:
            st.markdown("\n".join(f"- {step}" for step in _steps(scheme.main)))
            if scheme.main.example:
                st.markdown(f"*{escaped(scheme.main.example)}*")
    _error_types(scheme)


def _steps(criterion: Criterion) -> list[str]:
    """The steps of a scale, as the form shows them."""
    numbered = len(criterion.scale) > FEW_STEPS
    return [
        f"**{value}** {escaped(label)}" if numbered else f"**{escaped(label)}**" for value, label in criterion.scale
    ]


def _criteria(scheme: Scheme) -> None:
    """Every criterion with its question, its scale where that is another than the one before, and its example."""
    before: tuple[tuple[int, str], ...] = ()
    for criterion in scheme.criteria:
        line = f"- **{escaped(criterion.title)}** {escaped(criterion.question)}"
        if criterion.scale != before:
            line += f"  \n  {', '.join(_steps(criterion))}"
        before = criterion.scale
        st.markdown(line + (f"  \n  *{escaped(criterion.example)}*" if criterion.example else ""))


def _error_types(scheme: Scheme) -> None:
    if not scheme.error_types:
        return
    if scheme.reasons_for:
        below = " or ".join(f"“{escaped(scheme.label(value).lower())}”" for value in scheme.reasons_for)
        st.markdown(f"If it is {below}, say why; choose all that hold:")
    else:
        st.markdown("Then say what you deducted points for, if anything:")
    for error_type in scheme.error_types:
        points = " or ".join(f"−{p}" for p in error_type.points)
        line = f"- **{escaped(error_type.name.capitalize())}**{f' ({points})' if points else ''}"
        if error_type.description:
            line += f": {escaped(error_type.description)}"
        example = f"  \n  Example: *{escaped(error_type.example)}*" if error_type.example else ""
        why = f"  \n  {escaped(error_type.why)}" if error_type.why else ""
        st.markdown(line + example + why)
    st.markdown("You can also select a passage of a story and say which of these it shows.")
    if scheme.deducts:
        st.markdown(
            f"The overall rating is your own judgment: it need not be {scheme.highest} minus the points. Some studies "
            "show stories in lower case or with names in brackets; please do not count that against them."
        )
