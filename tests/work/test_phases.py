"""How far a training of several phases is."""

from core.durations import ShownSpeed
from core.training.engine.cost import NEGATIVES, READING, TRAINING, Work
from work.phases import Phases

WORKS = [
    Work(NEGATIVES, "negatives", 1000, 100.0),  # 10 s
    Work(READING, "reading", 2000, 100.0),  # 20 s
    Work(TRAINING, "training", 7000, 100.0),  # 70 s
]


def shown(speed: float) -> ShownSpeed:
    return ShownSpeed(speed, speed, speed)


def test_all_negatives_are_not_all_of_the_training() -> None:
    phases = Phases(WORKS, {}, 40)
    assert phases.reach("Making negatives of a", 0, 0) == 0.0
    assert phases.which == " (1 of 3)"
    assert phases.reach("Making negatives of a", 20, 20) == 0.05  # half of all stories
    assert phases.reach("Making negatives of b", 20, 20) == 0.1
    assert phases.reach("Reading stories", 0, 0) == 0.1
    assert phases.reach("Reading stories", 40, 80) == 0.2
    assert phases.which == " (2 of 3)"
    assert phases.reach("Training", 350, 700) == 0.65
    assert phases.reach("Reading held-out stories", 0, 10) == 0.65  # which never falls
    assert phases.reach("Training", 700, 700) == 0.99  # what was learnt is still to be kept


def test_the_time_left_is_of_all_phases_where_the_later_ones_have_run_here() -> None:
    phases = Phases(WORKS, {}, 10)
    phases.reach("Making negatives of a", 5, 10)
    assert phases.left_text(None) == ""
    assert phases.left_text(5.0) == ", about 5 s left, then reading stories and training"
    measured = Phases(WORKS, {"reading": shown(200.0), "training": shown(100.0)}, 10)
    measured.reach("Making negatives of a", 5, 10)
    assert measured.left_text(5.0) == ", about 85 s left"


def test_one_phase_is_not_numbered() -> None:
    phases = Phases(WORKS[2:], {}, 0)
    assert phases.reach("Training", 1, 4) == 0.25
    assert (phases.which, phases.left_text(3.0)) == ("", ", about 3 s left")


def test_what_has_no_phases_says_nothing_of_all() -> None:
    assert Phases([], {}, 0).reach("Training", 1, 2) is None
