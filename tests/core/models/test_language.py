"""The bundled language model, against a plain loop over tokens; batches and windows must not move a number."""

import math
import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Settings
from core.models.catalogue import ModelRole, locate
from core.models.language import LanguageModel
from core.models.runtime import language_model, resolve_device
from core.models.statistics import statistics
from core.stories import Story
from tests.core.models.tiny import mans_stories, save, tokenizer
from tests.likelihoods import likelihoods

TEXTS = [
    ("The lamp went out.", "Nora felt for the matches. There were none left."),
    ("", "A story without any opening at all."),
    ("The lamp went out.", "It went out. " * 12),
    ("Emoji 🦊 and שלום.", "The 🦊 ran.\nIt said שלום to é."),
    ("One.", "x"),
]
LONG = " ".join(f"word{i}" for i in range(40))
TOP = 5


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return language_model(locate(None, ModelRole.LANGUAGE), "cpu", "float32")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A causal model of random weights with a window of 16 tokens and SmolLM2's tokenizer."""
    folder = tmp_path_factory.mktemp("tiny")
    save(folder, "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=16, num_key_value_heads=2)
    return folder


@pytest.fixture(scope="module")
def short(tiny: Path) -> LanguageModel:
    return LanguageModel(locate(str(tiny), ModelRole.LANGUAGE))


def encode(model: LanguageModel, given: str, text: str) -> tuple[list[int], list[int]]:
    """What is read, the start token before it, and the ids that are scored."""
    start = model.tokenizer.convert_tokens_to_ids("<|endoftext|>")
    context = model.tokenizer(given, add_special_tokens=False)["input_ids"] if given else []
    ids = model.tokenizer(f" {text}" if given else text, add_special_tokens=False)["input_ids"]
    return [start, *context, *ids], ids


@torch.inference_mode()
def plain_logits(model: LanguageModel, given: str, text: str) -> tuple[torch.Tensor, list[int]]:
    """The obvious way: one text, the whole vocabulary's logits before each of its tokens."""
    sequence, ids = encode(model, given, text)
    logits = model.model(torch.tensor([sequence])).logits[0].float()
    return logits[len(sequence) - len(ids) - 1 : -1], ids


def plain_loop(model: LanguageModel, given: str, text: str) -> tuple[float, int]:
    logits, ids = plain_logits(model, given, text)
    return -sum(float(torch.log_softmax(row, -1)[i]) for row, i in zip(logits, ids, strict=True)), len(ids)


@dataclass
class Plain:
    """One story's numbers, token by token, the slow way."""

    log_p: NDArray[np.float64]
    greater: tuple[list[int], list[int]]
    """How many tokens are surely, and how many are at most, more probable: two sums differ in the last digits."""
    fraction: NDArray[np.float64]
    entropy: NDArray[np.float64]
    top_p: NDArray[np.float64]


def plain_statistics(model: LanguageModel, given: str, text: str) -> Plain:
    logits, ids = plain_logits(model, given, text)
    rows = logits.numpy()
    target = rows[np.arange(len(ids)), ids]
    # A token's place: after all that are greater.
    surely = [int((row > t + 1e-3).sum()) for row, t in zip(rows, target, strict=True)]
    at_most = [int((row > t - 1e-3).sum()) for row, t in zip(rows, target, strict=True)]
    best = -np.sort(-np.partition(rows, -10, -1)[:, -10:], -1)
    whole = np.exp(rows.astype(np.float64) - best[:, :1]).sum(1)
    sorted_p = np.exp(best.astype(np.float64) - best[:, :1]) / whole[:, None]
    ten = sorted_p / sorted_p.sum(1, keepdims=True)
    own = np.exp(target.astype(np.float64) - best[:, 0]) / whole
    return Plain(np.log(own), (surely, at_most), own / sorted_p[:, 0], -(ten * np.log(ten)).sum(1), sorted_p[:, :TOP])


def test_likelihoods_equal_a_plain_loop(model: LanguageModel) -> None:
    for pair, likelihood in zip(TEXTS, likelihoods(model, TEXTS), strict=True):
        nll, tokens = plain_loop(model, *pair)
        assert likelihood.tokens == tokens
        assert likelihood.nll / likelihood.tokens == pytest.approx(nll / tokens, abs=1e-4)


def test_ten_real_stories_equal_the_slow_way(model: LanguageModel, shared: Path) -> None:
    """Sums and the statistics of every single token; both passes read the stories in batches."""
    pairs = [(story.prompt, story.text) for story in mans_stories(shared)[::20]]
    assert len(set(pairs)) == 10
    sums, tokens = likelihoods(model, pairs), model.token_statistics(pairs, TOP)
    for pair, total, token in zip(pairs, sums, tokens, strict=True):
        plain = plain_statistics(model, *pair)
        ids = encode(model, *pair)[1]
        assert token.ids.tolist() == ids
        assert total.tokens == len(ids)
        assert total.nll / len(ids) == pytest.approx(-plain.log_p.mean(), abs=1e-4)
        assert total.fraction / len(ids) == pytest.approx(plain.fraction.mean(), abs=1e-4)
        assert total.nll == pytest.approx(-token.log_p.sum(), abs=1e-5 * len(ids))
        assert total.fraction == pytest.approx(token.fraction.sum(), abs=1e-5 * len(ids))
        np.testing.assert_allclose(token.log_p, plain.log_p, atol=2e-3)
        np.testing.assert_allclose(token.fraction, plain.fraction, atol=1e-3)
        np.testing.assert_allclose(token.entropy, plain.entropy, atol=1e-3)
        np.testing.assert_allclose(token.top_p, plain.top_p, atol=1e-3)
        assert (token.rank >= plain.greater[0]).all()
        assert (token.rank <= plain.greater[1]).all()
        assert (token.fraction <= 1).all()
        # The likeliest token is of rank 0 and fraction 1, and nothing else is.
        np.testing.assert_array_equal(token.rank == 0, token.top_ids[:, 0] == token.ids)
        np.testing.assert_array_equal(token.rank == 0, token.fraction == 1)


@given(st.integers(0, 2**31 - 1), st.integers(12, 60), st.booleans())
def test_statistics_of_given_logits_equal_a_full_sort(seed: int, vocabulary: int, tied: bool) -> None:
    """To the last rank, ties included: tokens as probable as the story's do not count against it."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn((7, vocabulary), generator=generator) * 3
    logits = logits.round() if tied else logits
    targets = torch.randint(vocabulary, (7,), generator=generator)
    rows = statistics(TOP)(logits, targets).numpy()
    for row, before, target in zip(rows, logits.double(), targets.tolist(), strict=True):
        p = torch.softmax(before, -1).numpy()
        descending = np.sort(p)[::-1]
        ten = descending[:10] / descending[:10].sum()
        assert row[0] == pytest.approx(-math.log(p[target]), abs=1e-5)
        assert int(row[1]) == int(np.flatnonzero(np.sort(before.numpy())[::-1] == before[target].item())[0])
        assert row[2] == pytest.approx(p[target] / descending[0], abs=1e-6)
        assert row[3] == pytest.approx(-(ten * np.log(ten)).sum(), abs=1e-5)
        top_ids = row[4 : 4 + TOP].astype(int)
        assert len(set(top_ids.tolist())) == TOP
        np.testing.assert_allclose(p[top_ids], descending[:TOP], rtol=1e-9)
        np.testing.assert_allclose(row[4 + TOP :], descending[:TOP], atol=1e-6)


def test_token_statistics_have_a_row_a_token_and_take_a_number_of_alternatives(short: LanguageModel) -> None:
    empty, long = short.token_statistics([("One.", ""), ("One.", LONG)], top=3)
    assert empty.ids.shape == empty.log_p.shape == empty.rank.shape == (0,)
    assert empty.top_ids.shape == empty.top_p.shape == (0, 3)
    n = len(encode(short, "One.", LONG)[1])
    assert [long.log_p.shape, long.rank.shape, long.fraction.shape, long.entropy.shape] == [(n,)] * 4
    assert long.top_ids.shape == long.top_p.shape == (n, 3)
    assert (long.rank.dtype, long.top_ids.dtype, long.log_p.dtype) == (np.int64, np.int64, np.float64)


def test_batch_order_and_duplicates_move_nothing(model: LanguageModel) -> None:
    alone = []
    for pair in TEXTS:
        model._memory.clear()
        alone.append(likelihoods(model, [pair])[0])
    shuffled = TEXTS * 2
    random.Random(1).shuffle(shuffled)
    model._memory.clear()
    result = dict(zip(shuffled, likelihoods(model, shuffled), strict=True))
    for pair, likelihood in zip(TEXTS, alone, strict=True):
        assert result[pair].nll / result[pair].tokens == pytest.approx(likelihood.nll / likelihood.tokens, abs=1e-5)
        assert result[pair].fraction / result[pair].tokens == pytest.approx(
            likelihood.fraction / likelihood.tokens, abs=1e-5
        )


def test_progress_counts_every_pair_once(short: LanguageModel) -> None:
    """Also one that comes twice, one without a token, one in several windows and one that is remembered."""
    short._memory.clear()
    texts = [*TEXTS, ("One.", ""), ("", LONG), ("", LONG), ("One.", "")]
    seen: list[int] = []
    likelihoods(short, texts, seen.append)
    assert sum(seen) == len(texts)
    assert len(seen) > 3, "progress is told as it is made, not at the end"
    seen.clear()
    likelihoods(short, [*texts, ("", "something new"), ("", "")], seen.append)
    assert sum(seen) == len(texts) + 2
    seen.clear()
    likelihoods(short, [], seen.append)
    assert sum(seen) == 0


def test_remembered_likelihoods_cost_no_second_pass(short: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    first = likelihoods(short, TEXTS)
    monkeypatch.setattr(short, "_forward", None)  # a second pass would call it
    assert likelihoods(short, TEXTS) == first
    with pytest.raises(TypeError):
        likelihoods(short, TEXTS, window=12)  # other windows are other numbers


def test_an_empty_text_has_no_tokens(model: LanguageModel) -> None:
    (likelihood,) = likelihoods(model, [("The lamp went out.", "")])
    assert (likelihood.nll, likelihood.fraction, likelihood.tokens) == (0.0, 0.0, 0)


def test_fluent_text_is_likelier_than_shuffled_words(model: LanguageModel) -> None:
    text = "Nora felt for the matches on the shelf, but there were none left, so she waited for the morning."
    words = text.split()
    random.Random(0).shuffle(words)
    fluent, shuffled = likelihoods(model, [("", text), ("", " ".join(words))])
    assert fluent.nll / fluent.tokens + 1.0 < shuffled.nll / shuffled.tokens
    # Ordinary text takes the likeliest word more often: a greater fraction, Fp the other way round.
    assert fluent.fraction / fluent.tokens > shuffled.fraction / shuffled.tokens


@torch.inference_mode()
def windowed_loop(model: LanguageModel, given: str, text: str, size: int, stride: int) -> tuple[float, float, int]:
    """Token by token: the earliest window of the grid that reaches it is the one it is scored in."""
    sequence, ids = encode(model, given, text)
    nll = fraction = 0.0
    for position in range(len(sequence) - len(ids), len(sequence)):
        begin = 0
        while begin + size <= position:
            begin += stride
        assert position - begin >= min(position, size - stride)
        logits = model.model(torch.tensor([sequence[begin : position + 1]])).logits[0, -2].double()
        p = torch.softmax(logits, -1)
        nll -= math.log(float(p[sequence[position]]))
        fraction += float(p[sequence[position]] / p.max())
    return nll, fraction, len(ids)


@pytest.mark.parametrize(("window", "stride"), [(None, None), (16, 4), (12, 6), (12, 11), (9, 1), (100, None)])
@pytest.mark.parametrize("given", ["", "One.", LONG])
def test_a_long_text_is_read_in_windows_and_every_token_counts_once(
    short: LanguageModel, given: str, window: int | None, stride: int | None
) -> None:
    text = " ".join(reversed(LONG.split()[:24]))
    size = min(window or 16, 16)
    nll, fraction, tokens = windowed_loop(short, given, text, size, stride or size // 2)
    assert tokens > 2 * size
    (likelihood,) = likelihoods(short, [(given, text)], window=window, stride=stride)
    assert likelihood.tokens == tokens
    assert likelihood.nll == pytest.approx(nll, rel=1e-5)
    assert likelihood.fraction == pytest.approx(fraction, rel=1e-5)


@pytest.mark.parametrize(("window", "stride"), [(12, 12), (12, 13), (12, -1), (1, None)])
def test_windows_that_would_skip_tokens_are_refused(short: LanguageModel, window: int, stride: int | None) -> None:
    with pytest.raises(InputError, match=rf"^Windows of {window} tokens must begin between 1 and {window - 1} tokens"):
        likelihoods(short, TEXTS, window=window, stride=stride)


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
        "perplexity|model:smollm2-135m-instruct@0.1.2-q4_1|dtype:float32"
        "|first_words:all|normalisation:raw|of:story-given-prompt|stride:half|window:model|v:1"
    )
    other = build("perplexity", Settings(model=str(tiny))).signature
    assert f"model:{tiny.name}@sha256:" in other


def test_an_empty_story_is_undefined_with_a_reason() -> None:
    scores = build("perplexity", Settings(device="cpu")).score([Story("", "Opening."), Story("It ended.", "Opening.")])
    assert math.isnan(scores.values[0])
    assert scores.reasons == {0: "the story is empty"}
    assert scores.values[1] < 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nobody/no-such-model", "not on this machine"),
        ("../no such folder", "no model folder"),
    ],
)
@pytest.mark.parametrize("role", list(ModelRole))
def test_a_missing_model_is_one_sentence(name: str, words: str, role: ModelRole) -> None:
    with pytest.raises(ModelMissing, match=words):
        locate(name, role)


def test_a_model_without_a_token_that_begins_a_text_is_refused(tiny: Path, tmp_path: Path) -> None:
    folder = save(tmp_path, "LlamaForCausalLM", ModelRole.LANGUAGE, vocab_size=40_000, num_key_value_heads=2)
    tokenizer(ModelRole.ENCODER).save_pretrained(tmp_path)  # BERT's has neither beginning nor end of text
    with pytest.raises(ModelMissing, match="no token that can begin a text"):
        LanguageModel(locate(folder, ModelRole.LANGUAGE))


def test_devices() -> None:
    assert resolve_device("cpu") == "cpu"
    assert resolve_device("auto") == ("cuda" if torch.cuda.is_available() else "cpu")
    with pytest.raises(InputError, match="choose one of"):
        resolve_device("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="no usable CUDA"):
            resolve_device("cuda")


@pytest.mark.parametrize("family", ["Granite", "Cohere", "Gemma2", "GPT2"])
def test_families_that_scale_their_logits(family: str, tmp_path: Path) -> None:
    """What stands behind the head in some families counts: the model's own logits say so."""
    extras = {
        "Granite": {"logits_scaling": 4.0, "num_key_value_heads": 2},
        "Cohere": {"logit_scale": 0.25, "num_key_value_heads": 2},
        "Gemma2": {"final_logit_softcapping": 2.0, "num_key_value_heads": 2, "head_dim": 8},
        "GPT2": {"n_positions": 64},
    }
    name = f"{family}ForCausalLM" if family != "GPT2" else "GPT2LMHeadModel"
    model = LanguageModel(locate(save(tmp_path, name, ModelRole.LANGUAGE, **extras[family]), ModelRole.LANGUAGE))
    (likelihood,) = likelihoods(model, [("One.", "It rained.")])
    nll, tokens = plain_loop(model, "One.", "It rained.")
    assert likelihood.nll / likelihood.tokens == pytest.approx(nll / tokens, abs=1e-4)


def test_new_weights_in_the_same_folder_are_another_model(tiny: Path, tmp_path: Path) -> None:
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


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json", "config.json", "merges.txt", "vocab.json"])
def test_another_tokenizer_or_configuration_is_another_model(tiny: Path, tmp_path: Path, file: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny, folder)
    before = locate(str(folder), ModelRole.LANGUAGE)
    changed = folder / file
    changed.write_text(changed.read_text(encoding="utf-8") + "\n" if changed.exists() else "{}", encoding="utf-8")
    assert locate(str(folder), ModelRole.LANGUAGE).revision != before.revision
    assert locate(str(tiny), ModelRole.LANGUAGE).revision == before.revision


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("BertLMHeadModel", {}, "here a causal language model is needed"),
        ("RobertaForCausalLM", {}, "has a head that is not known here"),
        ("RobertaForCausalLM", {"is_decoder": True}, "has a head that is not known here"),
    ],
)
def test_a_model_that_would_be_read_wrongly_is_refused(
    tmp_path: Path, name: str, options: dict[str, bool], sentence: str
) -> None:
    """Its head is more than one product, or its tokens see what follows them: any number would be wrong."""
    folder = save(tmp_path, name, ModelRole.LANGUAGE, max_position_embeddings=64, **options)
    with pytest.raises(ModelMissing, match=sentence):
        LanguageModel(locate(folder, ModelRole.LANGUAGE))


def test_a_model_that_looks_ahead_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import LlamaModel

    own = LlamaModel.forward

    def looking(self: Any, input_ids: torch.Tensor, **options: Any) -> Any:
        result = own(self, input_ids=input_ids, **options)
        result.last_hidden_state = result.last_hidden_state + result.last_hidden_state[:, -1:]
        return result

    folder = save(tmp_path, "LlamaForCausalLM", ModelRole.LANGUAGE)
    LanguageModel(locate(folder, ModelRole.LANGUAGE))
    monkeypatch.setattr(LlamaModel, "forward", looking)
    with pytest.raises(ModelMissing, match="looks ahead, as masked models do"):
        LanguageModel(locate(folder, ModelRole.LANGUAGE))


def test_tokens_of_prompt_and_story_are_those_of_one_text(model: LanguageModel, shared: Path) -> None:
    """Where the cut falls between two tokens, reading both at once is reading one after the other."""
    separately = model.tokenizer
    stories = mans_stories(shared)
    for story, tokens in zip(stories, model.tokens([(s.prompt, s.text) for s in stories]), strict=True):
        assert tokens.ids[: tokens.cut] == separately(story.prompt)["input_ids"]
        assert tokens.ids[tokens.cut :] == separately(f" {story.text}")["input_ids"]


def test_a_tokenizer_that_begins_every_text_in_its_own_way_is_read_once(tmp_path: Path) -> None:
    """SentencePiece's, in Llama 2: a mark before the first word, which must not come twice."""
    from tokenizers import Tokenizer, models, normalizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = {"<s>": 0, "▁a": 1, "▁b": 2, "▁": 3}
    backend = Tokenizer(models.BPE(vocab={**words, "a": 4, "b": 5}, merges=[("▁", "a"), ("▁", "b")]))
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<s>").save_pretrained(tmp_path)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    LlamaForCausalLM(LlamaConfig(vocab_size=6, **sizes)).save_pretrained(tmp_path)
    result = LanguageModel(locate(str(tmp_path), ModelRole.LANGUAGE))
    assert [(tokens.ids, tokens.cut) for tokens in result.tokens([("a", "b"), ("", "b")])] == [([1, 2], 1), ([2], 0)]
