"""Parts of the Import page: the preview, which study takes the file, and the button that imports it once."""

from collections import Counter
from collections.abc import Callable, Hashable
from threading import Lock

import streamlit as st

from core.annotation.builtin import SCHEMES
from core.annotation.studies import StudyState, StudySummary
from core.errors import FabulaError
from core.people import Person
from core.stories import Corpus, Source
from db.studies import studies
from db.transfer import imports
from pages.ui.shared.study_choice import chosen_study, my_studies, remember
from pages.ui.shared.text import escaped, notice

PREVIEWED = 5
KIND = "import_kind"
"""Of the session's state: which kind of file was chosen."""
IMPORTED, BEGUN = "imported", "import_begun"
"""Of the session's state: what was imported, to be said once; what is being imported."""
FINISHED, WORKING = "imports_finished", "import_working"
"""Of the session's state: what has been imported, by its token; held while something is."""
ImportResult = tuple[str, tuple[str, ...], int]
"""What was imported in a sentence, what there is to know of it, and the study."""


def so_many(number: int, name: str, many: str = "") -> str:
    """A number of things, in words that fit it."""
    return f"{number:,} {name if number == 1 else many or f'{name}s'}"


def corpus_counts(corpus: Corpus) -> str:
    """What is in the file, the same before the import and after it; what there is none of is left out."""
    kinds = Counter(story.source for story in corpus.stories)
    counts = (
        (kinds[Source.SYSTEM], so_many(kinds[Source.SYSTEM], "story", "stories")),
        (kinds[Source.HUMAN], so_many(kinds[Source.HUMAN], "human reference")),
        (kinds[Source.NEGATIVE], so_many(kinds[Source.NEGATIVE], "negative story", "negative stories")),
        (len(corpus.ratings), so_many(len(corpus.ratings), "rating")),
        (len(corpus.scores), f"scores of {so_many(len(corpus.scores), 'metric')}"),
    )
    return ", ".join(words for number, words in counts if number)


def preview(corpus: Corpus) -> None:
    """Show the first stories and the counts of what would be imported."""
    own = [s for s in corpus.stories if s.source is not Source.HUMAN] or corpus.stories
    st.caption(f"What would be imported: {corpus_counts(corpus)}. The first ones:")
    rows = [{"Prompt": s.prompt, "Story": s.text, "System": s.system, "Id": s.key} for s in own[:PREVIEWED]]
    st.dataframe(rows, hide_index=True, alt="The first stories of the file")
    for message in corpus.notices:
        notice(message)


def study_for(corpus: Corpus, file_name: str) -> str:
    """The name to begin with: the chosen study or one that waits for stories, if it can take these; else the file's."""
    chosen = chosen_study()
    waiting = [summary for summary in my_studies() if not summary.prompts]
    able = (summary for summary in ([chosen] if chosen else waiting) if _takes(summary, corpus))
    return next((summary.study.name for summary in able), file_name)


def _takes(summary: StudySummary, corpus: Corpus) -> bool:
    study = summary.study
    return study.state is not StudyState.OPEN and not study.demonstration and corpus.scheme in ("", study.scheme_key)


def target(suggested: str, upload: str) -> tuple[str, StudySummary | None]:
    """Ask which study takes the file: the name, and the study if there is one of it. `upload`: the file's id."""
    summaries = {summary.study.name: summary for summary in my_studies()}
    suggested = suggested[: studies.LONGEST_NAME]
    key = f"study-of-{upload}"
    if not st.session_state.get(key):
        st.session_state[key] = suggested
    name = st.selectbox(
        "Study",
        [*summaries, *([] if suggested in summaries else [suggested])],
        key=key,
        accept_new_options=True,
        help="Choose one, or type the name of a new one and press Enter.",
    )
    result = summaries.get(name.strip())
    if result is not None and result.prompts and (upload, name.strip()) not in st.session_state.get(FINISHED, ()):
        st.caption(f"This study has {result.stories:,} stories already; these come on top.")
    return name, result


def scheme_for(corpus: Corpus, upload: str) -> str:
    """The scheme of a new study: the file's own, else the one that is chosen here."""
    if corpus.scheme:
        st.caption(f"A new study with the {SCHEMES[corpus.scheme].title} scheme, which this file is of.")
        return corpus.scheme
    return st.selectbox(
        "Scheme of the new study",
        list(SCHEMES),
        key=f"scheme-of-{upload}",
        format_func=lambda key: f"{SCHEMES[key].title}: {SCHEMES[key].question}",
        help="What annotators are asked. It stays with the study; its words can be changed on the study's Form tab.",
    )


def offer(viewer: Person, corpus: Corpus, file_name: str, upload: str, waits_for: str = "") -> None:
    """Ask for the study and import. `upload`: the file's id; `waits_for`: what is to be answered before."""
    preview(corpus)
    name, summary = target(study_for(corpus, file_name), upload)
    scheme = None if summary else scheme_for(corpus, upload)

    def work() -> ImportResult:
        study = imports.import_corpora(viewer, name, [corpus], scheme=scheme)
        return f"Imported {corpus_counts(corpus)} into the study {name.strip()!r}.", corpus.notices, study.id

    if waits_for:
        st.caption(waits_for)
    import_once((upload, name.strip()), work, doing=f"Importing {len(corpus.stories):,} stories", waits=bool(waits_for))


def import_once(
    token: Hashable,
    work: Callable[[], ImportResult],
    *,
    label: str = "Import",
    doing: str = "Importing",
    waits: bool = False,
) -> None:
    """The button that does `work`, once for a `token`: a second press, or a rerun while it works, does it no second
    time, and work that a rerun has broken off (all of it is one transaction) goes on from its beginning.
    """
    finished = st.session_state.setdefault(FINISHED, {})
    working = st.session_state.setdefault(WORKING, Lock())
    if st.button(label, type="primary", icon=":material/upload:", key="import", disabled=waits or token in finished):
        st.session_state[BEGUN] = token
    begun = st.session_state.get(BEGUN) == token
    if begun and token not in finished:
        with st.spinner(doing):
            try:
                # A press in between starts the page again beside the run that is at work: it waits here, and finds all
                # done. Neither Streamlit nor its session's state is touched in between: there a press would break in.
                with working:
                    if token not in finished:
                        finished[token] = work()
            except FabulaError:
                st.session_state.pop(BEGUN, None)
                raise
    if token in finished:
        sentence, notices, study_id = finished[token]
        st.caption(escaped(f"This is imported: {sentence.removeprefix('Imported ')}"))
        if begun:
            remember(study_id)
            st.session_state[IMPORTED] = (sentence, notices)
            st.session_state.pop(BEGUN, None)
            st.rerun()
