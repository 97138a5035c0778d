"""The tab for crowd platforms: which one, its settings, the address to paste, what to pay."""

import io

import streamlit as st

from core.annotation.studies import Study
from core.errors import FabulaError
from core.formats.mturk import LARGEST, as_csv
from core.formats.prolific import Decision, write_review
from core.formats.uploads import uploaded
from core.formats.uploads.examples import kept_example
from core.people import Person
from core.recruitment import MTURK, PLATFORMS, PROLIFIC, Recruitment, allowed_key_sets, domain
from db.annotation import recruitment
from db.monitor import crowd_review
from pages.ui.annotators.prolific_draft import prolific_connection
from pages.ui.shared.example_file import example_file
from pages.ui.shared.server_address import server_address, warn_if_local
from pages.ui.shared.text import problem
from pages.ui.shared.uploads import read_once


def recruit(viewer: Person, study: Study) -> None:
    """Choose a platform; below it the address that it sends people to, and the review of their work."""
    _settings(viewer, study)
    platform = study.recruitment.platform
    if not platform:
        return
    st.markdown(f"**The study's address for {PLATFORMS[platform]}**")
    st.code(study.recruitment.entry(server_address(), recruitment.join_token(study.id)), language=None, wrap_lines=True)
    warn_if_local()
    if platform == PROLIFIC:
        st.caption(
            "Paste it as the study's URL with “URL parameters” chosen; Prolific fills in the three ids. Enter the "
            "study's completion codes (under Form and rules) there too: each end has its own."
        )
        _prolific_review(viewer, study)
        prolific_connection(viewer, study)
    if platform == MTURK:
        st.caption(
            "Paste it into a HIT of the kind Survey Link, which asks for a completion code. Everybody gets a code of "
            "their own; people give their worker ID when they arrive, unless the HIT adds "
            "?workerId=…&assignmentId=… to the link."
        )
        _risk()
        _mturk_review(viewer, study)


def _settings(viewer: Person, study: Study) -> None:
    now = study.recruitment
    platform = st.segmented_control(
        "Annotators come from",
        list(PLATFORMS),
        default=now.platform,
        required=True,
        format_func=PLATFORMS.__getitem__,
        key=f"platform-{study.id}",
        help="Personal links work beside any of them.",
    )
    with st.form(f"recruitment-{study.id}", border=False):
        wanted = Recruitment(platform=platform or "")
        if platform == PROLIFIC:
            wanted = _prolific_settings(study)
        if st.form_submit_button("Save", icon=":material/save:", key=f"recruitment-save-{study.id}"):
            try:
                recruitment.set_recruitment(viewer, study.id, wanted)
            except FabulaError as error:
                problem(str(error))
            else:
                st.rerun()


def _prolific_settings(study: Study) -> Recruitment:
    now = study.recruitment
    secured = st.toggle(
        "Take signed addresses only (Prolific's secured URLs)",
        now.secured,
        key=f"secured-{study.id}",
        help="With this on, and Prolific's secured URL switched on there, nobody else than Prolific can send people.",
    )
    audience = st.text_input(
        "The domain that Prolific signs for",
        now.audience or domain(server_address()),
        max_chars=250,
        key=f"audience-{study.id}",
        help="Where this server is reached from outside. Only needed with signed addresses.",
    )
    if not secured:
        _risk()
    with st.expander("Addresses of the platform", key=f"addresses-{study.id}"):
        st.caption("Prolific's own. Change them only to try things out.")
        allowed = allowed_key_sets()
        kept = allowed.index(now.keys_address) if now.keys_address in allowed else 0
        keys = st.selectbox("Its public keys", allowed, kept, key=f"keys-{study.id}")
        done = st.text_input("Where people go back to", now.completion_address, max_chars=500, key=f"done-{study.id}")
    return Recruitment(PROLIFIC, secured, audience.strip(), keys, done.strip())


def _risk() -> None:
    """What unsigned addresses mean."""
    st.warning(
        "Nobody vouches for the ids in an unsigned address. Whoever has the study's address can make up people, and "
        "hold places with them: each place for two minutes until its first answer, then as long as any. Ten strangers "
        "at once come in from one internet address, then one every 20 seconds. Who begins a study goes on with it in "
        "that browser, or under the same submission.",
        icon=":material/warning:",
    )


def _prolific_review(viewer: Person, study: Study) -> None:
    st.markdown("**Approve and reject on Prolific**")
    rows = crowd_review.submissions(viewer, study.id)
    counts = {decision: sum(row.decision is decision for row in rows) for decision in Decision}
    st.text(
        f"{counts[Decision.APPROVE]} to approve, {counts[Decision.REJECT]} to reject, "
        f"{counts[Decision.NOT_YET]} that nothing can be said of yet."
    )
    st.caption("A submission is rejected only if the pay of all its panels is withheld, which you say panel by panel.")
    out = io.StringIO(newline="")
    write_review(rows, out)
    st.download_button(
        "The review as CSV",
        out.getvalue().encode(),
        file_name=f"prolific-{study.id}.csv",
        mime="text/csv",
        icon=":material/download:",
        key=f"review-{study.id}",
        on_click="ignore",
    )


def _mturk_review(viewer: Person, study: Study) -> None:
    st.markdown("**Approve and reject on MTurk**")
    file = st.file_uploader(
        "The batch's results (Download CSV on MTurk's Review Results page)",
        type="csv",
        max_upload_size=LARGEST // 1_000_000,
        key=f"batch-{study.id}",
    )
    if file is None:
        example_file(
            kept_example("mturk"),
            "Its cells are quoted as MTurk quotes them; the columns needed are *AssignmentId*, *WorkerId*, *Approve*, "
            "*Reject* and the field of the code, whose name begins with *Answer.*",
            hint="A small file that shows the columns: its workers are made up and have taken part in nothing",
        )
        return
    try:
        batch = read_once(uploaded.batch, [file])
        likely = next((i for i, name in enumerate(batch.answers) if "code" in name.lower()), 0)
        column = st.selectbox("The column of the completion codes", batch.answers, likely, key=f"column-{study.id}")
        reviewed = crowd_review.mturk_review(viewer, study.id, batch, column)
    except FabulaError as error:
        problem(str(error))
        return
    st.text(
        f"{reviewed.approved} approved, {reviewed.rejected} rejected, {reviewed.before} decided before, "
        f"{len(reviewed.left)} left."
    )
    if reviewed.left:
        st.caption("These are left to you; their two cells stay empty:")
        names = ("Line", "Worker", "What, and what to do")
        st.dataframe(
            [dict(zip(names, part, strict=True)) for part in reviewed.left],
            hide_index=True,
            placeholder="–",
            key=f"left-{study.id}",
        )
    st.download_button(
        "The results, filled in",
        as_csv(reviewed.batch),
        file_name=f"mturk-{study.id}-reviewed.csv",
        mime="text/csv",
        icon=":material/download:",
        key=f"reviewed-{study.id}",
        on_click="ignore",
    )
    st.caption("Upload this file on the same page of MTurk.")
