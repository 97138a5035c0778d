"""Whole exports: files, manifest, zip."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.exports.package import table_files, text_files, write_file, write_folder, zipped
from core.formats.manifest import NAME, manifest_from
from tests.core.formats.exports.conftest import HEAD, WHEN, exportable, folder_of


def test_the_manifest_says_what_is_there(tmp_path: Path, kind: str) -> None:
    folder = folder_of(tmp_path / "out", kind)
    data = json.loads((folder / NAME).read_text(encoding="utf-8"))
    assert data["raw_ids_included"] is False
    assert data["study"]["scheme"] == "mans"
    assert data["exported_at"] == WHEN.isoformat()
    assert data["counts"] == {
        "stories": {"human": 1, "negative": 1, "system": 2},
        "panels": {"imported": 1, "open": 1, "submitted": 2},
        "ratings": {"imported": 1, "open": 1, "submitted": 4},
        "scores": {"bleu": 2, "mine, own": 1},
    }
    assert set(data["files"]) == {f"{table}.{kind}" for table in ("stories", "panels", "ratings", "scores")}
    for name, entry in data["files"].items():
        content = (folder / name).read_bytes()
        assert (entry["bytes"], entry["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    manifest = manifest_from((folder / NAME).read_text(encoding="utf-8"))
    assert (manifest.study, manifest.format, manifest.files["ratings." + kind].rows) == (HEAD, kind, 6)
    assert manifest_from(manifest.as_json()) == manifest


def test_a_zip_holds_the_same_files(tmp_path: Path, kind: str) -> None:
    folder = folder_of(tmp_path / "out", kind)
    made = b"".join(zipped(table_files(exportable(), kind, "0.1.0", WHEN)))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {
            file.name: file.read_bytes() for file in folder.iterdir()
        }


def test_a_zip_comes_in_pieces() -> None:
    def large() -> Iterator[tuple[str, Iterator[bytes]]]:
        yield "noise.parquet", (hashlib.sha256(b"%d" % i).digest() * 100 for i in range(1_000))

    pieces = list(zipped(large()))
    assert sum(map(len, pieces)) > 3_200_000
    assert max(map(len, pieces)) < 10_000


def test_files_of_other_formats_have_a_manifest_too() -> None:
    files = text_files({"a.txt": "x\ny\n"}, "union", HEAD, {"ratings": {"valid": 2}}, "0.1.0", WHEN)
    result = {name: b"".join(chunks).decode() for name, chunks in files}
    assert result["a.txt"] == "x\ny\n"
    manifest = manifest_from(result[NAME])
    assert (manifest.format, manifest.files["a.txt"].rows, manifest.counts) == ("union", 2, {"ratings": {"valid": 2}})


def test_an_unknown_kind_is_refused_before_the_first_file() -> None:
    with pytest.raises(InputError, match="xlsx"):
        table_files(exportable(), "xlsx", "0.1.0", WHEN)


def broken() -> Iterator[bytes]:
    yield b"half"
    raise ValueError("in the middle")


def test_what_breaks_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    older = tmp_path / "older.csv"
    older.write_text("older")
    with pytest.raises(ValueError, match="in the middle"):
        write_file(broken(), older)
    with pytest.raises(ValueError, match="in the middle"):
        write_folder(iter([("a.csv", iter([b"whole"])), ("b.csv", broken())]), tmp_path / "folder")
    assert [file.name for file in tmp_path.iterdir()] == ["older.csv"]
    assert older.read_text() == "older"


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="has files in it already"):
        folder_of(tmp_path / "full", "csv")
    assert [file.name for file in (tmp_path / "full").iterdir()] == ["mine.txt"]
    (tmp_path / "empty").mkdir()
    assert (folder_of(tmp_path / "empty", "csv") / NAME).is_file()
    with pytest.raises(InputError, match="cannot be written"):
        folder_of(tmp_path / "full" / "mine.txt" / "out", "csv")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"fabula": 3}, "not the manifest of an export"),
        ({"study": {}}, "'study'"),
        ({"files": {"ratings.csv": {"rows": 1}}}, "'files'"),
        ({"counts": {"ratings": {"open": "many"}}}, "'counts'"),
        ({"counts": []}, "'counts'"),
        ({"exported_at": "yesterday"}, "'exported_at'"),
        ({"files": {"x" * 300: {}}}, "'files'"),
    ],
)
def test_a_manifest_that_is_none_names_its_field(tmp_path: Path, change: dict[str, object], field: str) -> None:
    data = json.loads((folder_of(tmp_path / "out", "csv") / NAME).read_text(encoding="utf-8"))
    with pytest.raises(InputError, match=field):
        manifest_from(json.dumps({**data, **change}))


@pytest.mark.parametrize(
    "change",
    [
        {"scheme": "none"},
        {"rules": {"ratings_wanted": 0}},
        {"rules": {"human_least": 9}},
        {"rules": {"unknown": 1}},
        {"name": "x" * 201},
        {"name": "\0"},
        {"raters_identified": "no"},
        {"form": {"key": "mans"}},
        *({"guideline_version": wrong} for wrong in ("v1", "", "1.5", "-1", "²", "1" * 10, 1)),
    ],
)
def test_settings_that_no_study_has_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    data = json.loads((folder_of(tmp_path / "out", "csv") / NAME).read_text(encoding="utf-8"))
    with pytest.raises(InputError, match="'study'"):
        manifest_from(json.dumps({**data, "study": {**data["study"], **change}}))
