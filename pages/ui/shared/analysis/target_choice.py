"""Which of a study's criteria is the human judgment: one control for all pages, kept in the address."""

import streamlit as st

from core.annotation.scheme import Scheme
from core.annotation.target import MEAN, Target, on_target, target_of, usual_target
from core.errors import InputError

KEY, KEPT = "target", "kept_target"


def choose_target(scheme: Scheme) -> Target:
    """A select box over the criteria and their mean; nothing to choose where there is one criterion.

    Any other mean may stand in the address (`mean:A,B`), and goes from page to page like the rest.
    """
    if len(scheme.criteria) == 1:
        return usual_target(scheme)
    options = [target.text for target in targets(scheme)]
    for asked in (st.session_state.get(KEPT), st.query_params.get(KEY)):
        known = _known(scheme, asked)
        if known is not None and known.text not in options:
            options.append(known.text)
    chosen = chosen_target(scheme)
    st.session_state[KEY] = chosen.text  # always: another page's box has left what it had
    st.selectbox(
        "Judgment",
        options,
        key=KEY,
        format_func=lambda text: _title(scheme, text),
        on_change=_picked,
        help="What people said that the numbers below are about: one criterion, or the mean of several.",
        width=270,
    )
    st.session_state[KEPT] = st.query_params[KEY] = chosen.text
    return chosen


def chosen_target(scheme: Scheme) -> Target:
    """What is chosen for this study, on the page before or by the address; else what is usual."""
    return _known(scheme, st.query_params.get(KEY) or st.session_state.get(KEPT)) or usual_target(scheme)


def prefer_target(text: str) -> None:
    """Make this the chosen judgment when the page is drawn next."""
    st.session_state[KEPT] = st.query_params[KEY] = text


def targets(scheme: Scheme) -> list[Target]:
    """Each criterion, and the mean of all where they are on one scale."""
    single = [Target((name,)) for name in scheme.names]
    several = [name for name in scheme.names if name != "overall"]
    mean = Target(tuple(several))
    try:
        on_target(scheme, mean)
    except InputError:
        return single
    return [*single, mean] if len(several) > 1 else single


def _title(scheme: Scheme, text: str) -> str:
    target = target_of(scheme, text)
    if text.startswith(MEAN) and target == targets(scheme)[-1] and len(target.criteria) > 2:
        return f"Mean of all {len(target.criteria)} criteria"
    return target.title[:1].upper() + target.title[1:]


def _picked() -> None:
    st.session_state[KEPT] = st.query_params[KEY] = st.session_state[KEY]


def _known(scheme: Scheme, text: str | None) -> Target | None:
    """The target, where this study has it: another may not have what was chosen in the one before."""
    try:
        target = target_of(scheme, text) if text else None
        if target is not None:
            on_target(scheme, target)
    except InputError:
        return None
    return target
