"""Items, which answers are right, and where somebody stands."""

import json
from dataclasses import replace

import pytest

from core.annotation.builtin import CRITERIA, LIKELINESS, MANS, SCHEMES, TURING, UNION
from core.annotation.onboarding import (
    Outcome,
    Practice,
    PracticeAnswer,
    PracticeItem,
    check_answer,
    practice_from,
)
from core.annotation.onboarding_items import built_in_items
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.home import ROOT

PRACTISED = {key: scheme for key, scheme in SCHEMES.items() if scheme is not CRITERIA}
"""The schemes that bring examples: criteria of one's own have examples of one's own."""
ITEM = PracticeItem("It rained.", ("He went out. He went out.",), (1, 2), "Repeats.", ("repetitive plots",))


def three(pass_mark: int, attempts: int = 1) -> Practice:
    items = tuple(replace(ITEM, texts=(f"He went out {n} times.",)) for n in range(3))
    return Practice(items, pass_mark, attempts)


def answers(*right: bool, attempt: int = 1) -> list[PracticeAnswer]:
    return [PracticeAnswer(attempt, number, 1, {}, correct) for number, correct in enumerate(right)]


@pytest.mark.parametrize(
    ("overall", "types", "right"),
    [
        (1, {"repetitive plots": 2}, True),
        (2, {"repetitive plots": 1, "unrelated events": 1}, True),
        (3, {"repetitive plots": 1}, False),
        (1, {}, False),
        (1, {"repetitive plots": 1, "chaotic scenes": 2}, False),
    ],
)
def test_an_answer_is_right_by_rating_needed_and_forbidden_types(
    overall: int, types: dict[str, int], right: bool
) -> None:
    assert replace(ITEM, forbidden=("chaotic scenes",)).is_right(overall, types) is right


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"texts": ()}, "has one text"),
        ({"texts": ("a", "b")}, "has one text"),
        ({"texts": ("  ",)}, "text has 1 to 5,000"),
        ({"texts": ("a\0",)}, "NUL"),
        ({"prompt": ""}, "opening has 1 to"),
        ({"explanation": "x" * 1_001}, "explanation has 1 to 1,000"),
        ({"accepted": ()}, "at least one rating"),
        ({"accepted": (6,)}, "outside the scale 1 to 5"),
        ({"needed": ("boring",)}, "no error type 'boring'"),
        ({"forbidden": ("repetitive plots",)}, "both needed and wrong"),
    ],
)
def test_an_item_that_does_not_fit_is_named(change: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=rf"Example 2: .*{words}"):
        Practice((replace(ITEM, prompt="Other."), replace(ITEM, **change))).check(MANS)


def test_an_item_that_nobody_could_answer_is_refused() -> None:
    item = PracticeItem("It rained.", ("He went out.",), (1,), "Fine.", ("repeated plot",))
    with pytest.raises(InputError, match="cannot be given with the rating"):
        item.check(UNION)
    all_wrong = replace(item, accepted=(0,), needed=(), forbidden=tuple(e.name for e in UNION.error_types))
    with pytest.raises(InputError, match="every type is wrong"):
        all_wrong.check(UNION)
    replace(all_wrong, accepted=(0, 1)).check(UNION)


def test_pairs_have_two_texts_and_likeliness_no_opening() -> None:
    with pytest.raises(InputError, match="two texts"):
        replace(ITEM, needed=()).check(TURING)
    with pytest.raises(InputError, match="no opening"):
        replace(ITEM, needed=(), accepted=(1,)).check(LIKELINESS)


@pytest.mark.parametrize(
    ("items", "mark", "attempts", "words"),
    [
        (0, 0, 1, "1 to 20 examples"),
        (21, 0, 1, "1 to 20 examples"),
        (2, 3, 1, "between 0 and 2"),
        (2, -1, 1, "between 0 and 2"),
        (2, 1, 0, "1 to 5 attempts"),
        (2, 1, 6, "1 to 5 attempts"),
    ],
)
def test_limits(items: int, mark: int, attempts: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Practice((ITEM,) * items, mark, attempts)


def test_the_same_item_twice_is_refused() -> None:
    with pytest.raises(InputError, match="Example 2 shows the same"):
        Practice((ITEM, replace(ITEM, explanation="Else."))).check(MANS)


def test_the_way_through_one_attempt() -> None:
    training = three(2)
    step = training.step([])
    assert (step.attempt, step.place, step.size, step.reviewed, step.outcome) == (1, 1, 3, None, None)
    assert step.texts == training.items[0].texts
    step = training.step(answers(True))
    assert (step.place, step.token) == (2, training.items[1].token)
    assert step.reviewed is not None
    assert (step.reviewed.item, step.reviewed.right, step.reviewed.ends_attempt) == (training.items[0], 1, False)
    step = training.step(answers(True, False, True))
    assert (step.outcome, step.texts, step.token) == (Outcome.PASSED, (), "")
    assert step.reviewed is not None
    assert (step.reviewed.right, step.reviewed.ends_attempt) == (2, True)


def test_attempts_run_out() -> None:
    training = three(2, attempts=2)
    first = answers(True, False, False)
    step = training.step(first)
    assert (step.attempt, step.place, step.outcome) == (2, 1, None)
    assert step.reviewed is not None
    assert step.reviewed.ends_attempt
    assert training.step(first + answers(True, attempt=2)).place == 2
    assert training.step(first + answers(True, True, False, attempt=2)).outcome is Outcome.PASSED
    assert training.step(first + answers(True, False, False, attempt=2)).outcome is Outcome.FAILED


def test_practice_alone_fails_nobody() -> None:
    assert three(0).step(answers(False, False, False)).outcome is Outcome.PASSED


@pytest.mark.parametrize("scheme", PRACTISED.values(), ids=list(PRACTISED))
def test_a_step_holds_nothing_of_an_answer_that_was_not_given(scheme: Scheme) -> None:
    training = Practice(built_in_items(scheme))
    for number in range(len(training.items)):
        sentence = repr(training.step(answers(*[True] * number)))
        for later in training.items[number:]:
            assert later.explanation not in sentence


def test_a_token_tells_what_is_shown_and_not_what_is_right() -> None:
    assert replace(ITEM, accepted=(5,), explanation="Else.", needed=()).token == ITEM.token
    assert replace(ITEM, texts=("Else.",)).token != ITEM.token


@pytest.mark.parametrize("scheme", PRACTISED.values(), ids=list(PRACTISED))
def test_stored_and_read_back(scheme: Scheme) -> None:
    training = Practice(built_in_items(scheme), 3, 2)
    assert practice_from(json.loads(json.dumps(training.as_dict()))) == training


@pytest.mark.parametrize("scheme", PRACTISED.values(), ids=list(PRACTISED))
def test_the_built_in_items_fit_and_cover_their_scheme(scheme: Scheme) -> None:
    items = built_in_items(scheme)
    assert 4 <= len(items) <= 6
    Practice(items).check(scheme)
    assert {name for item in items for name in item.needed} == {e.name for e in scheme.error_types}
    steps = {step for step, _ in scheme.scale}
    for step in (min(steps), max(steps)):
        assert any(step in item.accepted for item in items)
    assert not any(steps <= set(item.accepted) for item in items)  # each teaches something
    if len(scheme.criteria) > 1:
        assert tuple(item.criterion for item in items) == scheme.names


def test_a_form_of_ones_own_has_items_of_its_own() -> None:
    assert built_in_items(replace(MANS, criteria=(replace(MANS.main, question="How funny is this story?"),))) == ()


def test_the_machine_texts_are_what_a_machine_wrote() -> None:
    rows = map(json.loads, (ROOT / "data" / "demonstration" / "stories.jsonl").read_text("utf-8").splitlines())
    written = {row["text"] for row in rows if row["source"] == "system"}
    shown = [item.texts[0] for item in built_in_items(LIKELINESS) if item.accepted == (-1,)]
    assert shown
    assert set(shown) <= written


@pytest.mark.parametrize(
    ("scheme", "overall", "types", "words"),
    [
        (MANS, None, {}, "answer the question"),
        (MANS, 9, {}, "outside the scale"),
        (MANS, 3, {"repetitive plots": 5}, "not on offer"),
        (UNION, 1, {"other": 0}, "takes no reason"),
        (UNION, 0, {}, "choose a reason"),
    ],
)
def test_an_answer_that_the_form_does_not_offer(
    scheme: Scheme, overall: int | None, types: dict[str, int], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        check_answer(scheme, overall, types)


def test_answers_that_it_offers() -> None:
    check_answer(MANS, 3, {})
    check_answer(MANS, 3, {"chaotic scenes": 2})
    check_answer(UNION, 0, {"other": 0})
    check_answer(TURING, -1, {})
