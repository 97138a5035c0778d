"""What a file must be to be GLTR's JSON: each part of it checked, or one sentence on what is wrong and where."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.formats.text import parse_json
from core.pieces import bytes_of, readable
from core.tokens import Floats, Ints, Mode

LARGEST = 50 * 2**20
"""Bytes: GLTR's files have about 1.4 KB a token."""
_ROUNDING = 1.1e-5
"""GLTR rounds probabilities to five decimals."""


@dataclass(frozen=True)
class GltrFile:
    """The parts of a file. `pieces`: one more than the n tokens. `ours`: what `fabula` holds, or None."""

    name: str
    project: str
    text: str
    pieces: list[str]
    rank: Ints
    p: Floats
    top: tuple[tuple[str, ...], ...]
    top_p: Floats
    ours: "Ours | None"


@dataclass(frozen=True)
class Ours:
    """What GLTR's file has no place for: n places in the text, n entropies in nats."""

    model: str
    mode: Mode
    starts: Ints
    ends: Ints
    entropy: Floats


def parse(file: Path | bytes) -> GltrFile:
    """Check a file; raises InputError where it is not GLTR's JSON."""
    name, raw = _raw(file)
    try:
        data = parse_json(raw.decode("utf-8-sig"), name)
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text, as GLTR's JSON is.") from None
    request, result = _object(data, "request", name), _object(data, "result", name)
    text = request.get("text")
    if not isinstance(text, str):
        raise InputError(f"{name} is not GLTR's JSON: its request has no text.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name}: the text holds half of a character (a lone surrogate); repair it.") from None
    pieces, real, pred = (_list(result, key, name) for key in ("bpe_strings", "real_topk", "pred_topk"))
    if not len(pieces) - 1 == len(real) == len(pred):
        raise InputError(
            f"{name}: bpe_strings, real_topk and pred_topk have {len(pieces)}, {len(real)} and {len(pred)} entries, "
            "but the first must have one more than each of the others."
        )
    if (wrong := next((i for i, piece in enumerate(pieces) if not isinstance(piece, str)), None)) is not None:
        raise InputError(f"{name}: entry {wrong + 1} of bpe_strings is {str(pieces[wrong])[:40]!r}, not a text.")
    rank, p = _real(real, name)
    top, top_p = _pred(pred, name)
    if (over := np.flatnonzero(p > top_p[:, 0] + _ROUNDING)).size:
        raise InputError(f"{name}: token {over[0] + 1} is more probable than the likeliest of its alternatives.")
    ours = _ours(_object(data, "fabula", name), len(rank), len(text), name) if "fabula" in data else None
    return GltrFile(name, str(request.get("project", ""))[:200], text, pieces, rank, p, top, top_p, ours)


def _raw(file: Path | bytes) -> tuple[str, bytes]:
    """What messages call the file, and its bytes."""
    name = "The file" if isinstance(file, bytes) else file.name
    try:
        size = len(file) if isinstance(file, bytes) else file.stat().st_size
        if size > LARGEST:
            raise InputError(
                f"{name} has {size / 2**20:,.0f} MB, but GLTR's JSON is read up to {LARGEST // 2**20} MB: "
                "cut its text in parts."
            )
        raw = file if isinstance(file, bytes) else file.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {file!s}.") from None
    except OSError as error:
        raise InputError(f"The file {file!s} cannot be read: {error.strerror}.") from error
    if not raw.strip():
        raise InputError(f"{name} is empty.")
    return name, raw


def _object(data: Any, key: str, name: str) -> dict[str, Any]:
    found = data.get(key) if isinstance(data, dict) else None
    if not isinstance(found, dict):
        raise InputError(f"{name} is not GLTR's JSON: it has no object {key!r}.")
    return found


def _list(result: dict[str, Any], key: str, name: str) -> list[Any]:
    found = result.get(key)
    if not isinstance(found, list) or (key == "bpe_strings" and not found):
        raise InputError(f"{name} is not GLTR's JSON: its result has no list {key!r}.")
    return found


def _is_p(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _real(real: list[Any], name: str) -> tuple[Ints, Floats]:
    """Ranks and probabilities of the tokens."""
    for number, pair in enumerate(real, 1):
        match pair:
            case [int(rank), p] if not isinstance(rank, bool) and 0 <= rank < 2**31 and _is_p(p):
                continue
        raise InputError(
            f"{name}: entry {number} of real_topk is {str(pair)[:40]}, not a rank from 0 on and a probability."
        )
    return np.array([pair[0] for pair in real], np.int64), np.array([pair[1] for pair in real], np.float64)


def _pred(pred: list[Any], name: str) -> tuple[tuple[tuple[str, ...], ...], Floats]:
    """The alternatives of the tokens as texts, and their probabilities (n × k)."""
    k = max(len(pred[0]), 1) if pred and isinstance(pred[0], list) else 1
    texts: dict[str, str] = {}
    top = []
    for number, row in enumerate(pred, 1):
        if not isinstance(row, list) or len(row) != k:
            raise InputError(f"{name}: entry {number} of pred_topk is not a list of {k} alternatives, as the first is.")
        last = 1.0
        for pair in row:
            match pair:
                case [str(piece), p] if _is_p(p) and p <= last:
                    last = p
                    if piece not in texts:
                        texts[piece] = readable(bytes_of(piece))
                    continue
            raise InputError(
                f"{name}: entry {number} of pred_topk holds {str(pair)[:40]}, not a piece and its probability, "
                "the likeliest first."
            )
        if not row[0][1]:
            raise InputError(f"{name}: entry {number} of pred_topk gives its likeliest piece the probability 0.")
        top.append(tuple(texts[piece] for piece, _ in row))
    return tuple(top), np.array([[p for _, p in row] for row in pred], np.float64).reshape(-1, k)


def _ours(data: dict[str, Any], n: int, length: int, name: str) -> Ours:
    """`fabula`, whose lists have n entries and whose places lie within `length` characters."""
    try:
        starts, ends = (np.array([int(i) for i in data[key]], np.int64) for key in ("starts", "ends"))
        entropy = np.array([float(value) for value in data["entropy"]], np.float64)
        ours = Ours(str(data["model"]), Mode(data["mode"]), starts, ends, entropy)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: the part `fabula` lacks what it should hold; remove it, or export again.") from None
    places = ((starts >= 0) & (starts <= ends) & (ends <= length)).all() if len(starts) == len(ends) == n else False
    if not places or len(entropy) != n or not np.isfinite(entropy).all():
        raise InputError(f"{name}: the part `fabula` does not go with the tokens; remove it, or export again.")
    return ours
