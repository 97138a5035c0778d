"""Uploaded files as files, so that pages and commands read them with the same code."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.formats.uploads.apart import read_apart, streamed_apart

Part = TypeVar("Part")
Result = TypeVar("Result")
Reader = Callable[[Path], Result]
"""Makes something of a folder of uploads: a module's function, or a `partial` of one, as it runs in another process."""


@contextmanager
def saved(files: Sequence[UploadedFile]) -> Iterator[Path]:
    """Write uploads into a temporary folder, below which their own folders are kept, never above it."""
    with tempfile.TemporaryDirectory(prefix="fabula-upload-") as name:
        folder = Path(name)
        for file in files:
            parts = [p for p in PurePosixPath(file.name.replace("\\", "/")).parts if p not in ("/", "..", ".")]
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.getbuffer())
        yield folder


@st.cache_resource(max_entries=3, ttl=900, show_spinner="Reading the file")
def _parsed(how: str, upload: tuple[str, ...], _reader: Reader[Result], _files: Sequence[UploadedFile]) -> Result:
    """Kept under what reads the files, and their ids; nothing of a result is ever changed."""
    del how, upload  # they are the cache's key, no more
    with saved(_files) as folder:
        return read_apart(_reader, folder)


def read_once(reader: Reader[Result], files: Sequence[UploadedFile]) -> Result:
    """What `reader` makes of uploaded files: read once an upload, not once a click, in a process of its own. Errors are
    raised anew.
    """
    result: Result = _parsed(_named(reader), tuple(file.file_id for file in files), reader, files)
    return result


@st.cache_resource(max_entries=3, ttl=900, show_spinner="Reading the file")
def _put_together(
    how: str,
    upload: tuple[str, ...],
    _reader: Reader[Iterator[Part]],
    _whole: Callable[[Iterator[Part]], Result],
    _files: Sequence[UploadedFile],
) -> Result:
    del how, upload  # as in `_parsed`
    with saved(_files) as folder, streamed_apart(_reader, folder) as parts:
        return _whole(parts)


def streamed_once(
    reader: Reader[Iterator[Part]], whole: Callable[[Iterator[Part]], Result], files: Sequence[UploadedFile]
) -> Result:
    """The same of what is too much to be handed over at once: `reader` gives it part by part, and `whole`, a module's
    function, makes one of them here, of which nothing is ever changed either.
    """
    how = f"{_named(reader)} {_named(whole)}"
    result: Result = _put_together(how, tuple(file.file_id for file in files), reader, whole, files)
    return result


def _named(reader: Callable[..., Any]) -> str:
    """What reads, and with what it does."""
    if isinstance(reader, partial):
        return f"{_named(reader.func)} {reader.args!r} {sorted(reader.keywords.items())!r}"
    return f"{reader.__module__}.{reader.__qualname__}"
