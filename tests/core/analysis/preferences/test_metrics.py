"""Metrics against preferences: a slow obvious count, rows really repeated, SciPy's coefficients, and HANNA."""

import csv
import json
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.analysis.preferences.metrics import MetricPreference, judge_metrics
from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import rank
from core.analysis.systems.ranking import compare_systems
from core.scores import NOT_YET, OWN_REFERENCE, ScoreColumn
from core.statistics.draws import copies_of
from tests.core.analysis.preferences.judged import preferences, scored, simulated

TRUE = np.array([1.0, 0.4, 0.0, -0.4, -1.0])


def keys_of(judged: Preferences) -> list[str]:
    return sorted({*judged.first_story, *judged.second_story})


def slow(judged: Preferences, scores: dict[str, float], rows: list[int], strength: int | None = None) -> list[float]:
    """1, a half or 0 of each counted judgment."""
    hits = []
    for i in rows:
        choice = int(judged.choice[i])
        gap = scores.get(judged.first_story[i], np.nan) - scores.get(judged.second_story[i], np.nan)
        if choice and np.isfinite(gap) and strength in (None, abs(choice)):
            hits.append(0.5 if gap == 0 else float((gap > 0) == (choice < 0)))
    return hits


@pytest.mark.parametrize("seed", [0, 1])
def test_equals_a_slow_count_and_rows_really_repeated(seed: int) -> None:
    rng = np.random.default_rng(seed)
    judged = simulated(TRUE, 150, prompts=12, strongest=3, seed=seed)
    keys = keys_of(judged)[5:]  # the table lacks some stories
    rng.shuffle(keys)
    columns = [np.round(rng.normal(size=len(keys)) * spread) for spread in (1.0, 3.0)]
    columns[1][rng.random(len(keys)) < 0.1] = np.nan
    result = judge_metrics(judged, scored(judged, keys, *columns), seed=seed, resamples=60)
    assert (result.judgments, result.ties) == (150, int((judged.choice == 0).sum()))
    of_prompt = defaultdict(list)
    for i, prompt in enumerate(judged.prompt.tolist()):
        of_prompt[prompt].append(i)
    copies = np.vstack(list(copies_of(12, 12, seed, 60))).astype(int)
    draws = [[i for prompt in range(12) for _ in range(draw[prompt]) for i in of_prompt[prompt]] for draw in copies]
    for row in result.rows:
        values = columns[int(row.metric[-1])]
        scores = dict(zip(keys, values.tolist(), strict=True))
        hits = slow(judged, scores, list(range(150)))
        assert row.n == len(hits)
        assert row.prompts == sum(bool(slow(judged, scores, of_prompt[prompt])) for prompt in range(12))
        assert row.missing == 150 - result.ties - len(hits)
        assert row.tied == hits.count(0.5)
        assert row.accuracy.value == pytest.approx(np.mean(hits))
        drawn = [np.mean(slow(judged, scores, draw)) for draw in draws]
        assert (row.accuracy.low, row.accuracy.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
        for part in row.by_strength:
            hits = slow(judged, scores, list(range(150)), part.strength)
            assert part.n == len(hits)
            assert part.accuracy.value == pytest.approx(np.mean(hits))
            drawn = [np.mean(slow(judged, scores, draw, part.strength)) for draw in draws]
            assert (part.accuracy.low, part.accuracy.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
    assert [row.accuracy.value for row in result.rows] == sorted((r.accuracy.value for r in result.rows), reverse=True)


@given(st.integers(0, 2**31), st.sampled_from([0.0, 0.3, 1.0]), st.booleans())
def test_people_as_one_side_equal_a_slow_count_with_its_reasons(seed: int, lacking: float, referenced: bool) -> None:
    """Two systems and people; some stories have no score, for a stored reason or for none."""
    rng = np.random.default_rng(seed)
    names = ("a", "b", "human")
    sides = [("a", "human"), ("b", "human"), ("a", "b")]
    judgments = []
    for _ in range(int(rng.integers(1, 30))):
        first, second = rng.permutation(sides[int(rng.integers(3))]).tolist()
        judgments.append((first, second, int(rng.integers(-1, 2))))
    judged = preferences(names, *judgments, prompts=(np.arange(len(judgments)) // 3).tolist())
    keys = keys_of(judged)
    values = rng.integers(0, 3, len(keys)).astype(float)
    why: dict[int, str] = {}
    for place, key in enumerate(keys):
        if referenced and key.endswith("human"):
            why[place] = OWN_REFERENCE
        elif rng.random() < lacking:
            why[place] = str(rng.choice(["the story is empty", NOT_YET]))
    values[list(why)] = np.nan
    stored = {place: reason for place, reason in why.items() if reason != NOT_YET}
    table = replace(scored(judged, keys), columns=(ScoreColumn("m", "m|v:1", values, stored),))
    (row,) = judge_metrics(judged, table, resamples=0).rows
    scores = dict(zip(keys, values.tolist(), strict=True))
    hits = slow(judged, scores, list(range(judged.judgments)))
    reasons: Counter[str] = Counter()
    for i, choice in enumerate(judged.choice.tolist()):
        both = [why.get(keys.index(key)) for key in (judged.first_story[i], judged.second_story[i])]
        said = [reason for reason in both if reason]
        if choice and said:
            reasons[next((reason for reason in said if reason != NOT_YET), NOT_YET)] += 1
    assert (row.n, row.missing, row.reasons) == (len(hits), sum(reasons.values()), reasons)
    assert list(row.reasons.values()) == sorted(row.reasons.values(), reverse=True)
    assert row.accuracy.value == (pytest.approx(np.mean(hits)) if hits else None)
    means = {name: [v for k, v in scores.items() if k.endswith(name) and np.isfinite(v)] for name in names}
    assert row.over.systems == sum(bool(means[name]) for name in ("a", "b"))  # people are no system of a metric's


def test_systems_by_rank_correlation() -> None:
    judged = simulated(np.linspace(1, -1, 10), 2000, prompts=50)
    keys = keys_of(judged)
    own = np.array([int(key[-2:]) for key in keys])
    noisy = -own + np.random.default_rng(0).normal(size=len(keys)) * 8
    noisy[::3] = np.nan
    table = scored(judged, keys, noisy)
    (row,) = judge_metrics(judged, table, resamples=0).rows
    both = np.isfinite(noisy)
    x, y = ([values[both & (own == number)].mean() for number in range(10)] for values in (noisy, table.human))
    over = row.over
    assert (over.n, over.systems) == (both.sum(), 10)
    assert over.kendall.value == pytest.approx(stats.kendalltau(x, y).statistic)
    assert over.kendall.p == pytest.approx(stats.kendalltau(x, y).pvalue)
    assert over.spearman.value == pytest.approx(stats.spearmanr(x, y).statistic)
    assert over.spearman.p == pytest.approx(stats.spearmanr(x, y).pvalue)


def test_systems_have_one_answer_on_both_pages() -> None:
    """Of the systems' stories alone, whatever people's are scored and however they fare."""
    judged = simulated(TRUE, 300, prompts=20)
    judged = replace(judged, systems=(*judged.systems[:-1], "human"))
    keys = keys_of(judged)
    values = np.random.default_rng(2).normal(size=len(keys))
    table = scored(judged, keys, values)
    alone = table.take(np.flatnonzero([system != "human" for system in table.systems]))
    (row,) = judge_metrics(judged, table, resamples=0).rows
    there = compare_systems(alone, resamples=0).correlations[0]
    assert row.over.systems == 4
    assert (row.over.n, row.over.kendall, row.over.spearman) == (there.n, there.kendall, there.spearman)


def test_p_of_few_systems_is_exact() -> None:
    """Of the 24 orders of four systems two are as far from 0 as a perfect one."""
    judged = simulated(np.array([3.0, 1.0, -1.0, -3.0]), 400, prompts=20)
    keys = keys_of(judged)
    table = scored(judged, keys, np.array([-float(key[-1]) for key in keys]))
    (row,) = judge_metrics(judged, table, resamples=0).rows
    assert row.over.kendall.value == row.over.spearman.value == pytest.approx(1)
    assert row.over.kendall.p == row.over.spearman.p == pytest.approx(2 / 24)
    assert row.accuracy.low is None


def only(judged: Preferences, keys: list[str], values: list[float]) -> MetricPreference:
    (row,) = judge_metrics(judged, scored(judged, keys, np.array(values)), resamples=20).rows
    return row


def test_where_there_is_nothing_to_say() -> None:
    judged = preferences("ab", ("a", "b", -1), ("b", "a", 0))
    assert judge_metrics(judged, scored(judged, [])).rows == ()
    none = only(judged, [], [])
    assert (none.n, none.missing, none.accuracy.undefined) == (0, 1, "no judged pair has two scores")
    assert none.over.undefined == "there are no stories"
    one = only(judged, ["0a", "0b"], [2.0, 1.0])
    assert (one.n, one.accuracy.value, one.accuracy.low) == (1, 1.0, None)  # a single prompt bears on it
    ties = preferences("ab", ("a", "b", 0), ("b", "a", 0))
    assert only(ties, ["0a", "0b"], [2.0, 1.0]).accuracy.value is None
    few = only(ties, ["0a", "0b"], [2.0, 1.0]).over.undefined
    assert few == "only 2 systems have both scores and ratings; 3 are needed"


def test_a_metric_that_ties_everything_is_right_half_of_the_time() -> None:
    judged = simulated(TRUE, 200, prompts=20)
    keys = keys_of(judged)
    row = only(judged, keys, [0.1] * len(keys))
    assert row.accuracy.value == 0.5
    assert row.tied == row.n
    assert row.over.undefined == "the metric gives every system the same mean"


def test_hannas_systems_come_out_in_the_order_of_their_coherence(shared: Path) -> None:
    """Two systems' stories of each prompt, the one with the higher mean coherence preferred, ties where equal."""
    means, systems, prompts = {}, {}, defaultdict(list)
    for line in (shared / "hanna" / "hanna.jsonl").read_text(encoding="utf-8").splitlines():
        story = json.loads(line)
        key = str(story["story_id"])
        means[key] = float(np.mean([rating["coherence"] for rating in story["ratings"]]))
        systems[key] = story["system"]
        prompts[story["prompt_id"]].append(key)
    names = tuple(sorted(set(systems.values())))
    pairs = [(place, a, b) for place, prompt in enumerate(prompts) for a, b in combinations(prompts[prompt], 2)]
    choice = [int(np.sign(round(means[b] - means[a], 9))) for _, a, b in pairs]
    judged = Preferences(
        names,
        tuple(map(str, prompts)),
        np.array([place for place, _, _ in pairs]),
        np.array([names.index(systems[a]) for _, a, _ in pairs]),
        np.array([names.index(systems[b]) for _, _, b in pairs]),
        np.array(choice),
        tuple(a for _, a, _ in pairs),
        tuple(b for _, _, b in pairs),
        np.full(len(pairs), -1),
    )
    ranking = rank(judged, resamples=200)
    overall = {name: np.mean([mean for key, mean in means.items() if systems[key] == name]) for name in names}
    assert ranking.rows[0].system == "Human"
    assert ranking.groups[0] == ("Human",)
    strengths = [row.strength.value for row in ranking.rows]
    assert stats.spearmanr(strengths, [overall[row.system] for row in ranking.rows]).statistic > 0.95
    with (shared / "hanna" / "metric_scores.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = scored(
        judged,
        [row["story_id"] for row in rows],
        np.array([means[row["story_id"]] for row in rows]),
        np.array([float(row["BLEU"]) for row in rows]),
    )
    coherence, bleu = judge_metrics(judged, table, resamples=200).rows
    assert coherence.accuracy.value == 1
    assert coherence.tied == 0
    assert coherence.over.spearman.value is not None
    assert coherence.over.spearman.value > 0.95
    assert bleu.accuracy.value is not None
    assert 0.5 < bleu.accuracy.value < 0.75
