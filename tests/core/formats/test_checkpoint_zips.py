"""A checkpoint's zip: the same bytes each time, and nothing in it but two files."""

import zipfile
from pathlib import Path

import pytest

from core.checkpoints.checkpoint import CARD, WEIGHTS, load
from core.errors import InputError, StorageError
from core.formats.checkpoint_zips import pack, unpacked
from tests.core.training.made_checkpoint import made_checkpoint


def test_out_and_in_again(tmp_path: Path) -> None:
    checkpoint = made_checkpoint(tmp_path / "a")
    for name in ("one.zip", "two.zip"):
        pack(checkpoint, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert zipfile.ZipFile(tmp_path / "one.zip").namelist() == [CARD, WEIGHTS]
    with unpacked(tmp_path / "one.zip") as folder:
        assert load(folder).card == checkpoint.card
    assert not folder.exists()
    with pytest.raises(StorageError, match="cannot be written"):
        pack(checkpoint, tmp_path / "nowhere" / "one.zip")


def zip_of(path: Path, *files: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "name", ["weights.pkl", "../card.json", "/etc/passwd", "folder/", "sub/card.json", "__MACOSX/card.json", "C:\\x"]
)
def test_anything_else_inside_is_refused(tmp_path: Path, name: str) -> None:
    checkpoint = made_checkpoint(tmp_path / "a")
    pack(checkpoint, tmp_path / "one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip", "a") as archive:
        archive.writestr(name, "x")
    with pytest.raises(InputError, match="and nothing else"), unpacked(tmp_path / "one.zip"):
        pass
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "one.zip"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_is_no_checkpoint_is_one_sentence(tmp_path: Path) -> None:
    card, weights = (CARD, b"{}"), (WEIGHTS, b"x")
    bomb = (WEIGHTS, bytes(20 * 2**20))
    for files, words in (
        ((card,), "has no weights.safetensors, or several"),
        ((weights,), "has no card.json, or several"),
        ((card, weights, card), "has no card.json, or several"),
        ((), "has no weights"),
        ((card, bomb), "weights.safetensors unpacks to far more than a checkpoint has"),
        (((CARD, b" " * 2**21), weights), "card.json unpacks to far more"),
    ):
        path = zip_of(tmp_path / "it.zip", *files)
        with pytest.raises(InputError, match=words), unpacked(path):
            pass
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InputError, match="is damaged, or no zip"), unpacked(path):
        pass
    with pytest.raises(InputError, match=r"There is no checkpoint .*none.zip"), unpacked(tmp_path / "none.zip"):
        pass


def test_the_folder_that_a_zip_lies_about_is_not_made(tmp_path: Path) -> None:
    """Sizes in a zip's list are what its maker wrote there."""
    path = zip_of(tmp_path / "it.zip", (CARD, b"{}"), (WEIGHTS, bytes(2**22)))
    content = path.read_bytes().replace((2**22).to_bytes(4, "little"), (5).to_bytes(4, "little"))
    path.write_bytes(content)
    with pytest.raises(InputError), unpacked(path):
        pass
