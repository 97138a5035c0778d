"""A fine-tuned language model: its backbone with its adapters in place."""

from functools import partial
from pathlib import Path

from core.checkpoints.backbone import check_base
from core.checkpoints.checkpoint import Checkpoint, load
from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.concurrency import loaded_once
from core.models.language import LanguageModel
from core.models.network import resolve_device
from core.models.trunk import put_learnt


def language_model_of(
    checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
) -> LanguageModel:
    """Load a checkpoint of the kind "language-model". Raises InputError where its weights do not fit into the base."""
    check_base(checkpoint.card, base)
    weights = checkpoint.weights()
    ranks = {len(weight) for name, weight in weights.items() if name.endswith(".down")}
    if len(ranks) != 1:
        raise InputError(f"The weights of the checkpoint {checkpoint.card.name!r} are no adapters: train it again.")
    put = partial(put_learnt, rank=ranks.pop(), weights=weights)
    return LanguageModel(base, resolve_device(device), precision, put)


@loaded_once(2)
def finetuned_model(folder: Path, weights: str, base: ModelSource, device: str, precision: str) -> LanguageModel:
    """The language model in a folder, loaded once as long as its weights (their hash) stay the same."""
    result = load(folder)
    if result.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return language_model_of(result, base, device, precision)
