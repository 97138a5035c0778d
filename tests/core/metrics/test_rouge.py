"""ROUGE against the two packages whose definitions it keeps, and OpenMEVA's number."""

import json
import math
import random
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rouge import Rouge, rouge_score
from rouge_score.rouge_scorer import RougeScorer

from core.errors import InputError
from core.metrics.base import Settings
from core.metrics.bleu import word_punct
from core.metrics.rouge import (
    Rouge1,
    Rouge1Google,
    Rouge2,
    Rouge2Google,
    RougeL,
    RougeLGoogle,
    lcs_length,
    lcs_words,
)
from core.stories import Story

PLAIN = (Rouge1, Rouge2, RougeL)
GOOGLE = {Rouge1Google: "rouge1", Rouge2Google: "rouge2", RougeLGoogle: "rougeL"}
ALL = (*PLAIN, *GOOGLE)
# Few words and many full stops: that makes ties between subsequences, repeats and empty words.
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", ".", ". .", "a.b", "...", "\n"]), min_size=1, max_size=30)
FEW = st.lists(st.sampled_from("abcd"), max_size=14)
ENGLISH = [
    "running",
    "runs",
    "ran",
    "flies",
    "Dying",
    "happily",
    "o'clock",
    "ties",
    "3.5",
    "é",
    "ran.",
    "[MALE]",
    "yyy",
]


def score(metric: type, text: str, *references: str, **options: str) -> float:
    return float(metric(Settings(options=options)).score([Story(text, references=references)]).values[0])


def reason(metric: type, text: str, *references: str, **options: str) -> str:
    scores = metric(Settings(options=options)).score([Story(text, references=references)])
    assert math.isnan(scores.values[0])
    return str(scores.reasons[0])


def plain_f(metric: type, text: str, reference: str) -> float | None:
    """None where the package refuses."""
    try:
        return float(Rouge(metrics=[metric.name]).get_scores(text, reference)[0][metric.name]["f"])
    except ValueError:
        return None


def google_f(metric: type, text: str, reference: str, stemmer: bool = False) -> float:
    return float(RougeScorer([GOOGLE[metric]], use_stemmer=stemmer).score(reference, text)[GOOGLE[metric]].fmeasure)


def mans(shared: Path) -> tuple[list[Story], list[float]]:
    """OpenMEVA's 1,000 stories with their human story, and the mean ratings."""
    prompts = json.loads((shared / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8")).values()
    generated = [(item, prompt["gold_response"]) for prompt in prompts for item in prompt["gen"].values()]
    return [Story(g["text"], references=(gold,)) for g, gold in generated], [
        float(np.mean(g["score"])) for g, _ in generated
    ]


@pytest.mark.parametrize("metric", PLAIN)
@given(WORDS, WORDS)
@example(["a ."], ["a . "])  # a blank after the last full stop is an empty word
@example(["a", ". .", "b"], ["c", ". .", "d"])  # as is one between two, and it counts as shared
def test_equals_the_package_rouge(metric: type, story: list[str], reference: list[str]) -> None:
    text, other = " ".join(story), " ".join(reference)
    if not text.strip() or not other.strip():
        return
    apart = " ".join(word_punct(text)), " ".join(word_punct(other))
    for expected, words in ((plain_f(metric, text, other), "spaces"), (plain_f(metric, *apart), "wordpunct")):
        if expected is None:
            assert reason(metric, text, other, words=words).endswith("has nothing but full stops")
        else:
            assert score(metric, text, other, words=words) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", PLAIN)
def test_equals_the_package_rouge_on_real_stories(metric: type, shared: Path) -> None:
    stories = mans(shared)[0][:200]
    expected = [plain_f(metric, story.text, story.references[0]) for story in stories]
    assert metric().score(stories).values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("stemmer", ["no", "yes"])
@pytest.mark.parametrize("metric", GOOGLE)
@given(st.data())
def test_equals_the_package_rouge_score(metric: type, stemmer: str, data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(["a", "b", "cat", "cats", "A", ".", *ENGLISH]), min_size=1, max_size=25)
    text, other = " ".join(data.draw(words)), " ".join(data.draw(words))
    if not any(c.isascii() and c.isalnum() for c in text) or not any(c.isascii() and c.isalnum() for c in other):
        assert reason(metric, text, other).endswith("has no word of letters a-z or digits")
        return
    expected = google_f(metric, text, other, stemmer == "yes")
    assert score(metric, text, other, stemmer=stemmer) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("stemmer", ["no", "yes"])
@pytest.mark.parametrize("metric", GOOGLE)
def test_equals_the_package_rouge_score_on_real_stories(metric: type, stemmer: str, shared: Path) -> None:
    stories = mans(shared)[0][:200]
    expected = [google_f(metric, story.text, story.references[0], stemmer == "yes") for story in stories]
    result = metric(Settings(options={"stemmer": stemmer})).score(stories).values
    assert result == pytest.approx(expected, abs=1e-12)


def test_openmeva_table_11(shared: Path) -> None:
    """Words between spaces give the paper's .0188; words apart from punctuation and Google's definition do not."""
    stories, ratings = mans(shared)
    assert len(stories) == 1000

    def pearson(metric: type, **options: str) -> float:
        return float(np.corrcoef(metric(Settings(options=options)).score(stories).values, ratings)[0, 1])

    assert pearson(RougeL) == pytest.approx(0.0188, abs=5e-5)
    assert pearson(RougeL, words="wordpunct") == pytest.approx(0.0091, abs=5e-5)
    assert pearson(RougeLGoogle) == pytest.approx(-0.0074, abs=5e-5)


@given(FEW, FEW)
@example(list("xyab"), list("bxya"))
@example(list("abxc"), list("cab"))
def test_of_several_longest_subsequences_the_package_s_is_taken(reference: list[str], story: list[str]) -> None:
    assert lcs_words(reference, story) == rouge_score._recon_lcs(reference, story)._ngrams
    assert lcs_length(reference, story) == rouge_score._len_lcs(reference, story)


@given(FEW, FEW, st.lists(st.sampled_from("xyz"), max_size=6), st.randoms(use_true_random=False))
def test_words_that_only_one_text_has_change_nothing(
    reference: list[str], story: list[str], foreign: list[str], rng: random.Random
) -> None:
    """Why they may be left out before anything is compared."""

    def mixed(words: list[str], foreign: list[str]) -> list[str]:
        words = list(words)
        for word in foreign:
            words.insert(rng.randint(0, len(words)), word)
        return words

    wanted, made = mixed(reference, foreign), mixed(story, [word.upper() for word in foreign])
    kept = rouge_score._recon_lcs(reference, story)._ngrams
    assert rouge_score._recon_lcs(wanted, made)._ngrams == kept == lcs_words(wanted, made)


def test_values_computed_by_hand() -> None:
    # sets {the dog ran} and {the cat ran off}: 2 of 3 and 2 of 4
    assert score(Rouge1, "the dog ran ran", "the cat ran off") == pytest.approx(2 * (1 / 3) / (7 / 6), abs=1e-7)
    # with repeats 2 of 4 and 2 of 4
    assert score(Rouge1Google, "The dog ran ran", "the cat ran off.") == pytest.approx(0.5)
    # "a b" and "b a": one of them is in order
    assert score(RougeLGoogle, "a b", "b a") == pytest.approx(0.5)
    # the sentences' subsequences united: w1 w2 and w1 w3 w5 of five words
    united = score(RougeL, "w1 w2 w6 w7 w8. w1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert united == pytest.approx(2 * (4 / 5 * 4 / 8) / (4 / 5 + 4 / 8), abs=1e-7)


@pytest.mark.parametrize("metric", ALL)
def test_bounds(metric: type) -> None:
    text = "the dog ran to the shop and the man saw it ."
    assert score(metric, text, text) == pytest.approx(1, abs=1e-7)
    assert score(metric, "one two three", "four five six") == 0.0


@pytest.mark.parametrize("metric", ALL)
def test_several_references(metric: type) -> None:
    text, near, far = "the dog ran to the shop .", "the dog ran to a house .", "a dog slept to the end ."
    value, other = score(metric, text, near), score(metric, text, far)
    assert 0 < other < value < 1
    assert score(metric, text, far, near) == value
    assert score(metric, text, near, far, references="mean") == pytest.approx((value + other) / 2, abs=1e-15)


@pytest.mark.parametrize("metric", ALL)
def test_undefined(metric: type) -> None:
    assert reason(metric, "a dog") == "the prompt has no human story to compare with"
    assert reason(metric, " \n", "a dog") == "the story is empty"
    assert reason(metric, "a dog", " ") == "the reference is empty"


@pytest.mark.parametrize("metric", PLAIN)
def test_full_stops_alone_are_no_story(metric: type) -> None:
    assert reason(metric, "...", "a dog") == "the story has nothing but full stops"
    assert reason(metric, "a dog", "..") == "the reference has nothing but full stops"
    assert score(metric, "!?", "a dog") == 0.0
    assert score(metric, "a b", "..", "a b") == pytest.approx(1, abs=1e-7)


@pytest.mark.parametrize("stemmer", ["no", "yes"])
@pytest.mark.parametrize("metric", GOOGLE)
def test_a_text_of_other_letters_is_undefined_and_not_nothing(metric: type, stemmer: str) -> None:
    assert reason(metric, "он пришёл", "a dog") == "the story has no word of letters a-z or digits"
    assert reason(metric, "a dog", "?!") == "the reference has no word of letters a-z or digits"
    assert score(metric, "3 dogs", "3 dogs", stemmer=stemmer) == 1.0


def test_other_scripts_are_words_of_the_plain_definition() -> None:
    assert score(Rouge1, "он пришёл", "он ушёл") == pytest.approx(0.5, abs=1e-7)
    assert score(RougeL, "दो शब्द", "दो शब्द") == pytest.approx(1, abs=1e-7)


def test_one_word_has_no_pair() -> None:
    assert score(Rouge2, "dog", "dog") == score(Rouge2Google, "dog", "dog") == 0.0
    assert score(Rouge1, "dog", "dog") == pytest.approx(1, abs=1e-7)


def test_the_stemmer_joins_inflections_of_words_longer_than_three_letters() -> None:
    assert score(Rouge1Google, "running dogs", "run dog") == 0.0
    assert score(Rouge1Google, "running dogs", "run dog", stemmer="yes") == 1.0
    assert score(Rouge1Google, "was", "wa", stemmer="yes") == 0.0


def long_text(words: Sequence[str], seed: int, count: int = 3000) -> str:
    return " ".join(random.Random(seed).choices(words, k=count))


@pytest.mark.parametrize("words", [["a", "b"], [f"w{i}" for i in range(500)]], ids=["two words", "500 words"])
@pytest.mark.parametrize("metric", [RougeL, RougeLGoogle])
def test_a_long_story_without_a_full_stop(metric: type, words: list[str]) -> None:
    """The packages recurse or keep nine million cells; here a bit is kept for each."""
    name, other = long_text(words, 1), long_text(words, 2)
    tracemalloc.start()
    try:
        assert 0 < score(metric, name, other) <= 1
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_many_sentences() -> None:
    part, other = ([f"a{i} b{i} c" for i in order] for order in (range(3000), range(2999, -1, -1)))
    assert score(RougeL, ". ".join(part), ". ".join(other)) == pytest.approx(1, abs=1e-7)


def test_signatures() -> None:
    shared = "first_words:all|normalisation:raw|references:max"
    for metric in PLAIN:
        assert metric().signature == f"{metric.name}|{shared}|words:spaces|v:1"
    for google in GOOGLE:
        assert google().signature == f"{google.name}|{shared}|stemmer:no|v:1"
    assert [metric.name for metric in PLAIN] == ["rouge-1", "rouge-2", "rouge-l"]
    assert [metric.name for metric in GOOGLE] == ["rouge-1-google", "rouge-2-google", "rouge-l-google"]


def test_each_definition_has_its_own_option() -> None:
    with pytest.raises(InputError, match="rouge-l has no option 'stemmer'"):
        RougeL(Settings(options={"stemmer": "yes"}))
    with pytest.raises(InputError, match="rouge-l-google has no option 'words'"):
        RougeLGoogle(Settings(options={"words": "spaces"}))
