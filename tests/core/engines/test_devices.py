"""Which devices a page offers: a GPU only where one may be."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engines.settings import devices_here


@pytest.mark.parametrize(
    ("tool", "files", "offered"),
    [
        (None, [], ("auto", "cpu")),
        (None, [Path("/dev/nvidia0")], ("auto", "cpu", "cuda")),
        ("/usr/bin/nvidia-smi", [], ("auto", "cpu", "cuda")),
    ],
)
def test_no_gpu_is_offered_where_there_can_be_none(
    monkeypatch: pytest.MonkeyPatch, tool: str | None, files: list[Path], offered: tuple[str, ...]
) -> None:
    def found(_: Path, __: str) -> Iterator[Path]:
        return iter(files)

    monkeypatch.setattr(shutil, "which", lambda _: tool)
    monkeypatch.setattr(Path, "glob", found)
    assert devices_here() == offered
