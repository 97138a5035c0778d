"""What the Monitor reads is what the slow ways find, whatever the scheme and whatever was decided."""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import update

from core.analysis.judgments.judgments import summarise
from core.annotation.builtin import SCHEMES
from core.annotation.criterion import Criterion
from core.annotation.monitor.bad_controls import bad_control_pairs, bad_controls
from core.annotation.monitor.flags import comparable, flags
from core.annotation.monitor.overview import overview
from core.annotation.quality import Payment
from core.annotation.raters import AgreementSummary
from core.annotation.scheme import CHECK
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.stories import Source
from db.annotation import assignments, panel_submission, settings, slots
from db.audit import now
from db.engine import writing
from db.monitor import monitor, panels, payments
from db.people import people
from db.ratings import ratings
from db.schema import assignment, person, rating_value, training_answer
from db.studies import studies
from db.transfer import imports
from tests.db.annotation.assignments import begin, overtaken, rate, save
from tests.db.conftest import Clock, make_annotator, make_study, small_corpus
from tests.db.monitor.panels import hand_in_as
from tests.db.slow import whole_panels

CHECKED = Criterion(CHECK, "Choose 2 here.", tuple((step, str(step)) for step in range(1, 6)), "nominal")


def worked(scheme: str, seed: int = 0) -> Study:
    """A study of a scheme in which five people rated at random, some was decided by hand, one panel is in surplus."""
    rng = random.Random(seed)
    study = studies.create(TERMINAL, f"{scheme} {seed}", scheme)
    imports.import_corpora(TERMINAL, study.name, [small_corpus(3)])
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=3))
    if not study.scheme.unit.of_pairs:
        settings.set_form(TERMINAL, study.id, replace(studies.get(study.id).scheme, check=CHECKED, check_answer=2))
    studies.open_study(TERMINAL, study.id)
    form = studies.get(study.id).scheme
    steps = [step for step, _ in form.scale]
    for number in range(5):
        annotator = make_annotator(study, f"person {number}")
        for _ in range(rng.randint(1, 3)):
            panel = assignments.turn(annotator, claim=True).panel
            if panel is None:
                break
            for place, shown in enumerate([pair.stories[0] for pair in panel.pairs] or panel.stories):
                overall = steps[0] if number == 3 else rng.choice(steps)
                for criterion in form.form_at(place, len(panel.stories)).criteria:
                    value = overall if criterion.name in form.names and number % 2 else rng.choice(criterion.steps)
                    overall = value if criterion == form.main else overall
                    ratings.save_value(annotator, shown.token, value, criterion.name)
                if form.takes_reasons(overall):
                    kinds = rng.sample(form.error_types, rng.randint(1 if form.reasons_for else 0, 2))
                    for kind in kinds:
                        ratings.save_deduction(annotator, shown.token, kind.name, rng.choice(kind.points or (0,)))
            panel_submission.submit(annotator, panel.token)
    return studies.get(study.id)


def check(study: Study) -> None:
    """Everything that is read quickly is what is read slowly."""
    slow = whole_panels(study.id)
    data = monitor.read(study.id)
    assert list(data.panels) == [panel.brief for panel in slow]
    given = {number: sorted(each) for number, each in monitor.ratings_of(study.id).items()}
    assert given == {panel.id: sorted(panel.ratings) for panel in slow}
    result = overview(data, study.rules)
    assert result.remarks == flags([panel.brief for panel in slow], comparable(data.agreement))
    assert list(result.controls) == bad_controls([panel.brief for panel in slow], study.rules)
    assert list(result.control_pairs) == bad_control_pairs([panel.brief for panel in slow], study.rules)
    assert sum(row.panels for row in result.people) == len(slow)
    assert sum(row.valid for row in result.people) == sum(panel.valid for panel in slow)
    for row in result.people:
        theirs = [p for p in slow if p.person_id == row.member.person.id and p.seconds > 0]
        assert row.minutes == (pytest.approx(np.median([p.seconds for p in theirs]) / 60) if theirs else None)
    for panel in slow:
        annotator_agreement = panels.panel(study.id, panel.id)
        assert {name: getattr(panel, name) for name in vars(annotator_agreement)} == vars(annotator_agreement)
    check_agreement(study, data.agreement)


def check_agreement(study: Study, agreement: Mapping[int, AgreementSummary]) -> None:
    """How each agrees with the rest is what the Judgments page finds; of pairs that finds nothing."""
    if study.scheme.unit.of_pairs:
        assert set(agreement) <= {panel.person_id for panel in whole_panels(study.id) if panel.valid}
        return
    judged = summarise(
        ratings.judged_stories(study.id), study.scheme, annotators=None, raters_identified=True, resamples=0
    ).against_the_rest.annotators
    assert set(agreement) == set(judged)
    for who, annotator_agreement in judged.items():
        glance = agreement[who]
        assert glance.n == annotator_agreement.n
        assert glance.pearson == (
            None if annotator_agreement.pearson.value is None else pytest.approx(annotator_agreement.pearson.value)
        )
        assert glance.leniency == pytest.approx(annotator_agreement.leniency.value)


@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.parametrize("scheme", list(SCHEMES))
def test_the_quick_way_is_the_slow_way(database: str, scheme: str) -> None:
    study = worked(scheme)
    check(study)
    first = whole_panels(study.id)[0]
    panels.override(TERMINAL, first.id, valid=not first.valid, reason="read again")
    panels.pay(TERMINAL, first.id, Payment.WITHHELD, "copied")
    check(study)


def test_contradictions_are_those_that_the_scheme_implies(database: str) -> None:
    study = make_study(prompts=1, wanted=5)
    every = {kind.name: max(kind.points) for kind in study.scheme.error_types}  # more points than the scale has steps
    kinds = ({}, {"repetitive plots": 1}, {"repetitive plots": 2, "unrelated events": 1}, every)
    for number, points in enumerate(kinds):
        annotator = make_annotator(study, str(number))
        panel = begin(annotator)
        given = [1, 2, 3, 4, 5, 5, 5]
        for shown, overall in zip(panel.stories, given, strict=True):
            save(annotator, shown.token, overall, points)
        panel_submission.submit(annotator, panel.token)
    # 1 and 2 with nothing deducted; none with a point less; 4 and the 5s with an implied 2; 3 and up with an implied 1
    assert [panel.contradictions for panel in monitor.read(study.id).panels] == [2, 0, 4, 5]


@pytest.mark.both_databases
def test_surplus_a_note_a_clock_set_back_and_imports(database: str, clock: Clock) -> None:
    study = make_study(prompts=2, wanted=1)
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    late, _ = overtaken(slow, quick)
    panel_submission.submit(slow, late.token)
    careless = make_annotator(study, "careless")
    panel = begin(careless)
    rate(careless, panel, human=1)
    clock.move(minutes=-30)
    save(careless, panel.stories[0].token, 4, {})
    clock.move(minutes=31)
    panel_submission.submit(careless, panel.token)
    panel_submission.appeal(careless, "why?")
    with writing() as connection:
        connection.execute(update(rating_value).where(rating_value.c.rating_id == 1).values(value=5.0))
    check(study)
    briefs = {panel.annotator.split(" (")[0]: panel for panel in monitor.read(study.id).panels}
    assert (briefs["slow"].verdict, briefs["careless"].noted, briefs["careless"].seconds) == ("surplus", True, 0.0)


@pytest.mark.both_databases
def test_how_stories_are_rated_by_where_they_are_from(database: str) -> None:
    study = make_study(prompts=2, wanted=3)
    one, other = make_annotator(study, "one"), make_annotator(study, "other")
    hand_in_as(one, study, human=5, negative=1)
    hand_in_as(other, study, human=1, negative=4)  # rejected, and among them all the same
    owner = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert owner is not None
    hand_in_as(replace(owner, study_id=study.id), study, human=3, negative=3)  # a try
    means = {(mean.source, mean.system): (mean.ratings, mean.mean) for mean in monitor.read(study.id).means}
    assert means == {
        (Source.HUMAN, ""): (2, 3.0),
        (Source.NEGATIVE, ""): (2, 2.5),
        **{(Source.SYSTEM, name): (2, 3.0) for name in ("one", "two", "three", "four", "five")},
    }


def test_an_empty_study_and_one_without_people(database: str) -> None:
    study = make_study()
    data = monitor.read(study.id)
    assert (data.panels, data.members, data.agreement, data.begun) == ((), (), {}, None)
    result = overview(data, study.rules)
    assert (result.steps, result.rejected, result.sums.due) == ((), 0, 0)


@pytest.mark.both_databases
def test_where_people_stand(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    names = ("invited", "begun", "done", "revoked", "refused", "barred", "failed", "expired", "erased")
    crowd = {name: make_annotator(study, name) for name in names}
    begin(crowd["begun"])
    with writing() as connection:
        for name, change in {
            "done": {"completed_at": now()},
            "refused": {"consent": "declined"},
            "failed": {"qualified": False},
            "expired": {"expires_at": now() - timedelta(days=1)},
            "erased": {"erased_at": now()},
        }.items():
            connection.execute(update(person).where(person.c.id == crowd[name].id).values(**change))
        answer = {"attempt": 1, "item": 0, "overall": 3, "error_types": [], "correct": False, "at": now()}
        connection.execute(training_answer.insert().values(person_id=crowd["failed"].id, study_id=study.id, **answer))
    people.revoke(TERMINAL, crowd["revoked"].id or 0)
    people.qualify(TERMINAL, crowd["barred"].id or 0, False)
    states = {member.person.name: member.state for member in monitor.read(study.id).members}
    assert states == {
        "invited": "invited",
        "begun": "has begun",
        "done": "finished",
        "revoked": "link revoked",
        "refused": "did not agree",
        "barred": "may not take part",
        "failed": "failed the practice",
        "expired": "link expired",
        "erased": "erased",
    }


@pytest.mark.both_databases
def test_what_is_in_hand(database: str) -> None:
    study = make_study(prompts=2, wanted=1)
    first, second = make_annotator(study, "first"), make_annotator(study, "second")
    panel = begin(first)
    save(first, panel.stories[0].token, 3, {})
    ratings.save_deduction(first, panel.stories[1].token, "unrelated events", 1)  # no rating yet
    begin(second)
    with writing() as connection:
        gone = assignment.c.person_id == second.id
        connection.execute(update(assignment).where(gone).values(lease_until=now() - timedelta(seconds=1)))
    newest, oldest = monitor.in_hand(study.id)
    assert (newest.called, newest.answered, newest.answers, newest.live) == (
        f"second (annotator {second.id})",
        0,
        7,
        False,
    )
    assert (oldest.called, oldest.answered, oldest.answers, oldest.live) == (
        f"first (annotator {first.id})",
        1,
        7,
        True,
    )
    assert oldest.until is not None
    assert oldest.since < oldest.until
    assert slots.progress(study.id).open == 1


@pytest.mark.both_databases
def test_the_version_changes_with_what_is_shown_and_with_nothing_else(database: str) -> None:
    study = make_study(prompts=2, wanted=1)
    other = make_study("other")
    annotator = make_annotator(study)
    seen = [monitor.version(study.id)]
    panel = begin(annotator)
    rate(annotator, panel, human=1)
    make_annotator(other)
    assert monitor.version(study.id) == seen[-1]

    def changes() -> None:
        seen.append(monitor.version(study.id))
        assert seen[-1] not in seen[:-1]

    panel_submission.submit(annotator, panel.token)
    changes()
    panel_submission.appeal(annotator, "why?")
    changes()
    (whole_panel,) = whole_panels(study.id)
    panels.override(TERMINAL, whole_panel.id, valid=True, reason="good enough")
    changes()
    payments.set_payment(TERMINAL, study.id, "1", "EUR")
    changes()
    payments.pay_all(TERMINAL, study.id, overview(monitor.read(study.id), study.rules).sums.due)
    changes()
    people.qualify(TERMINAL, annotator.id or 0, False)
    changes()
    people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    changes()
