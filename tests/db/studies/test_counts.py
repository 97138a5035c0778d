"""What a study shows of itself in numbers: that of ratings is kept, and is right after whatever changes it."""

import pytest
from sqlalchemy import event, func, select

from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.annotation import panel_submission
from db.engine import engine, reading
from db.monitor import panels, personal_data
from db.schema import assignment, rating
from db.studies import studies
from db.studies.counts import ratings_of_others
from db.transfer import imports
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study


def ratings_shown() -> int:
    (summary,) = studies.summaries(TERMINAL)
    return summary.ratings


def counted() -> int:
    query = select(func.sum(rating.c.raters)).join(assignment, assignment.c.id == rating.c.assignment_id)
    with reading() as connection:
        return connection.scalar(query.where(assignment.c.valid.is_(True), assignment.c.state != "surplus")) or 0


@pytest.mark.both_databases
def test_it_follows_what_happens(database: str) -> None:
    new_study = make_study("s", prompts=3)
    assert ratings_shown() == counted() == 0
    who = make_annotator(new_study)
    panel = begin(who)
    rate(who, panel)
    assert ratings_shown() == counted() == 0  # not handed in yet
    panel_submission.submit(who, panel.token)
    first = ratings_shown()
    assert first == counted() > 0
    others = ratings_of_others(new_study.id, (Source.SYSTEM,))
    assert others == {Source.HUMAN: 1, Source.NEGATIVE: 1}
    assert ratings_of_others(new_study.id, (Source.SYSTEM, Source.HUMAN)) == {Source.NEGATIVE: 1}
    with reading() as connection:
        held = connection.scalars(select(assignment.c.id)).one()
    panels.override(TERMINAL, held, valid=False, reason="It was careless.")
    assert ratings_shown() == counted() == 0
    panels.override(TERMINAL, held, valid=True, reason="It was not.")
    assert ratings_shown() == counted() == first
    personal_data.erase(TERMINAL, who.id, keep_ratings=False)
    assert ratings_shown() == counted() == 0


def test_nothing_is_added_up_twice(database: str) -> None:
    make_study("s", prompts=3)
    ratings_shown()
    statements: list[str] = []
    event.listen(engine(), "before_cursor_execute", lambda *given: statements.append(given[2]))
    ratings_shown()
    assert statements
    assert not any("sum(rating.raters)" in statement for statement in statements)


@pytest.mark.both_databases
def test_prompts_are_those_that_a_system_has_gone_on_with(database: str) -> None:
    """Human stories of other prompts are no more panels to rate; where there are no others they are what there is."""
    study = make_study("s", prompts=3)
    studies.close_study(TERMINAL, study.id)
    alone = [StoryRecord(f"h{number}", f"h{number}", "", f"He ran {number}.", Source.HUMAN) for number in range(5)]
    imports.import_corpora(TERMINAL, study.name, [Corpus("", tuple(alone))])
    imports.import_corpora(TERMINAL, "people", [Corpus("", tuple(alone))])
    assert {summary.study.name: summary.prompts for summary in studies.summaries(TERMINAL)} == {"s": 3, "people": 5}
