"""Fp of whole corpora at several lengths at once: a model reads each text once, and no further than needed.

In a causal model nothing depends on what follows, so that Fp of the first n tokens is a mean of the first n fractions
of any longer reading. A masked model looks both ways: there a text is cut to each length and read again.
"""

from collections.abc import Callable, Sequence

import numpy as np

from core.analysis.naturalness.corpora import Discriminator, FpScores
from core.arrays import Bools, Floats, Singles
from core.models.catalogue import ModelRole, locate
from core.models.causal.runtime import causal_model
from core.models.language import CausalModel
from core.models.masked import MaskedLanguageModel
from core.models.runtime import masked_model
from core.tokens import Mode

TEXTS_AT_ONCE = 256
"""The numbers of so many texts' tokens are held: memory must not grow with the corpus."""
FRACTION = 1
"""The column of what models say of a token that is p / p_max."""
EMPTY = "the text has no token"


def read_fractions(
    texts: Sequence[str],
    firsts: Sequence[int | None],
    *,
    model: str | None = None,
    mode: Mode = Mode.CAUSAL,
    device: str = "auto",
    precision: str = "float32",
    on_progress: Callable[[int, int], None] | None = None,
) -> list[FpScores]:
    """Fp of the first n tokens of each text, a reading for each n of `firsts` (None: of all its tokens).

    A text that has fewer is undefined: all texts are compared at one length. The same numbers as the metrics `fp` (of
    the story alone) and `fp-masked` have, less the sign. `on_progress` hears how many texts are done, and of how many.
    Raises ModelMissing for a model that is not there, or does not suit the mode.
    """
    wanted = list(dict.fromkeys(firsts))
    role = ModelRole.LANGUAGE if mode is Mode.CAUSAL else ModelRole.MASKED
    source = locate(model, role)
    reader = (causal_model if mode is Mode.CAUSAL else masked_model)(source, device, precision)
    shown = [text.strip() for text in texts]
    columns = np.full((len(texts), len(wanted)), np.nan)
    empty = np.array([not text for text in shown], dtype=bool)
    for begin in range(0, len(shown), TEXTS_AT_ONCE):
        part = shown[begin : begin + TEXTS_AT_ONCE]
        columns[begin : begin + len(part)] = (
            _causal(reader, part, wanted) if isinstance(reader, CausalModel) else (_masked(reader, part, wanted, mode))
        )
        if on_progress:
            on_progress(begin + len(part), len(shown))
    name = source.title
    return [
        FpScores(Discriminator(name, mode, first), columns[:, i].copy(), _reasons(columns[:, i], empty, first))
        for i, first in enumerate(wanted)
    ]


def _causal(reader: CausalModel, texts: list[str], firsts: list[int | None]) -> Floats:
    """Fp (texts x lengths) from one reading up to the longest length; shorter texts are read whole."""
    lengths = [first for first in firsts if first is not None]
    longest = max(lengths) if len(lengths) == len(firsts) else None
    rows = reader.measures([("", text) for text in texts], first=longest)
    short = [place for place, row in enumerate(rows) if not len(row) and texts[place]] if longest else []
    for place, measure in zip(short, reader.measures([("", texts[place]) for place in short]), strict=True):
        rows[place] = measure
    return np.array([[_mean(row[:, FRACTION], first) for first in firsts] for row in rows], dtype=np.float64)


def _masked(reader: MaskedLanguageModel, texts: list[str], firsts: list[int | None], mode: Mode) -> Floats:
    by_length = [reader.measures(texts, mode, first) for first in firsts]
    columns = [
        [_mean(rows[:, FRACTION], first) for rows in part] for first, part in zip(firsts, by_length, strict=True)
    ]
    return np.array(columns, dtype=np.float64).T


def _mean(fractions: Singles, first: int | None) -> float:
    if not len(fractions) or (first is not None and len(fractions) < first):
        return float("nan")
    return float(fractions[:first].sum(dtype=np.float64)) / len(fractions[:first])


def _reasons(values: Floats, empty: Bools, first: int | None) -> dict[int, str]:
    lacking = np.flatnonzero(np.isnan(values)).tolist()
    return {i: EMPTY if empty[i] or first is None else f"the text has fewer than {first} tokens" for i in lacking}
