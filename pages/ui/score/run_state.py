"""What became of the run that was begun here, said beside the button that began it."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.analysis.verdict.sentences import listed
from core.figures.correlation import metric_names
from core.jobs import Job, JobState
from core.judges.naming import judge_column
from core.people import Role
from core.scores import RatingChoice, ScoreTable
from core.wording import so_many
from db.jobs import jobs
from db.jobs.lanes import Lane, lane_of
from db.ratings import raters, ratings
from pages.ui.shared.analysis.replacement_words import TRIAL
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.jobs.progress import MOST, counted_reasons
from pages.ui.shared.jobs.queue import POLL_SECONDS, turn
from pages.ui.shared.stories.wanted_stories import EVERY_METRIC
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

TOLD = "score_told"
"""Of the session's state: study -> the job whose metrics were already shown once it had ended."""
BEGUN = "score_begun"
"""Of the session's state: study -> the job that was begun there, and what was asked for."""
LEAVE = "You may leave this page: the sidebar says when it is done."


def note_begun(study_id: int, job: Job, run: dict[str, Any]) -> None:
    """Remember the run, so that its end is told where it was begun. `run`: as the form gave it."""
    st.session_state.setdefault(BEGUN, {})[study_id] = job.id, run


def run_state(study_id: int, run: dict[str, Any]) -> None:
    """How the run stands that was begun here, or else one that is under way; nothing where there is none. Once it has
    ended, that is told as long as the form still asks for this `run`, or for the rest of it.
    """
    begun, asked = st.session_state.get(BEGUN, {}).get(study_id, (None, None))
    recent = jobs.of_study(study_id, most=MOST)
    same_run = asked is not None and _of_all(asked) == _of_all(run)
    shown = next((job for job in recent if job.id == begun and (job.state.active or same_run)), None)
    shown = shown or next((job for job in recent if job.state.active), None)
    if shown is not None:
        st.fragment(_stands, run_every=POLL_SECONDS if shown.state.active else None)(study_id, shown.id)
        beside = [
            job
            for job in recent
            if job.state.active and job.id != begun and lane_of(job.kind, job.settings) is Lane.LIGHT
        ]
        others = [
            name for job in beside for name in job.settings["metrics"] if name in (asked or {}).get("metrics", [])
        ]
        if shown.id == begun and others:
            does = "does" if len(others) == 1 else "do"
            st.caption(escaped(f"{', '.join(others)} {does} not wait for it: see below."))


def just_scored(study_id: int, table: ScoreTable) -> list[str]:
    """What the analyses call the metrics of the run that was begun here, once, when it has ended; else none."""
    begun, _ = st.session_state.get(BEGUN, {}).get(study_id, (None, None))
    shown_jobs = st.session_state.setdefault(TOLD, {})
    if begun is None or shown_jobs.get(study_id) == begun:
        return []
    job = jobs.get(begun)
    if job.state is not JobState.DONE or job.result is None:
        return []
    shown_jobs[study_id] = begun
    signatures = _new(job.result["rows"])
    named = zip(table.columns, metric_names(table.columns), strict=True)
    return [name for column, name in named if column.signature in signatures]


def _of_all(run: Mapping[str, Any]) -> dict[str, Any]:
    """The run without a limit on how many stories it takes."""
    return {key: value for key, value in run.items() if key != "most"}


def _stands(study_id: int, job_id: int) -> None:
    viewer = require(Role.RESEARCHER)  # it may run by itself for as long as the page is open
    job = jobs.get(job_id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="run-state", width="stretch"):
        match job.state:
            case JobState.QUEUED:
                st.markdown(f":material/hourglass_top: {turn(viewer, job.id)}. It begins by itself. {LEAVE}")
            case JobState.RUNNING:
                left = f", about {job.left}" if job.left else ""
                st.markdown(
                    f":material/hourglass_top: Running {escaped(listed(job.settings['metrics']))}{left}. {LEAVE}"
                )
            case JobState.DONE:
                _done(study_id, job)
            case _:
                ended = "has failed" if job.state is JobState.FAILED else f"was {job.state}"
                st.markdown(f":material/error: {escaped(f'The run {ended}: {job.message}')}")


def _done(study_id: int, job: Job) -> None:
    """How many scores came of it, those apart that were stored before, and the one step that is next."""
    rows = job.result["rows"] if job.result else []
    of_pairs = [row for row in rows if row["unit"] == "pairs"]
    given = sum(row["scored"] + row["reused"] - row["undefined"] for row in rows)
    done = ":green[:material/check_circle:]" if given else ":orange[:material/warning:]"
    st.markdown(f"{done} Done: {_counted(rows, given, 'verdict' if of_pairs else 'score')}{_without(rows)}")
    query = {"study": str(study_id)}
    if not given:
        return
    if of_pairs:
        label = "Do they agree with people?"
        st.page_link("preferences.py", label=label, icon=":material/compare_arrows:", query_params=query)
        return
    table = whole(study_id, ratings.version(study_id), RatingChoice.VALID)
    signatures = _new(rows)
    name = _first_named(table, signatures)
    if any(column.signature in signatures and judge_column(column.metric) for column in table.columns):
        label, trial = "Put the judge on trial", query | {"tab": "Agreement" if raters.unknown(study_id) else TRIAL}
        st.page_link("judges.py", label=label, icon=":material/gavel:", query_params=trial)
    if table.rated and name is not None:
        query |= {"metric": name} | EVERY_METRIC
        st.page_link("correlation.py", label="See the correlation", icon=":material/scatter_plot:", query_params=query)


def _new(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """The signatures with new scores, for which a run was begun; all where every score was stored before."""
    return {row["signature"] for row in rows if row["scored"]} or {row["signature"] for row in rows}


def _counted(rows: Sequence[Mapping[str, Any]], given: int, what: str) -> str:
    """What the run has now, as Markdown; `given`: those with a number."""
    new, stored = (sum(row[name] for row in rows) for name in ("scored", "reused"))
    if new and stored:
        return f"{so_many(new, f'new {what}')}; {stored:,} {'was' if stored == 1 else 'were'} stored already."
    by = f"*{escaped(rows[0]['metric'])}*" if len(rows) == 1 else so_many(len(rows), "metric")
    before = " Nothing was left to compute: they were stored." if given and not new else ""
    return f"{so_many(given, what)} by {by}.{before}"


def _without(rows: Sequence[Mapping[str, Any]]) -> str:
    """How many have no score and why, as Markdown with a space before it; "" where all have one."""
    reasons = counted_reasons([row["reasons"] for row in rows])
    return f" Without one: {escaped(reasons)}." if reasons else ""


def _first_named(table: ScoreTable, signatures: set[str]) -> str | None:
    """What the analyses call the first of these metrics; None where they have none of them."""
    named = zip(table.columns, metric_names(table.columns), strict=True)
    return next((name for column, name in named if column.signature in signatures), None)
