"""`endpoint …` from a terminal."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import NotAllowed
from db.engine import engine
from db.judges import consent
from db.migrate import migrate
from db.studies import studies
from tests.db.conftest import make_study
from tests.terminal import as_json, bad, good

NAME = ("--study", "small")
ADDRESS = "https://api.example.org/v1"


@pytest.fixture
def study(home: Path) -> Iterator[int]:
    migrate()
    yield make_study().id
    engine().dispose()


def test_agreeing_and_taking_back(home: Path, study: int) -> None:
    engine().dispose()
    assert as_json("endpoint", "list", *NAME, home=home) == {"study": "small", "rows": []}
    made = as_json("endpoint", "allow", *NAME, "--endpoint", ADDRESS + "/", home=home)
    assert made == {"study": "small", "endpoint": ADDRESS, "allowed": True}
    consent.check(study, ADDRESS)
    engine().dispose()
    (row,) = as_json("endpoint", "list", *NAME, home=home)["rows"]
    assert (row["endpoint"], row["by"]) == (ADDRESS, None)
    assert "terminal" in good("endpoint", "list", *NAME, home=home)
    out = good("endpoint", "withdraw", *NAME, "--endpoint", ADDRESS, home=home)
    assert out == f"Nothing of small is sent to {ADDRESS} any more.\n"
    with pytest.raises(NotAllowed):
        consent.check(studies.find("small").id, ADDRESS)
    assert "Nobody had agreed" in bad("endpoint", "withdraw", *NAME, "--endpoint", ADDRESS, home=home)
    assert "http:// or https://" in bad("endpoint", "allow", *NAME, "--endpoint", "example.org", home=home)


def test_what_it_would_cost(home: Path, study: int) -> None:
    engine().dispose()
    command = ("endpoint", "estimate", *NAME, "--times", "3", "--instructions", "100", "--most-tokens", "10")
    found = as_json(*command, "--prompt-price", "1", "--reply-price", "2", home=home)
    assert (found["stories"], found["requests"], found["reply_tokens"]) == (10, 30, 300)
    assert found["cost"] == pytest.approx((found["prompt_tokens"] + 600) / 1e6)
    assert as_json(*command, home=home)["cost"] is None
    assert "unknown without prices" in good(*command, home=home)
