"""What judges replied about a story, or about two in both orders."""

import streamlit as st

from core.judges.judge import Question
from core.judges.pair import StoryPair
from core.judges.pair_question import PairQuestion
from core.people import Person
from core.stories import Story
from db.judges import replies
from pages.ui.shared.stories.judge_reply import judge_reply, pair_reply


def judge_replies(viewer: Person, story_id: int, question: Question, story: Story) -> None:
    """The replies of all models that were asked in these words; how many there are to other words."""
    kept = replies.about_story(viewer, story_id)
    asked = question.request("", story).request_hash
    mine = [one for one in kept if one.request_hash == asked]
    st.markdown("**What was replied**")
    if not mine:
        st.caption("No reply to these words about this story is kept here.")
    for one in mine:
        judge_reply(one.model, one.reply, question, story)
    if others := len(kept) - len(mine):
        st.caption(f"Other replies of judges about this story, to other words or asked for once more: {others:,}.")


def pair_replies(viewer: Person, ids: tuple[int, int], question: PairQuestion, pair: StoryPair) -> None:
    """The replies of all models that were asked about these two in these words, by order; and how many others."""
    kept, shown = replies.about_pair(viewer, *ids), 0
    st.markdown("**What was replied**")
    for title, side in (("In this order", pair), ("With the two exchanged", pair.swapped)):
        asked = question.request("", side).request_hash
        mine = [one for one in kept if one.request_hash == asked]
        shown += len(mine)
        if mine:
            st.caption(title)
        for one in mine:
            pair_reply(one.model, one.reply, question)
    if not shown:
        st.caption("No reply to these words about these two is kept here.")
    if others := len(kept) - shown:
        st.caption(f"Other replies of judges about these two, to other words or asked for once more: {others:,}.")
