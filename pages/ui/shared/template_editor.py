"""The wording of a judge's template, to be changed and saved as a version of the study's own."""

import streamlit as st

from core.errors import FabulaError
from core.judges.template import STANDARD, Template, Way, placeholders
from core.people import Person
from db.judges import templates
from pages.ui.shared.text import problem


def roles(way: Way) -> dict[str, str]:
    """What the two messages of a judge are called."""
    what = "pair" if way is Way.PAIRS else "story"
    return {"system": f"The same for every {what}", "user": f"Of one {what}"}


def template_editor(viewer: Person, study_id: int, template: Template) -> Template | None:
    """A form that begins with this template; returns the version that was just saved."""
    way = Way(template.way)
    st.markdown("**Change the wording**")
    st.caption(
        "Saved as a template of this study. Each saving is a version, which never changes and has scores of its own. "
        "What stands in braces is filled in each time:\n"
        + "\n".join(f"- `{{{name}}}`: {about}" for name, about in placeholders(way).items())
    )
    key = f"judge-{study_id}-{template.way}-{template.title}"
    with st.form(f"{key}-form", border=False):
        own = "" if template.name == STANDARD else template.name
        name = st.text_input("Name", own, key=f"{key}-name", placeholder="such as: strict")
        system = st.text_area(roles(way)["system"], template.system, key=f"{key}-system", height=220)
        user = st.text_area(roles(way)["user"], template.user, key=f"{key}-user", height=240)
        wanted = st.form_submit_button("Save as a new version", icon=":material/save:")
    if not wanted:
        return None
    try:
        return templates.save(viewer, study_id, Template(name.strip(), way, system, user))
    except FabulaError as error:
        problem(str(error))
        return None
