"""The verdict claims what the intervals support and no more, on both sides of every threshold, with its numbers."""

from dataclasses import replace

import pytest

from core.analysis.correlation.partial import Partial, PartialCorrelation
from core.analysis.judgments.reliability import Reliability
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.sentences import VerdictSentence, on_agreement, on_lines, on_rank, on_rank_by_rho, on_sample
from core.analysis.verdict.sentences import on_correlation as on_correlation_of
from core.analysis.verdict.subsets import HELD, on_partial
from core.statistics.correlation import NOTHING, Coefficient, Correlation, MetricCorrelation
from core.statistics.intervals import Estimate
from tests.core.analysis.verdict.sentences import text


def coefficient(value: float, low: float | None = None, high: float | None = None, p: float = 0.001) -> Coefficient:
    return Coefficient(value, p, p, low, high)


def correlation(pearson: Coefficient, spearman: Coefficient | None = None, n: int = 400) -> Correlation:
    return Correlation(n, pearson, spearman or pearson, pearson)


def on_correlation(found: Correlation, prompts: int = 100, draws: int = 1000) -> tuple[VerdictSentence, ...]:
    return on_correlation_of(found, prompts=prompts, draws=draws)


def held(value: float, low: float, high: float) -> PartialCorrelation:
    return PartialCorrelation(coefficient(value, low, high))


def partial(within: PartialCorrelation, between: tuple[float, float], **changes: object) -> Partial:
    """A metric's r of .3 over all stories, of three systems; `within`: them; `between`: how much higher that is."""
    same = held(0.3, 0.2, 0.4)
    estimate = Estimate(sum(between) / 2, *between)
    return replace(Partial(400, 3, same, within, same, same, held(0.1, 0.0, 0.2), estimate, Estimate(0.2, 0.1, 0.3)),
                   **changes)  # type: ignore[arg-type]  # fmt: skip


def against_words(difference: float = 0.2, p: float = 0.01) -> PairTest:
    """A paired test of a metric against the number of words."""
    low, high = difference - 0.1, difference + 0.1
    return PairTest("metric", "words", 400, difference=difference, low=low, high=high, permutation_p=p, p_holm=p)


@pytest.mark.parametrize(
    ("within", "between", "said"),
    [
        ((0.03, -0.05, 0.11), (0.2, 0.35), "what they follow are differences between systems"),
        ((0.15, -0.02, 0.33), (-0.02, 0.3), "whether they do within systems is open"),
        ((-0.2, -0.3, -0.1), (0.4, 0.6), "within systems they go the other way"),
        ((0.28, 0.18, 0.38), (0.0, 0.04), "The metric's scores rise with human judgments (Pearson's r"),
    ],
)
def test_the_first_sentence_says_what_is_left_within_systems(
    within: tuple[float, float, float], between: tuple[float, float], said: str
) -> None:
    whole = correlation(coefficient(0.3, 0.2, 0.4))
    sentences = on_correlation_of(whole, prompts=100, draws=1000, partial=partial(held(*within), between))
    assert said in text(sentences[0])
    against = correlation(coefficient(-0.3, -0.4, -0.2))
    turned = partial(held(-within[0], -within[2], -within[1]), (-between[1], -between[0]))
    mirrored = on_correlation_of(against, prompts=100, draws=1000, partial=turned)
    assert said.replace("rise with human judgments (", "fall where human judgments rise: it runs against people (") in (
        text(mirrored[0])
    )


def test_r_at_equal_systems_and_length_stands_beside_the_pooled_one() -> None:
    sentence = on_partial(partial(held(0.28, 0.18, 0.38), (0.0, 0.04)), against_words())[0]
    assert sentence.text == (
        "Within systems Pearson's r is 0.28 (0.18 to 0.38), at equal length 0.30 (0.20 to 0.40), and within "
        "systems at equal length 0.30 (0.20 to 0.40)."
    )


def test_one_system_has_nothing_within() -> None:
    item = partial(PartialCorrelation(NOTHING, "all stories are of one system"), (0.0, 0.1), systems=1)
    sentences = on_correlation_of(correlation(coefficient(0.3, 0.2, 0.4)), prompts=100, draws=1000, partial=item)
    assert "The metric's scores rise" in text(sentences[0])


@pytest.mark.parametrize(
    ("low", "high", "said", "caution"),
    [
        (0.01, 0.3, "It goes with people's ratings more closely than length does", False),
        (-0.1, 0.1, "cannot be told to go with people's ratings more closely", True),
        (-0.3, -0.01, "Length goes with people's ratings more closely", True),
    ],
)
def test_every_metric_is_held_against_the_number_of_words(low: float, high: float, said: str, caution: bool) -> None:
    item = partial(held(0.3, 0.2, 0.4), (0.0, 0.1))
    sentences = on_partial(item, against_words((low + high) / 2, 0.5 if low < 0 < high else 0.01))
    assert said in text(*sentences)
    assert sentences[-1].caution is caution
    for name in HELD.values():
        assert name in sentences[0].text


def test_a_p_that_is_the_least_of_its_permutations_is_said_to_be_at_most_that() -> None:
    item = partial(held(0.3, 0.2, 0.4), (0.0, 0.1))
    for permutations, said in ((999, "p ≤ 0.001 by a paired"), (1999, "p = 0.001 by a paired")):
        test = replace(against_words(0.2, 0.001), permutations=permutations)
        assert said in text(*on_partial(item, test))


def test_no_more_than_length_is_claimed_where_the_corrected_test_is_open() -> None:
    item = partial(held(0.3, 0.2, 0.4), (0.0, 0.1))
    for p_holm, claims in ((0.329, False), (0.05, True)):
        corrected = PairTest("m", "words", 400, difference=0.2, permutation_p=0.047, p_holm=p_holm)
        sentence = on_partial(item, against_words(0.2, 0.047), corrected)[-1]
        assert sentence.text.startswith("It goes with people's ratings more closely") is claims
        assert sentence.caution is not claims
        begins = (
            "A test of these two alone tells it apart from length; corrected for the other comparisons, it does not"
        )
        assert sentence.text.startswith(f"{begins} (p = 0.329): ") is not claims
    worse = on_partial(item, against_words(-0.2, 0.047), PairTest("m", "words", 400, p_holm=0.329))[-1]
    assert worse.text.startswith("A test of these two alone tells it apart from length")


def test_what_length_explains_is_a_caution() -> None:
    item = partial(held(0.3, 0.2, 0.4), (0.0, 0.1), equal_length=held(0.02, -0.06, 0.1))
    assert "At equal length nothing is sure to be left of it" in text(*on_partial(item, against_words()))
    kept = partial(held(0.3, 0.2, 0.4), (0.0, 0.1))
    assert "At equal length nothing" not in text(*on_partial(kept, against_words()))


def test_no_verdict_on_ratings_that_do_not_agree() -> None:
    unreliable = Reliability(Estimate(-0.02, -0.1, 0.06), 240, 40)
    (first,) = on_agreement(unreliable)
    assert "no" in first.text
    assert text(first)
    (only,) = on_correlation_of(correlation(coefficient(0.5, 0.4, 0.6)), prompts=100, draws=1000, agreed=False)
    assert only.text.startswith("So nothing is claimed")
    assert on_agreement(Reliability(Estimate(0.3, 0.2, 0.4), 240, 40)) == ()


def test_one_rater_below_nought_is_nothing_to_be_above_of() -> None:
    assert on_lines(coefficient(0.2, 0.1, 0.3), -0.208, None) == ()


def metric(value: float, low: float, high: float, n: int = 400, name: str = "m") -> MetricCorrelation:
    return MetricCorrelation(name, f"{name}|v:1", None, correlation(coefficient(value, low, high), n=n))


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.001, 0.4, "rise with human judgments"),
        (0.0, 0.4, "is open"),
        (-0.001, 0.4, "is open"),
        (-0.4, 0.0, "is open"),
        (-0.4, -0.001, "runs against people"),
    ],
)
def test_the_sign_is_stated_where_the_interval_settles_it(low: float, high: float, said: str) -> None:
    sentences = on_correlation(correlation(coefficient((low + high) / 2, low, high)))
    assert len(sentences) == 1
    assert said in text(*sentences)


def test_scores_that_are_negated_are_said_to_be() -> None:
    below, shared = correlation(coefficient(-0.3, -0.4, -0.2)), {"prompts": 100, "draws": 1000, "negated": "minus Fp"}
    (sentence,) = on_correlation_of(below, **shared)  # type: ignore[arg-type]
    assert sentence.text.startswith("The metric's scores (minus Fp) fall where human judgments rise")
    parted = partial(held(0.0, -0.1, 0.1), (0.1, 0.3))
    (sentence,) = on_correlation_of(
        correlation(coefficient(0.3, 0.2, 0.4)),
        partial=parted,
        **shared,  # type: ignore[arg-type]
    )
    assert sentence.text.startswith("Over all stories the metric's scores (minus Fp) rise with human judgments, but")


def test_without_an_interval_nothing_is_said_of_other_prompts() -> None:
    without = correlation(coefficient(0.9))
    assert "so nothing is claimed of its agreement with people" in text(*on_correlation(without))
    assert text(*on_correlation(without, draws=0)).startswith(
        "Without draws of prompts there is no interval, so nothing"
    )


@pytest.mark.parametrize(("n", "said"), [(29, "Under 30 stories nothing is claimed"), (30, "rise with")])
def test_too_few_stories_claim_nothing(n: int, said: str) -> None:
    sentences = on_correlation(correlation(coefficient(0.9, 0.8, 0.95), coefficient(0.2, -0.1, 0.3), n=n))
    assert said in text(*sentences)
    assert len(sentences) == (1 if n < 30 else 2)


@pytest.mark.parametrize(("prompts", "said"), [(9, "fewer than 10 prompts nothing is claimed"), (10, "rise with")])
def test_too_few_prompts_claim_nothing(prompts: int, said: str) -> None:
    """An interval that draws three prompts over and over is narrow by chance, however many stories they have."""
    sentences = on_correlation(correlation(coefficient(0.9, 0.8, 0.95), coefficient(0.2, -0.1, 0.3)), prompts)
    assert said in text(*sentences)
    assert len(sentences) == (1 if prompts < 10 else 2)


def test_undefined_is_said_with_its_reason() -> None:
    (sentence,) = on_correlation(Correlation(2, NOTHING, NOTHING, NOTHING, "only 2 stories"))
    assert "undefined over 2 stories: only 2 stories" in text(sentence)
    assert sentence.caution


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.1, 0.3, ""), (-0.1, 0.3, "leaves the sign open"), (-0.3, -0.1, "is below 0")],
)
def test_ranks_that_say_otherwise_are_named(low: float, high: float, said: str) -> None:
    sentences = on_correlation(correlation(coefficient(0.2, 0.1, 0.3), coefficient(0.15, low, high)))
    assert len(sentences) == (2 if said else 1)
    assert said in text(*sentences)


@pytest.mark.parametrize(
    ("p", "by_prompt", "said"),
    [(0.0099, 0.0099, ""), (0.0099, 0.01, "rests on stories being independent"), (0.01, 0.0099, "It has no star")],
)
def test_p_values_that_part_are_named(p: float, by_prompt: float, said: str) -> None:
    sentences = on_correlation(correlation(Coefficient(0.2, p, by_prompt, 0.1, 0.3)))
    assert len(sentences) == (2 if said else 1)
    assert said in text(*sentences)


def test_the_least_p_by_prompt_of_its_draws_is_said_to_be_at_most_that() -> None:
    sentences = on_correlation(correlation(Coefficient(0.2, 0.01, 0.002, 0.1, 0.3, at_most=True)))
    assert "It has no star (p = 0.01), though by prompt p ≤ 0.002." in text(*sentences)


def test_few_draws_say_nothing_of_the_star() -> None:
    """Of 100 draws no p by prompt can be below 0.0198, whatever the data."""
    item = correlation(Coefficient(0.6, 1e-12, 2 / 101, 0.5, 0.7))
    assert len(on_correlation(item, draws=100)) == 1
    assert len(on_correlation(item, draws=200)) == 2


@pytest.mark.parametrize(
    ("rater", "said"),
    [(0.19, "lies above"), (0.2, "cannot be told apart"), (0.4, "cannot be told apart"), (0.41, "lies below")],
)
def test_beside_one_rater(rater: float, said: str) -> None:
    assert said in text(*on_lines(coefficient(0.3, 0.2, 0.4), rater, None))


def test_beside_one_rater_it_is_said_that_a_few_stories_make_its_r() -> None:
    which = "the 18 stories that repeat themselves"
    said = text(*on_lines(coefficient(0.67, 0.51, 0.81), 0.5, None, moved=(0.177, None), left_out=which))
    assert said == (
        "Its interval (0.51 to 0.81) lies above what one human rater reaches, 0.50; but without the 18 stories "
        "that repeat themselves its r is 0.18."
    )
    both = text(*on_lines(coefficient(0.67, 0.51, 0.81), 0.5, None, moved=(0.177, 0.6), left_out=which))
    assert both.endswith(
        "; but without the 18 stories that repeat themselves its r is 0.18 and one human rater's 0.60."
    )


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (
            coefficient(0.5, 0.3, 0.7),
            "but within systems they are shown to do so only without the 18 stories that repeat themselves (",
        ),
        (coefficient(0.5, -0.3, 0.7), "what they follow are differences between systems"),
        (NOTHING, "what they follow are differences between systems"),
    ],
)
def test_what_is_shown_within_systems_only_without_degenerate_stories(without: Coefficient, said: str) -> None:
    item, whole = partial(held(0.02, -0.06, 0.1), (0.1, 0.2)), correlation(coefficient(0.3, 0.2, 0.4))
    left_out = "the 18 stories that repeat themselves"
    (sentence,) = on_correlation_of(
        whole, prompts=100, draws=1000, partial=item, inside_without=without, left_out=left_out
    )
    assert said in text(sentence)
    assert ("without those stories 0.50, 95 % interval 0.30 to 0.70" in sentence.text) == ("only without" in said)


def test_what_may_be_0_is_not_compared_with_a_person() -> None:
    said = text(*on_lines(coefficient(0.27, -0.05, 0.55), 0.499, None))
    assert said == (
        "Its interval (−0.05 to 0.55) lies around what one human rater reaches, 0.50, and around 0: far too wide to "
        "compare them."
    )


@pytest.mark.parametrize(("ceiling", "beyond"), [(0.3, False), (0.299, True)])
def test_beside_the_ceiling(ceiling: float, beyond: bool) -> None:
    (sentence,) = on_lines(coefficient(0.3, 0.2, 0.4), None, ceiling)
    assert sentence.caution is beyond
    assert ("which is more" in text(sentence)) is beyond


def test_lines_that_are_undefined_are_left_out() -> None:
    assert on_lines(coefficient(0.3, 0.2, 0.4), None, None) == ()
    assert on_lines(coefficient(0.3, 0.2, 0.4), None, 0.0) == ()
    assert on_lines(coefficient(0.3), 0.5, None) == ()
    assert on_lines(NOTHING, 0.5, 0.8) == ()


def test_rank_says_what_the_tests_settle() -> None:
    own = metric(0.3, 0.2, 0.4)
    among = [own, *(metric(value, 0.0, 0.6, name=name) for name, value in (("a", 0.5), ("b", 0.4), ("c", 0.1)))]
    tests = [
        PairTest("m", "a", 400, difference=-0.2, p_holm=0.05, tests=6),
        PairTest("m", "b", 400, difference=-0.1, p_holm=0.0501, tests=6),
        PairTest("m", "c", 400, difference=0.2, p_holm=0.001, tests=6),
    ]
    sentence = text(*on_rank(own, among, tests))
    assert "number 3 of 4 metrics; of 3 others" in sentence
    assert (
        "(p at most 0.05, corrected for all 6 pairs of metrics) find 1 better and 1 worse, and cannot tell it apart "
        "from 1: b." in sentence
    )
    assert "cannot" not in text(*on_rank(own, among, [tests[0], tests[2]]))
    assert "find 1 better and none worse" in text(*on_rank(own, among, [tests[0], tests[1]]))
    alike = [replace(tests[0], p_holm=0.3, b_value=0.4), replace(tests[1], b_value=0.5)]
    assert text(*on_rank(own, among, alike)).endswith(") tell it apart from none of the 2 others: b, a.")


@pytest.mark.parametrize(
    ("r", "rho", "words"),
    [
        (0.2, 0.35, "By Spearman's ρ a comes first, 0.35 against its 0.30."),
        (0.2, 0.302, "By Spearman's ρ a comes first, 0.302 against its 0.300."),  # alike in two decimals
        (0.2, 0.3, ""),
        (0.4, 0.35, ""),  # it is not the first by r either
        (-0.2, 0.1, ""),
    ],
)
def test_another_metric_that_comes_first_by_rho_is_named(r: float, rho: float, words: str) -> None:
    own = metric(0.3, 0.2, 0.4)
    other = replace(own, metric="a", correlation=correlation(coefficient(r), coefficient(rho)))
    assert text(*on_rank_by_rho(own, [own, other], ["own", "a"])) == words
    assert on_rank_by_rho(own, [own], ["own"]) == ()


def test_a_rank_that_no_test_settles_says_why() -> None:
    own = metric(0.3, 0.2, 0.4)
    tests = [PairTest("m", "a", 400, difference=-0.2, undefined="all stories have one prompt")]
    sentence = text(*on_rank(own, [own, metric(0.5, 0.4, 0.6, name="a")], tests))
    assert "number 2 of 2 metrics; no test says" in sentence
    assert sentence.endswith("all stories have one prompt.")


def test_a_judge_is_counted_beside_the_metrics_as_on_the_overview() -> None:
    own, judge = metric(0.3, 0.2, 0.4), metric(0.5, 0.4, 0.6, name="judge:overall")
    (said,) = on_rank(own, [own, judge, metric(0.1, 0.0, 0.2, name="a")], [])
    assert said.text.startswith("By r it is number 2 of 3 (2 metrics and 1 judge); ")
    assert {("metrics", 2), ("judges", 1), ("metrics and judges", 3)} <= set(said.numbers)
    (alone,) = on_rank(judge, [judge, replace(judge, metric="judge/2:overall", signature="other")], [])
    assert alone.text.startswith("By r it is number 1 of 2 (2 judges); ")


def test_rank_needs_another_metric_and_a_value() -> None:
    own = metric(0.3, 0.2, 0.4)
    none = replace(own, correlation=Correlation(0, NOTHING, NOTHING, NOTHING, "none"))
    assert on_rank(own, [own], []) == ()
    assert on_rank(own, [own, none], []) == ()
    assert on_rank(none, [own, none], []) == ()


def test_metrics_of_different_stories_are_no_ranking_of_one_sample() -> None:
    own = metric(0.3, 0.2, 0.4)
    tests = [PairTest("m", "m (2)", 200, difference=0.2, p_holm=0.01)]
    sentences = on_rank(own, [own, metric(0.1, 0.0, 0.3, n=200)], tests)
    assert "not all scored on the same stories (200 to 400)" in text(*sentences)
    assert sentences[-1].caution


@pytest.mark.parametrize(
    ("p", "difference", "found"),
    [
        (0.2, 0.1, "cannot tell it apart from m (2)"),
        (0.01, 0.2, "finds m (2) worse"),
        (0.01, -0.2, "finds m (2) better"),
    ],
)
def test_beside_one_other_metric_that_one_is_named(p: float, difference: float, found: str) -> None:
    own = metric(0.3, 0.2, 0.4)
    tests = [PairTest("m", "m (2)", 400, difference=difference, p_holm=p)]
    (sentence,) = on_rank(own, [own, metric(0.1, 0.0, 0.3)], tests)
    assert text(sentence).endswith(f"2 metrics; a permutation test by prompt (p at most 0.05) {found}.")


@pytest.mark.parametrize(
    ("n", "rated", "prompts", "count"),
    [(100, 100, 20, 0), (0, 0, 0, 1), (99, 99, 20, 1), (100, 100, 19, 1), (100, 101, 20, 1), (10, 11, 1, 3)],
)
def test_small_and_partial_samples_are_flagged(n: int, rated: int, prompts: int, count: int) -> None:
    sentences = on_sample(n, rated, prompts)
    assert len(sentences) == count
    assert all(sentence.caution for sentence in sentences)
    text(*sentences)


def test_stories_that_are_their_own_reference_are_counted_among_those_left_out() -> None:
    (sentence,) = on_sample(960, 1057, 96, 96)
    assert "the other 97 are left out (96 because a story that is its own reference says nothing" in text(sentence)
    assert dict(sentence.numbers)["own references"] == 96
    assert "its own reference" not in text(*on_sample(960, 1057, 96))


def test_how_far_a_metric_passes_length_is_what_the_page_of_correlations_shows() -> None:
    item = partial(held(0.3, 0.2, 0.4), (0.0, 0.04), beyond_words=Estimate(0.2, 0.04, 0.29))
    sentence = on_partial(item, against_words(0.2))[-1]
    assert text(sentence).endswith(
        "and the metric's r is higher by 0.20, 95 % interval 0.04 to 0.29; p = 0.01 by a paired permutation test of "
        "these two alone, not corrected for other comparisons."
    )
    assert dict(sentence.numbers)["high beyond"] == 0.29


def test_beside_length_sizes_are_compared_where_either_r_is_below_0() -> None:
    for change in ({"pooled": held(-0.3, -0.4, -0.2)}, {"words": held(-0.1, -0.2, 0.0)}):
        sentence = on_partial(partial(held(0.3, 0.2, 0.4), (0.0, 0.04), **change), against_words(0.2))[-1]
        assert "and the size of the metric's r, whatever its sign, is larger by 0.20" in text(sentence)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (held(-0.1, -0.2, -0.01), "people's ratings fall with the number of words, r = −0.10 (−0.20 to −0.01), and"),
        (held(0.1, 0.01, 0.2), "people's ratings rise with the number of words, r = 0.10 (0.01 to 0.20), and"),
        (held(0.1, -0.01, 0.2), "the number of words alone has r = 0.10 (−0.01 to 0.20), and"),
    ],
)
def test_beside_length_it_is_said_which_way_ratings_go_with_it(words: PartialCorrelation, said: str) -> None:
    item = partial(held(0.3, 0.2, 0.4), (0.0, 0.04), words=words, beyond_words=Estimate(0.2, 0.04, 0.29))
    assert said in text(on_partial(item, against_words(0.2))[-1])


def test_where_interval_and_test_part_beside_length_the_test_decides() -> None:
    item = partial(held(0.3, 0.2, 0.4), (0.0, 0.04), beyond_words=Estimate(0.152, 0.008, 0.294))
    for p, apart in ((0.075, False), (0.03, True)):
        sentence = on_partial(item, against_words(0.152, p))[-1]
        assert sentence.text.startswith("It goes with people's ratings more closely") is apart
        assert sentence.text.endswith(f"comparisons{'' if apart else ', which decides, not the interval'}.")
