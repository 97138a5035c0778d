"""`wording`, and what `judge`, `alt-test` and `report` say of judges in a study's own words."""

from pathlib import Path

import pytest

from core.judges.halves import Half
from db.engine import engine
from tests.db.judged import judged_study, unlike_on_coherence
from tests.db.worded import ask, save_wording
from tests.rated import rated_study
from tests.terminal import as_json, bad, good

MINE = "judge:coherence[template=mine.{}]".format
STUDY = ("--study", "judged", "--target", "coherence")


@pytest.fixture
def worded(home: Path, database: str) -> Path:
    """A home with a study whose judge has three versions of a wording, of which the second is on both halves."""
    study = judged_study()
    for words in ("You judge.", "You judge sternly.", "You judge mildly."):
        save_wording(study, words)
    ask(study, "standard", 2.5)
    ask(study, "mine.1", 1.5, Half.DEVELOPMENT)
    ask(study, "mine.2", 0.3)
    ask(study, "mine.3", 0.6, Half.DEVELOPMENT)
    engine().dispose()
    return home


def test_what_was_tried_and_which_is_better(worded: Path) -> None:
    report = as_json("wording", *STUDY, "--compare", "mine.2", "mine.1", home=worded)
    assert [row["template"] for row in report["rows"]] == ["standard", "mine.1", "mine.2", "mine.3"]
    assert (report["wordings"], report["judges"], report["n"]) == (3, 3, 30)
    assert report["prompts"] == {"development": 10, "held-out": 10}
    assert [row["held_out"] for row in report["rows"]] == [30, 0, 30, 0]
    r = {row["template"]: row["pearson"]["value"] for row in report["rows"]}
    pair = report["comparison"]
    assert pair["difference"] == pytest.approx(r["mine.2"] - r["mine.1"])
    assert pair["low"] < pair["difference"] < pair["high"]
    assert 0 < pair["permutation_p"] < 0.05
    said = good("wording", *STUDY, "--compare", "mine.2", "mine.1", home=worded)
    assert "3 versions of the wording were tried, on 10 of 20 prompts." in said
    assert f"{MINE(2)} less {MINE(1)}, pearson, over 30 stories: 0." in said


def test_two_have_no_p_where_the_ratings_do_not_agree(home: Path, database: str) -> None:
    study = unlike_on_coherence()
    save_wording(study, "You judge.")
    for title in ("standard", "mine.1"):
        ask(study, title, 0.5)
    engine().dispose()
    said = good("wording", "--study", study.name, "--target", "coherence", "--compare", "mine.1", "standard", home=home)
    assert "over 30 stories: " in said
    assert " p " not in said.partition("over 30 stories: ")[2].partition(".\n")[0]
    assert "nothing shows that the ratings agree" in said


def test_judges_are_reported_on_the_half_that_they_were_not_tuned_on(worded: Path) -> None:
    target = as_json("judge", *STUDY, home=worded)["targets"]["coherence"]
    rows = {row["judge"]: row for row in target["rows"]}
    assert {"judge:coherence", MINE(2), "guess"} <= set(rows)
    assert not {MINE(1), MINE(3)} & set(rows)
    assert (rows[MINE(2)]["n"], rows["judge:coherence"]["n"]) == (30, 60)
    assert target["wordings"] == {
        "wordings": 3,
        "judges": 3,
        "held_out": [MINE(2)],
        "waiting": [MINE(1), MINE(3)],
    }
    said = good("judge", *STUDY, home=worded)
    assert "3 versions of the wording were tried on the development half" in said
    assert f"{MINE(1)}, {MINE(3)}: not reported." in said
    test = as_json("alt-test", *STUDY, home=worded)
    instances = {row["judge"]: {one["n"] for one in row["people"]} for row in test["rows"]}
    assert instances[MINE(2)] == {30}
    assert instances["judge:coherence"] == {60}
    assert test["wordings"]["coherence"]["waiting"] == [
        MINE(1),
        MINE(3),
    ]
    assert "The figures are of the held-out half alone." in good("alt-test", *STUDY, home=worded)


def test_a_metric_s_report_is_of_that_half_too(worded: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    named = ("--out", str(out), "--resamples", "50")
    said = good("report", *STUDY, "--metric", MINE(2), *named, home=worded)
    assert "The figures are of the held-out half alone." in said
    assert "30 of the development half, where 3 versions of the wording were tried" in out.read_text()
    refused = bad("report", *STUDY, "--metric", MINE(1), *named, home=worded)
    assert "Run it there" in refused
    refused = bad("alt-test", *STUDY, "--metric", MINE(1), home=worded)
    assert "Run it there" in refused


def test_commands_about_all_stories_say_what_was_tuned_on_them(worded: Path) -> None:
    for command in ("compare", "correlate"):
        said = good(command, *STUDY, "--metric", "judge:coherence", "--metric", MINE(2),
                    home=worded)  # fmt: skip
        assert "judge:coherence[template=mine.2]: tuned on this study's development half" in said


def test_what_cannot_be_compared_is_refused(worded: Path) -> None:
    assert "there are judge:coherence, judge:coherence[template=mine.1]" in bad(
        "wording", *STUDY, "--compare", "x", "mine.1", home=worded
    )
    assert "are one wording" in bad("wording", *STUDY, "--compare", "mine.1", "mine.1", home=worded)
    assert "There is no coefficient" in bad(
        "wording", *STUDY, "--compare", "mine.1", "mine.2", "--coefficient", "tau", home=worded
    )
    assert "No judge has been asked about empathy" in bad(
        "wording", "--study", "judged", "--target", "empathy", home=worded
    )


def test_a_half_is_of_a_study_and_for_its_own_wordings(worded: Path, home: Path) -> None:
    judge = ("score", "--metric", "judge:coherence", "--half", "development")
    assert "is for judges whose template is the study's own" in bad(*judge, "--study", "judged", home=worded)
    assert "--half is of a study's prompts" in bad(*judge, "--in", "x.csv", home=worded)
    rated_study()
    engine().dispose()
    assert "No judge has been asked" in bad("wording", "--study", "rated", home=home)
