"""What is known of a story: what people, metrics and judges say of it, and what researchers have noted."""

import streamlit as st

from core.analysis.stories.standing import ranked_so_far, standings
from core.analysis.stories.view import StoryRating, StoryView
from core.errors import FabulaError
from core.figures.scatter import what_scores_are
from core.judges.kept import kept_replies
from core.metrics.judging.asked import FROM_A_FILE, Asked, asked_of
from core.metrics.naming import unique_names
from core.people import Person
from core.scores import PairColumn, ScoreTable
from core.stories import Story
from db.judges.judged import judged_study
from db.scores import pair_verdicts
from db.stories.notes import LONGEST_NOTE, save_note
from pages.ui.shared.stories.judge_reply import judge_reply
from pages.ui.shared.tables.written import as_written
from pages.ui.shared.text import escaped, problem


def ratings(story: StoryView) -> None:
    """A row a rating: those that count first."""
    st.markdown("**What people say**")
    if not story.ratings:
        st.caption("Nobody has rated this story yet.")
        return
    rejected = len(story.ratings) - len(story.counted)
    st.dataframe(
        [_rating(story, rating, rejected=bool(rejected)) for rating in story.ratings],
        hide_index=True,
        placeholder="–",
        alt="Ratings of the story",
    )
    if rejected:
        st.caption(f"{rejected:,} of rejected panels, which no analysis counts unless it is asked to.")


def _rating(story: StoryView, rating: StoryRating, *, rejected: bool) -> dict[str, object]:
    many = f", {rating.raters:,} raters' mean" if rating.raters > 1 else ""
    row: dict[str, object] = {"Rater": rating.rater + many}
    if rejected:
        row["Counts"] = "yes" if rating.counts else f"no: {rating.verdict or 'rejected'}"
    row |= rating.values
    if rating.beside:
        row["Beside"] = rating.beside
    if rating.deductions:
        row["Deducted for"] = ", ".join(
            f"{given.error_type} {given.points}" if given.points else given.error_type for given in rating.deductions
        )
        passages = [story.text[start:end] for given in rating.deductions for start, end in given.spans]
        if passages:
            row["Marked"] = " … ".join(passages)
    if rating.comment:
        row["Reason"] = rating.comment
    return row


def scores(story: StoryView, table: ScoreTable | None) -> None:
    """People's judgment and every metric's score, each with the story's rank."""
    st.markdown("**Scores and ranks**")
    if table is None or story.place is None:
        st.caption("Scores and ranks are those of the systems' stories.")
        return
    found = standings(table, story.place)
    rows: list[dict[str, object]] = [
        {
            "By": one.name,
            "Score": one.value,
            "Rank": one.rank,
            "of": one.among,
            **({"Why none": one.reason} if one.value is None else {}),
        }
        for one in found
    ]
    columns = {
        "Score": st.column_config.NumberColumn(format="%.3g"),
        "Rank": st.column_config.NumberColumn(
            format="%g", help="1 is the best; stories with the same score share the mean of their ranks"
        ),
        "of": st.column_config.NumberColumn(help="How many of the study's stories have a score so far"),
    }
    cells, config = as_written(rows, columns)
    st.dataframe(
        cells,
        height="content",  # a table that scrolls by itself catches the wheel
        hide_index=True,
        placeholder="–",
        alt="Scores and ranks of the story",
        column_config=config,
    )
    if so_far := ranked_so_far(found):
        st.caption(escaped(so_far))
    if table.human.size:
        st.caption(f"People: the {escaped(table.judgment + table.on)}. Scores are raw; higher is better.")
    if sentence := what_scores_are(table.columns):
        st.caption(escaped(sentence))


def judges_words(study_id: int, table: ScoreTable, story: StoryView) -> None:
    """What each judge replied whose scores the table has, as far as that is kept and can be read again."""
    judged, shown, asked_about = judged_study(study_id), False, Story(story.text, story.prompt)
    names = unique_names([(column.metric, column.signature) for column in table.columns])
    for name, column in zip(names, table.columns, strict=True):
        asked = asked_of(column.signature, judged)
        if asked == FROM_A_FILE:
            continue
        if not shown:
            st.markdown("**What judges say**")
            shown = True
        if not isinstance(asked, Asked):
            st.caption(escaped(f"What {name} said cannot be shown: {asked}."))
            continue
        (replies,) = kept_replies(asked.question, asked.model, judged.replies, [asked_about])
        if not replies:
            st.caption(f"Of {escaped(name)} the scores are kept, but not its replies.")
        for reply in replies:
            judge_reply(name, reply, asked.question, asked_about)


SAID: dict[float, str] = {-1: "the other", 0: "about equal", 1: "this one"}
"""What a judge says of a story beside another."""


def judges_verdicts(study_id: int, story: StoryView) -> None:
    """In a study of pairs, a row for each judge and each story that this one was compared with."""
    if not any(rating.beside for rating in story.ratings):
        return
    judges = pair_verdicts.columns(study_id)
    names = unique_names([(judge.metric, judge.signature) for judge in judges])
    rows = [
        _verdict(name, judge, place, story.key)
        for name, judge in zip(names, judges, strict=True)
        for place, pair in enumerate(zip(judge.first, judge.second, strict=True))
        if story.key in pair
    ]
    if not rows:
        return
    st.markdown("**Which story judges call better**")
    st.dataframe(rows, hide_index=True, placeholder="–", alt="What judges of pairs say of the story")
    st.caption("A judge that says another thing with the two exchanged has called both equal.")


def _verdict(name: str, judge: PairColumn, place: int, key: str) -> dict[str, str | None]:
    """What the judge says of one pair, seen from the story that is called so."""
    is_first = judge.first[place] == key
    sides = (judge.forward, judge.backward) if is_first else (judge.backward, judge.forward)
    shown_first, shown_second, verdict = (
        SAID.get(-value if is_first else value)
        for value in (*(float(side[place]) for side in sides), float(judge.verdicts[place]))
    )
    return {
        "Judge": name,
        "Beside": judge.second[place] if is_first else judge.first[place],
        "Better": verdict,
        "Shown first": shown_first,
        "Shown second": shown_second,
    } | ({"Why none": judge.reasons[place]} if place in judge.reasons else {})


def notes(viewer: Person, study_id: int, story: StoryView) -> None:
    """What others have noted, and the viewer's own note to write."""
    st.markdown("**Notes**")
    mine = ""
    for note in story.notes:
        if note.by == viewer.id:
            mine = note.text
            continue
        st.caption(f"{escaped(note.author)}, {note.at:%d %B %Y %H:%M} UTC")
        st.text(note.text)
    box = f"story-note-{story.id}"
    st.text_area(
        "Your note",
        mine,
        key=box,
        max_chars=LONGEST_NOTE,
        placeholder="What strikes you; everybody who runs this study can read it.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Save the note", icon=":material/save:", key="story-note-save"):
            try:
                save_note(viewer, study_id, story.id, st.session_state[box])
                st.caption("Saved." if st.session_state[box].strip() else "There is no note of yours now.")
            except FabulaError as error:
                problem(str(error))
