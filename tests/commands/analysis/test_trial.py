"""`judge` asks a judge first, where it is told how or where, and then shows its trial."""

import json
from pathlib import Path

import pytest

from core.analysis.verdict.few_stories import TOO_FEW
from core.annotation.studies import Study
from core.people import TERMINAL
from db.engine import engine
from db.judges import consent
from db.scores import scores
from tests.db.judged import JUDGES, judged_study
from tests.db.quoting import quoting_study
from tests.judges.server import MODEL, JudgeServer
from tests.terminal import as_json, bad, good

JUDGE = ("judge", "--study", "judged", "--resamples", "50")


@pytest.fixture
def study(database: str) -> Study:
    """With ratings on two criteria, and judges from a file."""
    found = judged_study()
    engine().dispose()
    return found


def there(server: JudgeServer, study: Study) -> tuple[str, ...]:
    """The options for a judge at this server, to which an owner has agreed."""
    consent.give(TERMINAL, study.id, server.address)
    engine().dispose()
    return "--endpoint", server.address, "--endpoint-model", MODEL


def test_it_is_asked_once_and_then_tried(home: Path, study: Study, judge_server: JudgeServer) -> None:
    at = there(judge_server, study)
    stories = len(set(scores.story_keys(study.id)))
    engine().dispose()
    report = as_json(*JUDGE, "--target", "coherence", *at, home=home)
    (row,) = report["run"]["rows"]
    assert row["metric"] == f"judge:coherence[{MODEL}]"
    assert row["scored"] == len(judge_server.asked) > 50
    (trial,) = report["targets"].values()
    (tried,) = [one for one in trial["rows"] if one["signatures"] == [row["signature"]]]
    assert tried["n"] == stories
    assert {one["judge"] for one in trial["rows"]} - {tried["judge"]} == set(JUDGES)
    asked = len(judge_server.asked)
    again = as_json(*JUDGE, "--target", "coherence", *at, home=home)
    assert again["run"]["rows"][0]["scored"] == 0
    assert again["targets"] == report["targets"]
    score = ("score", "--study", "judged", "--metric", "judge:coherence", *at)
    assert as_json(*score, home=home)["rows"][0]["scored"] == 0
    assert len(judge_server.asked) == asked
    assert as_json(*JUDGE, "--target", "coherence", home=home) == {**report, "run": None}


def test_criteria_are_asked_in_one_reply(home: Path, study: Study, judge_server: JudgeServer) -> None:
    judge_server.says = lambda text: json.dumps({"coherence": 1 + len(text) % 5, "empathy": 2})
    at = there(judge_server, study)
    way = ("--way", "criteria", "--option", "judge.few_shot=2", "--endpoint-setting", "concurrency=4")
    report = as_json(*JUDGE, "--target", "mean:coherence,empathy", *way, *at, home=home)
    assert [row["metric"].split("[")[0] for row in report["run"]["rows"]] == ["judge:coherence", "judge:empathy"]
    assert all("|few_shot:2|" in row["signature"] and "|way:criteria|" in row["signature"]
               for row in report["run"]["rows"])  # fmt: skip
    assert len(judge_server.asked) == report["run"]["rows"][0]["scored"]
    out = good(*JUDGE, *way, *at, home=home)
    assert "reused" in out
    assert "coherence: agreement with people" in out
    assert "empathy: agreement with people" in out


@pytest.mark.slow
def test_the_bundled_judge(home: Path, database: str) -> None:
    judged_study(prompts=4)  # a second of a processor each
    engine().dispose()
    report = as_json(*JUDGE, "--target", "empathy", "--way", "points", "--device", "cpu", home=home)
    (row,) = report["run"]["rows"]
    assert row["metric"] == "judge:empathy"
    assert row["undefined"] == 0
    assert "judge:empathy" in {one["judge"] for one in report["targets"]["empathy"]["rows"]}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--way", "deductions"), "error types take points"),
        (("--way", "points", "--option", "judge.way=criteria"), "judge:coherence is asked for with different options"),
        (("--option", "judge.wit=1"), "has no option 'wit'"),
        (("--endpoint-model", "m"), "with --endpoint"),
        (("--endpoint", "https://api.example.org/v1", "--endpoint-model", "m"), "an owner has to agree first"),
        (("--way", "points", "--target", "wit"), "There is no criterion 'wit'"),
        (("--device", "moon"), "There is no device 'moon'"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(home: Path, study: Study, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in bad(*JUDGE, *words, home=home)


def test_quotes_stand_beside_what_people_marked(home: Path, database: str) -> None:
    quoting_study()
    engine().dispose()
    out = good("judge", "--study", "small", home=home)
    assert "overall rating: errors quoted, and passages marked" in out
    (row,) = as_json("judge", "--study", "small", home=home)["targets"]["overall rating"]["rows"]
    quotes = row["quotes"]
    assert (row["judge"], quotes["stories"], quotes["quotes"], quotes["located"]) == (
        "judge:overall[way=deductions]",
        15,
        30,
        15,
    )
    assert 0 < quotes["right"]["value"] < 1
    assert quotes["kappa"]["value"] < quotes["one_person"]["value"]


def test_of_too_few_stories_no_table_has_an_interval(home: Path, database: str) -> None:
    for prompts, shown in ((9, False), (10, True)):  # three stories each
        judged_study(prompts=prompts, name=f"of{prompts}")
        engine().dispose()
        for command in ("judge", "biases"):
            out = good(command, "--study", f"of{prompts}", "--resamples", "50", home=home)
            assert (" … " in out) == shown
            assert (TOO_FEW in " ".join(out.split())) != shown
