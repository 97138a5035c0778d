"""What judges replied about a story."""

import streamlit as st

from core.judges.judge import Question
from core.people import Person
from core.stories import Story
from db.judges import replies
from pages.ui.shared.stories.judge_reply import judge_reply


def judge_replies(viewer: Person, story_id: int, question: Question, story: Story) -> None:
    """The replies of all models that were asked in these words; how many there are to other words."""
    kept = replies.about_story(viewer, story_id)
    asked = question.request("", story).request_hash
    mine = [one for one in kept if one.request_hash == asked]
    st.markdown("**What was replied**")
    if not mine:
        st.caption("No judge has been asked about this story in these words yet.")
    for one in mine:
        judge_reply(one.model, one.reply, question, story)
    if others := len(kept) - len(mine):
        st.caption(f"Other replies of judges about this story, to other words or asked for once more: {others:,}.")
