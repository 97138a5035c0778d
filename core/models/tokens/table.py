"""What a causal or masked language model thinks of every token of a text, as a table."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from core.errors import InputError
from core.models.catalogue import ModelRole, locate
from core.models.causal.runtime import causal_model
from core.models.language import CausalModel
from core.models.network import DTYPES, Network
from core.models.runtime import masked_model
from core.models.statistics import TokenStatistics
from core.models.tokens.pieces import Pieces
from core.pieces import spans, words_of
from core.tokens import MOST_ALTERNATIVES, Mode, TokenTable

LONGEST = 1_000_000
"""Characters of a text: two novels of ordinary length."""


def read_tokens(
    texts: Sequence[str],
    *,
    model: str | None = None,
    mode: Mode = Mode.CAUSAL,
    device: str = "auto",
    precision: str = "float32",
    top: int = 5,
    prompt: str = "",
    on_progress: Callable[[int, int], None] | None = None,
) -> list[TokenTable]:
    """A table for each text, in input order; a text without a token has an empty one.

    `model`: a bundled name, a folder or a hub name (by default the bundled causal model; there is no masked one), with
    `vllm:` before it for a causal one in vLLM; it must suit `mode`. `top`: how many of the likeliest tokens to name, at
    most 100. `prompt`: what a causal model reads first, of which no token is in a table. `on_progress` receives how
    many tokens are done, and of how many, after each batch. A text longer than the model reads is read in windows, as
    the metrics do.
    Raises ModelMissing for a model that is not there or of the wrong kind, InputError for a text that is none, and for
    a prompt that is to be read by a masked model.
    """
    _check(texts, top, precision)
    if prompt and mode is not Mode.CAUSAL:
        raise InputError("Only a causal model reads a prompt first.")
    unique = list(dict.fromkeys(texts))
    reader: CausalModel | Network
    if mode is Mode.CAUSAL:
        reader = language = causal_model(locate(model, ModelRole.LANGUAGE), device, precision)
        statistics = language.token_statistics([(prompt, text) for text in unique], top, on_progress)
    else:
        reader = masked = masked_model(locate(model, ModelRole.MASKED), device, precision)
        statistics = masked.token_statistics(unique, mode, top, on_progress)
    tables = {
        text: _table(text, reader, mode, token_statistics)
        for text, token_statistics in zip(unique, statistics, strict=True)
    }
    return [tables[text] for text in texts]


def _check(texts: Sequence[str], top: int, precision: str) -> None:
    if precision not in DTYPES:
        raise InputError(f"There is no precision {precision!r}; choose one of {', '.join(DTYPES)}.")
    if not 0 <= top <= MOST_ALTERNATIVES:
        raise InputError(f"Between 0 and {MOST_ALTERNATIVES} alternatives a token can be shown, not {top}.")
    for number, text in enumerate(texts, 1):
        where = f"Text {number}" if len(texts) > 1 else "The text"
        if len(text) > LONGEST:
            raise InputError(f"{where} has {len(text):,} characters; at most {LONGEST:,} are read: cut it in parts.")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(f"{where} holds half of a character (a lone surrogate); repair it.") from None


@lru_cache(2)
def _pieces(tokenizer: Any) -> Pieces:
    """Each piece is made readable once, as long as the model stays loaded."""
    return Pieces(tokenizer)


def _table(text: str, reader: CausalModel | Network, mode: Mode, statistics: TokenStatistics) -> TokenTable:
    pieces = _pieces(reader.tokenizer)
    ids = statistics.ids.tolist()
    starts, ends = statistics.starts, statistics.ends
    if pieces.byte_level:  # some such tokenizers leave spaces out of a token's place; its bytes have them
        starts, ends = spans(text, [pieces.bytes_of(token) for token in ids]) or (starts, ends)
    return TokenTable(
        text=text,
        model=reader.source.title,
        mode=mode,
        starts=starts,
        ends=ends,
        words=words_of(text, starts),
        log_p=np.minimum(statistics.log_p, 0.0),
        rank=statistics.rank,
        fraction=statistics.fraction,
        entropy=statistics.entropy,
        top=tuple(tuple(pieces.text(token) for token in row) for row in statistics.top_ids.tolist()),
        top_p=statistics.top_p,
    )
