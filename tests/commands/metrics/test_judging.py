"""`endpoint …` from a terminal."""

from pathlib import Path
from typing import Any

import pytest

from core.errors import NotAllowed
from core.people import TERMINAL
from db.engine import engine
from db.judges import consent
from db.scores import tables
from db.studies import studies
from tests.db.conftest import make_study
from tests.judges.likelihood_server import START, LikelihoodServer
from tests.judges.server import KEY, MODEL, JudgeServer
from tests.terminal import as_json, bad, good

NAME = ("--study", "small")
ADDRESS = "https://api.example.org/v1"


@pytest.fixture
def study(database: str) -> int:
    return make_study().id


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


def judged(home: Path, address: str, *words: str) -> Any:
    engine().dispose()
    where = ("--endpoint", address, "--endpoint-model", MODEL)
    return as_json("score", *NAME, "--metric", "judge", *where, *words, home=home)


def test_a_study_is_judged_on_a_server(
    home: Path, study: int, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only after consent, with the key in no row, and the second time nothing is asked."""
    judge_server.key = KEY
    monkeypatch.setenv("FABULA_JUDGE_KEY", KEY)
    judge_server.seconds = 0.2  # so that several are asked at once, however busy the machine
    address = judge_server.address
    where = ("score", *NAME, "--metric", "judge", "--endpoint", address, "--endpoint-model", MODEL)
    engine().dispose()
    assert "an owner has to agree first" in bad(*where, home=home)
    assert not judge_server.asked
    consent.give(TERMINAL, study, address)
    settings = ("--endpoint-setting", "concurrency=4", "prompt_price=1000", "reply_price=1000", "cap=100")
    found = judged(home, address, *settings)
    (row,) = found["rows"]
    assert (row["scored"], row["undefined"]) == (10, 0)
    assert f"|model:{MODEL}@{address.split('/')[2]}|" in row["signature"]
    assert "dtype" not in row["signature"]
    assert [text.startswith("judge:overall: 10 replies, of ") for text in found["notices"]] == [True]
    asked = len(judge_server.asked)
    assert asked == 10
    assert 1 < judge_server.most_at_once <= 4
    again = judged(home, address)
    assert (again["rows"][0]["scored"], again["rows"][0]["reused"], len(judge_server.asked)) == (0, 10, asked)
    table = tables.table(study, [row["signature"]])
    (column,) = table.columns
    told = {asked.text: asked for asked in judge_server.asked}
    assert len(told) == 10
    assert all(1 < value < 5 for value in column.values)
    engine().dispose()
    for file in (path for path in home.rglob("*") if path.is_file() and not path.is_relative_to(home / "models")):
        assert KEY.encode() not in file.read_bytes(), file


def test_the_cap_stops_a_run_which_goes_on_with_a_higher_one(home: Path, study: int, judge_server: JudgeServer) -> None:
    consent.give(TERMINAL, study, judge_server.address)
    prices = ("--endpoint-setting", "prompt_price=1000", "reply_price=1000", "most_tokens=5", "concurrency=1")
    engine().dispose()
    command = ("score", *NAME, "--metric", "judge", "--endpoint", judge_server.address, "--endpoint-model", MODEL)
    assert "The cap of 1.50 is reached" in bad(*command, *prices, "cap=1.5", home=home)
    asked = len(judge_server.asked)
    assert 0 < asked < 10
    (row,) = judged(home, judge_server.address, *prices)["rows"]
    assert (row["scored"], len(judge_server.asked)) == (10, 10)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--endpoint", "example.org"), "http:// or https://"),
        (("--endpoint", ADDRESS, "--endpoint-setting", "key=sk-1"), "no setting 'key'; there are concurrency"),
        (("--endpoint", ADDRESS, "--endpoint-setting", "cap=much"), "is a number, not 'much'"),
        (("--endpoint", ADDRESS, "--endpoint-setting", "concurrency=0"), "from 1 to 256"),
        (("--endpoint-model", "m"), "with --endpoint"),
    ],
)
def test_what_is_no_endpoint(home: Path, study: int, words: tuple[str, ...], reason: str) -> None:
    consent.give(TERMINAL, study, ADDRESS)
    engine().dispose()
    model = () if "--endpoint-model" in words else ("--endpoint-model", MODEL)
    assert reason in bad("score", *NAME, "--metric", "judge", *model, *words, home=home)


def test_an_endpoint_without_a_judge_or_a_study(home: Path, study: int, tmp_path: Path) -> None:
    consent.give(TERMINAL, study, ADDRESS)
    engine().dispose()
    where = ("--endpoint", ADDRESS, "--endpoint-model", MODEL)
    assert "no judge is among the metrics" in bad("score", *NAME, "--metric", "bleu", *where, home=home)
    file = tmp_path / "stories.jsonl"
    file.write_text('{"text": "It rained."}\n')
    assert "give --study" in bad("score", "--in", str(file), "--metric", "judge", *where, home=home)


def test_how_likely_a_server_finds_a_study_s_stories(
    home: Path, study: int, likelihood_server: LikelihoodServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As this machine's model does; only after consent, with the key in no row, and once for all that it serves."""
    likelihood_server.key = KEY
    monkeypatch.setenv("FABULA_JUDGE_KEY", KEY)
    address = likelihood_server.address
    metrics = ("score", *NAME, "--metric", "perplexity", "--metric", "perplexity-exp")
    where = ("--endpoint", address, "--endpoint-model", MODEL, "--endpoint-setting", f"start={START}", "concurrency=2")
    engine().dispose()
    assert "an owner has to agree first" in bad(*metrics, *where, home=home)
    assert not likelihood_server.asked
    consent.give(TERMINAL, study, address)
    engine().dispose()
    there = as_json(*metrics, *where, home=home)["rows"]
    assert [(row["scored"], row["undefined"]) for row in there] == [(10, 0), (10, 0)]
    assert len(likelihood_server.asked) == 10
    assert f"|model:{MODEL}@{address.split('/')[2]}|start:<%7Cendoftext%7C>|" in there[0]["signature"]
    here = as_json(*metrics, home=home)["rows"]
    table = tables.table(study, [there[0]["signature"], here[0]["signature"]])
    first, second = (column.values for column in table.columns)
    assert first == pytest.approx(second, abs=1e-4)
    engine().dispose()
    for file in (path for path in home.rglob("*") if path.is_file() and not path.is_relative_to(home / "models")):
        assert KEY.encode() not in file.read_bytes(), file
