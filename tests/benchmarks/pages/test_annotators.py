"""Simulated annotators fill a study: through the service functions, under real threads, and through the real app."""

from collections import Counter
from pathlib import Path
from statistics import mean

import pytest
from scipy.stats import spearmanr
from sqlalchemy import func, select

from benchmarks.pages import load
from benchmarks.pages.crowd import FORMS, NEGATIVE, SYSTEMS, Annotator, crowd, fill, planted, words
from benchmarks.pages.served import Served
from benchmarks.pages.visits import Visits, Work
from core.annotation.builtin import HANNA, MANS, PREFERENCES
from core.stories import Source
from db.engine import reading
from db.ratings.ratings import COUNTED
from db.schema import assignment, person, rating, rating_value, story
from tests.apart import run_apart


def test_an_opinion_depends_on_the_annotator_and_the_words_alone() -> None:
    opinion = Annotator(1).rate(3.0, "a  story\n")
    assert opinion == Annotator(1).rate(3.0, "a story")
    assert len({Annotator(1, noise=2).rate(3.0, f"story {i}").overall for i in range(50)}) > 3


@pytest.mark.parametrize("quality", [1.0, 2.2, 3.0, 4.1, 5.0])
def test_deductions_are_on_offer_and_never_exceed_what_the_story_lacks(quality: float) -> None:
    for i in range(100):
        opinion = Annotator(i, noise=1.0, carelessness=0.5).rate(quality, "a story")
        MANS.check_overall(opinion.overall)
        MANS.check_deductions(opinion.deductions)
        assert 0 <= MANS.implied_rating(opinion.deductions) - opinion.overall <= 1


def test_leniency_lifts_and_carelessness_levels_the_ratings() -> None:
    def lifted(annotator: Annotator) -> float:
        return sum(annotator.rate(NEGATIVE, f"story {i}").overall for i in range(400)) / 400

    assert lifted(Annotator(0)) < 1.2
    assert lifted(Annotator(0, leniency=1.0)) == pytest.approx(NEGATIVE + 1, abs=0.2)
    assert lifted(Annotator(0, carelessness=1.0)) == pytest.approx(3, abs=0.25)


def test_every_criterion_is_rated_and_the_better_story_is_preferred_on_either_side() -> None:
    quality = {"good": 4.0, "poor": 2.0}
    annotator = Annotator(1)
    opinion = annotator.answer(HANNA, quality, ["good"])
    assert set(opinion.values) == set(HANNA.names)
    assert not opinion.deductions
    assert mean(opinion.values.values()) == pytest.approx(4, abs=0.7)
    assert annotator.answer(PREFERENCES, quality, ["good", "poor"]).values == {"preference": -1}
    assert annotator.answer(PREFERENCES, quality, ["poor", "good"]).values == {"preference": 1}
    careless = Annotator(1, carelessness=1.0)
    sides = [careless.compare((4.0, f"good {i}"), (2.0, "poor")).values["preference"] for i in range(300)]
    assert all(80 < sides.count(side) < 120 for side in (-1, 0, 1))


def test_every_planted_text_has_its_own_quality() -> None:
    corpus, quality = planted(20)
    assert len(quality) == len(corpus.stories) == 20 * 7
    assert Counter(record.source for record in corpus.stories) == {
        Source.SYSTEM: 100, Source.HUMAN: 20, Source.NEGATIVE: 20,
    }  # fmt: skip


def test_a_study_fills_to_exactly_five_ratings_and_gives_back_what_was_planted(database: str) -> None:
    study, corpus, quality = load.open_planted("filled", prompts=20, wanted=5)
    people = [(load.invited(study, annotator)[1], annotator) for annotator in crowd(16, careless=4)]
    careless = {who.id for who, annotator in people if annotator.carelessness}
    handed_in = fill(people, quality, threads=4)

    assert load.ratings_an_item(study.id) == {5: 20 * 7}
    with reading() as connection:
        panels = connection.execute(select(assignment)).all()
        means = connection.execute(
            select(story.c.text, story.c.system, func.avg(rating_value.c.value).label("mean"))
            .join(rating, rating.c.story_id == story.c.id)
            .join(rating_value, rating_value.c.rating_id == rating.c.id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(COUNTED, story.c.source == Source.SYSTEM)
            .group_by(story.c.id)
        ).all()
        assert connection.scalar(select(func.count()).select_from(person).where(person.c.study_id == study.id)) == 16

    assert len(panels) == handed_in
    assert Counter(panel.state for panel in panels) == {"submitted": handed_in}
    assert max(Counter((panel.person_id, panel.prompt_id) for panel in panels).values()) == 1
    rejected = Counter(panel.person_id for panel in panels if not panel.valid)
    assert set(rejected) == careless
    taken = Counter(panel.person_id for panel in panels)
    assert all(rejected[who] > taken[who] / 2 for who in careless)

    assert spearmanr([quality[words(row.text)] for row in means], [row.mean for row in means]).statistic > 0.9
    of_system = {name: [row.mean for row in means if row.system == name] for name in SYSTEMS}
    judged = {name: sum(of_system[name]) / 20 for name in SYSTEMS}
    drawn = {
        name: sum(quality[words(record.text)] for record in corpus.stories if record.system == name) / 20
        for name in SYSTEMS
    }
    assert sorted(judged, key=judged.__getitem__) == sorted(drawn, key=drawn.__getitem__) == list(SYSTEMS)


# Two prompts of seven stories; of six, without the damaged one; of twenty pairs in panels of six, with controls and a
# pair again, but for the last panel, which has two and shows none again.
AT_ONCE = [("mans", 5, 2, 2 * 7), ("criteria", 12, 2 * 6, 2 * 6), ("pairs", 5, 4, 3 * 9 + 4)]
"""Forms, with how many people fill them at once, and how many panels and items each of the two ratings takes."""


@pytest.mark.both_databases
def test_several_at_once_fill_a_study_through_the_app_and_lose_nothing(database: str, home: Path) -> None:
    with Served(home) as app:
        for form, people, assignments, items in AT_ONCE:
            filled_at_once(app, form, people, assignments, items)


def filled_at_once(app: Served, form: str, people: int, assignments: int, items: int) -> None:
    """A study of this form that so many fill: nobody meets an error, and what was acknowledged is stored once."""
    scheme = FORMS[form].scheme
    study, _, quality = load.open_planted(form, prompts=2, wanted=2, scheme=scheme)
    links = [(load.invited(study, annotator)[0], annotator) for annotator in crowd(people)]
    report = run_apart(Visits(Work(app.address, links, quality, seconds=90, interval=0.01, form=form)).run())

    assert report.errors == [], form
    assert report.handed_in == 2 * assignments, form
    assert len(report.acknowledged) == 2 * items, form
    assert all(set(given) >= set(scheme.names) for given in report.acknowledged.values()), form
    assert load.lost(study.id, report) == 0, form
    assert load.double(study.id, report) == 0, form
    assert load.ratings_an_item(study.id) == {2: items}, form

    first = next(iter(report.acknowledged.values()))
    first[scheme.main.name] = (first[scheme.main.name] + 1) % len(scheme.main.steps)
    assert load.lost(study.id, report) == 1, form
