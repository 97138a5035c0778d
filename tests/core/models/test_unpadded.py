"""Texts one behind another give what each gives alone."""

from pathlib import Path

import pytest
import torch
import transformers

from core.models.catalogue import ModelRole
from core.models.devices.cpu import _fused, _products, read_unpadded, reads_unpadded
from tests.core.models.tiny import save

FAMILIES = {
    "BertModel": (ModelRole.ENCODER, {}),
    "LlamaModel": (ModelRole.LANGUAGE, {"num_key_value_heads": 1}),
    "GPT2Model": (ModelRole.LANGUAGE, {"n_positions": 512}),
}
LENGTHS = (300, 40, 40, 7, 1, 1)
"""Above and below what counts as short; some alone, some side by side."""


def texts() -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    return [torch.randint(1000, (length,), generator=generator) for length in LENGTHS]


@pytest.mark.parametrize(("precision", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 0.1)])
@pytest.mark.parametrize("name", FAMILIES)
@torch.inference_mode()
def test_each_text_is_read_as_if_it_were_alone(
    name: str, precision: torch.dtype, tolerance: float, tmp_path: Path
) -> None:
    role, options = FAMILIES[name]
    folder = save(tmp_path, name, role, max_position_embeddings=512, **options)
    model = transformers.AutoModel.from_pretrained(folder, dtype=precision).eval()
    assert reads_unpadded(model, "cpu")
    usual = model.config._attn_implementation
    together = read_unpadded(model, texts(), output_hidden_states=True)
    assert model.config._attn_implementation == usual
    for ids, *layers in zip(
        texts(), *(states[0].split(list(LENGTHS)) for states in together.hidden_states), strict=True
    ):
        for state, expected in zip(layers, model(ids[None], output_hidden_states=True).hidden_states, strict=True):
            assert state.dtype == precision
            torch.testing.assert_close(state, expected[0], atol=tolerance, rtol=0)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("shared", [1, 2, 6])
@torch.inference_mode()
def test_attention_as_products_equals_the_fused_kernel(causal: bool, shared: int) -> None:
    generator = torch.Generator().manual_seed(4)
    query = torch.randn((3, 6, 17, 8), generator=generator)
    key, value = (torch.randn((3, shared, 17, 8), generator=generator) for _ in range(2))
    found = _products(query, key, value, 0.3, causal)
    torch.testing.assert_close(found, _fused(query, key, value, 0.3, causal), atol=1e-5, rtol=0)


def test_a_family_that_is_not_known_and_a_gpu_are_padded(tmp_path: Path) -> None:
    options = {"num_key_value_heads": 2, "sliding_window": 4}
    folder = save(tmp_path, "MistralModel", ModelRole.LANGUAGE, **options)
    model = transformers.AutoModel.from_pretrained(folder)
    assert not reads_unpadded(model, "cpu")
    model.config.model_type = "llama"
    assert reads_unpadded(model, "cpu")
    assert not reads_unpadded(model, "cuda")
