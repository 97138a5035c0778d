"""What judges replied about a story: their words, where they quoted, what score follows."""

from typing import Any

import streamlit as st

from core.judges.answers import read_deductions
from core.judges.asking import Reply
from core.judges.judge import Question
from core.judges.template import Way
from core.people import Person
from core.stories import Story
from db.judges import replies
from pages.ui.shared.text import escaped


def judge_replies(viewer: Person, story_id: int, question: Question, story: Story) -> None:
    """The replies of all models that were asked in these words; how many there are to other words."""
    kept = replies.about_story(viewer, story_id)
    asked = question.request("", story).request_hash
    mine = [one for one in kept if one.request_hash == asked]
    st.markdown("**What was replied**")
    if not mine:
        st.caption("No judge has been asked about this story in these words yet.")
    for one in mine:
        value = one.reply.problem or question.read(one.reply, story)
        score = f"no score: {value}" if isinstance(value, str) else f"score {value:.4g}"
        st.markdown(f"**{escaped(one.model)}**: {escaped(score)}")
        st.code(one.reply.text or "(no words)", language=None, wrap_lines=True)
        if rows := _details(one.reply, question, story):
            st.dataframe(rows, hide_index=True)
    if others := len(kept) - len(mine):
        st.caption(f"Other replies of judges about this story, to other words or asked for once more: {others:,}.")


def _details(reply: Reply, question: Question, story: Story) -> list[dict[str, Any]]:
    """The probabilities of the answers, or the errors with the places of their quotes."""
    if question.template.way is Way.DEDUCTIONS:
        found = read_deductions(reply.text, question.scheme, story.text)
        return (
            []
            if isinstance(found, str)
            else [
                {
                    "error type": error.error_type,
                    "points": error.points,
                    "quote": error.quote,
                    "characters": f"{error.span[0]} to {error.span[1]}" if error.span else "not in the story",
                }
                for error in found.found
            ]
        )
    return [{"answer": answer, "probability": value} for answer, value in (reply.probabilities or {}).items()]
