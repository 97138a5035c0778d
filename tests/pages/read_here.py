"""Uploads read within the test: a process of its own for each, which tests/core/formats/uploads has, starts slowly."""

import io
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.formats.uploads.apart import answer, stream

PLACES = {
    "read_apart": ("pages.ui.shared.uploads",),
    "streamed_apart": ("pages.ui.shared.uploads", "pages.ui.import_data.stories"),
}


def read_here(patch: pytest.MonkeyPatch) -> None:
    """Have pages read what is uploaded without another process."""
    for name, here in (("read_apart", _read), ("streamed_apart", _streamed)):
        for place in PLACES[name]:
            patch.setattr(f"{place}.{name}", here)


def _read(reader: Callable[[Path], Any], folder: Path) -> Any:
    fine, result = answer(reader, folder)
    if not fine:
        raise result
    return result


@contextmanager
def _streamed(reader: Callable[[Path], Iterator[Any]], path: Path) -> Iterator[Iterator[Any]]:
    out = io.BytesIO()
    stream(reader, path, out, upload=True)
    out.seek(0)
    yield _items(out)


def _items(out: io.BytesIO) -> Iterator[Any]:
    while True:
        fine, result = pickle.load(out)
        if not fine:
            raise result
        if result is None:
            return
        yield result
