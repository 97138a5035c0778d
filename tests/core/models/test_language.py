"""The bundled language model, against a plain loop over tokens; batches and windows must not move a number."""

import math
import random
from pathlib import Path

import pytest
import torch

from core.errors import InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Settings
from core.models.catalogue import SMOLLM2, locate
from core.models.language import LanguageModel
from core.models.runtime import resolve_device
from core.stories import Story

TEXTS = [
    ("The lamp went out.", "Nora felt for the matches. There were none left."),
    ("", "A story without any opening at all."),
    ("The lamp went out.", "It went out. " * 12),
    ("Emoji 🦊 and שלום.", "The 🦊 ran.\nIt said שלום to é."),
    ("One.", "x"),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return LanguageModel.load(locate(SMOLLM2), "cpu")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A causal model of random weights with a window of 16 tokens and SmolLM2's tokenizer."""
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = AutoTokenizer.from_pretrained(locate(SMOLLM2).folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=16,
        tie_word_embeddings=True,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@torch.inference_mode()
def plain_loop(model: LanguageModel, given: str, text: str) -> tuple[float, int]:
    """The obvious way: one text, the whole vocabulary's log-probabilities, one token after another."""
    tokenizer, network = model._tokenizer, model._model
    start = tokenizer.convert_tokens_to_ids("<|endoftext|>")
    context = tokenizer(given, add_special_tokens=False)["input_ids"] if given else []
    ids = tokenizer(f" {text}" if given else text, add_special_tokens=False)["input_ids"]
    sequence = [start, *context, *ids]
    logits = network(torch.tensor([sequence])).logits[0]
    total = 0.0
    for position in range(len(sequence) - len(ids), len(sequence)):
        total -= float(torch.log_softmax(logits[position - 1], -1)[sequence[position]])
    return total, len(ids)


def test_likelihoods_equal_a_plain_loop(model: LanguageModel) -> None:
    for (given, text), found in zip(TEXTS, model.likelihoods(TEXTS), strict=True):
        nll, tokens = plain_loop(model, given, text)
        assert found.tokens == tokens
        assert found.nll / found.tokens == pytest.approx(nll / tokens, abs=1e-4)


def test_batch_order_and_duplicates_move_nothing(model: LanguageModel) -> None:
    alone = [
        LanguageModel(model.source, model._model, model._tokenizer, "cpu").likelihoods([pair])[0] for pair in TEXTS
    ]
    shuffled = TEXTS * 2
    random.Random(1).shuffle(shuffled)
    together = LanguageModel(model.source, model._model, model._tokenizer, "cpu")
    found = dict(zip(shuffled, together.likelihoods(shuffled), strict=True))
    for pair, one in zip(TEXTS, alone, strict=True):
        assert found[pair].nll / found[pair].tokens == pytest.approx(one.nll / one.tokens, abs=1e-5)


def test_progress_counts_every_text(model: LanguageModel) -> None:
    seen: list[int] = []
    fresh = LanguageModel(model.source, model._model, model._tokenizer, "cpu")
    fresh.likelihoods([*TEXTS, TEXTS[0]], seen.append)
    assert sum(seen) == len(TEXTS) + 1
    seen.clear()
    fresh.likelihoods(TEXTS, seen.append)
    assert sum(seen) == len(TEXTS)


def test_an_empty_text_has_no_tokens(model: LanguageModel) -> None:
    (found,) = model.likelihoods([("The lamp went out.", "")])
    assert (found.nll, found.tokens) == (0.0, 0)


def test_fluent_text_is_likelier_than_shuffled_words(model: LanguageModel) -> None:
    text = "Nora felt for the matches on the shelf, but there were none left, so she waited for the morning."
    words = text.split()
    random.Random(0).shuffle(words)
    fluent, shuffled = model.likelihoods([("", text), ("", " ".join(words))])
    assert fluent.nll / fluent.tokens + 1.0 < shuffled.nll / shuffled.tokens


def test_a_long_text_is_read_in_windows_and_every_token_counts_once(tiny: Path) -> None:
    model = LanguageModel.load(locate(str(tiny)), "cpu")
    text = " ".join(f"word{i}" for i in range(40))
    ids = model._tokenizer(text, add_special_tokens=False)["input_ids"]
    assert len(ids) > 3 * 16
    (found,) = model.likelihoods([("", text)])
    assert found.tokens == len(ids)
    # An obvious version: each token with the window that the same rule gives it.
    sequence = [model._start, *ids]
    expected, scored = 0.0, 1
    with torch.inference_mode():
        for begin in range(0, len(sequence), 8):
            window = sequence[begin : begin + 16]
            logits = torch.log_softmax(model._model(torch.tensor([window])).logits[0], -1)
            for position in range(scored, begin + len(window)):
                expected -= float(logits[position - begin - 1, sequence[position]])
            scored = max(scored, begin + len(window))
    assert found.nll == pytest.approx(expected, rel=1e-5)


def test_perplexity_options_and_aggregation() -> None:
    story = Story("she ran .", "[FEMALE] woke up .")
    mean = build("perplexity", Settings(device="cpu")).score([story]).values[0]
    exponential = build("perplexity-exp", Settings(device="cpu")).score([story]).values[0]
    assert exponential == pytest.approx(-math.exp(-mean), rel=1e-9)
    others = {"of": ("story-alone", "prompt-and-story"), "normalisation": ("detokenised", "named")}
    for key, values in others.items():
        for value in values:
            changed = build("perplexity", Settings(device="cpu", options={key: value}))
            assert changed.score([story]).values[0] != mean
            assert f"{key}:{value}" in changed.signature


def test_signature_names_model_and_revision(tiny: Path) -> None:
    assert build("perplexity").signature == (
        "perplexity|model:smollm2-135m-instruct@0.1.2-q4_1|dtype:float32|normalisation:raw|of:story-given-prompt|v:1"
    )
    other = build("perplexity", Settings(model=str(tiny))).signature
    assert "@sha256:" in other


def test_an_empty_story_is_undefined_with_a_reason() -> None:
    found = build("perplexity", Settings(device="cpu")).score([Story("", "Opening."), Story("It ended.", "Opening.")])
    assert math.isnan(found.values[0])
    assert found.reasons == {0: "the story is empty"}
    assert found.values[1] < 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nobody/no-such-model", "not on this machine"),
        ("../no such folder", "no model folder"),
    ],
)
def test_a_missing_model_is_one_sentence(name: str, words: str) -> None:
    with pytest.raises(ModelMissing, match=words):
        locate(name)


def test_a_folder_without_a_model_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"no config\.json"):
        locate(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        LanguageModel.load(locate(str(tmp_path)), "cpu")


def test_devices() -> None:
    assert resolve_device("cpu") == "cpu"
    assert resolve_device("auto") == ("cuda" if torch.cuda.is_available() else "cpu")
    with pytest.raises(InputError, match="choose one of"):
        resolve_device("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="no usable CUDA"):
            resolve_device("cuda")


@pytest.mark.parametrize("family", ["Granite", "Cohere", "Gemma2", "GPT2"])
def test_families_that_scale_their_logits(family: str, tiny: Path, tmp_path: Path) -> None:
    """What stands behind the head in some families counts: the model's own logits say so."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": len(tokenizer)}
    extras = {
        "Granite": {"logits_scaling": 4.0, "intermediate_size": 32, "num_key_value_heads": 2},
        "Cohere": {"logit_scale": 0.25, "intermediate_size": 32, "num_key_value_heads": 2},
        "Gemma2": {"final_logit_softcapping": 2.0, "intermediate_size": 32, "num_key_value_heads": 2, "head_dim": 8},
        "GPT2": {"n_positions": 64},
    }
    torch.manual_seed(1)
    config = getattr(transformers, f"{family}Config")(**sizes, **extras[family])
    getattr(transformers, f"{family}ForCausalLM" if family != "GPT2" else "GPT2LMHeadModel")(config).save_pretrained(
        tmp_path
    )
    tokenizer.save_pretrained(tmp_path)
    model = LanguageModel.load(locate(str(tmp_path)), "cpu")
    (found,) = model.likelihoods([("One.", "It rained.")])
    nll, tokens = plain_loop(model, "One.", "It rained.")
    assert found.nll / found.tokens == pytest.approx(nll / tokens, abs=1e-4)


def test_new_weights_in_the_same_folder_are_another_model(tiny: Path, tmp_path: Path) -> None:
    import shutil

    from transformers import AutoModelForCausalLM

    folder = tmp_path / "model"
    shutil.copytree(tiny, folder)
    story = Story("It rained.", "One.")
    before = build("perplexity", Settings(model=str(folder), device="cpu"))
    value = before.score([story]).values[0]
    retrained = AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        retrained.get_input_embeddings().weight.mul_(3.0)
    retrained.save_pretrained(folder)
    after = build("perplexity", Settings(model=str(folder), device="cpu"))
    assert after.signature != before.signature
    assert after.score([story]).values[0] != value
