"""A text's token statistics in few bytes: numbers as they are, each alternative spelt once; no text, no pickle."""

import io
import json

import numpy as np
from numpy.typing import NDArray

from core.tokens import Mode, TokenTable

_WHOLE = ("starts", "ends", "words", "rank")
_REAL = ("log_p", "fraction", "entropy", "top_p")


def pack(table: TokenTable) -> bytes:
    """All of the table but its text, as a compressed archive of arrays."""
    spelt = list(dict.fromkeys(name for row in table.top for name in row))
    numbers = {name: number for number, name in enumerate(spelt)}
    header = json.dumps({"model": table.model, "mode": table.mode, "top": spelt}).encode()
    arrays: dict[str, NDArray[np.generic]] = {name: _narrow(getattr(table, name)) for name in (*_WHOLE, *_REAL)}
    arrays["top"] = np.array([numbers[name] for row in table.top for name in row], dtype=np.int32)
    arrays["widths"] = np.array([len(row) for row in table.top], dtype=np.int32)
    arrays["said"] = np.frombuffer(header, dtype=np.uint8)
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def unpack(packed: bytes, text: str) -> TokenTable:
    """The table that was packed, with its text put back."""
    with np.load(io.BytesIO(packed), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    sentence = json.loads(arrays["said"].tobytes())
    spelt = [sentence["top"][number] for number in arrays["top"].tolist()]
    ends = np.cumsum(arrays["widths"]).tolist()
    return TokenTable(
        text=text,
        model=sentence["model"],
        mode=Mode(sentence["mode"]),
        top=tuple(tuple(spelt[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)),
        **{name: arrays[name].astype(np.int64) for name in _WHOLE},
        **{name: arrays[name].astype(np.float64) for name in _REAL},
    )


def _narrow(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Half as many bytes where that changes no number: models work in single precision."""
    for kind in (np.int32, np.float32):
        half = array.astype(kind) if array.dtype.kind == np.dtype(kind).kind else None
        if half is not None and np.array_equal(half, array, equal_nan=array.dtype.kind == "f"):
            return half
    return array
