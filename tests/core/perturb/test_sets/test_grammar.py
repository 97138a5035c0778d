"""The grammaticality filter: what is judged, once, and what that says of a case."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core.models.acceptability.probability import acceptability_by_lm
from core.models.acceptability.weights import LANGUAGE_WEIGHTS, revision
from core.perturb.cases import Case
from core.perturb.edits import Draft
from core.perturb.test_sets.aspects import Aspect, Change, Test
from core.perturb.test_sets.generation import TestSetSettings, settings_from
from core.perturb.test_sets.grammar import (
    LANGUAGE_MODEL,
    OWN,
    SHIPPED,
    ByLanguageModel,
    Reads,
    Shipped,
    classifier_named,
    judge_cases,
    new_sentences,
    passes,
    shares_model,
)
from core.stories import sentences

TEXT = "It was late. He ran home. She slept."


class Lengths:
    """A classifier that finds short sentences acceptable; it counts what it is asked."""

    name = "lengths"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def judge(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        self.asked += sentences
        if done:
            for _ in sentences:
                done(1)
        return np.array([1 / len(sentence) for sentence in sentences])


def case(aspect: str, label: int, *changes: tuple[int, int, str]) -> Case:
    draft = Draft(TEXT)
    if changes:
        draft.step("a technique", "in a way", changes)
    return Case(f"{aspect}{changes}", aspect, label, "", draft.done())


def test_what_is_new_is_judged_once() -> None:
    item = case(Aspect.TEMPORAL, 0, (13, 15, "We"))
    two = case(Aspect.CHARACTER, 0, (13, 15, "We"), (26, 29, "They"))
    cases = [case(Aspect.TEMPORAL, 1), item, two, case(Change.TYPOS, 0, (13, 15, "eH"))]
    by, told = Lengths(), list[tuple[int, int]]()
    result = judge_cases(cases, by, lambda done, number: told.append((done, number)))
    assert by.asked == ["We ran home.", "They slept."]
    assert told == [(1, 2), (2, 2)]
    assert [entry.acceptable for entry in result] == [None, 1 / 12, pytest.approx((1 / 12 + 1 / 11) / 2), None]
    assert [passes(entry) for entry in result] == [True, False, False, True]
    assert [entry.perturbed for entry in result] == [entry.perturbed for entry in cases]


def test_a_sentence_that_stood_there_before_is_not_new() -> None:
    again = case(Aspect.LEXICAL_REPETITION, 0, (26, 36, "He ran home."))
    assert new_sentences(again) == []
    assert judge_cases([again], Lengths())[0].acceptable is None


def test_what_was_not_judged_passes() -> None:
    changed = case(Aspect.CAUSAL, 0, (13, 15, "We"))
    assert passes(changed)
    assert not passes(replace(changed, acceptable=0.2))
    assert passes(replace(changed, acceptable=0.5))
    assert (
        judge_cases([case(Aspect.CAUSAL, 1)], Lengths())[0].acceptable is None
    )  # an unchanged story by default never is


def test_whole_examples_as_the_paper_describes_it() -> None:
    """OpenMEVA, section 3.2 and appendix B.2, by the letter: of all examples but those of typing errors the ones go
    that the classifier scores below .5; the originals of invariance are no examples, but what these are compared with.
    """
    cases = [
        case(Aspect.TEMPORAL, 1),
        replace(case(Aspect.TEMPORAL, 0, (13, 15, "We")), prompt="Once."),
        case(Aspect.LEXICAL_REPETITION, 0, (26, 36, "He ran home.")),  # with no sentence that is new
        case(Change.SYNONYMS, 1),
        case(Change.SYNONYMS, 0, (26, 29, "They")),
        case(Change.TYPOS, 0, (13, 15, "eH")),
    ]
    by = Lengths()
    result = judge_cases(cases, by, reads=Reads.PAPER)
    for given, item in zip(cases, result, strict=True):
        example = given.aspect in set(Aspect) or not given.label
        if example and given.aspect != Change.TYPOS:
            story = " ".join(part for part in (given.prompt, given.perturbed.text) if part)
            assert item.acceptable == by.judge([story])[0]
            assert passes(item) == (by.judge([story])[0] >= 0.5)
        else:
            assert item.acceptable is None


def test_an_order_keeps_what_the_filter_reads() -> None:
    order = TestSetSettings(Test.DISCRIMINATION, ["causal"], filter_reads=Reads.PAPER)
    assert settings_from(json.loads(json.dumps(order.settings()))) == replace(order, aspects=("causal",))
    kept = {name: value for name, value in order.settings().items() if name != "filter_reads"}  # of an older job
    assert settings_from(kept).filter_reads is Reads.NEW


@pytest.mark.parametrize(
    ("model", "filter_", "shared"),
    [
        ("all-minilm-l6-v2@0.1.0", f"{OWN}@1234", True),
        ("all-minilm-l6-v2@0.1.0", "", True),
        ("all-minilm-l6-v2@0.1.0", "textattack/bert@1", False),
        ("textattack/bert@1", "textattack/bert@1", True),
        ("smollm2@1", f"{OWN}@1234", False),
        ("smollm2-135m-instruct@0.1.2-q4_1", f"{OWN}@1234", False),
        ("smollm2-135m-instruct@0.1.2-q4_1", f"{LANGUAGE_MODEL}@1234", True),
        ("all-minilm-l6-v2@0.1.0", f"{LANGUAGE_MODEL}@1234", False),
        ("textattack/bert@1", f"{LANGUAGE_MODEL}@1234", False),
    ],
)
def test_a_metric_that_reads_as_the_filter_does(model: str, filter_: str, shared: bool) -> None:
    assert shares_model(f"some|model:{model}|v:1", filter_) is shared


def test_the_shipped_classifier() -> None:
    by = classifier_named(SHIPPED, "cpu")
    assert isinstance(by, Shipped)
    assert by.name.startswith("acceptability@")
    good, bad = by.judge([TEXT[slice(*sentences(TEXT)[1])], "Home ran he the."])
    assert good > 0.5 > bad


@pytest.mark.parametrize("reads", list(Reads))
def test_the_language_model_as_the_classifier(reads: Reads) -> None:
    by = classifier_named(LANGUAGE_MODEL, "cpu")
    assert isinstance(by, ByLanguageModel)
    assert by.name == f"{LANGUAGE_MODEL}@{revision(LANGUAGE_WEIGHTS)}"
    cases = [case(Aspect.TEMPORAL, 1), case(Aspect.TEMPORAL, 0, (13, 24, "Home ran he the"))]
    good, bad = judge_cases(cases, by, reads=reads)
    text = bad.perturbed.text if reads is Reads.PAPER else "Home ran he the."
    assert bad.acceptable == pytest.approx(acceptability_by_lm([text], "cpu")[0], abs=1e-4)
    assert (good.acceptable is None) == (reads is Reads.NEW)
    if reads is Reads.NEW:
        assert not passes(bad)
