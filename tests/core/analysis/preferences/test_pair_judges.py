"""Judges of pairs beside people: one that copies them, one that always says the first, and a slow obvious count."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.analysis.judges.reported import TUNED_ON, pairs_caution, pairs_held_out
from core.analysis.preferences.metrics import MetricPreference, judge_metrics
from core.analysis.preferences.pair_judges import NOTHING_SAID, shares_won, try_judges
from core.analysis.preferences.preferences import Preferences
from core.arrays import Floats
from core.scores import NOT_YET, PairColumn, ScoreColumn, ScoreTable
from tests.core.analysis.preferences.judged import preferences, scored, simulated

STRENGTHS = np.array([1.5, 0.5, -0.5, -1.5])


def pairs_of(judged: Preferences) -> dict[tuple[str, str], list[int]]:
    """The judgments of each two stories, the one whose key is the later first."""
    found: dict[tuple[str, str], list[int]] = {}
    for row, keys in enumerate(zip(judged.first_story, judged.second_story, strict=True)):
        found.setdefault((max(keys), min(keys)), []).append(row)
    return found


def column(judged: Preferences, forward: Floats, backward: Floats, reasons: dict[int, str] | None = None) -> PairColumn:
    """What a judge says of the pairs above."""
    pairs = pairs_of(judged)
    return PairColumn(
        "judge:preference",
        "judge:preference|v:1",
        tuple(judged.prompts[judged.prompt[rows[0]]] for rows in pairs.values()),
        tuple(first for first, _ in pairs),
        tuple(second for _, second in pairs),
        forward,
        backward,
        reasons or {},
    )


def first_judgments(judged: Preferences) -> Floats:
    """Of each pair its first judgment, from the side of the story that the column has first."""
    return np.array(
        [
            np.sign(judged.choice[rows[0]]) * (1 if judged.first_story[rows[0]] == first else -1)
            for (first, _), rows in pairs_of(judged).items()
        ],
        dtype=np.float64,
    )


def once(judged: Preferences) -> Preferences:
    """The first judgment of each pair alone."""
    return judged.take(np.array(sorted(rows[0] for rows in pairs_of(judged).values())))


def row_of(judged: Preferences, says: PairColumn) -> MetricPreference:
    table = scored(judged, sorted({*judged.first_story, *judged.second_story}))
    (row,) = judge_metrics(judged, table, [says], resamples=50).rows
    return row


def test_one_that_copies_people_is_always_right() -> None:
    judged = once(simulated(STRENGTHS, 300, prompts=20, strongest=2))
    says = column(judged, *[first_judgments(judged)] * 2)
    row = row_of(judged, says)
    assert (row.accuracy.value, row.accuracy.low, row.accuracy.high) == (1, 1, 1)
    assert (row.tied, row.missing, row.reasons) == (0, 0, {})
    assert [part.accuracy.value for part in row.by_strength] == [1, 1]
    assert row.over.systems == 4
    assert row.over.kendall.value == pytest.approx(1)
    assert row.over.spearman.value == pytest.approx(1)
    (tried,) = try_judges([says], judged)
    assert (tried.n, tried.alike.value) == (judged.judgments, 1)
    assert tried.tied.value == pytest.approx(judged.tied.mean())
    assert tried.position.changed.value == 0
    keys = sorted({*judged.first_story, *judged.second_story})
    shares = shares_won(says, judged)
    assert [shares[key] for key in keys] == pytest.approx(scored(judged, keys).human.tolist())


def test_one_that_always_says_the_first_is_right_half_of_the_time() -> None:
    judged = simulated(STRENGTHS, 300, prompts=20)
    number = len(pairs_of(judged))
    says = column(judged, np.full(number, -1.0), np.full(number, 1.0))
    row = row_of(judged, says)
    assert (row.accuracy.value, row.tied) == (0.5, row.n)
    assert row.over.undefined == "the metric gives every system the same mean"
    (tried,) = try_judges([says], judged)
    assert (tried.position.changed.value, tried.position.first.value, tried.tied.value) == (1, 1, 1)
    assert tried.alike.value == pytest.approx(judged.tied.mean())  # where a rater ties, so has it


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_equals_a_slow_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    judged = simulated(STRENGTHS, 200, prompts=12, seed=seed)
    pairs = pairs_of(judged)
    forward, backward = (rng.choice([-1.0, 0.0, 1.0, np.nan], len(pairs), p=[0.4, 0.1, 0.4, 0.1]) for _ in "ab")
    lacking = np.flatnonzero(np.isnan(forward) | np.isnan(backward))
    reasons = {int(place): "it is silent" for place in lacking[::2]}
    says = column(judged, forward, backward, reasons)
    hits, alike, ties, silent, not_yet = [], [], 0, 0, 0
    for place, ((first, _), rows) in enumerate(pairs.items()):
        for i in rows:
            choice = int(judged.choice[i]) * (1 if judged.first_story[i] == first else -1)
            if np.isnan(forward[place]) or np.isnan(backward[place]):
                silent += bool(choice) and place in reasons
                not_yet += bool(choice) and place not in reasons
                continue
            said = forward[place] if forward[place] == backward[place] else 0
            alike.append(float(said == choice))
            if choice:
                hits.append(0.5 if said == 0 else float(said == choice))
                ties += said == 0
    row = row_of(judged, says)
    assert row.accuracy.value == pytest.approx(np.mean(hits))
    assert (row.n, row.tied) == (len(hits), ties)
    assert dict(row.reasons) == {reason: n for reason, n in (("it is silent", silent), (NOT_YET, not_yet)) if n}
    assert row.missing == silent + not_yet
    (tried,) = try_judges([says], judged)
    assert (tried.n, tried.alike.value) == (len(alike), pytest.approx(np.mean(alike)))


def test_systems_are_ranked_by_its_own_verdicts() -> None:
    judged = once(simulated(np.linspace(1, -1, 9), 1500, prompts=60))
    rng = np.random.default_rng(0)
    copied = first_judgments(judged)
    noisy = np.where(rng.random(len(copied)) < 0.4, rng.choice([-1.0, 1.0], len(copied)), copied)
    says = column(judged, noisy, noisy)
    row = row_of(judged, says)
    won: dict[str, list[float]] = defaultdict(list)
    for (first, second), verdict in zip(pairs_of(judged), noisy.tolist(), strict=True):
        won[first].append((1 - verdict) / 2)
        won[second].append((1 + verdict) / 2)
    table = scored(judged, list(won))
    own = np.array([np.mean(hits) for hits in won.values()])
    of = [np.array([system == name for system in table.systems]) for name in judged.systems]
    means = [[values[mine].mean() for mine in of] for values in (own, table.human)]
    assert row.over.kendall.value == pytest.approx(stats.kendalltau(*means).statistic)
    assert row.over.kendall.value > 0.5


def test_where_there_is_nothing_to_say() -> None:
    judged = preferences("ab", ("a", "b", -1), ("b", "a", 0))
    says = PairColumn("judge:preference", "s", (), (), (), np.zeros(0), np.zeros(0), {})
    row = row_of(judged, says)
    assert (row.n, row.missing, row.reasons, row.accuracy.value) == (0, 1, {NOT_YET: 1}, None)
    (tried,) = try_judges([says], judged)
    assert (tried.n, tried.alike.undefined, tried.position.pairs) == (0, NOTHING_SAID, 0)
    assert shares_won(says, judged) == {}


def test_judges_stand_among_the_metrics() -> None:
    judged = once(simulated(STRENGTHS, 100, prompts=10))
    keys = sorted({*judged.first_story, *judged.second_story})
    nothing = ("",) * len(keys)
    flat = ScoreColumn("flat", "flat|v:1", np.zeros(len(keys)), {})
    table = ScoreTable(tuple(keys), nothing, nothing, nothing, np.full(len(keys), np.nan), (flat,))
    says = column(judged, *[first_judgments(judged)] * 2)
    found = judge_metrics(judged, table, [says], resamples=0)
    assert [(row.metric, row.accuracy.value) for row in found.rows] == [("judge:preference", 1), ("flat", 0.5)]


def test_a_judge_in_the_studys_own_words_is_reported_on_the_held_out_half_alone() -> None:
    judged = simulated(STRENGTHS, 300, prompts=20)
    said = first_judgments(judged)
    standard = column(judged, said, said)
    own = replace(standard, signature="judge:preference|model:m@1|template:mine.2@0|v:1|way:pairs")
    held_out = set(judged.prompts[::2])
    same, masked = pairs_held_out([standard, own], held_out)
    assert same is standard
    inside = np.array([prompt in held_out for prompt in own.prompts])
    assert masked.answered.tolist() == inside.tolist()
    assert set(masked.reasons.values()) == {TUNED_ON}
    (tried,) = try_judges([masked], judged)
    assert tried.n == sum(judged.prompts[prompt] in held_out for prompt in judged.prompt)
    assert pairs_caution({"judge:preference": standard.signature}) == ""
    caution = pairs_caution({"a": own.signature, "b": standard.signature})
    assert caution.startswith("a: the wording is this study's own, and 1 version of the wording was tried.")
