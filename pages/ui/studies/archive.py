"""Archived studies, and those whose deletion can still be undone, on the page of all studies."""

import streamlit as st

from core.annotation.studies import Study
from core.people import Person, Role
from db.studies import lifecycle
from pages.ui.shared.study_choice import my_studies, remember
from pages.ui.studies.lifecycle import Done, do


def put_away(viewer: Person) -> None:
    """The archived studies, and those whose deletion can still be undone; nothing where there are none."""
    archived = my_studies(archived=True)
    gone = lifecycle.deleted(viewer) if viewer.may(Role.OWNER) else []
    if not archived and not gone:
        return
    with st.expander(f"Archived and deleted ({len(archived) + len(gone)})", icon=":material/inventory_2:"):
        for summary in archived:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{summary.study.name}: archived, {summary.ratings:,} valid ratings", width="stretch")
                if st.button("Bring back", icon=":material/unarchive:", key=f"back-{summary.study.id}"):
                    do(lambda own=summary.study: _brought_back(viewer, own))  # type: ignore[misc]
        for old in gone:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{old.name}: deleted, goes for good on {old.until:%d %B %Y}", width="stretch")
                if st.button("Bring back", icon=":material/restore_from_trash:", key=f"restore-{old.id}"):
                    do(lambda own=old: _restored(viewer, own))  # type: ignore[misc]
                with st.popover("Delete for good", icon=":material/delete_forever:", key=f"erase-{old.id}"):
                    st.caption("This cannot be undone.")
                    if st.button("Delete it now", type="primary", key=f"erase-now-{old.id}"):
                        do(lambda own=old: _erased(viewer, own))  # type: ignore[misc]


def _brought_back(viewer: Person, study: Study) -> Done:
    lifecycle.bring_back(viewer, study.id)
    remember(study.id)
    return Done(f"{study.name} is back.", None, study.id)


def _restored(viewer: Person, old: lifecycle.Deleted) -> Done:
    name = lifecycle.restore(viewer, old.id)
    remember(old.id)
    return Done(f"{name} is back.", None, old.id)


def _erased(viewer: Person, old: lifecycle.Deleted) -> Done:
    lifecycle.erase(viewer, old.id)
    return Done(f"{old.name} is deleted for good.", None, old.id)
