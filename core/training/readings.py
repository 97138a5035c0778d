"""A frozen base's readings of many stories, kept on the disk: read once, however often a head looks at them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from safetensors import safe_open

from core.errors import InputError
from core.files import replacing
from core.models.trunk import Reading, Trunk
from core.training import tensors

TEXTS_A_BLOCK = 256
"""Stories in a file: after an interruption at most so many are read again."""


class Readings:
    """Stories as a trunk has read them. Means and wholes are in memory, pieces stay on the disk.

    `layers` (n × layers × d) and `whole` (n × d), float32; `ids` (n lists of pieces).
    """

    def __init__(self, blocks: Sequence[Path]) -> None:
        """Raises InputError where a block cannot be read."""
        self._blocks = list(blocks)
        found = [tensors.read(path)[0] for path in self._blocks]
        self.layers = torch.cat([one["layers"] for one in found])
        self.whole = torch.cat([one["whole"] for one in found])
        self.ids = [part for one in found for part in torch.split(one["ids"], one["lengths"].tolist())]
        self._begins = [begin for one in found for begin in (one["lengths"].cumsum(0) - one["lengths"]).tolist()]
        self._block = [number for number, one in enumerate(found) for _ in range(len(one["lengths"]))]
        self._open = [safe_open(path, framework="pt") for path in self._blocks]

    def __len__(self) -> int:
        return len(self.ids)

    def pieces(self, text: int) -> torch.Tensor:
        """The highest layer's states of one story (p × d), float16."""
        begin = self._begins[text]
        rows = self._open[self._block[text]].get_slice("pieces")  # type: ignore[no-untyped-call]
        found: torch.Tensor = rows[begin : begin + len(self.ids[text])]
        return found


def read_all(trunk: Trunk, texts: Sequence[str], folder: Path, done: Callable[[int], None] | None = None) -> Readings:
    """Read the texts with the trunk, or find what has been read in `folder` before an interruption.

    `done` counts texts. Raises InputError where the folder holds readings of other texts, StorageError where the disk
    is full.
    """
    folder.mkdir(parents=True, exist_ok=True)
    blocks = []
    for begin in range(0, len(texts), TEXTS_A_BLOCK):
        part = texts[begin : begin + TEXTS_A_BLOCK]
        path = folder / f"readings-{begin // TEXTS_A_BLOCK:05d}.safetensors"
        of = _signature(trunk, part)
        if not path.exists():
            readings = trunk.read(part, done)
            with replacing(path) as partial:
                tensors.write(partial, _stacked(readings), {"of": of})
        else:
            _check(path, of)
            if done:
                done(len(part))
        blocks.append(path)
    return Readings(blocks)


def _signature(trunk: Trunk, texts: Sequence[str]) -> str:
    """All that a block's numbers depend on."""
    of = [trunk.source.name, trunk.source.revision, str(trunk.dtype), str(trunk.layers), *texts]
    return hashlib.sha256("\0".join(of).encode("utf-8", "surrogatepass")).hexdigest()


def _stacked(readings: Sequence[Reading]) -> dict[str, torch.Tensor]:
    return {
        "layers": torch.stack([one.layers for one in readings]),
        "whole": torch.stack([one.whole for one in readings]),
        "pieces": torch.cat([one.pieces for one in readings]),
        "ids": torch.cat([one.ids for one in readings]),
        "lengths": torch.tensor([len(one.ids) for one in readings], dtype=torch.long),
    }


def _check(path: Path, of: str) -> None:
    with safe_open(path, framework="pt") as found:
        about = found.metadata() or {}
    if of not in about.get("fabula", ""):
        raise InputError(f"{path.parent} holds readings of other stories or another base: name a new folder.")
