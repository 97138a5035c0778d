"""A draft's numbers, and which study on Prolific is kept as ours."""

import pytest

from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Role
from core.prolific.client import RemoteStudy
from core.recruitment import Recruitment
from db.annotation import recruitment
from db.people import people
from db.prolific import drafts
from db.studies import studies
from db.transfer import imports
from tests.db.annotation.assignments import begin
from tests.db.conftest import make_annotator, small_corpus
from tests.db.prolific.participants import PIDS, REMOTE, arrived, events, on_prolific, work

MADE = RemoteStudy(REMOTE, "UNPUBLISHED", 3, 300)


@pytest.mark.both_databases
def test_numbers_follow_the_slots(database: str) -> None:
    study = on_prolific(prompts=2, wanted=3)
    found = drafts.numbers(TERMINAL, study.id)
    assert (found.left, found.a_person, found.most_at_once, found.minutes, found.hundredths) == (6, 2, 3, None, 150)
    assert (found.places, found.reward) == (3, 300)
    work(arrived(study, PIDS[0]), 2)
    begin(arrived(study, PIDS[1]))  # in somebody's hands: nobody else is needed for it
    found = drafts.numbers(TERMINAL, study.id)
    assert (found.left, found.most_at_once, found.places) == (3, 2, 2)
    assert found.minutes is not None
    assert found.whole_minutes == 1


@pytest.mark.both_databases
def test_stories_rated_one_by_one_need_a_person_each_of_a_prompt(database: str) -> None:
    study = studies.create(TERMINAL, "one by one", "union")
    imports.import_corpora(TERMINAL, study.name, [small_corpus(2)])
    found = drafts.numbers(TERMINAL, study.id)
    wanted = studies.get(study.id).rules.ratings_wanted
    assert (found.left, found.a_person, found.most_at_once) == (10 * wanted, 2, 5 * wanted)
    assert found.places == 5 * wanted


def test_a_draft_is_kept_and_a_second_one_refused(database: str) -> None:
    study = on_prolific()
    with pytest.raises(InputError, match="drafted nothing"):
        drafts.draft_of(TERMINAL, study.id)
    drafts.check_new(TERMINAL, study.id, again=False)
    drafts.keep(TERMINAL, study.id, MADE, again=False)
    assert drafts.draft_of(TERMINAL, study.id) == REMOTE
    second = RemoteStudy("71" * 12, "UNPUBLISHED", 3, 300)
    for call in (
        lambda: drafts.check_new(TERMINAL, study.id, again=False),
        lambda: drafts.keep(TERMINAL, study.id, second, again=False),
    ):
        with pytest.raises(InputError, match=f"already, as {REMOTE}"):
            call()
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))  # by a form of settings
    assert drafts.draft_of(TERMINAL, study.id) == REMOTE
    drafts.keep(TERMINAL, study.id, second, again=True)
    assert drafts.draft_of(TERMINAL, study.id) == second.id
    drafts.published(TERMINAL, study.id, second)
    drafts.places_changed(TERMINAL, study.id, second, 2)
    kinds = ("drafted on Prolific", "published on Prolific", "places changed on Prolific")
    assert [kind for kind, _ in events(study, *kinds)] == [kinds[0], kinds[0], kinds[1], kinds[2]]


def test_a_study_is_open_before_it_is_published(database: str) -> None:
    study = on_prolific()
    drafts.keep(TERMINAL, study.id, MADE, again=False)
    studies.close_study(TERMINAL, study.id)
    with pytest.raises(InputError, match="Open the study first"):
        drafts.draft_of(TERMINAL, study.id, to_publish=True)
    assert drafts.draft_of(TERMINAL, study.id) == REMOTE


def test_the_rights_are_asked(database: str) -> None:
    study = on_prolific()
    stranger = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert stranger is not None
    for who in (stranger, make_annotator(study)):
        for call in (
            lambda who=who: drafts.numbers(who, study.id),
            lambda who=who: drafts.check_new(who, study.id, again=False),
            lambda who=who: drafts.keep(who, study.id, MADE, again=False),
            lambda who=who: drafts.draft_of(who, study.id),
            lambda who=who: drafts.published(who, study.id, MADE),
        ):
            with pytest.raises(NotAllowed):
                call()
