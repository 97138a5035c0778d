"""A crowd on a form of six criteria: exactly what was wanted comes in, the planted order, and the careless are out."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.annotation.builtin import HANNA
from core.annotation.studies import Study
from core.annotation.target import Target
from core.annotation.unit import Unit
from core.people import TERMINAL, Person
from core.stories import Corpus, Source, StoryRecord
from db.annotation import assignments, panel_submission, settings
from db.engine import reading
from db.ratings import ratings
from db.schema import assignment, rating_value, story
from db.scores import tables
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import at_once, make_annotator

WANTED, PROMPTS = 3, 8
PLANTED = {"good": 4.2, "fair": 3.2, "poor": 2.0}
CARELESS = ("straight", "random")


def opened() -> Study:
    form = replace(HANNA, unit=Unit.PANEL, controls=True, sources=(Source.SYSTEM,))
    stories = []
    for p in range(PROMPTS):
        for name in PLANTED:
            stories.append(StoryRecord(f"{p}-{name}", f"p{p}", f"Opening {p}.", f"{name} goes on {p}.", system=name))
        for source in (Source.HUMAN, Source.NEGATIVE):
            stories.append(StoryRecord(f"{p}-{source}", f"p{p}", f"Opening {p}.", f"{source} goes on {p}.", source))
    study = studies.create(TERMINAL, "crowd", "hanna")
    settings.set_form(TERMINAL, study.id, form)
    imports.import_corpora(TERMINAL, study.name, [Corpus("", tuple(stories))])
    rules = replace(studies.get(study.id).rules, ratings_wanted=WANTED, judged_on=("coherence", "engagement"))
    settings.set_rules(TERMINAL, study.id, rules)
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


def work(person: Person, draw: random.Random) -> None:
    """Rate until there is nothing more; a careless person gives one number, or any."""
    while (panel := assignments.turn(person, claim=True).panel) is not None:
        for shown in panel.stories:
            mean = {**PLANTED, "human": 4.8, "negative": 1.2}[shown.text.split()[0]]
            for name in HANNA.names:
                value = round(min(5, max(1, draw.gauss(mean, 0.2))))
                value = 3 if person.name == "straight" else draw.randint(2, 4) if person.name == "random" else value
                ratings.save_value(person, shown.token, value, name)
        panel_submission.submit(person, panel.token)


@pytest.mark.slow
def test_a_crowd_fills_what_was_wanted_and_the_careless_are_out(database: str) -> None:
    study = opened()
    people = [make_annotator(study, name) for name in (*CARELESS, *(f"careful {n}" for n in range(6)))]
    at_once(work, people)
    at_once(work, people[len(CARELESS) :])  # a place that a rejected panel has left is open again
    with reading() as connection:
        panels = connection.execute(select(assignment)).all()
        values = connection.execute(select(rating_value)).all()
        sources = {row.id: row.source for row in connection.execute(select(story))}
    named = {who.id: who.name for who in people}
    rejected = Counter(named[row.person_id] for row in panels if row.valid is False)
    assert set(rejected) == set(CARELESS)
    assert not any(row.valid and named[row.person_id] in CARELESS for row in panels)
    assert all("rated" in row.reason for row in panels if row.valid is False)
    assert len(values) == len(panels) * 5 * len(HANNA.names)
    table = tables.table(study.id, target=Target(("empathy",)))
    assert set(table.behind.tolist()) == {WANTED}
    assert len(sources) == PROMPTS * 5
    for name in HANNA.names:
        human = tables.table(study.id, target=Target((name,))).human
        means = {
            system: human[[i for i, other in enumerate(table.systems) if other == system]].mean() for system in PLANTED
        }
        assert sorted(means, key=lambda system: -means[system]) == list(PLANTED)
