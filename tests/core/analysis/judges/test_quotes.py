"""A judge's quotes beside people's marks: by a slow version, at chance, and beside one annotator."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from core.analysis.judges.columns import JudgeRatings
from core.analysis.judges.quotes import (
    ALONE,
    NO_QUOTE,
    NO_STORY,
    QuotedStory,
    QuoteOverlap,
    overlaps,
    quote_overlap,
    quoted,
)
from core.analysis.judgments.evidence import EvidenceMark, MarkedStory
from core.annotation.builtin import MANS
from core.judges.asking import Reply
from core.judges.judge import Question, judge
from core.judges.kept import kept_replies
from core.judges.study import JudgedStudy, ReplyMemory
from core.judges.template import BUILT_IN, Way
from core.metrics.base import Settings
from core.metrics.judging.asked import FROM_A_FILE, OTHER_WORDS, asked_of
from core.metrics.judging.judge import Judge
from core.metrics.judging.names import judge_of
from core.stories import Story
from tests.core.judges.scripted import ScriptedBackend

TEXT = "Tom ate the moon. Then he slept."
MOON, SLEPT = (8, 16), (23, 31)
SPANS = st.lists(st.tuples(st.integers(0, 19), st.integers(1, 20)).filter(lambda s: s[0] < s[1]), max_size=3).map(tuple)
STORIES = st.builds(
    QuotedStory,
    st.sampled_from("abc"),
    st.just(20),
    st.lists(SPANS.filter(bool), min_size=1, max_size=4).map(tuple),
    st.lists(SPANS, min_size=1, max_size=2).map(tuple),
    st.just(0),
    st.just(0),
)


def story(
    people: list[tuple[tuple[int, int], ...]], mine: tuple[tuple[int, int], ...], prompt: str = "a"
) -> QuotedStory:
    return QuotedStory(prompt, 100, tuple(people), (mine,), len(mine), len(mine))


def mask(spans: tuple[tuple[int, int], ...], size: int) -> list[int]:
    return [int(any(start <= place < end for start, end in spans)) for place in range(size)]


def slow(stories: list[QuotedStory], *, judge_too: bool) -> list[float]:
    """Shared, own, others' and chance's characters, one story, one left-out person, one reply after another."""
    total = np.zeros(4)
    for one in stories:
        parts = []
        for place, own in enumerate(one.people):
            rest = [spans for number, spans in enumerate(one.people) if number != place] or [own]
            theirs = mask(tuple(span for spans in rest for span in spans), one.size)
            for spans in one.judge if judge_too else [own] if len(one.people) > 1 else []:
                mine = mask(spans, one.size)
                shared = sum(a and b for a, b in zip(mine, theirs, strict=True))
                parts.append([shared, sum(mine), sum(theirs), sum(mine) * sum(theirs) / one.size])
        total += np.mean(parts, axis=0) if parts else 0
    return total.tolist()


@settings(max_examples=60, deadline=None)
@given(st.lists(STORIES, min_size=1, max_size=6))
def test_it_is_the_slow_version(stories: list[QuotedStory]) -> None:
    found = quote_overlap(stories, resamples=20)
    shared, mine, theirs, by_chance = slow(stories, judge_too=True)
    assert found.found.value == pytest.approx(shared / theirs)
    assert found.found_by_chance == pytest.approx(by_chance / theirs)
    if mine:
        assert found.right.value == pytest.approx(shared / mine)
        assert found.right_by_chance == pytest.approx(by_chance / mine)
    else:
        assert found.right.undefined == found.kappa.undefined == NO_QUOTE
    shared, mine, theirs, by_chance = slow(stories, judge_too=False)
    expected = mine + theirs - 2 * by_chance
    if expected > 1e-9:
        assert found.one_person.value == pytest.approx(1 - (mine + theirs - 2 * shared) / expected)
    for figure in (found.right, found.found, found.kappa, found.one_person):
        if figure.low is not None and figure.high is not None:
            assert figure.low <= figure.high <= 1 + 1e-9


def test_of_one_story_kappa_is_cohens() -> None:
    people, mine = ((3, 30), (50, 61)), ((20, 40), (90, 95))
    found = quote_overlap([story([people], mine)])
    task = AnnotationTask(
        [
            (who, place, hit)
            for who, of in (("judge", mine), ("people", people))
            for place, hit in enumerate(mask(of, 100))
        ]
    )
    assert found.kappa.value == pytest.approx(task.kappa())
    assert found.kappa.low is None  # one prompt says nothing of others
    assert found.one_person.undefined == ALONE


def around(at: int) -> tuple[tuple[int, int], ...]:
    """Twenty of a hundred characters from `at` on, going on at the beginning: every place is equally likely."""
    return tuple((start, end) for start, end in ((at, min(at + 20, 100)), (0, at - 80)) if start < end)


def test_the_same_passages_are_one_and_passages_anywhere_are_nought() -> None:
    rng = np.random.default_rng(0)
    places = rng.integers(0, 100, (400, 2)).tolist()
    same = quote_overlap([story([around(at)] * 2, around(at), f"p{at}") for at, _ in places])
    assert same.right.value == same.found.value == same.kappa.value == same.one_person.value == 1
    chance = quote_overlap([story([around(at)], around(to), f"p{n}") for n, (at, to) in enumerate(places)])
    assert chance.kappa.low is not None
    assert chance.kappa.high is not None
    assert chance.kappa.low < 0 < chance.kappa.high
    assert chance.right.value == pytest.approx(chance.right_by_chance, abs=0.05)


def test_a_judge_that_is_one_more_person_reaches_what_one_reaches() -> None:
    rng = np.random.default_rng(1)
    stories = []
    for number in range(300):
        *people, mine = (around(int(at)) for at in 30 + rng.integers(-15, 16, 4))
        stories.append(story(people, mine, f"p{number}"))
    found = quote_overlap(stories)
    assert found.kappa.value == pytest.approx(found.one_person.value, abs=0.03)
    assert quote_overlap([]).kappa.undefined == NO_STORY


def marked(*marks: tuple[int, int, int], key: str = "1") -> MarkedStory:
    return MarkedStory(key, "An opening.", "gpt", TEXT, 3, tuple(EvidenceMark(r, "logic", s, e) for r, s, e in marks))


def test_quotes_are_read_from_what_is_kept() -> None:
    store = ReplyMemory()
    metric = judge_of("judge:overall")
    assert metric is not None
    assert issubclass(metric, Judge)
    judged = JudgedStudy(replies=store)
    made = metric(Settings(options={"way": "deductions"}, judged=judged))
    asked = asked_of(made.signature, judged)
    assert not isinstance(asked, str)
    assert asked.question == made.question
    name = MANS.error_types[0]
    errors = [{"type": name.name, "points": name.points[0], "quote": quote} for quote in ("the moon", "a horse")]
    backend = ScriptedBackend(
        lambda request: "They are:" if len(request.messages) == 2 else json.dumps({"errors": errors})
    )
    judge(asked.question, backend, asked.model, store, [Story(TEXT, "An opening.")])
    (read,) = quoted(asked.question, asked.model, store, [marked((1, *MOON), (2, *MOON), (2, *SLEPT)), other()])
    assert read == QuotedStory("An opening.", len(TEXT), ((MOON,), (MOON, SLEPT)), ((MOON,),), 2, 1)
    ratings = JudgeRatings("judge", "judge", "", ("judge:overall",), (made.signature,), np.zeros(1))
    found = overlaps([ratings], judged, [marked((1, *MOON), (2, *MOON))])["judge"]
    assert isinstance(found, QuoteOverlap)
    assert (found.stories, found.quotes, found.located, found.kappa.value) == (1, 2, 1, 1)


def other() -> MarkedStory:
    return MarkedStory("2", "Another.", "gpt", "Nobody asked.", 1, (EvidenceMark(9, "logic", 0, 6),))


def test_what_was_asked_is_told_from_the_signature_alone() -> None:
    made = Judge(Settings(options={"samples": "5", "seed": "3"}))
    judged = JudgedStudy()
    signature = made.signature.replace("judge|", "judge:overall|", 1)
    asked = asked_of(signature, judged)
    assert not isinstance(asked, str)
    assert asked.question == Question(BUILT_IN[Way.POINTS], MANS, MANS.main, samples=5, temperature=1.0, seed=3)
    assert asked.model == f"{made.source.at_revision} float32"
    assert asked_of("file:0123456789ab", judged) == FROM_A_FILE
    assert asked_of(signature.replace("standard@", "standard@0"), judged) == OTHER_WORDS
    assert "no template 'mine.2'" in str(asked_of(signature.replace("standard@", "mine.2@"), judged))
    assert asked_of(made.signature.replace("judge|", "judge:horror|", 1), judged) != asked


def test_a_reply_that_was_asked_for_again_is_the_one_that_counts() -> None:
    question, store = Question(BUILT_IN[Way.POINTS], MANS, MANS.main, samples=2, temperature=1.0), ReplyMemory()
    told = Story("Told.")
    backend = ScriptedBackend(
        lambda request: Reply("", "4 or 5" if len(request.messages) == 2 and request.sample else "3")
    )
    judge(question, backend, "m", store, [told])
    first, second = kept_replies(question, "m", store, [told, Story("Never.")])
    assert [reply.text for reply in first] == ["3", "3"]
    assert second == ()
