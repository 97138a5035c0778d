"""The hidden states behind chosen layers of any transformer; layers above the highest of them are never computed."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any

import torch
from torch import nn

from core.errors import InputError, ModelMissing


class _Enough(Exception):
    """The highest layer that is wanted has answered."""


def blocks(model: Any) -> nn.ModuleList:
    """A Transformers model's layers, lowest first. Raises ModelMissing where they cannot be told."""
    wanted = int(getattr(model.config, "num_hidden_layers", 0))
    for module in model.modules():
        if isinstance(module, nn.ModuleList) and len(module) == wanted > 0:
            return module
    raise ModelMissing(f"The layers of a {model.config.model_type} model are not known here: choose another model.")


def states(model: Any, inputs: Mapping[str, torch.Tensor], layers: Sequence[int]) -> list[torch.Tensor]:
    """The states (texts × pieces × d) behind `layers`, 1 the lowest, in that order, before any last norm.

    Raises InputError for a layer that the model does not have.
    """
    modules = blocks(model)
    if not layers or min(layers) < 1 or max(layers) > len(modules):
        raise InputError(f"This model has the layers 1 to {len(modules)}, not {', '.join(map(str, layers)) or 'none'}.")
    result: dict[int, torch.Tensor] = {}

    def keep(layer: int) -> Any:
        def hook(_module: nn.Module, _given: Any, output: Any) -> None:
            result[layer] = output[0] if isinstance(output, tuple) else output
            if layer == max(layers):
                raise _Enough

        return hook

    with ExitStack() as hooks:
        for layer in set(layers):
            handle = modules[layer - 1].register_forward_hook(keep(layer))
            hooks.callback(handle.remove)
        hooks.enter_context(suppress(_Enough))  # what is above is spared
        model.base_model(**inputs)
    return [result[layer] for layer in layers]


def drop_layers_above(model: Any, top: int) -> None:
    """Throw away the layers above `top`. Raises InputError where there are fewer."""
    modules = blocks(model)
    if not 1 <= top <= len(modules):
        raise InputError(f"This model has the layers 1 to {len(modules)}; there is no layer {top}.")
    del modules[top:]
    model.config.num_hidden_layers = top
