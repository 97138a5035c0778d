"""`tokens`, `gltr import`, `gltr export` from a terminal: one text, many, and what cannot be read."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import cli
from core.formats.gltr import read_gltr
from core.models.catalogue import ModelRole
from core.models.tokens.table import read_tokens
from tests.core.models.causal.stand_in_vllm import StandIn
from tests.core.models.tiny import save
from tests.judges.likelihood_server import START, LikelihoodServer
from tests.judges.server import MODEL
from tests.terminal import bad

TEXT = "The lamp \x1b[31m went out [bold]. 🦊"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tiny")
    return save(folder, "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=32, num_key_value_heads=2)


@pytest.fixture
def say(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Run a command in this process, where torch is loaded already; gives what it printed."""
    monkeypatch.setenv("FABULA_HOME", str(home))

    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["cli.py", *words])
        cli.main()
        return capsys.readouterr().out

    return run


def test_one_text(say, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "text.txt"
    path.write_text(f"\n{TEXT}\n", encoding="utf-8")
    result = json.loads(say("tokens", str(path), "--model", model, "--top", "2", "--device", "cpu", "--json", "-"))
    (table,) = read_tokens([TEXT], model=model, device="cpu", top=2)
    assert (result["model"], result["mode"], result["n"]) == (table.model, "causal", len(table))
    assert result["fp"] == pytest.approx(table.fraction.mean())
    assert [token["rank"] for token in result["tokens"]] == table.rank.tolist()
    assert [len(token["top"]) for token in result["tokens"]] == [2] * len(table)
    shown = say("tokens", str(path), "--model", model)
    assert "\x1b" not in shown
    assert "' lamp'" in shown
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TEXT.encode())))
    assert json.loads(say("tokens", "-", "--model", model, "--top", "2", "--json", "-")) == result
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b" \n")))
    assert json.loads(say("tokens", "-", "--model", model, "--json", "-"))["tokens"] == []


def test_many_texts(say, model: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    rows = [{"body": "One.", "by": "a"}, {"body": "It rained and rained.", "by": "b"}, {"body": "", "by": "b"}]
    table, lines, out = tmp_path / "in.jsonl", tmp_path / "in.txt", tmp_path / "out.jsonl"
    table.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    lines.write_text("\n".join(row["body"] for row in rows[1:]) + "\n", encoding="utf-8")
    words = ("--map", "text=body", "--where", "by=b", "--out", str(out), "--model", model, "--json", "-")
    result = json.loads(say("tokens", str(table), *words))
    assert (result["n"], result["mode"]) == (2, "causal")
    first, empty = result["rows"]
    assert list(first) == ["row", "n", "fp", "perplexity", "entropy", "top_10", "top_100", "top_1000", "beyond"]
    assert sum(first[name] for name in list(first)[5:]) == pytest.approx(1)
    assert (empty["n"], empty["fp"], empty["beyond"]) == (0, None, None)
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [item["fp"] for item in written] == [row["fp"] for row in result["rows"]]
    assert "".join(token["text"] for token in written[0]["tokens"]) == rows[1]["body"]
    assert json.loads(say("tokens", str(lines), "--lines", "--model", model, "--json", "-")) == result
    assert "top_1000" in say("tokens", str(lines), "--lines", "--model", model)


def test_gltrs_files(say, model: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text, out = tmp_path / "text", tmp_path / "out.json"
    text.write_text(TEXT, encoding="utf-8")
    assert "tokens written to" in say("gltr", "export", str(text), "--out", str(out), "--model", model)
    assert not list(tmp_path.glob("*.part"))
    assert read_gltr(out).top_p.shape[1] == 40
    own = json.loads(say("tokens", str(text), "--model", model, "--top", "40", "--json", "-"))
    again = json.loads(say("gltr", "import", str(out), "--json", "-"))
    assert (again["model"], again["n"]) == (own["model"], own["n"])
    assert again["fp"] == pytest.approx(own["fp"], abs=1e-6)
    assert [token["top"][0][0] for token in again["tokens"]] == [token["top"][0][0] for token in own["tokens"]]
    assert "' lamp'" in say("gltr", "import", str(out))


def test_what_is_wrong_is_one_line(home: Path, model: str, tmp_path: Path) -> None:
    text, table = tmp_path / "text.txt", tmp_path / "t.csv"
    text.write_text("It rained.")
    table.write_text("text\nIt rained.\n")
    assert "There is no text" in bad("tokens", "none.txt", home=home)
    assert "--lines goes with a text file" in bad("tokens", str(table), "--lines", home=home)
    assert "go with a table" in bad("tokens", str(text), "--map", "text=a", home=home)
    assert "--out goes with a table" in bad("tokens", str(text), "--out", "x", "--model", model, home=home)
    assert "There is no precision" in bad("tokens", str(text), "--precision", "half", home=home)
    assert "download a masked language model" in bad("tokens", str(text), "--mode", "masked", home=home)
    assert "but here a masked" in bad("tokens", str(text), "--mode", "masked", "--model", model, home=home)
    assert "is not GLTR's JSON" in bad("gltr", "import", str(_json(tmp_path, {})), home=home)
    missing = tmp_path / "none" / "g.json"
    assert "cannot be written" in bad("gltr", "export", str(text), "--out", str(missing), "--model", model, home=home)


def _json(folder: Path, data: object) -> Path:
    path = folder / "some.json"
    path.write_text(json.dumps(data))
    return path


def test_a_text_that_is_read_on_a_server(say, likelihood_server: LikelihoodServer, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """With the numbers of the same model here."""
    file, rows = tmp_path / "text.txt", tmp_path / "rows.jsonl"
    file.write_text("The lamp went out.\nIt rained. 🦊\n")
    where = ("--endpoint", likelihood_server.address, "--endpoint-model", MODEL, "--endpoint-setting", f"start={START}")
    there = json.loads(say("tokens", str(file), *where, "--json", "-"))
    here = json.loads(say("tokens", str(file), "--json", "-"))
    assert there["model"] == f"{MODEL}@{likelihood_server.address.split('/')[2]}"
    assert there["perplexity"] == pytest.approx(here["perplexity"], rel=1e-4)
    assert [token["rank"] for token in there["tokens"]] == [token["rank"] for token in here["tokens"]]
    say("tokens", str(file), "--lines", "--out", str(rows), *where)
    assert len(rows.read_text().splitlines()) == 2
    assert len(likelihood_server.asked) == 3
    for start in (f"start={START}", "start="):
        where = ("--endpoint", likelihood_server.address, "--endpoint-model", MODEL, "--endpoint-setting", start)
        say("gltr", "export", str(file), "--out", str(tmp_path / "gltr.json"), "--top", "20", *where)
        assert len(read_gltr(tmp_path / "gltr.json")) == len(there["tokens"]) - (start == "start=")


def test_a_server_reads_with_its_own_model(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("It rained.")
    where = ("--endpoint", "http://localhost:1/v1", "--endpoint-model", "m")
    assert "leave --model and --mode out" in bad("tokens", str(file), *where, "--model", "x", home=home)
    assert "with --endpoint" in bad("tokens", str(file), "--endpoint-model", "m", home=home)


def test_in_vllm(say, model: str, tmp_path: Path, vllm: StandIn) -> None:  # type: ignore[no-untyped-def]
    """`tokens`, and a file's stories; the numbers are those of this process."""
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    here, there = (
        json.loads(say("tokens", str(path), "--model", name, "--device", device, "--json", "-"))
        for name, device in ((model, "cpu"), (f"vllm:{model}", "cuda"))
    )
    assert there["model"] == f"{here['model']} vllm-{vllm.version}"
    assert [token["text"] for token in there["tokens"]] == [token["text"] for token in here["tokens"]]
    assert [token["p"] for token in there["tokens"]] == pytest.approx(
        [token["p"] for token in here["tokens"]], rel=1e-4
    )
    assert there["perplexity"] == pytest.approx(here["perplexity"], rel=1e-5)
    stories = tmp_path / "stories.jsonl"
    stories.write_text(json.dumps({"prompt": "It rained.", "text": TEXT}) + "\n", encoding="utf-8")
    words = ("score", "--in", str(stories), "--metric", "perplexity", "--model", f"vllm:{model}", "--json", "-")
    (row,) = json.loads(say(*words, "--out", str(tmp_path / "scored.jsonl")))["rows"]
    assert f"|engine:vllm-{vllm.version}|dtype:float32|" in row["signature"]
    assert row["undefined"] == 0


def test_without_vllm(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    assert "vLLM, which is not installed here: `pip install vllm`" in bad(
        "tokens", str(path), "--model", "vllm:", home=home
    )
