"""A tour of the demonstration: a box on top of six pages, from what the finding says to one's own data."""

from dataclasses import dataclass, field

import streamlit as st

from pages.ui.shared.study_choice import CHOSEN

TOUR = "tour"
"""Where the stop is kept: in the address, and in the session, as pages change the address."""


@dataclass(frozen=True)
class Stop:
    """A page of the tour: its script, its address, what is said on it, and what its address opens there."""

    page: str
    path: str
    said: str
    opens: dict[str, str] = field(default_factory=dict)


STOPS = (
    Stop(
        "overview.py",
        "",
        "The sentence says which metric agrees best with people, and which others cannot be told apart from it. Lines "
        "show intervals; the broken ones, what one person reaches and what none can pass.",
    ),
    Stop(
        "correlation.py",
        "correlation",
        "Each point is a story: what the metric gave it, and what people did. Press one: the story opens beside the "
        "figure, and arrow keys go on to the next.",
        {"tab": "Scatter"},
    ),
    Stop(
        "tokens.py",
        "tokens",
        "Press *Try an example*: a language model reads a story, and each of its words is coloured by how likely the "
        "model found it.",
    ),
    Stop(
        "judges.py",
        "judges",
        "A language model that rates stories is put on trial here: does it agree with people, and may it stand in for "
        "one? Run one under *Run metrics*, or import its ratings.",
    ),
    Stop(
        "preview.py",
        "preview",
        "Rate a few stories yourself, as annotators do: nothing is stored here. *Rate yourself* on the Overview does "
        "it in earnest.",
    ),
    Stop(
        "import_data.py",
        "import_data",
        "Now your own data: say what you have. Each kind has an example file that shows its columns, and stories make "
        "a study of their own.",
    ),
)


def begin_tour() -> None:
    """Start at the first stop, whose page is the Overview."""
    st.session_state[TOUR] = 1


def tour_button() -> None:
    """The button on the demonstration's Overview, unless the tour is under way."""
    if TOUR not in st.session_state:
        st.button("Take the tour", icon=":material/tour:", type="tertiary", key="take-tour", on_click=begin_tour)


def tour(page: st.Page) -> None:
    """The box of this page's stop while the tour is under way; nothing on other pages, and else."""
    asked = st.query_params.get(TOUR, "")
    if asked.isdecimal() and 1 <= int(asked) <= len(STOPS):
        st.session_state[TOUR] = int(asked)
    number = next((number for number, stop in enumerate(STOPS, 1) if stop.path == page.url_path), None)
    if number is None or TOUR not in st.session_state:
        return
    st.session_state[TOUR] = number
    st.query_params[TOUR] = str(number)
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", key="tour"):
        st.markdown(f"**Tour {number} of {len(STOPS)}:** {STOPS[number - 1].said}")
        if number > 1 and st.button("Back", key=f"tour-back-{number}"):
            _go_to(number - 1)
        if number < len(STOPS) and st.button("Next", type="primary", key=f"tour-next-{number}"):
            _go_to(number + 1)
        st.button("End the tour", key="tour-end", on_click=_end)


def _go_to(number: int) -> None:
    stop = STOPS[number - 1]
    study = st.session_state.get(CHOSEN)
    chosen = {} if study is None else {"study": str(study)}
    st.switch_page(stop.page, query_params={**chosen, **stop.opens, TOUR: str(number)})


def _end() -> None:
    st.session_state.pop(TOUR, None)
    st.query_params.pop(TOUR, None)
