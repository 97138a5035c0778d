"""Replies are kept under the question's key, and go with the last study that has the story they quote."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from core.annotation.studies import Study
from core.judges.asking import LIKELIHOOD, Message, Reply, Request
from core.people import TERMINAL
from db.engine import reading
from db.judges import replies
from db.schema import story
from db.studies import lifecycle, story_list, studies

pytestmark = pytest.mark.both_databases


def request(key: str, content_hash: str = "") -> Request:
    return Request(key, (Message("user", "How good?"),), ("1", "2"), content_hash=content_hash)


def test_a_reply_is_found_by_its_key(database: str) -> None:
    failed = Reply("two", problem="the server was busy")
    replies.keep_replies("m@1", [(request("one"), Reply("one", "2\x00\ud83e", {"1": 0.25, "2": 0.5}, "", 11, 1))])
    replies.keep_reply("m@1", request("two"), failed)
    assert replies.replies_for(["one", "two", "three"]) == {
        "one": Reply("one", "2?", {"1": 0.25, "2": 0.5}, "", 11, 1),
        "two": failed,
    }
    assert replies.replies_for([]) == {}


def test_the_same_question_again_replaces_a_problem(database: str) -> None:
    replies.keep_reply("m@1", request("one"), Reply("one", problem="cut off"))
    replies.keep_reply("m@1", request("one"), Reply("one", "4"))
    assert replies.replies_for(["one"]) == {"one": Reply("one", "4")}


def test_many_keys_are_looked_up_in_parts(database: str) -> None:
    keys = [f"k{number}" for number in range(replies.KEYS_A_QUERY + 3)]
    replies.keep_replies("m", [(request(key), Reply(key, key)) for key in keys])
    assert replies.replies_for(keys) == {key: Reply(key, key) for key in keys}


def test_replies_quote_and_so_go_with_their_story(study: Study) -> None:
    with reading() as connection:
        content_hash = connection.scalar(
            select(story.c.content_hash).where(story.c.study_id == study.id, story.c.position == 0)
        )
    replies.keep_reply("m", request("here", str(content_hash)), Reply("here", "quoted"))
    replies.keep_reply(f"{LIKELIHOOD}m", request("likely", str(content_hash)), Reply("likely", "numbers"))
    replies.keep_reply("m", request("gone", "0" * 64), Reply("gone", "quoted"))
    replies.keep_reply("m", request("none"), Reply("none", "of no story"))
    story_id = story_list.stories(TERMINAL, study.id, None, most=1)[0][0].id
    assert [(kept.model, kept.reply) for kept in replies.about_story(TERMINAL, story_id)] == [
        ("m", Reply("here", "quoted"))
    ]
    assert replies.about_story(TERMINAL, 10**6) == []
    copy = lifecycle.clone(TERMINAL, study.id, "copy")
    studies.remove(TERMINAL, copy.id, "copy")
    assert set(replies.replies_for(["here", "gone", "none", "likely"])) == {"here", "none", "likely"}
    studies.remove(TERMINAL, study.id, study.name)
    assert set(replies.replies_for(["here", "gone", "none", "likely"])) == {"none"}


def test_replies_about_two_stories_go_with_either(study: Study) -> None:
    (first, second), _ = story_list.stories(TERMINAL, study.id, None, most=2)
    with reading() as connection:
        query = select(story.c.content_hash).where(story.c.id.in_([first.id, second.id])).order_by(story.c.id)
        one, other = connection.execute(query).scalars()
    gone = "0" * 64
    for key, sides in {"there": (one, other), "back": (other, one), "gone": (one, gone), "alone": (one, "")}.items():
        asked = replace(request(key, sides[0]), against_hash=sides[1])
        replies.keep_reply("m", asked, Reply(key, key))
    assert [kept.reply.key for kept in replies.about_pair(TERMINAL, first.id, second.id)] == ["back", "there"]
    assert [kept.reply.key for kept in replies.about_pair(TERMINAL, second.id, first.id)] == ["back", "there"]
    assert [kept.reply.key for kept in replies.about_story(TERMINAL, first.id)] == ["alone"]
    assert replies.about_pair(TERMINAL, first.id, 10**6) == []
    copy = lifecycle.clone(TERMINAL, study.id, "copy")
    studies.remove(TERMINAL, copy.id, "copy")
    assert set(replies.replies_for(["there", "back", "gone", "alone"])) == {"there", "back", "alone"}
    studies.remove(TERMINAL, study.id, study.name)
    assert replies.replies_for(["there", "back", "gone", "alone"]) == {}
