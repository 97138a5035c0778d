"""Whether the GPU of a process that works has gone, and with whom."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import DeviceLostError

_TRIED = "import torch; torch.zeros(1, device='cuda').cpu()"
_SECONDS_TO_ANSWER = 120.0


@contextmanager
def heeding_the_device() -> Iterator[None]:
    """Where the device is lost to this process alone, end it: a new one may do the work, or die of the same story.

    Raises DeviceLostError where it is lost to others as well.
    """
    try:
        yield
    except DeviceLostError:
        if _answers_others():
            os._exit(1)
        raise


def check_device() -> None:
    """Raise DeviceLostError where this process, which was given a GPU, sees none: it would go on without a word, on the
    processor.
    """
    import torch

    if not torch.cuda.is_available():
        given = os.environ.get("CUDA_VISIBLE_DEVICES", "")
        raise DeviceLostError(f"The GPU {given} of {socket.gethostname()} does not answer: see nvidia-smi.")


def _answers_others() -> bool:
    command = [sys.executable, "-c", _TRIED]
    try:
        tried = subprocess.run(command, capture_output=True, timeout=_SECONDS_TO_ANSWER, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0
