"""The tabs that set a study's rules, consent text and completion codes."""

from dataclasses import replace
from typing import Any

import streamlit as st

from core.annotation.panel import End
from core.annotation.scheme import QualityRules, Scheme
from core.annotation.studies import Study
from core.annotation.unit import Unit
from core.errors import FabulaError
from core.people import Person
from core.wording import meaning, so_many
from db.annotation import previews, settings
from db.studies import studies
from pages.ui.shared.damaged_stories import read_damaged, say_weak_stories
from pages.ui.shared.text import problem

MEANINGS = {
    End.COMPLETE: "rated all there was",
    End.FULL: "came when every place was taken",
    End.NOT_QUALIFIED: "may not take part",
    End.EXPIRED: "was away until somebody else took the place",
    End.NO_CONSENT: "did not agree",
    End.ALREADY_DONE: "had finished before",
    End.CLOSED: "came while the study was not open",
}


def thresholds(scheme: Scheme, rules: QualityRules, key: str, only_some: str = "") -> tuple[int, int]:
    """Two sliders over the scale: the least for the human reference and the most for the negative story. What several
    criteria judge has the steps that all of them have. `only_some`: what is to be said where prompts lack a reference.
    """
    human, negative = rules.human_least, rules.negative_most
    if scheme.unit.of_pairs:
        preferred = [step for step in scheme.main.steps if step >= 0]
        if len(preferred) == 1:
            return preferred[0], negative
        chosen = st.select_slider(
            "Of a control pair, the undamaged story is found better by at least",
            preferred,
            max(human, preferred[0]),
            format_func=lambda step: f"{step} (as good will do)" if step == 0 else str(step),
            key=f"human-{key}",
        )
        st.caption(
            "Where one control pair is found better by less, or worse, the whole panel is rejected. A higher number "
            f"rejects more panels; {preferred[0]} rejects the fewest."
        )
        return int(chosen), negative
    steps = sorted(set.intersection(*(set(scheme.criterion(name).steps) for name in rules.judging(scheme))))
    human = int(st.select_slider("The human reference is rated at least", steps, human, key=f"human-{key}"))
    st.caption(
        "Below it the whole panel is rejected: who rates a person's story so low may not have read it, though careful "
        "people may rate a short or plain one so low, too. A higher number "
        f"rejects more panels; {steps[0]} rejects none for the human reference. {only_some}".rstrip()
    )
    negative = int(st.select_slider("The negative story is rated at most", steps, negative, key=f"negative-{key}"))
    st.caption(
        "Above it the whole panel is rejected: who rates a deliberately bad story so high may not have read it. "
        f"A lower number rejects more panels; {steps[-1]} rejects none for the negative story."
    )
    return human, negative


def rules(viewer: Person, study: Study) -> None:
    """How many ratings are wanted, of whom, and which panels count."""
    now, scheme, wording = study.rules, study.scheme, study.scheme.unit.wording
    if scheme.controls:
        read_damaged(viewer, study)
    with st.form(f"rules-{study.id}", border=False):
        if scheme.controls:
            _say_rejection(scheme)
            say_weak_stories(viewer, study)
        what = "Valid judgments wanted a pair" if scheme.unit.of_pairs else "Valid ratings wanted a story"
        wanted = st.number_input(what, 1, 100, now.ratings_wanted, key=f"wanted-{study.id}")
        changes = _controls(study) if scheme.controls else {}
        usual = "all of them" if scheme.unit.of_pairs else "one of every prompt"
        most = st.number_input(
            f"{wording.plural.capitalize()} a person may rate (0: {usual})",
            0,
            100_000,
            now.assignments_a_person,
            key=f"most-{study.id}",
        )
        if scheme.unit is Unit.STORY:
            _say_share(viewer, study)
        minutes = st.number_input(
            "Minutes without any activity after which a place is offered to somebody else",
            1,
            7 * 24 * 60,
            now.lease_minutes,
            key=f"lease-{study.id}",
            help=f"Every answer renews the time. A {wording.noun} that is handed in late still counts if its place is "
            "free.",
        )
        implied = now.show_implied
        if scheme.deducts:
            implied = st.toggle(
                "Show annotators the rating that their deductions imply",
                implied,
                key=f"implied-{study.id}",
                help="Off by default: it may bias the overall rating.",
            )
        changes |= {
            "ratings_wanted": int(wanted),
            "show_implied": implied,
            "lease_minutes": int(minutes),
            "assignments_a_person": int(most),
        }
        if st.form_submit_button("Save the rules"):
            _save(viewer, study, changes)


def _say_rejection(scheme: Scheme) -> None:
    """What becomes of a panel whose controls miss a threshold, and where other thresholds can be tried."""
    misses = (
        "a damaged story is not found worse than the undamaged one beside it, by as much as you say"
        if scheme.unit.of_pairs
        else "its human reference is rated too low or its negative story too high: one of the two is enough"
    )
    st.caption(
        f"A panel is rejected when {misses}. All its ratings are then left out, also those of its other stories, and "
        "its slot is offered to somebody else. What the person is owed stays due until you decide otherwise.",
        help=meaning("Panel", "Control story"),
    )
    st.caption(
        "What you change here judges panels that are handed in from then on. Under *What if* on the Monitor you can "
        "try other thresholds on the panels you have, and judge those again."
    )


def _say_share(viewer: Person, study: Study) -> None:
    """Which of the stories one person is offered, where there are some."""
    if up_to := previews.panels_per_annotator(viewer, study.id):
        st.caption(
            "A person is offered one story of every prompt, and never two of the same: by these rules up to "
            f"{so_many(up_to, 'story', 'stories')}, as they are told. The ratings that other pages count as wanted "
            "are of all stories, by everybody together."
        )


def _controls(study: Study) -> dict[str, Any]:
    """The rules about control stories, which criteria they are judged by, and what follows for who fails them."""
    now, scheme = study.rules, study.scheme
    human, negative = thresholds(scheme, now, str(study.id), studies.without_references(study.id).only_some)
    judged_on = now.judged_on
    if len(scheme.criteria) > 1:
        judged_on = tuple(
            st.multiselect(
                "Criteria by which the controls are judged, each by both thresholds",
                scheme.names,
                now.judging(scheme),
                key=f"judged-on-{study.id}",
                help="A panel is rejected as soon as a control misses its threshold on one of them: each one more may "
                "reject more panels.",
            )
        )
    pause = st.number_input(
        "Rejected panels in a row that pause a person (0: nobody is paused)",
        0,
        100,
        now.pause_after,
        key=f"pause-{study.id}",
        help="With no valid panel in between. They get no other panel, and are told; on the Monitor you can let them "
        "go on.",
    )
    return {"human_least": human, "negative_most": negative, "judged_on": judged_on, "pause_after": int(pause)}


def _save(viewer: Person, study: Study, changes: dict[str, Any]) -> None:
    try:
        settings.set_rules(viewer, study.id, replace(study.rules, **changes))
    except FabulaError as error:
        problem(str(error))
    else:
        st.success("Saved. The rules judge what is handed in from now on.")


def ends(viewer: Person, study: Study) -> None:
    """What annotators agree to, and the code that each end shows them."""
    with st.form(f"ends-{study.id}", border=False):
        consent = st.text_area(
            "What annotators agree to before they begin",
            study.consent,
            height=160,
            max_chars=settings.LONGEST_CONSENT,
            placeholder="Nothing is asked while this is empty.",
            help="Markdown: **bold**, *italics*, lists, links. Pictures and formulas are shown as they are written.",
            key=f"consent-{study.id}",
        )
        st.caption(
            "Each end has a screen of its own and shows its own completion code. Where the study is not open, only who "
            "comes from a crowd platform gets one."
        )
        codes = {}
        for end in End:
            label = f"{end.capitalize()}: {MEANINGS[end]}"
            codes[str(end)] = st.text_input(label, study.codes.get(end, ""), key=f"code-{study.id}-{end.name}")
        if st.form_submit_button("Save consent and codes"):
            try:
                settings.set_ends(viewer, study.id, consent, codes)
            except FabulaError as error:
                problem(str(error))
            else:
                st.success("Saved.")
