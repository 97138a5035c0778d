"""Progress: what has come in, what is still to come, when it ends, what it costs, and who is at work."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.monitor.flags import in_short
from core.annotation.monitor.forecast import Forecast
from core.annotation.monitor.overview import Overview
from core.annotation.monitor.pace import Pace, pace
from core.annotation.monitor.roster import InHand
from core.annotation.quality import StudyProgress
from core.annotation.studies import Study, StudyState
from core.figures.monitor import over_time
from core.people import Person, Role
from core.wording import so_many
from db.audit import now
from db.monitor import monitor
from pages.ui.judgments.headline import forecast_sentence
from pages.ui.monitor.live_figures import clock, imported, panels_left
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.viewer import require

POLL_SECONDS = 3.0
MOST_IN_HAND = 200


def counts(viewer: Person, progress: StudyProgress, figures: Overview, study: Study) -> None:
    """The figures on top of the page."""
    wording = study.scheme.unit.wording
    name, several = wording.rated, wording.rated_plural
    judged, alone = len(figures.judged), imported_alone(study, figures, progress)
    with st.container(horizontal=True, gap="medium"):
        if alone:
            st.metric(f"Imported {several}", f"{alone:,}", width="content")
        else:
            st.metric(
                f"Valid {several}",
                f"{progress.valid:,} of {progress.wanted:,} wanted",
                width="content",
                help="Those that count, of those wanted; imported ratings count too.",
            )
            st.metric("Still wanted", f"{progress.left:,}", width="content")
        st.metric(
            "Rejected",
            f"{figures.rejected:,} of {judged:,} handed in",
            width="content",
            help=f"{several.capitalize()} that were handed in here; none that was imported.",
        )
        st.metric("Under way", f"{progress.open:,}", width="content", help="Begun, and the time has not run out.")
        if progress.surplus:
            late = "Valid, but handed in after the place was filled."
            st.metric("Surplus", f"{progress.surplus:,}", width="content", help=late)
        if paused := sum(row.member.paused for row in figures.people):
            st.metric("Paused", f"{paused:,}", width="content", help=f"People whose last {several} were all rejected.")
        st.metric(
            "Flagged",
            f"{len(figures.remarks):,}",
            width="content",
            help=f"Look at these: a flag rejects no {name}.",
        )
    if figures.remarks:
        number = so_many(len(figures.remarks), name, several)
        st.caption(
            f"Flagged, {number}: {in_short(figures.remarks.values())}. "
            f"The tab **{wording.plural.capitalize()}** shows which."
        )
    if not alone and (counted := _counted(study)):
        st.caption(counted)
    if own := figures.own_tries():
        valid = "Those that are valid fill their places like any others."
        st.caption(_left_out(own, figures.own_tries(viewer.id)), help=valid)


def imported_alone(study: Study, figures: Overview, progress: StudyProgress) -> int:
    """How many came in with an import, where nobody is asked for any: none was handed in here, or can be now."""
    if study.state is StudyState.OPEN or figures.judged or progress.open:
        return 0
    return imported(study.id)


def _counted(study: Study) -> str:
    """What the first figures count; "" of pairs, whose panels are there as often as they are wanted."""
    unit, wanted = study.scheme.unit, study.rules.ratings_wanted
    if unit.of_pairs:
        return ""
    noun, item = ("panel", "prompt") if unit.of_prompt else ("rating", "story")
    are = "is" if wanted == 1 else "are"
    return f"Of each {item} {so_many(wanted, noun)} {are} wanted; further ones do not count here."


def _left_out(tries: int, viewers: int) -> str:
    """Which tries no rejection rate, flag or payment counts: of people who run studies, the viewer's among them."""
    if tries == viewers:
        subject = "Your own try is" if tries == 1 else f"Your own {tries:,} tries are"
    else:
        theirs = f", {viewers:,} of them your own," if viewers else ""
        subject = f"{so_many(tries, 'try', 'tries')} by people who run studies{theirs} {'is' if tries == 1 else 'are'}"
    return f"{subject} not counted in rejections, flags and payments."


def progress_section(study: Study, figures: Overview, progress: StudyProgress) -> None:
    """Forecast, pace and cost in words, the chart, and who is at work."""
    if imported_alone(study, figures, progress):
        st.markdown(
            f"All {study.scheme.unit.wording.rated_plural} came in with an import, and the study is not open for "
            "annotation: nobody is asked for more."
        )
        return
    valid = len(figures.judged) - figures.rejected
    left = panels_left(progress.left, valid, figures.rejected)
    if brought := imported(study.id):
        several = study.scheme.unit.wording.rated_plural
        which = f"All valid {several}" if brought >= progress.valid else f"{brought:,} of the valid {several}"
        st.markdown(f"{which} came in with an import; only those that are handed in here can be rejected.")
    if progress.wanted and not progress.left:
        st.success("Every rating wanted is there.", icon=":material/check_circle:")
    for sentence in (
        forecast_sentence(left, study.scheme.unit),
        _pace_sentence(study, left, pace(figures.times, figures.begun, now(), left)),
        _cost_sentence(study, left),
    ):
        if sentence:
            st.markdown(sentence)
    if figures.steps:
        chart(
            over_time(figures.steps, study.scheme.unit.wording.rated_plural),
            key="over-time",
            alt="Work over time",
        )
    in_hand(study)


def _pace_sentence(study: Study, left: Forecast, study_pace: Pace) -> str:
    several = study.scheme.unit.wording.rated_plural
    if not left.open_slots or left.panels is None:
        return ""
    if study_pace.ends is None or study_pace.earliest is None or study_pace.latest is None:
        return f"When it ends cannot be said: {study_pace.undefined}."
    return (
        f"At the pace of the last day ({study_pace.a_day:,.0f} {several} a day) it ends about "
        f"**{clock(study_pace.ends)}** (95 %: {clock(study_pace.earliest)} to {clock(study_pace.latest)})."
    )


def _cost_sentence(study: Study, left: Forecast) -> str:
    name = study.scheme.unit.wording.rated
    pay = study.payment
    if not left.panels or left.low is None or left.high is None or not pay.rates:
        return ""
    rate = pay.rates[-1].hundredths
    middle, low, high = (pay.text(number * rate) for number in (left.panels, left.low, left.high))
    return f"At {pay.text(rate)} a {name}, what is still to come costs about **{middle}** (95 %: {low} to {high})."


@st.fragment(run_every=POLL_SECONDS)
def in_hand(study: Study) -> None:
    """Who is at work, how far, and for how long their place is held; looked at again by itself."""
    require(Role.RESEARCHER)
    st.header("Under way")
    begun = monitor.in_hand(study.id)
    held, left = [item for item in begun if item.live], [item for item in begun if not item.live]
    if held:
        _begun(held, "Begun and not handed in", "in-hand")
    else:
        st.info("Nobody is at work now.")
    if left:
        st.markdown(f"**Begun and left** ({len(left):,}): their places are free for others.")
        _begun(left, "Begun and left", "left")


def _begun(items: Sequence[InHand], alt: str, key: str) -> None:
    """A table of what was begun and not handed in, the newest first."""
    st.dataframe(
        [
            {
                "Annotator": item.called,
                "Since": clock(item.since),
                "Answered": f"{item.answered} of {item.answers}",
                "Place": _place(item),
            }
            for item in items[:MOST_IN_HAND]
        ],
        hide_index=True,
        placeholder="–",
        alt=alt,
        key=key,
    )
    if len(items) > MOST_IN_HAND:
        st.caption(f"The newest {MOST_IN_HAND:,} of {len(items):,}.")


def _place(item: InHand) -> str:
    """Whether the place of what was begun is held, and why not."""
    if item.live and item.until:
        return f"held until {clock(item.until)}"
    return "no longer held: link revoked" if item.revoked else "time ran out"
