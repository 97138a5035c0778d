"""Numbers that say what they are, from files to a verdict, as the terminal shows them."""

import random
from pathlib import Path

import pytest

from tests.terminal import as_json, bad, good


@pytest.fixture
def made(home: Path, tmp_path: Path) -> Path:
    """The home of a study `s` of four stories, of which one is its own reference."""
    path = tmp_path / "stories.csv"
    rows = ["a,P,m,It rained all day.,It rained.", "b,P,n,The sun shone all day.,It rained."]
    rows += ["c,Q,m,Nothing happened.,Nothing happened.", "d,Q,n,All of it happened.,Nothing happened."]
    path.write_text("\n".join(["id,prompt,system,text,reference", *rows]) + "\n", encoding="utf-8")
    good("import", "stories", str(path), "--study", "s", home=home)
    return home


def ratings(path: Path, overall: list[tuple[str, str, str, list[float]]]) -> Path:
    """A file of ratings: the prompt, the system and the story, and what each rater gave."""
    lines = [
        f"{prompt}/{system},{prompt},{system},{text},r{rater},{value}"
        for prompt, system, text, values in overall
        for rater, value in enumerate(values)
    ]
    path.write_text("\n".join(["story_id,prompt,system,story,annotator,overall", *lines]) + "\n", encoding="utf-8")
    return path


def test_one_column_of_a_table_never_takes_anothers_place(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    table = "id,x,y\na,1,4\nb,2,3\nc,3,2\nd,4,1\n"
    path.write_text(table, encoding="utf-8")
    words = ("scores", "import", str(path), "--study", "s", "--metric", "m", "--map")
    good(*words, "score=x", home=made)
    refused = bad(*words, "score=y", home=made)
    assert "4 of these stories have other imported scores of 'm' already" in refused
    assert "--replace" in refused
    assert "have other imported scores" in bad(*words, "score=x", "--negate", home=made)
    first = as_json("correlate", "--study", "s", "--resamples", "0", home=made)["signatures"]["m"]
    assert first.endswith("|column:x")
    good(*words, "score=y", "--negate", "--replace", home=made)
    replaced = as_json("correlate", "--study", "s", "--resamples", "0", home=made)["signatures"]["m"]
    assert replaced.endswith("|column:y|negated")
    path.write_text(f"{table}somebody-elses,5,0\n", encoding="utf-8")
    message = good("scores", "import", str(path), "--study", "s", home=made)
    assert "Left out as rows of no story of s: 1." in message
    out = tmp_path / "out"
    good("export", "--study", "s", "--out", str(out), home=made)
    written = (out / "scores.csv").read_text(encoding="utf-8").splitlines()
    assert {line.split(",")[1] for line in written[1:]} == {"m", "x", "y"}
    assert f"a,m,{replaced},-4.0," in written


def test_an_empty_cell_is_no_score_and_peoples_ratings_are_left_out(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("id,ann_01,ann_02,gpt4_judge,mine\na,1,4,3,1\nb,2,3,,2\nc,3,2,1,n/a\n", encoding="utf-8")
    message = good("scores", "import", str(path), "--study", "s", home=made)
    assert "Left out: scores.csv, line 4, column 'mine': 'n/a' is not a number." in message
    assert "Left out: ann_01, ann_02, which look like people's ratings" in message
    assert "2 scores of gpt4_judge imported as" in message
    assert "2 of 3 rows have a score of gpt4_judge; the others are empty." in message


def test_what_a_metric_is_called_does_not_move(made: Path, tmp_path: Path) -> None:
    """The usual settings alone have the plain name, whichever is scored first: in rows, keys and report."""
    name = "bleu[references=mean]"
    good("score", "--study", "s", "--metric", "bleu", "--option", "bleu.references=mean", home=made)
    assert list(as_json("correlate", "--study", "s", "--resamples", "0", home=made)["signatures"]) == [name]
    assert f"it has {name}" in bad("correlate", "--study", "s", "--metric", "bleu", home=made)
    good("score", "--study", "s", "--metric", "bleu", home=made)
    result = as_json("correlate", "--study", "s", "--resamples", "0", home=made)
    assert set(result["signatures"]) == {row["metric"] for row in result["rows"]} == {name, "bleu"}
    report = tmp_path / "r.html"
    good("report", "--study", "s", "--metric", name, "--out", str(report), "--resamples", "10", home=made)
    assert name in report.read_text(encoding="utf-8")


def test_ratings_that_do_not_agree_carry_no_verdict(home: Path, tmp_path: Path) -> None:
    """One rater's ratings are the other's turned round."""
    given = [(f"P{n}", "m", f"Story {n} it is.", [1 + n % 5, 5 - n % 5]) for n in range(40)]
    good("import", "fabula", str(ratings(tmp_path / "r.csv", given)), "--study", "s", home=home)
    for name, sign in (("m", 1), ("other", -1)):
        scores = tmp_path / f"{name}.txt"
        scores.write_text("".join(f"{sign * n % 7}\n" for n in range(40)), encoding="utf-8")
        good("scores", "import", str(scores), "--study", "s", "--metric", name, home=home)
    for words in (("judgments",), ("correlate",), ("compare",), ("drift", "quality"), ("differences",), ("systems",)):
        message = good(*words, "--study", "s", home=home)
        assert message.startswith("Nothing shows that the ratings of these stories agree"), (words, message[:200])
    message = good("report", "--study", "s", "--metric", "m", "--out", str(tmp_path / "r.html"), home=home)
    assert message.startswith("- Nothing shows that the ratings of these stories agree")
    assert "unknown" in " ".join(message.split())
    assert "human rater reaches" not in message


def test_a_story_that_is_its_own_reference_says_nothing_of_a_metric(made: Path, tmp_path: Path) -> None:
    given = [("P", "m", "", [4, 5]), ("P", "n", "", [3, 3]), ("Q", "m", "", [5, 5]), ("Q", "n", "", [2, 1])]
    keys = dict(zip(["P/m", "P/n", "Q/m", "Q/n"], "abcd", strict=True))
    path = ratings(tmp_path / "r.csv", given)
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    lines = [f"{keys[row[0]]},{row[4]},{row[5]}" for row in rows]
    path.write_text("\n".join(["story_id,annotator,overall", *lines]) + "\n", encoding="utf-8")
    good("import", "fabula", str(path), "--study", "s", home=made)
    good("score", "--study", "s", "--metric", "bleu", home=made)
    result = as_json("correlate", "--study", "s", "--resamples", "0", home=made)
    assert [row["n"] for row in result["rows"]] == [3]
    message = good("correlate", "--study", "s", "--resamples", "0", home=made)
    assert "Left out because a story is its own reference: 1 by bleu." in message


def test_a_verdict_begins_with_what_is_system_identity(home: Path, tmp_path: Path) -> None:
    """People and the metric rank three systems alike, and nothing within one of them."""
    rng = random.Random(3)
    given = []
    for prompt in range(40):
        for system, level in (("worst", 1.5), ("middle", 3.0), ("best", 4.5)):
            mean = round(min(5.0, max(1.0, level + rng.gauss(0, 0.3))), 2)
            words = " ".join(["word"] * rng.randint(10, 30))
            given.append((f"P{prompt}", system, f"{words} {prompt}{system}", [mean, mean]))
    good("import", "fabula", str(ratings(tmp_path / "r.csv", given)), "--study", "s", home=home)
    levels = {"worst": 0.0, "middle": 1.0, "best": 2.0}
    scores = [f"{prompt}/{system},{levels[system] + rng.gauss(0, 0.3)}" for prompt, system, _, _ in given]
    table = tmp_path / "scores.csv"
    table.write_text("\n".join(["id,m", *scores]) + "\n", encoding="utf-8")
    good("scores", "import", str(table), "--study", "s", "--metric", "m", home=home)
    report = ("report", "--study", "s", "--metric", "m", "--out", str(tmp_path / "r.html"), "--resamples", "300")
    first, *others = good(*report, home=home).splitlines()
    assert "nothing shows that they do within systems: what they follow are differences between systems" in first
    assert any("equal length" in line and "[systems and length]" in line for line in others)
    rows = as_json("correlate", "--study", "s", "--by", "equal", "--resamples", "300", home=home)["rows"]
    pearson = {row["subset"]: row["pearson"] for row in rows}
    assert pearson[None]["value"] > 0.8
    assert pearson["equal:system"]["low"] < 0 < pearson["equal:system"]["high"]
    assert pearson["equal:length"]["low"] > 0.8


def test_ratings_come_in_as_people_have_them(home: Path, tmp_path: Path) -> None:
    """Columns of other names, in a TSV, one question of two, from 0 to 10, with panels that are called something."""
    path = tmp_path / "theirs.tsv"
    rows = [
        [f"s{n}", f"It was {n}.", f"People said {n}.", f"W{w}", f"session {s}", question, str(n + w + s)]
        for n in range(4)
        for w in (0, 1)
        for s in (0, 1)
        for question in ("plot", "style")
    ]
    head = ["Story ID", "Story", "Human", "Worker", "Session", "Criterion", "Value"]
    path.write_text("".join("\t".join(row) + "\n" for row in [head, *rows]), encoding="utf-8")
    columns = ("id=Story ID", "text=Story", "reference=Human", "annotator=Worker", "panel=Session", "overall=Value")
    mapped = [word for column in columns for word in ("--map", column)]
    asked = ("import", "fabula", str(path), "--study", "s", "--where", "Criterion=plot", "--scale", "0-10")
    assert "s: 4 stories, 4 references, 16 ratings" in good(*asked, *mapped, home=home)
    result = as_json("judgments", "--study", "s", home=home)
    assert (result["stories"], result["annotators"], result["repeated"], result["mean"]) == (4, 2, 8, 2.5)
    again = bad(
        "import", "stories", str(path), "--study", "t", "--map", "text=Story", "--map", "id=Story ID", home=home
    )
    assert "looks like a table of ratings" in again
