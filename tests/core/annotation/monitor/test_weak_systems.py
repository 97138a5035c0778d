"""Systems whose stories are rated as low as damaged ones."""

from core.annotation.monitor.weak_systems import MeanRating, WeakSystem, weak_systems
from core.annotation.scheme import QualityRules
from core.stories import Source
from tests.core.annotation.quality import panel

LENIENT = (panel(1).brief, panel(2, negative=(3.0,), valid=False).brief)


def found(
    systems: dict[str, float], damaged: float = 2.0, human: float | None = 4.0, ratings: int = 10
) -> tuple[WeakSystem, ...]:
    means = [MeanRating(Source.SYSTEM, name, ratings, mean) for name, mean in systems.items()]
    means.append(MeanRating(Source.NEGATIVE, "", ratings, damaged))
    if human is not None:
        means.append(MeanRating(Source.HUMAN, "", ratings, human))
    return weak_systems(means, LENIENT, QualityRules())


def test_a_tenth_of_the_way_to_the_human_stories_is_as_low() -> None:
    assert found({"weak": 2.125, "good": 3.5, "near": 2.25, "lower": 1.5}) == (
        WeakSystem("lower", 1.5, 2.0),
        WeakSystem("weak", 2.125, 2.0),
    )
    assert found({"good": 3.5}) == ()


def test_without_human_stories_it_is_no_more_than_the_damaged_ones() -> None:
    assert found({"weak": 2.0, "near": 2.125}, human=None) == (WeakSystem("weak", 2.0, 2.0),)


def test_ratings_that_tell_nothing_apart_say_nothing_of_a_system() -> None:
    assert found({"any": 3.0}, damaged=3.0, human=3.0) == ()
    assert found({"any": 3.0}, damaged=3.5, human=3.0) == ()


def test_few_ratings_say_nothing() -> None:
    assert found({"weak": 2.0}, ratings=9) == ()
    few = [MeanRating(Source.SYSTEM, "weak", 9, 1.0), MeanRating(Source.NEGATIVE, "", 10, 2.0)]
    assert weak_systems(few, LENIENT, QualityRules()) == ()


def test_nothing_is_said_before_somebody_was_rejected_for_a_damaged_story() -> None:
    means = [MeanRating(Source.SYSTEM, "weak", 10, 1.0), MeanRating(Source.NEGATIVE, "", 10, 1.0)]
    assert weak_systems(means, LENIENT, QualityRules()) == (WeakSystem("weak", 1.0, 1.0),)
    assert weak_systems(means, [panel(1).brief, panel(2, human=(1.0,)).brief], QualityRules()) == ()
    assert weak_systems(means, LENIENT, QualityRules(negative_most=5)) == ()
