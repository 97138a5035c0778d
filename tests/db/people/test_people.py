"""Who is invited, by link or by e-mail, one or many; who is listed, and as what."""

from datetime import timedelta

import pytest

from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person, Role, email_address
from db.audit import now
from db.monitor import personal_data
from db.people import people
from tests.db.crowd import at_once, failures


@pytest.mark.both_databases
def test_who_is_invited_by_email_is_known_by_it(database: str) -> None:
    people.invite(TERMINAL, Role.RESEARCHER, email=" Ann@Example.ORG ")
    person = people.by_email("ann@example.org")
    assert person is not None
    assert (person.name, person.role) == ("ann@example.org", Role.RESEARCHER)
    assert people.by_email("ANN@example.org") == person
    for other in ("bob@example.org", "", "ann", "ann@example.org\0", "x" * 10_000):
        assert people.by_email(other) is None
    assert person.id is not None
    people.revoke(TERMINAL, person.id)
    assert people.by_email("ann@example.org") is None


def test_an_address_belongs_to_one_person(database: str) -> None:
    invited = [lambda: people.invite(TERMINAL, Role.OWNER, email="ann@example.org") for _ in range(4)]
    refused = failures(at_once(*invited))
    assert [type(error) for error in refused] == [InputError] * 3
    person = people.by_email("ann@example.org")
    assert person is not None
    assert person.id is not None
    people.revoke(TERMINAL, person.id)
    people.invite(TERMINAL, Role.RESEARCHER, email="ann@example.org")
    again = people.by_email("ann@example.org")
    assert again is not None
    assert (again.role, again.id != person.id) == (Role.RESEARCHER, True)


def test_annotators_have_links_and_researchers_invite_no_researchers(study: Study) -> None:
    with pytest.raises(InputError, match="Annotators have links"):
        people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id, email="ann@example.org")
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert researcher is not None
    with pytest.raises(NotAllowed):
        people.invite(researcher, Role.RESEARCHER, email="ann@example.org")
    with pytest.raises(NotAllowed):
        people.listed(researcher)


@pytest.mark.parametrize("bad", ["", "ann", "ann@", "@example.org", "a b@example.org", "<a@example.org>", "a@b"])
def test_no_other_address_than_an_email(bad: str) -> None:
    with pytest.raises(InputError, match="no e-mail address"):
        email_address(bad)


@pytest.mark.both_databases
def test_many_links_at_once_all_or_none(study: Study) -> None:
    expires = now() + timedelta(days=3)
    made = people.invite_many(TERMINAL, ["Ann", "", " Bob ", "Ann"], study.id, expires)
    assert [name for name, _ in made] == ["Ann", "Bob", "Ann"]
    result = [people.by_token(token) for _, token in made]
    assert [person and (person.name, person.study_id) for person in result] == [(name, study.id) for name, _ in made]
    assert len({person.id for person in result if person}) == 3
    for names, says in (([], "1 to 1,000"), (["x"] * 1_001, "1 to 1,000"), (["good", "x" * 201], "at most 200")):
        with pytest.raises(InputError, match=says):
            people.invite_many(TERMINAL, names, study.id)
    assert len(people.listed(TERMINAL, study.id)) == 3
    with pytest.raises(InputError, match="not there"):
        people.invite_many(TERMINAL, ["x"], 999)


@pytest.mark.both_databases
def test_everybody_is_listed_with_what_they_are(study: Study, annotator: Person) -> None:
    people.invite(TERMINAL, Role.OWNER, email="ann@example.org")
    people.invite(TERMINAL, Role.RESEARCHER, name="late", expires_at=now() - timedelta(days=1))
    gone = people.by_token(people.invite(TERMINAL, Role.ANNOTATOR, name="gone", study_id=study.id))
    assert gone is not None
    assert gone.id is not None
    people.revoke(TERMINAL, gone.id)
    assert annotator.id is not None
    personal_data.erase(TERMINAL, annotator.id, keep_ratings=True)
    everybody = {person.name: person for person in people.listed(TERMINAL)}
    assert {name: person.state for name, person in everybody.items()} == {
        "ann@example.org": "active",
        "late": "expired",
        "gone": "revoked",
        f"erased {annotator.id}": "erased",
    }
    assert (everybody["gone"].study, everybody["late"].study) == (study.name, "")
    assert [person.name for person in people.listed(TERMINAL, study.id)] == ["gone", f"erased {annotator.id}"]
