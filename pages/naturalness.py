"""Naturalness: how human do systems' texts look to a language model, and to people? Çano and Bojar (2020)."""

import numpy as np
import streamlit as st

from core.annotation.studies import StudySummary
from core.errors import FabulaError
from core.people import Person, Role
from db.ratings import ratings
from db.scores import naturalness as stored
from pages.ui.naturalness.hypotheses import hypotheses_section
from pages.ui.naturalness.measurements import Measurements, measure, rests_on
from pages.ui.naturalness.run_form import measure_form
from pages.ui.naturalness.sides import NaturalnessSample, Sides, choose_sample, choose_sides
from pages.ui.naturalness.tables import distribution_section, tables_section
from pages.ui.naturalness.text_checks import checks_section
from pages.ui.naturalness.thresholds import thresholds_section
from pages.ui.shared.live_updates import follow
from pages.ui.shared.page_head import headed
from pages.ui.shared.stories.wanted_stories import to_wanted
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)
TABS = ("Distributions", "Tables", "Thresholds", "Hypotheses", "Check-ups")
NOT_MEASURED = (
    "No language model has read these texts yet. Measure both sides: Fp, the mean probability fraction, says how "
    "close each word comes to the one that a model finds likeliest. Machine text is expected to have a higher one."
)


def lacks_a_side(result: Measurements) -> bool:
    """Whether no discriminator has an Fp of both sides; says then what to do."""
    human = result.about.of(None)
    machine = np.setdiff1d(np.arange(len(result.texts)), human)
    sides = {"human": human, "machine": machine}
    lacking = {
        name: all(np.isnan(reading.fp[places]).all() for reading in result.readings) for name, places in sides.items()
    }
    for name, none in lacking.items():
        if none:
            st.info(
                f"No {name} text has an Fp of this length yet. Measure both sides, at a length that the texts have, or "
                "wait until what is being measured is done."
            )
    return any(lacking.values())


def sections(summary: StudySummary, sides: Sides, sample: NaturalnessSample) -> None:
    """The tabs; what is not looked at is not computed."""
    measurements = measure(sides, sample)
    rests_on(measurements, sample)
    if lacks_a_side(measurements):
        return
    tabs = dict(zip(TABS, st.tabs(TABS, key="naturalness", bind="query-params"), strict=True))
    shown = next((name for name, tab in tabs.items() if tab.open), TABS[0])
    with tabs[shown]:
        match shown:
            case "Distributions":
                distribution_section(measurements, sample, sides)
            case "Tables":
                tables_section(measurements, sample, sides)
            case "Thresholds":
                thresholds_section(summary.study, measurements, sample, sides)
            case "Hypotheses":
                hypotheses_section(measurements, sample)
            case _:
                checks_section(sides, sample)


def page(viewer: Person) -> None:
    """The two sides, what has read them, and the tabs."""
    summary = headed("Naturalness", "Do machines' texts look like people's to a language model?")
    sides = choose_sides(summary)
    known = stored.discriminators(sides.study_ids)
    if not known:
        st.info(NOT_MEASURED)
    measure_form(viewer, sides, expanded=not known)
    if known:
        sections(summary, sides, choose_sample(known))
    for study_id in sides.study_ids:
        follow(study_id, ratings.version(study_id))


to_wanted()
try:
    page(viewer)
except FabulaError as error:
    problem(str(error))
