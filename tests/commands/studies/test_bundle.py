"""`bundle`: a folder or a zip, and what is said of it."""

import json
import zipfile
from pathlib import Path

import pytest

from commands.studies.bundle import bundle
from core.errors import InputError, NotFound
from tests.db.conftest import make_study
from tests.pages.analysis.report import rated_study

pytestmark = pytest.mark.usefixtures("database")


def test_a_folder_and_a_zip_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rated_study("mine [b]")
    out = tmp_path / "found"
    bundle("mine [b]", out, with_data=True, resamples=50, seed=5)
    assert f"The findings of mine [b]: {out / 'index.html'}" in capsys.readouterr().out
    assert "Seed 5; 50 draws" in (out / "index.html").read_text(encoding="utf-8")
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    names = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert names == {*manifest["files"], "manifest.json"}
    assert "data/scores.csv" in names
    bundle("mine [b]", tmp_path / "found.zip", metric=["good"], resamples=50)
    with zipfile.ZipFile(tmp_path / "found.zip") as archive:
        assert archive.namelist() == ["index.html", "reports/01-good.html", "manifest.json"]


def test_what_cannot_be_done_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    rated_study("mine")
    make_study("empty")
    full = tmp_path / "full"
    full.mkdir()
    (full / "note.txt").write_text("mine")
    for study, out, error, sentence in (
        ("mine", full, InputError, "has files in it already"),
        ("mine", full / "note.txt", InputError, "cannot be written"),
        ("empty", tmp_path / "new", InputError, "neither ratings nor scores"),
        ("no", tmp_path / "new", NotFound, "no"),
    ):
        with pytest.raises(error, match=sentence):
            bundle(study, out, resamples=50)
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["full"]
    assert [path.name for path in full.iterdir()] == ["note.txt"]
