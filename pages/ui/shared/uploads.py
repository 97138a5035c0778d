"""Uploaded files as files, so that pages and commands read them with the same code."""

import tempfile
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Protocol, TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import InputError
from core.formats.autos import read_packed_autos
from core.formats.corpora import CorpusFormat
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.decoding import names_of
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.formats.gltr import read_gltr
from core.formats.manifest import NAME
from core.formats.perturbed import read_cases
from core.formats.tables import Table, read_table
from core.perturb.cases import Case
from core.stories import Corpus
from core.tokens import TokenTable

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class FolderReader(Protocol[Result_co]):
    """A named function that reads a folder of uploads."""

    __name__: str

    def __call__(self, folder: Path, /) -> Result_co: ...


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
def _parsed(
    kind: str, upload: tuple[str, ...], how: Hashable, _reader: FolderReader[Result], _files: Sequence[UploadedFile]
) -> Result:
    """Kept under the kind of reader, the files' ids and how they are read; nothing of a result is ever changed."""
    del kind, upload, how  # they are the cache's key, no more
    with saved(_files) as folder:
        return _reader(folder)


def read_once(reader: FolderReader[Result], files: Sequence[UploadedFile], how: Hashable = None) -> Result:
    """What `reader` makes of uploaded files: read once an upload, not once a click. Errors are raised anew. `how`: what
    else the result depends on.
    """
    return _parsed(reader.__name__, tuple(file.file_id for file in files), how, reader, files)


def uploaded_table(folder: Path) -> Table:
    """The only file there, as a table."""
    return read_table(next(folder.iterdir()))


def uploaded_corpus(chosen: CorpusFormat) -> FolderReader[Corpus]:
    """What reads an upload in another program's format."""

    def corpus(folder: Path) -> Corpus:
        return chosen.uploaded(folder)

    return corpus


def uploaded_gltr(folder: Path) -> TokenTable:
    """The only file there, as GLTR's."""
    return read_gltr(next(folder.iterdir()))


def uploaded_export(folder: Path) -> Restored:
    """An export's zip or files, or one file of ratings."""
    files = list(folder.iterdir())
    if len(files) == 1:
        return read_export(files[0])
    if not (folder / NAME).is_file():
        raise InputError(f"Several files make an export only with its {NAME}; add it, or give one file of ratings.")
    return read_export(folder)


def uploaded_names(folder: Path) -> list[str]:
    """The names of the columns of the only file there."""
    return names_of(next(folder.iterdir()))


def uploaded_ratings(choice: ColumnChoice) -> FolderReader[Restored]:
    """What reads the only file there as ratings, by these columns and rows and on this scale."""

    def ratings(folder: Path) -> Restored:
        return read_export(next(folder.iterdir()), choice=choice)

    return ratings


def uploaded_tests(folder: Path) -> tuple[Case, ...]:
    """The only file there, as a test set: OpenMEVA's folder as a zip, or JSONL."""
    file = next(folder.iterdir())
    return read_packed_autos(file) if file.suffix.lower() == ".zip" else read_cases(file)
