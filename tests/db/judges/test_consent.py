"""Texts leave only for an address that an owner has agreed to, for that study."""

from datetime import UTC, datetime, timedelta

import pytest

from core.annotation.studies import Study
from core.errors import InputError, NotAllowed, NotFound
from core.people import TERMINAL, Person, Role
from core.trail import WORDS
from db.judges import consent
from db.people import people
from db.studies import event_log, lifecycle

pytestmark = pytest.mark.both_databases
ADDRESS, OTHER = "https://api.example.org/v1", "http://localhost:8000/v1"


@pytest.fixture
def researcher(study: Study) -> Person:
    """Somebody who runs the study."""
    person = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="res", runs=[study.id]))
    assert person is not None
    return person


def test_texts_are_sent_where_an_owner_agreed(study: Study) -> None:
    with pytest.raises(NotAllowed, match="an owner has to agree first"):
        consent.check(study.id, ADDRESS)
    assert consent.give(TERMINAL, study.id, " HTTPS://API.example.org/v1/ ") == ADDRESS
    consent.check(study.id, ADDRESS + "/")
    with pytest.raises(NotAllowed, match="localhost"):
        consent.check(study.id, OTHER)
    (given,) = consent.given(TERMINAL, study.id)
    assert (given.address, given.by) == (ADDRESS, None)
    assert abs(datetime.now(UTC) - given.at) < timedelta(minutes=1)


def test_several_addresses_and_back(study: Study, researcher: Person) -> None:
    consent.give(TERMINAL, study.id, ADDRESS)
    consent.give(TERMINAL, study.id, OTHER)
    consent.give(TERMINAL, study.id, OTHER)  # once is enough
    assert [row.address for row in consent.given(researcher, study.id)] == [ADDRESS, OTHER]
    assert consent.withdraw(researcher, study.id, ADDRESS) == ADDRESS
    with pytest.raises(NotAllowed):
        consent.check(study.id, ADDRESS)
    consent.check(study.id, OTHER)
    with pytest.raises(NotFound, match="Nobody had agreed"):
        consent.withdraw(researcher, study.id, ADDRESS)
    kinds = [
        (entry.kind, entry.detail["address"])
        for entry in event_log.exported(TERMINAL, study.id)
        if entry.kind in (consent.GIVEN, consent.WITHDRAWN)
    ]
    assert kinds == [(consent.GIVEN, ADDRESS), (consent.GIVEN, OTHER), (consent.WITHDRAWN, ADDRESS)]
    assert {consent.GIVEN, consent.WITHDRAWN} <= WORDS.keys()


def test_only_owners_agree(study: Study, researcher: Person, annotator: Person) -> None:
    """The server's key goes to that address too."""
    for person in (researcher, annotator):
        with pytest.raises(NotAllowed):
            consent.give(person, study.id, ADDRESS)
    with pytest.raises(NotAllowed):
        consent.given(annotator, study.id)
    consent.give(TERMINAL, study.id, ADDRESS)
    with pytest.raises(NotAllowed):
        consent.withdraw(annotator, study.id, ADDRESS)
    stranger = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="other"))
    assert stranger is not None
    with pytest.raises(NotAllowed):
        consent.withdraw(stranger, study.id, ADDRESS)


def test_a_copy_of_the_study_is_another_study(study: Study) -> None:
    consent.give(TERMINAL, study.id, ADDRESS)
    copy = lifecycle.clone(TERMINAL, study.id, "copy")
    with pytest.raises(NotAllowed):
        consent.check(copy.id, ADDRESS)


def test_what_is_no_address_and_no_study(study: Study) -> None:
    with pytest.raises(InputError):
        consent.give(TERMINAL, study.id, "example.org")
    with pytest.raises(NotFound):
        consent.check(study.id + 1, ADDRESS)
