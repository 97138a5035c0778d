"""The models that Fabula brings along, as they come to be loaded."""

import hashlib
from pathlib import Path

from safetensors import safe_open

from core.models.catalogue import ModelRole, locate


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
