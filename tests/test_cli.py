"""Every command with small stories of our own, and what it says to words that are wrong."""

import hashlib
import json
import sys
from pathlib import Path

import pytest

import cli
from core.metrics import METRICS
from tests.terminal import as_json, bad, fabula, good, refusal


def test_stories_scores_and_export(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "stories.csv"
    path.write_text(
        "key,opening,generator,body,gold,split\n"
        '1,"Once, here.",=SUM(A1),"It <b>rained</b> and rained.",It rained.,test\n'
        '2,"Once, here.",m2,"The sun shone.",It rained.,test\n'
        "3,Never.,m2,Nothing happened at all.,All happened.,train\n",
        encoding="utf-8",
    )
    fields = ("text=body", "prompt=opening", "system=generator", "reference=gold", "id=key")
    mapping = ["--map", *fields]
    out = good("import", "stories", str(path), "--study", "mine", *mapping, "--where", "split=test", home=home)
    assert "2 stories, 1 references" in out
    scores = tmp_path / "scores.txt"
    scores.write_text("1.5\n2.5\n")
    good("scores", "import", str(scores), "--study", "mine", "--metric", "length", "--negate", home=home)
    good("score", "--study", "mine", "--metric", "bleu", home=home)
    listed = as_json("studies", home=home)["rows"]
    assert [(row["name"], row["stories"], row["metrics"]) for row in listed] == [("mine", 2, 2)]
    rows = as_json("correlate", "--study", "mine", home=home)["rows"]
    assert [row["metric"] for row in rows] == ["bleu", "length"]
    assert "no story has both" in rows[0]["undefined"]
    assert rows[0]["pearson"] == {"value": None, "p": None, "p_cluster": None, "low": None, "high": None}
    delete = ("scores", "delete", "--study", "mine", "--metric")
    assert "no scores of 'chrf'; it has bleu, length" in bad(*delete, "chrf", "--yes", home=home)
    assert "mine has no scores of length under file:" in good(*delete, "length", "--yes", home=home)
    assert [row["metric"] for row in as_json("correlate", "--study", "mine", home=home)["rows"]] == ["bleu"]
    target = tmp_path / "ratings.csv"
    assert "0 ratings written" in good("export", "--study", "mine", "--out", str(target), home=home)
    assert target.read_text().startswith("study,scheme,")


def test_scoring_a_file_without_a_study(home: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    records = [
        {"text": ["It rained.", "It stopped."], "prompt": "Once.", "reference": "It rained. It stopped."},
        {"text": [], "prompt": "Once.", "reference": "It rained."},
    ]
    source.write_text("\n".join(json.dumps(record) for record in records))
    words = ("score", "--in", str(source), "--out", str(target), "--metric", "bleu", "--metric", "perplexity")
    rows = as_json(*words, home=home)["rows"]
    assert [(row["scored"], row["undefined"]) for row in rows] == [(2, 1), (2, 1)]
    assert [row["reasons"] for row in rows] == [{"the story is empty": 1}] * 2
    shown = good(*words, home=home)
    assert "bleu is undefined for 1: the story is empty" in shown
    import pandas as pd

    frame = pd.read_parquet(target)
    assert frame["bleu"][0] == pytest.approx(1.0)
    assert frame[["bleu", "perplexity"]].iloc[1].isna().all()


def test_invitations_metrics_models_and_doctor(home: Path) -> None:
    link = good("people", "invite", "--role", "owner", "--address", "https://x.org/", home=home).strip()
    assert link.startswith("https://x.org/enter/")
    names = {row["name"] for row in as_json("metrics", home=home)["rows"]}
    assert names == set(METRICS)
    assert [(row["name"], row["role"], row["ready"]) for row in as_json("models", home=home)["rows"]] == [
        ("smollm2-135m-instruct", "language", True),
        ("all-minilm-l6-v2", "encoder", True),
    ]
    report = {row["what"]: row for row in as_json("doctor", home=home)["rows"]}
    assert report["torch"]["found"].startswith("2.13.0")
    assert report["WordNet"]["found"] == "3.0"
    assert report["model all-minilm-l6-v2"]["found"] == "ready"
    assert report["database"]["found"].endswith("fabula.db")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("correlate", "--study", "nothing"), "There is no study named 'nothing'"),
        (("import", "zip", "x", "--study", "s"), "choose union, mans, stories, ratings, preferences, judges or fabula"),
        (("import", "union", "x", "--study", "s", "--scheme", "mans"), "--scheme is for stories"),
        (("import", "mans", "x", "--study", "s", "--map", "text=t"), "the mans format has fixed fields"),
        (("import", "stories", "x", "--study", "s", "--scale", "0-5"), "are for ratings (import ratings)"),
        (("import", "stories", "x", "--study", "s", "--other-raters"), "are for ratings (import ratings)"),
        (("import", "union", "no such folder", "--study", "s"), "is not a folder"),
        (("import", "mans", "no-such-file.json", "--study", "s"), "There is no file no-such-file.json"),
        (("import", "stories", "README.md", "--study", "s"), "are not known; use .csv"),
        (("score", "--metric", "bleu"), "Give either --study NAME or --in FILE"),
        (("score", "--metric", "bleu", "--in", "x.csv"), "--out"),
        (("score", "--metric", "bleu", "--in", "data/demonstration/stories.jsonl", "--out", "x.zip"), "not written"),
        (("score", "--metric", "bleu", "--in", "data/demonstration/stories.jsonl", "--out", "no/x.csv"), "no folder"),
        (
            ("score", "--metric", "bleu", "--device", "tpu", "--in", "data/demonstration/stories.jsonl"),
            "choose one of auto, cpu, cuda",
        ),
        (("reproduce", "gltr", "--data", "."), "choose union, mans, perception, naturalness, hanna or all"),
        (("reproduce", "union", "--data", "docs"), "holds no ant_data.txt"),
        (("people", "invite", "--role", "king"), "choose annotator, researcher or owner"),
        (("people", "invite", "--role", "annotator"), "is invited to a study"),
        (("no-such-command",), "No such command"),
        (("correlate",), "--study"),
        (("judgments", "--study", "[/b]"), "There is no study named '[/b]'"),
        (("correlate", "--study", "s", "--resamples", "many"), "valid integer"),
    ],
)
def test_bad_words_are_one_sentence(home: Path, words: tuple[str, ...], expected: str) -> None:
    assert expected in bad(*words, home=home)


def test_a_refusal_is_the_exit_status_of_the_process(home: Path) -> None:
    done = fabula("correlate", "--study", "nothing", home=home)
    assert "There is no study named 'nothing'" in refusal(done.returncode, done.stdout, done.stderr)


def test_a_metric_is_scored_under_the_name_that_analyses_give_it(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("text,reference\nA story.,A true story.\nAnother one.,The other.\n")
    good("import", "stories", str(path), "--study", "s", home=home)
    first = as_json("score", "--study", "s", "--metric", "bleu[references=mean]", "--metric", "rouge-l", home=home)
    second = as_json("score", "--study", "s", "--metric", "bleu", "--option", "bleu.references=mean", home=home)
    assert [row["metric"] for row in first["rows"]] == list(first["signatures"]) == ["bleu[references=mean]", "rouge-l"]
    assert (second["rows"][0]["metric"], second["rows"][0]["reused"]) == ("bleu[references=mean]", 2)


def test_wrong_options_of_a_metric_leave_no_job(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("text\nA story.\n")
    good("import", "stories", str(path), "--study", "s", home=home)
    run = ("score", "--study", "s", "--metric")
    assert "There is no metric 'blue'" in bad(*run, "blue", home=home)
    assert "has no option 'size'" in bad(*run, "bleu", "--option", "bleu.size=3", home=home)
    assert "cannot be 'none'" in bad(*run, "bleu", "--option", "bleu.references=none", home=home)
    assert "NAME.KEY=VALUE" in bad(*run, "bleu", "--option", "references=max", home=home)
    assert "asked for with different options" in bad(*run, "bleu[references=mean]", "--metric", "bleu", home=home)
    assert "not on this machine" in bad(*run, "perplexity", "--model", "nobody/nothing", home=home)
    assert "download a BLEURT checkpoint" in bad(*run, "bleurt", home=home)
    assert "None of the chosen metrics uses a model" in bad(*run, "bleu", "--model", "gpt2", home=home)
    both = ("--metric", "perplexity", "--model", "gpt2")
    assert "encoder=gpt2, language=gpt2" in bad(*run, "moverscore-1", *both, home=home)
    assert "not among the metrics" in bad(*run, "bleu", "--option", "blue.references=max", home=home)
    assert "no kind of model 'encodr'" in bad(*run, "perplexity", "--model", "encodr=gpt2", home=home)
    assert "openings.py:Class" in bad(*run, "docs/examples/openings.py", home=home)
    assert "--out goes with --in" in bad(*run, "bleu", "--out", "x.csv", home=home)
    (tmp_path / "empty.txt").write_text("\n")
    nothing = f"bertscore-p.idf=file:{tmp_path / 'empty.txt'}"
    assert "has no text in it" in bad(*run, "bertscore-p", "--option", nothing, home=home)
    assert "which no metric of this run needs" in bad(*run, "bleu", "--model", "encoder=gpt2", home=home)
    assert "cannot be read" in bad(*run, "perplexity", "--model", "~nobody-here/x", home=home)
    assert "There is no precision 'float8'" in bad(*run, "bleu", "--precision", "float8", home=home)
    assert "no class Nothing" in bad(*run, "docs/examples/openings.py:Nothing", home=home)
    assert "There is no metric file" in bad(*run, "no-such-file.py:Own", home=home)


def test_a_metric_of_ones_own(home: Path, tmp_path: Path) -> None:
    """The worked examples of docs/tasks/own-metric.md."""
    path = tmp_path / "s.csv"
    path.write_text("text\nIt rained. It stopped. We left.\nOne. Two.\n.\n''\n")
    good("import", "stories", str(path), "--study", "s", home=home)
    shortest = "docs/examples/word_length.py:WordLength"
    (row,) = as_json("score", "--study", "s", "--metric", shortest, home=home)["rows"]
    assert (row["metric"], row["scored"]) == ("word-length", 4)
    run = ("score", "--study", "s", "--metric", "docs/examples/openings.py:VariedOpenings")
    (row,) = as_json(*run, home=home)["rows"]
    assert (row["metric"], row["scored"]) == ("varied-openings", 4)
    digest = hashlib.sha256(Path("docs/examples/openings.py").read_bytes()).hexdigest()[:12]
    assert row["signature"] == f"varied-openings|file:{digest}|first_words:all|normalisation:raw|words:1|v:1"
    out = tmp_path / "out.csv"
    option = "docs/examples/openings.py:VariedOpenings.words=2"
    good("score", "--in", str(path), "--out", str(out), *run[3:], "--option", option, home=home)
    assert out.read_text().splitlines()[1:3] == ["It rained. It stopped. We left.,1.0", "One. Two.,1.0"]
    assert "has a metric" in bad(
        "score", "--study", "s", "--metric", f"{_copy_named(tmp_path)}:VariedOpenings", home=home
    )


def test_scores_come_with_a_check_up_of_degenerate_stories(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    circle = "He went home. " * 9
    path.write_text(f"text\n{circle}\nIt rained. It stopped. We left.\nOne. Two.\n")
    good("import", "stories", str(path), "--study", "s", home=home)
    run = ("score", "--study", "s", "--metric", "docs/examples/openings.py:VariedOpenings")
    ((row,), message) = as_json(*run, home=home)["check_up"], good(*run, home=home)
    result = row["check_up"]
    assert row["metric"] == "varied-openings"
    assert (result["scored"], result["repeating"], result["not_text"], result["rest"]) == (
        3,
        1,
        0,
        pytest.approx(5 / 6),
    )
    assert "Of 3 scored stories 1 repeats itself: varied-openings rates it" in " ".join(message.split())


def test_scores_of_a_file_have_the_names_and_the_check_up_of_a_studys(home: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "s.csv", tmp_path / "out.csv"
    path.write_text(f"text,reference\n{'He went home. ' * 9},We left.\nWe left early.,We left.\nTwo left.,We left.\n")
    run = ("score", "--in", str(path), "--out", str(out), "--metric", "bleu[references=mean]", "--metric", "rouge-l")
    result, message = as_json(*run, home=home), good(*run, home=home)
    assert out.read_text().splitlines()[0] == "text,reference,bleu[references=mean],rouge-l"
    assert [row["metric"] for row in result["rows"]] == ["bleu[references=mean]", "rouge-l"]
    (first, second) = result["check_up"]
    assert (first["metric"], first["check_up"]["repeating"], second["metric"]) == (
        "bleu[references=mean]",
        1,
        "rouge-l",
    )
    assert first["signature"] == result["rows"][0]["signature"]
    assert "Of 3 scored stories 1 repeats itself: rouge-l rates it 0.000, the others " in " ".join(message.split())


def _copy_named(folder: Path) -> Path:
    """The example under a name that is taken."""
    path = folder / "taken.py"
    text = Path("docs/examples/openings.py").read_text()
    path.write_text(text.replace('"varied-openings"', '"bleu"'))
    return path


def test_an_unwritable_home_is_one_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert "FABULA_HOME" in bad("studies", home=blocked / "inside")
    (tmp_path / "fabula.db").mkdir()
    assert "cannot be opened" in bad("studies", home=tmp_path)


def test_ratings_as_people_have_them(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "theirs.tsv"
    lines = ["Story ID\tStory\tModel\tWorker\tCriterion\tValue"]
    lines += [f"{n}\tIt was {n}.\tm\tW{w}\t{c}\t{n + w}" for n in (0, 1, 2) for w in (0, 1) for c in ("plot", "style")]
    file.write_text("\n".join([*lines, "9\tNo.\tm\tW0\tstyle\t99"]) + "\n", encoding="utf-8")
    columns = ("id=Story ID", "text=Story", "system=Model", "annotator=Worker", "overall=Value")
    message = good(
        *("import", "fabula", str(file), "--study", "theirs", "--where", "Criterion=plot", "--scale", "0-5"),
        *(word for column in columns for word in ("--map", column)),
        home=home,
    )
    assert "theirs: 3 stories, 0 references, 6 ratings" in message
    assert "Note: The scale goes from 0 to 5, and the ratings from 0 to 3." in message
    result = as_json("judgments", "--study", "theirs", home=home)
    assert (result["stories"], result["ratings"], result["annotators"], result["mean"]) == (3, 6, 2, 1.5)


def test_numbered_columns_of_the_same_raters(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "lab.csv"
    rows = [f"{n},It was {n}.,{1 + n % 5},{1 + n % 4}" for n in range(6)]
    file.write_text("\n".join(["id,text,rater1,rater2", *rows]) + "\n", encoding="utf-8")
    message = good("import", "ratings", str(file), "--study", "lab", "--same-raters", home=home)
    assert "Note: Each of these raters is one person in every row: rater1; rater2." in message
    assert as_json("judgments", "--study", "lab", home=home)["annotators"] == 2


def test_means_of_several_raters(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "means.csv"
    rows = [f"{n},It was {n}.,{1 + n % 5},3" for n in range(6)]
    file.write_text("\n".join(["id,text,rating,people", *rows]) + "\n", encoding="utf-8")
    message = good("import", "fabula", str(file), "--study", "means", "--map", "raters=people", home=home)
    assert "means: 6 stories, 0 references, 18 ratings" in message
    scores = tmp_path / "scores.csv"
    scores.write_text("\n".join(["id,length,other", *(f"{n},{n},{-n * n}" for n in range(6))]) + "\n", encoding="utf-8")
    good("scores", "import", str(scores), "--study", "means", home=home)
    for words in (("judgments",), ("correlate",), ("compare",), ("drift", "quality"), ("systems",)):
        assert "The ratings of 6 stories are means of several raters, 3 a story." in good(
            *words, "--study", "means", home=home
        ).replace("\n", " "), words
    result = as_json("judgments", "--study", "means", home=home)
    assert (result["ratings"], result["one_rater"], result["ceiling"], result["alpha"]["interval"]) == (
        18,
        None,
        None,
        None,
    )
    assert result["agreement"]["valid"]["averaged"] == {"stories": 6, "raters": 18, "compared": False}
    assert as_json("correlate", "--study", "means", home=home)["caution"].startswith("The ratings of 6")


def test_what_ctrl_c_has_ended_is_no_success(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "migrate", interrupted)
    monkeypatch.setattr(sys, "argv", ["cli.py", "studies"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == cli.INTERRUPTED
