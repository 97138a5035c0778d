"""An open study in a database of the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.annotation.studies import Study
from db.engine import engine
from db.migrate import migrate
from tests.db.conftest import make_study


@pytest.fixture
def study(home: Path) -> Iterator[Study]:
    migrate()
    yield make_study()
    engine().dispose()
