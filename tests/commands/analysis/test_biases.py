"""`biases` from a terminal: what ratings tell, a run on a server, its table and JSON, refusals."""

from pathlib import Path

import pytest

from core.people import TERMINAL
from db.engine import engine
from db.judges import consent
from tests.db.conftest import make_study
from tests.db.judged import judged_study
from tests.db.pairs import compared_study
from tests.judges.server import MODEL, JudgeServer
from tests.terminal import as_json, bad, good

NAME = ("--study", "small")
CHECKS = ("asked again", "other wordings", "injected instruction", "damaged story", "harmless change")


@pytest.fixture
def study(database: str) -> int:
    return make_study().id


def test_a_run_on_a_server_and_its_table(home: Path, study: int, judge_server: JudgeServer) -> None:
    there = ("--endpoint", judge_server.address, "--endpoint-model", MODEL)
    command = ("biases", *NAME, "--run", *there, "--stories", "3", "--seed", "2")
    engine().dispose()
    assert "an owner has to agree first" in bad(*command, home=home)
    consent.give(TERMINAL, study, judge_server.address)
    engine().dispose()
    report = as_json(*command, home=home)
    (asked,) = report["run"]["rows"]
    assert (asked["metric"], asked["stories"], asked["questions"]) == ("judge:overall", 3, len(judge_server.asked))
    (row,) = report["targets"]["overall rating"]["rows"]
    assert (row["stories"], row["undefined"], row["signatures"]) == (3, None, [asked["signature"]])
    whole = {one["bias"]: one for one in row["biases"] if one["variant"] is None}
    assert set(CHECKS) < set(whole)
    repeat = whole["asked again"]
    assert (repeat["value"], repeat["unit"], repeat["n"], repeat["share"]["value"]) == (0.0, "points", 3, 0.0)
    assert whole["injected instruction"]["n"] == 12
    assert whole["lenient"]["undefined"] == "no story has both its rating and people's"
    engine().dispose()
    again = as_json("biases", *NAME, "--seed", "2", home=home)
    assert again == {**report, "run": None}
    out = good("biases", *NAME, home=home)
    assert "overall rating: biases of " in out
    assert "3 stories asked about" in out
    for name in (*CHECKS, "already decided", "sentences shuffled"):
        assert name.split()[0] in out


def test_ratings_that_were_imported_have_no_model_to_ask(home: Path, database: str) -> None:
    judged_study(prompts=8)
    engine().dispose()
    report = as_json("biases", "--study", "judged", home=home)
    assert set(report["targets"]) == {"coherence", "empathy"}
    rows = report["targets"]["coherence"]["rows"]
    assert {row["undefined"] for row in rows} == {"imported: there is no model to ask"}
    names = [one["bias"] for one in next(row for row in rows if row["judge"] == "copy/1")["biases"]]
    assert names[:5] == ["lenient", "r with people", "r at equal length", "favours length", "r with length"]
    assert names[5:7] == ["own family", "variants"]
    out = good("biases", "--study", "judged", "--target", "empathy", home=home)
    assert "empathy: biases of words" in out
    assert "coherence: biases" not in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "has no judge of overall rating: run one with `score`"),
        (("--metric", "judge"), "--metric is of a run: give --run too"),
        (("--stories", "5"), "--stories is of a run"),
        (("--run", "--stories", "0"), "A bias run is of 1 to 1,000 stories, not 0"),
        (("--run", "--metric", "bleu"), "and bleu is none"),
        (("--run", "--metric", "judge:beauty"), "no criterion 'beauty'"),
        (("--run", "--endpoint-model", "m"), "with --endpoint"),
    ],
)
def test_what_cannot_be_measured(home: Path, study: int, words: tuple[str, ...], reason: str) -> None:
    engine().dispose()
    assert reason in bad("biases", *NAME, *words, home=home)


def test_a_study_of_pairs_has_no_biases_here(home: Path, database: str) -> None:
    compared_study()
    engine().dispose()
    assert "a judge here rates single ones" in bad("biases", "--study", "pairs", home=home)
