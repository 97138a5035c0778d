"""People from a terminal: invited, listed, their data out and gone."""

import json
from pathlib import Path

import pytest

from core.people import TERMINAL, Role
from db.engine import engine
from db.people import owner, people
from db.studies import studies
from tests.db.conftest import make_annotator, make_study
from tests.terminal import as_json, bad, good


@pytest.fixture
def small(home: Path, database: str) -> Path:
    """A home with a study and one annotator, person 1."""
    make_annotator(make_study(), "Ann")
    engine().dispose()
    return home


def test_everybody_is_listed(small: Path) -> None:
    good("people", "invite", "--role", "owner", "--email", "who@example.org", home=small)
    rows = as_json("people", "list", home=small)["rows"]
    assert [(row["person"], row["name"], row["role"], row["state"]) for row in rows] == [
        (2, "who@example.org", "owner", "active"),
        (1, "Ann", "annotator", "active"),
    ]
    assert [row["name"] for row in as_json("people", "list", "--study", "small", home=small)["rows"]] == ["Ann"]
    assert "Ann" in good("people", "list", home=small)
    assert "Annotators have links" in bad(
        "people", "invite", "--role", "annotator", "--study", "small", "--email", "a@example.org", home=small
    )


def test_a_persons_data_is_written_and_erased(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "ann.json"
    good("people", "export-data", "1", "--out", str(out), home=small)
    assert json.loads(out.read_text())["person"]["name"] == "Ann"
    assert out.stat().st_mode & 0o077 == 0
    assert json.loads(good("people", "export-data", "1", "--out", "-", home=small))["panels"] == []
    assert "keep or delete" in bad("people", "erase", "1", "--ratings", "some", "--yes", home=small)
    assert "is erased" in good("people", "erase", "1", "--ratings", "keep", "--yes", home=small)
    assert "Ann" not in good("people", "list", home=small)
    assert "erased already" in bad("people", "erase", "1", "--ratings", "keep", "--yes", home=small)
    assert "no person 9" in bad("people", "export-data", "9", "--out", "-", home=small)


def test_a_link_of_the_terminal_works(small: Path) -> None:
    link = good("people", "invite", "--role", "researcher", "--address", "https://rate.example.org/", home=small)
    address, _, token = link.strip().rpartition("/enter/")
    assert address == "https://rate.example.org"
    person = people.by_token(token)
    assert person is not None
    assert person.role is Role.RESEARCHER


def test_a_researcher_is_given_studies(small: Path) -> None:
    make_study("two")
    engine().dispose()
    invite = ("people", "invite", "--role")
    token = good(*invite, "researcher", "--study", "small", "--study", "two", home=small).strip().rpartition("/")[2]
    person = people.by_token(token)
    assert person is not None
    assert len(people.studies_of(TERMINAL, person.id or 0)) == 2
    assert "runs two now" in good("people", "studies", str(person.id), "--study", "two", home=small)
    assert [summary.study.name for summary in studies.summaries(person)] == ["two"]
    assert "no study of others" in good("people", "studies", str(person.id), home=small)
    assert "given to researchers" in bad("people", "studies", "1", "--study", "two", home=small)
    assert "given to researchers" in bad(*invite, "owner", "--study", "two", home=small)
    assert "give --study once" in bad(*invite, "annotator", "--study", "small", "--study", "two", home=small)


def test_a_new_link_ends_the_old_one(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_ADDRESS", "https://rate.example.org/")
    link = good("people", "new-link", "1", home=small).strip()
    assert link.startswith("https://rate.example.org/enter/")
    again = good("people", "new-link", "1", home=small).strip()
    assert people.by_token(link.rpartition("/")[2]) is None
    assert people.by_token(again.rpartition("/")[2]) is not None
    assert "no personal link" in bad("people", "new-link", "99", home=small)


def test_the_owners_link_is_renewed_where_it_is_kept(small: Path) -> None:
    before = owner.owner_link("http://localhost:1").rpartition("/")[2]
    person = people.by_token(before)
    assert person is not None
    renewed = good("people", "new-link", str(person.id), home=small).strip().rpartition("/")[2]
    assert owner.owner_link("http://localhost:1").rpartition("/")[2] == renewed
    assert people.by_token(before) is None
    assert len(people.listed(TERMINAL)) == 2  # no further owner was made
