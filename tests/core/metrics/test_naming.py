"""A metric's name is made of its signature alone: it says what is unusual, and never moves."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics import METRICS, build
from core.metrics.base import Settings
from core.metrics.naming import Pair, is_among, negated_number, parse_name, place_of, unique_names
from core.models.catalogue import SMOLLM2, ModelRole
from tests.core.models.causal.stand_in_vllm import StandIn
from tests.core.models.tiny import save


def union(checkpoint: str = "union", **options: str) -> Pair:
    return "union", build("union", Settings(options={"checkpoint": checkpoint, **options})).signature


BLEU = ("bleu", build("bleu").signature)
MEAN = ("bleu", build("bleu", Settings(options={"references": "mean"})).signature)
IMPORTED = ("bleu", "file:0123456789ab|column:b")
CUT = union("union-wp", first_words="250", long="cut")
OTHERS = [
    union(),
    union(long="cut"),
    union("union-wp"),
    union("union-wp", first_words="all"),
    CUT,
    BLEU,
    MEAN,
    IMPORTED,
    ("mine", "file:1"),
]


def test_a_name_says_what_is_unusual() -> None:
    assert unique_names(OTHERS) == [
        "union", "union[long=cut]", "union[union-wp]", "union[union-wp, first_words=all]",
        "union[union-wp, first_words=250, long=cut]", "bleu", "bleu[references=mean]", "bleu[file]",
        "mine",
    ]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in METRICS if name not in ("bleurt", "fp-masked", "bleurt-finetuned")])
def test_usual_settings_have_the_plain_name(name: str) -> None:
    assert unique_names([(name, build(name).signature)]) == [name]


@given(st.permutations(OTHERS), st.integers(1, len(OTHERS)))
def test_no_name_moves_because_something_else_was_scored(order: list[Pair], number: int) -> None:
    """`union (2)` once was another metric after the next run; only a file's scores make room for computed ones."""
    names = dict(zip(OTHERS, unique_names(OTHERS), strict=True))
    some = order[:number]
    for pair, name in zip(some, unique_names(some), strict=True):
        if pair != IMPORTED:
            assert name == names[pair]
        assert some[place_of(names[pair], some)] == pair
        assert some[place_of(pair[1], some)] == pair


def test_a_plain_name_never_stands_for_another_checkpoint() -> None:
    with pytest.raises(InputError, match=r"usual settings, of which the study has no scores; it has union\[union-wp\]"):
        place_of("union", [union("union-wp")])
    assert place_of("union", [union("union-wp"), union()]) == 1


def test_a_file_alone_has_the_plain_name_and_always_one_of_its_own() -> None:
    assert unique_names([IMPORTED]) == ["bleu"]
    assert place_of("bleu", [IMPORTED]) == place_of("bleu[file]", [IMPORTED]) == 0
    assert place_of("bleu", [IMPORTED, BLEU]) == 1


def test_what_has_no_usual_settings_is_found_by_its_plain_name_where_it_is_alone() -> None:
    part = ("bleurt", "bleurt|model:Elron/bleurt-base-512@abc|dtype:float32|v:1")
    other = ("bleurt", "bleurt|model:bleurt-20@d|dtype:float32|v:1")
    assert unique_names([part, other]) == ["bleurt[bleurt-base-512]", "bleurt[bleurt-20]"]
    assert place_of("bleurt", [part]) == 0
    with pytest.raises(InputError, match="name one of these"):
        place_of("bleurt", [part, other])


def test_older_numbers_and_other_precisions_say_so() -> None:
    name, text = BLEU
    assert unique_names([(name, text.replace("v:1", "v:0"))]) == ["bleu[v0]"]
    perplexity = build("perplexity", Settings(precision="bfloat16")).signature
    assert unique_names([("perplexity", perplexity)]) == ["perplexity[bfloat16]"]


def test_two_files_of_one_name_are_told_apart_by_their_hashes() -> None:
    first, second = unique_names([("m", "file:1"), ("m", "file:2")])
    assert first != second
    assert first.startswith("m[")
    assert unique_names([("m", "file:2"), ("m", "file:1")]) == [second, first]


def test_versions_of_ones_own_metric_are_told_apart_by_what_their_signatures_say_of_the_file() -> None:
    old, new = "m|file:1fa0520c2b11|v:1", "m|file:c2eede99ab01|v:1"
    assert unique_names([("m", old), ("m", new)]) == ["m[1fa052]", "m[c2eede]"]
    assert place_of("m[c2eede]", [("m", old), ("m", new)]) == 1
    assert unique_names([("m", old)]) == ["m"]
    halves = [("m", old), ("m", f"{new}|dtype:bfloat16"), ("m", new)]
    first, *same_file = unique_names(halves)
    assert first == "m[1fa052]"
    assert len({first, *same_file}) == 3
    computed, *_ = unique_names([("m", old), ("m", "m|v:1")])
    assert computed == "m[1fa052]"


def test_a_blend_says_which_of_its_parts_is_unusual() -> None:
    usual = [build("ruber-r-bert").signature, build("ruber-u-bert").signature]
    other = build("ruber-u-bert", Settings(options={"checkpoint": "ruber-u-bert-wp"})).signature
    blend = build("ruber-bert")
    signatures = [blend.signature_of(usual), blend.signature_of([usual[0], other])]  # type: ignore[attr-defined]
    assert unique_names([("ruber-bert", signature) for signature in signatures]) == [
        "ruber-bert", "ruber-bert[ruber-u-bert ruber-u-bert-wp]",
    ]  # fmt: skip


def test_a_name_can_be_asked_for() -> None:
    assert parse_name("union") == ("union", {})
    assert parse_name("union[union-wp]") == ("union", {"checkpoint": "union-wp"})
    assert parse_name("union[union-wp, of=logit]") == ("union", {"checkpoint": "union-wp", "of": "logit"})
    assert parse_name("bleu[references=mean]") == ("bleu", {"references": "mean"})
    assert parse_name("here[1].py:One") == ("here[1].py:One", {})


@pytest.mark.parametrize(
    "name",
    [
        "bleu[bfloat16]",
        "union[bfloat16]",
        "union[union-wp, bfloat16]",
        "bleu[]",
        "union[a, b]",
        "bleu[smoothing=3]",
        "bleu[references=]",
    ],
)
def test_a_name_that_says_no_options(name: str) -> None:
    with pytest.raises(InputError, match="does not say how to score"):
        parse_name(name)


def test_an_engine_is_named_beside_the_model(vllm: StandIn, tmp_path: Path) -> None:
    """Its numbers are others, in the last digits, so scores of both stand side by side."""
    folder = save(tmp_path / "story-teller", "LlamaForCausalLM", ModelRole.LANGUAGE)
    asked = [(SMOLLM2, "float32"), (f"vllm:{SMOLLM2}", "float32"), (folder, "bfloat16"), (f"vllm:{folder}", "bfloat16")]
    signatures = [build("fp", Settings(model=model, precision=precision)).signature for model, precision in asked]
    assert signatures[1] == signatures[0].replace("|dtype", f"|engine:vllm-{vllm.version}|dtype")
    assert unique_names([("fp", signature) for signature in signatures]) == [
        "fp",
        f"fp[vllm-{vllm.version}]",
        "fp[story-teller, bfloat16]",
        f"fp[story-teller, vllm-{vllm.version}, bfloat16]",
    ]


def test_a_score_that_is_minus_what_the_name_says_is_told() -> None:
    assert negated_number("fp", "fp|v:1") == "minus Fp"
    assert negated_number("perplexity", "perplexity|v:1") == "negated log-perplexity"
    assert negated_number("bleu", "bleu|v:1") == ""
    assert negated_number("entropy", "entropy|v:1") == ""
    assert negated_number("fp", "file:abc|column:fp") == ""
    assert negated_number("nobody's", "nobody's|v:1") == ""


def test_what_lost_the_one_beside_it_is_still_known_by_its_longer_name() -> None:
    both = [("m", "file:aaaaaa111111|m"), ("m", "file:bbbbbb222222|m")]
    first, second = unique_names(both)
    assert (first, second) == ("m[aaaaaa]", "m[bbbbbb]")
    assert is_among(first, both)
    assert is_among(first, both[:1])
    assert is_among("m", both[:1])
    assert not is_among(second, both[:1])
    assert not is_among("n[aaaaaa]", both[:1])
    assert not is_among("m", [])
