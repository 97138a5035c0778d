"""Cached readings of the texts that models read last: the same text under the same model is there at once.

The texts themselves are not kept here: whoever asks has them, and a deleted story leaves no copy behind.
"""

import hashlib

from sqlalchemy import delete, select

from core.formats.packed_tokens import pack, unpack
from core.tokens import TokenTable
from db.audit import now
from db.engine import reading, upsert, writing
from db.schema import token_text

MOST = 500
"""So many texts are kept, the newest."""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def store(signature: str, table: TokenTable) -> None:
    """Keep what was read; the oldest goes where there are too many."""
    row = {"signature": signature, "text_hash": _hash(table.text), "packed": pack(table), "created_at": now()}
    with writing() as connection:
        upsert(connection, token_text, [row], ["signature", "text_hash"], ["packed", "created_at"])
        newest = select(token_text.c.id).order_by(token_text.c.created_at.desc(), token_text.c.id.desc()).limit(MOST)
        kept = newest.subquery()
        connection.execute(delete(token_text).where(token_text.c.id.not_in(select(kept.c.id))))


def find(signature: str, text: str) -> TokenTable | None:
    """What was read of this text under this signature, or None."""
    with reading() as connection:
        packed = connection.scalar(
            select(token_text.c.packed).where(
                token_text.c.signature == signature, token_text.c.text_hash == _hash(text)
            )
        )
    return None if packed is None else unpack(packed, text)
