"""The command line as a user runs it: its own process, its output, its errors."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.metrics import METRICS
from core.models.catalogue import Role
from core.published import openmeva, union
from tests.core.models import tiny

ROOT = Path(__file__).resolve().parents[1]


def fabula(*words: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command in its own process."""
    environment = {**os.environ, "FABULA_HOME": str(home), "COLUMNS": "160"}
    return subprocess.run(
        [sys.executable, "cli.py", *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600
    )


def good(*words: str, home: Path) -> str:
    done = fabula(*words, home=home)
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_json(*words: str, home: Path) -> Any:
    return json.loads(good(*words, "--json", "-", home=home))


def bad(*words: str, home: Path) -> str:
    """A refusal is exit status 2 and one line on stderr."""
    done = fabula(*words, home=home)
    assert done.returncode == 2, done.stdout + done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("fabula: ")
    return lines[0]


@pytest.mark.parametrize(("folder", "corpus", "stories"), [("union-roc", "roc", 400), ("union-wp", "wp", 200)])
def test_all_thirty_golden_numbers_with_their_stars(
    home: Path, shared: Path, folder: str, corpus: str, stories: int
) -> None:
    out = good("import", "union", str(shared / folder), "--study", folder, home=home)
    assert f"{stories} stories" in out
    assert f"{stories * 7:,} ratings, scores of 10 metrics" in out
    report = as_json("correlate", "--study", folder, home=home)
    assert report["study"] == folder
    assert report["n"] == stories
    found = {row["metric"]: row for row in report["rows"]}
    assert set(found) == set(union.TABLE_5[corpus])
    for metric, printed in union.TABLE_5[corpus].items():
        row = found[metric]
        assert row["undefined"] is None
        assert row["signature"] == report["signatures"][metric]
        for name, text in zip(("pearson", "spearman", "kendall"), printed, strict=True):
            starred = "*" if row[name]["p"] < 0.01 else ""
            assert f"{row[name]['value']:.4f}{starred}" == text, (metric, name)
            assert row[name]["low"] < row[name]["value"] < row[name]["high"]


def test_mans_judgments_and_every_metric(home: Path, shared: Path) -> None:
    path = shared / "mans-roc" / "mans_roc.json"
    out = good("import", "mans", str(path), "--study", "mans-roc", home=home)
    assert "1,000 stories, 200 references, 5,000 ratings" in out
    judged = as_json("judgments", "--study", "mans-roc", home=home)
    assert (judged["stories"], judged["ratings"], judged["annotators"]) == (1000, 5000, None)
    assert judged["raters_identified"] is False
    assert f"{judged['alpha']['interval']:.3f}" == "0.771"
    assert judged["alpha"]["low"] < judged["alpha"]["interval"] < judged["alpha"]["high"]
    assert judged["one_rater"] == pytest.approx(0.846, abs=0.005)
    assert judged["ceiling"] == pytest.approx(0.972, abs=0.0005)
    assert judged["error_types"] == {}

    # Every metric there is, in one run; fp of the same tokens as perplexity costs no second pass.
    checkpoint = home / "bleurt"
    checkpoint.mkdir()
    tiny.save(checkpoint, "BertForSequenceClassification", Role.ENCODER, num_labels=1, max_position_embeddings=128)
    words = [word for name in METRICS for word in ("--metric", name)]
    words += ["--model", f"regressor={checkpoint}", "--option", "fp.of=story-given-prompt"]
    first = as_json("score", "--study", "mans-roc", *words, home=home)
    assert [row["metric"] for row in first["rows"]] == list(METRICS)
    assert [(row["scored"], row["reused"], row["undefined"]) for row in first["rows"]] == [(1000, 0, 0)] * len(METRICS)
    assert first["notices"] == []
    second = as_json("score", "--study", "mans-roc", *words, home=home)
    assert [(row["scored"], row["reused"]) for row in second["rows"]] == [(0, 1000)] * len(METRICS)

    report = as_json("correlate", "--study", "mans-roc", home=home)
    rows = {row["metric"]: row for row in report["rows"]}
    assert set(rows) == set(METRICS)
    assert all(row["n"] == 1000 and row["undefined"] is None for row in rows.values())
    assert f"{rows['bleu']['pearson']['value']:.4f}" == openmeva.TABLE_11_ROC["bleu"]
    assert f"{rows['rouge-l']['pearson']['value']:.4f}" == "0.0188"
    assert rows["perplexity"]["pearson"]["value"] == pytest.approx(0.31, abs=0.01)
    assert rows["perplexity-exp"]["pearson"]["value"] == pytest.approx(0.255, abs=0.01)


def test_union_judgments_are_table_2(home: Path, shared: Path) -> None:
    good("import", "union", str(shared / "union-roc"), "--study", "u", home=home)
    judged = as_json("judgments", "--study", "u", home=home)
    assert f"{judged['alpha']['nominal']:.3f}" == "0.153"
    assert judged["one_rater"] == pytest.approx(0.281, abs=0.005)
    assert judged["ceiling"] == pytest.approx(0.748, abs=0.0005)
    shares = [f"{100 * row['share']:.2f}" for row in judged["error_types"].values()]
    assert shares == ["44.09", "56.17", "67.45", "50.39", "12.86"]
    assert [f"{100 * judged['error_counts'][k]:.2f}" for k in "1234"] == ["23.36", "36.48", "34.65", "4.46"]


def test_reproduce_follows_its_input(home: Path, shared: Path, tmp_path: Path) -> None:
    rows = as_json("reproduce", "union", "--data", str(shared), home=home)["rows"]
    assert len(rows) == 69
    assert all(row["agrees"] for row in rows)
    assert set(rows[0]) == {"table", "row", "column", "published", "ours", "agrees"}

    folder = tmp_path / "union-roc"
    shutil.copytree(shared / "union-roc", folder)
    path = folder / "ant_data.txt"
    path.chmod(0o644)
    lines = path.read_text(encoding="utf-8").split("\n")
    altered = next(i for i, line in enumerate(lines) if line.endswith("0 0 0 0 0 0 0"))
    lines[altered] = lines[altered].replace("0 0 0 0 0 0 0", "1 1 1 1 1 1 1")
    path.write_text("\n".join(lines), encoding="utf-8")
    before = {(r["table"], r["row"], r["column"]): r for r in rows}
    after = as_json("reproduce", "union", "--data", str(folder), home=home)["rows"]
    changed = [r for r in after if r["ours"] != before[r["table"], r["row"], r["column"]]["ours"]]
    assert len(changed) >= 30
    assert sum(not r["agrees"] for r in after) >= 10

    mans = as_json("reproduce", "mans", "--data", str(shared), home=home)["rows"]
    assert [row["row"] for row in mans if not row["agrees"]] == ["meteor (released scores)"]


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
    assert "0 stories have both" in rows[0]["undefined"]
    assert rows[0]["pearson"] == {"value": None, "p": None, "p_cluster": None, "low": None, "high": None}
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
        (("import", "zip", "x", "--study", "s"), "choose union, mans, stories or fabula"),
        (("import", "union", "x", "--study", "s", "--scheme", "mans"), "--scheme is for stories"),
        (("import", "union", "no such folder", "--study", "s"), "is not a folder"),
        (("import", "mans", "no-such-file.json", "--study", "s"), "There is no file no-such-file.json"),
        (("import", "stories", "README.md", "--study", "s"), "are not known; use .csv"),
        (("score", "--metric", "bleu"), "Give either --study NAME or --in FILE"),
        (("score", "--metric", "bleu", "--in", "x.csv"), "--out"),
        (("score", "--metric", "bleu", "--in", "data/demonstration/stories.jsonl", "--out", "x.zip"), "not written"),
        (("score", "--metric", "bleu", "--in", "data/demonstration/stories.jsonl", "--out", "no/x.csv"), "no folder"),
        (("score", "--study", "s", "--metric", "bleu", "--device", "tpu"), "choose one of auto, cpu, cuda"),
        (("reproduce", "gltr", "--data", "."), "choose union or mans"),
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


def test_wrong_options_of_a_metric_leave_no_job(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("text\nA story.\n")
    good("import", "stories", str(path), "--study", "s", home=home)
    run = ("score", "--study", "s", "--metric")
    assert "There is no metric 'blue'" in bad(*run, "blue", home=home)
    assert "has no option 'size'" in bad(*run, "bleu", "--option", "bleu.size=3", home=home)
    assert "cannot be 'none'" in bad(*run, "bleu", "--option", "bleu.references=none", home=home)
    assert "NAME.KEY=VALUE" in bad(*run, "bleu", "--option", "references=max", home=home)
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
    assert "cannot be read" in bad(*run, "no-such-file.py:Own", home=home)


def test_a_metric_of_ones_own(home: Path, tmp_path: Path) -> None:
    """The worked example of docs/metrics.md."""
    path = tmp_path / "s.csv"
    path.write_text("text\nIt rained. It stopped. We left.\nOne. Two.\n.\n''\n")
    good("import", "stories", str(path), "--study", "s", home=home)
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
