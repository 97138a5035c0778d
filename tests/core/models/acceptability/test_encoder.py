"""The classifier's encoder: what its adapters learnt is in its weights, and nothing else has changed."""

import pytest
import torch
from torch import nn

from core.models.acceptability.encoder import RANK, GrammarEncoder
from core.models.adapter import EVERY_OF_BERT, LowRank, adapt, merge
from core.models.catalogue import MINILM, ModelRole, locate
from core.models.encoder import Encoder
from core.models.network import load_pretrained

TEXTS = ["The boat was gone.", "Gone the boat was, and nobody had seen it leave."]


def adapters(rise: float) -> dict[str, torch.Tensor]:
    """Of a seed, as if they had learnt something."""
    model, _ = load_pretrained(ModelRole.ENCODER, locate(MINILM, ModelRole.ENCODER), torch.float32)
    torch.manual_seed(1)
    adapt(model, RANK, EVERY_OF_BERT)
    result = {name: item.detach().clone() for name, item in model.named_parameters() if item.requires_grad}
    return {name: rise * torch.randn_like(item) if name.endswith("up") else item for name, item in result.items()}


def test_adapters_stand_in_every_linear_layer() -> None:
    names = adapters(0.0)
    assert len(names) == 6 * 6 * 2  # layers; query, key, value and three that BERT calls dense; down and up
    assert all(name.startswith("encoder.layer.") for name in names)


def test_adapters_that_learnt_nothing_change_nothing() -> None:
    source = locate(MINILM, ModelRole.ENCODER)
    for ours, plain in zip(
        GrammarEncoder(source, adapters(0.0)).states(TEXTS), Encoder(source).states(TEXTS), strict=True
    ):
        assert torch.equal(ours, plain)


def test_merged_adapters_compute_what_they_did_beside_their_layers() -> None:
    source = locate(MINILM, ModelRole.ENCODER)
    learnt = adapters(0.02)
    model, tokenizer = load_pretrained(ModelRole.ENCODER, source, torch.float32)
    adapt(model, RANK, EVERY_OF_BERT)
    there = dict(model.named_parameters())
    with torch.no_grad():
        for name, tensor in learnt.items():
            there[name].copy_(tensor)
    model.eval()
    merged, plain = GrammarEncoder(source, learnt), Encoder(source)
    for text in TEXTS:
        with torch.inference_mode():
            beside = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        (result,) = merged.states([text])
        assert result.numpy() == pytest.approx(torch.stack(beside, dim=2)[0].numpy(), abs=1e-4)
        assert (result - plain.states([text])[0]).abs().max() > 0.01


def test_merging_leaves_plain_layers() -> None:
    model, _ = load_pretrained(ModelRole.ENCODER, locate(MINILM, ModelRole.ENCODER), torch.float32)
    adapt(model, 2)
    assert any(isinstance(module, LowRank) for module in model.modules())
    merge(model)
    assert not any(isinstance(module, LowRank) for module in model.modules())
    assert type(model.encoder.layer[0].attention.self.query) is nn.Linear
