"""The causal language models that are loaded in this process, whatever runs them."""

from core.errors import InputError
from core.models.catalogue import VLLM, ModelSource
from core.models.causal.vllm import VllmModel
from core.models.concurrency import loaded_once
from core.models.language import CausalModel
from core.models.runtime import language_model


def causal_model(source: ModelSource, device: str, precision: str) -> CausalModel:
    """The model in the engine that its source names, loaded once. Raises InputError for vLLM on the CPU, ModelMissing
    where the model cannot be run.
    """
    if not source.engine:
        return language_model(source, device, precision)
    if device == "cpu":
        raise InputError(
            f"vLLM runs on a GPU: choose the device auto or cuda, or leave {VLLM} out of the model's name."
        )
    return _in_vllm(source, precision)


@loaded_once(1)
def _in_vllm(source: ModelSource, precision: str) -> CausalModel:
    """It takes most of a GPU's memory, so only one stays."""
    return VllmModel(source, precision)
