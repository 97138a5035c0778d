"""GLTR's JSON (Gehrmann et al. 2019) in and out, and tables of tokens as Fabula's own JSON and as CSV.

`{"request": {"project", "text"}, "result": {"bpe_strings", "real_topk": [[rank, p]], "pred_topk": [[[piece, p]]]}}`;
the first of `bpe_strings` stands before the text and has no statistics. What GLTR's file has no place for stands under
`fabula` in ours, which GLTR passes over: model, mode, the tokens' places in the text, and entropies.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.formats.gltr_shape import GltrFile, parse
from core.formats.results import results_csv
from core.pieces import bytes_of, piece_of, readable, spans, words_of
from core.tokens import ENTROPY_OF, Floats, Ints, Mode, TokenTable, summarise

START, MASKED_START, MASKED_END = "<|endoftext|>", "[CLS]", "[SEP]"
DIGITS = 7
"""Significant ones of the probabilities that are written: more than the five decimals GLTR keeps."""


def read_gltr(file: Path | bytes) -> TokenTable:
    """The table of a file that GLTR or `gltr_json` wrote.

    Probabilities that GLTR rounded to 0 have log_p -inf. The text is that of the request where the pieces agree with
    it, else what the pieces make up. Raises InputError with one sentence where the file is not of that shape.
    """
    found = parse(file)
    masked = found.pieces[0].endswith(MASKED_START)
    if masked and len(found.rank) and found.pieces[-1].endswith(MASKED_END):  # which GLTR's BERT is asked for, too
        found = _without_the_last(found)
    if found.ours:
        text, starts, ends = found.text, found.ours.starts, found.ours.ends
    else:
        text, starts, ends = _places(found.text, [bytes_of(piece) for piece in found.pieces[1:]])
    best = found.top_p[:, 0]
    with np.errstate(divide="ignore"):
        log_p = np.log(found.p)
    return TokenTable(
        text=text,
        model=found.ours.model if found.ours else f"gltr:{found.project}",
        mode=found.ours.mode if found.ours else Mode.MASKED if masked else Mode.CAUSAL,
        starts=starts,
        ends=ends,
        words=words_of(text, starts),
        log_p=log_p,
        rank=found.rank,
        fraction=np.minimum(found.p / best, 1.0),
        entropy=found.ours.entropy if found.ours else _entropy(found.top_p),
        top=found.top,
        top_p=found.top_p,
    )


def _without_the_last(found: GltrFile) -> GltrFile:
    return replace(
        found,
        pieces=found.pieces[:-1],
        rank=found.rank[:-1],
        p=found.p[:-1],
        top=found.top[:-1],
        top_p=found.top_p[:-1],
    )


def _entropy(top_p: Floats) -> Floats:
    """Of the ten likeliest, renormalised, in nats."""
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
    found = np.array(places, np.int64)
    return found[:, 0], found[:, 1]


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
            "real_topk": [[rank, _short(one)] for rank, one in zip(table.rank.tolist(), p.tolist(), strict=True)],
            "pred_topk": [
                [[piece_of(text.encode()), _short(one)] for text, one in zip(row, best, strict=True)]
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
    found = summarise(table)
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
    return {**about, "fp": found.fp, "perplexity": found.perplexity, "tokens": tokens}


def tokens_csv(table: TokenTable) -> str:
    """A row a token, with a pair of columns an alternative."""
    rows = []
    for token in tokens_json(table)["tokens"]:
        top = token.pop("top")
        for place, (text, p) in enumerate(top, 1):
            token |= {f"alternative {place}": text, f"p {place}": p}
        rows.append(token)
    return results_csv(rows)
