"""People: who runs studies and who rates, their links, and their data on request."""

from datetime import timedelta

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from db.audit import now
from db.people import people
from db.studies import studies
from pages.ui.people.sessions import live_sessions
from pages.ui.shared.page_head import head
from pages.ui.shared.people_list import people_list
from pages.ui.shared.server_address import kept_links, links_made
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import can_sign_in, require

ROLES = {
    Role.RESEARCHER: "Researcher: runs the studies that they make, and those chosen below",
    Role.OWNER: "Owner: runs all studies, deletes them, and sees to people and their data",
}
LINKS = "staff-links-made"
SHOWN_ONCE = (
    "Copy it before you hide it: it is never shown again, and whoever has it may do all that its role may, until you "
    "revoke it below."
)


def invite_staff(viewer: Person) -> None:
    """Make a researcher or an owner, by link or by e-mail."""
    by_mail = can_sign_in()
    with st.form("invite-staff", border=False, clear_on_submit=True):
        role = st.radio("What they may do", list(ROLES), format_func=ROLES.__getitem__, key="staff-role")
        name = st.text_input("Name", max_chars=people.LONGEST_NAME, key="staff-name")
        email = ""
        if by_mail:
            email = st.text_input(
                "E-mail address, if they sign in instead of using a link", max_chars=254, key="staff-email"
            )
        names = {summary.study.id: summary.study.name for summary in studies.summaries(viewer)}
        runs = st.multiselect(
            "Studies that a researcher runs",
            list(names),
            format_func=lambda number: names.get(number, "(gone)"),
            key="staff-runs",
            placeholder="None: they make their own",
        )
        days = st.number_input("It works for (days)", 1, 3650, 365, key="staff-days")
        if st.form_submit_button("Invite", type="primary", icon=":material/person_add:"):
            made = links_made(LINKS)
            try:
                expires = now() + timedelta(days=int(days))
                given = runs if role is Role.RESEARCHER else []
                token = people.invite(viewer, role, name=name, email=email.strip(), expires_at=expires, runs=given)
            except FabulaError as error:
                problem(str(error))
            else:
                if email.strip():
                    st.text(f"{email.strip()} can sign in now, at the address of this server.")
                else:
                    made.insert(0, (name.strip() or str(role), token))
    kept_links(LINKS, SHOWN_ONCE)
    if not by_mail:
        st.caption("People can sign in with their e-mail address once a provider is set up; the guide says how.")


viewer = require(Role.OWNER)
head("Accounts", "Who may do what on this server?")
st.caption("Annotators are invited to a study, on its page People; those from a crowd platform come by themselves.")
with st.expander("Invite somebody who runs studies", icon=":material/person_add:", key="invite-staff-box"):
    invite_staff(viewer)
people_list(viewer, people.listed(viewer), "all")
live_sessions(viewer)
