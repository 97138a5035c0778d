"""Tensors on the disk as safetensors, never as a pickle; a file that cannot be read gives one sentence."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open

from core.errors import InputError

if TYPE_CHECKING:
    import torch

UNREADABLE = "{} is no safetensors file that can be read: it is damaged or of another kind."
_KEY = "fabula"


def write(path: Path, tensors: Mapping[str, "torch.Tensor"], about: Mapping[str, Any] | None = None) -> None:
    """Write tensors and a JSON object to one file; raises OSError as writing any file does."""
    from safetensors.torch import save_file

    metadata = None if about is None else {_KEY: json.dumps(about)}
    ready = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    try:
        save_file(ready, path, metadata)
    except SafetensorError as error:
        if (code := re.search(r"os error (\d+)", str(error))) is None:
            raise
        raise OSError(int(code[1]), os.strerror(int(code[1]))) from error


def read(path: Path) -> tuple[dict[str, "torch.Tensor"], Any]:
    """The tensors, on the CPU, and the JSON object (None where there is none). Raises InputError."""
    try:
        with safe_open(path, framework="pt") as stream:
            tensors = {name: stream.get_tensor(name) for name in stream.offset_keys()}
            about = (stream.metadata() or {}).get(_KEY)
        return tensors, None if about is None else json.loads(about)
    except (SafetensorError, OSError, ValueError) as error:
        raise InputError(UNREADABLE.format(path)) from error
