"""Embeddings against a plain forward pass of one text; batches and windows must not move a number."""

import random
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.models.catalogue import ModelRole, locate
from core.models.encoder import Embedding, Encoder, windows
from core.models.runtime import encoder
from core.models.text_cache import Memory
from tests.core.models.tiny import mans_stories, save

TEXTS = [
    "The lamp went out.",
    "Nora felt for the matches, but there were none left; she didn't mind.",
    "x",
    "!?",
    "[FEMALE] ' s unbelievably overcrowded 🦊 café .",
    "It went out. " * 30,
]
LAST = 6


@pytest.fixture(scope="module")
def model() -> Encoder:
    return encoder(locate(None, ModelRole.ENCODER), "cpu", "float32")


@pytest.fixture(autouse=True)
def _forget(model: Encoder) -> None:
    model._memory.clear()


@pytest.fixture(scope="module")
def plain(model: Encoder) -> torch.nn.Module:
    return transformers.AutoModel.from_pretrained(model.source.folder).eval()


@torch.inference_mode()
def plain_states(plain: torch.nn.Module, ids: list[int], layer: int = LAST) -> torch.Tensor:
    """The obvious way: one text, no mask, every layer's states."""
    return plain(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]


def assert_close(found: torch.Tensor, expected: torch.Tensor) -> None:
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


def test_states_of_all_layers_equal_a_plain_forward_of_each_text(model: Encoder, plain: torch.nn.Module) -> None:
    for text, state in zip(TEXTS, model.states(TEXTS), strict=True):
        ids = torch.tensor([model.tokenizer(text)["input_ids"]])
        with torch.inference_mode():
            expected = plain(input_ids=ids, output_hidden_states=True).hidden_states
        assert_close(state, torch.cat(expected).transpose(0, 1))


def test_embeddings_equal_a_plain_forward_of_each_text(model: Encoder, plain: torch.nn.Module) -> None:
    for text, embedding in zip(TEXTS, model.embed(TEXTS, LAST), strict=True):
        ids = model.tokenizer(text)["input_ids"]
        assert embedding.ids.tolist() == ids
        assert_close(embedding.vectors, plain_states(plain, ids))


def test_two_hundred_real_stories_equal_a_plain_forward(model: Encoder, plain: torch.nn.Module, shared: Path) -> None:
    texts = [story.text for story in mans_stories(shared)]
    for text, embedding in zip(texts[::4], model.embed(texts, LAST)[::4], strict=True):
        assert_close(embedding.vectors, plain_states(plain, model.tokenizer(text)["input_ids"]))


def test_what_an_embedding_says_of_its_pieces(model: Encoder) -> None:
    (embedding,) = model.embed(["Certainly, she didn't [MALE] 🦊 3.5 !"], LAST)
    pieces = model.tokenizer.convert_ids_to_tokens(embedding.ids.tolist())
    assert pieces == [
        *("[CLS]", "certainly", ",", "she", "didn", "'", "t", "[", "male", "]", "[UNK]", "3", ".", "5", "!", "[SEP]")
    ]
    assert embedding.content.tolist() == [False, *[True] * 14, False]
    marks = {p for p, mark in zip(pieces, embedding.marks.tolist(), strict=True) if mark}
    assert marks == {",", "'", "[", "]", ".", "!"}
    assert embedding.first_pieces.tolist() == embedding.content.tolist()


def test_only_the_first_piece_of_a_word_begins_it(model: Encoder) -> None:
    (embedding,) = model.embed(["overcrowdedness snores"], LAST)
    pieces = model.tokenizer.convert_ids_to_tokens(embedding.ids.tolist())
    assert sum(piece.startswith("##") for piece in pieces) >= 2
    begin = [not piece.startswith("##") and piece not in ("[CLS]", "[SEP]") for piece in pieces]
    assert embedding.first_pieces.tolist() == begin


def test_batch_size_order_and_duplicates_move_nothing(model: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = {}
    for text in TEXTS:
        model._memory.clear()
        alone[text] = model.embed([text], LAST)[0]
    shuffled = TEXTS * 3
    random.Random(3).shuffle(shuffled)
    for budget in (1, 30, 100_000):
        monkeypatch.setattr("core.models.network.TOKENS_A_BATCH", {"cpu": budget})
        model._memory.clear()
        for text, embedding in zip(shuffled, model.embed(shuffled, LAST), strict=True):
            assert_close(embedding.vectors, alone[text].vectors)


def test_a_text_is_read_once_however_often_it_comes(model: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    forward = model._forward
    monkeypatch.setattr(model, "_forward", lambda part, *rest: read.append(len(part)) or forward(part, *rest))
    model.embed([*TEXTS, *TEXTS], LAST)
    assert sum(read) == len(TEXTS)
    model.embed(TEXTS[::-1], LAST)
    assert sum(read) == len(TEXTS), "remembered"
    model.embed(TEXTS[:1], 3)
    assert sum(read) == len(TEXTS) + 1, "another layer is another embedding"


@pytest.mark.parametrize(
    ("name", "number"), [("last", 6), ("6", 6), ("0", 0), ("-1", 6), ("-2", 5), ("-7", 0), ("3", 3)]
)
def test_layers_are_counted_from_both_ends(name: str, number: int, model: Encoder, plain: torch.nn.Module) -> None:
    assert model.layer(name) == number
    (embedding,) = model.embed(TEXTS[:1], model.layer(name))
    assert_close(embedding.vectors, plain_states(plain, model.tokenizer(TEXTS[0])["input_ids"], number))


@pytest.mark.parametrize("name", ["7", "-8", "99"])
def test_a_layer_that_there_is_not(name: str, model: Encoder) -> None:
    expected = rf"^all-minilm-l6-v2 has the layers 0 to 6; there is no layer {name}\.$"
    with pytest.raises(InputError, match=expected):
        model.layer(name)


@given(st.integers(0, 2000), st.integers(4, 300))
def test_windows_share_out_the_pieces_far_from_every_cut(length: int, size: int) -> None:
    result = windows(length, size)
    kept = [piece for _, _, left, right in result for piece in range(left, right)]
    assert kept == list(range(length)), "each piece once, in order"
    for begin, end, left, right in result:
        assert 0 <= begin <= left <= right <= end <= length
        assert end - begin == min(size, length), "windows are as large as they can be"
        # An end of the text is no cut: nothing is missing beyond it.
        assert begin == 0 or left - begin >= size // 4
        assert end == length or end - right >= size // 4
    assert len(result) <= length / (size // 2) + 2, "no more windows than that takes"


def test_a_long_text_is_read_to_its_end(model: Encoder, plain: torch.nn.Module) -> None:
    """1,500 words, three times what the model can read: one vector per piece, each from a window around it."""
    rng = random.Random(5)
    text = " ".join(
        rng.choice(["lamp", "went", "unbelievable", "Nora", "."]) + rng.choice(["", "s"]) for _ in range(1500)
    )
    ids = model.tokenizer(text, truncation=False)["input_ids"]
    assert len(ids) > 1502
    (embedding,) = model.embed([text], LAST)
    assert embedding.ids.tolist() == ids
    assert embedding.vectors.shape == (len(ids), 384)
    assert embedding.content.tolist() == [False, *[True] * (len(ids) - 2), False]
    # An obvious version: the same windows, each read by itself.
    size = 510
    pieces = ids[1:-1]
    begins = [*range(0, len(pieces) - size, size // 2), len(pieces) - size]
    states = [plain_states(plain, [ids[0], *pieces[b : b + size], ids[-1]]) for b in begins]
    assert_close(embedding.vectors[:300], states[0][:300])
    assert_close(embedding.vectors[-250:], states[-1][-250:])
    for position in range(0, len(pieces), 7):
        around = [
            (
                min(position - b if b else size, b + size - 1 - position if b < begins[-1] else size),
                state[position - b + 1],
            )
            for b, state in zip(begins, states, strict=True)
            if b <= position < b + size
        ]
        best = max(distance for distance, _ in around)
        # In the middle of an overlap two windows are as good.
        near = [state for distance, state in around if distance >= best - 1]
        assert min(float((embedding.vectors[position + 1] - state).abs().max()) for state in near) < 1e-5


def test_a_text_of_one_window_and_a_text_of_one_piece_more(model: Encoder, plain: torch.nn.Module) -> None:
    exact, over = " ".join(["lamp"] * 510), " ".join(["lamp"] * 511)
    embeddings = model.embed([exact, over], LAST)
    assert [len(embedding.ids) for embedding in embeddings] == [512, 513]
    assert_close(embeddings[0].vectors, plain_states(plain, embeddings[0].ids.tolist()))
    assert_close(embeddings[1].vectors[:200], plain_states(plain, [*embeddings[1].ids.tolist()[:511], 102])[:200])


def test_unknown_characters_are_content(model: Encoder) -> None:
    (embedding,) = model.embed(["🦊 🐢"], LAST)
    assert embedding.ids.tolist() == [101, 100, 100, 102]
    assert embedding.content.tolist() == [False, True, True, False]
    assert not embedding.marks[1]


@pytest.mark.parametrize("text", ["", " ", "​", "\x00\x01"])
def test_a_text_of_which_nothing_is_left_has_its_special_pieces_alone(text: str, model: Encoder) -> None:
    empty, after = model.embed([text, "after"], LAST)
    assert empty.ids.tolist() == [101, 102]
    assert empty.vectors.shape == (2, 384)
    assert torch.isfinite(empty.vectors).all()
    assert not empty.content.any()
    assert not empty.first_pieces.any()
    assert after.content.sum() == 1


def test_nothing_to_embed(model: Encoder) -> None:
    assert model.embed([], LAST) == []


def test_memory_is_bounded_in_bytes(model: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    size = model.embed(["one two"], LAST)[0].vectors.nbytes
    assert size == 4 * 384 * 4
    memory: Memory[tuple[str, int], Embedding] = Memory(3 * size)
    monkeypatch.setattr(model, "_memory", memory)
    texts = [f"{word} two" for word in ("one", "three", "four", "five", "six")]
    model.embed(texts, LAST)
    assert memory.used == 3 * size
    assert [memory.get((text, LAST)) is not None for text in texts] == [False, False, True, True, True]
    (long,) = model.embed(["one " * 100], LAST)
    assert long.vectors.nbytes > 3 * size
    assert memory.used == 3 * size, "a text larger than the memory is not kept"


def test_pieces_are_not_cut_off(model: Encoder) -> None:
    long = "lamp " * 900
    assert [len(ids) for ids in model.pieces(["lamp", long])] == [3, 902]


def test_roberta_reads_two_positions_less_than_its_table_has(tmp_path: Path) -> None:
    """With its padding id of 1 positions begin at 2: a longer window would look up what is not there."""
    folder = save(tmp_path, "RobertaModel", ModelRole.ENCODER, max_position_embeddings=26, pad_token_id=1)
    model = Encoder(locate(folder, ModelRole.ENCODER))
    assert (model.positions, model.window) == (24, 22)
    plain = transformers.AutoModel.from_pretrained(folder).eval()
    exact, over, long = model.embed([" ".join(["lamp"] * n) for n in (22, 23, 400)], 2)
    assert_close(exact.vectors, plain_states(plain, exact.ids.tolist(), 2))
    assert [len(embedding.ids) for embedding in (over, long)] == [25, 402]


def test_byte_level_pieces_know_marks_from_letters(tmp_path: Path) -> None:
    """Such pieces write a space as Ġ, which is a letter: ` .` is a mark all the same, and a part of a letter none."""
    folder = save(tmp_path, "LlamaModel", ModelRole.LANGUAGE, num_key_value_heads=2)
    model = Encoder(locate(folder, ModelRole.ENCODER))
    (embedding,) = model.embed(['he ran . " no " , שלום'], 2)
    pieces = model.tokenizer.convert_ids_to_tokens(embedding.ids.tolist())
    assert {p for p, mark in zip(pieces, embedding.marks, strict=True) if mark} == {"Ġ.", 'Ġ"', "Ġ,"}
    assert embedding.content.all(), "this family puts no special pieces at the ends"
    assert np.isfinite(embedding.vectors.numpy()).all()
