"""Uploaded files lie in memory until their page is closed: so much for one page, so much for all together."""

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime import Runtime, exists
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

A_PAGE = 200 * 2**20
"""Bytes of the files that one page holds."""
ALL_PAGES = 500 * 2**20
"""Bytes of all uploaded files of the server, those on their way counted in full."""
MB = 2**20


class Uploads:
    """The uploads that are on their way, beside those that Streamlit holds already."""

    def __init__(self) -> None:
        self._coming: dict[str, int] = {}

    def refusal(self, page: str, size: int) -> tuple[int, str]:
        """The status and the sentence with which an upload of `size` bytes is refused; (0, "") if it may come."""
        if size <= 0:
            return 411, "An upload says beforehand how long it is."
        of_page, of_all = _held(page)
        if of_page + self._coming.get(page, 0) + size > A_PAGE:
            return 413, f"One page holds {A_PAGE // MB} MB of files at most; remove some, or reload the page."
        if of_all + sum(self._coming.values()) + size > ALL_PAGES:
            return 503, "Other uploads fill the server's memory just now; try again in a minute."
        return 0, ""

    @contextmanager
    def coming(self, page: str, size: int) -> Iterator[None]:
        """Count an upload while it is on its way."""
        self._coming[page] = self._coming.get(page, 0) + size
        try:
            yield
        finally:
            self._coming[page] -= size
            if not self._coming[page]:
                del self._coming[page]


def _held(page: str) -> tuple[int, int]:
    """Bytes that Streamlit holds for this page, and for all."""
    manager = Runtime.instance().uploaded_file_mgr if exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return 0, 0
    sizes = {
        name: sum(len(file.data) for file in list(files.values())) for name, files in list(manager.file_storage.items())
    }
    return sizes.get(page, 0), sum(sizes.values())
