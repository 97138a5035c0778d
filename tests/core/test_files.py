"""Files and folders that are there whole or not at all."""

from pathlib import Path

import pytest

from core.errors import StorageError
from core.files import making, replacing


def spoil(file: Path) -> None:
    """Write a part, and fail."""
    file.write_text("half of tw")
    raise ZeroDivisionError


def test_a_file_is_replaced_whole_or_stays(tmp_path: Path) -> None:
    target = tmp_path / "a"
    with replacing(target) as partial:
        partial.write_text("one")
        assert not target.exists()
    with pytest.raises(ZeroDivisionError), replacing(target) as partial:
        spoil(partial)
    assert target.read_text() == "one"
    with replacing(target) as partial:
        partial.write_text("two")
        assert target.read_text() == "one"
    assert target.read_text() == "two"
    with (
        pytest.raises(StorageError, match="nowhere cannot be written: No such file"),
        replacing(tmp_path / "x" / "nowhere"),
    ):
        raise FileNotFoundError(2, "No such file or directory")
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_is_made_whole_or_not(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "a"
    with pytest.raises(ZeroDivisionError), making(target) as partial:
        spoil(partial / "x")
    assert list(target.parent.iterdir()) == []
    with making(target) as partial:
        (partial / "x").write_text("one")
        assert not target.exists()
    assert (target / "x").read_text() == "one"
    with pytest.raises(StorageError, match="cannot be written: Directory not empty"), making(target) as partial:
        (partial / "y").write_text("two")
    assert [file.name for file in target.iterdir()] == ["x"]
    assert list(target.parent.iterdir()) == [target]
