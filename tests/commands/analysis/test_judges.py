"""`alt-test` and `judge` from a terminal: published results, a study with known judges, refusals."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from db.engine import engine
from tests.db.judged import JUDGES, judged_study, unlike_on_coherence
from tests.rated import rated_study
from tests.terminal import as_json, bad, good


@pytest.fixture
def judged(home: Path, database: str) -> Path:
    """A home with the study of judges."""
    judged_study()
    engine().dispose()
    return home


def test_all_six_folders_come_out_as_published(home: Path, shared: Path) -> None:
    golden = defaultdict(list)
    with (shared / "alttest" / "golden.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            golden[row["data"], row["scoring"], row["epsilon"]].append(row)
    assert len(golden) == 6
    for (data, scoring, epsilon), rows in golden.items():
        folder = str(shared / "alttest" / data)
        report = as_json("alt-test", folder, "--scoring", scoring, "--epsilon", epsilon, home=home)
        assert {
            row["judge"]: (f"{row['winning_rate']:.2f}", f"{row['advantage_probability']:.2f}", str(row["passed"]))
            for row in report["rows"]
        } == {row["judge"]: (row["winning_rate"], row["advantage_probability"], row["passed"]) for row in rows}
        told = as_json("alt-test", folder, "--epsilon", epsilon, home=home)
        assert (told["scoring"], told["rows"]) == (scoring, report["rows"])


def test_a_study_s_judges_on_every_criterion(judged: Path) -> None:
    report = as_json("alt-test", "--study", "judged", "--metric", "words:empathy", home=judged)
    assert (report["scoring"], report["epsilon"], report["annotators"]) == ("neg_rmse", 0.1, "crowd")
    passed = {(row["judge"], row["target"]): row["passed"] for row in report["rows"] if not row["calibrated"]}
    assert {judge for judge, _ in passed} == set(JUDGES)
    assert all(passed["copy/1", target] and not passed["guess", target] for target in ("coherence", "empathy"))
    first = report["rows"][0]
    assert (first["judge"], first["advantage_probability"]) == ("copy/1", 1.0)
    assert [one["person"] for one in first["people"]] == [f"P{n} (annotator {n + 1})" for n in range(4)]
    assert first["instances"] == 60
    assert all(one["rejected"] and one["n"] == 60 for one in first["people"])
    assert [row["judge"] for row in report["rows"] if row["calibrated"]] == ["words:empathy"] * 2
    out = good("alt-test", "--study", "judged", "--annotators", "expert", home=judged)
    assert "copy/1 may stand in for an expert on coherence and empathy." in out
    assert "Nothing shows that guess may stand in for an expert on coherence or empathy." in out
    one = as_json("alt-test", "--study", "judged", "--target", "mean:coherence,empathy", home=judged)
    assert {row["target"] for row in one["rows"]} == {"mean of coherence and empathy"}


def test_of_ratings_that_do_not_agree_no_judge_may_stand_in(home: Path, database: str) -> None:
    unlike_on_coherence()
    engine().dispose()
    report = as_json("alt-test", "--study", "unlike", home=home)
    assert report["disagreed"] == ["coherence"]
    assert report["verdicts"] == {
        "copy": "copy may stand in for a crowd worker on empathy; on coherence no verdict can be drawn, as nothing "
        "shows that the ratings agree with one another."
    }
    out = good("alt-test", "--study", "unlike", home=home)
    assert "no verdict" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--study", "hidden"), "the data hides who rated"),
        (("--study", "judged", "--epsilon", "0.1", "--annotators", "crowd"), "give one of the two"),
        (("--study", "judged", "--target", "wit"), "There is no criterion 'wit'"),
        (("--study", "judged", "--metric", "bleu"), "The study has no scores of 'bleu'"),
        ((), "Give a study with --study, or a folder"),
        (("--human", "x.json"), "both --human and --judges"),
        (("nowhere",), "There is no human_annotations.json in nowhere"),
        (("--epsilon", "0.1", "--target", "x", "--human", "a", "--judges", "b"), "are for a study"),
    ],
)
def test_what_cannot_be_tested_is_one_sentence(judged: Path, words: tuple[str, ...], sentence: str) -> None:
    rated_study(4, metrics=("m:overall",), name="hidden")
    engine().dispose()
    assert sentence in bad("alt-test", *words, home=judged)


def test_the_trial_of_a_study_s_judges(judged: Path) -> None:
    report = as_json("judge", "--study", "judged", "--resamples", "100", home=judged)
    assert list(report["targets"]) == ["coherence", "empathy"]
    trial = report["targets"]["coherence"]
    rows = {row["judge"]: row for row in trial["rows"]}
    assert next(iter(rows)) == "copy/1"
    assert rows["copy/1"]["pooled"]["pearson"]["value"] == pytest.approx(1)
    assert rows["copy/1"]["confusion"]["exact"]["value"] == 1
    assert rows["words"]["biases"]["longer"]["low"] > 0.3
    assert rows["partial"]["biases"]["relatives"] == ["partial"]
    assert rows["partial"]["biases"]["family"]["low"] > 0.5
    assert rows["copy/2"]["biases"]["wordings"]["value"] < trial["between_judges"]["value"]
    worst = rows["guess"]["disagreements"][0]
    assert set(worst) == {"story", "human", "judge", "apart"}
    out = good("judge", "--study", "judged", "--target", "empathy", "--resamples", "50", home=judged)
    assert "empathy: agreement with people, Pearson's r" in out
    assert "Over stories reach: one human rater" in out
    assert "empathy: biases" in out
    assert "import some with `import judges`" in bad("judge", "--study", _without(judged), home=judged)


def _without(home: Path) -> str:
    rated_study(3, name="plain")
    engine().dispose()
    return "plain"
