"""`perturb discrimination` and `perturb invariance`: test sets from a table, their summary, and what is wrong."""

import json
from pathlib import Path

import pytest

from core.formats.perturbed import read_cases
from core.models.acceptability.weights import LANGUAGE_WEIGHTS, revision
from core.perturb.test_sets.aspects import Aspect, Change
from tests.cli_perturb import printed
from tests.core.perturb.aspects import STORIES
from tests.terminal import bad


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    path = tmp_path / "stories.jsonl"
    rows = [{"text": text, "id": f"k{i}"} for i, text in enumerate((*STORIES, "Alone."))]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_discrimination(stories: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, again = tmp_path / "out.jsonl", tmp_path / "again.jsonl"
    words = ("perturb", "discrimination", "--in", str(stories), "--seed", "4")
    result = json.loads(printed(capsys, *words, "--out", str(out), "--json", "-"))
    cases = read_cases(out)
    assert (result["n"], result["seed"], result["made"]) == (6, 4, len(cases))
    assert result["made_with"]["lexicon"] == "wordnet-3.0"
    assert result["made_with"]["filter"].startswith("acceptability@")
    assert result["left_out"] == [{"reason": "it has one sentence, and a story's first never changes", "stories": 1}]
    assert result["made_with"]["paraphrases"].startswith("wordings@")
    assert [row["aspect"] for row in result["yields"]] == list(Aspect)
    for row in result["yields"]:
        there = [case for case in cases if case.aspect == row["aspect"]]
        assert (row["good"], row["changed"]) == (sum(c.label for c in there), sum(not c.label for c in there))
    assert all(case.acceptable is None for case in cases if case.label)
    assert any(case.acceptable is not None for case in cases)
    assert result["lengths"]["coherent"].keys() == {"input", "story"}
    message = printed(capsys, *words, "--out", str(again))
    assert again.read_bytes() == out.read_bytes()
    assert f"{len(cases):,} cases of 6 stories written to" in message


def test_a_filter_that_reads_whole_examples(
    stories: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    words = ("perturb", "discrimination", "--in", str(stories), "--aspect", "lexical repetition", "--out", str(out))
    result = json.loads(printed(capsys, *words, "--filter-reads", "paper", "--json", "-"))
    assert result["made_with"]["filter reads"] == "paper"
    cases = read_cases(out)
    assert {case.label for case in cases} == {0, 1}
    assert all(case.acceptable is not None for case in cases)  # the coherent ones, too


@pytest.mark.parametrize("reads", ["new", "paper"])
def test_a_filter_that_asks_the_language_model_too(
    stories: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], reads: str
) -> None:
    out = tmp_path / "out.jsonl"
    words = ("perturb", "discrimination", "--in", str(stories), "--aspect", "relatedness", "--out", str(out))
    result = json.loads(printed(capsys, *words, "--filter", "language-model", "--filter-reads", reads, "--json", "-"))
    assert result["made_with"]["filter"] == f"language-model@{revision(LANGUAGE_WEIGHTS)}"
    judged = [case for case in read_cases(out) if case.acceptable is not None]
    assert {case.label for case in judged} == ({0} if reads == "new" else {0, 1}) & {c.label for c in read_cases(out)}
    printed(capsys, *words, "--filter-reads", reads)
    by_the_encoder = {(case.id, case.label): case.acceptable for case in read_cases(out)}
    assert judged
    for case in judged:
        assert case.acceptable != by_the_encoder[case.id, case.label]


def test_invariance(stories: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    words = ("perturb", "invariance", "--in", str(stories), "--out", str(out), "--filter", "none", "--stories", "4")
    result = json.loads(printed(capsys, *words, "--change", "typos", "--change", "contraction", "--json", "-"))
    cases = read_cases(out)
    assert result["n"] == 4
    assert {case.aspect for case in cases} == {"typos", "contraction"}
    assert {(row["aspect"], row["of"]) for row in result["yields"]} == {
        (aspect, of) for aspect in ("typos", "contraction") for of in ("human", "incoherent")
    }
    assert set(Change) - {row["aspect"] for row in result["yields"]} == {"synonyms", "paraphrases", "punctuation"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "x.csv"), "x.csv: changed stories are written as .jsonl"),
        (("--aspect", "typos"), "'typos' is not one of"),
        (("--knowledge", "none.txt"), "cannot be read"),
        (("--paraphrases", "none.json"), "none.json"),
        (("--filter", "no/such folder"), "no/such folder"),
        (("--translate-to", "a"), "takes two models: name both"),
        (("--stories", "0"), "greater than or equal to 1"),
    ],
)
def test_what_is_wrong(stories: Path, home: Path, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    out = () if "--out" in words else ("--out", str(tmp_path / "x.jsonl"))
    assert message in bad("perturb", "discrimination", "--in", str(stories), *out, *words, home=home)
    assert [file.name for file in tmp_path.glob("*.jsonl")] == ["stories.jsonl"]
