"""Two stories side by side and which is better, a fragment of its own."""

from functools import partial

import streamlit as st

from core.annotation.criterion import OVERALL
from core.annotation.panel import Answer, Panel
from core.annotation.studies import Study
from core.errors import FabulaError
from pages.ui.annotating.answer_form import rating_control, saved_line
from pages.ui.annotating.desk import Desk
from pages.ui.annotating.story_reader import reader_events, story_reader
from pages.ui.shared.text import escaped

SIDES = {-1: "A is better", 0: "Equally good", 1: "B is better"}


def _key(panel: Panel, part: str) -> str:
    return f"{part}-{panel.token}"


def _present(panel: Panel) -> Answer:
    saved: Answer = st.session_state.get(_key(panel, ":saved"), panel.answer)
    return saved


def _save(desk: Desk, panel: Panel) -> None:
    """Store which side is better. If that fails the form goes back to what is stored, and says so."""
    key = _key(panel, "overall")
    try:
        answer = desk.save_value(panel.token, st.session_state.get(key), OVERALL)
    except FabulaError as error:
        st.session_state[_key(panel, ":problem")] = str(error)
    else:
        st.session_state[_key(panel, ":saved")] = answer
        st.session_state.pop(_key(panel, ":problem"), None)
    st.session_state[key] = _present(panel).overall


def _save_asked(desk: Desk, panel: Panel, reader: str) -> None:
    """The browser asks whether what the form shows is stored; if it is not, it is stored now."""
    done = _key(panel, ":done")
    for wish in reader_events(reader, (), st.session_state.get(done, 0)):
        st.session_state[done] = wish.id
        if st.session_state.get(_key(panel, "overall")) != _present(panel).overall:
            _save(desk, panel)


@st.fragment
def pair_form(desk: Desk, study: Study, panel: Panel) -> None:
    """The two stories and one answer about both."""
    scheme = study.scheme
    if _key(panel, "overall") not in st.session_state:
        st.session_state[_key(panel, "overall")] = panel.answer.overall
    with st.container(key=_key(panel, "story")):
        overall = _present(panel).overall
        for story, column in zip(panel.stories, st.columns(len(panel.stories), gap="medium"), strict=True):
            with column.container(border=True, height="stretch"):
                st.markdown(f"**Story {story.letter}**")
                story_reader(
                    story.text,
                    f"Story {story.letter}",
                    f"reader-{story.token}",
                    error_types=(),
                    spans={},
                    stored=[list(SIDES).index(overall) if overall in SIDES else -1],
                    done=st.session_state.get(_key(panel, ":done"), 0),
                    on_asked=partial(_save_asked, desk, panel, f"reader-{story.token}"),
                )
        rating_control(scheme.main, escaped(scheme.question), _key(panel, "overall"), SIDES, _save, (desk, panel))
        with st.container(key=_key(panel, "saved")):
            saved_line(desk, scheme, _present(panel), st.session_state.get(_key(panel, ":problem")), [])
