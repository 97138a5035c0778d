"""`studies`: lists, and what becomes of one, from the terminal."""

from pathlib import Path

import pytest

from db.engine import engine
from tests.db.conftest import make_study
from tests.terminal import as_json, bad, good


@pytest.fixture
def small(home: Path, database: str) -> Path:
    """A home with a study."""
    make_study()
    engine().dispose()
    return home


def names(home: Path, *words: str) -> list[str]:
    return [row["name"] for row in as_json("studies", *words, home=home)["rows"]]


def test_a_study_is_renamed_copied_archived_deleted_and_brought_back(small: Path) -> None:
    assert "small is now called mine" in good("studies", "rename", "--study", "small", "--name", "mine", home=small)
    assert "no ratings" in good("studies", "copy", "--study", "mine", "--name", "again", home=small)
    assert names(small) == ["again", "mine"]
    good("studies", "archive", "--study", "mine", home=small)
    assert (names(small), names(small, "--archived")) == (["again"], ["mine"])
    assert "for 30 days" in good("studies", "delete", "--study", "again", home=small)
    assert names(small) == []
    for name in ("mine", "again"):
        assert f"{name} is back" in good("studies", "restore", "--study", name, home=small)
    assert names(small) == ["again", "mine"]
    assert "no study" in bad("studies", "archive", "--study", "other", home=small).lower()
    assert "archived, or was deleted" in bad("studies", "restore", "--study", "mine", home=small)


def test_an_import_is_listed_and_taken_back(home: Path, tmp_path: Path) -> None:
    for name in ("right", "wrong"):
        (tmp_path / f"{name}.csv").write_text(f"prompt,text,system\nOnce.,A {name} story.,gpt\n")
        good("import", "stories", str(tmp_path / f"{name}.csv"), "--study", "mine", home=home)
    newest, oldest = as_json("studies", "imports", "--study", "mine", home=home)["rows"]
    assert (newest["files"], newest["kind"], newest["brought"]) == ("wrong.csv", "Stories", "1 story")
    assert oldest["files"] == "right.csv"
    number = str(newest["import"])
    said = good("studies", "take-back", "--study", "mine", "--import", number, "--yes", home=home)
    assert "The import of wrong.csv is taken back from mine." in said
    assert [row["stories"] for row in as_json("studies", home=home)["rows"]] == [1]
    assert "remembers no such import" in bad("studies", "take-back", "--study", "mine", "--import", number, home=home)
    good("studies", "take-back", "--study", "mine", "--import", str(oldest["import"]), "--yes", home=home)
    assert "no import that could be taken back" in good("studies", "imports", "--study", "mine", home=home)


def test_an_import_that_people_rate_stays(small: Path) -> None:
    number = str(as_json("studies", "imports", "--study", "small", home=small)["rows"][0]["import"])
    refused = bad("studies", "take-back", "--study", "small", "--import", number, "--yes", home=small)
    assert "is open for annotation; close it before you take an import back" in refused
