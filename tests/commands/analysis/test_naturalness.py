"""The command `naturalness` on made files with a tiny model of random weights, and its refusals."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import terminal
from commands.analysis.naturalness import naturalness_command
from core.analysis.naturalness.corpora import discriminator_of
from core.analysis.naturalness.fractions import read_fractions
from core.formats.naturalness import gather
from core.metrics import build
from core.metrics.base import Settings
from core.models.catalogue import ModelRole
from core.models.tokens.table import read_tokens
from core.stories import Story
from core.tokens import Mode
from tests.core.models.tiny import save
from tests.terminal import bad

Captured = pytest.CaptureFixture[str]
WORDS = ["fox", "hen", "yard", "rain", "road", "lamp", "door", "bread", "river", "hill", "song", "night"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save(tmp_path_factory.mktemp("tiny"), "LlamaForCausalLM", ModelRole.LANGUAGE)


@pytest.fixture(autouse=True)
def wide(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal so wide that no table folds."""
    monkeypatch.setattr(terminal.console, "width", 200)


def sentence(rng: np.random.Generator, number: int) -> str:
    return " ".join(rng.choice(WORDS, number).tolist()) + "."


@pytest.fixture
def one_file(tmp_path: Path) -> Path:
    """Summaries of two systems beside their references, tagged, as summarizers' outputs are published."""
    rng = np.random.default_rng(0)
    gold = [sentence(rng, 14) for _ in range(8)]
    rows = [
        {"system": system, "reference": f"<t> {gold[i]} </t>", "summary": f"<t> {sentence(rng, 12)} </t>"}
        for system in ("little", "big")
        for i in range(8)
    ]
    path = tmp_path / "summaries.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


MAP = ["text=summary", "system=system", "reference=reference"]


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save(tmp_path_factory.mktemp("masked"), "BertForMaskedLM", ModelRole.ENCODER)


def as_object(capsys: Captured) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_causal_and_a_masked_model_test_h2(one_file: Path, model: str, masked: str, capsys: Captured) -> None:
    """As the paper does, with GPT-2 and BERT: the same texts by both, and which sees the larger difference."""
    small, large = Path(model).name, Path(masked).name
    naturalness_command(
        [one_file], model=[model], masked=[masked], mapping=MAP, strip_tags=True,
        size=[f"{small}=117e6", f"{large}=340e6"], json_file="-",
    )  # fmt: skip
    result = as_object(capsys)
    assert [(row["model"].split("@")[0], row["mode"]) for row in result["rows"]] == [
        (small, "causal"), (large, "masked"),
    ]  # fmt: skip
    tested = [entry for entry in result["hypotheses"] if entry["name"] == "H2"]
    assert {entry["of"] for entry in tested} == {"little", "big"}
    for item in tested:
        assert (large in item["larger"], small in item["smaller"], item["paired"], item["n"]) == (True, True, True, 8)
        by_hand = {row["mode"]: row["difference"][item["of"]] for row in result["rows"]}
        assert item["difference"]["value"] == pytest.approx(by_hand["masked"] - by_hand["causal"])


def test_summaries_beside_their_references(one_file: Path, model: str, capsys: Captured) -> None:
    naturalness_command(
        [one_file], model=[model], mapping=MAP, strip_tags=True, size=["big=2", "little=1"], json_file="-"
    )
    result = as_object(capsys)
    assert result["model"].count("@") == 1
    assert (result["mode"], result["first"], result["n"]) == ("causal", "all", 24)
    assert (result["human"]["n"], result["machine"]["big"]["n"]) == (8, 8)
    assert {name: item["pairs"] for name, item in result["paired"].items()} == {"little": 8, "big": 8}
    for name in ("share_greater", "difference", "p", "h_score", "auc"):
        assert set(result[name]) == {"little", "big"}
    difference = result["machine"]["big"]["mean"] - result["human"]["mean"]
    assert result["difference"]["big"] == pytest.approx(difference)
    assert result["notices"] == ["tags such as <t> were taken out of 24 texts"]
    (h1,) = result["hypotheses"]
    assert (h1["name"], h1["larger"], h1["smaller"], h1["n"]) == ("H1", "big", "little", 8)
    assert len(result["thresholds"]) == 1


def test_two_files_at_two_lengths_as_tables(tmp_path: Path, model: str, capsys: Captured) -> None:
    rng = np.random.default_rng(1)
    for name in ("people", "machine"):
        rows = [json.dumps({"text": sentence(rng, 3 if i == 5 else 20)}) for i in range(6)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    files = {"machine": [tmp_path / "machine.jsonl"], "human": tmp_path / "people.jsonl"}
    naturalness_command(**files, model=[model], first=["8", "16"], thresholds=2, limit=6)
    text = " ".join(capsys.readouterr().out.split())
    assert "first 8 tokens" in text
    assert "human: 1 left out, the text has fewer than 16 tokens" in text
    assert "H1 and H2 are tested where --size says" in text
    natural_texts = gather([tmp_path / "machine.jsonl"], tmp_path / "people.jsonl", limit=3).about
    assert [len(natural_texts.of(side)) for side in (None, "machine")] == [3, 3]
    assert len(set(natural_texts.documents)) == 6  # rows of two files that name no prompt are about nothing in common


def test_prompts_pair_texts_across_files(tmp_path: Path) -> None:
    for name in ("people", "machine"):
        rows = [json.dumps({"prompt": f"Opening {i}.", "text": f"{name} told {i}."}) for i in range(4)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    natural_texts = gather([tmp_path / "machine.jsonl"], tmp_path / "people.jsonl", limit=2, seed=3).about
    assert {natural_texts.documents[i] for i in natural_texts.of(None)} == {
        natural_texts.documents[i] for i in natural_texts.of("machine")
    }


def test_beginnings_are_read_as_the_whole_is(model: str) -> None:
    rng = np.random.default_rng(2)
    texts = [sentence(rng, n) for n in (4, 30, 60)] + ["", "the  road\n\n  and it's über-long, naïve 日本語 " * 4]
    whole = [table.fraction for table in read_tokens(texts, model=model, top=0)]
    readings = read_fractions(texts, [10, 25], model=model)
    for reading in readings:
        first = reading.discriminator.first or 0
        for place, fractions in enumerate(whole):
            if len(fractions) < first:
                assert np.isnan(reading.fp[place])
                assert reading.reasons[place] == (
                    f"the text has fewer than {first} tokens" if len(fractions) else "the text has no token"
                )
            else:
                assert reading.fp[place] == pytest.approx(fractions[:first].mean(), abs=1e-5)


def test_a_masked_model_reads_the_cut_text(tmp_path: Path) -> None:
    folder = save(tmp_path / "bert", "BertForMaskedLM", ModelRole.ENCODER)
    texts = [sentence(np.random.default_rng(3), 12), "one two"]
    for mode in (Mode.MASKED, Mode.UNMASKED):
        scores = read_fractions(texts, [None, 6], model=folder, mode=mode)
        metric = build("fp-masked", Settings(model=folder, options={"mode": mode.value, "first": "6"}))
        assert scores[1].fp[0] == pytest.approx(-metric.score([Story(texts[0])]).values[0], abs=1e-6)
        assert scores[1].reasons == {1: "the text has fewer than 6 tokens"}
        assert np.isfinite(scores[0].fp).all()


def test_numbers_are_those_of_the_metric(model: str) -> None:
    texts = [sentence(np.random.default_rng(4), 20), sentence(np.random.default_rng(5), 9)]
    (scores,) = read_fractions(texts, [12], model=model)
    metric = build("fp", Settings(model=model, options={"of": "story-alone", "first": "12"}))
    assert scores.fp[0] == pytest.approx(-metric.score([Story(texts[0])]).values[0], abs=1e-6)
    assert discriminator_of(metric.signature) == replace(scores.discriminator, signature=metric.signature)


def test_refusals(one_file: Path, tmp_path: Path, home: Path) -> None:
    plain = tmp_path / "plain.jsonl"
    plain.write_text('{"text": "a b c"}\n{"text": "d e f"}', encoding="utf-8")
    assert "There is no human text" in bad("naturalness", "--machine", str(plain), home=home)
    human = tmp_path / "human.jsonl"
    human.write_text('{"text": "a", "source": "human"}', encoding="utf-8")
    assert "All texts are human" in bad("naturalness", "--machine", str(human), home=home)
    both = ("naturalness", "--machine", str(plain), "--human", str(human))
    assert "--first takes a number" in bad(*both, "--first", "none", home=home)
    assert "--size a takes a number" in bad(*both, "--size", "a=big", home=home)
    assert "--limit takes a number" in bad(*both, "--limit", "0", home=home)
    assert "has no column 'x'" in bad(*both, "--map", "text=x", home=home)
    assert "There is no file" in bad("naturalness", "--machine", str(tmp_path / "no.jsonl"), home=home)
