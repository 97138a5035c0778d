"""A study tried out: the same rules as for an annotator, and nothing but values."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.annotation.builtin import scheme_of
from core.annotation.onboarding import Practice
from core.annotation.onboarding_items import built_in_items
from core.annotation.panel import Answer, End, Panel, PanelPair, PanelStory, letter
from core.annotation.rehearsal import Rehearsal, RehearsalStep, RehearsedPanel
from core.annotation.scheme import QualityRules, default_rules
from core.annotation.studies import Study, StudyState
from core.errors import InputError, NotAllowed
from core.recruitment import Recruitment
from core.stories import Source

SOURCES = (Source.SYSTEM, Source.HUMAN, Source.NEGATIVE)


def study_of(scheme: str = "mans", **settings: object) -> Study:
    study = Study(1, "s", scheme, QualityRules(), StudyState.DRAFT, True, False, "1", datetime.now(UTC))
    return replace(study, codes={str(end): f"CODE-{end.name}" for end in End}, **settings)  # type: ignore[arg-type]


def panel_of(*sources: Source) -> RehearsedPanel:
    stories = tuple(PanelStory(f"t{i}", letter(i), f"Text number {i}.", Answer()) for i in range(len(sources)))
    return RehearsedPanel(Panel("t0", "Opening.", stories), {f"t{i}": source for i, source in enumerate(sources)})


def pairs_of(*pairs: tuple[Source, Source]) -> RehearsedPanel:
    held = panel_of(*(source for pair in pairs for source in pair))
    stories = held.panel.stories
    shown = tuple(PanelPair("Opening.", (stories[at], stories[at + 1]), Answer()) for at in range(0, len(stories), 2))
    return replace(held, panel=replace(held.panel, pairs=shown))


def rated(human: int, negative: int) -> Rehearsal:
    scheme = scheme_of("mans")
    begun = Rehearsal(3, consent=True).with_panel(panel_of(*SOURCES))
    for token, overall in (("t0", 3), ("t1", human), ("t2", negative)):
        begun = begun.rated(scheme, token, overall).deducted(scheme, token, "unrelated events", 1)
    return begun


@pytest.mark.parametrize(
    ("human", "negative", "reason"),
    [
        (5, 1, ""),
        (3, 1, "the human story was rated 3, below 4"),
        (5, 3, "the negative story was rated 3, above 2"),
        (2, 4, "the human story was rated 2, below 4; the negative story was rated 4, above 2"),
    ],
)
def test_a_panel_is_judged_as_the_rules_judge(human: int, negative: int, reason: str) -> None:
    after = rated(human, negative).handed_in(study_of())
    assert after.verdict is not None
    assert (after.verdict.valid, after.verdict.reason) == (not reason, reason)
    turn = after.turn(study_of())
    assert (turn.panel, turn.finished, turn.last_rejected) == (None, 1, bool(reason))


def test_what_is_missing_is_named_and_doubts_come_once() -> None:
    study, scheme = study_of(), scheme_of("mans")
    begun = Rehearsal(3).with_panel(panel_of(*SOURCES)).rated(scheme, "t0", 5)
    with pytest.raises(InputError, match="stories B and C first"):
        begun.doubts(scheme)
    with pytest.raises(InputError, match="stories B and C first"):
        begun.handed_in(study)
    whole = begun.deducted(scheme, "t0", "chaotic scenes", 2).rated(scheme, "t1", 4).rated(scheme, "t2", 3)
    assert [(doubt.letter, doubt.points) for doubt in whole.doubts(scheme)] == [("A", 2)]
    assert replace(whole, asked=True).doubts(scheme) == ()


def test_an_answer_changes_as_on_the_real_form() -> None:
    scheme = scheme_of("mans")
    begun = Rehearsal(1).with_panel(panel_of(*SOURCES)).marked(scheme, "t0", "repetitive plots", (0, 4))
    assert begun.answer_of("t0").deductions == {"repetitive plots": 1}
    begun = begun.deducted(scheme, "t0", "repetitive plots", 2).marked(scheme, "t0", "repetitive plots", (3, 9))
    assert begun.answer_of("t0").deductions == {"repetitive plots": 2}
    assert begun.answer_of("t0").spans == {"repetitive plots": ((0, 9),)}
    assert begun.unmarked("t0", "repetitive plots", (2, 3)).answer_of("t0").spans == {}
    assert begun.deducted(scheme, "t0", "repetitive plots", None).answer_of("t0") == Answer()
    assert begun.answer_of("t1") == Answer()


def test_what_the_form_does_not_offer_is_refused() -> None:
    scheme = scheme_of("mans")
    begun = Rehearsal(1).with_panel(panel_of(*SOURCES))
    for change in (
        lambda: begun.rated(scheme, "t0", 6),
        lambda: begun.deducted(scheme, "t0", "chaotic scenes", 1),
        lambda: begun.deducted(scheme, "t0", "boredom", 1),
        lambda: begun.marked(scheme, "t0", "chaotic scenes", (0, 999)),
    ):
        with pytest.raises(InputError):
            change()
    with pytest.raises(NotAllowed):
        begun.rated(scheme, "other", 3)
    with pytest.raises(NotAllowed):
        Rehearsal(1).rated(scheme, "t0", 3)


def test_the_way_through_a_study_with_everything() -> None:
    scheme = scheme_of("mans")
    study = study_of(consent="Agree?", practice=Practice(built_in_items(scheme)[:1], 1, 1))
    now = Rehearsal(1)
    assert now.steps(study) == list(RehearsalStep)
    assert (now.at(study), now.turn(study).consent) == (RehearsalStep.CONSENT, "Agree?")
    assert replace(now, consent=False).turn(study).end is End.NO_CONSENT
    now = replace(now, consent=True)
    assert now.at(study) is RehearsalStep.PRACTICE
    item = now.turn(study).practice
    assert item is not None
    failed = now.practise(study, 1, item.token, 1, {})
    assert (failed.turn(study).end, failed.turn(study).code) == (End.NOT_QUALIFIED, "CODE-NOT_QUALIFIED")
    assert failed.practise(study, 1, "gone", 5, {}) == failed
    now = now.practise(study, 1, item.token, 5, {})
    assert now.turn(study).end is None
    now = now.with_panel(panel_of(*SOURCES))
    assert (now.at(study), now.turn(study).practice) == (RehearsalStep.PANEL, None)
    for token, overall in (("t0", 3), ("t1", 5), ("t2", 1)):
        now = now.rated(scheme, token, overall)
    now = now.handed_in(study)
    assert (now.turn(study).end, now.turn(study).code) == (End.COMPLETE, "CODE-COMPLETE")


@pytest.mark.parametrize("step", list(RehearsalStep))
def test_every_part_can_be_gone_to(step: RehearsalStep) -> None:
    study = study_of(consent="Agree?", practice=Practice(built_in_items(scheme_of("mans"))[:1]))
    rehearsal = rated(5, 1).gone_to(step)
    assert (rehearsal.given, rehearsal.verdict, rehearsal.begun) == ({}, None, 1)
    if step is RehearsalStep.PANEL:  # once a panel was read
        rehearsal = rehearsal.with_panel(panel_of(*SOURCES))
    assert rehearsal.at(study) is step


def test_a_study_without_stories_consent_and_practice_has_two_parts() -> None:
    study = study_of()
    assert Rehearsal(0).steps(study) == [RehearsalStep.INSTRUCTIONS, RehearsalStep.END]
    assert Rehearsal(0).turn(study).end is None


@pytest.mark.parametrize("end", list(End))
def test_codes_of_the_ends(end: End) -> None:
    looked = Rehearsal(1, consent=True, end=end)
    plain = looked.turn(study_of())
    assert (plain.end, plain.code, plain.back) == (end, f"CODE-{end.name}", "")
    assert plain.earlier_code == ("CODE-COMPLETE" if end is End.ALREADY_DONE else "")
    assert looked.turn(study_of(recruitment=Recruitment("prolific", secured=False))).back.endswith(
        f"cc=CODE-{end.name}"
    )
    assert looked.turn(study_of(recruitment=Recruitment("mturk"))).code == ""


def test_a_pair_has_one_answer() -> None:
    study, scheme = study_of("turing"), scheme_of("turing")
    begun = Rehearsal(1).with_panel(pairs_of((Source.HUMAN, Source.SYSTEM)))
    with pytest.raises(InputError, match=r"Please answer first\."):
        begun.handed_in(study)
    after = begun.rated(scheme, "t0", 1, "preference").handed_in(study)
    assert after.verdict is not None
    assert after.verdict.valid


def test_a_panel_of_pairs_is_judged_by_what_is_preferred_to_the_damaged_story() -> None:
    study, scheme = study_of("preferences", rules=default_rules(scheme_of("preferences"))), scheme_of("preferences")
    begun = Rehearsal(1).with_panel(pairs_of((Source.SYSTEM, Source.SYSTEM), (Source.NEGATIVE, Source.HUMAN)))
    once = begun.rated(scheme, "t0", -1, "preference")
    with pytest.raises(InputError, match="which story is better in pair 2 first"):
        once.handed_in(study)
    for side, reason in (
        (1, ""),
        (0, "the damaged story was found as good"),
        (-1, "the damaged story was found better"),
    ):
        verdict = once.rated(scheme, "t2", side, "preference").handed_in(study).verdict
        assert verdict is not None
        assert (verdict.valid, verdict.reason) == (not reason, reason)


def test_one_who_fails_panel_after_panel_comes_to_the_end_that_they_would() -> None:
    study = study_of()
    now = Rehearsal(9)
    for _ in range(3):
        assert now.turn(study).end is None
        now = replace(rated(1, 1), most=9, failed=now.failed, finished=now.finished).handed_in(study)
    assert (now.turn(study).end, now.turn(study).paused) == (End.NOT_QUALIFIED, 3)
    assert now.turn(replace(study, rules=QualityRules(pause_after=0))).end is None
