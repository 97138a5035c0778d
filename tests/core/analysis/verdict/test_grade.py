"""A grade claims no more than its conditions, and the short verdict leaves out no caution."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.correlation.partial import Partial, PartialCorrelation
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.grade import GRADES, INSIDE, LENGTH, LENGTH_ITSELF, Grade, Graded, grade_of, in_short
from core.analysis.verdict.graded import against_words
from core.analysis.verdict.graded import graded as graded_in
from core.analysis.verdict.sentences import Basis, VerdictSentence, on_correlation
from core.checks import FindingKind
from core.scores import ScoreTable
from core.statistics.correlation import NOTHING, Coefficient, Correlation, correlate_table
from core.statistics.intervals import Estimate
from tests.core.report.metric import random_table

ABOVE, OPEN, BELOW = (Coefficient(m, 0.0, 0.0, m - 0.1, m + 0.1) for m in (0.5, 0.05, -0.4))
BEYOND = PairTest("metric", "words", 200, difference=0.3, p_holm=0.001)


def graded(
    r: Coefficient = ABOVE,
    *,
    n: int = 200,
    prompts: int = 40,
    within: Coefficient = ABOVE,
    one_system: bool = False,
    against_words: PairTest = BEYOND,
    corrected: PairTest | None = None,
    one_rater: float | None = 0.55,
    disagree: bool = False,
    means: bool = False,
    inside_without: Coefficient = NOTHING,
    left_out: str = "",
    words: Coefficient | None = None,
    equal: Coefficient = OPEN,
) -> Graded:
    own = PartialCorrelation(r)
    inside = PartialCorrelation(NOTHING, "one system") if one_system else PartialCorrelation(within)
    length = PartialCorrelation(words or r)
    partial = Partial(n, 3, own, inside, PartialCorrelation(equal), own, length, Estimate(0.0), Estimate(0.0))
    return grade_of(
        Correlation(n, r, r, r),
        prompts=prompts,
        partial=partial,
        against_words=against_words,
        corrected=corrected,
        one_rater=one_rater,
        disagree=disagree,
        means=means,
        inside_without=inside_without,
        left_out=left_out,
    )


def test_strong_takes_everything() -> None:
    assert graded() == Graded(Grade.STRONG, (), ABOVE)
    assert graded().text.startswith("it agrees with people within systems too, r 0.50 (0.40 to 0.60), more than length")
    assert graded(one_system=True).grade is Grade.STRONG  # there is nothing between systems


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"within": OPEN}, "nothing shows that it does so within a system"),
        ({"within": BELOW}, "nothing shows that it does so within a system"),
        ({"against_words": replace(BEYOND, p_holm=0.2)}, "it may do no better than the number of words"),
        ({"against_words": replace(BEYOND, difference=-0.3)}, "it may do no better than the number of words"),
        ({"against_words": PairTest("metric", "words", 200)}, "it may do no better than the number of words"),
        ({"against_words": PairTest("metric", "words", 200, undefined=LENGTH_ITSELF)}, LENGTH_ITSELF),
        ({"prompts": 19}, "there are fewer than 100 stories or 20 prompts"),
        ({"n": 99}, "there are fewer than 100 stories or 20 prompts"),
    ],
)
def test_another_explanation_or_few_stories_make_it_weak(change: dict[str, object], reason: str) -> None:
    found = graded(**change)  # type: ignore[arg-type]
    assert (found.grade, found.reasons) == (Grade.WEAK, (reason,))


def test_below_a_person_it_is_moderate() -> None:
    assert graded(one_rater=0.61) == Graded(Grade.MODERATE, ("it stays below one human rater",), ABOVE)
    assert graded(one_rater=None).grade is Grade.MODERATE


def test_nothing_and_the_contrary() -> None:
    assert graded(OPEN) == Graded(Grade.NONE, ("the interval of its correlation holds 0",))
    assert graded(NOTHING).grade is Grade.NONE
    assert graded(disagree=True).grade is Grade.NONE
    assert graded(n=20).grade is Grade.NONE
    assert graded(prompts=9).grade is Grade.NONE
    assert graded(BELOW).grade is Grade.AGAINST


def test_a_metric_with_one_other_score_speaks_neither_for_nor_against() -> None:
    """Of draws with that story r is nearly the same, and all others have none: no interval, so no claim."""
    table = random_table()
    values = np.full(len(table.keys), 4.0)
    values[int(np.nanargmax(table.human))] = 3.0
    table = replace(table, columns=(replace(table.columns[0], values=values),))
    (row,) = correlate_table(table, resamples=500)
    assert row.correlation.pearson.value is not None
    own = graded(row.correlation.pearson, n=row.correlation.n)
    assert own.grade is Grade.NONE
    assert own.text == "it gives nearly all stories one score, too few others for an interval"
    (first, *_) = on_correlation(row.correlation, prompts=40, draws=500)
    assert first.text.startswith("It gives nearly all stories one score, too few others for an interval, so nothing is")


def test_each_grade_has_its_meaning() -> None:
    assert set(GRADES) == set(Grade)


def test_three_sentences_with_the_first_caution() -> None:
    def sentence(text: str, about: Basis, caution: bool = False) -> VerdictSentence:
        return VerdictSentence(text, (), about, caution)

    agrees = sentence("agrees", Basis.CORRELATION)
    rank = sentence("second", Basis.RANK)
    words, small = sentence("length", Basis.PARTIAL, True), sentence("small", Basis.SAMPLE, True)
    line = sentence("one rater", Basis.CORRELATION)
    assert in_short([agrees, line, words, rank, small]) == (agrees, rank, words)
    assert in_short([agrees, line, rank]) == (agrees, rank, line)
    trained = VerdictSentence("trained on them", (), Basis.SAMPLE, caution=True, decisive=True)
    assert in_short([trained, agrees, line, words, rank]) == (trained, agrees, rank)
    few = VerdictSentence("18 stories decide it", (), Basis.DEGENERATE, caution=True, decisive=True)
    assert in_short([agrees, line, words, rank, few]) == (agrees, rank, few)
    assert in_short([]) == ()


def test_a_grade_in_a_sentence() -> None:
    assert Graded(Grade.NONE, ("the ratings do not agree",)).sentence == ("No evidence: the ratings do not agree.")
    assert Graded(Grade.WEAK, ("one", "two")).sentence == (
        "Weak evidence: it agrees with people over all stories, but one, and two."
    )
    assert Graded(Grade.AGAINST, ()).sentence == "Evidence against it: it falls where people's ratings rise."


def test_that_nothing_shows_it_within_a_system_comes_with_the_r_there() -> None:
    assert "within a system. Within systems r is −0.40 (−0.50 to −0.30)." in graded(within=BELOW).sentence
    assert graded(within=OPEN, against_words=PairTest("metric", "words", 200)).sentence == (
        "Weak evidence: it agrees with people over all stories, but nothing shows that it does so within a system, and "
        "it may do no better than the number of words. Within systems r is 0.05 (−0.05 to 0.15)."
    )


def test_what_could_make_it_stronger() -> None:
    left_out = "the 18 stories that repeat themselves"
    only = graded(within=OPEN, inside_without=Coefficient(0.5, low=0.3, high=0.7), left_out=left_out)
    assert only.sentence.endswith(
        "but nothing shows that it does so within a system. Within systems r is 0.05 (−0.05 to 0.15). Without the 18 "
        "stories that repeat themselves it is shown to agree within a system as well, r 0.50 (0.30 to 0.70)."
    )
    assert only.grade is Grade.WEAK
    assert graded(within=OPEN, inside_without=Coefficient(0.1, low=-0.3, high=0.7)).reasons == (INSIDE,)
    assert graded(within=OPEN, n=99).advice == (
        "What could make it stronger: 100 rated stories of 20 prompts or more; more rated stories of each system."
    )
    assert graded(n=20).advice.endswith("30 rated stories of 10 prompts or more.")
    assert graded(one_rater=None).advice == "What could make it stronger: two ratings a story or more."
    of_means = graded(one_rater=None, means=True)
    assert of_means.text.endswith("(what one human rater reaches is unknown, as the ratings are means)")
    assert of_means.advice == "What could make it stronger: the single ratings behind the means."
    for reason in (INSIDE, LENGTH):
        assert Graded(Grade.WEAK, (reason,)).advice
    for beyond in (graded(), graded(BELOW), graded(one_rater=0.61), Graded(Grade.WEAK, (LENGTH_ITSELF,))):
        assert beyond.advice == ""  # no story more or less would change that


def test_the_number_of_words_is_not_held_against_itself() -> None:
    table = replace(random_table(), texts=tuple("word " * (1 + number % 7) for number in range(120)))
    test = against_words(table, table.words, seed=0, resamples=0)
    assert (test.n, test.difference, test.undefined) == (120, None, LENGTH_ITSELF)
    assert against_words(table, table.words % 5, seed=0, resamples=0).difference is not None


@pytest.mark.parametrize(("number", "higher", "said"), [(2, 0.0, False), (12, 0.0, False), (12, 1.5, True)])
def test_degenerate_stories_that_do_not_matter_are_no_way_out(
    number: int, higher: float, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the rule of the check-up: that few of them tip an interval over 0 may be chance."""
    without = Coefficient(0.2, low=0.1, high=0.3)
    monkeypatch.setattr("core.analysis.verdict.graded.inside_without", lambda *_, **__: without)
    table, rng = random_table(), np.random.default_rng(0)
    level = np.arange(120) % 3  # both follow the system alone
    values, human = (level + rng.normal(0, 0.5, 120) for _ in range(2))
    values[:number] += higher
    table = replace(table, human=human, columns=(replace(table.columns[0], values=values),))
    (own,) = correlate_table(table, resamples=200)
    kinds = [FindingKind.REPETITION if place < number else None for place in range(120)]
    found = graded_in(table, 0, own.correlation, one_rater=None, disagree=False, kinds=kinds, resamples=200)
    assert INSIDE in found.reasons
    assert found.without == (without if said else None)
    assert (f"Without the {number} stories that repeat themselves it is shown to agree" in found.sentence) == said


@pytest.mark.parametrize(
    ("words", "test", "said"),
    [
        (
            (-0.17, -0.3, -0.05),
            {"p_holm": 0.2},
            "Ratings fall with the number of words, r −0.17: that is the other way, but in size the metric's 0.50 "
            "is not surely larger",
        ),
        (
            (0.17, 0.05, 0.3),
            {"p_holm": 0.2},
            "Ratings rise with the number of words, r 0.17, and the metric's 0.50 is not surely higher",
        ),
        (
            (-0.05, -0.2, 0.1),
            {"p_holm": 0.2},
            "The number of words has r −0.05 with ratings, and in size the metric's 0.50 is not surely larger",
        ),
        (
            (-0.8, -0.9, -0.7),
            {"difference": -0.3},
            "Ratings fall with the number of words, r −0.80: that is the other way, but in size the metric's 0.50 "
            "is the lower one",
        ),
        (
            (0.8, 0.7, 0.9),
            {"difference": -0.3},
            "Ratings rise with the number of words, r 0.80, and the metric's 0.50 is the lower one",
        ),
    ],
)
def test_beside_length_it_is_said_which_way_ratings_go_and_that_sizes_are_compared(
    words: tuple[float, float, float], test: dict[str, float], said: str
) -> None:
    value, low, high = words
    found = graded(against_words=replace(BEYOND, **test), words=Coefficient(value, low=low, high=high))
    assert found.sentence == (
        "Weak evidence: it agrees with people over all stories, but it may do no better than the number of words. "
        f"{said}."
    )


def test_that_a_metric_agrees_at_equal_length_is_said_beside_length() -> None:
    weak = graded(against_words=replace(BEYOND, p_holm=0.2), words=ABOVE, equal=ABOVE)
    assert weak.sentence.endswith("0.50 is not surely higher; at equal length it has 0.50, 0.40 to 0.60.")


def test_no_more_is_claimed_beside_length_than_the_tests_of_all_pairs_tell() -> None:
    assert graded(corrected=replace(BEYOND, p_holm=0.05)).grade is Grade.STRONG
    found = graded(corrected=replace(BEYOND, p_holm=0.48), words=Coefficient(0.2, low=0.1, high=0.3))
    assert (found.grade, found.reasons) == (Grade.WEAK, (LENGTH,))
    assert "higher by a test of these two alone, not by one corrected for all pairs" in found.sentence


def test_a_p_beside_the_level_hardly_depends_on_the_seed() -> None:
    table = near_the_level()
    scores = table.columns[0].values
    p = [against_words(table, scores, seed=seed, resamples=0).permutation_p or 0.0 for seed in range(4)]
    assert 0.03 < min(p) <= max(p) < 0.07
    assert max(p) - min(p) < 0.01


def near_the_level() -> ScoreTable:
    """A table whose metric's p beside the number of words is about .05."""
    rng = np.random.default_rng(6)
    stories, prompts = 200, 40
    human = rng.normal(size=stories)
    words = np.clip(np.round(60 + 10 * (0.25 * human + rng.normal(size=stories))), 5, None).astype(int)
    table = random_table(stories, prompts=prompts)
    texts = [" ".join(["word"] * number) for number in words]
    scores = 0.46 * human + rng.normal(size=stories)
    return replace(table, human=human, texts=texts, columns=(replace(table.columns[0], values=scores),))
