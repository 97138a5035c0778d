"""`plan`: from stated deviations and from a past study, in JSON and in the terminal; what it says to bad input."""

from pathlib import Path

import pytest

from core.analysis.planning.design import Setup
from core.analysis.planning.metrics import past_metrics
from core.analysis.planning.spread import Spread, past_spread
from core.analysis.planning.systems import plan_systems
from db.ratings import ratings
from db.scores import tables
from tests.rated import rated_study
from tests.terminal import as_json, bad, good


def test_a_difference_between_two_systems(home: Path) -> None:
    report = as_json("plan", "--difference", "0.3", home=home)
    expected = plan_systems(0.3, Spread(), Setup())
    assert report["systems"]["difference"] == 0.3
    assert [design["prompts"] for design in report["systems"]["designs"]] == [one.prompts for one in expected.designs]
    assert set(report["systems"]["designs"][0]) == {
        "ratings", "prompts", "stories", "total", "panels", "hundredths", "seen", "within", "cheapest",
    }  # fmt: skip
    assert (report["study"], report["past"], report["metrics"], report["caution"]) == (None, None, None, None)
    assert report["setup"] == {
        "systems": 2, "power": 0.8, "alpha": 0.05, "corrected": True, "prompts": None, "unit": "panel",
        "pay_hundredths": None, "story_hundredths": 0, "currency": None,
    }  # fmt: skip
    out = good("plan", "--difference", "0.3", home=home)
    assert "To see a difference of 0.3 between two systems with power 0.8 at alpha 0.05:" in out
    assert "cheapest" in out
    assert "Cost" not in out


def test_options_reach_the_plan(home: Path) -> None:
    words = (
        "plan", "--difference", "0.5", "--systems", "4", "--uncorrected", "--power", "0.9", "--alpha", "0.1", "--unit",
        "story", "--sd-story", "0.4", "--sd-rater", "0.2", "--sd-rating", "0.6", "--pay", "0.25", "--currency", "eur",
        "--story-price", "1", "--prompts", "30",
    )  # fmt: skip
    report = as_json(*words, home=home)
    assert report["systems"]["level"] == 0.1
    assert report["spread"] == {"prompt": 0.2, "story": 0.4, "rater": 0.2, "rating": 0.6, "system": 0.0}
    first = report["systems"]["designs"][0]
    assert first["panels"] == first["total"] == first["stories"] == 4 * first["prompts"]
    assert first["hundredths"] == 125 * first["stories"]
    assert first["seen"] > 0
    out = good(*words, home=home)
    for column in ("Assign", "EUR", "Seen"):  # folded on a narrow terminal
        assert column in out


def test_two_metrics(home: Path) -> None:
    report = as_json(
        "plan", "--delta", "0.1", "--correlation", "0.5", "--between", "0.7", "--design-effect", "1.5", home=home
    )
    assert report["systems"] is None
    assert report["metrics"]["correlations"] == {"correlation": 0.5, "between": 0.7, "effect": 1.5}
    assert report["metrics"]["past"] is None
    assert all(design["prompts"] > 10 for design in report["metrics"]["designs"])
    out = good("plan", "--delta", "0.1", "--design-effect", "2", home=home)
    assert "agrees with people more than one of 0.300" in out
    assert "design effect 2.00" in out


def test_from_a_past_study(home: Path, database: str) -> None:
    study = rated_study(40, metrics=("all", "coarse"))
    report = as_json("plan", "--difference", "0.3", "--delta", "0.05", "--study", study.name, home=home)
    past = past_spread(ratings.judged_stories(study.id))
    assert report["past"]["spread"]["rating"] == report["spread"]["rating"] == pytest.approx(past.spread.rating)
    assert (report["past"]["prompts"], report["past"]["systems"], report["past"]["ratings"]) == (40, 3, 3)
    assert report["target"] == "overall"
    known = past_metrics(tables.table(study.id), report["metrics"]["past"]["metrics"])
    assert report["metrics"]["correlations"]["between"] == pytest.approx(known.correlations.between)
    own = as_json("plan", "--difference", "0.3", "--study", study.name, "--sd-story", "0.9", home=home)
    assert own["spread"]["story"] == 0.9
    assert own["spread"]["rating"] == pytest.approx(past.spread.rating)
    out = good("plan", "--difference", "0.3", "--study", study.name, "--prompts", "2", home=home)
    assert "of 120 stories of 3 systems for 40 prompts with 3 ratings each" in out
    assert "None needs as few as 2 prompts." in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--difference 0.3 between two systems, or --delta 0.1 between two metrics"),
        (("--difference", "0"), "a number above 0, not 0"),
        (("--difference", "0.3", "--target", "overall"), "name it with --study"),
        (("--difference", "0.3", "--power", "1"), "The power lies between alpha and .999"),
        (("--difference", "0.3", "--unit", "pair"), "--unit is panel or story, not 'pair'"),
        (("--difference", "0.3", "--pay", "much"), "The pay is a number like 1.50"),
        (("--difference", "0.3", "--currency", "euros"), "three letters"),
        (("--delta", "0.5", "--between", "0.95"), "cannot correlate 0.4 and -0.1 with people"),
        (("--difference", "0.3", "--sd-rating", "nan"), "--sd-rating"),
    ],
)
def test_bad_input(home: Path, words: tuple[str, ...], said: str) -> None:
    assert said in bad("plan", *words, home=home)


def test_a_study_that_does_not_tell(home: Path, database: str) -> None:
    study = rated_study(4, metrics=())
    assert "10 are needed: state the standard deviations instead" in bad(
        "plan", "--difference", "0.3", "--study", study.name, home=home
    )
    stated = ("--sd-prompt", "0.2", "--sd-story", "0.5", "--sd-rater", "0", "--sd-rating", "0.7")
    good("plan", "--difference", "0.3", "--study", study.name, *stated, home=home)
    assert "fewer than two metrics" in bad("plan", "--delta", "0.1", "--study", study.name, *stated, home=home)
