"""Similarity of sentences: every pair by the metric itself, the bound against the transport, the paper's own pairs."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.base import Settings
from core.metrics.moverscore import MoverScoreBigrams, transport
from core.perturb.paraphrases import similarity
from core.perturb.paraphrases.similarity import PARAPHRASE, UNLIKE, UNRELATED, bleu_1, relaxed, similar, weakly_related
from core.stories import Story, sentences

TABLE_14 = (
    ("I filled it with the sodas.", "I put music into the world and enjoy it.", 0.05, 0.40),
    ("He went several more miles out of his way.", "He has made kilometers more.", 0.16, 0.26),
    (
        "She screamed loudly to attract the attention of her audience.",
        "She yelled out loud for the attention of the public.",
        0.42,
        0.45,
    ),
    ("He hired an attorney.", "He employed a lawyer.", 0.57, 0.40),
)
STORY = ("The dog ran home.", "It was raining on the old house.", "A cat slept.", "Nobody saw the thief.", "She wept.")


def by_the_metric(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Story by story, as a study is scored; -1 where the metric is undefined."""
    metric = MoverScoreBigrams(Settings(device="cpu", options={"idf": "no", "form": "one-minus"}))
    values = metric.score([Story(name, references=(other,)) for name, other in pairs]).values
    return [UNLIKE if np.isnan(value) else float(value) for value in values]


def real_stories(shared: Path, number: int) -> list[list[str]]:
    lines = (shared / "stories" / "rocstories.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["sentences"] for line in random.Random(3).sample(lines, number)]


def test_pairs_are_as_the_metric_has_them(shared: Path) -> None:
    stories = real_stories(shared, 20)
    pairs = [(name, other) for story in stories for name, other in combinations(story, 2)]
    pairs += [(other, name) for name, other in pairs[:5]] + [(name, name) for name, _ in pairs[:3]]
    counted: list[int] = []
    result = similar(pairs, "cpu", counted.append)
    assert result.dtype == np.float64
    assert sum(counted) == len(pairs)
    np.testing.assert_allclose(result, by_the_metric(pairs), atol=1e-5, rtol=0)
    assert result[-3:] == pytest.approx(1, abs=1e-6)
    assert np.ptp(result) > 0.5


def test_pairs_do_not_depend_on_what_is_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(combinations([*STORY, *STORY[:2], " She wept.\n"], 2))
    together = similar(pairs, "cpu")
    monkeypatch.setattr(similarity, "CHARACTERS_AT_ONCE", 30)
    np.testing.assert_allclose(similar(pairs, "cpu"), together, atol=1e-5, rtol=0)
    assert similar([], "cpu").shape == (0,)


@pytest.mark.parametrize("nothing", ["", "  ", "?!", "... ,", "\u200b"])
def test_what_has_no_word_is_like_nothing(nothing: str) -> None:
    pairs = [(nothing, "She ran."), ("She ran.", nothing), (nothing, nothing)]
    assert similar(pairs, "cpu").tolist() == [UNLIKE] * 3
    assert min(PARAPHRASE, UNRELATED) > UNLIKE
    assert weakly_related([[nothing, nothing], [nothing, "She ran."], [], ["She ran."]], UNRELATED) == [True] * 4
    assert weakly_related([["She ran.", nothing, "She ran."]], 0.9) == [False], "it hides no pair of others"


def test_another_device() -> None:
    with pytest.raises(InputError, match="no device 'abacus'"):
        similar([("a", "b")], "abacus")


VECTORS = st.lists(st.integers(1, 4), min_size=2, max_size=6)


@given(VECTORS, st.integers(0, 2**31 - 1), st.booleans())
def test_the_bound_is_under_every_transport(sizes: list[int], seed: int, even: bool) -> None:
    """And it is what a slow loop says: each n-gram goes to the nearest, in the direction in which that costs more."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(sum(sizes), 3))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    shares = [np.full(size, 1 / size) if even else rng.dirichlet(np.ones(size)) for size in sizes]
    starts = np.cumsum([0, *sizes])
    far = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    whole = np.concatenate(shares)
    rows = sum(sizes[:2])  # the first two sentences with all
    result = relaxed(far[:rows], whole[:rows], whole, starts[:2], starts[:-1])
    assert result.shape == (2, len(sizes))
    for i, j in np.ndindex(result.shape):
        part = far[starts[i] : starts[i + 1], starts[j] : starts[j + 1]]
        slow = max(float(shares[i] @ part.min(1)), float(shares[j] @ part.min(0)))
        assert result[i, j] == pytest.approx(slow, abs=1e-12)
        exact = transport(shares[i], shares[j], part)
        assert exact is not None
        assert result[i, j] <= exact + similarity.ROUNDING


def slowly(stories: Sequence[Sequence[str]], below: float) -> list[bool]:
    return [all(value < below for value in by_the_metric(list(combinations(story, 2)))) for story in stories]


@pytest.mark.slow
def test_weakly_related_is_what_all_pairs_say(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (shared / "stories" / "fairytales.jsonl").open(encoding="utf-8") as lines:
        tale = " ".join(json.loads(next(lines))["sections"])
    long = [tale[slice(*span)] for span in sentences(tale)][:30]
    stories = [*real_stories(shared, 60), long, [*STORY], [*STORY, STORY[0]], ["Hello.", "Hello."]]
    for below in (-0.25, UNRELATED, 0.05, 0.3):
        counted: list[int] = []
        result = weakly_related(stories, below, counted.append, "cpu")
        assert result == slowly(stories, below)
        assert sum(counted) == len(stories)
        with monkeypatch.context() as patch:  # a few sentences at a time, and a story in many blocks
            patch.setattr(similarity, "CHARACTERS_AT_ONCE", 100)
            patch.setattr(similarity, "ROWS_AT_ONCE", 7)
            assert weakly_related(stories, below) == result
    assert 0 < sum(weakly_related(stories, UNRELATED)) < 30


def test_no_transport_more_than_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []

    def counting(*sides: np.ndarray) -> float | None:
        solved.append(1)
        return transport(*sides)

    monkeypatch.setattr(similarity, "transport", counting)
    assert weakly_related([STORY], 1.01) == [True], "no bound reaches it"
    assert not solved
    assert weakly_related([[*STORY, STORY[3]]], 0.999) == [False], "the pair of equals is looked at first"
    assert len(solved) == 1


def test_thresholds_keep_the_papers_own_pairs_on_their_sides(shared: Path) -> None:
    """What the paper's thresholds say of the pairs whose MoverScore is in print, ours say with our numbers."""
    stories = json.loads((shared / "lexicon" / "story_bt.json").read_text(encoding="utf-8"))
    known = [(item["trans"], sentence, item["score"]) for story in stories for sentence, item in story.items()]
    known += [(paraphrase, sentence, score) for sentence, paraphrase, score, _ in TABLE_14]
    result = similar([(paraphrase, sentence) for paraphrase, sentence, _ in known], "cpu")
    theirs = np.array([score for *_, score in known])
    assert (result > PARAPHRASE).tolist() == (theirs > 0.4).tolist()
    assert (result < UNRELATED).tolist() == [score < 0.2 for score in theirs], (
        "between .05 and .248 it is a line's guess"
    )
    assert np.corrcoef(result, theirs)[0, 1] > 0.97


def test_words_shared_as_in_table_14() -> None:
    for sentence, paraphrase, _, printed in TABLE_14:
        assert bleu_1(paraphrase, sentence) == pytest.approx(printed, abs=0.005)
        assert bleu_1(paraphrase.lower().replace(".", " ."), sentence) == bleu_1(paraphrase, sentence)


def test_words_shared_by_hand() -> None:
    assert bleu_1("He did n ' t go .", "he didn't go.") == 1
    assert bleu_1("the the the", "the cat sat") == pytest.approx(1 / 3), "a word counts as often as the sentence has it"
    assert bleu_1("the cat", "the cat sat down") == pytest.approx(np.exp(-1)), "a part of a sentence is penalised"
    assert bleu_1("", "a") == bleu_1("a", "") == bleu_1("", "") == 0


@given(st.lists(st.sampled_from("abcde"), min_size=1), st.lists(st.sampled_from("abcde"), min_size=1))
def test_words_shared(candidate: list[str], sentence: list[str]) -> None:
    matched = (Counter(candidate) & Counter(sentence)).total()
    brevity = min(1.0, float(np.exp(1 - len(sentence) / len(candidate))))
    assert bleu_1(" ".join(candidate), " ".join(sentence)) == pytest.approx(matched / len(candidate) * brevity)
