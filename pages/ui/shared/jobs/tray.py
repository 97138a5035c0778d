"""The tray of jobs in the sidebar: what runs, how far it is, and what has ended since the viewer last looked."""

from collections.abc import Sequence

import streamlit as st

from core.jobs import Job, JobState, TrayJob
from core.metrics import family_of
from core.metrics.judging.judge import Judge
from core.people import Person, Role
from db.jobs import jobs
from db.jobs.tray import looked, saw, tray
from pages.ui.shared.jobs.progress import ICONS, show_run
from pages.ui.shared.jobs.queue import DOES, POLL_SECONDS
from pages.ui.shared.study_choice import CHOSEN
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

OVER = "tray_over"
"""Of the session's state: who looks and what has ended, once nothing is under way."""
PLACES = {
    "score": "score",
    "biases": "judges",
    "train": "train",
    "perception": "systems",
    "test set": "test_sets",
    "capability": "capability",
}
"""The page that has the result of a kind of work."""
OPENS = {"train": {"training": "Train"}}
"""Pages whose runs are the result, and of their address the tab that has them, whichever was looked at last."""
ENDED = {JobState.DONE: "done", JobState.FAILED: "failed", JobState.INTERRUPTED: "interrupted"}


def show_tray(page: str) -> bool:
    """Draw it at the end of the sidebar, where it moves nothing, unless nothing runs and all is known; returns whether
    there is anything. It follows by itself, without the page and as often as a page follows its own runs, and does no
    work where there is nothing to follow.

    `page`: the address of the one that is looked at: what ended there is before the viewer's eyes.
    """
    ask_again()
    if not tray(require(Role.RESEARCHER)):
        return False
    with st.sidebar:
        st.fragment(_tray, run_every=POLL_SECONDS)(page)
    return True


def ask_again() -> None:
    """Let the tray look for jobs anew, after a page that may have queued some."""
    st.session_state.pop(OVER, None)


def tray_items() -> tuple[Person, list[TrayJob]]:
    """Who looks, and what there is to tell; where nothing is under way it is asked once and then as it was."""
    if OVER not in st.session_state:
        viewer = require(Role.RESEARCHER)  # the tray runs by itself for as long as the page is open
        items = tray(viewer)
        if any(item.job.state.active for item in items):
            return viewer, items
        st.session_state[OVER] = viewer, items
    over: tuple[Person, list[TrayJob]] = st.session_state[OVER]
    return over


def _tray(page: str) -> None:
    viewer, items = tray_items()
    active = [item for item in items if item.job.state.active]
    ended = [item for item in items if not item.job.state.active]
    news = [item for item in ended if not _here(item, page)]
    if here := [item.job.id for item in ended if item not in news]:
        _saw(viewer, here)
    if not active and not news:
        return
    name = f"tray-{page}"  # so that it does not stay open over another page
    with st.popover(escaped(_label(active, news)), icon=_icon(active, news), key=name, width="stretch"):
        with st.container(gap="xsmall"):
            for item in active:
                _under_way(viewer, item, page)
            for item in news:
                _over(viewer, item, page)
        if news:
            st.button("All seen", key="tray-seen", icon=":material/done_all:", on_click=_looked, args=(viewer,))


def _looked(viewer: Person) -> None:
    looked(viewer)
    ask_again()


def _saw(viewer: Person, job_ids: Sequence[int]) -> None:
    saw(viewer, job_ids)
    ask_again()


def _here(item: TrayJob, page: str) -> bool:
    """Whether the viewer looks at its result."""
    return PLACES[item.job.kind] == page and item.job.study_id in (None, st.session_state.get(CHOSEN))


def _label(active: Sequence[TrayJob], news: Sequence[TrayJob]) -> str:
    if not active:
        return _outcome(news[0]) if len(news) == 1 else f"{len(news)} jobs have ended{_failed(news)}"
    head = f"{len(active)} jobs: " if len(active) > 1 else ""
    failed = _failed(news)
    tail = f"; {len(news)} {'ended' if failed else 'done'}{failed}" if news else ""
    return f"{head}{_name(active[0])}, {active[0].far}{tail}"


def _failed(news: Sequence[TrayJob]) -> str:
    failed = sum(item.job.state is not JobState.DONE for item in news)
    return f", {failed} failed" if failed else ""


def _icon(active: Sequence[TrayJob], news: Sequence[TrayJob]) -> str:
    if active:
        return ":material/hourglass_top:"
    return ":material/error:" if _failed(news) else ":material/check_circle:"


def _name(item: TrayJob) -> str:
    return item.name or DOES[item.job.kind]


def _outcome(item: TrayJob) -> str:
    return f"{_name(item)}: {ENDED[item.job.state]}"


def _about(item: TrayJob) -> str:
    """What kind of work it is, where its name does not say it, and of which study."""
    of = f"study {item.study}" if item.study else ""
    return ", ".join(filter(None, (DOES[item.job.kind] if item.name else "", of)))


def _under_way(viewer: Person, item: TrayJob, page: str) -> None:
    job = item.job
    st.progress(job.share, escaped(f"{_name(item)}: {item.far}"))
    with st.container(horizontal=True, vertical_alignment="center", key=f"tray-job-{job.id}"):
        st.caption(escaped(_about(item)))
        st.button(
            "Stopping" if job.cancel_requested else "Cancel",
            key=f"tray-cancel-{job.id}",
            type="tertiary",
            disabled=job.cancel_requested,
            on_click=jobs.cancel,
            args=(viewer, job.id),
        )
        _way(viewer, item, page, "Its page")


def _over(viewer: Person, item: TrayJob, page: str) -> None:
    job = item.job
    with st.container(horizontal=True, vertical_alignment="center", key=f"tray-job-{job.id}"):
        st.markdown(f"{ICONS[job.state]} **{escaped(_outcome(item))}** :small[{escaped(_about(item))}]")
        _way(viewer, item, page, "See it")
    if job.state is not JobState.DONE:
        st.caption(escaped(job.message))


def _way(viewer: Person, item: TrayJob, page: str, label: str) -> None:
    """A button to the page where the result is: who presses it has seen how this job ended, and no other."""
    job = item.job
    if st.button(label, key=f"tray-see-{job.id}", icon=":material/arrow_forward:", type="tertiary"):
        _saw(viewer, [job.id])
        place = place_of(job)
        query = {"study": str(job.study_id)} if job.study_id is not None else {}
        if place in OPENS:
            show_run(job.id)
            if place != page:  # where the tab's control has the address already, and lets nobody else write it
                query |= OPENS[place]
        st.switch_page(f"{place}.py", query_params=query)


def place_of(job: Job) -> str:
    """The page of what a job makes: judges stand trial on one of their own."""
    metrics = job.settings.get("metrics") or []
    judged = job.kind == "score" and metrics and all(family_of(name) == Judge.name for name in metrics)
    return "judges" if judged else PLACES[job.kind]
