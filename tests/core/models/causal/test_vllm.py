"""What vLLM would tell, poured into its own shapes, gives the numbers that a model in this process has."""

import math
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from core.analysis.naturalness.fractions import read_fractions
from core.errors import FabulaError, InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Settings
from core.metrics.referenced import EMPTY_STORY
from core.models.catalogue import SMOLLM2, ModelRole, locate
from core.models.causal import vllm as reading
from core.models.causal.runtime import causal_model
from core.models.causal.vllm import VllmModel, rows_of
from core.models.language import LanguageModel, start_token
from core.models.runtime import language_model
from core.models.statistics import likelihood, statistics
from core.models.tokens.table import read_tokens
from core.stories import Story
from tests.core.models.causal.stand_in_vllm import Logprob, StandIn, place, prompt_logprobs
from tests.core.models.tiny import save

NAME = f"vllm:{SMOLLM2}"
FAMILY = ("perplexity", "perplexity-exp", "fp", "top-10", "entropy", "prompt-only")
STORIES = [
    Story("She felt for the matches. There were none.", "The lamp went out."),
    Story("🦊 ran — naïve café 日本語 — away.", "Ends in 🦊"),
    Story("x", "Once"),
    Story("It rained all day.\n\n\"Rain,\" said the fox, 'and no end to it.'"),
]
LONG = " ".join(f"word{i} ." for i in range(60))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Random weights, large enough that tokens differ, and a window of 33 tokens: vLLM keeps one for what it writes."""
    options = {"max_position_embeddings": 33, "num_key_value_heads": 2, "initializer_range": 0.5}
    return save(tmp_path_factory.mktemp("tiny"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options)


def here(name: str = "") -> LanguageModel:
    return language_model(locate(name, ModelRole.LANGUAGE), "cpu", "float32")


def there(name: str, precision: str = "float32") -> Any:
    return causal_model(locate(name, ModelRole.LANGUAGE), "auto", precision)


@pytest.mark.parametrize("metric", FAMILY)
def test_metrics_have_the_numbers_of_this_process(metric: str, vllm: StandIn) -> None:
    """One story at a time on either side: what stands beside it moves the last digits."""
    mine, theirs = (
        build(metric, Settings(model=name, device=where)) for name, where in ((None, "cpu"), (NAME, "auto"))
    )
    for story in STORIES[:3]:
        (expected,), (score,) = mine.score([story]).values, theirs.score([story]).values
        assert score == pytest.approx(expected, abs=1e-6, rel=1e-6)
    assert theirs.score(STORIES).values[:3] == pytest.approx(mine.score(STORIES).values[:3], abs=1e-4, rel=1e-4)


@pytest.mark.parametrize("of", ["story-given-prompt", "story-alone", "prompt-and-story"])
def test_the_same_tokens_count(of: str, vllm: StandIn) -> None:
    for metric in ("perplexity", "fp"):
        mine, theirs = (
            build(metric, Settings(model=name, device=where, options={"of": of}))
            for name, where in ((None, "cpu"), (NAME, "auto"))
        )
        assert theirs.score(STORIES).values == pytest.approx(mine.score(STORIES).values, abs=1e-4)


def test_what_is_asked_of_vllm(vllm: StandIn) -> None:
    model = there(NAME, "bfloat16")
    (rows,) = model.measures([("The lamp went out.", "It rained.")])
    assert vllm.made == [
        {
            "dtype": "bfloat16",
            "seed": 0,
            "max_model_len": 8192,
            "enable_prefix_caching": False,
            "enable_chunked_prefill": True,
            "max_num_batched_tokens": 2048,
            "max_logprobs": 100,
            "logprobs_mode": "raw_logprobs",
            "gpu_memory_utilization": 0.8,
            "tensor_parallel_size": 1,
            "enforce_eager": True,
            "trust_remote_code": False,
        }
    ]
    ((prompts, parameters),) = vllm.asked
    assert (parameters.prompt_logprobs, parameters.max_tokens, parameters.temperature) == (10, 1, 0.0)
    assert not parameters.detokenize
    # The token that begins a text, and prompt and story as one text.
    words = model.tokenizer("The lamp went out. It rained.", add_special_tokens=False)["input_ids"]
    assert prompts == [[start_token(model.tokenizer), *words]]
    assert len(rows) == len(model.tokenizer(" It rained.", add_special_tokens=False)["input_ids"])


def test_the_first_token_of_a_text_counts(vllm: StandIn) -> None:
    (mine,), (theirs,) = (model.measures([("", "Rain")]) for model in (here(), there(NAME)))
    assert len(theirs) == len(mine) == 1
    assert theirs == pytest.approx(mine, abs=1e-5)


def test_what_has_no_number(vllm: StandIn) -> None:
    perplexity = build("perplexity", Settings(model=NAME))
    scores = perplexity.score([Story("  ", "The lamp went out."), STORIES[0]])
    assert scores.reasons == {0: EMPTY_STORY}
    first = build("fp", Settings(model=NAME, options={"first": "50"}))
    assert first.score(STORIES[:1]).reasons == {0: "the story has fewer than 50 tokens"}


def test_long_stories_are_read_in_the_same_windows(tiny: str, vllm: StandIn) -> None:
    mine, theirs = here(tiny), there(f"vllm:{tiny}")
    assert (mine.window, theirs.window, vllm.made[0]["max_model_len"]) == (33, 32, 33)
    pairs = [("one two three .", LONG), ("", LONG), ("One.", "x")]
    for size, step in ((32, 16), (20, 5)):
        expected, measured = mine.measures(pairs, None, size, step), theirs.measures(pairs, None, size, step)
        for some, others in zip(expected, measured, strict=True):
            assert others == pytest.approx(some, abs=1e-4)
    assert max(len(ids) for ids in vllm.asked[0][0]) == 32
    score = build("perplexity", Settings(model=f"vllm:{tiny}", options={"window": "20", "stride": "5"})).score
    same = build("perplexity", Settings(model=tiny, device="cpu", options={"window": "20", "stride": "5"})).score
    story = [Story(LONG, "one two three .")]
    assert score(story).values == pytest.approx(same(story).values, abs=1e-6)


def test_no_context_is_longer_than_what_fits_a_gpu(tmp_path: Path, vllm: StandIn) -> None:
    folder = save(tmp_path, "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=131072)
    assert there(f"vllm:{folder}").window == 8191


def test_so_many_tokens_are_handed_over_at_once(vllm: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "TOKENS_AT_ONCE", 40)
    model = there(NAME)
    texts = [("", f"{'It rained. ' * (1 + i % 4)}And {i}.") for i in range(20)]
    measured = model.measures(texts)
    assert len(vllm.asked) > 4
    assert all(sum(map(len, prompts)) <= 40 for prompts, _ in vllm.asked)
    for some, others in zip(here().measures(texts), measured, strict=True):
        assert others == pytest.approx(some, abs=1e-4)


def test_metrics_of_a_family_read_once(vllm: StandIn) -> None:
    for metric in ("fp", "top-10", "entropy"):
        build(metric, Settings(model=NAME)).score(STORIES)
    assert len(vllm.asked) == 1


@pytest.mark.parametrize("top", [0, 3, 20])
def test_the_token_view_has_the_same_table(top: int, vllm: StandIn) -> None:
    texts = [STORIES[1].text, "", STORIES[3].text]
    mine, theirs = read_tokens(texts, device="cpu", top=top), read_tokens(texts, model=NAME, top=top)
    assert vllm.asked[0][1].prompt_logprobs == max(top, 10)
    for some, others in zip(mine, theirs, strict=True):
        assert others.model == f"{some.model} vllm-{vllm.version}"
        for name in ("starts", "ends", "words", "rank"):
            assert getattr(others, name).tolist() == getattr(some, name).tolist()
        for name in ("log_p", "fraction", "entropy", "top_p"):
            np.testing.assert_allclose(getattr(others, name), getattr(some, name), atol=1e-4)
        assert others.top == some.top


def test_fp_of_corpora(vllm: StandIn) -> None:
    texts = [story.text for story in STORIES]
    mine = read_fractions(texts, [None, 5], device="cpu")
    theirs = read_fractions(texts, [None, 5], model=NAME)
    for some, others in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(others.fp, some.fp, atol=1e-5)
        assert others.discriminator.model.endswith(f" vllm-{vllm.version}")


def test_progress_is_told(vllm: StandIn) -> None:
    seen: list[int] = []
    build("perplexity", Settings(model=NAME)).score([*STORIES, STORIES[0]], seen.append)
    assert sum(seen) == 5


class TestOneToken:
    """`rows_of` for a single token, of logits and of made-up answers."""

    @pytest.mark.parametrize("top", [None, 0, 3, 15])
    @pytest.mark.parametrize("tied", [False, True])
    def test_any_token_of_a_vocabulary(self, top: int | None, tied: bool) -> None:
        """Its numbers are those of `core.models.statistics`; its rank too, but that equals which are not among those
        listed count as likelier.
        """
        most, measure = max(top or 0, 10), likelihood if top is None else statistics(top)
        logits = torch.randn(60, generator=torch.Generator().manual_seed(3)) * 2
        logits = logits.round() if tied else logits
        for token in range(60):
            expected = measure(logits[None], torch.tensor([token]))[0].double().numpy()
            (row,) = rows_of([0, token], 1, [None, place(logits, token, most)], most, top)
            if top is None:
                assert row == pytest.approx(expected, abs=1e-6)
                continue
            assert row[[0, 2, 3]] == pytest.approx(expected[[0, 2, 3]], abs=1e-6)
            np.testing.assert_allclose(row[4 + top :], expected[4 + top :], atol=1e-6)
            listed = logits[token] >= logits.topk(most).values[-1]
            equals = 0 if listed else int((logits == logits[token]).sum()) - 1
            assert row[1] == expected[1] + equals
            if not tied:
                assert row[4 : 4 + top].tolist() == expected[4 : 4 + top].tolist()

    def test_one_that_is_none_of_the_likeliest(self) -> None:
        """vLLM adds it to the ten, which stay ten."""
        answer = {7: Logprob(-9.0, 400), **{20 + i: Logprob(-1.0 - i / 10, i + 1) for i in range(10)}}
        (row,) = rows_of([0, 7], 1, [None, answer], 10, None)
        ten = np.exp([-1.0 - i / 10 for i in range(10)])
        normed = ten / ten.sum()
        assert row == pytest.approx([9.0, math.exp(-8.0), 0.0, -(normed * np.log(normed)).sum()])
        (row,) = rows_of([0, 7], 1, [None, answer], 10, 2)
        assert row[[1, 4, 5]].tolist() == [399, 20, 21]

    def test_one_as_likely_as_the_last_of_ten(self) -> None:
        """It is among them, as it is in this process, whichever `topk` has taken."""
        answer = {7: Logprob(-2.0, 12), **{20 + i: Logprob(-1.0 if i < 8 else -2.0, i + 1) for i in range(10)}}
        (row,) = rows_of([0, 7], 1, [None, answer], 10, 10)
        assert row[1] == 8
        assert 7 not in row[4:14]
        (row,) = rows_of([0, 7], 1, [None, answer], 10, None)
        assert row[2] == 1.0

    @pytest.mark.parametrize(
        ("told", "sentence"),
        [
            (None, "told of 0 tokens where 3 were read"),
            ([None, {1: Logprob(-1.0, 1)}], "told of 2 tokens where 3 were read"),
            ([None, {1: Logprob(-1.0, 1)}, None], "nothing, or too little, of a token"),
            ([None, {1: Logprob(-1.0, 1)}, {3: Logprob(-1.0, 1)}], "nothing, or too little, of a token"),
            ([None, {1: Logprob(-1.0, 1)}, {2: Logprob(-1.0, None)}], "nothing, or too little, of a token"),
            ([None, {}, {2: Logprob(-1.0, 1)}], "nothing, or too little, of a token"),
            ([None, {1: Logprob(-1.0, 1)}, {2: Logprob(math.nan, 1)}], "choose another precision"),
            ([None, {1: Logprob(-1.0, 1)}, {2: Logprob(-math.inf, 1)}], "choose another precision"),
        ],
    )
    def test_nothing_is_made_of_half_an_answer(self, told: Any, sentence: str) -> None:
        with pytest.raises(FabulaError, match=sentence):
            rows_of([0, 1, 2], 1, told, 1, None)


def test_an_answer_without_its_beginning_is_refused(vllm: StandIn) -> None:
    """As after a prefix that was kept."""
    vllm.spoils = lambda rows: [None, *rows[3:]]
    with pytest.raises(FabulaError, match="this version of vLLM cannot be used here") as raised:
        build("perplexity", Settings(model=NAME)).score(STORIES)
    assert "\n" not in str(raised.value)


def test_recorded_answers_are_as_vllm_gives_them() -> None:
    """The stand-in itself: the token first, ten or eleven entries, its place among them or its count of all."""
    model = here()
    ids = [start_token(model.tokenizer), *model.tokenizer("It rained on the xylograph.")["input_ids"]]
    begun, *told = prompt_logprobs(model, ids, 10)
    assert begun is None
    for token, entries in zip(ids[1:], told, strict=True):
        assert entries is not None
        assert next(iter(entries)) == token
        rank = entries[token].rank or 0
        assert len(entries) == (10 if rank <= 10 else 11)
        assert sorted(entry.rank or 0 for entry in entries.values())[:10] == list(range(1, 11))


class TestWhatIsMissing:
    def test_the_package(self) -> None:
        for make in (lambda: build("perplexity", Settings(model=NAME)), lambda: locate(NAME, ModelRole.LANGUAGE)):
            with pytest.raises(ModelMissing, match=r"`pip install vllm` where there is an NVIDIA GPU"):
                make()

    def test_a_gpu(self, vllm: StandIn) -> None:
        with (
            mock.patch.object(torch.cuda, "is_available", return_value=False),  # ends before the stand-in's own
            pytest.raises(ModelMissing, match=r"^vLLM runs on an NVIDIA GPU, and this machine has no usable one"),
        ):
            build("perplexity", Settings(model=NAME)).score(STORIES)
        with pytest.raises(InputError, match=r"^vLLM runs on a GPU: choose the device auto or cuda"):
            build("perplexity", Settings(model=NAME, device="cpu")).score(STORIES)
        assert not vllm.made

    def test_a_model(self, vllm: StandIn, tmp_path: Path) -> None:
        with pytest.raises(ModelMissing, match="holds no model"):
            locate(f"vllm:{tmp_path}", ModelRole.LANGUAGE)
        masked = save(tmp_path, "BertForMaskedLM", ModelRole.ENCODER)
        with pytest.raises(ModelMissing, match="here a causal language model is needed"):
            locate(f"vllm:{masked}", ModelRole.LANGUAGE)

    @pytest.mark.parametrize("metric", ["judge:coherence", "bertscore-f1", "perplexity-finetuned", "fp-masked"])
    def test_metrics_that_do_not_run_there(self, metric: str, vllm: StandIn) -> None:
        with pytest.raises(InputError, match="does not run in vLLM: leave vllm: out of its model's name"):
            build(metric, Settings(model=NAME))
        with pytest.raises(ModelMissing, match=r"^vLLM runs no model that is used as an encoder"):
            locate("vllm:all-minilm-l6-v2", ModelRole.ENCODER)

    def test_what_vllm_cannot_run(self, vllm: StandIn) -> None:
        vllm.breaks_at_once = ValueError("The model's max seq len (8192) is larger than the cache.\nTry less.")
        with pytest.raises(ModelMissing, match=r"^vLLM cannot run smollm2.*larger than the cache\.$"):
            VllmModel(locate(NAME, ModelRole.LANGUAGE))

    def test_what_breaks_while_it_reads(self, vllm: StandIn) -> None:
        """No story is to blame, so none is tried alone."""
        vllm.breaks = RuntimeError("CUDA error: an illegal memory access")
        with pytest.raises(FabulaError, match=r"^vLLM broke off while it read with smollm2.*illegal memory access"):
            there(NAME).measures([("", "x"), ("", "y")])
        assert len(vllm.asked) == 1
