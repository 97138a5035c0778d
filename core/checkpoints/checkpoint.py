"""A trained metric on the disk: a folder with two files, weights and card; never a pickle."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from safetensors import SafetensorError, safe_open

from core.checkpoints import tensors
from core.checkpoints.card import LARGEST, CheckpointCard, read_card
from core.checkpoints.overlap import BYTES, count_known, fingerprints
from core.errors import InputError, ModelMissing
from core.files import making

if TYPE_CHECKING:
    import torch

WEIGHTS, CARD = "weights.safetensors", "card.json"
_SEEN = "training_texts"
"""Among the weights: fingerprints of what was trained on (n × 8, uint8)."""
_TENSORFLOW = ".index"
"""How the file ends that says where in TensorFlow's others which weights are."""
_PICKLES = (b"PK\x03\x04", b"\x80")
"""How files begin that `torch.save` wrote, now and long ago."""


@dataclass(frozen=True)
class Checkpoint:
    """A trained metric: its card, and the folder with its weights."""

    folder: Path
    card: CheckpointCard

    def weights(self) -> "dict[str, torch.Tensor]":
        """The trained parameters by name, on the CPU."""
        stored, _ = tensors.read(self.folder / WEIGHTS)
        stored.pop(_SEEN, None)
        return stored


def save(
    folder: Path, card: CheckpointCard, weights: "Mapping[str, torch.Tensor]", training_texts: Iterable[str] = ()
) -> Checkpoint:
    """Make the folder, whole or not at all; the card gets the hash of the weights' file.

    `training_texts`: the stories that were trained on, of which fingerprints are kept for `overlap`. Raises InputError
    where there is such a folder already, StorageError where it cannot be written.
    """
    import torch

    named = dict(weights)
    if len(seen := fingerprints(training_texts)):
        named[_SEEN] = torch.from_numpy(seen.copy())
    if folder.exists():
        raise InputError(f"There is a {folder} already; name a new folder.")
    with making(folder) as partial:
        tensors.write(partial / WEIGHTS, named)
        written = replace(card, weights=hash_of(partial / WEIGHTS))
        (partial / CARD).write_text(written.as_text(), encoding="utf-8", newline="\n")
    return Checkpoint(folder, written)


def load(folder: Path) -> Checkpoint:
    """The checkpoint in a folder, after every check. Raises ModelMissing where files are missing, InputError where they
    are not what they should be.
    """
    for name in (WEIGHTS, CARD):
        if not (folder / name).is_file():
            if any(folder.glob(f"*{_TENSORFLOW}")):
                raise InputError(
                    f"{folder} is a TensorFlow checkpoint, such as UNION's authors gave away, and reading it takes "
                    "TensorFlow, which Fabula does not bring: train one by their recipe with `train union --recipe "
                    "paper --base FOLDER`, FOLDER being BERT-base."
                )
            raise ModelMissing(f"{folder} is no checkpoint: it has no {name}.")
    if others := sorted({file.name for file in folder.iterdir()} - {WEIGHTS, CARD}):
        raise InputError(f"{folder} holds {others[0]!r}: a checkpoint is {WEIGHTS} and {CARD}, and nothing else.")
    card = _card(folder / CARD)
    _check_weights(folder / WEIGHTS)
    if hash_of(folder / WEIGHTS) != card.weights:
        raise InputError(f"{folder / WEIGHTS} is not the file that its card speaks of: their hashes differ.")
    return Checkpoint(folder, card)


def _card(file: Path) -> CheckpointCard:
    try:
        if file.stat().st_size > LARGEST:
            raise InputError(f"{file} is larger than any card of a checkpoint.")
        return read_card(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read; export the checkpoint again.") from error


def _check_weights(file: Path) -> None:
    try:
        with safe_open(file, framework="np") as tensors_file:
            slices = {name: tensors_file.get_slice(name) for name in tensors_file.offset_keys()}
            kinds = {
                name: (item.get_dtype(), len(item.get_shape()), item.get_shape()[-1:]) for name, item in slices.items()
            }
    except (SafetensorError, OSError) as error:
        if _begin(file).startswith(_PICKLES):  # asked only now: a good file may begin in these ways too
            raise InputError(f"{file} is a pickle, which may run any program: give weights as safetensors.") from error
        raise InputError(tensors.UNREADABLE.format(file)) from error
    if not kinds.keys() - {_SEEN}:
        raise InputError(f"{file} holds no weights.")
    if kinds.get(_SEEN) not in (None, ("U8", 2, [BYTES])):
        raise InputError(f"{file} is damaged: what it says of the stories trained on cannot be read.")


def _begin(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(4)
    except OSError:  # the sentence that follows covers this too
        return b""


def hash_of(file: Path) -> str:
    """SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def overlap(checkpoint: Checkpoint, texts: Iterable[str]) -> int | None:
    """How many of these stories it was trained on, told by whole texts; None where it does not say what it has seen.

    Give stories as they were trained on: with the prompt, where that is their beginning.
    """
    with safe_open(checkpoint.folder / WEIGHTS, framework="np") as tensors_file:
        if _SEEN not in tensors_file.offset_keys():
            return None
        seen = np.asarray(tensors_file.get_tensor(_SEEN))
    return count_known(seen, texts)
