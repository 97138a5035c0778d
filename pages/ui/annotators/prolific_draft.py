"""The study on Prolific by Fabula's own connection: drafted, looked at, published, given more places."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.annotation.studies import Study
from core.errors import FabulaError
from core.payments import money
from core.people import Person
from core.prolific.client import Cost, Prolific, RemoteStudy, study_page
from core.prolific.draft import DEVICES, LONGEST_DESCRIPTION, LONGEST_NAME, MOST_MINUTES, MOST_PLACES, Draft, proposed
from core.prolific.settings import is_connected, settings
from core.serving.deployment import public_address
from db.annotation import recruitment
from db.prolific import drafts
from pages.ui.shared.server_address import server_address
from pages.ui.shared.text import escaped, problem


@dataclass(frozen=True)
class Standing:
    """How the study stood on Prolific when somebody looked; `cost` of a draft alone."""

    remote: RemoteStudy
    cost: Cost | None


def prolific_connection(viewer: Person, study: Study) -> None:
    """What Fabula can do on Prolific by itself, where it has a token."""
    st.markdown("**On Prolific, from here**")
    if not is_connected():
        st.caption(
            "With a token of Prolific's, Fabula drafts the study there, sends your decisions and pays bonuses. Whoever "
            "runs this server sets it as PROLIFIC_TOKEN and starts Fabula again; docs/crowd.md says how."
        )
        return
    if (done := st.session_state.pop(f"prolific-done-{study.id}", None)) is not None:
        st.success(escaped(done))
    if study.recruitment.draft:
        _standing(viewer, study)
    what = "Draft it once more" if study.recruitment.draft else "Draft the study on Prolific"
    shown = f"prolific-draft-{study.id}"
    with st.expander(what, icon=":material/edit_note:", expanded=shown in st.session_state):
        try:
            _form(viewer, study, shown)
        except FabulaError as error:
            problem(str(error))


def _attempt(study: Study, what: Callable[[], str]) -> None:
    """Do something, and begin the page anew with what was done; or say why not."""
    try:
        done = what()
    except FabulaError as error:
        problem(str(error))
    else:
        st.session_state[f"prolific-done-{study.id}"] = done
        st.rerun()


def _form(viewer: Person, study: Study, shown: str) -> None:
    """What participants read and get, to be changed; below it what would be sent, and the button that sends it."""
    numbers = drafts.numbers(viewer, study.id)
    usual = proposed(study, numbers, "", {"minutes": numbers.whole_minutes or 1})
    key = f"prolific-{study.id}"
    pace = numbers.whole_minutes if (numbers.whole_minutes or 0) <= MOST_MINUTES else None
    wording = study.scheme.unit.wording
    st.caption(
        f"{numbers.left:,} {wording.rated_plural} are still to come, and one person can do up to {numbers.a_person:,}, "
        f"for {study.payment.text(usual.reward)} in all. Let them do fewer under *Quality rules*."
    )
    with st.form(f"{key}-form", border=False):
        name = st.text_input("Title", usual.name, max_chars=LONGEST_NAME, key=f"{key}-name")
        description = st.text_area(
            "What participants read before they begin", usual.description, max_chars=LONGEST_DESCRIPTION,
            key=f"{key}-description",
        )  # fmt: skip
        with st.container(horizontal=True):
            places = st.number_input(
                "Places", 1, MOST_PLACES, min(usual.places, MOST_PLACES), key=f"{key}-places", width=150,
                help="As many people as are needed for what is left, if each does all that one can.",
            )  # fmt: skip
            minutes = st.number_input(
                "Minutes", 1, MOST_MINUTES, pace, key=f"{key}-minutes", width=150,
                help="For all that one person can do; by the pace so far, where there is any.",
            )  # fmt: skip
        devices = st.multiselect("Devices", DEVICES, DEVICES, format_func=str.capitalize, key=f"{key}-devices")
        project = st.text_input(
            "Project", key=f"{key}-project", max_chars=60, placeholder="Its id; your account's first if left empty"
        )
        if st.form_submit_button("Show what is sent", icon=":material/visibility:"):
            st.session_state[shown] = {
                "name": name,
                "description": description,
                "places": places,
                "minutes": minutes,
                "devices": tuple(devices),
                "project": project,
            }
    if shown in st.session_state:
        _preview(viewer, study, shown, st.session_state[shown])


def _preview(viewer: Person, study: Study, shown: str, changes: dict[str, Any]) -> None:
    token = recruitment.join_token(study.id)
    address = study.recruitment.entry(public_address() or server_address(), token)
    draft = proposed(study, drafts.numbers(viewer, study.id), address, changes)
    draft.check(tried_out=settings().is_local)
    text = study.payment.text
    st.dataframe(
        [
            {"What": "Reward", "Is": f"{text(draft.reward)}, {text(draft.hourly)} an hour"},
            {"What": "All rewards", "Is": f"{text(draft.rewards)}, and Prolific's fees"},
            {"What": "Places", "Is": f"{draft.places:,}"},
            {"What": "Address", "Is": draft.address},
            {"What": "Signed addresses", "Is": "yes" if draft.secured else "no"},
            *({"What": f"Code of “{code.end}”", "Is": f"{code.code}: {_ACTIONS[code.action]}"} for code in draft.codes),
        ],
        hide_index=True,
        placeholder="–",
        column_config={"What": st.column_config.TextColumn(width="small")},
        key=f"{shown}-table",
    )
    st.caption(
        f"The number goes to Prolific as it is, in your account's currency: see that that is {study.payment.currency}."
    )
    again = bool(study.recruitment.draft)
    sure = not again or st.checkbox("Although there is one already", key=f"{shown}-again")
    with st.container(horizontal=True):
        if st.button(
            "Make the draft", type="primary", icon=":material/upload:", disabled=not sure, key=f"{shown}-make"
        ):
            _attempt(study, lambda: _make(viewer, study, draft, shown, again=again))
        if st.button("Cancel", key=f"{shown}-away"):
            del st.session_state[shown]
            st.rerun()


_ACTIONS = {"MANUALLY_REVIEW": "you review the submission", "REQUEST_RETURN": "the participant is asked to return it"}


def _make(viewer: Person, study: Study, draft: Draft, shown: str, *, again: bool) -> str:
    drafts.check_new(viewer, study.id, again=again)
    with Prolific() as prolific:
        made = prolific.create_study(draft.body())
    drafts.keep(viewer, study.id, made, again=again)
    del st.session_state[shown]
    return "The draft is on Prolific. Nobody sees it until it is published, here or there."


def _standing(viewer: Person, study: Study) -> None:
    """The draft's way there, and how it stands once somebody has asked."""
    seen = f"prolific-standing-{study.id}-{study.recruitment.draft}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Drafted as {study.recruitment.draft}", width="content")
        st.link_button("Open it on Prolific", study_page(study.recruitment.draft), icon=":material/open_in_new:")
        if st.button("How does it stand?", icon=":material/refresh:", key=f"{seen}-ask"):
            try:
                st.session_state[seen] = _asked(viewer, study)
            except FabulaError as error:
                problem(str(error))
    standing: Standing | None = st.session_state.get(seen)
    if standing is None:
        return
    remote = standing.remote
    with st.container(horizontal=True, gap="medium"):
        st.metric("On Prolific", remote.status.capitalize(), width="content")
        st.metric("Places", f"{remote.places:,}", width="content")
        if remote.taken is not None:
            st.metric("Taken", f"{remote.taken:,}", width="content")
        if standing.cost is not None:
            cost = money(standing.cost.hundredths, standing.cost.currency)
            st.metric("Costs", cost, width="content", help="With fees and tax, if all places are paid.")
    if standing.cost is not None and standing.cost.currency != study.payment.currency:
        st.warning(
            f"Prolific pays in {escaped(standing.cost.currency)}, and the study's pay is in {study.payment.currency}: "
            "the reward is the same number of the other money."
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.number_input(
            "Places in all", 1, MOST_PLACES, max(remote.places, 1), key=f"{seen}-places", width=150
        )
        if st.button("Change the places", key=f"{seen}-change", disabled=wanted == remote.places):
            _attempt(study, lambda: _change_places(viewer, study, seen, int(wanted)))
    if remote.is_draft:
        sure = st.checkbox("Participants may come now, and Prolific sets the money aside", key=f"{seen}-sure")
        if st.button("Publish it", icon=":material/campaign:", disabled=not sure, key=f"{seen}-publish"):
            _attempt(study, lambda: _publish(viewer, study, seen))


def _asked(viewer: Person, study: Study) -> Standing:
    number = drafts.draft_of(viewer, study.id)
    with Prolific() as prolific:
        remote = prolific.study(number)
        return Standing(remote, prolific.cost(number) if remote.is_draft else None)


def _change_places(viewer: Person, study: Study, seen: str, wanted: int) -> str:
    number = drafts.draft_of(viewer, study.id)
    with Prolific() as prolific:
        before = prolific.study(number)
        before.check_places(wanted)
        after = prolific.set_places(number, wanted)
    drafts.places_changed(viewer, study.id, after, before.places)
    st.session_state[seen] = _asked(viewer, study)
    return f"There are {after.places:,} places on Prolific now."


def _publish(viewer: Person, study: Study, seen: str) -> str:
    number = drafts.draft_of(viewer, study.id, to_publish=True)
    with Prolific() as prolific:
        out = prolific.publish(number)
    drafts.published(viewer, study.id, out)
    st.session_state[seen] = Standing(out, None)
    return f"The study is {out.status.lower()} on Prolific."
