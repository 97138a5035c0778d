"""Parts of the Import page: the preview, which study takes the file, and the button that imports it once."""

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.annotation.builtin import SCHEMES, offered
from core.annotation.past_imports import Origin, counts_text
from core.annotation.studies import Study, StudyState, StudySummary
from core.formats.columns import called_like_judge
from core.formats.stories.empty_rows import EmptyRows
from core.people import Person
from core.stories import Corpus, Source, StoryRecord
from core.wording import so_many
from db.studies import story_texts, studies
from db.transfer import imports
from db.transfer.there_already import stories_there
from pages.ui.import_data.running import ImportResult, Tell, Work, begin, begin_anew, follow
from pages.ui.shared.stories.wanted_stories import EVERY_METRIC
from pages.ui.shared.study_choice import chosen_study, my_studies
from pages.ui.shared.text import escaped, notice

PREVIEWED, SHOWN_OF_A_CELL, SHOWN_COLUMNS = 5, 200, 12
LONG_CELL, TEXT_WIDTH = 20, 180
"""Characters that make a column one of texts, and its width in pixels."""
UNNAMED = "by raters whom the file does not name"
"""Of ratings that are nobody's: the columns of one rater each may be another person's in each row."""
ADDED = "those of the file are added to them"
OTHERWISE = "choose another study or name a new one"
KIND, CARRIED, INTO, BY_PEOPLE = "import_kind", "import_carried", "import_into", "import_by_people"
"""Of the session's state: which kind of file was chosen; a file that one part has handed to another; the id of the
study whose own button has led here; whether a link that asks for human stories has.
"""
WHERE_SCORES = "A judge's come in afterwards under *Judges' ratings*, a metric's under *Metric scores*."
"""Where columns of numbers go that are no people's ratings."""
UNUSED = "import_unused"
"""The same: the columns of numbers of which the file of ratings brings nothing."""


def as_it_is(columns: Sequence[str], rows: int, first: Sequence[Mapping[str, Any]]) -> None:
    """Show the first rows of a table before anybody says what its columns hold; `rows`: how many it has."""
    st.caption(f"{so_many(rows, 'row')}. The first ones as they are in the file:")
    shown = [{column: _clipped(row.get(column)) for column in columns} for row in first]
    first_rows(shown, "The first rows of the file")


def first_rows(rows: Sequence[Mapping[str, Any]], alt: str) -> None:
    """A table of a few rows whose columns with texts are no wider than leaves the numbers in sight. `alt`: what it
    holds, for who cannot see it.
    """
    texts = {column for row in rows for column, cell in row.items() if len(str(cell)) > LONG_CELL}
    config = {column: st.column_config.Column(width=TEXT_WIDTH) for column in texts}
    st.dataframe(rows, hide_index=True, placeholder="–", alt=alt, column_config=config)


def named_columns(columns: Sequence[str]) -> str:
    """The names of columns as they are, the first of many, as Markdown."""
    more = f" and {len(columns) - SHOWN_COLUMNS:,} more" if len(columns) > SHOWN_COLUMNS else ""
    return ", ".join(f"*{escaped(column[:SHOWN_OF_A_CELL])}*" for column in columns[:SHOWN_COLUMNS]) + more


def _clipped(cell: Any) -> str:
    return "" if cell is None else str(cell)[:SHOWN_OF_A_CELL]


def leave_out_empty(empty: EmptyRows, file: UploadedFile) -> bool:
    """Offer to leave out the rows of a file whose story is empty, which are named: whether that is wanted. Nothing is
    offered where there is none.
    """
    if not empty.number:
        return False
    rows = "row" if empty.number == 1 else f"{empty.number:,} rows"
    ratings = f", with {so_many(empty.ratings, 'rating')}" if empty.ratings else ""
    return st.checkbox(f"Leave out the {rows} whose story is empty{ratings}: {empty.named}", key=empty_key(file))


def empty_key(file: UploadedFile) -> str:
    """The key of that box."""
    return f"without-empty-{file.file_id}"


def preview(counts: str, first: Sequence[StoryRecord], notices: Sequence[str]) -> DeltaGenerator:
    """Show the first stories and the counts of what would be imported; returns the place of the counts."""
    place = st.empty()
    place.caption(f"{brings('')} {counts}. The first ones:")
    rows = [{"Prompt": s.prompt, "Story": s.text, "System": s.system, "Id": s.key} for s in first[:PREVIEWED]]
    first_rows(rows, "The first stories of the file")
    for message in notices:
        notice(message)
    return place


def brings(refusal: str) -> str:
    """How the counts of a file begin: what is refused would not be imported."""
    return "In the file:" if refusal else "What would be imported:"


def say_where(place: DeltaGenerator, into: str) -> None:
    """Say, before a file is chosen, which study it goes into: `into`, "" for a new one."""
    chosen = chosen_study()
    if chosen is not None and into == chosen.study.name and open_refused(chosen):
        place.info(open_refused(chosen), icon=":material/info:")
    elif into:
        place.caption(f"The file goes into the study **{escaped(into)}**. Once it is read, you can {OTHERWISE}.")
    else:
        place.caption(
            f"{_not_chosen()}**A new study** is made of the file, and named after it. Once it is read, you can "
            f"{OTHERWISE}."
        )


def _not_chosen() -> str:
    """Why a file is not taken by the study that is chosen, before the sentence that says where it goes."""
    chosen = chosen_study()
    if chosen is None:
        return ""
    study = chosen.study
    if chosen.prompts:
        why = "has stories already"
    elif study.demonstration or study.state is StudyState.OPEN:
        why = "is the demonstration" if study.demonstration else "is open for annotation"
    else:
        why = "is of another scheme"
    return f"The study in the sidebar, **{escaped(study.name)}**, {why}. "


def say_chosen(place: DeltaGenerator, study: Study) -> None:
    """The same of what can only go into the study that is chosen."""
    place.caption(f"The file goes into the study **{escaped(study.name)}**. Choose another in the sidebar.")


def study_for(scheme: str, file_name: str) -> str:
    """The name to begin with: the chosen study, if it waits for stories and can take some of this scheme ("" for any),
    or its own button has led here; else the file's.
    """
    chosen = chosen_study()
    if chosen is None:
        return file_name
    waits = not chosen.prompts and takes(chosen, scheme)
    meant = led_from(chosen) and scheme in ("", chosen.study.scheme_key)
    return chosen.study.name if waits or meant else file_name


def led_from(summary: StudySummary) -> bool:
    """Whether this study's own button has led here: the file is for it, whatever it has already."""
    return st.session_state.get(INTO) == summary.study.id and not summary.study.demonstration


def takes(summary: StudySummary, scheme: str) -> bool:
    """Whether a study can take stories of this scheme, "" for any: nobody rates it, and it is not the demonstration."""
    study = summary.study
    return study.state is not StudyState.OPEN and not study.demonstration and scheme in ("", study.scheme_key)


def target(suggested: str, file_name: str, upload: str) -> tuple[str, StudySummary | None]:
    """Ask which study takes the file: the name, and the study if there is one of it. A new one can be called like the
    file; where a study is called so, a number tells it from that. `suggested`: the name to begin with, which means the
    chosen study where that is called like the file; "" for a new one whatever that is called. `upload`: the file's id.
    """
    summaries = {summary.study.name: summary for summary in my_studies()}
    chosen = chosen_study()
    here = chosen.study.name if chosen is not None else ""
    called = file_name[: studies.LONGEST_NAME]
    new = _unused(called, summaries)
    if suggested in ("", file_name):
        suggested = called if suggested and called == here else new
    suggested = suggested[: studies.LONGEST_NAME]
    key = f"study-of-{upload}-in-{here}"  # whoever chooses another in the sidebar means that one
    if not st.session_state.get(key):
        st.session_state[key] = suggested
    name = st.selectbox(
        "Into the study: choose one, or type the name of a new one",
        [*summaries, *(name for name in dict.fromkeys((suggested, new)) if name not in summaries)],
        key=key,
        accept_new_options=True,
        help="Press Enter after the name of a new one.",
    )
    summary = summaries.get(name.strip())
    if summary is None:
        why = _not_chosen() if name == suggested == new else ""
        taken = f"There is one called **{escaped(called)}** already: choose it to add to it." if new != called else ""
        if why or taken:
            st.caption(f"{why}{taken}".strip())
        st.markdown(f":material/add_circle: **A new study** called **{escaped(name.strip())}** is made of the file.")
    elif not summary.prompts:
        st.caption(f"The file goes into the study **{escaped(summary.study.name)}**, which has no stories yet.")
    return name, summary


def _unused(name: str, taken: Container[str]) -> str:
    """The name, with a number behind it where it is taken."""
    numbered = (f"{name[: studies.LONGEST_NAME - 5]} {number}" for number in count(2))
    return next(other for other in chain([name], numbered) if other not in taken)


def say_beside(summary: StudySummary | None, becomes: str, refusal: str = "") -> None:
    """Of a study that has stories, what `becomes` of the file beside these; or why nothing of it comes in, if that is
    known, and where an open study is closed.
    """
    if refusal:
        st.info(refusal, icon=":material/info:")
        if summary is not None and summary.study.state is StudyState.OPEN:
            query = {"study": str(summary.study.id)}
            st.page_link("overview.py", label="To the study", icon=":material/home:", query_params=query)
    elif summary is not None and summary.prompts:
        st.caption(f"This study has {so_many(summary.stories, 'story', 'stories')} already; {becomes}.")


def open_refused(summary: StudySummary | None) -> str:
    """Why a study takes no file now: people are rating it; "" where nobody is."""
    if summary is None or summary.study.state is not StudyState.OPEN:
        return ""
    name = escaped(summary.study.name)
    return f"The study **{name}** is open for annotation: close it before you import into it, or choose another study."


def stories_refused(viewer: Person, summary: StudySummary | None, known_by: Sequence[str], *, by_ids: bool) -> str:
    """Why a study does not take these stories: it has some of them; "" where it takes them. They are `known_by` their
    ids, or else by what they say.
    """
    if summary is None or not summary.prompts:
        return ""
    study_id = summary.study.id
    there = _there(study_id, story_texts.version(study_id), tuple(known_by), by_ids, viewer)
    if not there:
        return ""
    known = "their ids" if by_ids else "their prompts, systems and texts"
    if len(there) == len(known_by):
        return f"This study has all of the file's stories already, by {known}: there is nothing to import."
    first = ", ".join(f"*{escaped(key[:SHOWN_OF_A_CELL])}*" for key in there[:3]) if by_ids else ""
    more = ", …" if len(there) > 3 else ""
    which = f" ({first}{more})" if first else ""
    return (
        f"This study has {len(there):,} of the file's {len(known_by):,} stories already, by {known}{which}. A "
        "file comes in as a whole: take them out of it, or choose another study."
    )


@st.cache_data(max_entries=8, show_spinner=False)
def _there(study_id: int, version: str, known_by: tuple[str, ...], by_ids: bool, _viewer: Person) -> list[str]:
    del version  # what the result is kept under
    return stories_there(_viewer, study_id, known_by, by_ids=by_ids)


def scheme_for(scheme: str, upload: str) -> str:
    """The scheme of a new study: the file's own, else the one that is chosen here."""
    if scheme:
        st.caption(f"A new study with the {SCHEMES[scheme].title} scheme, which this file is of.")
        return scheme
    return st.selectbox(
        "Scheme of the new study",
        list(SCHEMES),
        key=f"scheme-of-{upload}",
        format_func=offered,
        help="What annotators are asked. It stays with the study; its criteria, scales and words can be changed under "
        "Form and rules.",
    )


def offer(viewer: Person, corpus: Corpus, file_name: str, origin: Origin, upload: str) -> None:
    """Show a corpus, ask for the study and import. `upload`: the file's id."""
    counts = counts_text(Counter(s.source for s in corpus.stories), len(corpus.ratings), len(corpus.scores))
    own = [s for s in corpus.stories if s.source is not Source.HUMAN] or corpus.stories
    place = preview(counts, own, corpus.notices)
    name, summary = target(study_for(corpus.scheme, file_name), file_name, upload)
    refusal = open_refused(summary) or stories_refused(
        viewer, summary, [story.key for story in own if story.source is not Source.HUMAN], by_ids=True
    )
    say_beside(summary, ADDED, refusal)
    if refusal:
        place.caption(f"{brings(refusal)} {counts}. The first ones:")
    scheme = None if summary else scheme_for(corpus.scheme, upload)

    def work(tell: Tell) -> ImportResult:
        study = imports.import_corpora(viewer, name, [corpus], scheme=scheme, origin=origin)
        return f"Imported {counts} into the study {name.strip()!r}.", study.id

    import_once((upload, name.strip()), work, doing=f"Importing {counts}", waits=bool(refusal))


def say_unanswered(questions: Iterable[str]) -> bool:
    """Say which questions have to be answered before anything is imported; whether there are any. "" is none."""
    left = [question for question in questions if question]
    if left:
        st.caption(f"Before you import, answer above: {', '.join(left)}.")
    return bool(left)


def import_once(
    token: Hashable, work: Work, *, label: str = "Import", doing: str = "Importing", waits: bool = False
) -> None:
    """The button that does `work`, once for a `token`, and a bar while it is done: a second press, or a rerun while it
    works, does it no second time.
    """
    if st.button(label, type="primary", icon=":material/upload:", key="import", disabled=waits):
        begin(token, work, doing)
    follow(token)


def tell_imported(result: ImportResult) -> None:
    """What was imported, what is next, and the way to another file, in place of all that was asked."""
    sentence, study_id = result
    st.success(escaped(sentence), icon=":material/check_circle:")
    unused = st.session_state.get(UNUSED) if st.session_state.get(KIND) == "fabula" else None
    if unused:
        st.caption(f"Columns that are not used: {named_columns(unused)}. {WHERE_SCORES}")
    with st.container(horizontal=True, vertical_alignment="center"):
        for page, label, icon in _next_steps(study_id):
            if st.button(label, type="primary", icon=f":material/{icon}:", key=f"next-{page}"):
                parts = EVERY_METRIC if page == "correlation.py" else {}
                st.switch_page(page, query_params={"study": str(study_id)} | parts)
        if unused:
            judge = any(map(called_like_judge, unused))
            label, kind = ("To Judges' ratings", "judges") if judge else ("To Metric scores", "scores")
            st.button(label, icon=":material/arrow_forward:", on_click=_to_kind, args=(kind,))
        st.button("Import another file", type="tertiary", icon=":material/upload:", on_click=_another_file)


def _to_kind(kind: str) -> None:
    _another_file()
    st.session_state[KIND] = kind


def _another_file() -> None:
    """Begin anew, without the file that one part has handed to another."""
    begin_anew()
    st.session_state.pop(CARRIED, None)


def _next_steps(study_id: int) -> list[tuple[str, str, str]]:
    """Page, label and sign of what is next for a study that something was imported into."""
    summary = next((summary for summary in my_studies() if summary.study.id == study_id), None)
    metrics = "score.py", "Next: run metrics", "speed"
    if st.session_state.get(KIND) == "judges":
        unscored = summary is not None and summary.metrics == summary.judges
        return [("judges.py", "Next: put the judges on trial", "gavel"), *([metrics] if unscored else [])]
    if summary is None or not summary.ratings or st.session_state.get(KIND) == "stories":  # which are yet to be rated
        return [("overview.py", "Next: where the study stands", "home")]
    if not summary.metrics:
        return [metrics]
    return [("correlation.py", "Next: see the correlation", "scatter_plot")]
