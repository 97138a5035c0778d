"""One reply of a judge, about a story or about two: its words, where it quoted, what follows."""

from typing import Any

import streamlit as st

from core.figures.style import number
from core.judges.answers import read_deductions
from core.judges.asking import Reply
from core.judges.judge import Question
from core.judges.pair_question import PairQuestion
from core.judges.template import Way
from core.stories import Story
from pages.ui.shared.text import escaped


def judge_reply(who: str, reply: Reply, question: Question, story: Story) -> None:
    """`who`: the judge, as the viewer knows it."""
    value = reply.problem or question.read(reply, story)
    score = f"no score: {value}" if isinstance(value, str) else f"score {number(value, '.4g')}"
    _reply(who, reply, score, _details(reply, question, story))


def pair_reply(who: str, reply: Reply, question: PairQuestion) -> None:
    """A reply about two stories in one order."""
    said = reply.problem or question.read(reply)
    if isinstance(said, str):
        answer = f"no answer: {said}"
    else:
        first, equal, second = said
        answer = f"A is better {first:.4g}, about equal {equal:.4g}, B is better {second:.4g}"
    _reply(who, reply, answer, _probabilities(reply))


def _reply(who: str, reply: Reply, said: str, details: list[dict[str, Any]]) -> None:
    st.markdown(f"**{escaped(who)}**: {escaped(said)}")
    st.code(reply.text or "(no words)", language=None, wrap_lines=True)
    if details:
        st.dataframe(details, hide_index=True, placeholder="–")


def _probabilities(reply: Reply) -> list[dict[str, Any]]:
    return [{"answer": answer, "probability": value} for answer, value in (reply.probabilities or {}).items()]


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
    return _probabilities(reply)
