"""`studies`: lists, and what becomes of one, from the terminal."""

from pathlib import Path

import pytest

from db.engine import engine
from db.migrate import migrate
from tests.db.conftest import make_study
from tests.terminal import as_json, bad, good


@pytest.fixture
def small(home: Path) -> Path:
    """A home with a study."""
    migrate()
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
