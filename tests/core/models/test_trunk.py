"""The trunk against the whole model, text by text."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from core.errors import InputError, ModelMissing
from core.models.adapter import LowRank, adapt
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.layers import blocks, drop_layers_above, states
from core.models.trunk import Trunk, is_causal, pieces_of
from tests.core.models import tiny

TEXTS = ["The dog came home. Nobody had seen it for a week.", "Hi.", "", "A cat slept on the warm stone."]
KINDS = {
    "LlamaForCausalLM": (ModelRole.LANGUAGE, {"num_key_value_heads": 2, "max_position_embeddings": 64}),
    "GPT2LMHeadModel": (ModelRole.LANGUAGE, {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64}),
    "BertModel": (ModelRole.ENCODER, {"max_position_embeddings": 64}),
    "DistilBertModel": (ModelRole.ENCODER, {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}),
}


def made(folder: Path, name: str) -> ModelSource:
    role, options = KINDS[name]
    return locate(tiny.save(folder, name, role, **options), ModelRole.ENCODER)


def slowly(source: ModelSource, trunk: Trunk, text: str, layers: tuple[int, ...]) -> list[torch.Tensor]:
    """The states of one text alone behind each layer, by Transformers' own output of hidden states."""
    model: Any = transformers.AutoModel.from_pretrained(source.folder).eval()
    for last in ("norm", "ln_f"):  # hidden states are given behind the last norm of these
        if hasattr(model, last):
            setattr(model, last, torch.nn.Identity())
    ids = [*trunk.layout.left, *pieces_of(trunk.tokenizer, [text])[0], *trunk.layout.right]
    with torch.inference_mode():
        result = model(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
    return [result[layer][0] for layer in layers]


@pytest.mark.parametrize("name", KINDS)
def test_it_reads_as_the_whole_model_does(tmp_path: Path, name: str) -> None:
    source = made(tmp_path, name)
    trunk = Trunk(source, (1, 2))
    for text, reading in zip(TEXTS, trunk.read(TEXTS), strict=True):
        tensors = slowly(source, trunk, text, (1, 2))
        begin, end = len(trunk.layout.left), len(tensors[0]) - len(trunk.layout.right)
        assert len(reading.ids) == end - begin
        assert torch.allclose(reading.pieces.float(), tensors[1][begin:end], atol=2e-3)
        assert torch.allclose(reading.whole, tensors[1][-1 if trunk.layout.causal else 0], atol=1e-5)
        for layer in (0, 1):
            mean = tensors[layer][begin:end].mean(0) if end > begin else torch.zeros(16)
            assert torch.allclose(reading.layers[layer], mean, atol=1e-5)


def test_which_bases_read_from_left_to_right(tmp_path: Path) -> None:
    result = {name: is_causal(made(tmp_path / name, name)) for name in KINDS}
    assert result == {
        "LlamaForCausalLM": True, "GPT2LMHeadModel": True, "BertModel": False, "DistilBertModel": False,
    }  # fmt: skip


def test_what_is_above_is_thrown_away_and_changes_nothing(tmp_path: Path) -> None:
    source = made(tmp_path, "BertModel")
    low, both = Trunk(source, (1,)), Trunk(source, (1, 2))
    assert (len(blocks(low.model)), len(blocks(both.model))) == (1, 2)
    for encoded_text, other in zip(low.read(TEXTS), both.read(TEXTS), strict=True):
        assert torch.equal(encoded_text.layers[0], other.layers[0])


@pytest.mark.parametrize("name", ["LlamaForCausalLM", "BertModel"])
def test_a_long_text_is_read_in_windows(tmp_path: Path, name: str) -> None:
    source = made(tmp_path, name)
    trunk = Trunk(source, (2,))
    text = " ".join(f"word {i} of many." for i in range(60))
    (reading,) = trunk.read([text])
    windows = trunk.layout.windows(pieces_of(trunk.tokenizer, [text])[0])
    assert len(windows) > 2
    assert [len(window) for window in windows[:-1]] == [trunk.layout.room] * (len(windows) - 1)
    parts = [trunk._forward([window])[0][2] for window in windows]  # each alone
    assert torch.allclose(reading.pieces.float(), torch.cat(parts).float(), atol=2e-3)
    assert torch.allclose(reading.layers[0], torch.cat(parts).float().mean(0), atol=2e-3)


def test_progress_counts_texts(tmp_path: Path) -> None:
    told: list[int] = []
    Trunk(made(tmp_path, "BertModel"), (1,)).read([*TEXTS, "word " * 300], told.append)
    assert sum(told) == 5


def test_layers_that_are_not_there(tmp_path: Path) -> None:
    source = made(tmp_path, "BertModel")
    with pytest.raises(InputError, match="has the layers 1 to 2; there is no layer 3"):
        Trunk(source, (3,))
    with pytest.raises(InputError, match="layers 1 to 2, not 0"):
        states(transformers.AutoModel.from_pretrained(source.folder), {}, (0,))


@pytest.mark.parametrize("name", ["LlamaForCausalLM", "BertModel", "DistilBertModel"])
def test_an_adapter_begins_as_nothing_and_is_all_that_learns(tmp_path: Path, name: str) -> None:
    source = made(tmp_path, name)
    model: Any = transformers.AutoModel.from_pretrained(source.folder).eval()
    inputs = {"input_ids": torch.tensor([[5, 6, 7, 8]])}
    (before,) = states(model, inputs, (2,))
    adapt(model, rank=3)
    (after,) = states(model, inputs, (2,))
    assert torch.equal(before, after)
    learning = {key for key, item in model.named_parameters() if item.requires_grad}
    assert len(learning) == 8  # two layers, query and value, down and up
    assert all(key.endswith((".down", ".up")) for key in learning)
    after[..., 0].sum().backward()
    grown = [module for module in model.modules() if isinstance(module, LowRank)]
    assert all(low_rank.up.grad is not None and low_rank.up.grad.abs().sum() > 0 for low_rank in grown)


def test_a_family_without_known_attention_is_refused(tmp_path: Path) -> None:
    model: Any = transformers.AutoModel.from_pretrained(made(tmp_path, "GPT2LMHeadModel").folder)
    with pytest.raises(ModelMissing, match="takes no adapter here: leave the base frozen"):
        adapt(model, rank=2)


def test_cutting_leaves_a_model_that_runs(tmp_path: Path) -> None:
    model: Any = transformers.AutoModel.from_pretrained(made(tmp_path, "LlamaForCausalLM").folder).eval()
    inputs = {"input_ids": torch.tensor([[5, 6, 7]])}
    (before,) = states(model, inputs, (1,))
    drop_layers_above(model, 1)
    assert torch.equal(states(model, inputs, (1,))[0], before)
