"""What judges replied about a story, or about two in both orders: their words, where they quoted, what follows."""

from typing import Any

import streamlit as st

from core.judges.answers import read_deductions
from core.judges.asking import Reply
from core.judges.judge import Question
from core.judges.pair import StoryPair
from core.judges.pair_question import PairQuestion
from core.judges.template import Way
from core.people import Person
from core.stories import Story
from db.judges import replies
from db.judges.replies import KeptReply
from pages.ui.shared.text import escaped


def judge_replies(viewer: Person, story_id: int, question: Question, story: Story) -> None:
    """The replies of all models that were asked in these words; how many there are to other words."""
    kept = replies.about_story(viewer, story_id)
    asked = question.request("", story).request_hash
    mine = [one for one in kept if one.request_hash == asked]
    for one in mine:
        value = one.reply.problem or question.read(one.reply, story)
        score = f"no score: {value}" if isinstance(value, str) else f"score {value:.4g}"
        _reply(one, score, _details(one.reply, question, story))
    if others := len(kept) - len(mine):
        st.caption(f"Other replies of judges about this story, to other words or asked for once more: {others:,}.")


def pair_replies(viewer: Person, ids: tuple[int, int], question: PairQuestion, pair: StoryPair) -> None:
    """The replies of all models that were asked about these two in these words, by order; and how many others."""
    kept, shown = replies.about_pair(viewer, *ids), 0
    for title, side in (("In this order", pair), ("With the two exchanged", pair.swapped)):
        asked = question.request("", side).request_hash
        mine = [one for one in kept if one.request_hash == asked]
        shown += len(mine)
        if mine:
            st.markdown(f"**{title}**")
        for one in mine:
            _reply(one, _said(question, one.reply), _probabilities(one.reply))
    if others := len(kept) - shown:
        st.caption(f"Other replies of judges about these two, to other words or asked for once more: {others:,}.")


def _said(question: PairQuestion, reply: Reply) -> str:
    said = reply.problem or question.read(reply)
    if isinstance(said, str):
        return f"no answer: {said}"
    first, equal, second = said
    return f"A is better {first:.4g}, about equal {equal:.4g}, B is better {second:.4g}"


def _reply(kept: KeptReply, said: str, details: list[dict[str, Any]]) -> None:
    st.markdown(f"**{escaped(kept.model)}**: {escaped(said)}")
    st.code(kept.reply.text or "(no words)", language=None, wrap_lines=True)
    if details:
        st.dataframe(details, hide_index=True)


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
