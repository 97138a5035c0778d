"""Which weights are trained, by which optimiser, and with which random numbers."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import nn

from core.errors import FabulaError, InputError
from core.models.network import out_of_memory
from core.training.engine.recipe import Recipe


@contextmanager
def numbers(device: str, seed: int, what: str, step: int) -> Iterator[None]:
    """Seed torch's generators by the last three alone; what the process had drawn goes on where it was afterwards."""
    number = int.from_bytes(hashlib.blake2b(f"{seed} {what} {step}".encode(), digest_size=8).digest())
    cuda = device == "cuda"
    with torch.random.fork_rng([torch.cuda.current_device()] if cuda else []):
        torch.default_generator.manual_seed(number)
        if cuda:
            torch.cuda.manual_seed(number)
        yield


@contextmanager
def enough_memory(what: str) -> Iterator[None]:
    """Say in one sentence, as a FabulaError, that there was too little of it for `what`."""
    try:
        yield
    except RuntimeError as error:
        if not out_of_memory(error):
            raise
        advice = "take smaller batches, and more of them together in a step"
        raise FabulaError(f"{what} does not fit into the memory: {advice}.") from error


def trainable(module: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters that are not frozen, by name; raises InputError where there are none, or one is no float32."""
    result = {name: item for name, item in module.named_parameters() if item.requires_grad}
    if not result:
        raise InputError("There is nothing to train: all weights of the model are frozen.")
    for name, parameter in result.items():
        if parameter.dtype != torch.float32:
            raise InputError(
                f"Weights are trained in float32, but {name} is {parameter.dtype}; load the model in float32."
            )
    return result


def adamw(parameters: Iterable[nn.Parameter], recipe: Recipe) -> torch.optim.AdamW:
    """Biases and the weights of norms, which are vectors, do not decay, as in BERT's own optimiser."""
    every = list(parameters)
    groups = [
        {"params": [parameter for parameter in every if parameter.ndim > 1], "weight_decay": recipe.weight_decay},
        {"params": [parameter for parameter in every if parameter.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW([group for group in groups if group["params"]], lr=recipe.learning_rate, fused=True)


def copy_into(weights: Mapping[str, torch.Tensor], parameters: Mapping[str, nn.Parameter]) -> None:
    """Copy the weights into the parameters of the same names."""
    with torch.no_grad():
        for name, tensor in weights.items():
            parameters[name].copy_(tensor)
