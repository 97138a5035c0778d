"""Schemes: scale, error types and what they refuse."""

import json
from dataclasses import replace
from typing import Any

import pytest

from core.annotation.builtin import HANNA, MANS, SCHEMES, TURING, UNION, offered, scheme_of, with_prompts
from core.annotation.builtin_criteria import CRITERIA, as_numbers, scheme_for
from core.annotation.scheme import ErrorType, QualityRules, Scheme, default_rules, scheme_from
from core.annotation.unit import PromptKind, Unit
from core.errors import InputError


def test_mans_is_the_paper_scheme() -> None:
    assert (MANS.lowest, MANS.highest) == (1, 5)
    assert {e.name: e.points for e in MANS.error_types} == {
        "repetitive plots": (1, 2),
        "unrelated events": (1, 2),
        "conflicting logic": (1, 2),
        "chaotic scenes": (2,),
    }
    assert (MANS.level, MANS.unit, MANS.catch_all) == ("interval", Unit.PANEL, "")


def test_words_that_come_with_a_name_alone_are_left_out() -> None:
    (coherence, pace) = as_numbers(scheme_for(["coherence", "pace"])).criteria
    assert coherence.scale == tuple((step, str(step)) for step in range(1, 6))
    assert pace == scheme_for(["coherence", "pace"]).criterion("pace")
    worded = CRITERIA.with_scale(((1, "Poor"), (2, "Good")))
    assert as_numbers(worded) == worded
    assert as_numbers(HANNA) == HANNA  # those of the paper


def test_union_is_the_paper_scheme() -> None:
    assert (UNION.lowest, UNION.highest) == (0, 1)
    assert [e.name for e in UNION.error_types] == [
        *("repeated plot", "poor coherence", "conflicting logic", "chaotic scene", "other")
    ]
    assert all(e.points == () for e in UNION.error_types)
    assert (UNION.level, UNION.unit, UNION.catch_all, UNION.wanted) == ("nominal", Unit.STORY, "other", 7)


@pytest.mark.parametrize("scheme", SCHEMES.values())
def test_a_scheme_explains_itself(scheme: Scheme) -> None:
    assert scheme_of(scheme.key) is scheme
    assert scheme.question.endswith("?")
    steps = [step for step, _ in scheme.scale]
    assert steps == sorted(set(steps))
    assert all(label for _, label in scheme.scale)
    assert all(error.description.endswith(".") for error in scheme.error_types)
    assert all(error.example for error in scheme.error_types)


def test_an_unknown_scheme_names_those_there_are() -> None:
    with pytest.raises(InputError, match="no annotation scheme 'likert'; there are mans, union, turing, likeliness"):
        scheme_of("likert")


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 5.0])
def test_steps_of_the_scale_are_taken(value: float) -> None:
    MANS.check_overall(value)


@pytest.mark.parametrize(("value", "shown"), [(0, "0"), (6, "6"), (-1, "-1"), (2.5, "2.5"), (float("nan"), "nan")])
def test_other_ratings_are_refused(value: float, shown: str) -> None:
    with pytest.raises(InputError, match=rf"A rating of {shown} is outside the scale 1 to 5\."):
        MANS.check_overall(value)


def test_union_takes_two_ratings() -> None:
    UNION.check_overall(0)
    UNION.check_overall(1)
    with pytest.raises(InputError, match="A rating of 2 is outside the scale 0 to 1"):
        UNION.check_overall(2)


def test_deductions_on_offer_are_taken() -> None:
    MANS.check_deductions({})
    MANS.check_deductions({"repetitive plots": 1, "unrelated events": 2, "chaotic scenes": 2})
    UNION.check_deductions({"other": 0})


@pytest.mark.parametrize(
    ("deductions", "message"),
    [
        ({"conflicting logic": 3}, "3 points for conflicting logic are not on offer; it takes 1 or 2"),
        ({"conflicting logic": 0}, "0 points for conflicting logic are not on offer; it takes 1 or 2"),
        ({"conflicting logic": -1}, "-1 points for conflicting logic are not on offer; it takes 1 or 2"),
        ({"chaotic scenes": 1}, "1 points for chaotic scenes are not on offer; it takes 2"),
        (
            {"repetitive plots": 1, "boredom": 1},
            "no error type 'boredom' under the MANS scheme; there are repetitive plots",
        ),
    ],
)
def test_other_deductions_are_refused(deductions: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        MANS.check_deductions(deductions)


def test_union_takes_no_points() -> None:
    with pytest.raises(InputError, match="1 points for other are not on offer; it takes 0"):
        UNION.check_deductions({"other": 1})


def test_error_type_by_name() -> None:
    assert MANS.error_type("chaotic scenes").points == (2,)


@pytest.mark.parametrize(
    ("deductions", "rating"),
    [
        ({}, 5),
        ({"repetitive plots": 1}, 4),
        ({"repetitive plots": 2, "chaotic scenes": 2}, 1),
        ({"repetitive plots": 2, "unrelated events": 2, "conflicting logic": 2, "chaotic scenes": 2}, 1),
    ],
)
def test_implied_rating(deductions: dict[str, int], rating: int) -> None:
    assert MANS.implied_rating(deductions) == rating


def test_rules_default_to_the_paper() -> None:
    assert QualityRules().as_dict() == {
        "ratings_wanted": 5,
        "human_least": 4,
        "negative_most": 2,
        "show_implied": False,
        "lease_minutes": 60,
        "assignments_a_person": 0,
        "pause_after": 3,
        "judged_on": (),
        "language": "",
    }
    assert QualityRules(**QualityRules(ratings_wanted=3).as_dict()) == QualityRules(ratings_wanted=3)


@pytest.mark.parametrize("wanted", [1, 100])
def test_rules_at_their_limits(wanted: int) -> None:
    assert QualityRules(ratings_wanted=wanted).ratings_wanted == wanted


@pytest.mark.parametrize("wanted", [0, -1, 101])
def test_rules_beyond_their_limits(wanted: int) -> None:
    with pytest.raises(InputError, match=f"between 1 and 100, not {wanted}"):
        QualityRules(ratings_wanted=wanted)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"criteria": ()}, "asks for 1 to 12 criteria"),
        ({"criteria": (MANS.main, replace(HANNA.main, name="Overall"))}, "a name of its own"),
        ({"closing_question": "x" * 501}, "question at the end has 1 to 500"),
        ({"error_types": (ErrorType("x", (1,), "", ""), ErrorType("x", (), "", ""))}, "a name of its own"),
        ({"error_types": (ErrorType("", (1,), "", ""),)}, "error type's name"),
        ({"error_types": (ErrorType("overall", (1,), "", ""),)}, "cannot be called"),
        ({"error_types": (ErrorType("x", (0,), "", ""),)}, "points of 'x'"),
        ({"error_types": (), "reasons_for": (1,)}, "need error types"),
        ({"unit": Unit.PAIRS, "error_types": ()}, "pairs that a design sets together"),
    ],
)
def test_a_form_that_cannot_be_filled_in_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        replace(MANS, **change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"question": "  "}, "question has 1 to 500"),
        ({"scale": ((1, "only"),)}, "2 to 11 different whole numbers"),
        ({"scale": ((2, "b"), (1, "a"))}, "lowest first"),
        ({"scale": ((1, "a"), (1, "b"))}, "different whole numbers"),
        ({"scale": ((1, "a"), (2, ""))}, "label of step 2"),
        ({"name": ""}, "name has 1 to 60"),
        ({"name": "a,b"}, "none of the signs"),
        ({"name": "Mean"}, "a meaning of its own"),
        ({"level": "ratio"}, "nominal, ordinal, interval"),
        ({"example": " "}, "worked example has 1 to 500"),
    ],
)
def test_a_criterion_that_cannot_be_rated_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        replace(HANNA.main, **change)


def test_a_form_of_before_there_were_criteria_still_opens() -> None:
    stored = MANS.as_dict()
    (criterion,) = stored.pop("criteria")
    for later in ("comments", "closing_question"):
        del stored[later]
    old = {**stored, **{name: criterion[name] for name in ("question", "scale", "level")}}
    assert scheme_from(json.loads(json.dumps(old))) == MANS


def test_a_pair_has_no_error_types() -> None:
    with pytest.raises(InputError, match="one answer and no error types"):
        replace(TURING, error_types=MANS.error_types)


@pytest.mark.parametrize(
    ("scheme", "overall", "takes"),
    [
        (MANS, None, True),
        (MANS, 5, True),
        (UNION, 0, True),
        (UNION, 1, False),
        (UNION, None, False),
        (TURING, 0, False),
    ],
)
def test_which_ratings_take_reasons(scheme: Scheme, overall: int | None, takes: bool) -> None:
    assert scheme.takes_reasons(overall) is takes


def test_rules_fit_the_scale() -> None:
    assert default_rules(MANS) == QualityRules()
    seven = MANS.with_scale(tuple((i, str(i)) for i in range(1, 8)))
    assert (default_rules(seven).human_least, default_rules(seven).negative_most) == (6, 2)
    for size, least, most in ((2, 2, 1), (3, 3, 1), (4, 3, 2)):
        short = default_rules(MANS.with_scale(tuple((i, str(i)) for i in range(1, size + 1))))
        assert (short.human_least, short.negative_most) == (least, most)
    QualityRules(human_least=9).check(UNION)  # no controls, no thresholds
    with pytest.raises(InputError, match="threshold for the negative story, 0"):
        QualityRules(negative_most=0).check(MANS)


@pytest.mark.parametrize(
    "change", [{"lease_minutes": 0}, {"lease_minutes": 100_000}, {"assignments_a_person": -1}, {"ratings_wanted": 0}]
)
def test_impossible_rules_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(InputError, match="must lie between"):
        QualityRules(**change)


def test_error_types_speak_of_what_the_prompt_is() -> None:
    of_tasks = with_prompts(MANS, PromptKind.TASK)
    assert not any("opening" in error.description + error.why for error in of_tasks.error_types)
    assert scheme_from(of_tasks.as_dict()) == of_tasks
    assert with_prompts(of_tasks, PromptKind.OPENING) == MANS == with_prompts(MANS, PromptKind.OPENING)
    own = replace(MANS, error_types=(replace(MANS.error_types[0], description="Mine: no opening."),))
    assert with_prompts(own, PromptKind.TASK).error_types == own.error_types


def test_a_scheme_is_offered_by_what_it_asks() -> None:
    assert offered("mans") == "MANS: How good is this story as a whole?"
    assert offered("nextchapter").endswith(": fluency, coherence, relatedness, logicality, interestingness")
    assert offered("criteria").endswith(
        ": quality, coherence, interest to begin with; change them under Form and rules"
    )
