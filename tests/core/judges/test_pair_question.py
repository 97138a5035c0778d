"""A judge of pairs at work: both orders are asked, disagreement is a tie, and nothing is asked twice."""

from dataclasses import replace

import pytest

from core.annotation.builtin import PREFERENCES
from core.errors import InputError
from core.judges.answers import NO_MASS
from core.judges.asking import Reply, Request
from core.judges.pair import StoryPair, Verdict
from core.judges.pair_question import PairQuestion, judge_pairs
from core.judges.study import ReplyMemory
from core.judges.template import BUILT_IN, Way
from tests.core.judges.scripted import ScriptedBackend

QUESTION = PairQuestion(BUILT_IN[Way.PAIRS], PREFERENCES.main)
PAIRS = [StoryPair("An opening.", f"Story {n}, worth {n}.", f"Story {n + 1}.", f"a{n}", f"b{n}") for n in range(3)]


def shown_first(request: Request) -> int:
    """The number of the story that stands first."""
    return int(request.messages[1].text.partition("<story_a>\nStory ")[2][0])


def judged(script: object, pairs: list[StoryPair] = PAIRS, question: PairQuestion = QUESTION) -> list[Verdict]:
    return judge_pairs(question, ScriptedBackend(script), "m", ReplyMemory(), pairs)  # type: ignore[arg-type]


def consistent(request: Request) -> str:
    """Story 1 is better than all others."""
    if shown_first(request) == 1:
        return "A"
    return "B" if "Story 1" in request.messages[1].text else "C"


def test_each_pair_is_asked_in_both_orders() -> None:
    told: list[float] = []
    backend = ScriptedBackend(consistent)
    result = judge_pairs(QUESTION, backend, "m", ReplyMemory(), PAIRS, told.append)
    assert [verdict.value for verdict in result] == [1, -1, 0]
    assert result[0] == Verdict(1, 1)
    assert sum(told) == pytest.approx(len(PAIRS))
    assert [(request.content_hash, request.against_hash) for request in backend.asked[:2]] == [
        ("a0", "b0"),
        ("b0", "a0"),
    ]
    assert len(backend.asked) == 2 * len(PAIRS)
    assert all(request.scale == ("A", "B", "C") for request in backend.asked)


def test_one_that_always_says_the_first_ties_everything() -> None:
    assert judged(lambda _: "A") == [Verdict(-1, 1)] * 3
    assert [verdict.value for verdict in judged(lambda _: "B")] == [0, 0, 0]


def test_one_order_decided_and_the_other_equal_is_a_tie() -> None:
    (verdict,) = judged(lambda request: "A" if shown_first(request) == 0 else "C", PAIRS[:1])
    assert (verdict, verdict.value) == (Verdict(-1, 0), 0)


@pytest.mark.parametrize(
    ("probabilities", "answer"),
    [
        ({"A": 0.4, "B": 0.3, "C": 0.2}, -1),
        ({"A": 0.2, "B": 0.3, "C": 0.1}, 1),
        ({"A": 0.3, "B": 0.3, "C": 0.1}, 0),
        ({"A": 0.1, "B": 0.1, "C": 0.3}, 0),
        ({"B": 0.02}, 1),
    ],
)
def test_the_likeliest_letter_counts(probabilities: dict[str, float], answer: int) -> None:
    (verdict,) = judged(lambda _: Reply("", "A", probabilities), PAIRS[:1])
    assert (verdict.forward, verdict.backward) == (answer, -answer)


def test_probabilities_of_a_letter_that_is_the_beginning_of_words_do_not_count() -> None:
    said = Reply("", "A tie", {"A": 0.9, "B": 0.05})
    assert QUESTION.read(said) == (0.0, 1.0, 0.0)
    assert QUESTION.read(Reply("", "A", {"A": 0.004})) == NO_MASS
    assert QUESTION.read(Reply("", "A", {"A": float("nan")})) == NO_MASS


def test_an_unreadable_reply_is_asked_for_once_more() -> None:
    def script(request: Request) -> str:
        if len(request.messages) > 2:
            assert "Answer with one of the letters A, B, C and nothing else." in request.messages[3].text
            return "B" if shown_first(request) == 0 else "I cannot."
        return "Both are fine." if shown_first(request) < 2 else "A"

    backend = ScriptedBackend(script)
    first, second, _ = judge_pairs(QUESTION, backend, "m", ReplyMemory(), PAIRS)
    assert first == Verdict(1, None, "the reply is none of the answers A, B, C: 'I cannot.'")
    assert first.value is None
    assert (second.forward, second.backward) == (None, 1)
    assert len(backend.asked) == 6 + 3


def test_nothing_is_asked_twice() -> None:
    store = ReplyMemory()
    judge_pairs(QUESTION, ScriptedBackend(consistent), "m", store, PAIRS)
    again = ScriptedBackend(lambda _: "A")
    result = judge_pairs(QUESTION, again, "m", store, [pair.swapped for pair in PAIRS])
    assert [verdict.value for verdict in result] == [-1, 1, 0]
    assert again.asked == []


def test_a_problem_is_a_reason() -> None:
    (verdict,) = judged(lambda _: Reply("", problem="the server was away"), PAIRS[:1])
    assert verdict == Verdict(None, None, "the server was away")


def test_of_samples_the_most_count_and_half_must_be_readable() -> None:
    question = replace(QUESTION, samples=3, temperature=1.0)
    replies = {0: ["A", "C", "A"], 1: ["B", "B", "?"], 2: ["?", "?", "A"]}
    backend = ScriptedBackend(lambda request: replies[shown_first(request)][request.sample])
    first, second = judge_pairs(question, backend, "m", ReplyMemory(), PAIRS[:2])
    assert (first.forward, first.backward, first.value) == (-1, -1, -1)
    assert (second.forward, second.backward) == (1, None)
    assert second.reason == "2 of 3 samples: the reply is none of the answers A, B, C: '?'"
    assert all(not request.scale for request in backend.asked)
    with pytest.raises(InputError, match="above 0 only"):
        replace(QUESTION, samples=3)


def test_the_hash_is_of_the_whole_prompt() -> None:
    others = [
        replace(QUESTION, template=replace(QUESTION.template, user=QUESTION.template.user + " Be strict.")),
        replace(QUESTION, criterion=replace(PREFERENCES.main, question="Which is funnier?")),
        replace(QUESTION, criterion=PREFERENCES.main.with_scale(((-1, "A is better"), (1, "B is better")))),
    ]
    assert len({question.prompt_hash for question in (QUESTION, *others)}) == 4
    assert replace(QUESTION, template=replace(QUESTION.template, name="renamed")).prompt_hash == QUESTION.prompt_hash
