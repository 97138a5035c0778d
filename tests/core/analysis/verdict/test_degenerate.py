"""What a metric makes of degenerate stories: counts, means, r with and without them, and an interval by prompt."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.verdict.degenerate import (
    CheckUp,
    RunningCheckUp,
    changed_most,
    check_up,
    gravest,
    on_degenerate,
    overturned,
    sole_system,
)
from core.analysis.verdict.sentences import Basis
from core.analysis.verdict.without_degenerate import r_without
from core.checks import FindingKind
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import NOTHING, Coefficient, correlate
from core.statistics.intervals import Estimate

KINDS = [FindingKind.REPETITION, None, FindingKind.NOT_TEXT, None, FindingKind.REPETITION, None, None, None]
SCORES = np.array([0.9, 0.2, 0.7, 0.4, np.nan, 0.6, 0.8, np.nan])
HUMAN = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 5.0, 3.0])
PROMPTS = ["a", "a", "b", "b", "c", "c", "d", "d"]


def test_only_scored_stories_count() -> None:
    result = check_up(SCORES, HUMAN, PROMPTS, KINDS)
    assert (result.scored, result.repeating, result.not_text, result.degenerate) == (6, 1, 1, 2)
    assert (result.mean, result.rest) == (pytest.approx(0.8), pytest.approx(0.5))
    assert result.difference.value == pytest.approx(0.3)
    assert result.difference.low is None
    assert result.r.value == pytest.approx(np.corrcoef(SCORES[[0, 1, 2, 3, 5, 6]], HUMAN[[0, 1, 2, 3, 5, 6]])[0, 1])
    assert result.r_without.value == pytest.approx(1.0, abs=0.02)
    assert result.fooled
    assert result.counted == "Of 6 scored stories 1 repeats itself and 1 is no text"
    assert result.rated("union").startswith("union rates them 0.800 on average, the others 0.500; without them its r ")
    assert " r " not in result.rated("union", with_r=False)


def test_large_means_have_one_decimal() -> None:
    result = check_up(SCORES * 100, HUMAN, PROMPTS, KINDS)
    assert result.rated("words").startswith("words rates them 80.0 on average, the others 50.0; without them its r ")


def test_the_interval_is_that_of_drawing_prompts() -> None:
    """By hand, with the same draws."""
    rng = np.random.default_rng(3)
    prompts = [f"p{i // 4}" for i in range(80)]
    kinds = [FindingKind.REPETITION if i % 2 == 0 else None for i in range(80)]
    scores = rng.normal(size=80) - np.array([kind is not None for kind in kinds])
    result = check_up(scores, rng.normal(size=80), prompts, kinds, seed=1, resamples=300)
    names = sorted(set(prompts))
    copies = np.random.default_rng(1).multinomial(20, np.full(20, 1 / 20), size=300)
    drawn = []
    for row in copies:
        rows = [
            i
            for name, times in zip(names, row, strict=True)
            for i in range(80)
            if prompts[i] == name
            for _ in range(times)
        ]
        mine, values = np.array([kinds[i] is not None for i in rows]), scores[rows]
        drawn.append(values[mine].mean() - values[~mine].mean())
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert (result.difference.low, result.difference.high) == (pytest.approx(low), pytest.approx(high))
    assert not result.fooled
    (sentence,) = on_degenerate(result, agreed=True)
    assert sentence.about is Basis.DEGENERATE
    assert not sentence.caution
    assert "95 % interval of the difference" in sentence.text
    assert dict(sentence.numbers)["repeating"] == 40


def test_without_such_stories_nothing_is_said() -> None:
    result = check_up(SCORES, HUMAN, PROMPTS, [None] * 8, resamples=50)
    assert result.mean is None
    assert not result.fooled
    assert result.difference.undefined == "no scored story is degenerate"
    assert on_degenerate(result, agreed=True) == ()


def test_where_all_are_degenerate_there_is_nothing_beside_them() -> None:
    result: CheckUp = check_up(SCORES, HUMAN, PROMPTS, [FindingKind.REPETITION] * 8, resamples=50)
    assert result.rest is None
    assert not result.fooled
    (sentence,) = on_degenerate(result, agreed=True)
    assert sentence.text == "Of 6 scored stories 6 repeat themselves: the metric scores no others."


def test_one_story_beside_one_other() -> None:
    result = check_up(np.array([0.8, 0.5]), np.array([1.0, 2.0]), ["a", "b"], [FindingKind.REPETITION, None])
    (sentence,) = on_degenerate(result, agreed=True)
    assert sentence.text == "Of 2 scored stories 1 repeats itself: the metric rates it 0.800, the other 0.500."


def test_a_study_without_ratings_and_an_empty_one() -> None:
    result = check_up(SCORES, np.full(8, np.nan), PROMPTS, KINDS, resamples=50)
    assert result.r.value is None
    assert result.rated("union").startswith("union rates them 0.800 on average, the others 0.500")
    empty = check_up(np.empty(0), np.empty(0), [], [], resamples=50)
    assert empty.scored == empty.degenerate == 0


@pytest.mark.parametrize("kinds", [KINDS, [None] * 8, [FindingKind.NOT_TEXT] * 8])
def test_stories_that_come_in_blocks_have_the_check_up_of_all_at_once(kinds: list[FindingKind | None]) -> None:
    running = RunningCheckUp()
    for begin, end in ((0, 1), (1, 5), (5, 5), (5, 8)):
        running.add(SCORES[begin:end], HUMAN[begin:end], kinds[begin:end])
    found, every = running.result(), check_up(SCORES, HUMAN, PROMPTS, kinds)
    assert (found.scored, found.repeating, found.not_text) == (every.scored, every.repeating, every.not_text)
    assert (found.difference.undefined, found.mean, found.rest) == (
        every.difference.undefined,
        pytest.approx(every.mean),
        pytest.approx(every.rest),
    )
    for mine, whole in ((found.r, every.r), (found.r_without, every.r_without)):
        assert (mine.value, mine.p) == (pytest.approx(whole.value), pytest.approx(whole.p))
    assert found.difference.value == pytest.approx(every.difference.value)
    assert (found.n, found.spread) == (every.n, pytest.approx(every.spread))


def test_a_few_stories_that_decide_the_correlation_are_read_first() -> None:
    rng = np.random.default_rng(0)
    human = rng.normal(size=120)
    scores = human + 0.4 * rng.normal(size=120)
    repeated = np.arange(120) % 10 == 0
    human[repeated], scores[repeated] = -3, 3 + rng.normal(size=12) / 9  # people dislike them, the metric does not
    kinds = [FindingKind.REPETITION if one else None for one in repeated]
    prompts = [f"p{i // 3}" for i in range(120)]
    (sentence,) = on_degenerate(check_up(scores, human, prompts, kinds, resamples=200), agreed=True)
    assert sentence.decisive
    assert sentence.caution
    up = check_up(scores, human, prompts, kinds, resamples=200)
    up = replace(up, inside=Coefficient(-0.05, low=-0.2, high=0.1))
    (both,) = on_degenerate(up, agreed=True)
    assert both.text == f"{sentence.text[:-1]}, and −0.05 within systems, 95 % interval −0.20 to 0.10."
    assert ("r within systems without them", -0.05) in both.numbers
    (unknown,) = on_degenerate(up, agreed=False)
    assert not unknown.decisive
    assert unknown.text == both.text  # a description, as all numbers then are


def of(r: float | None, without: float | None, mean: float = 0.4, n: int = 70, spread: float | None = 0.1) -> CheckUp:
    """A check-up of 18 stories that repeat themselves; the others have a mean of 0.4."""
    apart = Estimate(mean - 0.4)
    return CheckUp(n, 18, 0, mean, 0.4, apart, Coefficient(r), Coefficient(without), n, spread)


@pytest.mark.parametrize(
    ("up", "matters"),
    [
        (of(0.88, 0.885), False),
        (of(0.83, 0.88), True),
        (of(0.88, 0.83), True),
        (of(0.5, 0.9, n=29), False),
        (of(None, None), False),
        (of(0.5, 0.5, mean=0.405), False),
        (of(0.5, 0.5, mean=0.421), True),
        (of(0.5, 0.5, mean=0.2), False),
        (of(0.5, 0.5, mean=0.41, spread=0.0), True),
        (of(0.5, 0.5, spread=None), False),
        (replace(of(0.5, 0.5, mean=0.9), repeating=9), False),  # of so few a mean says nothing
        (replace(of(0.5, 0.6, mean=0.9), repeating=2), True),
    ],
)
def test_what_changes_little_does_not_matter(up: CheckUp, matters: bool) -> None:
    assert up.matters is matters


def test_the_gravest_is_said_in_a_sentence() -> None:
    small, down, up = of(0.88, 0.885), of(0.7, 0.64), of(0.49, 0.60)
    names, ups = ["small", "down", "up"], [small, down, up]
    assert gravest(names, ups, "up") == (
        "Of 70 scored stories 18 repeat themselves: without them up has r 0.60 with people instead of 0.49. "
        "Report both; leave stories out only by a rule set before you looked at r."
    )
    assert gravest(names, ups, "down") == (
        "Of 70 scored stories 18 repeat themselves: without them down has r 0.64 with people instead of 0.70, and up "
        "0.60 instead of 0.49. Report both; leave stories out only by a rule set before you looked at r."
    )
    said_of_best = "without them small has r 0.89 with people instead of 0.88, and up 0.60 instead of 0.49."
    assert said_of_best in str(gravest(names, ups, "small"))
    assert gravest(["a", "b"], [of(0.5, 0.5, mean=0.43), of(0.5, 0.5, mean=0.9)], "a") is None
    assert gravest(["small"], [small], "small") is None


def test_of_few_such_stories_no_interval_is_shown() -> None:
    up = replace(of(0.5, 0.5, mean=1.4), scored=200, repeating=30, difference=Estimate(1.0, 0.718, 1.268))
    for few, shown in ((up, True), (replace(up, repeating=29), False), (replace(up, scored=59), False)):
        (sentence,) = on_degenerate(few, agreed=True)
        assert ("95 % interval of the difference 0.718 to 1.268" in sentence.text) == shown
        assert ("low" in dict(sentence.numbers)) == shown
        assert dict(sentence.numbers)["difference"] == 1.0


def test_what_tips_by_chance_is_not_said() -> None:
    """By the rule of the check-up, by which they do not matter, or do."""
    for without, matters in ((0.346, False), (0.45, True)):
        up = replace(of(0.34, without), repeating=2, inside=Coefficient(0.15, low=0.01, high=0.28))
        assert up.inside_if_they_matter == (up.inside if matters else NOTHING)
    names, rival = ["best", "next"], of(0.33, 0.347)
    assert overturned(names, [of(0.34, 0.346), rival], "best") == ""
    assert overturned(names, [of(0.34, 0.346), of(0.29, 0.347)], "best").endswith("and next comes first, 0.35.")
    assert overturned(names, [of(0.003, -0.003), of(-0.1, -0.1)], "best") == ""


def test_that_one_system_has_written_all_of_them_is_said() -> None:
    kinds = [FindingKind.REPETITION, None, FindingKind.REPETITION, None]
    assert sole_system(["g", "h", "g", "g"], kinds) == "g"
    assert sole_system(["g", "h", "h", "h"], kinds) == ""
    assert sole_system(["g", "g", "g", "g"], kinds) == ""  # there is no other
    assert sole_system(["g", "h", "h", "h"], [*kinds[:2], None, None]) == ""  # a single story says nothing of it
    assert sole_system([], kinds) == ""
    up = replace(of(0.56, -0.13), by="gamma")
    assert up.counted == "Of 70 scored stories 18 repeat themselves, all by gamma"
    assert overturned(["best"], [up], "best", lambda name: f"*{name}*") == (
        "But without the 18 stories that repeat themselves, all by *gamma*, *best* has r −0.13."
    )


def test_what_such_stories_alone_made_of_the_best_metric_is_said() -> None:
    names = ["best", "next"]
    assert overturned(names, [of(0.56, -0.13), of(0.3, -0.2)], "best") == (
        "But without the 18 stories that repeat themselves best has r −0.13."
    )
    assert overturned(names, [of(0.56, 0.41), of(0.3, 0.42)], "best", lambda name: f"*{name}*") == (
        "But without the 18 stories that repeat themselves *best* has r 0.41, and *next* comes first, 0.42."
    )
    assert overturned(names, [of(0.56, 0.41), of(0.3, 0.41)], "best") == ""
    for without, moved in ((0.41, True), (0.89, True), (0.46, False)):
        said = overturned(
            names, [of(0.56, without), of(0.3, 0.3)], "best", among_all=Coefficient(0.56, low=0.45, high=0.7)
        )
        stories = "the 18 stories that repeat themselves"
        assert said == (f"But without {stories} best has r {without:.2f}." if moved else "")
    for low, told in ((-0.1, ", 0.50 within systems"), (0.1, "")):  # the grade has what is shown there
        inside = replace(of(0.56, -0.13), inside=Coefficient(0.5, low=low, high=0.9))
        assert overturned(names, [inside, of(0.3, -0.2)], "best").endswith(f"best has r −0.13{told}.")
    sure = replace(of(0.56, -0.13), r_without=Coefficient(-0.13, low=-0.3, high=0.05))
    assert overturned(names, [sure, of(0.3, -0.2)], "best").endswith("best has r −0.13 (−0.30 to 0.05).")
    assert overturned(names, [of(0.56, -0.13, n=29), of(0.3, 0.3)], "best") == ""  # too few to claim anything
    one = replace(of(0.56, -0.13), repeating=0, not_text=1)
    assert overturned(names, [one, of(0.3, -0.2)], "best").startswith(
        "But without the story that is no text best has r"
    )


@pytest.mark.parametrize(("prompts", "claimed"), [(20, True), (9, False)])
def test_r_without_them_has_its_interval_where_the_others_are_enough_for_a_claim(prompts: int, claimed: bool) -> None:
    rng = np.random.default_rng(0)
    human = rng.normal(size=80)
    values = human + rng.normal(size=80)
    keys, of = tuple(map(str, range(80))), tuple(f"prompt {number % prompts}" for number in range(80))
    column = ScoreColumn("m", "m|v1", values, {})
    kinds = [FindingKind.REPETITION if number < 20 else None for number in range(80)]
    found = r_without(ScoreTable(keys, of, ("a",) * 80, keys, human, (column,)), kinds, resamples=300)
    own = correlate(values[20:], human[20:], of[20:], resamples=300).pearson
    assert found.value == pytest.approx(own.value)
    assert ((found.low, found.high) == (own.low, own.high)) is claimed
    assert (found.low is None) is not claimed


def test_the_metrics_that_are_named_have_the_intervals_that_are_known() -> None:
    names, best = ["best", "most", "little"], replace(of(0.56, 0.41), r_without=Coefficient(0.41, low=0.3, high=0.5))
    ups = [best, of(0.3, -0.2), of(0.3, 0.31)]
    assert changed_most(names, ups) == "most"
    assert changed_most(names[2:], ups[2:]) is None
    said = gravest(names, ups, "best")
    assert said is not None
    assert "them best has r 0.41 (0.30 to 0.50) with people instead of 0.56, and most −0.20 instead of 0.30." in said
