"""Uploaded files as files, so that pages and command line read them with the same code."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from streamlit.runtime.uploaded_file_manager import UploadedFile


@contextmanager
def kept(files: Sequence[UploadedFile]) -> Iterator[Path]:
    """Write uploads into a temporary folder, below which their own folders are kept, never above it."""
    with tempfile.TemporaryDirectory(prefix="fabula-upload-") as name:
        folder = Path(name)
        for file in files:
            parts = [p for p in PurePosixPath(file.name.replace("\\", "/")).parts if p not in ("/", "..", ".")]
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.getbuffer())
        yield folder
