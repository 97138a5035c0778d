"""What stands in for a model's modules on a GPU computes the same; it runs on a processor too."""

import pytest
import torch
from transformers import AutoConfig, AutoModel

from core.models.devices.gpu import FusedNorm, fuse_norms

SIZES = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "vocab_size": 50, "head_dim": 8, "pad_token_id": 0,
}  # fmt: skip


def built(family: str) -> torch.nn.Module:
    torch.manual_seed(1)
    model = AutoModel.from_config(AutoConfig.for_model(family, **SIZES)).eval()
    for name, parameter in model.named_parameters():
        if "norm" in name:  # which begin as 1, or 0
            torch.nn.init.normal_(parameter)
    return model


def fused(model: torch.nn.Module) -> int:
    return sum(isinstance(module, FusedNorm) for module in model.modules())


@pytest.mark.parametrize(("family", "norms"), [("llama", 5), ("mistral", 5), ("qwen2", 5), ("qwen3", 9)])
def test_fused_norms_compute_the_same(family: str, norms: int) -> None:
    model, ids = built(family), torch.arange(40).view(2, 20)
    with torch.inference_mode():
        before = model(input_ids=ids).last_hidden_state
        fuse_norms(model)
        after = model(input_ids=ids).last_hidden_state
    assert fused(model) == norms
    torch.testing.assert_close(after, before, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("family", ["gemma", "gpt2", "bert"])
def test_other_norms_stay(family: str) -> None:
    """Gemma's multiplies with 1 + weight."""
    model = built(family)
    fuse_norms(model)
    assert not fused(model)


def test_fused_norms_round_once() -> None:
    """In bfloat16 they come nearer to the sums in float64 than Llama's own, which rounds twice."""
    from transformers.models.llama.modeling_llama import LlamaRMSNorm

    torch.manual_seed(0)
    states, own = torch.randn(64, 256).bfloat16(), LlamaRMSNorm(256, 1e-5)
    own.weight.data = torch.randn(256).bfloat16()
    exact = states.double()
    exact = exact / (exact.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * own.weight.double()
    holder = torch.nn.Sequential(own)
    with torch.inference_mode():
        errors = [(holder(states).double() - exact).abs().mean()]
        fuse_norms(holder)
        errors.append((holder(states).double() - exact).abs().mean())
    assert errors[1] < errors[0]
