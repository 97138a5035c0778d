"""How the server is: a word, and nothing of what it is made of."""

import pytest

from core.annotation.studies import Study
from db.migrate import newest
from tests.routes.client import browser


def test_well(study: Study) -> None:
    answer = browser().get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "revision": newest()})


def test_ill(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody@localhost:1/secret-name")
    answer = browser().get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "the database does not answer"})
