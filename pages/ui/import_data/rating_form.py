"""What the Import page says of a study's form, before ratings come in that it does not ask for."""

import streamlit as st

from core.annotation.scheme import Scheme
from core.annotation.studies import StudySummary
from core.errors import InputError
from core.formats.exports.restored import Restored
from core.people import Person
from db.transfer import rating_forms
from pages.ui.shared.text import escaped


def form_with(viewer: Person, there: StudySummary | None, brought: Restored) -> tuple[Scheme | None, str]:
    """Another form that a study would have with these ratings, None where it keeps its own or is new; and why it takes
    none of them, "" where it takes them.
    """
    if there is None:
        return None, ""
    try:
        form = rating_forms.form_with(viewer, there.study.id, brought)
    except InputError as error:
        return None, str(error)
    return (None if form == there.study.scheme else form), ""


def say_form(there: StudySummary, form: Scheme | None, *, refused: bool) -> None:
    """Say that a study that has asked nobody anything gets this form by the ratings, None where it keeps its own; where
    that is why they are `refused`, lead to it.
    """
    if refused:
        query = {"study": str(there.study.id)}
        st.page_link("form.py", label="To Form and rules", icon=":material/edit_note:", query_params=query)
    if form is None:
        return
    back = (
        "Taking the import back gives the present form back"
        if there.study.practice is None
        else "It stays if the import is taken back, as the study's practice hangs on it"
    )
    st.info(
        "Nobody has been asked anything in this study yet, so its form becomes that of these ratings: it will ask for "
        f"{_asking(form)}, in place of {_asking(there.study.scheme)}. {back}.",
        icon=":material/info:",
    )


def _asking(form: Scheme) -> str:
    """What a form asks for, as Markdown: its criteria, and their scale where they have the same."""
    scales = {(criterion.lowest, criterion.highest) for criterion in form.criteria}
    scale = f" ({form.lowest:g} to {form.highest:g})" if len(scales) == 1 else ""
    return f"{', '.join(f'*{escaped(name)}*' for name in form.names)}{scale}"
