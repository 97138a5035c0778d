"""A study's log: who did what, and when; the newest first, page by page."""

import streamlit as st

from core.annotation.monitor.overview import Overview
from core.annotation.studies import Study
from core.people import Person
from core.trail import in_words
from db.studies import event_log

A_PAGE = 50


def log_section(viewer: Person, study: Study, overview: Overview) -> None:
    """Filters, a page of entries, the way to older ones, and all of it as a file."""
    names = {row.member.person.id: row.member.called for row in overview.people if row.member.person.id is not None}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox(
            "What",
            ["", *event_log.kinds(viewer, study.id)],
            format_func=lambda item: in_words(item) if item else "Everything",
            key=f"log-kind-{study.id}",
            width=300,
        )
        who = st.selectbox(
            "By whom",
            [None, *names],
            format_func=lambda item: "Anybody" if item is None else names.get(item, ""),
            key=f"log-person-{study.id}",
            width=300,
        )
        st.link_button("All of it as JSONL", f"/log/{study.id}", icon=":material/download:", key=f"log-file-{study.id}")
    before = _before(study.id, kind, who)
    entries = event_log.page(
        viewer, study.id, kind=kind, person_id=who, before=before[-1] if before else None, most=A_PAGE
    )
    if entries:
        st.dataframe(
            [
                {
                    "When (UTC)": f"{entry.at:%Y-%m-%d %H:%M:%S}",
                    "Who": entry.who or "Fabula",
                    "What": entry.words,
                    "Particulars": entry.particulars,
                }
                for entry in entries
            ],
            hide_index=True,
            placeholder="–",
            column_config={"Particulars": st.column_config.TextColumn(width="large")},
            key=f"log-{study.id}",
            alt="The log",
        )
    else:
        st.info("There is no entry of this kind." if not before else "There is no older entry.")
    with st.container(horizontal=True):
        if st.button("Newer", icon=":material/arrow_back:", disabled=not before, key=f"log-newer-{study.id}"):
            before.pop()
            st.rerun()
        more = len(entries) == A_PAGE
        if st.button("Older", icon=":material/arrow_forward:", disabled=not more, key=f"log-older-{study.id}"):
            before.append(entries[-1].id)
            st.rerun()
    st.caption("Nothing in the log can be changed or deleted: the database refuses it.")


def _before(study_id: int, kind: str, who: int | None) -> list[int]:
    """The ids that the pages gone through end with; none for the newest page of what is asked for."""
    key = f"log-pages-{study_id}-{kind}-{who}"
    if key not in st.session_state:
        st.session_state[key] = list[int]()
    pages: list[int] = st.session_state[key]
    return pages
