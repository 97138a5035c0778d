"""Targets: how they are read, and what an analysis of one sees of a scheme."""

from dataclasses import replace

import pytest

from core.annotation.builtin import HANNA, MANS, UNION
from core.annotation.builtin_criteria import CRITERIA, scheme_for
from core.annotation.scale import scale_between
from core.annotation.target import (
    Target,
    in_a_sentence,
    on_target,
    one_of_several,
    question_of,
    target_of,
    usual_target,
)
from core.errors import InputError

BOTH = replace(HANNA, criteria=(*HANNA.criteria, MANS.main))


def test_the_usual_target_is_the_overall_rating_else_the_first_criterion() -> None:
    assert usual_target(MANS) == usual_target(BOTH) == Target(("overall",))
    assert usual_target(HANNA) == target_of(HANNA, None) == target_of(HANNA, " ") == Target(("relevance",))


@pytest.mark.parametrize(
    ("text", "criteria"),
    [
        ("coherence", ("coherence",)),
        (" Coherence ", ("coherence",)),
        ("overall", ("overall",)),
        ("mean:coherence,Empathy", ("coherence", "empathy")),
        ("MEAN: surprise , empathy", ("surprise", "empathy")),
    ],
)
def test_a_target_is_read_and_written(text: str, criteria: tuple[str, ...]) -> None:
    target = target_of(BOTH, text)
    assert target.criteria == criteria
    assert target_of(BOTH, target.text) == target


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fluency", "no criterion 'fluency' here; there are: relevance, coherence"),
        ("overall", "no criterion 'overall' here"),
        ("mean:coherence", "two or more different criteria"),
        ("mean:coherence,coherence", "two or more different criteria"),
        ("mean:coherence,fluency", "no criterion 'fluency'"),
        ("mean:", "no criterion ''"),
    ],
)
def test_a_target_that_there_is_not_is_named(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        target_of(HANNA, text)


def test_an_analysis_sees_one_question() -> None:
    seen = on_target(BOTH, Target(("empathy",)))
    assert (seen.names, seen.level, seen.error_types) == (("empathy",), "ordinal", ())
    mean = on_target(HANNA, Target(("coherence", "empathy")))
    assert (mean.lowest, mean.highest, mean.level) == (1, 5, "interval")
    assert on_target(UNION, Target(("overall",))) == UNION
    mixed = replace(HANNA, criteria=(HANNA.main, replace(HANNA.criteria[1], scale=((0, "no"), (1, "yes")))))
    with pytest.raises(InputError, match="would mix scales"):
        on_target(mixed, Target(("relevance", "coherence")))


def test_no_form_asks_for_a_mean_of_criteria() -> None:
    for name in HANNA.names:
        assert question_of(HANNA, Target((name,))) == HANNA.criterion(name).question
    assert question_of(HANNA, Target(HANNA.names[:2])) == ""


def test_what_is_no_name_has_an_article_in_a_sentence() -> None:
    several = Target(("a", "b")).title
    assert in_a_sentence(several) == "the mean of a and b"
    assert in_a_sentence(usual_target(MANS).title) == "the overall rating"
    assert in_a_sentence("coherence") == "coherence"


def test_ratings_from_elsewhere_find_their_scheme() -> None:
    assert scheme_for(HANNA.names[::-1]) == HANNA
    assert scheme_for(HANNA.names, scale_between("1-5")) == HANNA
    other = scheme_for(["coherence", "wit"], scale_between("0-10"))
    assert (other.key, other.names) == (CRITERIA.key, ("coherence", "wit"))
    assert {(criterion.lowest, criterion.highest) for criterion in other.criteria} == {(0, 10)}
    assert other.criterion("coherence").question == HANNA.criterion("coherence").question
    assert scheme_for(["overall", "wit"]).main.name == "overall"
    ends = scheme_for(["overall"]).main.scale
    assert (ends[0], ends[-1]) == ((1, "1 (worst)"), (5, "5 (best)"))  # what annotators read


def test_what_is_meant_is_said_where_there_are_several_criteria() -> None:
    assert one_of_several(HANNA, Target(("coherence", "empathy"))) == "mean of coherence and empathy"
    assert one_of_several(on_target(HANNA, Target(("empathy",))), Target(("empathy",))) == ""
