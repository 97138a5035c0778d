"""The models that Fabula brings along, as they come to be loaded."""

import hashlib
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from core.models.catalogue import ModelRole, is_whole, locate


def test_the_converted_language_model_has_the_weights_that_scores_are_stored_for(home: Path) -> None:
    """Its signature names the package's version alone, so another way to convert it may not change a bit."""
    weights = Path(locate(None, ModelRole.LANGUAGE).folder) / "model.safetensors"
    with weights.open("rb") as stream:
        assert hashlib.file_digest(stream, "sha256").hexdigest() == (
            "a672150fb4f99d7c8f4168cecdd464069c0ef3a37d8113f22ddb9d48031d03cd"
        )
    with safe_open(weights, "pt") as tensors:
        assert len(tensors.keys()) == 272
        assert tensors.get_slice("model.embed_tokens.weight").get_dtype() == "F32"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small model's files."""
    save_file({"weight": np.arange(12, dtype=np.float32)}, tmp_path / "model.safetensors", {"format": "pt"})
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_text('{"some": {"thing": 1}}\n')
    return tmp_path


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
@pytest.mark.parametrize("left", [0.0, 0.1, 0.5, 0.9])
def test_a_model_that_was_cut_off_is_known(folder: Path, name: str, left: float) -> None:
    assert is_whole(folder)
    os.truncate(folder / name, int(left * (folder / name).stat().st_size))
    assert not is_whole(folder)
    (folder / name).unlink()
    assert not is_whole(folder)


@pytest.mark.slow
def test_it_is_converted_anew(home: Path) -> None:
    name = Path(locate(None, ModelRole.LANGUAGE).folder).name
    (home / "models").unlink()  # it leads to the models that all tests share
    broken = home / "models" / name
    broken.mkdir(parents=True)
    (broken / "model.safetensors").write_bytes(b"half of it")
    assert Path(locate(None, ModelRole.LANGUAGE).folder) == broken
    assert is_whole(broken)
    shutil.rmtree(home / "models")


def test_a_hostile_header_takes_no_memory(tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "model.safetensors").write_bytes((2**62).to_bytes(8, "little") + b"{}")
    assert not is_whole(tmp_path)
