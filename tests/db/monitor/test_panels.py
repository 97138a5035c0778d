"""What a study's owner decides: verdicts by hand, payment, judging again, and the trace each leaves."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from core.annotation.monitor.bad_controls import bad_controls
from core.annotation.panel import End, NoteReply, Panel
from core.annotation.quality import Payment, what_if
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed, NotFound
from core.people import TERMINAL, Person
from db.annotation import assignments, notes, panel_submission, settings, slots
from db.audit import now
from db.engine import reading, writing
from db.monitor import monitor, panels
from db.people import people
from db.ratings import ratings
from db.schema import assignment
from db.studies import studies
from tests.core.annotation.whole_panel import WholePanel
from tests.db.annotation.assignments import begin, overtaken, rate
from tests.db.conftest import make_annotator, make_study
from tests.db.monitor.panels import events, hand_in, newest
from tests.db.slow import whole_panels


def again(study: Study, panel: WholePanel) -> WholePanel:
    return next(p for p in whole_panels(study.id) if p.id == panel.id)


def test_what_the_owner_sees_of_a_panel(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel, human=5, negative=2)
    ratings.save_deduction(annotator, panel.stories[0].token, "unrelated events", 2)
    ratings.save_deduction(annotator, panel.stories[0].token, "conflicting logic", 2)
    panel_submission.submit(annotator, panel.token)
    seen = newest(study)
    assert (seen.valid, seen.state, seen.payment, seen.overridden) == (True, "submitted", "due", False)
    assert (seen.human, seen.negative) == ((5.0,), (2.0,))
    assert [overall for _, overall in seen.ratings] == [3.0] * 5
    assert seen.words == sum(len(s.text.split()) for s in panel.stories)
    assert seen.seconds > 0
    # The negative's 2 without deductions; the first story's, from which 4 points were taken, unless it is the negative.
    assert seen.contradictions in (0, 2)


@pytest.mark.both_databases
def test_what_the_form_asked_about_and_stayed_is_not_flagged(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    for shown in panel.stories:
        ratings.save_value(annotator, shown.token, 4)
    kept, changed = panel.stories[:2]
    ratings.save_value(annotator, kept.token, 2)
    assert [doubt.letter for doubt in panel_submission.doubts(annotator, panel.token)] == ["A"]
    ratings.save_value(annotator, changed.token, 1)  # after the question, which was not about it
    panel_submission.submit(annotator, panel.token)
    (seen,) = monitor.read(study.id).panels
    assert seen.contradictions == 1
    first, second, *others = panels.stories_of(seen.id)
    assert first.flag.startswith("Asked about, and kept: rated 2 with nothing deducted.")
    assert second.flag.startswith("Flagged: rated 1 with nothing deducted.")
    assert not any(story.flag for story in others)


@pytest.mark.both_databases
def test_a_panel_is_read_as_it_was_shown_with_its_log(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel, human=1)
    ratings.save_deduction(annotator, panel.stories[2].token, "unrelated events", 2)
    panel_submission.submit(annotator, panel.token)
    seen = newest(study)
    read = panels.stories_of(seen.id)
    assert [(read_story.letter, read_story.text) for read_story in read] == [(s.letter, s.text) for s in panel.stories]
    assert sorted(read_story.origin for read_story in read) == [
        "five",
        "four",
        "human",
        "negative",
        "one",
        "three",
        "two",
    ]
    assert read[2].deductions == {"unrelated events": 2}
    assert [(story.origin, story.flag.partition(" Nobody")[0]) for story in read if story.flag] == [
        (story.origin, f"Flagged: rated {story.values['overall']:g} with nothing deducted.")
        for story in read
        if story.values["overall"] <= 2 and not story.deductions
    ]
    assert len([story for story in read if story.flag]) == seen.contradictions > 0
    assert next(read_story.values["overall"] for read_story in read if read_story.origin == "human") == 1
    panel_submission.appeal(annotator, "look again")
    panels.override(TERMINAL, seen.id, valid=True, reason="looked again")
    log = panels.history(study.id, seen.id)
    assert [kind for _, kind, _ in log] == [
        *("panel claimed", "panel submitted", "appeal", "verdict overridden", "surplus counted")
    ]
    assert '"before": {"valid": false, "state": "submitted"}' in log[3][2]  # what was, beside what is
    assert "looked again" not in str(log)  # the log is for good, and a reason may speak of a person


@pytest.mark.both_databases
def test_an_override_counts_a_panel_and_leaves_a_trace(study: Study) -> None:
    refused = hand_in(study, "strict", human=3)
    assert not refused.valid
    before = slots.progress(study.id).left
    panels.override(TERMINAL, refused.id, valid=True, reason="the human story is poor indeed")
    seen = again(study, refused)
    assert (seen.valid, seen.overridden, seen.reason) == (True, True, "the human story is poor indeed")
    assert slots.progress(study.id).left == before - 1
    (trace,) = events("verdict overridden")
    assert trace["before"] == {"valid": False, "state": "submitted"}
    assert trace["after"] == {"valid": True, "characters": len("the human story is poor indeed")}


def test_a_panel_that_counts_again_after_its_slot_was_filled_is_surplus(study: Study) -> None:
    refused = hand_in(study, "first", human=2)
    for name in ("second", "third"):
        hand_in(study, name)
    assert slots.progress(study.id).left == 0
    panels.override(TERMINAL, refused.id, valid=True, reason="appeal granted")
    assert again(study, refused).state == "surplus"
    assert all(len(s.ratings) == 1 for s in ratings.judged_stories(study.id))


def test_surplus_takes_the_place_of_what_is_rejected_later(study: Study) -> None:
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    late, taken = overtaken(slow, quick)
    rate(quick, taken)
    panel_submission.submit(quick, taken.token)
    panel_submission.submit(slow, late.token)
    counted, reserve = whole_panels(study.id)[::-1]
    assert {counted.state, reserve.state} == {"submitted", "surplus"}
    if counted.state == "surplus":
        counted, reserve = reserve, counted
    panels.override(TERMINAL, counted.id, valid=False, reason="a bot")
    assert again(study, reserve).state == "submitted"
    assert [len(s.ratings) for s in ratings.judged_stories(study.id)] == [1] * 7
    panels.override(TERMINAL, reserve.id, valid=False, reason="the same bot")
    assert slots.progress(study.id).valid == 0
    assert begin(make_annotator(study, "human")).prompt == taken.prompt  # its slot is open again, and only once
    assert slots.progress(study.id).open == 1


def surplus_of(study: Study) -> tuple[WholePanel, Person]:
    """A panel that came in late, valid, while somebody else holds its slot."""
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    late, _ = overtaken(slow, quick)
    panel_submission.submit(slow, late.token)
    assert newest(study).state == "surplus"
    return newest(study), quick


def test_surplus_counts_before_another_is_asked_for_the_same_work(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    late, quick = surplus_of(study)
    with writing() as connection:  # the one who took the slot leaves
        connection.execute(update(assignment).where(assignment.c.person_id == quick.id).values(lease_until=now()))
    assert assignments.turn(make_annotator(study, "third"), claim=True).end is End.FULL
    assert again(study, late).state == "submitted"
    assert [len(s.ratings) for s in ratings.judged_stories(study.id)] == [1] * 7
    assert [e["assignment"] for e in events("surplus counted")] == [late.id]
    assert assignments.turn(quick).end is End.EXPIRED


def test_wanting_more_ratings_counts_surplus_first_and_wanting_fewer_takes_none_away(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    late, quick = surplus_of(study)
    panel = begin(quick)
    rate(quick, panel)
    panel_submission.submit(quick, panel.token)
    before = ratings.version(study.id)
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=2))
    assert again(study, late).state == "submitted"
    assert slots.progress(study.id).left == 0
    assert ratings.version(study.id) != before
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=1))
    assert [len(s.ratings) for s in ratings.judged_stories(study.id)] == [2] * 7


def test_surplus_waits_while_somebody_is_at_work(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    late, _ = surplus_of(study)
    settings.set_rules(TERMINAL, study.id, replace(study.rules, lease_minutes=30))
    assignments.turn(make_annotator(study, "visitor"))
    assert again(study, late).state == "surplus"
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=2))
    assert again(study, late).state == "submitted"
    assert (slots.progress(study.id).valid, slots.progress(study.id).open) == (1, 1)


@pytest.mark.both_databases
def test_a_rejection_lets_surplus_count_at_once(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    late, quick = surplus_of(study)
    panel = begin(quick)
    rate(quick, panel, human=1)
    panel_submission.submit(quick, panel.token)
    assert again(study, late).state == "submitted"


def test_payment_is_apart_from_validity(study: Study) -> None:
    refused = hand_in(study, "careless", human=1)
    assert (refused.valid, refused.payment) == (False, "due")
    panels.pay(TERMINAL, refused.id, Payment.PAID)
    assert (again(study, refused).valid, again(study, refused).payment) == (False, "paid")
    with pytest.raises(InputError, match="Give a reason"):
        panels.pay(TERMINAL, refused.id, Payment.WITHHELD)
    panels.pay(TERMINAL, refused.id, Payment.WITHHELD, "seven ratings in four seconds")
    seen = again(study, refused)
    assert (seen.payment, seen.payment_reason, seen.reason) == (
        "withheld",
        "seven ratings in four seconds",
        refused.reason,
    )
    assert [e["after"] for e in events("payment set")][-1] == {
        "payment": "withheld",
        "category": "",
        "characters": len("seven ratings in four seconds"),
    }


def test_decisions_need_a_reason_a_panel_and_the_right(study: Study, annotator: Person) -> None:
    seen = hand_in(study, "one")
    with pytest.raises(InputError, match="Give a reason"):
        panels.override(TERMINAL, seen.id, valid=False, reason="  ")
    for decide in (
        lambda: panels.override(annotator, seen.id, valid=False, reason="mine"),
        lambda: panels.pay(annotator, seen.id, Payment.PAID),
        lambda: panels.rejudge(annotator, study.id, study.rules),
        lambda: people.qualify(annotator, annotator.id or 0, True),
    ):
        with pytest.raises(NotAllowed):
            decide()
    begin(annotator)
    open_id = max(e["assignment"] for e in events("panel claimed"))  # type: ignore[type-var]
    with pytest.raises(InputError, match="handed in"):
        panels.override(TERMINAL, int(str(open_id)), valid=False, reason="too slow")


def test_judging_again_follows_the_new_rule_and_spares_what_was_decided_by_hand(database: str) -> None:
    study = make_study(prompts=1, wanted=5)
    strict, careless, kept = (hand_in(study, n, human=h) for n, h in (("a", 3), ("b", 1), ("c", 3)))
    panels.override(TERMINAL, kept.id, valid=False, reason="copied from another")
    settings.set_rules(TERMINAL, study.id, QualityRules(human_least=2))
    assert not again(study, strict).valid  # a rule never reaches back by itself
    assert panels.rejudge(TERMINAL, study.id, QualityRules(human_least=2)) == 1
    assert [again(study, p).valid for p in (strict, careless, kept)] == [True, False, False]
    assert again(study, careless).reason == "the human story was rated 1, below 2"
    assert slots.progress(study.id).valid == 1
    assert panels.rejudge(TERMINAL, study.id, QualityRules(human_least=2)) == 0
    assert panels.rejudge(TERMINAL, study.id, QualityRules(human_least=1)) == 1
    assert studies.get(study.id).rules.human_least == 1


@pytest.mark.both_databases
def test_judging_again_is_all_or_nothing(database: str) -> None:
    study = make_study(prompts=1, wanted=5)
    strict, broken = hand_in(study, "a", human=3), hand_in(study, "b")
    with pytest.raises(InputError):
        panels.rejudge(TERMINAL, study.id, replace(study.rules, human_least=99))
    with writing() as connection:  # damage that shows only once the rules are stored
        mine = assignment.c.id == broken.id
        connection.execute(update(assignment).where(mine).values(stories=[[999_999, "A"]]))
    with pytest.raises(KeyError):
        panels.rejudge(TERMINAL, study.id, replace(study.rules, human_least=2))
    assert studies.get(study.id).rules == study.rules
    assert len(events("rules changed")) == 1  # that of the study's beginning
    with reading() as connection:
        assert not connection.scalar(select(assignment.c.valid).where(assignment.c.id == strict.id))


@pytest.mark.slow
def test_what_if_is_what_judging_again_then_does(database: str) -> None:
    study = make_study(prompts=2, wanted=3)
    for number in range(12):
        person = make_annotator(study, str(number))
        while (panel := assignments.turn(person, claim=True).panel) is not None:
            rate(person, panel, human=1 + number % 5, negative=1 + number % 3, system=1 + number % 4)
            panel_submission.submit(person, panel.token)
    rules = QualityRules(ratings_wanted=3, human_least=2, negative_most=3)
    data = monitor.read(study.id)
    told = what_if(data.panels, monitor.ratings_of(study.id), rules, study.scheme, units=2)
    panels.rejudge(TERMINAL, study.id, rules)
    result = whole_panels(study.id)
    assert told.rejected == sum(not p.valid for p in result)
    assert told.counted == sum(p.valid and p.state == "submitted" for p in result) == slots.progress(study.id).valid
    judged = [s for s in ratings.judged_stories(study.id) if not s.control]
    assert told.ratings_a_story == sum(len(s.ratings) for s in judged) / 10


def test_a_control_that_most_fail_is_flagged_and_nobody_is_rejected_for_it_twice(database: str) -> None:
    study = make_study(prompts=1, wanted=3)
    for number, human in enumerate((2, 1, 5, 3)):
        hand_in(study, str(number), human=human)
    (control,) = bad_controls([panel.brief for panel in whole_panels(study.id)], study.rules)
    assert (control.source, control.failed, control.judged) == ("human", 3, 4)


def test_an_appeal_reaches_the_owner(study: Study, annotator: Person) -> None:
    with pytest.raises(NotAllowed, match="not accepted"):
        panel_submission.appeal(annotator, "too early")
    panel: Panel = begin(annotator)
    rate(annotator, panel, human=1)
    panel_submission.submit(annotator, panel.token)
    with pytest.raises(InputError, match="Write 1 to"):
        panel_submission.appeal(annotator, " ")
    panel_submission.appeal(annotator, "The third story ends in the middle. <b>Look</b>")
    assert newest(study).appeal == "The third story ends in the middle. <b>Look</b>"
    assert assignments.turn(annotator).appeal == newest(study).appeal
    # The log has that there is a note, not what it says: the log is for good.
    assert events("appeal")[0] == {"assignment": newest(study).id, "characters": len(newest(study).appeal)}


def waits(study: Study) -> list[bool]:
    """Of each panel, oldest first, what every place that asks says of its note: they say the same."""
    briefs = monitor.read(study.id).panels
    said = [brief.note_waits for brief in briefs]
    assert [panels.panel(study.id, brief.id).note_waits for brief in briefs] == said
    assert notes.waiting(study.id) == sum(said)
    return said


@pytest.mark.both_databases
def test_a_note_waits_until_a_person_has_decided_and_its_writer_is_told(database: str) -> None:
    study = make_study(prompts=3)
    annotator = make_annotator(study)
    for human in (1, 2):
        panel = begin(annotator)
        rate(annotator, panel, human=human)
        panel_submission.submit(annotator, panel.token)
        panel_submission.appeal(annotator, f"I gave {human}.")
    assert waits(study) == [True, True]
    assert assignments.turn(annotator).reply is None
    panels.rejudge(TERMINAL, study.id, study.rules)
    assert waits(study) == [True, True]  # the rule is not a person
    first, last = whole_panels(study.id)
    panels.override(TERMINAL, last.id, valid=False, reason="it was not read")
    assert waits(study) == [True, False]
    assert assignments.turn(annotator).reply == NoteReply(2, "I gave 2.", accepted=False)
    panels.override(TERMINAL, last.id, valid=True, reason="it was")
    panels.override(TERMINAL, first.id, valid=True, reason="a poor story")
    assert waits(study) == [False, False]
    assert assignments.turn(annotator).reply == NoteReply(2, "I gave 2.", accepted=True)
    panel = begin(annotator)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    assert assignments.turn(annotator).reply == NoteReply(2, "I gave 2.", accepted=True)  # also after another one


@pytest.mark.both_databases
def test_a_note_that_replies_to_a_decision_by_hand_waits_for_another(study: Study) -> None:
    annotator = make_annotator(study)
    panel = begin(annotator)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    panels.override(TERMINAL, newest(study).id, valid=False, reason="too quick")
    assert waits(study) == [False]  # nothing was said to it
    panel_submission.appeal(annotator, "I read fast.")
    assert waits(study) == [True]
    assert assignments.turn(annotator).reply is None
    panels.override(TERMINAL, newest(study).id, valid=False, reason="too quick all the same")
    assert waits(study) == [False]
    assert assignments.turn(annotator).reply == NoteReply(1, "I read fast.", accepted=False)


def test_several_panels_are_decided_on_together_or_not_at_all(database: str) -> None:
    study = make_study(wanted=3)
    good, bad = hand_in(study, "good"), hand_in(study, "bad", human=1)
    with pytest.raises(InputError, match="Give a reason"):
        panels.override_all(TERMINAL, [good.id, bad.id], valid=False, reason=" ")
    assert panels.override_all(TERMINAL, [good.id, bad.id], valid=False, reason="a test run") == 1
    assert [again(study, whole_panel).valid for whole_panel in (good, bad)] == [False, False]
    assert [again(study, whole_panel).overridden for whole_panel in (good, bad)] == [True, False]
    with pytest.raises(NotFound):
        panels.override_all(TERMINAL, [good.id, 999], valid=True, reason="all")
    assert not again(study, good).valid
    assert panels.override_all(TERMINAL, [bad.id, good.id], valid=True, reason="all") == 2
    with pytest.raises(InputError, match="Give a reason"):
        panels.pay_each(TERMINAL, [good.id, bad.id], Payment.WITHHELD)
    assert {again(study, whole_panel).payment for whole_panel in (good, bad)} == {"due"}
    assert panels.pay_each(TERMINAL, [good.id, bad.id], Payment.PAID) == 2
    assert {again(study, whole_panel).payment for whole_panel in (good, bad)} == {"paid"}
    assert len(events("payment set")) == 2
