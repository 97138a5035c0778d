"""A researcher runs the studies that they made or were given, and no others; owners run all."""

from collections.abc import Callable
from typing import Any

import pytest

from core.annotation.builtin import MANS
from core.annotation.panel import End
from core.annotation.scheme import QualityRules
from core.errors import InputError, NotAllowed
from core.people import TERMINAL, Person, Role
from core.recruitment import Recruitment
from db.annotation import onboarding, previews, recruitment, settings
from db.jobs import jobs
from db.monitor import monitor, panels, payments
from db.people import people
from db.ratings import evidence, raters
from db.studies import event_log, lifecycle, story_list, story_texts, studies
from db.training import perceptions, rated_stories
from db.transfer import exports, imports
from tests.db.conftest import make_annotator, make_study, small_corpus


def researcher(*runs: int) -> Person:
    person = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="Rae", runs=runs))
    assert person is not None
    return person


FORBIDDEN: list[Callable[[Person, int], Any]] = [
    previews.panels_per_annotator,
    previews.given_out,
    lambda by, study: previews.panel(by, study, 1),
    lambda by, study: settings.set_rules(by, study, QualityRules()),
    lambda by, study: settings.set_form(by, study, MANS),
    lambda by, study: settings.set_ends(by, study, "", {end: f"C{number}" for number, end in enumerate(End)}),
    lambda by, study: onboarding.set_practice(by, study, None),
    onboarding.results,
    lambda by, study: recruitment.set_recruitment(by, study, Recruitment("prolific", secured=False)),
    lambda by, study: jobs.add(by, "score", study, {"metrics": ["bleu"]}),
    monitor.exported,
    lambda by, study: panels.rejudge(by, study, QualityRules()),
    lambda by, study: payments.set_payment(by, study, "1", "EUR"),
    lambda by, study: payments.pay_all(by, study, 0),
    evidence.marked,
    raters.names,
    event_log.kinds,
    lambda by, study: list(event_log.exported(by, study)),
    studies.open_study,
    studies.close_study,
    lambda by, study: lifecycle.rename(by, study, "mine now"),
    lambda by, study: lifecycle.clone(by, study, "a copy"),
    lifecycle.archive,
    story_texts.of_study,
    story_list.systems,
    perceptions.listed,
    rated_stories.judged_texts,
    lambda by, study: exports.files(by, study, "csv"),
    lambda by, study: people.invite(by, Role.ANNOTATOR, study_id=study),
    lambda by, study: people.invite_many(by, ["Ann"], study),
    people.listed,
]


@pytest.mark.parametrize("action", FORBIDDEN, ids=range(len(FORBIDDEN)))
def test_nothing_is_done_to_anothers_study(database: str, action: Callable[[Person, int], Any]) -> None:
    mine, other = make_study("mine"), make_study("other")
    with pytest.raises(NotAllowed, match="not one of yours"):
        action(researcher(mine.id), other.id)


def test_nor_to_its_people_stories_or_jobs(database: str) -> None:
    mine, other = make_study("mine"), make_study("other")
    by = researcher(mine.id)
    annotator = make_annotator(other).id or 0
    job = jobs.add(TERMINAL, "score", other.id, {"metrics": ["bleu"]}).id
    story = story_list.stories(TERMINAL, other.id, None, "", most=1)[0][0].id
    forbidden: list[Callable[[], Any]] = [
        lambda: people.qualify(by, annotator, False),
        lambda: people.failed_practice(by, annotator),
        lambda: people.revoke(by, annotator),
        lambda: people.renew(by, annotator),
        lambda: payments.set_bonus(by, annotator, "1", "well done"),
        lambda: jobs.cancel(by, job),
        lambda: jobs.resume(by, job),
        lambda: story_list.story_opening(by, story),
        lambda: imports.import_corpora(by, "other", [small_corpus(3)]),
    ]
    for action in forbidden:
        with pytest.raises(NotAllowed, match="not one of yours"):
            action()


@pytest.mark.both_databases
def test_what_one_makes_is_ones_own(database: str) -> None:
    by, other = researcher(), researcher()
    made = [
        studies.create(by, "empty"),
        imports.import_corpora(by, "full", [small_corpus()]),
    ]
    made.append(lifecycle.clone(by, made[1].id, "copy"))
    assert [summary.study.name for summary in studies.summaries(by)] == ["copy", "full", "empty"]
    assert studies.summaries(other) == []
    assert len(studies.summaries(TERMINAL)) == 3
    studies.open_study(by, made[1].id)
    assert studies.get(made[1].id).state == "open"


def test_an_owner_gives_and_takes(database: str) -> None:
    one, two = make_study("one"), make_study("two")
    by = researcher(one.id)
    people.set_studies(TERMINAL, by.id or 0, [two.id])
    assert people.studies_of(TERMINAL, by.id or 0) == {two.id}
    assert [summary.study.name for summary in studies.summaries(by)] == ["two"]
    assert [entry.kind for entry in event_log.exported(TERMINAL, one.id)][-2:] == ["study given", "study taken back"]
    with pytest.raises(NotAllowed):
        people.set_studies(by, by.id or 0, [one.id, two.id])
    with pytest.raises(InputError, match="no study 99"):
        people.set_studies(TERMINAL, by.id or 0, [99])
    with pytest.raises(InputError, match="given to researchers"):
        people.set_studies(TERMINAL, make_annotator(one).id or 0, [one.id])
    with pytest.raises(InputError, match="given to researchers"):
        people.invite(TERMINAL, Role.OWNER, runs=[one.id])


def test_annotators_run_nothing(database: str) -> None:
    assert studies.summaries(make_annotator(make_study())) == []
