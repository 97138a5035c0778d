"""One reply of a judge about a story: its words, where it quoted, what score follows."""

from typing import Any

import streamlit as st

from core.judges.answers import read_deductions
from core.judges.asking import Reply
from core.judges.judge import Question
from core.judges.template import Way
from core.stories import Story
from pages.ui.shared.text import escaped


def judge_reply(who: str, reply: Reply, question: Question, story: Story) -> None:
    """`who`: the judge, as the viewer knows it."""
    value = reply.problem or question.read(reply, story)
    score = f"no score: {value}" if isinstance(value, str) else f"score {value:.4g}"
    st.markdown(f"**{escaped(who)}**: {escaped(score)}")
    st.code(reply.text or "(no words)", language=None, wrap_lines=True)
    if rows := _details(reply, question, story):
        st.dataframe(rows, hide_index=True)


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
