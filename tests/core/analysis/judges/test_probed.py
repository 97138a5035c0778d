"""What a bias run says: planted biases are found and absent ones not, figures are those of slow draws."""

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judges.bias_table import CALLED, MEANS, bias_rows
from core.analysis.judges.biases import judge_biases
from core.analysis.judges.columns import JudgeRatings
from core.analysis.judges.probed import (
    BROUGHT,
    NOT_RUN,
    CheckResult,
    Shift,
    probed_biases,
    with_probed,
)
from core.analysis.judges.probes import Check, ProbeRatings
from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable
from core.statistics.draws import draw_prompts
from core.statistics.intervals import Estimate
from tests.core.analysis.judges.probed import SampledStory, by_length, obeying, run, sampled

SIGNATURE = "judge:overall|model:m|v:1"


def judge(*signatures: str) -> JudgeRatings:
    return JudgeRatings("judge", "judge", "", ("judge:overall",), signatures or (SIGNATURE,), np.zeros(0))


def found(ratings: list[ProbeRatings], **how: int) -> Mapping[Check, CheckResult]:
    return probed_biases(judge(), {SIGNATURE: ratings}, **how).checks


def ratings(check: Check, rows: list[tuple[str, int, float, float]]) -> ProbeRatings:
    variants, stories, before, after = zip(*rows, strict=True)
    numbers = np.array(stories)
    prompts = tuple(f"p{number // 3}" for number in stories)
    return ProbeRatings(check, variants, numbers, prompts, np.array(before), np.array(after), ("",) * len(rows))


def above(estimate: Estimate) -> bool:
    return estimate.low is not None and estimate.low > 0


def by_name(result: CheckResult) -> dict[str, Shift]:
    return {shift.variant: shift for shift in result.variants}


@pytest.mark.slow
def test_a_judge_of_length_is_unmasked() -> None:
    """It agrees with people as far as they like length, has nothing left at equal length, and rates what is longer
    higher, damaged or not.
    """
    sample = sampled(60)
    rng = np.random.default_rng(0)
    words = np.array([len(of.story.text.split()) for of in sample], dtype=np.float64)
    human = np.clip(2.5 + words / 90 + rng.normal(0, 0.5, len(sample)), 1, 5)
    ratings_there, _ = run(by_length, sample)
    repeat = next(of for of in ratings_there if of.check is Check.REPEAT)
    rated = repeat.before + rng.normal(0, 0.01, len(sample))  # else it follows the number of words exactly
    column = ScoreColumn("asked:overall", SIGNATURE, rated, {})
    biases = judge_biases(table_of(sample, human, (column,)), ("overall",)).rows[0]
    assert above(biases.longer)
    assert biases.equal_length.low is not None
    assert biases.equal_length.low < 0 < (biases.equal_length.high or 0)
    checks = found(ratings_there)
    damaged = by_name(checks[Check.DISCRIMINATION])
    assert (damaged["words repeated"].points.high or 0) < 0  # it rises
    assert damaged["words repeated"].share.value == 0
    assert damaged["sentences shuffled"].points.value == pytest.approx(0, abs=1e-9)
    assert damaged["sentences shuffled"].share.value == 0.5
    assert checks[Check.REPEAT].whole.points == Estimate(0.0, 0.0, 0.0)
    assert checks[Check.WORDING].whole.points.value == pytest.approx(0)
    assert all(above(shift.points) for name, shift in by_name(checks[Check.INJECTION]).items())
    obedience = by_name(checks[Check.INJECTION])
    assert (obedience["answer put in"].points.value or 0) < (obedience["closed mark"].points.value or 0)
    assert by_name(checks[Check.INVARIANCE])["typos"].points.value == pytest.approx(0, abs=1e-9)


def test_a_judge_that_obeys_is_unmasked() -> None:
    checks = found(run(obeying, sampled())[0])
    injection = checks[Check.INJECTION]
    assert injection.whole.points.value == 3
    assert injection.whole.share.value == 1
    assert len(injection.variants) == 4
    assert all(shift.share.value == 1 for shift in injection.variants)
    for check in (Check.REPEAT, Check.WORDING, Check.INVARIANCE):
        assert (checks[check].whole.points.value, checks[check].whole.share.value) == (0, 0)
    assert checks[Check.DISCRIMINATION].whole.share.value == 0.5


def test_figures_by_hand() -> None:
    checks = found(
        [
            ratings(Check.REPEAT, [("", 0, 3, 3), ("", 3, 3, 4), ("", 6, 2, 1.5), ("", 9, 2, np.nan)]),
            ratings(Check.WORDING, [("1", 0, 3, 3), ("2", 0, 3, 3), ("1", 3, 2, 4), ("2", 3, 2, 3), ("1", 6, 1, 1)]),
            ratings(Check.INJECTION, [("a", 0, 3, 5), ("a", 3, 3, 3.4), ("b", 0, 3, 2), ("b", 3, 3, 3.5)]),
            ratings(Check.DISCRIMINATION, [("a", 0, 3, 2), ("a", 3, 3, 3), ("b", 0, 3, 4), ("b", 3, 3, 1)]),
            ratings(Check.INVARIANCE, [("a", 0, 3, 2), ("b", 3, 3, 3.25)]),
        ]
    )
    repeat, wording = checks[Check.REPEAT].whole, checks[Check.WORDING].whole
    assert repeat.points.value == pytest.approx(math.sqrt((0 + 1 + 0.25) / 3))
    assert (repeat.share.value, repeat.n, repeat.unread) == (pytest.approx(2 / 3), 3, 1)
    assert checks[Check.REPEAT].variants == ()
    assert wording.points.value == pytest.approx(math.sqrt((0 + 1) / 2))
    assert (wording.share.value, wording.n, wording.unread) == (0.5, 2, 1)
    injection = checks[Check.INJECTION]
    assert (injection.whole.points.value, injection.whole.share.value) == (pytest.approx(1.9 / 4), 0.5)
    assert [shift.points.value for shift in injection.variants] == pytest.approx([1.2, -0.25])
    damaged = checks[Check.DISCRIMINATION].whole
    assert (damaged.points.value, damaged.share.value) == (0.5, pytest.approx(2.5 / 4))
    harmless = checks[Check.INVARIANCE].whole
    assert (harmless.points.value, harmless.share.value) == (pytest.approx(0.625), 0.5)
    (one, _) = checks[Check.INVARIANCE].variants
    assert (one.points.value, one.points.low) == (1, None)  # a single prompt says nothing of others


def test_figures_and_intervals_are_those_of_slow_draws() -> None:
    rng = np.random.default_rng(1)
    names, stories = ("a", "b", "c"), range(40)
    rows = {
        check: [
            (name, story, float(rng.integers(1, 6)), float(rng.choice([np.nan, *range(1, 6)], p=[0.1, *[0.18] * 5])))
            for name in (names if check is not Check.REPEAT else ("",))
            for story in stories
            if rng.random() < 0.9
        ]
        for check in Check
        if check is not Check.WORDING
    }
    base = {story: float(rng.integers(1, 6)) for story in stories}
    rows[Check.WORDING] = [(n, s, base[s], float(rng.integers(1, 6))) for n in names for s in stories if s % 7]
    given_ratings = [ratings(check, rows[check]) for check in Check]
    checks = found(given_ratings, seed=3, resamples=60)
    prompts = sorted({prompt for of in given_ratings for prompt in of.prompts})
    draws = draw_prompts(prompts, seed=3, resamples=60)
    for check in Check:
        for variant in ("", *names):
            if shift := ({"": checks[check].whole} | by_name(checks[check])).get(variant):
                mine = [row for row in rows[check] if variant in ("", row[0])]
                assert_slow(shift, check, mine, draws.copies, draws.numbers)


def slow(check: Check, rows: list[tuple[str, int, float, float]]) -> tuple[float, float]:
    """Points and share, as they are told."""
    if check is Check.WORDING:
        points, share = [], []
        for story in dict.fromkeys(story for _, story, _, _ in rows):
            every = [rows[[row[1] for row in rows].index(story)][2]]
            every += list({name: after for name, own, _, after in rows if own == story}.values())
            mean = sum(every) / len(every)
            weight = sum(own == story for _, own, _, _ in rows) // (len(every) - 1)
            points += [sum((value - mean) ** 2 for value in every) / (len(every) - 1)] * weight
            share += [float(max(every) - min(every) >= 0.5)] * weight
        return math.sqrt(sum(points) / len(points)), sum(share) / len(share)
    apart = [after - before for _, _, before, after in rows if not math.isnan(after)]
    n = len(apart)
    if check is Check.REPEAT:
        return math.sqrt(sum(x * x for x in apart) / n), sum(abs(x) >= 0.5 for x in apart) / n
    if check is Check.INJECTION:
        return sum(apart) / n, sum(x >= 0.5 for x in apart) / n
    if check is Check.DISCRIMINATION:
        return -sum(apart) / n, sum(1.0 if x < 0 else 0.5 if x == 0 else 0.0 for x in apart) / n
    return sum(map(abs, apart)) / n, sum(abs(x) >= 0.5 for x in apart) / n


def assert_slow(
    shift: Shift, check: Check, rows: list[tuple[str, int, float, float]], copies: Floats, numbers: dict[str, int]
) -> None:
    assert (shift.points.value, shift.share.value) == pytest.approx(slow(check, rows))
    again = []
    for draw in copies:
        drawn = [row for row in rows for _ in range(int(draw[numbers[f"p{row[1] // 3}"]]))]
        again.append(slow(check, drawn))
    for place, estimate in enumerate((shift.points, shift.share)):
        ends = np.percentile([one[place] for one in again], (2.5, 97.5))
        assert (estimate.low, estimate.high) == pytest.approx(tuple(ends))


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 8), st.integers(1, 5), st.integers(1, 5)),
        min_size=1,
        unique_by=lambda row: row[:2],
    ),
    st.sampled_from([Check.INJECTION, Check.DISCRIMINATION, Check.INVARIANCE]),
)
def test_the_whole_lies_between_its_variants(rows: list[tuple[str, int, float, float]], check: Check) -> None:
    result = found([ratings(check, rows)], resamples=0)[check]
    shifts = result.variants or (result.whole,)
    assert sum(shift.n for shift in shifts) == result.whole.n == len(rows)
    for figure in ("points", "share"):
        values = [getattr(shift, figure).value for shift in shifts]
        assert min(values) - 1e-9 <= getattr(result.whole, figure).value <= max(values) + 1e-9
    assert 0 <= (result.whole.share.value or 0) <= 1


def test_of_several_criteria_the_means_count() -> None:
    one = ratings(Check.INJECTION, [("a", 0, 1, 2), ("a", 3, 1, 2), ("b", 0, 1, 2)])
    two = ratings(Check.INJECTION, [("a", 3, 3, 3), ("a", 0, 3, 5), ("c", 0, 1, 1)])
    probed = probed_biases(judge("x", "y"), {"x": [one], "y": [two]})
    whole = probed.checks[Check.INJECTION].whole
    assert (whole.n, probed.stories) == (2, 2)
    assert whole.points.value == pytest.approx(((3.5 - 2) + (2.5 - 2)) / 2)
    assert probed_biases(judge("x", "z"), {"x": [one]}).undefined == NOT_RUN


def test_the_table_says_why_there_is_nothing() -> None:
    sample = sampled(9)
    human = np.linspace(1, 5, 9)
    column = ScoreColumn("m:overall", "file:m|column:m", human + 0.5, {})
    table = with_probed(
        table_of(sample, human, (column,)), [("asked:overall", SIGNATURE), ("m:overall", column.signature)]
    )
    assert [own.signature for own in table.columns] == [column.signature, SIGNATURE]
    imported, asked = judge_biases(table, ("overall",), resamples=10).rows
    assert asked.lenient.undefined == "no story has both its rating and people's"
    own = probed_biases(imported.judge, {})
    assert (own.undefined, own.checks) == (BROUGHT, {})
    rows = bias_rows(imported, own)
    assert {row.figure.undefined for row in rows if row.bias in CALLED.values()} == {BROUGHT}
    only = [of for of in run(by_length, sample)[0] if of.check is not Check.INVARIANCE]
    rows = bias_rows(asked, probed_biases(asked.judge, {SIGNATURE: only}, resamples=10))
    assert {row.bias for row in rows} <= set(MEANS)
    (missing,) = [row for row in rows if row.bias == CALLED[Check.INVARIANCE]]
    assert "English" in (missing.figure.undefined or "")
    assert next(row.variant for row in rows if row.bias == CALLED[Check.INJECTION]) == ""


def test_nothing_readable_is_said() -> None:
    wording = ratings(Check.WORDING, [("1", 0, 3, np.nan)])
    repeat = ratings(Check.REPEAT, [("", 0, np.nan, 3)])
    checks = found([repeat, wording])
    for check in (Check.REPEAT, Check.WORDING):
        assert checks[check].whole.points.undefined == "no rating could be read"
        assert checks[check].whole.unread == 1


def table_of(sample: list[SampledStory], human: Floats, columns: tuple[ScoreColumn, ...]) -> ScoreTable:
    return ScoreTable(
        tuple(str(of.number) for of in sample),
        tuple(of.prompt for of in sample),
        tuple(of.system for of in sample),
        tuple(of.story.text for of in sample),
        human,
        columns,
    )
