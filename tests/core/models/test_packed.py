"""Packed linear layers give what the model's own give."""

from pathlib import Path

import pytest
import torch
import transformers
from torch import nn
from transformers.pytorch_utils import Conv1D

from core.models.catalogue import ModelRole
from core.models.devices.cpu import PackedLinear, pack
from tests.core.models.tiny import save

FAMILIES = {
    "BertModel": (ModelRole.ENCODER, {}),
    "LlamaModel": (ModelRole.LANGUAGE, {"num_key_value_heads": 1}),
    "GPT2Model": (
        ModelRole.LANGUAGE,
        {"n_positions": 64},
    ),  # its layers are Conv1D: the weights stand the other way round
}
LINEAR = (nn.Linear, Conv1D)


@pytest.mark.skipif(not torch._C._has_mkldnn, reason="this PyTorch has no oneDNN, so that nothing is packed")
@pytest.mark.parametrize(("precision", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 0.1)])
@pytest.mark.parametrize("name", FAMILIES)
@torch.inference_mode()
def test_a_packed_model_equals_the_unpacked_one(
    name: str, precision: torch.dtype, tolerance: float, tmp_path: Path
) -> None:
    role, options = FAMILIES[name]
    folder = save(tmp_path, name, role, **options)
    plain, packed = (transformers.AutoModel.from_pretrained(folder, dtype=precision).eval() for _ in range(2))
    pack(packed, precision)
    layers = sum(isinstance(module, LINEAR) for module in plain.modules())
    assert layers > 4
    if precision == torch.float32 or torch.ops.mkldnn._is_mkldnn_bf16_supported():
        assert sum(isinstance(module, PackedLinear) for module in packed.modules()) == layers
        assert not any(isinstance(module, LINEAR) for module in packed.modules())
    # One row, few rows, and more than the layout was chosen for.
    for shape in ((1, 1), (3, 17), (40, 50)):
        ids = torch.randint(1000, shape, generator=torch.Generator().manual_seed(1))
        expected, result = plain(ids).last_hidden_state, packed(ids).last_hidden_state
        assert result.dtype == precision
        assert expected.abs().max() > 0.5
        torch.testing.assert_close(result, expected, atol=tolerance, rtol=0)


@pytest.mark.parametrize("bias", [True, False])
@torch.inference_mode()
def test_a_single_layer_equals_a_product_in_float64(bias: bool) -> None:
    torch.manual_seed(2)
    layer = nn.Linear(24, 40, bias=bias)
    rows = torch.randn(5, 3, 24)
    expected = rows.double() @ layer.weight.double().T + (layer.bias.double() if bias else 0)
    holder = nn.Sequential(layer)
    pack(holder, torch.float32)
    torch.testing.assert_close(holder(rows).double(), expected, atol=1e-5, rtol=0)


def test_a_layer_derived_from_linear_is_left_alone() -> None:
    """It may do more than a product: replacing it would lose that."""

    class Scaled(nn.Linear):
        def forward(self, input: torch.Tensor) -> torch.Tensor:
            return super().forward(input) * 2

    holder = nn.Sequential(Scaled(2, 2), nn.Linear(2, 2))
    pack(holder, torch.float32)
    assert isinstance(holder[0], Scaled)
    assert isinstance(holder[1], PackedLinear)
