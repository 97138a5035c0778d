"""A frozen backbone's hidden states of many stories, kept on the disk: read once for any number of heads."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from core.checkpoints import tensors
from core.errors import InputError
from core.files import replacing
from core.models.trunk import EncodedText, Trunk

TEXTS_A_BLOCK = 256
"""Stories in a file: after an interruption at most so many are read again."""
KEY_BYTES = 16


class Readings:
    """Stories as a trunk has read them. Means and wholes are in memory, pieces stay on the disk.

    `layers` (n × layers × d) and `whole` (n × d), float32; `ids` (n lists of pieces).
    """

    def __init__(self, places: Sequence[tuple[Path, int]]) -> None:
        """`places`: the block and the row of each story. Raises InputError where a block cannot be read."""
        stored = {path: tensors.read(path)[0] for path in dict.fromkeys(path for path, _ in places)}
        begins = {path: item["lengths"].cumsum(0) - item["lengths"] for path, item in stored.items()}
        self.layers = torch.stack([stored[path]["layers"][row] for path, row in places])
        self.whole = torch.stack([stored[path]["whole"][row] for path, row in places])
        spans = [(path, int(begins[path][row]), int(stored[path]["lengths"][row])) for path, row in places]
        self.ids = [stored[path]["ids"][begin : begin + length].clone() for path, begin, length in spans]
        self._spans = spans
        self._open = {path: safe_open(path, framework="pt") for path in stored}

    def __len__(self) -> int:
        return len(self.ids)

    def reading(self, text: int) -> EncodedText:
        """One story as the trunk gave it."""
        return EncodedText(self.ids[text], self.layers[text], self.whole[text], self.pieces(text))

    def pieces(self, text: int) -> torch.Tensor:
        """The highest layer's states of one story (p × d), float16."""
        path, begin, length = self._spans[text]
        rows = self._open[path].get_slice("pieces")  # type: ignore[no-untyped-call]
        result: torch.Tensor = rows[begin : begin + length]
        return result

    def batch(
        self, texts: Sequence[int], device: str | torch.device
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Several stories on a device: layers (n × layers × d), whole (n × d), pieces (n × p × d), padded, and which
        pieces are the texts' own (n × p).
        """
        pieces = [self.pieces(i) for i in texts]
        lengths = torch.tensor([len(piece) for piece in pieces])
        padded = torch.nn.utils.rnn.pad_sequence(pieces, batch_first=True).to(device)
        content = (torch.arange(padded.shape[1])[None, :] < lengths[:, None]).to(device)
        rows = list(texts)
        return self.layers[rows].to(device), self.whole[rows].to(device), padded, content


def read_all(trunk: Trunk, texts: Sequence[str], folder: Path, done: Callable[[int], None] | None = None) -> Readings:
    """Read the texts with the trunk, but for those that `folder` holds: from before an interruption, or from another
    training on the same stories.

    `done` counts texts. Raises StorageError where the disk is full, InputError where a file of the folder is damaged.
    """
    folder.mkdir(parents=True, exist_ok=True)
    keys = [_key(trunk, text) for text in texts]
    places = {key: (path, row) for path in sorted(folder.glob("*.safetensors")) for row, key in enumerate(_keys(path))}
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in places}
    if done and (known := sum(key in places for key in keys)):
        done(known)
    order = list(missing)
    for begin in range(0, len(order), TEXTS_A_BLOCK):
        part = order[begin : begin + TEXTS_A_BLOCK]
        path = folder / f"{part[0].hex()}.safetensors"
        readings = trunk.read([missing[key] for key in part], done)
        with replacing(path) as partial:
            tensors.write(
                partial, {"keys": torch.tensor([list(key) for key in part], dtype=torch.uint8), **_stacked(readings)}
            )
        places |= {key: (path, row) for row, key in enumerate(part)}
    return Readings([places[key] for key in keys])


def _key(trunk: Trunk, text: str) -> bytes:
    """Return a hash of all that a reading depends on."""
    of = [trunk.source.name, trunk.source.revision, str(trunk.dtype), str(trunk.layers), text]
    return hashlib.sha256("\0".join(of).encode("utf-8", "surrogatepass")).digest()[:KEY_BYTES]


def _keys(path: Path) -> list[bytes]:
    try:
        with safe_open(path, framework="np") as tensors_file:
            return [row.tobytes() for row in tensors_file.get_tensor("keys")]
    except (SafetensorError, OSError) as error:
        raise InputError(tensors.UNREADABLE.format(path)) from error


def _stacked(readings: Sequence[EncodedText]) -> dict[str, torch.Tensor]:
    return {
        "layers": torch.stack([reading.layers for reading in readings]),
        "whole": torch.stack([reading.whole for reading in readings]),
        "pieces": torch.cat([reading.pieces for reading in readings]),
        "ids": torch.cat([reading.ids for reading in readings]),
        "lengths": torch.tensor([len(reading.ids) for reading in readings], dtype=torch.long),
    }
