"""Text as byte-level tokenizers write it: a letter per byte, `Ġ` for a space, sometimes half a character."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

import numpy as np

from core.arrays import Ints


@cache
def _alphabet() -> dict[str, int]:
    """GPT-2's: printable bytes of Latin-1 stand for themselves, the others for the characters from 256 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + i): byte for i, byte in enumerate(others)}


@cache
def _letters() -> list[str]:
    return [letter for letter, _ in sorted(_alphabet().items(), key=lambda item: item[1])]


def bytes_of(piece: str) -> bytes:
    """The bytes that a byte-level piece stands for; a letter outside the alphabet, as added tokens hold, is itself."""
    alphabet = _alphabet()
    return b"".join(bytes([alphabet[c]]) if c in alphabet else c.encode("utf-8", "replace") for c in piece)


def piece_of(part: bytes) -> str:
    """Bytes as a byte-level piece."""
    letters = _letters()
    return "".join(letters[byte] for byte in part)


def readable(part: bytes) -> str:
    r"""Bytes as text; those that are no whole character as `\xe2`."""
    return part.decode("utf-8", "backslashreplace")


def spans(text: str, parts: Sequence[bytes]) -> tuple[Ints, Ints] | None:
    """Where parts that make up `text` stand in it, in code points; None where they do not make it up.

    A part that begins or ends within a character has the whole of it, so the parts of one character share it.
    """
    whole = text.encode()
    if b"".join(parts) != whole:
        return None
    ends = np.fromiter(accumulate(map(len, parts)), np.int64, len(parts))
    starts = ends - np.fromiter(map(len, parts), np.int64, len(parts))
    begins = np.flatnonzero((np.frombuffer(whole, np.uint8) & 0xC0) != 0x80)  # where a character begins
    first = np.searchsorted(begins, starts, "right") - 1
    return np.maximum(first, 0), np.maximum(np.searchsorted(begins, ends, "left"), np.maximum(first, 0))


def words_of(text: str, starts: Ints) -> Ints:
    """The word (a run of non-space characters, from 0) of tokens that start there; white space belongs to the next."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    result = np.searchsorted(np.array(ends, dtype=np.int64), starts, "right")
    return np.minimum(result, max(len(ends) - 1, 0)).astype(np.int64)
