"""What opens an analysis of judges: a clear result, none, and too few data."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.correlation.limits import Limits
from core.analysis.judges.alternative import (
    FEWEST_INSTANCES,
    Alignment,
    AlternativeTest,
    Annotators,
    PersonComparison,
)
from core.analysis.judges.biases import JudgeBiases
from core.analysis.judges.columns import JudgeRatings
from core.analysis.judges.quotes import QuoteOverlap
from core.analysis.judges.replacement import JudgeTest, standard
from core.analysis.judges.reported import Tried
from core.analysis.judges.trial import Confusion, Disagreement, JudgeTrial, Trial
from core.analysis.judges.wordings import Wording, Wordings
from core.analysis.verdict.judges import (
    of_one_step,
    on_biases,
    on_confusion,
    on_disagreements,
    on_judges,
    on_quotes,
    on_replacement,
    on_wordings,
)
from core.judges.naming import AskedJudge
from core.statistics.correlation import NOTHING, Coefficient, Correlation
from core.statistics.intervals import Estimate

CROWD = standard(Annotators.CROWD, None)


def ratings(name: str) -> JudgeRatings:
    return JudgeRatings(name, name, "", (name,), ("s",), np.zeros(1))


def judged(
    name: str, value: float, low: float, high: float, n: int = 60, exact: Estimate | None = None, steps: int = 2
) -> JudgeTrial:
    of = Correlation(n, Coefficient(value, low=low, high=high), NOTHING, NOTHING)
    share = exact or Estimate(0.5, 0.4, 0.6)
    counts = np.ones((steps, steps), dtype=np.intp)
    confusion = Confusion(tuple(range(1, steps + 1)), counts, share, Estimate(0.9, 0.8, 1.0), share, 0)
    return JudgeTrial(ratings(name), n, of, of, of, confusion, (Disagreement(1, 1.0, 4.5, 3.2),))


def trial(*judges: JudgeTrial) -> Trial:
    return Trial(60, judges, {"pearson": Limits(0.6, 0.9)})


@pytest.mark.parametrize(
    ("low", "high", "beside"),
    [(0.65, 0.8, "is above what"), (0.2, 0.5, "is below what"), (0.4, 0.7, "cannot be told apart from what")],
)
def test_the_first_judge_stands_beside_one_human_rater(low: float, high: float, beside: str) -> None:
    said = on_judges(trial(judged("a", 0.5, low, high), judged("b", 0.4, 0.2, 0.6)), 20)
    assert said is not None
    assert said.startswith("Of 2 judges a comes first, r 0.50")
    assert said.endswith(f"which {beside} one human rater reaches, 0.60.")


def test_a_judge_that_was_tried_on_a_few_stories_is_not_compared() -> None:
    said = on_judges(trial(judged("few", 0.9, 0.8, 1.0, n=20), judged("all", 0.5, 0.4, 0.7)), 20)
    assert said is not None
    assert said.startswith("all has r 0.50")


def test_no_judge_is_shown_to_agree() -> None:
    assert on_judges(trial(judged("a", 0.1, -0.1, 0.3)), 20) == (
        "No judge is shown to agree with people: a has r 0.10 (−0.10 to 0.30)."
    )


def of_level(
    value: float, low: float, high: float, n: int = 60, prompts: int = 20, p: float | None = None
) -> Correlation:
    return Correlation(n, Coefficient(value, p, low=low, high=high), NOTHING, NOTHING, prompts=(prompts, 20))


OPEN_LEVEL, BELOW_LEVEL = of_level(-0.1, -0.3, 0.1), of_level(-0.27, -0.54, -0.02)


@pytest.mark.parametrize(
    ("prompt", "system", "over", "rest"),
    [
        (OPEN_LEVEL, OPEN_LEVEL, "", ""),
        (of_level(-0.27, -0.54, -0.02, prompts=9), OPEN_LEVEL, "", ""),
        (OPEN_LEVEL, of_level(-0.84, -1.0, -0.32, n=4, p=0.083), "", ""),
        (OPEN_LEVEL, of_level(0.77, 0.1, 0.94, n=5, p=0.175), "", ""),  # narrow, but chance would do as well
        (BELOW_LEVEL, OPEN_LEVEL, "", "; it goes against people within prompts, r −0.27 (−0.54 to −0.02)"),
        (
            BELOW_LEVEL,
            of_level(-0.84, -1.0, -0.32, n=5, p=0.05),
            "",
            "; it goes against people within prompts, r −0.27 (−0.54 to −0.02) and over the means of 5 systems, r "
            "−0.84 (−1.00 to −0.32)",
        ),
        (
            BELOW_LEVEL,
            of_level(0.84, 0.32, 1.0, n=5, p=0.017),
            " over single stories",
            "; it goes against people within prompts, r −0.27 (−0.54 to −0.02), and with people over the means of 5 "
            "systems, r 0.84 (0.32 to 1.00)",
        ),
    ],
)
def test_where_stories_leave_it_open_what_prompts_or_systems_settle_is_said(
    prompt: Correlation, system: Correlation, over: str, rest: str
) -> None:
    judge = replace(judged("a", -0.16, -0.37, 0.05), prompt=prompt, system=system)
    assert on_judges(trial(judge), 20) == (
        f"No judge is shown to agree with people{over}: a has r −0.16 (−0.37 to 0.05){rest}."
    )


def test_a_judge_that_goes_against_people_is_said_to() -> None:
    assert on_judges(trial(judged("a", -0.3, -0.4, -0.2)), 20) == (
        "No judge is shown to agree with people: a has r −0.30 (−0.40 to −0.20), against people."
    )


def test_of_ratings_that_do_not_agree_judges_are_described_alone() -> None:
    against, open_, with_ = judged("a", -0.2, -0.4, -0.05), judged("b", 0.1, -0.1, 0.3), judged("c", 0.2, 0.1, 0.3)
    no_verdict = (
        "No verdict on a judge can be drawn here: nothing shows that people's ratings agree, so to agree with their "
        "mean, or not to, says little. As description alone: "
    )
    alone = "a has r −0.20 (−0.40 to −0.05), against people's mean"
    assert on_judges(trial(against), 20, disagree=True) == f"{no_verdict}{alone}."
    middle = "b has r 0.10 (−0.10 to 0.30)"
    assert on_judges(trial(open_, against), 20, disagree=True) == f"{no_verdict}{middle} and {alone}."
    assert on_judges(trial(with_, open_, against), 20, disagree=True) == (
        f"{no_verdict}of 3 judges c has r 0.20 (0.10 to 0.30), with people's mean, the highest, and "
        f"{alone}, the lowest."
    )
    assert str(on_judges(trial(judged("a", 0.5, 0.4, 0.6, n=29)), 20, disagree=True)).startswith("It is too early")


@pytest.mark.parametrize(("n", "prompts"), [(29, 20), (60, 9)])
def test_of_few_stories_no_judge_is_praised(n: int, prompts: int) -> None:
    few = judged("a", 0.5, 0.4, 0.6, n=n)
    agreement, confusion = on_judges(trial(few), prompts), on_confusion(few, prompts)
    assert agreement
    assert confusion
    assert agreement.startswith("It is too early")
    assert confusion.startswith("It is too early")
    assert on_judges(trial(), 0) is None


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([1.8, 1.98], "The scores of a span 1.80 to 1.98: it gives every story nearly the same."),
        ([2.0, 2.0], "a gives every story 2.00."),
        ([1.4, 1.6], ""),  # they round to two steps
        ([2.6, 9.0], ""),  # beyond the end of the scale, to which they round
    ],
)
def test_a_judge_whose_scores_are_one_step_is_named(scores: list[float], said: str) -> None:
    row = judged("a", 0.5, 0.4, 0.6)
    many = replace(row.judge, values=np.array([*scores * 15, np.nan]))
    assert of_one_step([many], (1, 2)) == said
    assert of_one_step([row.judge], (1, 2)) == ""  # of a single story
    assert of_one_step([many, row.judge, many], (1, 2)) == " ".join(filter(None, (said, said)))


def test_a_few_scores_apart_make_no_judge_of_many_steps() -> None:
    judge = judged("a", 0.5, 0.4, 0.6).judge
    scores = np.concatenate([np.linspace(1.9, 2.3, 98), [1.2, 3.4]])
    assert of_one_step([replace(judge, values=scores)], (1, 2, 3, 4)) == (
        "19 in 20 scores of a lie between 1.91 and 2.29: it gives most stories nearly the same."
    )
    assert of_one_step([replace(judge, values=np.concatenate([scores[:90], np.full(10, 3.4)]))], (1, 2, 3, 4)) == ""


def test_how_often_a_judge_gives_peoples_step() -> None:
    assert on_confusion(judged("a", 0.5, 0.4, 0.6, steps=4), 20) == (
        "On 50% (40% to 60%) of 60 stories a gives the step that people give; on 90% (80% to 100%) it is a step away "
        "at most. Always giving people's commonest step, 1, would reach 25% and 50%."
    )
    assert on_confusion(judged("a", 0.5, 0.4, 0.6), 20) == (  # two steps are never more than one apart
        "On 50% (40% to 60%) of 60 stories a gives the step that people give. Always giving people's commonest step, "
        "1, would reach 50%."
    )
    assert on_confusion(judged("a", 0.5, 0.4, 0.6, exact=Estimate(None, undefined="no story")), 20) is None


def test_the_story_on_which_they_are_farthest_apart() -> None:
    assert on_disagreements(judged("a", 0.5, 0.4, 0.6), ["k0", "k1"]) == (
        "a and people are farthest apart on k1: people give it 1.00 on average, the judge 4.50."
    )


def of_test(judge: str, passed: bool | None, people: int = 3, stories: int = 40) -> JudgeTest:
    rows = tuple(
        PersonComparison(f"p{i}", stories, 0.6, 0.5, 0.01, passed is True, stories < FEWEST_INSTANCES)
        for i in range(people)
    )
    rate = float(passed is True)
    return JudgeTest(judge, AlternativeTest(0.1, Alignment.RMSE, rows, rate, rate, passed, stories))


def test_which_judges_may_stand_in() -> None:
    assert on_replacement([of_test("a", True), of_test("b", False)], CROWD) == (
        "By the test, on 40 stories and 3 people, a may stand in for a crowd worker; nothing shows that b may."
    )
    assert on_replacement([of_test("a", False), of_test("b", False, people=5, stories=1200)], CROWD) == (
        "By the test, nothing shows that any of these may stand in for a crowd worker: a (on 40 stories and 3 people) "
        "and b (on 1,200 stories and 5 people)."
    )
    assert on_replacement([of_test("a", True), of_test("b", False, stories=1200)], CROWD) == (
        "By the test, a (on 40 stories and 3 people) may stand in for a crowd worker; nothing shows that b (on 1,200 "
        "stories and 3 people) may."
    )
    assert on_replacement([of_test("a", False), of_test("b", False)], CROWD) == (
        "By the test, on 40 stories and 3 people, nothing shows that any of 2 judges may stand in for a crowd worker."
    )
    assert on_replacement([of_test("a", False), of_test("few", None, stories=20)], CROWD) == (
        "By the test, on 40 stories and 3 people, nothing shows that a may stand in for a crowd worker. For few it is "
        "too early to say."
    )
    passed = "By the test, on 40 stories and 3 people, a may stand in for a crowd worker."
    assert on_replacement([of_test("a", True)], CROWD) == passed


def test_a_judge_that_rates_all_alike_stands_in_for_nobody() -> None:
    same = replace(of_test("same", True), alike=True)
    would = (
        "same would pass, but gives nearly all stories one rating, which tells no story from another: it may not stand "
        "in for a crowd worker."
    )
    grounds = "n 40 stories and 3 people, "
    assert on_replacement([same], CROWD) == f"O{grounds}{would}"
    both = f"By the test, o{grounds}a may stand in for a crowd worker. By the test, {would}"
    assert on_replacement([of_test("a", True), same], CROWD) == both
    failed = f"By the test, o{grounds}nothing shows that b may stand in for a crowd worker."
    assert on_replacement([of_test("b", False), same], CROWD) == f"{failed} By the test, {would}"
    assert on_replacement([of_test("b", False), replace(of_test("b", False), alike=True)], CROWD) == (
        "By the test, on 40 stories and 3 people, nothing shows that any of 2 judges may stand in for a crowd worker."
    )
    apart = on_replacement([of_test("a", False, stories=90), same], CROWD)
    assert apart is not None
    assert "a (on 90 stories and 3 people). By the test, same (on 40 stories and 3 people) would pass" in apart


def test_of_ratings_that_do_not_agree_no_judge_passes_or_fails() -> None:
    no_verdict = (
        "No verdict can be drawn here on whether a judge may stand in for a crowd worker: nothing shows that the "
        "ratings agree with one another, so to be as near to them as one of these people is, or not to, says little. "
        "What could help: ratings that agree with one another, by clearer instructions or more of them a story."
    )
    assert on_replacement([of_test("a", True), of_test("b", False)], CROWD, disagree=True) == no_verdict
    assert on_replacement([of_test("b", False)], CROWD, disagree=True) == no_verdict
    early = on_replacement([of_test("a", None, 2)], CROWD)
    assert on_replacement([of_test("a", None, 2)], CROWD, disagree=True) == early


@pytest.mark.parametrize(
    ("people", "stories", "who"), [(2, 40, "2 people have"), (1, 40, "1 person has"), (4, 29, "nobody has")]
)
def test_too_few_people_or_stories_for_a_verdict(people: int, stories: int, who: str) -> None:
    assert on_replacement([of_test("a", None, people, stories)], CROWD) == (
        f"It is too early to say whether a judge may stand in for a crowd worker: {who} rated 30 stories or more that "
        "the judge and somebody else rated too, and a verdict takes 3 people."
    )
    undefined = AlternativeTest(0.1, Alignment.RMSE, (), None, None, None, undefined="nobody rated")
    assert on_replacement([JudgeTest("a", undefined)], CROWD) is None


def biases(name: str, lenient: Estimate, longer: Estimate, length: Estimate | None = None) -> JudgeBiases:
    nothing = Estimate(None)
    return JudgeBiases(ratings(name), lenient, nothing, nothing, longer, length or longer, nothing, (), nothing, 1)


ABOVE, OPEN, BELOW = Estimate(0.4, 0.2, 0.6), Estimate(0.1, -0.2, 0.4), Estimate(-0.4, -0.6, -0.2)


def test_biases_that_intervals_show() -> None:
    rows = [biases("a", ABOVE, OPEN), biases("b", BELOW, ABOVE), biases("c", ABOVE, ABOVE)]
    assert on_biases(rows, {"a", "b", "c"}) == (
        "By 95 % intervals, a and c are more lenient than people; b is stricter than people; b and c like long stories "
        "more than people do."
    )


def test_a_judge_that_rates_all_alike_likes_no_length() -> None:
    """It is above people wherever they are low: on long stories, where they rate these lower."""
    said = on_biases([biases("a", OPEN, ABOVE, OPEN), biases("b", OPEN, ABOVE), biases("c", OPEN, BELOW, OPEN)], "abc")
    assert said == (
        "By 95 % intervals, b likes long stories more than people do; a does not follow people, who rate long stories "
        "lower; c does not follow people, who rate long stories higher."
    )


def test_no_bias_is_shown_or_claimed_of_few_stories() -> None:
    assert on_biases([biases("a", OPEN, OPEN)], {"a"}) == (
        "Nothing shows that these judges are lenient or strict, or favour length or their own family."
    )
    said = on_biases([biases("a", ABOVE, ABOVE)], ())
    assert said is not None
    assert said.startswith("It is too early")
    assert on_biases([], ()) is None


def quoted(kappa: float, low: float, stories: int = 40, one: float | None = 0.5, prompts: int = 10) -> QuoteOverlap:
    share = Estimate(0.5, 0.4, 0.6)
    return QuoteOverlap(
        stories, prompts, 9, 9, share, 0.1, share, 0.1, Estimate(kappa, low, kappa + 0.1), Estimate(one)
    )


def test_quotes_stand_beside_one_annotator() -> None:
    assert on_quotes({"a": quoted(0.2, 0.1), "b": quoted(0.3, 0.2)}) == (
        "Of 2 judges b quotes best what people marked, kappa 0.30 (0.20 to 0.40); 1 is the same passages, 0 is chance. "
        "One annotator reaches 0.50 with the others."
    )
    assert on_quotes({"a": quoted(0.1, -0.1)}) == (
        "No judge is shown to quote what people marked: a comes closest, kappa 0.10 (−0.10 to 0.20)."
    )
    for few in (quoted(0.3, 0.2, stories=29), quoted(0.3, 0.2, prompts=9)):
        assert str(on_quotes({"a": few})).startswith("It is too early to say whether judges quote what people marked: ")
    assert on_quotes({}) is None


def worded(name: str, value: float, low: float, n: int = 60, held_out: int = 0, own: bool = True) -> Wording:
    of = Correlation(n, Coefficient(value, low=low, high=value + 0.1), NOTHING, NOTHING)
    template = f"{name} 1" if own else "standard"
    return Wording(ratings(name), AskedJudge(template, "points", "m"), of, held_out)


def test_the_best_wording_is_said_with_whether_it_counts() -> None:
    def said(*rows: Wording, prompts: int = 20) -> str | None:
        return on_wordings(Wordings(rows, Tried(2, 1), 60), {row.judge.name: prompts for row in rows})

    assert said(worded("a", 0.3, 0.2), worded("b", 0.4, 0.3)) == (
        "Of 2 wordings b agrees best with people on the development half, r 0.40 (0.30 to 0.50); it has not been run "
        "on the held-out half yet, where it counts."
    )
    assert str(said(worded("b", 0.4, 0.3, held_out=30))).endswith("where it counts, it has rated 30 stories.")
    assert str(said(worded("b", 0.4, 0.3, own=False))).endswith("which nobody chose by these stories.")
    assert str(said(worded("b", 0.1, -0.1))).startswith("No wording is shown to agree with people")
    assert str(said(worded("b", 0.4, 0.3), prompts=9)).startswith("It is too early")
    assert said() is None
