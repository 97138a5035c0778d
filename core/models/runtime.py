"""Where models run: the device, and the models loaded in this process."""

import contextlib
from functools import lru_cache

import torch

from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.language import LanguageModel

DEVICES = ("auto", "cpu", "cuda")


def resolve_device(device: str = "auto") -> str:
    """`auto` is the GPU where there is one. Raises InputError for `cuda` on a machine without."""
    if device not in DEVICES:
        raise InputError(f"There is no device {device!r}; choose one of {', '.join(DEVICES)}.")
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("This machine has no usable CUDA GPU; choose the device auto or cpu.")
    return device


def describe_devices() -> str:
    """One line for `doctor`."""
    if torch.cuda.is_available():
        return f"cuda ({torch.cuda.get_device_name(0)})"
    return f"cpu ({torch.get_num_threads()} threads)"


@lru_cache(maxsize=2)
def language_model(source: ModelSource, device: str) -> LanguageModel:
    """Load a causal language model once a process and revision; at most two stay in memory."""
    with contextlib.suppress(RuntimeError):  # too late to change once torch has started its pool
        torch.set_num_interop_threads(1)
    return LanguageModel.load(source, resolve_device(device))
