"""What a model's configuration says about it, without loading the model."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelSource

CAUSAL = ("ForCausalLM", "LMHeadModel")
"""How the architectures of models end that read from left to right."""
NARROW = 64
"""Of a UNION's transform of every piece."""
FEWEST_TOKENS, MOST_TOKENS = 2048, 65536
LOGITS_A_BLOCK = 384 * 2**20
"""Bytes of the vocabulary's logits that are made at once on a GPU."""
_MEASURED = 4
"""Tensors of a block's size, float32, that its measures hold at once."""


@dataclass(frozen=True, slots=True)
class Shape:
    """`width`: of the states; `inner`: of a layer's wide part; 0 for what the configuration does not say."""

    causal: bool
    layers: int
    width: int
    inner: int
    vocabulary: int


def shape_of(source: ModelSource) -> Shape:
    """Return a model's sizes, under whichever names its family of Transformers has for them."""
    result = _config(source)

    def number_of(*names: str) -> int:
        return next((int(result[name]) for name in names if result.get(name)), 0)

    width = number_of("hidden_size", "n_embd", "dim")
    return Shape(
        is_causal(source),
        number_of("num_hidden_layers", "n_layer", "n_layers"),
        width,
        number_of("intermediate_size", "n_inner", "hidden_dim") or 4 * width,
        number_of("vocab_size"),
    )


def tokens_that_fit(free: int, shape: Shape, bytes_a_number: int) -> int:
    """Tokens of a batch on a GPU with so many free bytes: a power of two between 2,048 and 65,536.

    A token needs the states behind each layer, which an encoder may be asked for, and inside one layer at a time eight
    states (norms, queries, keys, values, sums) and three of the wide part. The vocabulary's logits are made in blocks
    of so many bytes, of which float32 copies take part in the measures. A fifth is left to the allocator. It is a power
    of two, and nothing more is gained above the greatest, so that a little more or less free memory moves no batch.
    """
    block = max(LOGITS_A_BLOCK, shape.vocabulary * bytes_a_number)  # at least one position's
    logits = block * (1 + _MEASURED * 4 // bytes_a_number)
    token = bytes_a_number * ((shape.layers + 9) * shape.width + 3 * shape.inner)
    fit = (free * 4 // 5 - logits) // max(1, token)
    return min(MOST_TOKENS, max(FEWEST_TOKENS, 2 ** max(0, fit.bit_length() - 1) if fit > 0 else 0))


def is_causal(source: ModelSource) -> bool:
    """Whether a model reads from left to right."""
    return any(str(item).endswith(CAUSAL) for item in _config(source).get("architectures") or [])


def usual_layers(source: ModelSource) -> tuple[int, int]:
    """Two layers to stand on where nobody names any: of a causal model about half and two thirds of the way up, where
    held-out negatives of the bundled one are told best (docs/results/union.md), of an encoder two thirds up and the
    last.
    """
    number = shape_of(source).layers
    if number < 2:
        raise ModelMissing(f"{source.name} does not say how many layers it has: name the layers to read.")
    return (round(number * 8 / 15), round(number * 2 / 3)) if is_causal(source) else (round(number * 2 / 3), number)


def last_of_encoder(source: ModelSource) -> int:
    """The last layer of a BERT or another encoder, whose first state stands for the text. Raises InputError for a model
    that reads from left to right, and has no such state.
    """
    if is_causal(source):
        raise InputError(
            f"The paper's recipe reads BERT's [CLS], and {source.name} is a causal language model without one: choose "
            "an encoder as the base, such as all-minilm-l6-v2."
        )
    return max(usual_layers(source))


def check_layers(source: ModelSource, layers: tuple[int, ...]) -> None:
    """Raises InputError for layers that the model does not have; says nothing where its configuration does not."""
    number = shape_of(source).layers
    if min(layers) < 1 or (number and max(layers) > number):
        wrong = next(layer for layer in layers if layer < 1 or layer > number)
        raise InputError(f"{source.name} has the layers 1 to {number or '…'}; there is no layer {wrong}.")


def _config(source: ModelSource) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((Path(source.folder) / "config.json").read_text(encoding="utf-8"))
    return content
