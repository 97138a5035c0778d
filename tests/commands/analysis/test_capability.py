"""The command `capability` on test sets made by hand, under a quick bundled metric, and its refusals."""

import json
import math
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import cli
from commands import terminal
from core.formats.autos import write_autos
from core.formats.perturbed import write_cases
from core.metrics import METRICS
from core.metrics.judging.judge import Judge
from core.perturb.cases import Case, Of
from core.perturb.edits import Draft, Perturbed
from core.perturb.test_sets.aspects import Aspect, Change
from tests.core.judges.scripted import ScriptedBackend
from tests.terminal import bad

WORDS = ["fox", "hen", "yard", "rain", "road", "lamp", "door", "bread", "river", "hill", "song", "night"]
Captured = pytest.CaptureFixture[str]


def story(number: int) -> str:
    lines = [f"The {WORDS[(number + i) % 12]} saw the {WORDS[(5 * number + i) % 12]}." for i in range(4)]
    return " ".join([f"It was the {WORDS[number % 12]} of day {number}.", *lines])


def whole(text: str, aspect: str, key: str, of: Of = Of.HUMAN) -> Case:
    return Case(f"{key}/{of}", aspect, 1, "", Perturbed(text, text, (), ()), key, of)


def discrimination(stories: int = 6) -> list[Case]:
    """Each story, and the same with a sentence of another one; every third changed one is no English."""
    cases = []
    for number in range(stories):
        text, key = story(number), f"s{number}"
        draft = Draft(text)
        start = text.index(". The") + 2
        draft.step("substitution", "a sentence", [(start, text.index(".", start), "Tax rates fell in Europe")])
        acceptable = 0.2 if number % 3 == 0 else 0.9
        cases += [whole(text, Aspect.RELATEDNESS, key)]
        cases += [Case(f"{key}/other", Aspect.RELATEDNESS, 0, "", draft.done(), key, acceptable=acceptable)]
    return cases


def invariance(stories: int = 6) -> list[Case]:
    cases = []
    for number in range(stories):
        for of, text in ((Of.HUMAN, story(number)), (Of.INCOHERENT, story(number) + " Tax rates fell.")):
            draft = Draft(text)
            start = text.index("saw")
            draft.step("typo", "a typing error", [(start, start + 3, "swa")])
            key = f"s{number}"
            cases += [
                whole(text, Change.TYPOS, key, of),
                Case(f"{key}/{of}/x", Change.TYPOS, 0, "", draft.done(), key, of),
            ]
    return cases


def said(capsys: Captured, *words: str) -> tuple[str, str]:
    """What a command prints to stdout and stderr."""
    capsys.readouterr()
    with mock.patch.object(sys, "argv", ["cli.py", "capability", *words]):
        cli.main()
    result = capsys.readouterr()
    return result.out, result.err


@pytest.fixture
def sets(tmp_path: Path) -> tuple[str, str]:
    write_cases(discrimination(), tmp_path / "discrimination.jsonl")
    write_cases(invariance(), tmp_path / "invariance.jsonl")
    return str(tmp_path / "discrimination.jsonl"), str(tmp_path / "invariance.jsonl")


def test_the_object_and_nothing_else(sets: tuple[str, str], home: Path, capsys: Captured) -> None:
    words = ("--tests", sets[1], "--tests", sets[0], "--metric", "ruber-u", "--metric", "bleu", "--metric", "ruber")
    out, err = said(capsys, *words, "--seed", "3", "--resamples", "50", "--json", "-")
    result = json.loads(out)
    assert err.startswith("ruber-u: they read with the model that Fabula's grammaticality filter asks.")
    assert len(err.splitlines()) == len(result["notices"]) == 1
    assert (result["n"], result["seed"], result["resamples"]) == (36, 3, 50)
    assert list(result["signatures"]) == ["ruber-u"]
    assert result["signatures"]["ruber-u"].startswith("ruber-u|model:")
    assert [item["metric"] for item in result["not_applicable"]] == ["bleu", "ruber"]
    assert "note 8" in result["not_applicable"][0]["reason"]
    related, typos = result["rows"]
    assert [row["aspect"] for row in (related, typos)] == ["relatedness", "typos"]
    assert (related["positives"], related["negatives"], related["undefined_scores"]) == (6, 4, 0)
    assert related.keys() == {
        *("aspect", "metric", "signature", "positives", "negatives", "undefined_scores"),
        *("pearson", "auc", "ordered", "undefined"),
    }
    assert related["pearson"].keys() == {"value", "p", "p_cluster", "low", "high"}
    assert related["auc"].keys() == related["ordered"].keys() == {"value", "low", "high"}
    assert related["undefined"] is None
    assert result["unfiltered"][0]["negatives"] == 6
    assert result["unfiltered"][1] == typos  # typing errors are never filtered
    assert [(row["of"], row["pairs"]) for row in result["invariance"]] == [("human", 6), ("incoherent", 6), ("all", 12)]
    of_all = result["invariance"][-1]
    assert of_all["pearson"] == pytest.approx(typos["pearson"])
    assert of_all["absolute"] == abs(typos["pearson"]["value"])
    assert of_all["change"].keys() == {"value", "low", "high"}
    assert of_all["mean_absolute_change"] >= abs(of_all["change"]["value"])
    assert result["invariance_unfiltered"] == result["invariance"]


def test_what_reads_with_the_language_model_of_a_filter(sets: tuple[str, str], home: Path, capsys: Captured) -> None:
    words = ("--tests", sets[0], "--metric", "union", "--metric", "ruber-u", "--resamples", "20", "--json", "-")
    own, lm = json.loads(said(capsys, *words)[0])["notices"]
    assert own.startswith("ruber-u: they read with the model that Fabula's grammaticality filter asks.")
    assert lm.startswith(
        "union: they read with the model that the filter language-model asks. If it judged these cases"
    )


def test_an_openmeva_folder_says_the_same(sets: tuple[str, str], home: Path, tmp_path: Path, capsys: Captured) -> None:
    write_autos([*discrimination(), *invariance()], tmp_path / "roc", "roc")
    there, ours = (
        json.loads(said(capsys, *words, "--metric", "ruber-u", "--json", "-")[0])
        for words in (("--tests", str(tmp_path / "roc")), ("--tests", sets[0], "--tests", sets[1]))
    )
    for key in ("unfiltered", "invariance_unfiltered"):
        for item, other in zip(there[key], ours[key], strict=True):
            assert item["pearson"]["value"] == pytest.approx(other["pearson"]["value"], abs=1e-6)


def test_the_tables(
    sets: tuple[str, str], home: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal.console, "width", 200)
    words = ("--tests", sets[0], "--tests", sets[1], "--metric", "ruber-u", "--metric", "acceptability")
    out, err = said(capsys, *words, "--metric", "meteor", "--json", str(tmp_path / "out.json"))
    result = json.loads((tmp_path / "out.json").read_text())
    assert "grammaticality filter rejects 2 of 18 changed stories" in out
    for row in (*result["rows"][:2], *result["unfiltered"][:2]):
        assert f"{row['pearson']['value']:.4f}" in out
    for row in result["invariance"]:
        assert f"{row['absolute']:.4f}" in out
        assert f"{row['change']['value']:+.2f}" in out
    assert "Not applicable: meteor: it compares a story with a human one" in out
    assert result["notices"][0].startswith("ruber-u, acceptability: they read with the model")
    assert result["notices"][0] in err
    assert "they read with the model" not in out


def test_stars_take_as_many_stories_as_on_the_page(home: Path, tmp_path: Path, capsys: Captured) -> None:
    few_words = "Of fewer than 30 stories, 10 of a side, or 30 pairs there is no star"
    for stories, starred in ((6, False), (40, True)):
        write_cases([*discrimination(stories), *invariance(stories)], tmp_path / "set.jsonl")
        words = ("--tests", str(tmp_path / "set.jsonl"), "--metric", "acceptability", "--resamples", "0")
        result = json.loads(said(capsys, *words, "--json", "-")[0])
        assert any(row["pearson"]["p"] is not None and row["pearson"]["p"] < 0.01 for row in result["unfiltered"])
        out, _ = said(capsys, *words)
        cells = out.replace("* is p < 0.01", "")
        assert ("*" in cells) == starred
        assert (few_words in " ".join(out.split())) != starred


def test_what_is_undefined_is_said(home: Path, tmp_path: Path, capsys: Captured) -> None:
    cases = [case for case in discrimination() if not case.label]
    draft = Draft("One.")
    draft.step("number", "another", [(0, 3, "Two")])
    short = Case("none", "own", 0, "", draft.done())
    write_cases([*cases, short], tmp_path / "odd.jsonl")
    words = ("--tests", str(tmp_path / "odd.jsonl"), "--metric", "ruber-u")
    out, err = said(capsys, *words)
    assert "relatedness: no coherent example has a score (ruber-u)." in out
    assert "own: no example has a score; 3 are needed (ruber-u)." in out
    assert "ruber-u is undefined for 2 of 14 texts: there is no prompt that the story could follow from." in err
    result = json.loads(said(capsys, *words, "--json", "-")[0])
    assert result["rows"][0]["pearson"]["value"] is None
    assert result["rows"][0]["ordered"]["value"] is not None
    assert result["rows"][1]["ordered"]["value"] is None
    assert not any(isinstance(row["auc"]["value"], float) and math.isnan(row["auc"]["value"]) for row in result["rows"])


def test_whole_stories_and_options(sets: tuple[str, str], home: Path, tmp_path: Path, capsys: Captured) -> None:
    words = ("--tests", sets[0], "--metric", "acceptability", "--json", "-")
    split, undivided = (json.loads(said(capsys, *words, *more)[0]) for more in ((), ("--whole-stories",)))
    assert split["rows"][0]["pearson"]["value"] != undivided["rows"][0]["pearson"]["value"]
    assert (
        "of:share" in json.loads(said(capsys, *words, "--option", "acceptability.of=share")[0])["rows"][0]["signature"]
    )


def test_without_a_name_every_metric_whose_model_is_here(
    sets: tuple[str, str], home: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: metric for name, metric in METRICS.items() if name in ("ruber-u", "fp-masked", "rouge-l")}
    monkeypatch.setattr("core.metrics.METRICS", few)
    result: Any = json.loads(said(capsys, "--tests", sets[0], "--json", "-")[0])
    assert list(result["signatures"]) == ["ruber-u"]
    reasons = {item["metric"]: item["reason"] for item in result["not_applicable"]}
    assert list(reasons) == ["rouge-l", "fp-masked"]
    assert "download a masked language model" in reasons["fp-masked"]


def test_refusals(sets: tuple[str, str], home: Path, tmp_path: Path) -> None:
    words = ("capability", "--tests", sets[0])
    assert "No metric here can be tested (bleu: it compares" in bad(*words, "--metric", "bleu", home=home)
    assert "download a masked language model" in bad(*words, "--metric", "fp-masked", home=home)
    assert "There is no metric 'x'" in bad(*words, "--metric", "x", home=home)
    assert "both have a case 's0/human' of relatedness" in bad(*words, "--tests", sets[0], home=home)
    assert "There is no file" in bad("capability", "--tests", str(tmp_path / "none.jsonl"), home=home)
    assert "holds no test of OpenMEVA's" in bad("capability", "--tests", str(tmp_path), home=home)
    assert "cannot be 'x'" in bad(*words, "--metric", "ruber-u", "--option", "ruber-u.of=x", home=home)
    assert "no device 'x'" in bad(*words, "--metric", "ruber-u", "--device", "x", home=home)
    assert "NAME.KEY=VALUE" in bad(*words, "--option", "of=x", home=home)
    assert "Missing option" in bad("capability", home=home)


def test_a_judge_is_tested_where_it_is_named(
    sets: tuple[str, str], home: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that counts what is foreign to the story sees it, and a typing error moves it not at all."""
    backend = ScriptedBackend(lambda request: "2" if "Tax rates" in request.messages[-1].text else "4")
    monkeypatch.setattr(Judge, "backend", backend)
    words = ("--tests", sets[0], "--tests", sets[1], "--metric", "judge", "--resamples", "20", "--json", "-")
    result = json.loads(said(capsys, *words)[0])
    related = result["unfiltered"][0]
    assert (related["metric"], related["aspect"]) == ("judge:overall", "relatedness")
    assert (related["auc"]["value"], related["ordered"]["value"]) == (1.0, 1.0)
    assert all(row["mean_absolute_change"] in (0, None) for row in result["invariance"])
