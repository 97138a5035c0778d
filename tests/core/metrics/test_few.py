"""Few stories for a trial: of as many prompts as there are, of all systems alike, and always the same."""

from collections import Counter

from core.metrics.few import Candidate, spread


def study(prompts: int, systems: str = "abcde", scored: int = 0) -> list[Candidate]:
    """In the order of an import: a prompt's stories beside each other; the first `scored` have a score."""
    return [
        Candidate(place, place // len(systems), systems[place % len(systems)], lacking=place >= scored)
        for place in range(prompts * len(systems))
    ]


def test_a_story_of_each_prompt() -> None:
    stories = study(96)
    places = spread(stories, 30)
    assert places == spread(stories, 30) == sorted(places)
    assert len({stories[place].prompt for place in places}) == 30
    assert set(Counter(stories[place].system for place in places).values()) == {6}


def test_few_prompts_have_several_each() -> None:
    stories = study(6)
    places = spread(stories, 20)
    assert sorted(Counter(stories[place].prompt for place in places).values()) == [3, 3, 3, 3, 4, 4]
    assert set(Counter(stories[place].system for place in places).values()) == {4}


def test_what_is_scored_counts() -> None:
    stories = study(4, scored=10)
    places = spread(stories, 4)
    assert {stories[place].prompt for place in places} == {2, 3}
    assert spread(study(2), 100) == list(range(10))
    assert spread([], 3) == []
