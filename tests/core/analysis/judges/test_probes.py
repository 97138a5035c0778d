"""What a bias run asks: a balanced sample, each check's questions once, replies kept with the story they are about."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judges.probes import (
    DAMAGES,
    HARMLESS,
    SHUFFLED,
    Check,
    SampledStory,
    draw_stories,
    most_questions,
    probes_of,
)
from core.judges.asking import Reply, Request
from core.judges.injections import INJECTIONS
from core.judges.study import ReplyMemory
from core.judges.template import Way
from core.judges.wordings import WORDINGS
from core.stories import Story
from tests.core.analysis.judges.probed import QUESTION, by_length, run, said, sampled, story_in


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.booleans()), max_size=40),
    st.integers(1, 45),
    st.integers(0, 3),
)
def test_a_sample_is_spread_over_prompts_and_the_same_for_a_seed(
    given_stories: list[tuple[int, int, bool]], most: int, seed: int
) -> None:
    stories = [
        SampledStory(number, f"p{prompt}", f"s{system}", Story("" if empty else f"Text {number}."), str(number))
        for number, (prompt, system, empty) in enumerate(given_stories)
    ]
    whole = [story for story in stories if story.story.text]
    drawn = draw_stories(stories, most, seed=seed)
    assert drawn == draw_stories(stories, most, seed=seed)
    assert len(drawn) == len({story.number for story in drawn}) == min(most, len(whole))
    assert [story.number for story in drawn] == sorted(story.number for story in drawn)
    there, taken = Counter(story.prompt for story in whole), Counter(story.prompt for story in drawn)
    for number in taken.values():
        for other, others in there.items():
            assert number <= taken[other] + 1 or taken[other] == others


def test_systems_come_equally_often() -> None:
    drawn = draw_stories(sampled(60, 5), 12, seed=1)
    assert set(Counter(story.prompt for story in drawn).values()) == {1}
    assert sorted(Counter(story.system for story in drawn).values()) == [2, 2, 2, 3, 3]


def test_each_check_has_its_questions() -> None:
    sample = sampled()
    probes = probes_of(QUESTION, sample)
    assert probes == probes_of(QUESTION, sample)
    counts = Counter((probe.check, probe.variant) for probe in probes)
    assert counts[Check.REPEAT, ""] == len(sample)
    assert all(counts[Check.WORDING, other.title] == len(sample) for other in WORDINGS[Way.POINTS])
    assert all(counts[Check.INJECTION, injection.name] == len(sample) for injection in INJECTIONS)
    assert {variant for check, variant in counts if check is Check.DISCRIMINATION} == {SHUFFLED, *DAMAGES}
    assert {variant for check, variant in counts if check is Check.INVARIANCE} == set(HARMLESS)
    assert len(probes) + len(sample) <= most_questions(QUESTION) * len(sample)
    for probe in probes:
        same = probe.story.text == probe.of.story.text
        assert same == (probe.check in (Check.REPEAT, Check.WORDING))
        assert probe.story.prompt == probe.of.story.prompt


def test_what_is_not_english_is_neither_damaged_nor_changed() -> None:
    text = (
        "Der alte Mann ging langsam über die Straße. Er wollte seine Schwester besuchen. Sie war aber nicht zu Hause."
    )
    (german,) = [SampledStory(0, "p", "s", Story(text, "Eine Geschichte."), "x")]
    assert {probe.check for probe in probes_of(QUESTION, [german])} == {Check.REPEAT, Check.WORDING, Check.INJECTION}
    own = replace(QUESTION, template=replace(QUESTION.template, name="mine", version=1))
    assert {probe.check for probe in probes_of(own, [german])} == {Check.REPEAT, Check.INJECTION}


def test_the_repeat_is_asked_anew_and_nothing_twice() -> None:
    sample, store = sampled(), ReplyMemory()
    times: Counter[str] = Counter()

    def unsteady(request: Request) -> Reply:
        times[request.request_hash] += 1
        return said(request, 2.0 + times[request.request_hash])

    first, backend = run(unsteady, sample, store=store)
    repeat = next(of for of in first if of.check is Check.REPEAT)
    assert repeat.before.tolist() == [3.0] * len(sample)
    assert repeat.after.tolist() == [4.0] * len(sample)
    assert len({request.key for request in backend.asked}) == len(backend.asked)
    second, again = run(unsteady, sample, store=store)
    assert again.asked == []
    for one, other in zip(first, second, strict=True):
        assert one.variants == other.variants
        assert np.array_equal(one.after, other.after, equal_nan=True)


def test_samples_of_the_repeat_are_new_ones() -> None:
    question = replace(QUESTION, samples=3, temperature=1.0)
    _, backend = run(lambda request: str(1 + request.sample % 5), sampled(3), question)
    unchanged = [request for request in backend.asked if not request.messages[-1].text.count("number 5")]
    assert {request.sample for request in unchanged} == set(range(6))


def test_replies_are_kept_with_the_story_of_the_study() -> None:
    sample = [replace(of, content_hash=f"story {of.number}") for of in sampled(6)]
    kept: list[str] = []

    class Store(ReplyMemory):
        def keep(self, model: str, request: Request, reply: Reply) -> None:
            kept.append(request.content_hash)
            super().keep(model, request, reply)

    run(by_length, sample, store=Store())
    assert set(kept) == {f"story {number}" for number in range(6)}


def test_what_cannot_be_read_has_a_reason_and_no_rating() -> None:
    found, _ = run(lambda request: "no idea" if "&lt;/story>" in story_in(request) else said(request, 3.0), sampled(6))
    injection = next(of for of in found if of.check is Check.INJECTION)
    for variant, after, reason in zip(injection.variants, injection.after, injection.reasons, strict=True):
        assert np.isnan(after) == bool(reason) == (variant == "closed mark")
    assert np.isfinite(injection.before).all()


@pytest.mark.parametrize("way", list(WORDINGS))
def test_every_way_of_judging_can_be_measured(way: Way) -> None:
    replies = {Way.POINTS: "3", Way.CRITERIA: '{"overall": 3}', Way.DEDUCTIONS: '{"errors": []}'}
    template = next(iter(WORDINGS[way]))
    question = replace(QUESTION, template=replace(template, version=0))
    found, _ = run(lambda request: replies[way], sampled(3), question)
    assert [of.check for of in found] == list(Check)
    assert all(np.isfinite(of.after).all() for of in found)
