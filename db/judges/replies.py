"""Replies of judges by the key of the question: nothing is asked twice, in this study or in another."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import and_, or_, select

from core.judges.asking import LIKELIHOOD, Reply, Request
from core.people import Person, Role
from db.audit import now
from db.engine import reading, upsert, writing
from db.people import people
from db.schema import judge_reply, story

KEYS_A_QUERY = 500
_WHAT = ("text", "probabilities", "problem", "prompt_tokens", "reply_tokens")


@dataclass(frozen=True)
class KeptReply:
    """What a model replied about a story, or about two; `request_hash`: to which words."""

    model: str
    request_hash: str
    reply: Reply


def keep_reply(model: str, request: Request, reply: Reply) -> None:
    """Keep what `model` replied; the same question again replaces what was kept, such as a problem."""
    keep_replies(model, [(request, reply)])


def keep_replies(model: str, answered: Iterable[tuple[Request, Reply]]) -> None:
    """Keep several at once."""
    at = now()
    rows = [
        {
            "key": request.key,
            "model": model,
            "request_hash": request.request_hash,
            "content_hash": request.content_hash,
            "against_hash": request.against_hash,
            "text": _storable(reply.text),
            "probabilities": dict(reply.probabilities) if reply.probabilities is not None else None,
            "problem": _storable(reply.problem),
            "prompt_tokens": reply.prompt_tokens,
            "reply_tokens": reply.reply_tokens,
            "at": at,
        }
        for request, reply in answered
    ]
    with writing() as connection:
        upsert(connection, judge_reply, rows, ["key"], [*_WHAT, "at"])


def _storable(text: str) -> str:
    """Without what PostgreSQL does not take, NUL and halves of a sign."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def replies_for(keys: Collection[str]) -> dict[str, Reply]:
    """What was replied to those of these questions that have been asked, by key."""
    wanted, result = list(keys), {}
    query = select(*(judge_reply.c[name] for name in ("key", *_WHAT)))
    with reading() as connection:
        for at in range(0, len(wanted), KEYS_A_QUERY):
            for row in connection.execute(query.where(judge_reply.c.key.in_(wanted[at : at + KEYS_A_QUERY]))):
                result[row.key] = Reply(**row._mapping)
    return result


def about_story(by: Person, story_id: int) -> list[KeptReply]:
    """All that judges have replied about a story of a study alone, the latest first."""
    return _about(by, [story_id])


def about_pair(by: Person, first_id: int, second_id: int) -> list[KeptReply]:
    """All that judges have replied about two stories of a study side by side, in either order, the latest first."""
    return _about(by, [first_id, second_id])


def _about(by: Person, story_ids: list[int]) -> list[KeptReply]:
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        rows = connection.execute(select(story.c.study_id, story.c.content_hash).where(story.c.id.in_(story_ids))).all()
        for study_id in {row.study_id for row in rows} or {None}:
            people.check(connection, by, study_id)
        if len(rows) < len(story_ids):
            return []
        hashes = [row.content_hash for row in rows]
        fields = ("key", *_WHAT)
        query = select(judge_reply.c.model, judge_reply.c.request_hash, *(judge_reply.c[name] for name in fields))
        sides = (judge_reply.c.content_hash, judge_reply.c.against_hash)
        orders = {(*hashes, "")[:2], (*reversed(hashes), "")[:2]}
        asked = or_(*(and_(*(side == wanted for side, wanted in zip(sides, order, strict=True))) for order in orders))
        of_judges = ~judge_reply.c.model.startswith(LIKELIHOOD)
        kept = connection.execute(query.where(asked, of_judges).order_by(judge_reply.c.id.desc())).all()
    return [KeptReply(one.model, one.request_hash, Reply(*(getattr(one, name) for name in fields))) for one in kept]
