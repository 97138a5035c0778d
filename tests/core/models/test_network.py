"""How a model is read from its folder and works off texts within the memory there is."""

import os
import re
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from core.errors import FabulaError, ModelMissing
from core.models.catalogue import MINILM, ModelRole, ModelSource, answers_at_once, locate
from core.models.classifier import Classifier
from core.models.concurrency import FairLock
from core.models.encoder import Encoder
from core.models.language import LanguageModel
from core.models.masked import MaskedLanguageModel
from core.models.network import Network, by_tokens
from core.models.regressor import Regressor
from core.models.translation import Translator
from core.models.trunk import Trunk
from core.notices import collecting
from tests.core.models.tiny import save, tokenizer

CLASSES = {
    ModelRole.LANGUAGE: LanguageModel,
    ModelRole.ENCODER: Encoder,
    ModelRole.REGRESSOR: Regressor,
    ModelRole.MASKED: MaskedLanguageModel,
    ModelRole.BASE: partial(Trunk, layers=(1,)),
    ModelRole.TRANSLATION: Translator,
    ModelRole.CLASSIFIER: Classifier,
}


@given(st.lists(st.integers(0, 60), max_size=80), st.integers(1, 100))
def test_batches_hold_every_text_once_within_the_budget_the_longest_first(lengths: list[int], budget: int) -> None:
    batches = by_tokens(lengths, budget)
    flat = [index for batch in batches for index in batch]
    assert sorted(flat) == list(range(len(lengths)))
    assert [lengths[i] for i in flat] == sorted(lengths, reverse=True)
    for batch in batches:
        assert batch
        # The cost of a batch is its padded size; only a single text may cost more than the budget.
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= budget
    for batch, _ in pairwise(batches):
        assert (len(batch) + 1) * lengths[batch[0]] > budget, "a batch is filled before the next is begun"


class Movable(nn.Linear):
    """Goes to any device, there or not."""

    def to(self, device: str) -> "Movable":  # type: ignore[override]
        return self


class Fake(Network):
    """A network of nothing, that says where it is."""

    role = ModelRole.ENCODER

    def __init__(self, device: str) -> None:
        self.source = ModelSource("fake", "", "")
        self.asked = self.device = device
        self.dtype = torch.float32
        self.model = Movable(1, 1)
        self._turn = FairLock()


class Forward:
    """Doubles numbers, with memory for so many at a time on each device."""

    def __init__(self, network: Fake, **room: int) -> None:
        self.network, self.room, self.calls = network, room, []

    def __call__(self, batch: list[int]) -> list[int]:
        assert torch.is_inference_mode_enabled()
        self.calls.append((self.network.device, len(batch)))
        if len(batch) > self.room[self.network.device]:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return [2 * number for number in batch]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 16])
@pytest.mark.parametrize("room", [1, 2, 3, 5])
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_batch_is_halved_until_it_fits(size: int, room: int, device: str) -> None:
    network = Fake(device)
    forward = Forward(network, **{device: room})
    with collecting() as notices:
        assert network.run(forward, list(range(size))) == [2 * i for i in range(size)]
    assert network.device == device
    assert notices == [], "nothing moved, so there is nothing to tell"
    assert sum(count for _, count in forward.calls if count <= room) == size
    assert len(forward.calls) < 2 * size + 1


def test_what_does_not_fit_a_gpu_alone_is_done_on_the_cpu() -> None:
    network = Fake("cuda")
    forward = Forward(network, cuda=0, cpu=3)
    with collecting() as notices:
        assert network.run(forward, list(range(8))) == [2 * i for i in range(8)]
    assert notices == ["The GPU has not enough memory for fake: some or all of it ran on the CPU."]
    # One text at a time goes there, and the model comes back: one long story must not keep all others from the GPU.
    assert [call for call in forward.calls if call[0] == "cpu"] == [("cpu", 1)] * 8
    assert network.device == "cuda"


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("no"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"),
        RuntimeError("CUDA error: out of memory"),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
    ],
)
def test_a_text_too_big_even_for_the_cpu_is_one_sentence(error: RuntimeError) -> None:
    def forward(_batch: list[int]) -> list[int]:
        raise error

    for device in ("cpu", "cuda"):
        expected = r"^This machine has not enough memory to run fake on the longest story\.$"
        with collecting(), pytest.raises(FabulaError, match=expected):
            Fake(device).run(forward, [1, 2])


def test_another_error_is_not_taken_for_want_of_memory() -> None:
    calls = []

    def forward(batch: list[int]) -> list[int]:
        calls.append(batch)
        raise RuntimeError("shapes differ")

    with pytest.raises(RuntimeError, match="shapes differ"):
        Fake("cpu").run(forward, [1, 2])
    assert calls == [[1, 2]]


def test_a_model_that_does_not_fit_the_gpu_is_loaded_on_the_cpu() -> None:
    class Big(nn.Linear):
        def to(self, device: str) -> "Big":  # type: ignore[override]
            if device == "cuda":
                raise torch.OutOfMemoryError("CUDA out of memory.")
            return self

    network = Fake("cuda")
    network.model = Big(1, 1)
    network._move("cuda")
    assert network.device == "cpu"
    forward = Forward(network, cpu=2)
    for _ in range(2):  # every run is told, not only the first
        with collecting() as notices:
            assert network.run(forward, [1, 2]) == [2, 4]
        assert notices == ["The GPU has not enough memory for fake: some or all of it ran on the CPU."]
    assert network.budget == Fake("cpu").budget < Fake("cuda").budget


def load(folder: str, role: ModelRole) -> Network:
    return CLASSES[role](locate(folder, role))


@pytest.mark.parametrize(
    ("name", "options", "role", "sentence"),
    [
        ("BertForMaskedLM", {}, ModelRole.LANGUAGE, "is BertForMaskedLM, but here a causal language model is needed"),
        ("BertModel", {}, ModelRole.LANGUAGE, "is BertModel, but here a causal language model is needed"),
        ("LlamaForCausalLM", {}, ModelRole.REGRESSOR, "is LlamaForCausalLM, but here a BLEURT checkpoint"),
        ("BertModel", {}, ModelRole.REGRESSOR, "is BertModel, but here a BLEURT checkpoint"),
        ("BertForSequenceClassification", {"num_labels": 3}, ModelRole.REGRESSOR, "is a classifier with 3 outputs"),
        (
            "T5Model",
            {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2},
            ModelRole.ENCODER,
            "a decoder",
        ),
        (
            "T5Model",
            {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2},
            ModelRole.LANGUAGE,
            "T5Model",
        ),
    ],
)
def test_a_checkpoint_of_the_wrong_kind_is_one_sentence(
    name: str, options: dict[str, int], role: ModelRole, sentence: str, tmp_path: Path
) -> None:
    folder = save(tmp_path, name, ModelRole.ENCODER, **options)
    with pytest.raises(ModelMissing, match=rf"^(The model )?{tmp_path.name} .*{sentence}") as caught:
        load(folder, role)
    assert_one_sentence(caught.value)


def assert_one_sentence(error: Exception) -> None:
    text = str(error)
    assert text.endswith(".")
    assert "\n" not in text
    assert not re.search(r"\. [A-Z]", text)


@pytest.mark.parametrize(
    ("name", "claimed", "role", "missing"),
    [
        ("BertModel", "BertForSequenceClassification", ModelRole.REGRESSOR, "classifier"),
        ("LlamaModel", "LlamaForCausalLM", ModelRole.LANGUAGE, "lm_head"),
    ],
)
def test_a_checkpoint_without_its_head_is_not_run_on_random_numbers(
    name: str, claimed: str, role: ModelRole, missing: str, tmp_path: Path
) -> None:
    options = {"num_labels": 1} if role is ModelRole.REGRESSOR else {"num_key_value_heads": 2}
    folder = save(tmp_path, name, ModelRole.LANGUAGE, **options)
    config = tmp_path / "config.json"
    assert name in config.read_text()
    config.write_text(config.read_text().replace(f'"{name}"', f'"{claimed}"'))
    with pytest.raises(ModelMissing, match=rf"its file lacks \S*{missing}") as caught:
        load(folder, role)
    assert_one_sentence(caught.value)


def test_a_missing_pooler_is_no_matter_to_an_encoder_but_to_a_regressor(tmp_path: Path) -> None:
    import safetensors.torch

    for role, name in ((ModelRole.ENCODER, "BertModel"), (ModelRole.REGRESSOR, "BertForSequenceClassification")):
        folder = tmp_path / role
        save(folder, name, ModelRole.ENCODER, num_labels=1)
        weights = folder / "model.safetensors"
        kept = {k: v for k, v in safetensors.torch.load_file(weights).items() if "pooler" not in k}
        safetensors.torch.save_file(kept, weights, {"format": "pt"})
    assert load(str(tmp_path / ModelRole.ENCODER), ModelRole.ENCODER).model is not None
    with pytest.raises(ModelMissing, match="pooler"):
        load(str(tmp_path / ModelRole.REGRESSOR), ModelRole.REGRESSOR)


@pytest.mark.parametrize("role", list(ModelRole))
def test_a_folder_without_a_model_is_one_sentence(tmp_path: Path, role: ModelRole) -> None:
    with pytest.raises(ModelMissing, match=r"^The folder .* holds no model: it has no config\.json\.$"):
        locate(str(tmp_path), role)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelMissing, match=rf"^{tmp_path.name} cannot be loaded as .*: choose another one\.$"):
        load(str(tmp_path), role)


@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff\xfe\x00", b"null", b""])
def test_a_configuration_that_cannot_be_read_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(ModelMissing, match=rf"^The config\.json of the model {tmp_path.name} cannot be read\.$"):
        locate(str(tmp_path), ModelRole.ENCODER)


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("cut", [0.5, 0.0])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, file: str, cut: float) -> None:
    """As a download leaves it that was broken off: safetensors and tokenizers have errors of their own."""
    folder = save(tmp_path, "BertModel", ModelRole.ENCODER)
    content = (tmp_path / file).read_bytes()
    (tmp_path / file).write_bytes(content[: int(len(content) * cut)])
    with pytest.raises(ModelMissing, match=r"cannot be loaded as an encoder: choose another one\.$"):
        load(folder, ModelRole.ENCODER)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read any folder")
def test_an_unreadable_folder_is_one_sentence(tmp_path: Path) -> None:
    folder = save(tmp_path / "model", "BertModel", ModelRole.ENCODER)
    (tmp_path / "model").chmod(0)
    try:
        with pytest.raises(ModelMissing, match=r"cannot be read; check its permissions\.$"):
            locate(folder, ModelRole.ENCODER)
    finally:
        (tmp_path / "model").chmod(0o755)


def test_a_folder_that_may_not_be_read_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for root, who may read everything."""
    folder = save(tmp_path, "BertModel", ModelRole.ENCODER)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(ModelMissing, match=r"^The model folder .* cannot be read; check its permissions\.$"):
        locate(folder, ModelRole.ENCODER)


def test_a_hub_name_without_a_hub_is_one_sentence() -> None:
    with pytest.raises(ModelMissing, match="not on this machine and the model hub cannot give it") as caught:
        locate("bert-base-uncased", ModelRole.ENCODER)
    assert MINILM in str(caught.value)
    assert_one_sentence(caught.value)


def test_no_bleurt_comes_along_and_the_sentence_says_what_to_download() -> None:
    expected = (
        r"download a BLEURT checkpoint \(a sequence classifier with one output\), such as Elron/bleurt-base-512, and"
    )
    with pytest.raises(ModelMissing, match=expected) as caught:
        locate(None, ModelRole.REGRESSOR)
    assert_one_sentence(caught.value)
    assert answers_at_once(None, ModelRole.REGRESSOR)


def test_the_bundled_encoder_is_found_and_named() -> None:
    source = locate(None, ModelRole.ENCODER)
    assert source == locate(MINILM, ModelRole.ENCODER)
    assert (source.name, source.revision) == (MINILM, "0.1.0")
    assert answers_at_once(None, ModelRole.ENCODER)
    assert not answers_at_once("nobody/no-such-model", ModelRole.ENCODER)
    with pytest.raises(ModelMissing, match="is BertModel, but here a causal language model is needed"):
        locate(MINILM, ModelRole.LANGUAGE)


def test_a_precision_is_kept(tmp_path: Path) -> None:
    folder = save(tmp_path, "BertModel", ModelRole.ENCODER)
    for precision, dtype in (("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        model = Encoder(locate(folder, ModelRole.ENCODER), precision=precision)
        assert {p.dtype for p in model.model.parameters()} == {dtype}
        (embedding,) = model.embed(["It rained."], 2)
        assert embedding.vectors.dtype == torch.float32, "what is handed out is float32 in any precision"


def test_positions_are_what_model_and_tokenizer_both_allow(tmp_path: Path) -> None:
    def positions(name: str, **options: int) -> int:
        folder = tmp_path / f"{name}{len(list(tmp_path.iterdir()))}"
        return Encoder(locate(save(folder, name, ModelRole.ENCODER, **options), ModelRole.ENCODER)).positions

    limit = int(tokenizer(ModelRole.ENCODER).model_max_length)
    assert limit == 512
    assert positions("BertModel", max_position_embeddings=40) == 40
    assert positions("BertModel", max_position_embeddings=9999) == limit
    # RoBERTa's positions begin after its padding token's id.
    assert positions("RobertaModel", max_position_embeddings=40, pad_token_id=1) == 38
    assert positions("RobertaModel", max_position_embeddings=40, pad_token_id=0) == 39
