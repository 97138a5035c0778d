"""The language in which a study's annotators are spoken to: their browser's, or one for all of them."""

from dataclasses import replace

import streamlit as st

from core.annotation.studies import Study
from core.errors import FabulaError
from core.languages.words import languages
from core.people import Person
from db.annotation import settings
from db.studies import studies
from pages.ui.shared.text import problem

BROWSERS = "Their browser's"
FAILED = "language-failed"
"""The part of the session's state with why a choice could not be kept."""


def spoken_language(viewer: Person, study: Study) -> None:
    """The choice, which is kept as soon as it is made; it can be changed at any time."""
    known, now = languages(), study.rules.language
    # What was chosen stays on offer, though its file may be gone: English is spoken then.
    codes = list(dict.fromkeys(["", *known, now]))
    st.selectbox(
        "Language in which Fabula speaks to annotators",
        codes,
        codes.index(now),
        format_func=lambda code: BROWSERS if not code else known[code].name if code in known else code,
        key=f"language-{study.id}",
        help="The form, the practice and the built-in schemes' questions. What you write yourself stays as it is, and "
        "so do the stories.",
        width=420,
        on_change=_keep,
        args=(viewer, study.id),
    )
    if said := st.session_state.pop(FAILED, ""):
        problem(said)


def _keep(viewer: Person, study_id: int) -> None:
    """Before the page runs, so that it runs once; by the rules as they are now, which others may have changed."""
    key = f"language-{study_id}"
    try:
        rules = studies.get(study_id).rules
        settings.set_rules(viewer, study_id, replace(rules, language=st.session_state[key]))
    except FabulaError as error:
        del st.session_state[key]
        st.session_state[FAILED] = str(error)
