"""`correlate` and the parts of the stories it can be split into."""

import json
from pathlib import Path
from typing import Any

import pytest

from commands.analysis.compare import compare
from commands.analysis.correlation import By, ErrorDefinition, correlate
from commands.analysis.systems import systems
from core import arrays
from core.analysis.verdict.few_stories import DISAGREED, TOO_FEW
from core.jobs import JobState
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.annotation import panel_submission
from db.engine import engine
from db.jobs import jobs
from db.scores import scores
from db.studies import studies
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study
from tests.rated import rated_study, unlike_ratings


@pytest.fixture
def scored(home: Path, database: str) -> Path:
    """The home of a study of two prompts with five systems each, one panel rated, and a metric."""
    study = make_study("s")
    who = make_annotator(study)
    panel = begin(who)
    rate(who, panel)
    panel_submission.submit(who, panel.token)
    values = {key: float(number) for number, key in enumerate(scores.story_keys(study.id))}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:1", values))
    return home


def correlated(tmp_path: Path, **options: Any) -> dict[str, Any]:
    target = tmp_path / "found.json"
    correlate("s", resamples=50, json_file=str(target), **options)
    return dict(json.loads(target.read_text(encoding="utf-8")))


def test_few_stories_are_printed_without_a_star(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name, prompts in (("few", 9), ("many", 20)):
        rated_study(prompts=prompts, name=name)
    few, many = [], []
    for name, into in (("few", few), ("many", many)):
        correlate(name, resamples=0, json_file="-")
        into.append(json.loads(capsys.readouterr().out)["rows"][0]["pearson"]["p"])
        correlate(name, resamples=0)
        into.append(capsys.readouterr().out)
    assert few[0] < 0.01  # which JSON keeps
    assert many[0] < 0.01
    assert "*" not in few[1]
    assert TOO_FEW in " ".join(few[1].split())
    assert "*" in many[1]
    assert "too few to claim" not in many[1]
    engine().dispose()


def test_rows_of_parts(scored: Path, tmp_path: Path) -> None:
    whole = correlated(tmp_path)
    assert [row["subset"] for row in whole["rows"]] == [None]
    assert set(whole["rows"][0]["pairwise"]) == {"accuracy", "pairs", "tied_metric", "tied_human", "tied_both"}
    assert "definition" not in whole
    systems = correlated(tmp_path, by=By.SYSTEM)["rows"]
    assert systems[0] == whole["rows"][0]
    assert (systems[1]["subset"], systems[1]["by"], systems[1]["target"]) == ("systems", "system", "overall")
    assert len(systems) == 7
    assert all(row["subset"].startswith("system:") and row["undefined"] for row in systems[2:])
    within = correlated(tmp_path, by=By.PROMPT)["rows"][1]
    assert (within["subset"], within["prompts"]["of"]) == ("prompt", 1)
    types = correlated(tmp_path, by=By.ERROR, definition=ErrorDefinition.UNION)
    assert types["definition"] == "union"
    assert {row["subset"].split(":")[0] for row in types["rows"][1:]} == {"error"}


def test_a_study_that_lies_on_disk(scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More stories than memory should hold: the same line but for its intervals; its parts are worked on in memory."""
    (usual,), parts = correlated(tmp_path)["rows"], correlated(tmp_path, by=By.SYSTEM)["rows"]
    monkeypatch.setattr(arrays, "LARGEST_AT_ONCE", 3)
    (row,) = correlated(tmp_path)["rows"]
    for name in ("pearson", "spearman", "kendall"):
        assert row[name]["value"] == pytest.approx(usual[name]["value"])
    assert (row["metric"], row["n"], row["pairwise"]) == (usual["metric"], usual["n"], usual["pairwise"])
    assert [part["subset"] for part in correlated(tmp_path, by=By.SYSTEM)["rows"]] == [part["subset"] for part in parts]


def test_scoring_that_is_not_over_is_said(scored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = studies.find("s").id
    assert correlated(tmp_path)["under_way"] == []
    correlate("s", resamples=0)
    assert "under way" not in capsys.readouterr().out
    jobs.add(TERMINAL, "train", None, {"name": "another", "metrics": []})
    other = make_study("other")
    jobs.add(TERMINAL, "score", other.id, {"metrics": ["bleu"]})
    running = jobs.add(TERMINAL, "score", study, {"metrics": ["bleu", "/some/where.py:One"]}, runner="terminal 1")
    jobs.beat(running.id, done=4, total=10)
    waiting = jobs.add(TERMINAL, "score", study, {"metrics": ["union"]})
    assert correlated(tmp_path)["under_way"] == [
        {"about": "s: bleu, One", "running": True, "done": 4, "total": 10},
        {"about": "s: union", "running": False, "done": 0, "total": 0},
    ]
    correlate("s", resamples=0)
    out = " ".join(capsys.readouterr().out.split())
    assert "Scoring is still under way: s: bleu, One (40%); s: union (waiting)." in out
    assert "No coefficient that is shown changes by it; which metrics are told apart may" in out
    assert "how many metrics there are. Still to come: bleu, One, union." in out
    jobs.finish(running.id, JobState.DONE, "over", {})
    jobs.cancel(TERMINAL, waiting.id)
    assert correlated(tmp_path)["under_way"] == []


def test_what_is_undefined_is_said_once(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    correlate("s", by=By.ERROR, resamples=0)
    out = " ".join(capsys.readouterr().out.split())
    assert "OpenMEVA (2021), section 4.2" in out
    assert out.count("error:repetitive plots: ") == 1


def test_systems_and_length_held_equal(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rated_study(name="s")
    result = correlated(tmp_path, by=By.EQUAL)
    subsets = [row["subset"] for row in result["rows"]]
    assert subsets == [None, "equal:system", "equal:length", "equal:system+length"]
    assert all(row["pearson"]["value"] is not None or row["undefined"] for row in result["rows"])
    assert set(result["words"]) == {"n", "pearson", "spearman", "kendall"}
    assert result["alpha"]["value"] > 0
    assert result["caution"] is None
    assert result["own_references"] == {"all": 0}
    correlate("s", by=By.EQUAL, resamples=0)
    assert "number of words" in capsys.readouterr().out
    engine().dispose()


def test_ratings_that_do_not_agree_are_announced_first(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unlike_ratings(metrics=("m", "n"))
    result = correlated(tmp_path)
    assert result["alpha"]["low"] <= 0
    assert "unknown" in result["caution"]
    capsys.readouterr()
    correlate("s", resamples=0)
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("Nothing shows that the ratings of these stories agree")
    assert DISAGREED in said
    assert "*" not in said
    compare("s", permutations=20)
    said = " ".join(capsys.readouterr().out.split())
    assert DISAGREED in said
    assert "Cluster" not in said
    systems("s", resamples=0)
    said = " ".join(capsys.readouterr().out.split())
    assert DISAGREED in said
    assert "told apart" not in said
    engine().dispose()
