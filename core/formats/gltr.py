"""GLTR's JSON (Gehrmann et al. 2019) in and out, checked part by part; tables of tokens as Fabula's JSON and as CSV."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import Floats, Ints
from core.errors import InputError
from core.formats.results_csv import results_csv
from core.pieces import bytes_of, piece_of, readable, spans, words_of
from core.text_files import parse_json
from core.tokens import ENTROPY_OF, Mode, TokenTable, summarise

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
    result = data.get(key) if isinstance(data, dict) else None
    if not isinstance(result, dict):
        raise InputError(f"{name} is not GLTR's JSON: it has no object {key!r}.")
    return result


def _list(result: dict[str, Any], key: str, name: str) -> list[Any]:
    parsed_result = result.get(key)
    if not isinstance(parsed_result, list) or (key == "bpe_strings" and not parsed_result):
        raise InputError(f"{name} is not GLTR's JSON: its result has no list {key!r}.")
    return parsed_result


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


START, MASKED_START, MASKED_END = "<|endoftext|>", "[CLS]", "[SEP]"
DIGITS = 7
"""Significant ones of the probabilities that are written: more than the five decimals GLTR keeps."""


def read_gltr(file: Path | bytes) -> TokenTable:
    """The table of a file that GLTR or `gltr_json` wrote.

    Probabilities that GLTR rounded to 0 have log_p -inf. The text is that of the request where the pieces agree with
    it, else what the pieces make up. Raises InputError with one sentence where the file is not of that shape.
    """
    result = parse(file)
    masked = result.pieces[0].endswith(MASKED_START)
    if masked and len(result.rank) and result.pieces[-1].endswith(MASKED_END):  # which GLTR's BERT is asked for, too
        result = _without_the_last(result)
    if result.ours:
        text, starts, ends = result.text, result.ours.starts, result.ours.ends
    else:
        text, starts, ends = _places(result.text, [bytes_of(piece) for piece in result.pieces[1:]])
    best = result.top_p[:, 0]
    with np.errstate(divide="ignore"):
        log_p = np.log(result.p)
    return TokenTable(
        text=text,
        model=result.ours.model if result.ours else f"gltr:{result.project}",
        mode=result.ours.mode if result.ours else Mode.MASKED if masked else Mode.CAUSAL,
        starts=starts,
        ends=ends,
        words=words_of(text, starts),
        log_p=log_p,
        rank=result.rank,
        fraction=np.minimum(result.p / best, 1.0),
        entropy=result.ours.entropy if result.ours else _entropy(result.top_p),
        top=result.top,
        top_p=result.top_p,
    )


def _without_the_last(file: GltrFile) -> GltrFile:
    return replace(
        file,
        pieces=file.pieces[:-1],
        rank=file.rank[:-1],
        p=file.p[:-1],
        top=file.top[:-1],
        top_p=file.top_p[:-1],
    )


def _entropy(top_p: Floats) -> Floats:
    """Return the entropy of the ten likeliest tokens, renormalised, in nats."""
    ten = top_p[:, :ENTROPY_OF] / top_p[:, :ENTROPY_OF].sum(1, keepdims=True)
    return np.asarray(-(ten * np.log(np.where(ten > 0, ten, 1.0))).sum(1), np.float64)


def _places(text: str, parts: Sequence[bytes]) -> tuple[str, Ints, Ints]:
    """The text, and where each piece stands in it."""
    for candidate in (text, b"".join(parts).decode("utf-8", "replace")):
        if places := spans(candidate, parts) or _between_spaces(candidate, parts):
            return candidate, *places
    # A character was cut or changed: piece by piece, as each can be read.
    shown = [readable(part) for part in parts]
    ends = np.fromiter(accumulate(map(len, shown)), np.int64, len(shown))
    return "".join(shown), ends - np.fromiter(map(len, shown), np.int64, len(shown)), ends


def _between_spaces(text: str, parts: Sequence[bytes]) -> tuple[Ints, Ints] | None:
    """Places of words and parts of words, as GLTR's BERT writes them: it does not know how much space was between."""
    places, at = [], 0
    for part in parts:
        word = readable(part).strip()
        while at < len(text) and text[at].isspace():
            at += 1
        if not word or not text.startswith(word, at):
            return None
        places.append((at, at := at + len(word)))
    if text[at:].strip() or not places:
        return None
    result = np.array(places, np.int64)
    return result[:, 0], result[:, 1]


def gltr_json(table: TokenTable) -> str:
    """The table in GLTR's shape, whatever its tokenizer: pieces are its bytes as GPT-2 would write them, with the space
    before a token in it. Raises InputError for a table without alternatives, which the shape demands.
    """
    if len(table) and not table.top_p.shape[1]:
        raise InputError("GLTR's JSON holds the likeliest tokens of each place: read the text with some alternatives.")
    p = np.exp(table.log_p)
    start = START if table.mode is Mode.CAUSAL else MASKED_START
    pieces = [piece_of(part) for part in _parts(table)]
    data = {
        "request": {"project": table.model, "text": table.text},
        "result": {
            "bpe_strings": [start, *pieces],
            "real_topk": [[rank, _short(item)] for rank, item in zip(table.rank.tolist(), p.tolist(), strict=True)],
            "pred_topk": [
                [[piece_of(text.encode()), _short(item)] for text, item in zip(row, best, strict=True)]
                for row, best in zip(table.top, table.top_p.tolist(), strict=True)
            ],
        },
        "fabula": {
            "model": table.model,
            "mode": table.mode.value,
            "starts": table.starts.tolist(),
            "ends": table.ends.tolist(),
            "entropy": [_short(value) for value in table.entropy.tolist()],
        },
    }
    return json.dumps(data, ensure_ascii=False)


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _parts(table: TokenTable) -> list[bytes]:
    """The text's bytes, cut into the tokens; the tokens of one character take a byte each, the last of them the rest.

    What stands between two tokens goes with the second, what stands after all with the last.
    """
    offsets = [0, *accumulate(len(character.encode()) for character in table.text)]
    starts, ends = table.starts.tolist(), table.ends.tolist()
    cuts, inside = [0], 0
    for end, following in zip(ends[:-1], starts[1:], strict=True):
        inside = inside + 1 if following < end else 0  # how many bytes of the shared character are taken
        cut = min(offsets[end - 1] + inside, offsets[end]) if inside else offsets[end]
        cuts.append(max(cut, cuts[-1]))
    raw = table.text.encode()
    return [raw[a:b] for a, b in pairwise([*cuts, len(raw)])] if starts else []


def tokens_json(table: TokenTable) -> dict[str, Any]:
    """What `tokens --json` prints; a perplexity that is undefined is None."""
    result = summarise(table)
    columns = (table.starts, table.ends, table.words, table.rank, np.exp(table.log_p), table.fraction, table.entropy)
    names = ("start", "end", "word", "rank", "p", "fraction", "entropy")
    tokens = [
        {
            "text": table.text[row[0] : row[1]],
            **dict(zip(names, row, strict=True)),
            "top": [list(pair) for pair in zip(top, best, strict=True)],
        }
        for row, top, best in zip(
            zip(*(column.tolist() for column in columns), strict=True), table.top, table.top_p.tolist(), strict=True
        )
    ]
    about = {"model": table.model, "mode": table.mode.value, "n": len(table)}
    return {**about, "fp": result.fp, "perplexity": result.perplexity, "tokens": tokens}


def tokens_csv(table: TokenTable) -> str:
    """One row per token, with a pair of columns an alternative."""
    rows = []
    for token in tokens_json(table)["tokens"]:
        top = token.pop("top")
        for place, (text, p) in enumerate(top, 1):
            token |= {f"alternative {place}": text, f"p {place}": p}
        rows.append(token)
    return results_csv(rows)
