"""An open study in a database of the test's own, and the routes behind the layer that says who somebody is."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from core.annotation.studies import Study
from routes import join, links
from tests.db.conftest import make_study
from tests.routes.client import browser


@pytest.fixture
def study(database: str) -> Study:
    return make_study()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has tried anything yet."""
    for rate in (links.WRONG_LINKS, join.NEWCOMERS):
        monkeypatch.setattr(rate, "_left", type(rate._left)())


@pytest.fixture
def client() -> Iterator[TestClient]:
    with browser() as made:
        yield made
