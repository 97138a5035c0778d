"""Where the controls of a study are explained: the damaged stories to read, and whom the rule rejects wrongly where a
study's own stories are hardly better.
"""

import streamlit as st

from core.annotation.studies import Study, StudyState
from core.checks import FindingKind
from core.checks.degenerate import degenerate_kinds
from core.errors import FabulaError
from core.names import FILES
from core.people import Person
from core.perturb.negatives.controls import FEWEST_HUMAN, Unlike, sharing
from core.stories import Source
from core.wording import so_many
from db.annotation import previews
from db.scores import scores
from db.studies import story_texts, studies
from pages.ui.shared.text import escaped, problem, story_text

COUNTED = 50
"""Damaged stories that are made to see how many are alike, which takes a second or two."""
MOST = 300
"""Stories that are looked at, spread over the study: a page must not wait for all of a large one."""
WORTH_SAYING = 0.02
"""The share of them from which on panels are likely to hold one."""
PLACEHOLDERS = tuple(kind for kind in FILES if kind != "words")
MASK = f"Write names as {escaped(', '.join(PLACEHOLDERS[:-1]))} and {escaped(PLACEHOLDERS[-1])}"
A_PAGE = 5
"""Damaged stories that are shown at once."""
WEAK = (
    "Read some damaged stories first: if the study's own are hardly better, this rule also rejects people who rate "
    "carefully."
)
LET_PASS = {
    False: "Then allow the damaged story a higher rating. Once the highest of the scale is allowed, nobody is rejected "
    "for how they rate it",
    True: "Then lower by how much better the undamaged story must be found",
}
"""What keeps it from that, by whether pairs are judged: which limit, and in which direction."""


ALL_THE_SAME = (
    "The study can be opened all the same. Its damaged stories then stay as they are: whoever knows them at sight "
    "passes this control without reading, and such a panel is not rejected. Whoever rates carefully is as good a rater "
    "as ever."
)
"""What follows where a study is opened though damaged stories give themselves away."""


def read_damaged(viewer: Person, study: Study) -> None:
    """The damaged stories that panels hold, or will hold, to be read before anybody is rejected by them."""
    label, key = "Read the damaged stories", f"damaged-{study.id}"
    if st.button(label, type="tertiary", icon=":material/menu_book:", key=key):
        st.dialog("Damaged stories", width="large")(_damaged)(viewer, study.id)


def _damaged(viewer: Person, study_id: int) -> None:
    key = f"damaged-page-{study_id}"
    number = int(st.session_state.get(key, 1))
    try:
        with st.spinner("Making the damaged stories"):
            stories, prompts = previews.damaged(viewer, study_id, (number - 1) * A_PAGE, A_PAGE)
    except FabulaError as error:
        problem(str(error))
        return
    _say_known(viewer, study_id)
    for shown in stories:
        st.caption("The prompt, its damaged story, and one of the study's own:")
        story_text(shown.prompt)
        left, right = st.columns(2, gap="medium")
        for column, heading, text in (
            (left, "Damaged", shown.text),
            (right, f"Not damaged, by {shown.system or 'an unknown system'}", shown.own),
        ):
            with column.container(border=True):
                st.text(heading)
                story_text(text)
    if prompts > A_PAGE:
        st.pagination(-(-prompts // A_PAGE), key=key)


def say_weak_stories(viewer: Person, study: Study, before: str = "") -> None:
    """After what is said `before`: where the rule rejects honest work; and that it may do so here, where a careful
    person is likely to find a damaged story no worse than those beside it. Also by what damaged stories may be known.
    """
    st.caption(f"{before} {WEAK} {LET_PASS[study.scheme.unit.of_pairs]}.".lstrip())
    _say_known(viewer, study.id)
    repeating, looked_at = _repeating(study.id, story_texts.version(study.id))
    if not repeating or repeating < WORTH_SAYING * looked_at:
        return
    st.caption(
        f":material/warning: {repeating:,} of {so_many(looked_at, 'story', 'stories')} by systems "
        f"{'repeats itself' if repeating == 1 else 'repeat themselves'}. A damaged story may be no worse than these: "
        "watch the rejections on *Monitor*."
    )


def _say_known(viewer: Person, study_id: int) -> None:
    """Warn where damaged stories are still to be made, from human ones by which they give themselves away."""
    if not studies.without_references(study_id).negative:
        return
    human = scores.count_stories(study_id, (Source.HUMAN,))
    if not human:
        if said := _names_to_replace(viewer, study_id):
            st.caption(f":material/info: {said}")
            _to_import(study_id)
        return
    warnings = [_known_by_sentences(viewer, study_id, human), _known_by_writing(viewer, study_id)]
    names = _known_by_names(viewer, study_id)
    if not names and any(warnings):  # what is imported because of these must not bring names along
        names = _names_to_replace(viewer, study_id)
    warnings = list(filter(None, [*warnings, names]))
    for warning in warnings:
        st.caption(f":material/warning: {warning}")
    if warnings:
        st.caption(ALL_THE_SAME)
        _to_import(study_id)


def _to_import(study_id: int) -> None:
    into = {"study": str(study_id), "into": str(study_id), "kind": "stories", "by": "people"}
    st.page_link("import_data.py", label="Import human stories", icon=":material/upload:", query_params=into)


def say_names_to_replace(viewer: Person, study: Study) -> None:
    """Where human stories are imported: how they must have names, so that no damaged story is known by one."""
    if _made_of_human(study) and (said := _names_to_replace(viewer, study.id)):
        st.caption(f":material/info: {said}")


def ask_to_mask(viewer: Person, study: Study, key: str) -> bool:
    """Where human stories are imported for a study whose stories have the usual placeholders for names: whether theirs
    are to be written so, too.
    """
    mask = _placeholder(study.id, story_texts.version(study.id), viewer) if _made_of_human(study) else ""
    if mask not in PLACEHOLDERS:
        return False
    return st.checkbox(
        f"{MASK}, as the stories of *{escaped(study.name)}* have them",
        key=key,
        help="First names are found by lists. One that is a word as well, such as *will* or *grace*, is found only by "
        "its capital within a sentence: look through stories in small letters alone.",
    )


def _made_of_human(study: Study) -> bool:
    """Whether a study's damaged stories are still to be made, of human ones."""
    return study.scheme.controls and studies.without_references(study.id).negative > 0


def _names_to_replace(viewer: Person, study_id: int) -> str:
    """What is said before human stories come in, where those to rate have such as `[MALE]` for names; "" elsewhere."""
    mask = _placeholder(study_id, story_texts.version(study_id), viewer)
    if not mask:
        return ""
    tick = f" *Import* does it where you tick *{MASK}*, once the file is read." if mask in PLACEHOLDERS else ""
    return (
        f"The stories to rate have {escaped(mask)} or the like where a name would stand: replace the names in the file "
        "of human stories by the same placeholders, or annotators may know a damaged story, which is made of these, by "
        f"a name.{tick}"
    )


def _known_by_sentences(viewer: Person, study_id: int, human: int) -> str:
    """What is said where so few human stories lend that damaged ones share sentences; "" where they do not."""
    sharing_ones = _counted_sharing(viewer, study_id) if human < FEWEST_HUMAN else ""
    if not sharing_ones:
        return ""
    return (
        f"{sharing_ones}, as only {so_many(human, 'human story lends', 'human stories lend')} all sentences: whoever "
        f"rates several panels may know the damaged story by it. Import more human stories before you open the study, "
        f"{FEWEST_HUMAN} or more in all; they need no prompt."
    )


def _known_by_writing(viewer: Person, study_id: int) -> str:
    """What is said where the human stories are written otherwise than those to rate; "" where they are not."""
    unlike = _unlike(study_id, story_texts.version(study_id), viewer)
    if unlike is None:
        return ""
    only = f"Only {unlike.alike:,}" if unlike.alike else "None"
    return (
        f"{only} of {so_many(unlike.human, 'human story', 'human stories')} "
        f"{'is' if unlike.alike <= 1 else 'are'} written as the stories to rate, most of which are {unlike.rated}: "
        "annotators may know a damaged story by that, without reading. Import human stories written like those before "
        f"you open the study, until there are {FEWEST_HUMAN} or more; they need no prompt."
    )


def _known_by_names(viewer: Person, study_id: int) -> str:
    """What is said where human stories have names, and those to rate a word in brackets instead; "" elsewhere."""
    mask = _masks(study_id, story_texts.version(study_id), viewer)
    if not mask:
        return ""
    again = f"Then import its file again, and tick *{MASK}* once it is read."
    if mask not in PLACEHOLDERS:
        again = "Then replace the names in its file by the same placeholders. Then import it again."
    return (
        f"The stories to rate have {escaped(mask)} where a name would stand, and the human stories that lend to "
        "damaged ones have names: annotators may know a damaged story by a name, from their first panel on. Before you "
        "open the study, first take the import of those human stories back: *Import*, *Last imports*, *Take back*. "
        f"{again} If you cannot, stop after the first step: that damaged stories share sentences is the smaller evil, "
        "as only those who rate several panels can notice. Or import negative stories of your own: then none are made."
    )


def sharing_once_opened(viewer: Person, study: Study) -> None:
    """The same once a study was opened, folded: its damaged stories stay as they are, but people can rate fewer."""
    controls = study.scheme.controls and not study.scheme.unit.of_pairs
    if study.state is StudyState.DRAFT or not controls:
        return
    if not 0 < scores.count_stories(study.id, (Source.HUMAN,)) < FEWEST_HUMAN:
        return
    if sharing_ones := _counted_sharing(viewer, study.id):
        with st.expander("Some damaged stories are alike", icon=":material/warning:", key=f"alike-{study.id}"):
            st.markdown(
                f"{sharing_ones}: whoever rates several panels may know the damaged story by it. They stay as they are "
                "now that the study has been opened; under *Quality rules* you can let each person rate fewer panels."
            )


def _counted_sharing(viewer: Person, study_id: int) -> str:
    """How many damaged stories have a sentence that another has; "" for none."""
    try:
        alike, made = _sharing(study_id, story_texts.version(study_id), viewer)
    except FabulaError:
        return ""  # whoever reads them, or opens the study, is told why none can be made
    first = "the first " if made == COUNTED else ""
    return f"{alike:,} of {first}{made:,} damaged stories share a sentence with another" if alike else ""


@st.cache_data(max_entries=32, show_spinner="Making the damaged stories")
def _sharing(study_id: int, version: str, _viewer: Person) -> tuple[int, int]:
    """How many of the damaged stories have a sentence that another has, and of how many."""
    del version  # what the result is kept under
    stories, _ = previews.damaged(_viewer, study_id, 0, COUNTED)
    return sharing([damaged.text for damaged in stories]), len(stories)


@st.cache_data(max_entries=32, show_spinner=False)
def _unlike(study_id: int, version: str, _viewer: Person) -> Unlike | None:
    """Whether the human stories are written otherwise than those to rate."""
    del version  # what the result is kept under
    return previews.unlike_lenders(_viewer, study_id)


@st.cache_data(max_entries=32, show_spinner=False)
def _masks(study_id: int, version: str, _viewer: Person) -> str:
    """What stands for names in the stories to rate alone."""
    del version  # what the result is kept under
    return previews.lenders_without_masks(_viewer, study_id)


@st.cache_data(max_entries=32, show_spinner=False)
def _placeholder(study_id: int, version: str, _viewer: Person) -> str:
    """What stands for names in the stories to rate, whatever the human ones have."""
    del version  # what the result is kept under
    return previews.placeholder_of(_viewer, study_id)


@st.cache_data(max_entries=32, show_spinner=False)
def _repeating(study_id: int, version: str) -> tuple[int, int]:
    """How many of the stories that are looked at repeat themselves, and how many are looked at."""
    del version  # what the result is kept under
    texts = story_texts.spread(study_id, MOST)
    return degenerate_kinds(texts).count(FindingKind.REPETITION), len(texts)
