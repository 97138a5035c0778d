"""Import: stories, ratings, preferences, exports, scores, judges. A preview first; all of a file or nothing; the last
ones, to be taken back.
"""

from functools import partial

import streamlit as st

from core.annotation.past_imports import Origin
from core.errors import FabulaError
from core.formats.corpora import CORPUS_FORMATS, CorpusFormat
from core.formats.uploads import uploaded
from core.formats.uploads.examples import FILES, kept_example
from core.people import Person, Role
from pages.ui.import_data.judges import import_judges
from pages.ui.import_data.past_imports import past_imports
from pages.ui.import_data.preferences import import_preferences
from pages.ui.import_data.ratings import import_ratings
from pages.ui.import_data.running import begin_anew, finished, follow_others
from pages.ui.import_data.scores import import_scores
from pages.ui.import_data.steps import BY_PEOPLE, INTO, KIND, offer, say_where, study_for, tell_imported
from pages.ui.import_data.stories import import_stories
from pages.ui.shared.example_file import example_file
from pages.ui.shared.page_head import head
from pages.ui.shared.study_choice import chosen_study, into_address
from pages.ui.shared.text import problem
from pages.ui.shared.uploads import read_once
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)

head("Import", "How do my stories, ratings and scores come in?")
if present := chosen_study():
    into_address(present.study)

KINDS = {
    "stories": "Stories from a table",
    **{entry.name: entry.label for entry in sorted(CORPUS_FORMATS.values(), key=lambda entry: entry.label)},
    "fabula": "Ratings, or an export",
    "preferences": "Preferences",
    "scores": "Metric scores",
    "judges": "Judges' ratings",
}
if KIND not in st.session_state:  # the page was left
    begin_anew()
    st.session_state.pop(INTO, None)
    st.session_state.pop(BY_PEOPLE, None)
if (into := st.query_params.pop("into", "")).isdecimal():  # a study's own button says that the file is for it
    st.session_state[INTO] = int(into)
if st.query_params.pop("by", "") == "people":
    st.session_state[BY_PEOPLE] = True
if (asked := st.query_params.pop("kind", None)) in KINDS:  # a link says what is to be imported
    st.session_state[KIND] = asked
st.session_state.setdefault(KIND, "stories")
kind = st.segmented_control(
    "What do you have?", list(KINDS), format_func=KINDS.__getitem__, required=True, key=KIND, on_change=begin_anew
)


def import_corpus(viewer: Person, chosen: CorpusFormat) -> None:
    """Read the file or the folder of another program's format, and offer to import it."""
    where = st.empty()
    if not chosen.marker:
        file = st.file_uploader(chosen.ask, list(chosen.suffixes))
        example = st.empty()  # gone as soon as a file is there, and not only once that is read
        if file is not None:
            corpus = read_once(partial(uploaded.corpus, name=chosen.name), [file])
            origin = Origin(chosen.label, (file.name,))
            offer(viewer, corpus, file.name.rsplit(".", 1)[0], origin, file.file_id)
            return
        if chosen.name in FILES:
            with example.container():
                example_file(kept_example(chosen.name))
    elif files := st.file_uploader(chosen.ask, accept_multiple_files="directory"):
        corpus = read_once(partial(uploaded.corpus, name=chosen.name), files)
        offer(viewer, corpus, chosen.name, Origin(chosen.label), files[0].file_id)
        return
    else:
        example_file(kept_example(chosen.name), "Fabula exports this folder as a zip, and so is the example: unzip it.")
    say_where(where, study_for(chosen.scheme, ""))


def import_kind(viewer: Person, kind: str) -> None:
    """The part of the page for a kind of file."""
    if kind in CORPUS_FORMATS:
        import_corpus(viewer, CORPUS_FORMATS[kind])
    elif kind == "fabula":
        import_ratings(viewer)
    elif kind == "preferences":
        import_preferences(viewer)
    elif kind == "scores":
        import_scores(viewer)
    elif kind == "judges":
        import_judges(viewer)
    else:
        import_stories(viewer)
    follow_others()


places = {name: st.empty() for name in KINDS}
"""Where each kind's part stands: what one has shown is gone at once where another, or what was imported, is shown."""
try:
    if done := finished():
        tell_imported(done)
    else:
        for name, place in places.items():
            if name == kind:
                with place.container():
                    import_kind(viewer, name)
except FabulaError as error:
    problem(str(error))
past_imports(viewer)
