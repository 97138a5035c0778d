"""A process that asks is killed in the middle and started again: nothing that was kept is asked, or paid, twice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from db.judges import replies
from tests.judges.asker import questions
from tests.judges.server import KEY, USUAL, JudgeServer, score_of

ROOT = Path(__file__).resolve().parents[3]
NUMBER, AT_ONCE, KILLED_AFTER = 600, 100, 200


def asker(server: JudgeServer) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-m", "tests.judges.asker", server.address, str(NUMBER), str(AT_ONCE)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "FABULA_JUDGE_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.both_databases
def test_killed_and_started_again(database: str, judge_server: JudgeServer, home: Path) -> None:
    judge_server.key = KEY
    judge_server.faults, judge_server.seconds = USUAL, 0.1
    wanted = questions(NUMBER)
    first = asker(judge_server)
    assert first.stdout is not None
    assert first.stderr is not None
    with first:
        said = [first.stdout.readline().strip() for _ in range(KILLED_AFTER)]
        first.kill()
        said += first.stdout.read().split("\n")[:-1]
        first.stderr.read()
    kept = replies.replies_for([request.key for request in wanted])
    assert set(said) <= set(kept)
    assert KILLED_AFTER <= len(kept) < NUMBER
    before = len(judge_server.asked)
    paid_for = {request.messages[-1].text for request in wanted if request.key in kept}

    out, errors = asker(judge_server).communicate(timeout=300)
    assert errors == ""
    assert {asked.text for asked in judge_server.asked[before:]}.isdisjoint(paid_for)
    now_kept = replies.replies_for([request.key for request in wanted])
    assert {key: now_kept[key] for key in kept} == kept
    assert len(now_kept) == NUMBER
    assert len(out.split("\n")) - 1 == NUMBER - len(kept)
    assert judge_server.most_at_once > AT_ONCE / 2
    # What was under way when it was killed is all that was answered to the end twice.
    twice = {text for text, times in judge_server.told.items() if times > 1}
    assert len(twice) <= AT_ONCE
    assert twice.isdisjoint(paid_for)
    nonsense = {asked.text for asked in judge_server.asked if asked.outcome == "nonsense"}
    for request in wanted:
        text = request.messages[-1].text
        assert now_kept[request.key].problem == ""
        assert now_kept[request.key].text == score_of(text) or text in nonsense
    if database == "sqlite":
        for file in home.glob("fabula.db*"):
            assert KEY.encode() not in file.read_bytes()
