"""A human check: which cases are sent to people, and as what."""

from collections import Counter
from dataclasses import replace

import pytest

from core.annotation.scheme import scheme_from
from core.errors import InputError
from core.perturb.cases import Of
from core.perturb.test_sets.aspects import Aspect, Change
from core.perturb.test_sets.human_check import FORM, corpus, sample, side_of
from tests.core.perturb.test_sets.human_check import CASES, case


def test_every_aspect_and_both_sides_alike() -> None:
    cases = sample(CASES, 32, 0)
    assert Counter((item.aspect, item.label) for item in cases) == {(a, label): 2 for a in Aspect for label in (0, 1)}
    assert len({item.source for item in cases}) == 32
    assert cases == sample(CASES, 32, 0)
    assert cases != sample(CASES, 32, 1)


def test_as_many_as_there_are_stories() -> None:
    assert len(sample(CASES, 500, 0)) == 40
    few = [case(Aspect.CAUSAL, 0, "a"), case(Aspect.CAUSAL, 0, "b", 0.4), case(Aspect.TEMPORAL, 0, "c", 0.6)]
    assert {item.source for item in sample(few, 9, 0)} == {"a", "c"}
    for cases, number in ((few[1:2], 5), ([], 5), (few, 0)):
        with pytest.raises(InputError, match="A human check takes one case or more"):
            sample(cases, number, 0)


def test_of_invariance_only_what_made_sense_before() -> None:
    human, other = case(Change.SYNONYMS, 0, "a"), replace(case(Change.SYNONYMS, 0, "b"), of=Of.INCOHERENT)
    assert sample([human, other], 5, 0) == [human]
    with pytest.raises(InputError, match="of human stories"):
        sample([other], 5, 0)


def test_as_stories_of_a_study() -> None:
    new_corpus = corpus([case(Aspect.CAUSAL, 0, "a"), case("mine: own", 1, "b")])
    assert [(story.key, story.prompt_key, story.system) for story in new_corpus.stories] == [
        ("1", "1", "causal: changed"),
        ("2", "2", "mine: own: coherent"),
    ]
    assert new_corpus.stories[0].text == "It was late. We ran home."
    assert [side_of(story.system) for story in new_corpus.stories] == [("causal", 0), ("mine: own", 1)]
    assert [side_of(name) for name in ("gpt", "gpt: small", ": changed", "")] == [None] * 4


def test_the_form_can_be_kept() -> None:
    assert scheme_from(FORM.as_dict()) == FORM
    assert FORM.takes_reasons(0)
    assert FORM.takes_reasons(1)
