"""What is next in a study: nobody is led in a circle, or to a page that has nothing to show."""

from dataclasses import replace

import pytest

from core.annotation.builtin import scheme_of
from core.annotation.monitor.standing import Act, Counted, Standing, standing
from core.annotation.quality import StudyProgress
from core.annotation.scheme import default_rules
from core.annotation.studies import Study, StudyState, StudySummary
from db.audit import now

DRAFT, OPEN, CLOSED = StudyState.DRAFT, StudyState.OPEN, StudyState.CLOSED


def stands(
    *,
    state: StudyState = DRAFT,
    scheme: str = "mans",
    stories: int = 70,
    ratings: int = 0,
    valid: int = 0,
    invited: bool = False,
    metrics: int = 0,
    judges: int = 0,
    disagree: bool = False,
    found: bool = False,
    of_others: int = 0,
    of_people: int = 0,
    of_negatives: int = 0,
    demonstration: bool = False,
    rejected: int = 0,
    begun: int = 0,
    negatives: int = 0,
    wanted: int = 5,
    compared_people: int = 0,
    notes: int = 0,
    few: str = "",
) -> Standing:
    rules = replace(default_rules(scheme_of(scheme)), ratings_wanted=wanted)
    study = Study(1, "s", scheme, rules, state, True, demonstration, "1", now())
    prompts = 14 if stories else 0
    summary = StudySummary(study, prompts, stories, prompts, negatives, ratings, 0, rejected, begun, metrics, judges)
    progress = StudyProgress(10, valid, 0, 0, 0)
    rated = min(stories, ratings)
    given = ratings - of_others
    of = (of_people, of_negatives, disagree, found, compared_people, notes, few)
    return standing(Counted(summary, progress, invited, rated, given, *of))


def said(result: Standing) -> dict[str, str]:
    return {step.name: step.said for step in result.steps}


def done(result: Standing) -> list[bool]:
    return [step.done for step in result.steps]


def test_from_the_first_story_to_the_finding() -> None:
    assert stands(stories=0).next is Act.IMPORT
    assert said(stands(stories=0))["Ratings"].endswith("can be opened once it has stories")
    assert stands().next is Act.OPEN
    assert "Form" not in said(stands(stories=0))
    assert said(stands(scheme="hanna"))["Form"].startswith(
        "asks for relevance, coherence, empathy, surprise, engagement"
    )
    assert "Form" not in said(stands(ratings=30))  # it can no longer be changed
    assert stands(state=OPEN).next is Act.INVITE
    assert stands(state=OPEN, invited=True).next is Act.WATCH
    assert stands(state=OPEN, ratings=30, valid=3).next is Act.INVITE
    assert stands(state=OPEN, ratings=30, valid=5).next is Act.SCORE
    assert stands(state=OPEN, ratings=30, valid=5, metrics=4).next is Act.WATCH
    assert stands(state=OPEN, ratings=350, valid=10, metrics=4).next is Act.CORRELATION
    assert stands(state=OPEN, ratings=350, valid=10, metrics=4, found=True).next is Act.REPORT
    assert stands(state=CLOSED, ratings=350, metrics=4, disagree=True).next is Act.DISAGREEMENT


def test_that_no_claim_can_be_made_of_so_few_is_said_before_people_are_invited() -> None:
    for state in (DRAFT, OPEN):
        step = stands(state=state, few="too few").steps[0]
        assert (step.said.endswith("; too few"), step.done, step.way) == (True, True, Act.PLAN)
    assert stands(few="too few").next is Act.OPEN  # nobody is kept from it
    for step in (
        stands(state=CLOSED, few="too few").steps[0],
        stands(scheme="preferences", few="too few").steps[0],
        stands(state=OPEN).steps[0],
    ):
        assert ("too few" in step.said, step.way) == (False, None)


def test_what_was_rejected_is_told_and_the_form_stays() -> None:
    result = stands(state=OPEN, rejected=1)
    assert "Form" not in said(result)
    assert said(result)["Ratings"] == (
        "none that counts: the one panel handed in so far was rejected; Monitor says why"
    )
    assert result.next is Act.WATCH
    assert "all 3 rated stories handed in so far were rejected" in said(stands(scheme="union", rejected=3))["Ratings"]
    assert "Form" not in said(stands(state=OPEN, begun=1))
    assert said(stands(state=OPEN, begun=1))["Ratings"] == (
        "none handed in yet: 1 panel is under way; 5 ratings of each story are wanted"
    )
    under_way = said(stands(state=OPEN, scheme="union", begun=2))["Ratings"]
    assert under_way.startswith("none handed in yet: 2 rated stories are under way; ")
    assert said(stands(state=CLOSED, begun=1))["Ratings"] == "none, and the study is closed"
    assert said(stands())["Form"].endswith("until somebody begins to answer it")
    assert ", and shows the prompt as the beginning of the story; it" in said(stands())["Form"]
    assert ", and shows the prompt as what the story was to be about; it" in said(stands(scheme="hanna"))["Form"]
    assert "shows the prompt" not in said(stands(scheme="likeliness"))["Form"]


def test_notes_that_wait_are_told_and_lead_to_the_monitor() -> None:
    one = stands(state=CLOSED, ratings=350, valid=10, metrics=4, notes=1)
    assert said(one)["Ratings"].endswith("; one note on a rejected panel waits for a decision on Monitor")
    assert Act.WATCH in one.besides
    assert Act.WATCH not in stands(state=CLOSED, ratings=350, valid=10, metrics=4).besides
    several = stands(state=OPEN, rejected=3, notes=3)
    assert said(several)["Ratings"].endswith("; 3 notes on rejected panels wait for a decision on Monitor")
    assert several.next is Act.WATCH
    assert Act.WATCH not in several.besides


def test_metrics_need_not_wait_for_people() -> None:
    assert Act.SCORE in stands().besides
    assert Act.SCORE not in stands(stories=0).besides
    assert Act.SCORE in stands(state=OPEN, ratings=30, valid=3).besides
    assert Act.SCORE not in stands(state=OPEN, ratings=30, valid=5).besides  # it is next


def test_people_are_invited_as_long_as_ratings_are_wanted() -> None:
    assert Act.INVITE in stands(state=OPEN, ratings=30, valid=5).besides
    assert Act.INVITE not in stands(state=CLOSED, ratings=30, valid=3).besides


def test_inviting_comes_first_while_most_ratings_are_missing() -> None:
    begun = stands(state=OPEN, ratings=3, valid=1, invited=True)
    assert begun.next is Act.INVITE
    assert begun.just_begun
    assert begun.besides == (Act.WATCH, Act.SCORE)
    assert stands(state=OPEN, ratings=3, valid=1, metrics=4).next is Act.INVITE
    assert stands(scheme="preferences", state=OPEN, ratings=3, valid=1).next is Act.INVITE
    assert not stands(state=CLOSED, ratings=3, valid=1).just_begun
    assert not stands(state=OPEN, ratings=3, valid=1, demonstration=True).just_begun


def test_panels_that_were_rejected_are_counted_beside_the_valid_ones() -> None:
    told = said(stands(state=OPEN, ratings=3, valid=1, rejected=2))["Ratings"]
    assert told.endswith("1 panel valid, 2 rejected, 9 more panels wanted")


def test_pairs_lead_to_who_is_preferred() -> None:
    assert stands(scheme="preferences", state=CLOSED, ratings=40).next is Act.PREFERENCES
    assert stands(scheme="preferences", state=OPEN, ratings=40, valid=5).next is Act.WATCH


def test_of_pairs_it_is_said_whose_stories_were_compared() -> None:
    beside = stands(scheme="preferences", state=CLOSED, ratings=900, stories=315, compared_people=45)
    assert said(beside)["Ratings"] == "900 judgments of 360 stories, 315 by systems and 45 by people"
    alone = stands(scheme="preferences", state=CLOSED, ratings=900, stories=315)
    assert said(alone)["Ratings"] == "900 judgments of 315 stories"


@pytest.mark.parametrize("state", list(StudyState))
@pytest.mark.parametrize("found", [False, True])
def test_a_step_that_is_not_done_says_what_is_missing(state: StudyState, found: bool) -> None:
    for stories in (0, 1, 70):
        for ratings in (0, 350):
            for metrics in (0, 4):
                result = stands(state=state, stories=stories, ratings=ratings, metrics=metrics, found=found)
                assert all(step.said for step in result.steps)
                assert result.next not in result.besides


def test_words() -> None:
    result = stands(state=OPEN, ratings=350, valid=9, metrics=12, judges=1, found=True)
    assert said(result) == {
        "Stories": "70 stories for 14 prompts, plus 14 by people",
        "Ratings": "350 ratings of 70 stories; 9 panels valid, 1 more panel wanted",
        "Metrics": "11 metrics and 1 judge",
        "Finding": "it stands at the top of this page",
    }
    assert done(result) == [True, False, True, True]
    assert [(step.under_way, step.term) for step in result.steps] == [
        (False, ""),
        (True, "Panel"),
        (False, ""),
        (False, ""),
    ]
    assert not any(step.under_way for step in stands(state=CLOSED, ratings=350, metrics=2).steps)
    assert said(stands(ratings=1, stories=1, metrics=1, judges=1))["Metrics"] == "1 judge"
    assert said(stands(ratings=350, metrics=2, disagree=True))["Ratings"].endswith(
        "nothing shows that they agree with one another"
    )


def test_negative_controls_are_counted_too() -> None:
    sentence = said(stands(state=CLOSED, ratings=350, negatives=14))["Stories"]
    assert sentence == "70 stories for 14 prompts, plus 14 by people and 14 negative controls"


@pytest.mark.parametrize(
    ("scheme", "clause"),
    [
        ("mans", "those by people are not rated for their own sake: each panel has one as a control"),
        ("criteria", "nobody is asked to rate those by people"),
        ("preferences", "those by people are not rated for their own sake: they stand in control pairs alone"),
        ("hanna", "those by people are rated too"),
        ("turing", "each system's stories are compared with those by people"),
    ],
)
def test_whether_stories_by_people_are_rated_is_told_before_anybody_has(scheme: str, clause: str) -> None:
    assert said(stands(scheme=scheme))["Stories"] == f"70 stories for 14 prompts, plus 14 by people; {clause}"


def test_how_many_ratings_a_story_wants_is_told_before_any_came_in() -> None:
    assert said(stands())["Ratings"].endswith("not opened for annotators; 5 ratings of each story are wanted")
    assert said(stands(state=OPEN))["Ratings"].endswith("open for annotators; 5 ratings of each story are wanted")
    assert said(stands(state=OPEN, wanted=1))["Ratings"].endswith("; 1 rating of each story is wanted")
    told = said(stands(state=OPEN, scheme="preferences"))["Ratings"]
    assert told.endswith("; 5 judgments of each pair are wanted")


def test_ratings_of_controls_are_told_from_those_that_analyses_take() -> None:
    told = said(stands(state=CLOSED, ratings=60, of_others=12, of_people=8, of_negatives=4))["Ratings"]
    assert told == "60 answers: 48 ratings of 60 stories, and 8 of human stories and 4 of control stories"
    told = said(stands(state=CLOSED, ratings=792, of_others=72, of_people=72))["Ratings"]
    assert told.endswith(", and 72 of human stories")
    told = said(stands(state=CLOSED, ratings=60, of_others=12, of_people=5, of_negatives=4))["Ratings"]
    assert told.endswith(", and 5 of human stories, 4 of control stories and 3 on other criteria")
    assert said(stands(scheme="preferences", state=CLOSED, ratings=40, of_others=40))["Ratings"].startswith(
        "40 judgments"
    )


def test_what_is_wanted_is_counted_in_panels() -> None:
    result = said(stands(state=OPEN, scheme="hanna", ratings=9, of_others=6, valid=1))["Ratings"]
    assert result == (
        "9 answers: 3 ratings of 9 stories, and 6 on other criteria; "
        "each story is to be rated 5 times: 1 valid, 9 to go"
    )


def test_the_demonstration_leads_to_its_findings() -> None:
    result = stands(state=OPEN, ratings=30, valid=3, metrics=4, found=True, demonstration=True)
    assert result.next is Act.REPORT
