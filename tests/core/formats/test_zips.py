"""Zips: what is wrong with one, and what is not its fault."""

import errno
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats import zips


def test_a_full_disk_is_not_called_a_damaged_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", "{}")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zips, "unpack", full)
    with pytest.raises(InputError, match=r"There is no room to unpack out\.zip"), zips.unpacked(path, "*.json", "it"):
        pass


def test_a_cut_zip_is_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "out.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", "x" * 5_000)
    path.write_bytes(path.read_bytes()[:2_000])
    with pytest.raises(InputError, match="is damaged"), zips.unpacked(path, "*.json", "it"):
        pass
