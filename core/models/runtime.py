"""The models that are loaded in this process, and the device they run on."""

import contextlib

import torch

from core.models.catalogue import ModelSource
from core.models.classifier import Classifier
from core.models.concurrency import loaded_once
from core.models.encoder import Encoder
from core.models.language import LanguageModel
from core.models.masked import MaskedLanguageModel
from core.models.network import resolve_device
from core.models.regressor import Regressor
from core.models.translation import Translator
from core.models.trunk import Trunk


def describe_devices() -> str:
    """One line for `doctor`."""
    if torch.cuda.is_available():
        return f"cuda ({torch.cuda.get_device_name(0)})"
    return f"cpu ({torch.get_num_threads()} threads)"


def _one_pool() -> None:
    with contextlib.suppress(RuntimeError):  # too late to change once torch has started its pool
        torch.set_num_interop_threads(1)


@loaded_once(2)
def language_model(source: ModelSource, device: str, precision: str) -> LanguageModel:
    """A causal language model, loaded once a process, revision and precision; at most two stay in memory."""
    _one_pool()
    return LanguageModel(source, resolve_device(device), precision)


@loaded_once(2)
def encoder(source: ModelSource, device: str, precision: str) -> Encoder:
    """An encoder, loaded once likewise."""
    _one_pool()
    return Encoder(source, resolve_device(device), precision)


@loaded_once(1)
def regressor(source: ModelSource, device: str, precision: str) -> Regressor:
    """A BLEURT checkpoint, loaded once likewise."""
    _one_pool()
    return Regressor(source, resolve_device(device), precision)


@loaded_once(1)
def classifier(source: ModelSource, device: str, precision: str) -> Classifier:
    """A classifier of acceptable sentences, loaded once likewise."""
    _one_pool()
    return Classifier(source, resolve_device(device), precision)


@loaded_once(1)
def masked_model(source: ModelSource, device: str, precision: str) -> MaskedLanguageModel:
    """A masked language model, loaded once likewise."""
    _one_pool()
    return MaskedLanguageModel(source, resolve_device(device), precision)


@loaded_once(2)
def trunk(source: ModelSource, layers: tuple[int, ...], device: str, precision: str) -> Trunk:
    """The lower layers of a model, loaded once likewise."""
    _one_pool()
    return Trunk(source, layers, resolve_device(device), precision)


@loaded_once(2)
def translator(source: ModelSource, device: str, precision: str) -> Translator:
    """A translation model, loaded once likewise: there and back are two."""
    _one_pool()
    return Translator(source, resolve_device(device), precision)
