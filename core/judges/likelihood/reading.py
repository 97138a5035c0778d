"""The numbers of a text's tokens, from what an endpoint tells of all that it read."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.judges.asking import Request
from core.judges.likelihood.spelling import Place, places
from core.judges.likelihood.told import Told, ToldToken
from core.tokens import likelihood_rows

UNSPELT = (
    "the tokens that the endpoint tells do not spell the text that it was sent, so nothing says which of them are the "
    "story's: some are missing, or its tokenizer changes texts"
)
UNCLEAR = "a token may belong to the prompt or to the story, and the endpoint does not tell which"
WITHOUT_NUMBER = "the endpoint tells no likelihood of a token of the story"
ALONE = "the story is a single token, of which the endpoint tells no likelihood, as nothing stands before it"


@dataclass(frozen=True)
class Reading:
    """A story's tokens. `places`: byte where each begins in `text`, all that was read, and last where they end;
    `left_out`: whether the story's first token has no number.
    """

    text: str
    tokens: tuple[ToldToken, ...]
    places: tuple[int, ...]
    left_out: bool

    @property
    def log_p(self) -> Floats:
        """Of each token; NaN where none is told."""
        return np.array([math.nan if token.log_p is None else token.log_p for token in self.tokens], dtype=np.float64)

    @property
    def likeliest(self) -> Floats:
        """Those of each place, as many as are told of any; NaN for the others."""
        most = max((len(token.likeliest) for token in self.tokens), default=0)
        listed = np.full((len(self.tokens), most), math.nan)
        for row, token in zip(listed, self.tokens, strict=True):
            row[: len(token.likeliest)] = [value for _, value in token.likeliest]
        return listed

    def rows(self) -> Floats:
        """As `core.models.statistics.Rows` has them; NaN for what the endpoint tells too little for."""
        return likelihood_rows(self.log_p, self.likeliest)

    def packed(self) -> str:
        """As a reply is kept: the rows, to seven digits."""
        rows = [[None if math.isnan(value) else float(f"{value:.7g}") for value in row] for row in self.rows().tolist()]
        return json.dumps({"rows": rows, "left_out": self.left_out}, separators=(",", ":"))


def unpacked(text: str) -> tuple[NDArray[np.float32], bool]:
    """The rows (n × 4, float32 as here) of a reply that was kept, and whether the first token was left out."""
    kept: dict[str, Any] = json.loads(text)
    rows = [[math.nan if value is None else value for value in row] for row in kept["rows"]]
    return np.array(rows, dtype=np.float32).reshape(-1, 4), bool(kept["left_out"])


def sent(request: Request) -> tuple[str, str]:
    """What a request has the model read first, and the rest of the text, whose tokens count."""
    begun, text = (message.text for message in request.messages)
    return begun, text


def read_text(request: Request, told: Told, start: str) -> Reading | str:
    """The tokens of the text that a request asks about, or why they cannot be told.

    `start`: what stands before everything, and has to be one token. A token belongs to the text if it begins at its
    first character or behind it, the space before the text included; one that begins before is the prompt's.
    """
    begun, text = sent(request)
    listed = told.tokens or ()
    found = _spelt(begun + text, listed)
    if found is None or len(listed) < (told.prompt_tokens or 0):
        return UNSPELT
    tokens, begins = found
    if start and begins[0] != (len(start.encode()),) * 2:
        return _misread(start, begins[0])
    border = len(begun.encode())
    if any(earliest < border <= latest for earliest, latest in begins):
        return UNCLEAR
    first = sum(latest < border for _, latest in begins)  # of those that follow the first token of all
    counted = tokens[1 + first :]
    places_of = [earliest for earliest, _ in begins[first:]]
    left_out = not border and begins[0][0] > 0
    if left_out and tokens[0].log_p is not None:
        counted, places_of, left_out = tokens, [0, *places_of], False
    if any(token.log_p is None for token in counted):
        return WITHOUT_NUMBER
    if not counted:
        return ALONE
    return Reading(begun + text, counted, tuple(places_of), left_out)


def _spelt(text: str, tokens: Sequence[ToldToken]) -> tuple[tuple[ToldToken, ...], list[Place]] | None:
    """The tokens that spell the text, without one that was written after it, and where each but the first begins; the
    end of the text follows them.
    """
    for last in (len(tokens), len(tokens) - 1):
        if last < 1:
            break
        begins = places(text, [token.text for token in tokens[1:last]])
        if begins is not None:
            end = len(text.encode())
            return tuple(tokens[:last]), [*begins, (end, end)]
    return None


def _misread(start: str, begins: Place) -> str:
    if begins[0] > len(start.encode()):
        return UNSPELT
    if begins == (0, 0):
        return f"the endpoint puts a token of its own before a text, so leave the start {start!r} out"
    return f"the model does not read the start {start!r} as one token; name the one that begins its texts, or none"
