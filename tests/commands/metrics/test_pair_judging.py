"""A judge of pairs from a terminal: on a server, its cost, what it says of people's preferences, and refusals."""

from pathlib import Path
from typing import Any

import pytest

from core.people import TERMINAL
from db.engine import engine
from db.judges import consent
from db.scores import pair_verdicts
from tests.db.conftest import make_study
from tests.db.pairs import compared_study, opened
from tests.judges.server import MODEL, JudgeServer
from tests.terminal import as_json, bad, good

NAME = ("--study", "pairs")
PAIRS = 3 * 6
CALLED = f"judge:preference[{MODEL}]"


@pytest.fixture
def study(database: str) -> int:
    return compared_study(prompts=3).id


def judged(home: Path, address: str, *words: str) -> Any:
    engine().dispose()
    where = ("--endpoint", address, "--endpoint-model", MODEL)
    return as_json("score", *NAME, "--metric", "judge", *where, *words, home=home)


def test_pairs_are_judged_on_a_server_and_held_against_people(
    home: Path, study: int, judge_server: JudgeServer
) -> None:
    consent.give(TERMINAL, study, judge_server.address)
    found = judged(home, judge_server.address, "--option", "judge.way=pairs")
    (row,) = found["rows"]
    assert (row["metric"], row["unit"], row["scored"], row["undefined"]) == (CALLED, "pairs", PAIRS, 0)
    assert f"|model:{MODEL}@" in row["signature"]
    assert found["check_up"] == []
    assert [text.startswith(f"judge:preference: {2 * PAIRS} replies, of ") for text in found["notices"]] == [
        False,
        True,
    ]
    assert len(judge_server.asked) == 2 * PAIRS
    again = judged(home, judge_server.address)
    assert (again["rows"][0]["scored"], again["rows"][0]["reused"], len(judge_server.asked)) == (0, PAIRS, 2 * PAIRS)
    (column,) = pair_verdicts.columns(study)
    engine().dispose()
    made = as_json("preferences", *NAME, "--resamples", "50", home=home)
    rows = {one["metric"]: one for one in made["rows"]}
    assert set(rows) == {"knows", "flat", "against", CALLED}
    assert rows[CALLED]["n"] == rows["knows"]["n"]
    (judge,) = made["judges"]
    assert (judge["pairs"], judge["n"]) == (PAIRS, made["n"])
    assert judge["changed"]["value"] == pytest.approx((column.forward != column.backward).mean())
    said = good("preferences", *NAME, "--resamples", "0", home=home)
    assert "Judges, of two stories in both orders" in said
    assert "changes" in said
    alone = as_json("preferences", *NAME, "--metric", CALLED, home=home)
    assert [one["metric"] for one in alone["rows"]] == [CALLED]
    by_signature = as_json("preferences", *NAME, "--metric", row["signature"], "--metric", "flat", home=home)
    assert {one["metric"] for one in by_signature["rows"]} == {CALLED, "flat"}
    assert as_json("preferences", *NAME, "--metric", "flat", home=home)["judges"] == []
    assert "has no scores of 'x'" in bad("preferences", *NAME, "--metric", "x", home=home)


def test_what_it_would_cost(home: Path, study: int) -> None:
    pairs = pair_verdicts.compared(study)
    engine().dispose()
    command = ("endpoint", "estimate", *NAME, "--times", "3", "--instructions", "100", "--most-tokens", "10")
    found = as_json(*command, "--prompt-price", "1", "--reply-price", "2", home=home)
    assert (found["pairs"], found["requests"], found["reply_tokens"]) == (PAIRS, 6 * PAIRS, 60 * PAIRS)
    characters = 3 * (pair_verdicts.characters(pairs) + 2 * PAIRS * 100)
    assert found["prompt_tokens"] == pytest.approx(characters / 4, abs=1)
    assert "pairs" in good(*command, home=home)


def test_the_cap_stops_a_run_which_goes_on_with_a_higher_one(home: Path, study: int, judge_server: JudgeServer) -> None:
    consent.give(TERMINAL, study, judge_server.address)
    prices = ("--endpoint-setting", "prompt_price=1000", "reply_price=1000", "most_tokens=5", "concurrency=1")
    engine().dispose()
    command = ("score", *NAME, "--metric", "judge", "--endpoint", judge_server.address, "--endpoint-model", MODEL)
    assert "The cap of 2.50 is reached" in bad(*command, *prices, "cap=2.5", home=home)
    asked = len(judge_server.asked)
    assert 0 < asked < 2 * PAIRS
    (row,) = judged(home, judge_server.address, *prices)["rows"]
    assert (row["scored"], len(judge_server.asked)) == (PAIRS, 2 * PAIRS)


def test_where_pairs_cannot_be_judged(home: Path, study: int, tmp_path: Path) -> None:
    make_study()
    engine().dispose()
    way = ("--option", "judge.way=pairs")
    said = bad("score", "--study", "small", "--metric", "judge", *way, home=home)
    assert "here stories stand alone" in said
    assert "`export --format preferences`" in said
    assert "here stories stand alone" in bad("score", "--study", "small", "--metric", "judge[way=pairs]", home=home)
    file = tmp_path / "stories.jsonl"
    file.write_text('{"text": "It rained."}\n')
    out = ("--out", str(tmp_path / "out.jsonl"))
    assert "here stories stand alone" in bad("score", "--in", str(file), *out, "--metric", "judge", *way, home=home)
    assert "`preferences --study pairs` holds its judges against people" in bad("judge", *NAME, home=home)
    opened(name="empty")
    engine().dispose()
    assert "empty has no pairs to judge" in bad("endpoint", "estimate", "--study", "empty", home=home)
