"""Which devices a page offers: a GPU only where one may be."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engines import settings
from core.engines.settings import devices_here


@pytest.mark.parametrize(
    ("ray", "tool", "files", "offered"),
    [
        (False, None, [], ("auto", "cpu")),
        (False, None, [Path("/dev/nvidia0")], ("auto", "cpu", "cuda")),
        (False, "/usr/bin/nvidia-smi", [], ("auto", "cpu", "cuda")),
        (True, None, [], ("auto", "cpu", "cuda")),  # the cluster may have one
    ],
)
def test_no_gpu_is_offered_where_there_can_be_none(
    monkeypatch: pytest.MonkeyPatch, ray: bool, tool: str | None, files: list[Path], offered: tuple[str, ...]
) -> None:
    def found(_: Path, __: str) -> Iterator[Path]:
        return iter(files)

    monkeypatch.setattr(settings, "installed", lambda: ray)
    monkeypatch.setattr(shutil, "which", lambda _: tool)
    monkeypatch.setattr(Path, "glob", found)
    assert devices_here() == offered
