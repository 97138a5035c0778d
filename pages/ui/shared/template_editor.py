"""The wording of a judge's template, to be changed and saved as a version of the study's own."""

import streamlit as st

from core.errors import FabulaError
from core.judges.template import PLACEHOLDERS, STANDARD, Template, Way
from core.people import Person
from db.judges import templates
from pages.ui.shared.text import problem

ROLES = {"system": "The same for every story", "user": "Of one story"}


def template_editor(viewer: Person, study_id: int, template: Template) -> Template | None:
    """A form that begins with this template; returns the version that was just saved."""
    st.markdown("**Change the wording**")
    st.caption(
        "Saved as a template of this study. Each saving is a version, which never changes and has scores of its own. "
        "What stands in braces is filled in for each story:\n"
        + "\n".join(f"- `{{{name}}}`: {about}" for name, about in PLACEHOLDERS.items())
    )
    key = f"judge-{study_id}-{template.way}-{template.title}"
    with st.form(f"{key}-form", border=False):
        own = "" if template.name == STANDARD else template.name
        name = st.text_input("Name", own, key=f"{key}-name", placeholder="such as: strict")
        system = st.text_area(ROLES["system"], template.system, key=f"{key}-system", height=220)
        user = st.text_area(ROLES["user"], template.user, key=f"{key}-user", height=240)
        wanted = st.form_submit_button("Save as a new version", icon=":material/save:")
    if not wanted:
        return None
    try:
        return templates.save(viewer, study_id, Template(name.strip(), Way(template.way), system, user))
    except FabulaError as error:
        problem(str(error))
        return None
