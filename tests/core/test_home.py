"""The home folder is its user's alone: made so, and mended where it was not."""

import stat
from pathlib import Path

import pytest

from core.errors import StorageError
from core.home import private_home, readable_by_others


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_made_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_HOME", str(tmp_path / "a" / "home"))
    assert mode(private_home()) == 0o700


def test_an_open_one_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    database, folder, elsewhere = home / "fabula.db", home / "models", tmp_path / "elsewhere"
    for path in (database, elsewhere):
        path.touch()
        path.chmod(0o644)
    folder.mkdir()
    folder.chmod(0o775)
    (home / "link").symlink_to(elsewhere)
    monkeypatch.setenv("FABULA_HOME", str(home))
    assert list(readable_by_others()) == [".", "fabula.db", "models"]
    private_home()
    assert list(readable_by_others()) == []
    assert (mode(database), mode(folder), mode(elsewhere)) == (0o600, 0o700, 0o644)


def test_what_is_no_folder_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FABULA_HOME", str(tmp_path / "file"))
    with pytest.raises(StorageError, match="cannot be made yours alone"):
        private_home()
