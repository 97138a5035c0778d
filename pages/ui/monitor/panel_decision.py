"""One submitted panel to read again: what was found, and the decision about it."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.analysis.judgments.evidence import EvidenceMark, MarkedStory
from core.annotation.criterion import OVERALL, PREFERENCE
from core.annotation.monitor.bad_controls import BadControl, BadControlPair
from core.annotation.quality import HandedIn, Payment, ReadStory
from core.annotation.scheme import QualityRules
from core.errors import FabulaError
from core.people import Person
from core.stories import Source
from core.trail import in_words
from db.monitor import panels
from pages.ui.components.marked_story import marked_story
from pages.ui.monitor.rejection_reasons import rejection_category
from pages.ui.shared.text import problem, story_text

CLOSED = "-closed"
MOST = 20
"""Control stories that are shown to be read: of many that were failed the worst."""
KEPT = "Whoever left the note reads that it was read and that the decision stands, not why."
OWN = "A study may bring its own negative stories, and other human ones, in its import."


def failed_controls(
    controls: Sequence[BadControl], rules: QualityRules, stories: Mapping[tuple[int, str], str]
) -> None:
    """Control stories that annotators failed, to be read; `stories` by prompt's id and source."""
    if not controls:
        st.info("No control story was failed.")
        return
    _say_which(
        len(controls),
        "stories",
        "if a negative story is hardly worse than what the systems wrote, or a human one hardly better",
    )
    for control in controls[:MOST]:
        with st.container(border=True):
            good = "good enough" if control.source is Source.HUMAN else "bad enough"
            st.markdown(
                f"{control.failed} of {control.judged} did not find this **{control.source}** story {good}: "
                f"{_against_limit(control, rules)}."
            )
            story_text(control.prompt)
            with st.container(border=True):
                story_text(stories.get((control.prompt_id, control.source), ""))


def failed_control_pairs(controls: Sequence[BadControlPair], stories: Mapping[int, ReadStory]) -> None:
    """What `failed_controls` shows, in studies of pairs; `stories` by id."""
    if not controls:
        st.info("No control pair was failed.")
        return
    _say_which(len(controls), "pairs", "if the damaged story of a pair is hardly worse than the undamaged one")
    for control in controls[:MOST]:
        undamaged, damaged = stories[control.undamaged], stories[control.damaged]
        with st.container(border=True):
            st.markdown(
                f"{control.failed} of {control.judged} did not find the **undamaged** story of this pair better than "
                "the **damaged** one."
            )
            story_text(undamaged.opening)
            left, right = st.columns(2, gap="medium")
            for column, name, shown in ((left, "Undamaged", undamaged), (right, "Damaged", damaged)):
                with column.container(border=True):
                    st.text(f"{name}: {_called(shown)}" if shown is undamaged else name)
                    story_text(shown.text)


def _against_limit(control: BadControl, rules: QualityRules) -> str:
    """What those gave it who failed it, and what the rule asks for."""
    lowest, highest = control.given[0], control.given[-1]
    given = f"**{lowest:g}**" if lowest == highest else f"**{lowest:g}** to **{highest:g}**"
    if control.source is Source.HUMAN:
        return f"rated {given}, and the rule asks for {rules.human_least} or more"
    return f"rated {given}, and the rule allows at most {rules.negative_most}"


def _say_which(failed: int, what: str, honest: str) -> None:
    """What is shown, and what may be done about one that careful people fail. `honest`: when they do."""
    shown = f"Of {failed:,} control {what} that were failed these are the {MOST} worst. " if failed > MOST else ""
    st.caption(
        f"{shown}Read them before you blame the people: {honest}, whoever failed it may have worked honestly. Then let "
        f"that panel count on the tab *Panels*, and change the rule under *Quality rules*. {OWN}"
    )


def _called(read_story: ReadStory) -> str:
    return read_story.origin or "unknown system"


def panel_decision(viewer: Person, study_id: int, panel_id: int, remarks: tuple[str, ...], close: str) -> None:
    """Reason, flags and the annotator's note, the work to read, then two decisions: does it count, is it paid.

    `close`: the key of the session's state that keeps it open.
    """
    with st.container(border=True, key=f"panel-{panel_id}"):
        try:
            panel = panels.panel(study_id, panel_id)
        except FabulaError as error:
            problem(str(error))
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Number {panel.id}, by {panel.annotator}", width="stretch")
            st.button("Close", icon=":material/close:", key=f"close-{panel.id}", on_click=close_panels, args=(close,))
        story_text(panel.prompt)
        decided = "decided by hand" if panel.overridden else "by the rule"
        counts = "counts" if panel.valid and panel.state == "submitted" else "is surplus" if panel.valid else "rejected"
        st.text(f"It {counts}, {decided}." if panel.valid else f"It is {counts}, {decided}.")
        if panel.reason:
            st.text(f"Reason: {panel.reason}")
        for remark in remarks:
            st.text(f"Flag: {remark}")
        if panel.appeal:
            st.caption(
                "The annotator's note, on which nobody has decided:" if panel.note_waits else "The annotator's note:"
            )
            story_text(panel.appeal)
        _read(panel)
        validity, payment = st.columns(2, gap="large")
        with validity:
            _override(viewer, panel)
        with payment:
            _payment(viewer, panel)


def close_panels(key: str) -> None:
    """Forget what was chosen, and begin its table anew, with no row marked."""
    st.session_state[key] = None
    st.session_state[f"{key}{CLOSED}"] = times_closed(key) + 1


def times_closed(key: str) -> int:
    """How often: a part of the key of the table. A table that stays the same takes no press after a *Close*."""
    return int(st.session_state.get(f"{key}{CLOSED}", 0))


def _override(viewer: Person, panel: HandedIn) -> None:
    with st.form(f"override-{panel.id}", border=False, clear_on_submit=True):
        st.caption("May the data be used? What counts again is kept as surplus where its place is filled.")
        reason = st.text_input("Why (kept with it)", max_chars=panels.LONGEST_REASON, key=f"why-{panel.id}")
        with st.container(horizontal=True):
            turned = st.form_submit_button("Reject this" if panel.valid else "Let this count")
            kept = panel.note_waits and st.form_submit_button("Keep it rejected", help=KEPT)
        if turned or kept:
            decide(lambda: panels.override(viewer, panel.id, valid=not panel.valid and not kept, reason=reason))


def _payment(viewer: Person, panel: HandedIn) -> None:
    with st.form(f"payment-{panel.id}", border=False):
        st.caption("Is the person paid? Apart from whether the data is used.")
        state = st.segmented_control(
            "Payment",
            list(Payment),
            format_func=str.capitalize,
            default=Payment(panel.payment or Payment.DUE),
            required=True,
            key=f"paid-{panel.id}-{panel.payment}",
            label_visibility="collapsed",
        )
        why = st.text_input(
            "Why (needed to withhold)",
            panel.payment_reason,
            max_chars=panels.LONGEST_REASON,
            key=f"paywhy-{panel.id}-{panel.payment}",
        )
        category = rejection_category(panel.study_id, panel.payment_category, str(panel.id))
        if st.form_submit_button("Save the payment"):
            decide(lambda: panels.pay(viewer, panel.id, Payment(state), why, category))


def _read(panel: HandedIn) -> None:
    """The stories with what was said of them, and the log; each is read from the database when it is opened."""
    stories = st.expander(
        "Read the stories and answers", icon=":material/menu_book:", key=f"read-{panel.id}", on_change="rerun"
    )
    if stories.open:
        with stories:
            for read_story in panels.stories_of(panel.id):
                if read_story.pair and read_story.letter == "A":
                    st.text(f"Pair {read_story.pair}. {_compared(read_story)}")
                    story_text(read_story.opening)
                with st.container(border=True):
                    said = "" if read_story.pair else f" {_said(read_story)}"
                    st.text(f"{read_story.letter}: {_called(read_story)}.{said}")
                    if read_story.flag:
                        st.caption(f":material/info: {read_story.flag}")
                    _story(panel, read_story)
    log = st.expander("The log", icon=":material/history:", key=f"log-{panel.id}", on_change="rerun")
    if log.open:
        entries = panels.history(panel.study_id, panel.id)
        rows = [{"When (UTC)": at, "What": in_words(kind), "Particulars": detail} for at, kind, detail in entries]
        log.dataframe(rows, hide_index=True, placeholder="–", alt="What the log has on it")


def _story(panel: HandedIn, read_story: ReadStory) -> None:
    """The text, with the passages that were given as evidence marked in it and listed below."""
    marks = tuple(
        EvidenceMark(panel.id, name, start, end) for name, spans in read_story.spans.items() for start, end in spans
    )
    if not marks:
        story_text(read_story.text)
        return
    marked_story(
        MarkedStory(read_story.letter, panel.prompt, read_story.origin, read_story.text, 1, marks),
        None,
        key=f"marked-{panel.id}-{read_story.letter}",
    )
    for mark in marks:
        st.text(f"{mark.error_type.capitalize()}: “{read_story.text[mark.start : mark.end]}”")


def _said(read_story: ReadStory) -> str:
    types = ", ".join(f"{name} −{points}" if points else name for name, points in read_story.deductions.items())
    given = [f"{value:g}" if name == OVERALL else f"{name} {value:g}" for name, value in read_story.values.items()]
    rated = f"Rated {', '.join(given)}" if given else "Not rated"
    return rated + (f" ({types})." if types else ".") + _in_their_words(read_story)


def _compared(read_story: ReadStory) -> str:
    """What was said of a pair, whose first story this is."""
    better = read_story.values.get(PREFERENCE)
    if better is None:
        said = "Not answered."
    elif better == 0:
        said = "Both were found about equal."
    else:
        by = f", by {abs(better):g}" if abs(better) > 1 else ""
        said = f"{'A' if better > 0 else 'B'} was found better{by}."
    return said + _in_their_words(read_story)


def _in_their_words(read_story: ReadStory) -> str:
    return f" In their words: “{read_story.comment}”" if read_story.comment else ""


def decide(what: Callable[[], str | None]) -> None:
    """Do what a person decided, show why not, or begin the page anew with the newest figures and what was done."""
    try:
        done = what()
    except FabulaError as error:
        problem(str(error))
    else:
        st.session_state["decided"] = done or "Saved, and kept in the log."
        st.rerun()
