"""GLTR's files: the published numbers, every wrong shape in one sentence, and tables that come back as they went."""

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.formats import gltr
from core.formats.gltr import gltr_json, read_gltr, tokens_csv, tokens_json
from core.pieces import words_of
from core.tokens import Mode, TokenTable, buckets, summarise
from tests.core.formats.gltr_file import small

GOLDEN = {
    "NYTimes": 0.5428,
    "paper_gan": 0.4488,
    "gpt2_small_top5_uncond": 0.7968,
    "gpt_2_small_top40_t0.7": 0.7283,
    "unicorn": 0.5371,
}
NUMBERS = ("rank", "log_p", "fraction", "entropy", "top_p", "starts", "ends", "words")


def encoded(data: object) -> bytes:
    return json.dumps(data).encode()


@pytest.mark.parametrize("name", GOLDEN)
def test_the_released_files_have_their_fp_and_their_buckets(shared: Path, name: str) -> None:
    path = shared / "gltr" / f"{name}.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    table = read_gltr(path)
    assert table.text == raw["request"]["text"]
    token_summary = summarise(table)
    assert token_summary.fp is not None
    assert round(token_summary.fp, 4) == GOLDEN[name]
    ranks = [rank for rank, _ in raw["result"]["real_topk"]]
    counted = [sum(low <= r < high for r in ranks) for low, high in ((0, 10), (10, 100), (100, 1000), (1000, 10**9))]
    assert np.bincount(buckets(table.rank), minlength=4).tolist() == counted
    assert token_summary.shares == tuple(count / len(ranks) for count in counted)
    ten = [p for _, p in raw["result"]["pred_topk"][7][:10]]
    assert table.entropy[7] == pytest.approx(-sum(p / sum(ten) * math.log(p / sum(ten)) for p in ten))
    again = read_gltr(gltr_json(table).encode())
    assert (again.text, again.top, again.mode) == (table.text, table.top, table.mode)
    for column in NUMBERS:
        np.testing.assert_allclose(getattr(again, column), getattr(table, column), atol=1e-6, rtol=1e-6)


def test_a_small_file_is_read_as_it_stands() -> None:
    table = read_gltr(encoded(small()))
    assert (table.text, table.model, table.mode) == ("Hi ’", "gltr:new", Mode.CAUSAL)
    assert list(zip(table.starts.tolist(), table.ends.tolist(), strict=True)) == [(0, 2), (2, 4), (3, 4)]
    assert table.words.tolist() == [0, 1, 1]
    assert table.log_p.tolist() == [math.log(0.1), math.log(0.5), -math.inf]
    assert table.fraction.tolist() == [0.25, 1.0, 0.0]
    assert table.entropy[2] == 0.0
    assert table.top == (("A", " "), (" \\xe2", "b"), (" c", "d"))
    assert (summarise(table).perplexity, tokens_json(table)["perplexity"]) == (None, None)


def test_pieces_win_over_a_text_that_does_not_agree() -> None:
    data = small()
    data["request"]["text"] = "something else"
    assert read_gltr(encoded(data)).text == "Hi ’"
    cut = small(bpe_strings=["<|endoftext|>", "Hi", "Ġâ", "!"])
    table = read_gltr(encoded(cut))
    assert table.text == "Hi \\xe2!"
    assert table.ends.tolist() == [2, 7, 8]


def test_a_file_of_gltrs_bert_loses_its_end_mark() -> None:
    data = small(bpe_strings=["Ġ[CLS]", "ĠHi", "there", "ĊĠ[SEP]"])
    data["request"]["text"] = "Hithere\n"
    table = read_gltr(encoded(data))
    assert (len(table), table.mode, table.text) == (2, Mode.MASKED, "Hithere\n")
    assert list(zip(table.starts.tolist(), table.ends.tolist(), strict=True)) == [(0, 2), (2, 7)]


REAL, PRED = small()["result"]["real_topk"], small()["result"]["pred_topk"]


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b" \n", "is empty"),
        (b"{", "line 1: this is not JSON"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"[]", "has no object 'request'"),
        (b'{"request": {"text": 3}, "result": {}}', "its request has no text"),
        (b'{"request": {"text": ""}, "result": {}}', "its result has no list 'bpe_strings'"),
        (encoded(small())[:-30], "this is not JSON"),
        (encoded(small(bpe_strings=[])), "has no list 'bpe_strings'"),
        (encoded(small(real_topk=REAL[:2])), "have 4, 2 and 3 entries"),
        (encoded(small(bpe_strings=["a", "b", "c", 4])), "entry 4 of bpe_strings is '4', not a text"),
        (encoded(small(real_topk=[[-1, 0.1], *REAL[1:]])), r"entry 1 of real_topk is \[-1, 0.1\]"),
        (encoded(small(real_topk=[[True, 0.1], *REAL[1:]])), "entry 1 of real_topk"),
        (encoded(small(real_topk=[*REAL[:2], [1, math.nan]])), "entry 3 of real_topk"),
        (encoded(small(real_topk=[[3, 0.6], *REAL[1:]])), "token 1 is more probable than the likeliest"),
        (encoded(small(pred_topk=[PRED[0], PRED[1][:1], PRED[2]])), "entry 2 of pred_topk is not a list of 2"),
        (encoded(small(pred_topk=[[], [], []])), "entry 1 of pred_topk is not a list of 1"),
        (encoded(small(pred_topk=[PRED[0][::-1], *PRED[1:]])), "entry 1 of pred_topk holds .* the likeliest first"),
        (encoded(small(pred_topk=[[["A", 0], ["B", 0]], *PRED[1:]])), "entry 1 of pred_topk gives its likeliest"),
        (encoded({**small(), "fabula": {"model": "m"}}), "the part `fabula` lacks"),
        (
            encoded(
                {**small(), "fabula": {"model": "m", "mode": "causal", "starts": [0], "ends": [1], "entropy": [0.0]}}
            ),
            "the part `fabula` does not go with the tokens",
        ),
        (b'{"request": {"text": "\\ud83e"}, "result": {}}', "half of a character"),
    ],
)
def test_a_file_of_another_shape_is_refused_in_one_sentence(raw: bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as error:
        read_gltr(raw)
    assert len(str(error.value)) < 250


def test_files_that_are_not_there_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_gltr(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_gltr(tmp_path)
    large = tmp_path / "large.json"
    with large.open("wb") as stream:
        stream.truncate(4 * gltr.LARGEST)
    with pytest.raises(InputError, match=r"^large.json has 200 MB, but GLTR's JSON is read up to 50 MB"):
        read_gltr(large)


def made(text: str, spans: list[tuple[int, int]], mode: Mode, seed: int = 0) -> TokenTable:
    """Any numbers for tokens in these places."""
    random, n = np.random.default_rng(seed), len(spans)
    top_p = -np.sort(-random.dirichlet(np.ones(4), n)[:, :3]).reshape(n, 3)
    fraction = random.random(n)
    places = np.array(spans, np.int64).reshape(-1, 2)
    return TokenTable(
        text,
        "any@1",
        mode,
        places[:, 0],
        places[:, 1],
        words_of(text, places[:, 0]),
        np.log(top_p[:, 0] * fraction),
        random.integers(0, 50_000, n),
        fraction,
        random.random(n),
        tuple(("=1+1", "é", "\\xe2") for _ in spans),
        top_p,
    )


@settings(max_examples=40)
@given(st.text(st.characters(exclude_categories=["Cs"])), st.data())
def test_any_table_comes_back(text: str, data: st.DataObject) -> None:
    """Also of a tokenizer that leaves spaces out, and of one that cuts characters into several tokens."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    spans = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b]
    if spans and data.draw(st.booleans()):
        spans += [(spans[-1][1] - 1, spans[-1][1])] * 2
    table = made(text, spans, data.draw(st.sampled_from(Mode)))
    written = gltr_json(table)
    again = read_gltr(written.encode())
    assert (again.text, again.model, again.mode, again.top) == (text, table.model, table.mode, table.top)
    for column in NUMBERS if spans else ():
        np.testing.assert_allclose(getattr(again, column), getattr(table, column), atol=1e-5)
    raw = json.loads(written)
    assert set(raw["result"]) == {"bpe_strings", "real_topk", "pred_topk"}
    if spans and text.strip():
        del raw["fabula"]  # as GLTR would have it: the pieces still make up the text
        assert read_gltr(encoded(raw)).text == text


def test_a_table_as_json_and_as_csv() -> None:
    table = made("=2 one", [(0, 2), (2, 6)], Mode.MASKED)
    result = tokens_json(table)
    assert list(result) == ["model", "mode", "n", "fp", "perplexity", "tokens"]
    assert result["fp"] == pytest.approx(table.fraction.mean())
    first = result["tokens"][0]
    assert (first["text"], first["start"], first["end"], first["word"]) == ("=2", 0, 2, 0)
    assert first["p"] == pytest.approx(math.exp(table.log_p[0]))
    assert first["top"] == [["=1+1", table.top_p[0, 0]], ["é", table.top_p[0, 1]], ["\\xe2", table.top_p[0, 2]]]
    rows = list(csv.DictReader(io.StringIO(tokens_csv(table), newline="")))
    assert [row["text"] for row in rows] == ["'=2", " one"]
    assert rows[0]["alternative 1"] == "'=1+1"
    assert float(rows[1]["p 3"]) == table.top_p[1, 2]
    empty = made("", [], Mode.CAUSAL)
    assert (tokens_json(empty)["fp"], tokens_json(empty)["tokens"]) == (None, [])
    assert len(read_gltr(gltr_json(empty).encode())) == 0


def test_a_table_without_alternatives_is_not_written() -> None:
    table = made("ab", [(0, 2)], Mode.CAUSAL)
    bare = TokenTable(**{**vars(table), "top": ((),), "top_p": np.zeros((1, 0))})
    with pytest.raises(InputError, match="some alternatives"):
        gltr_json(bare)
