"""Token tables made by hand, for tests that need no model."""

import itertools
from dataclasses import fields

import numpy as np

from core.tokens import Mode, TokenTable


def made_table(
    text: str,
    spans: list[tuple[int, int]] | None = None,
    rank: list[int] | None = None,
    *,
    model: str = "made@1",
    mode: Mode = Mode.CAUSAL,
    seed: int = 0,
    top: int = 5,
) -> TokenTable:
    """A table of this text: a token a word with the space before it, or as `spans` say; numbers at random."""
    if spans is None:
        edges = [0, *(i for i, sign in enumerate(text) if i and sign == " "), len(text)]
        spans = [(a, b) for a, b in itertools.pairwise(edges) if a < b]
    number, rng = len(spans), np.random.default_rng(seed)
    ranks = np.array(rank if rank is not None else rng.integers(0, 3000, number), dtype=np.int64)
    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    fraction = 1 / (1 + ranks.astype(np.float64))
    top_p = np.sort(rng.dirichlet(np.ones(top + 1), number)[:, : max(top, 1)], 1)[:, ::-1].copy()
    words = [len(text[: text.find(text[a:b].strip(), a) + 1].split()) - 1 for a, b in spans]
    return TokenTable(
        text=text,
        model=model,
        mode=mode,
        starts=starts.copy(),
        ends=ends.copy(),
        words=np.array(words, dtype=np.int64),
        log_p=np.log(fraction * top_p[:, 0]).astype(np.float32).astype(np.float64),
        rank=ranks,
        fraction=fraction,
        entropy=rng.uniform(0, 2.3, number),
        top=tuple(tuple(f" w{k}" for k in rng.integers(0, 50, top)) for _ in spans),
        top_p=top_p[:, :top],
    )


def equal(one: TokenTable, other: TokenTable) -> bool:
    """Whether all fields are, down to their types."""
    for field in fields(TokenTable):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype, field.name
            assert np.array_equal(mine, theirs), field.name
        else:
            assert mine == theirs, field.name
    return True
