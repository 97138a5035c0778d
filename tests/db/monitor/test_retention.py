"""How long annotators' personal data are kept: nobody goes before their day, and everybody after it, once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person, Role
from db.annotation import assignments, panel_submission
from db.engine import reading
from db.migrate import migrate
from db.monitor import payments, personal_data, retention
from db.people import people
from db.ratings import ratings
from db.schema import event, person
from db.studies import lifecycle, studies
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import Clock, make_annotator, make_study
from tests.terminal import fabula

DAY = 24 * 60.0
"""Minutes."""
pytestmark = pytest.mark.both_databases


def erased() -> list[str]:
    """The names of everybody who was erased."""
    with reading() as connection:
        return list(connection.scalars(select(person.c.name).where(person.c.erased_at.is_not(None))))


def tidied() -> int:
    """What a server does every hour; how many people it erased."""
    return sum(retention.erase_overdue(study_id) for study_id in retention.overdue())


def events_of(kind: str) -> list[dict[str, Any]]:
    with reading() as connection:
        return list(connection.scalars(select(event.c.detail).where(event.c.kind == kind)))


def rated(name: str = "mine") -> tuple[Study, Person, Person]:
    """A study in which one has rated, and another holds a panel."""
    study = make_study(name, prompts=2)
    ann, bob = make_annotator(study, "Ann"), make_annotator(study, "Bob")
    panel = begin(ann)
    rate(ann, panel)
    panel_submission.submit(ann, panel.token)
    begin(bob)
    return study, ann, bob


def test_nobody_goes_before_their_day_and_everybody_after_it(database: str, clock: Clock) -> None:
    study, ann, _ = rated()
    other, _, _ = rated("another")
    judged = ratings.judged_stories(study.id)
    assert judged
    retention.set_days(TERMINAL, study.id, 30)
    clock.move(90 * DAY)
    assert tidied() == 0  # it is open
    studies.close_study(TERMINAL, study.id)
    studies.close_study(TERMINAL, other.id)
    closed = clock.time
    clock.move(29 * DAY)
    standing = retention.standing(TERMINAL, study.id)
    assert (standing.days, standing.people, standing.unpaid) == (30, 2, 0)
    assert standing.ends_at is not None
    assert abs(standing.ends_at - closed - timedelta(days=30)) < timedelta(minutes=1)
    assert tidied() == 0
    clock.move(1.1 * DAY)
    with ThreadPoolExecutor(4) as processes:  # every process of a server tidies
        assert sum(processes.map(lambda _: tidied(), range(4))) == 2
    assert len(erased()) == 2
    assert [item["ratings_kept"] for item in events_of("erased")] == [True, True]
    assert ratings.judged_stories(study.id)[0].ratings[0].overall == judged[0].ratings[0].overall
    assert people.by_token(people.invite(TERMINAL, Role.ANNOTATOR, name="Cleo", study_id=other.id)) is not None
    with pytest.raises(NotAllowed, match="withdrawn"):
        assignments.turn(ann)
    assert retention.standing(TERMINAL, study.id).people == 0
    assert "Ann" not in str(personal_data.exported(TERMINAL, ann.id or 0))


def test_the_days_count_from_when_it_was_closed_last(database: str, clock: Clock) -> None:
    study, _, _ = rated()
    retention.set_days(TERMINAL, study.id, 10)
    studies.close_study(TERMINAL, study.id)
    clock.move(8 * DAY)
    studies.open_study(TERMINAL, study.id)
    clock.move(8 * DAY)
    assert tidied() == 0
    studies.close_study(TERMINAL, study.id)
    clock.move(5 * DAY)
    lifecycle.archive(TERMINAL, study.id)  # which begins no other period,
    clock.move(4 * DAY)
    assert tidied() == 0
    lifecycle.discard(TERMINAL, study.id)  # and neither does this
    clock.move(2 * DAY)
    assert tidied() == 2
    assert lifecycle.restore(TERMINAL, study.id) == "mine"
    assert len(ratings.judged_stories(study.id)) == 7


def test_nobody_is_erased_by_the_way(database: str, clock: Clock) -> None:
    study, _, _ = rated()
    studies.close_study(TERMINAL, study.id)
    clock.move(60 * DAY)
    with pytest.raises(InputError, match="30 days after the close were over on"):
        retention.set_days(TERMINAL, study.id, 30)
    retention.set_days(TERMINAL, study.id, 90)
    clock.move(31 * DAY)
    invited = make_annotator(study, "Cleo")  # for a second round, which is still to be opened
    assert tidied() == 2
    assert people.by_token(people.renew(TERMINAL, invited.id or 0)) is not None
    studies.open_study(TERMINAL, study.id)
    begin(invited)


def test_who_is_owed_something_is_counted(study: Study) -> None:
    payments.set_payment(TERMINAL, study.id, "1.20", "EUR")
    ann, bob = make_annotator(study, "Ann"), make_annotator(study, "Bob")
    panel = begin(ann)
    rate(ann, panel)
    panel_submission.submit(ann, panel.token)
    assert retention.standing(TERMINAL, study.id).unpaid == 1
    payments.set_bonus(TERMINAL, bob.id or 0, "0.50", "for their remarks")
    assert retention.standing(TERMINAL, study.id).unpaid == 2
    payments.pay_all(TERMINAL, study.id, 170)
    assert retention.standing(TERMINAL, study.id).unpaid == 0


def test_without_a_period_people_stay_until_they_are_erased(database: str, clock: Clock) -> None:
    study, _, _ = rated()
    with pytest.raises(InputError, match="close it before you erase"):
        retention.erase_annotators(TERMINAL, study.id)
    retention.set_days(TERMINAL, study.id, 10)
    retention.set_days(TERMINAL, study.id, None)
    studies.close_study(TERMINAL, study.id)
    clock.move(9_999 * DAY)
    assert tidied() == 0
    assert retention.standing(TERMINAL, study.id).ends_at is None
    assert retention.erase_annotators(TERMINAL, study.id) == 2
    assert retention.erase_annotators(TERMINAL, study.id) == 0
    assert [item["after"] for item in events_of("retention set")] == [10, None]


def test_who_rated_for_a_study_that_is_gone_goes_too(database: str, clock: Clock) -> None:
    study, _, _ = rated()
    rated("another")
    lifecycle.discard(TERMINAL, study.id)
    clock.move(29 * DAY)
    assert (lifecycle.erase_old(), tidied()) == (0, 0)  # it may be had back, with its people
    clock.move(2 * DAY)
    assert (lifecycle.erase_old(), tidied()) == (1, 2)
    with reading() as connection:
        known = connection.scalars(select(person.c.name).where(person.c.erased_at.is_(None)))
        assert sorted(known) == ["Ann", "Bob"]


@pytest.mark.parametrize("days", [0, -1, 3_651])
def test_a_period_that_is_none(study: Study, days: int) -> None:
    with pytest.raises(InputError, match="1 to 3,650 days"):
        retention.set_days(TERMINAL, study.id, days)


def test_only_owners(study: Study) -> None:
    token = people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id])
    researcher = people.by_token(token)
    assert researcher is not None
    for act in (
        lambda: retention.set_days(researcher, study.id, 3),
        lambda: retention.erase_annotators(researcher, study.id),
        lambda: retention.standing(researcher, study.id),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_a_copy_keeps_the_promise(study: Study) -> None:
    retention.set_days(TERMINAL, study.id, 30)
    assert lifecycle.clone(TERMINAL, study.id, "copy").retention_days == 30


@pytest.mark.slow
def test_from_the_terminal(home: Path) -> None:
    migrate()
    study, _, _ = rated()
    printed = fabula("people", "retention", "mine", "--days", "30", home=home).stdout
    assert "kept 30 days after mine is closed; now those of 2 annotators." in printed
    assert studies.get(study.id).retention_days == 30
    refused = fabula("people", "erase-annotators", "mine", "--yes", home=home)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    studies.close_study(TERMINAL, study.id)
    assert "2 annotators are erased." in fabula("people", "erase-annotators", "mine", "--yes", home=home).stdout
    assert len(erased()) == 2
