"""`preferences` as a user runs it, and the other analyses of a study of pairs."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.annotation.pair_design import PairRules
from db.engine import engine
from tests.db.conftest import make_annotator
from tests.db.pairs import PLANTED, compared_study, corpus, opened, work
from tests.rated import rated_study
from tests.terminal import as_json, bad, good


@pytest.fixture
def fabula(home: Path, database: str) -> Iterator[Path]:
    """A home with a migrated database."""
    yield home
    engine().dispose()


def test_tables_in_plain_words(fabula: Path) -> None:
    study = compared_study(strongest=2)
    said = good("preferences", "--study", study.name, "--resamples", "200", home=fabula)
    for words in (
        "won by the side shown first", "Systems", "Share won, and of how many judgments", "Agreement",
        "Accuracy by strength of preference", "Metrics are held against the decided judgments", "file:000000000000",
    ):  # fmt: skip
        assert words in said, words
    alone = good("preferences", "--study", study.name, "--metric", "flat", "--resamples", "0", home=fabula)
    assert "flat" in alone
    assert "knows" not in alone


def test_json_has_what_is_promised(fabula: Path) -> None:
    study = compared_study()
    result = as_json("preferences", "--study", study.name, "--seed", "3", "--resamples", "100", home=fabula)
    assert (result["study"], result["n"], result["prompts"]) == ("pairs", 2 * 9 * 6, 9)
    assert (result["seed"], result["resamples"]) == (3, 100)
    assert list(result["systems"]) == list(PLANTED)
    assert [row["metric"] for row in result["rows"]] == ["knows", "flat", "against"]
    assert result["agreement"]["repeats"] > 0
    assert result["agreement"]["agreeing"]["value"] > 0.5


def test_what_it_says_of_too_little(fabula: Path) -> None:
    assert "asks about single stories" in bad("preferences", "--study", rated_study().name, home=fabula)
    assert "has no scores of 'x'" in bad(
        "preferences", "--study", compared_study(prompts=2).name, "--metric", "x", home=fabula
    )
    empty = opened(name="empty")
    assert "No judgment of two stories of 'empty' counts yet" in good("preferences", "--study", empty.name, home=fabula)
    assert as_json("preferences", "--study", empty.name, home=fabula)["undefined"].startswith("there are no judgments")
    unscored = compared_study(prompts=1, scored=False, name="unscored")
    said = good("preferences", "--study", unscored.name, home=fabula)
    assert "All judgments are of one prompt" in said
    assert "The study has no scores yet" in said


def test_other_analyses_take_the_share_of_comparisons_won(fabula: Path) -> None:
    study = compared_study(prompts=16)
    about = ("--study", study.name, "--target", "preference")
    said = good("judgments", *about, home=fabula)
    assert "comparisons a story" in said
    assert "`preferences --study pairs` ranks the systems" in said
    assert "alpha" not in said
    for words in ("correlate", "compare", "drift quality", "drift system", "differences", "systems"):
        assert "the share of a story's comparisons" in good(*words.split(), *about, home=fabula), words
    best = as_json("correlate", *about, home=fabula)["rows"][0]
    assert (best["metric"], best["n"]) == ("knows", 64)
    file = fabula / "report.html"
    good("report", *about, "--metric", "knows", "--out", str(file), home=fabula)
    page = file.read_text(encoding="utf-8")
    assert "share of comparisons won by each story" in page
    assert "Two raters of the same two stories choose alike in" in page
    assert "knows orders two stories as people do in" in page


def test_metrics_beside_people(fabula: Path, tmp_path: Path) -> None:
    """All pairs have a human side: `words` counts them once it has scored people, `bleu` cannot, a file where told."""
    study = opened(PairRules(a_panel=3, against_human=True), wanted=1, given=corpus(3), name="beside")
    work(make_annotator(study), random.Random(1))
    about = ("--study", study.name)
    file = tmp_path / "scores.csv"
    names = [*PLANTED, "human"]
    file.write_text("id,mine\n" + "".join(f"{p}-{name},{len(name)}\n" for p in range(3) for name in names))
    said = good("scores", "import", str(file), *about, home=fabula)
    assert "12 scores of mine imported" in said
    assert "Left out as rows of people's stories: 3." in said
    run = as_json("score", *about, "--metric", "words", "--metric", "bleu", home=fabula)
    assert run["n"] == 15
    assert {row["metric"]: row["scored"] for row in run["rows"]} == {"words": 15, "bleu": 12}
    rows = {row["metric"]: row for row in as_json("preferences", *about, home=fabula)["rows"]}
    decided = rows["words"]["n"]
    assert decided == 12
    assert (rows["words"]["missing"], rows["words"]["reasons"], rows["words"]["systems"]) == (0, {}, 4)
    assert (rows["bleu"]["n"], rows["bleu"]["reasons"]) == (0, {"the story is its own reference": decided})
    assert (rows["mine"]["n"], rows["mine"]["reasons"]) == (0, {"there is no score yet": decided})
    said = good("preferences", *about, home=fabula)
    assert "12 decided judgments do not count for bleu: the story is its own reference, as every person's is" in said
    assert "12 decided judgments do not count for mine: there is no score yet." in said
    assert "`scores import --people` keeps scores of people's stories" in said
    assert "15 scores of mine imported" in good("scores", "import", str(file), *about, "--people", home=fabula)
    rows = {row["metric"]: row for row in as_json("preferences", *about, home=fabula)["rows"]}
    assert (rows["mine"]["n"], rows["mine"]["missing"]) == (decided, 0)
    compared_study(prompts=2, scored=False, name="usual")
    said = good("scores", "import", str(file), "--study", "usual", home=fabula)
    assert "rows are of human stories, which metrics do not score." in said
    said = bad("scores", "import", str(file), "--study", "usual", "--people", home=fabula)
    assert "usual does not compare with people's stories" in said
