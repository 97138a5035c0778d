"""What a metric sees in a test set, and the order in which metrics are shown."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.analysis.capability.examples import Cases, Scored
from core.analysis.capability.results import Capability, Robustness, Seen, best_first, capability, compare, worst
from core.metrics.naming import unique_names
from core.statistics.correlation import NOTHING, Coefficient
from core.statistics.draws import draw_prompts

NAN = float("nan")
CASE = st.tuples(
    st.sampled_from(["causal", "rhyme"]),  # the second is a user's own
    st.integers(0, 1),
    st.integers(0, 4),
    st.booleans(),
    st.integers(0, 5) | st.just(NAN),
    st.integers(0, 5) | st.just(NAN),
)
PAIR = st.tuples(
    st.just("typos"),
    st.just(0),
    st.integers(0, 4),
    st.booleans(),
    st.integers(0, 5) | st.just(NAN),
    st.integers(0, 5) | st.just(NAN),
)


def columns_of(rows: list[Any]) -> tuple[Cases, Scored]:
    aspects, labels, sources, flags, texts, originals = (list(column) for column in zip(*rows, strict=True))
    ones = np.array(labels) == 1
    cases = Cases(
        aspects,
        np.array(labels, dtype=np.intp),
        [f"s{number}" for number in sources],
        ["incoherent" if flag else "human" for flag in flags],
        ones | np.array(flags),
    )
    before, after = np.array(originals, dtype=float), np.array(texts, dtype=float)
    return cases, Scored("m", "m|v:1", after, np.where(ones, after, before))


def made(rng: np.random.Generator, aspect: str = "causal", stories: int = 12, metrics: int = 1) -> tuple[Cases, Any]:
    """Two coherent and two changed cases of each story."""
    labels = np.tile([1, 1, 0, 0], stories)
    sources = [f"s{number}" for number in np.repeat(np.arange(stories), 4)]
    n = len(labels)
    of = ["human"] * n
    cases = Cases([aspect] * n, labels.astype(np.intp), sources, of, np.ones(n, dtype=bool))
    columns = []
    for number in range(metrics):
        own = rng.normal(size=n) + np.repeat(rng.normal(size=stories), 4)
        columns.append(Scored(f"m{number}", f"m{number}|v:1", own - 0.8 * (labels == 0), own))
    return cases, columns


def drawn(cases: Cases, seed: int, resamples: int) -> list[np.ndarray]:
    """The cases of each draw, one after another: what the analysis never builds."""
    names = sorted(set(cases.sources))
    copies = draw_prompts([str(i) for i in range(len(names))], seed=seed, resamples=resamples)
    own = copies.of([str(i) for i in range(len(names))])
    of_case = own[[names.index(source) for source in cases.sources]]
    return [np.repeat(np.arange(len(of_case)), row[of_case].astype(int)) for row in copies.copies]


@given(st.lists(CASE, min_size=1, max_size=24))
def test_discrimination_is_that_of_slow_versions(rows: list[Any]) -> None:
    cases, column = columns_of(rows)
    result = capability(cases, [column], resamples=0)
    for kept, seen in ((np.ones(len(rows), dtype=bool), result.unfiltered), (cases.accepted, result.rows)):
        assert [row.aspect for row in seen] == list(dict.fromkeys(cases.aspects))
        for row in seen:
            mine = [i for i, aspect in enumerate(cases.aspects) if aspect == row.aspect and kept[i]]
            there = [i for i in mine if np.isfinite(column.texts[i])]
            ones = [column.texts[i] for i in there if cases.labels[i] == 1]
            zeros = [column.texts[i] for i in there if cases.labels[i] == 0]
            assert (row.positives, row.negatives, row.undefined_scores) == (
                len(ones),
                len(zeros),
                len(mine) - len(there),
            )
            if row.undefined is None:
                r = stats.pearsonr([*ones, *zeros], [1] * len(ones) + [0] * len(zeros))
                assert row.pearson.value == pytest.approx(r.statistic, abs=1e-9)
                assert row.pearson.p == pytest.approx(r.pvalue, abs=1e-9)
                wins = [(a > b) + (a == b) / 2 for a in ones for b in zeros]
                assert row.auc.value == pytest.approx(np.mean(wins))
            else:
                assert (row.pearson.value, row.auc.value) == (None, None)
                fit = len(there) >= 3 and len({cases.sources[i] for i in there}) > 1
                assert not (fit and ones and zeros and len({*ones, *zeros}) > 1), row.undefined
            pairs = [
                (column.originals[i], column.texts[i])
                for i in mine
                if cases.labels[i] == 0 and np.isfinite(column.originals[i] - column.texts[i])
            ]
            if row.ordered.value is not None:
                assert row.ordered.value == pytest.approx(np.mean([(o > t) + (o == t) / 2 for o, t in pairs]))


@given(st.lists(PAIR, min_size=1, max_size=24))
def test_invariance_is_that_of_slow_versions(rows: list[Any]) -> None:
    cases, column = columns_of(rows)
    result = capability(cases, [column], resamples=0)
    assert [row.of for row in result.invariance_unfiltered] == [*sorted(set(cases.of)), "all"]
    for row in result.invariance_unfiltered:
        mine = [i for i, of in enumerate(cases.of) if row.of in (of, "all")]
        pairs = [(column.originals[i], column.texts[i]) for i in mine]
        pairs = [(o, t) for o, t in pairs if np.isfinite(o - t)]
        assert (row.pairs, row.undefined_scores) == (len(pairs), len(mine) - len(pairs))
        if row.pearson.value is not None:
            before, after = zip(*pairs, strict=True)
            r = stats.pearsonr([*before, *after], [1] * len(before) + [0] * len(after))
            assert row.pearson.value == pytest.approx(r.statistic, abs=1e-9)
            assert row.absolute == abs(row.pearson.value)
        if row.undefined is None:
            moved = (np.array(after) - np.array(before)) / np.std(before, ddof=1)
            assert row.change.value == pytest.approx(moved.mean())
            assert row.mean_absolute_change == pytest.approx(np.abs(moved).mean())
        else:
            assert row.change.value is None
    (of_all,) = (row for row in result.invariance_unfiltered if row.of == "all")
    (seen,) = result.unfiltered
    assert seen.pearson == of_all.pearson
    assert (seen.positives, seen.negatives) == (of_all.pairs, of_all.pairs)


@pytest.mark.parametrize("aspect", ["causal", "synonyms"])
def test_intervals_are_those_of_resamples_that_are_built(aspect: str) -> None:
    cases, (column,) = made(np.random.default_rng(3), aspect)
    column.texts[5] = column.texts[6] = NAN
    result = capability(cases, [column], seed=7, resamples=300)
    values, changes = [], []
    for picked in drawn(cases, 7, 300):
        zeros = picked[cases.labels[picked] == 0]
        if aspect == "causal":
            picked = picked[np.isfinite(column.texts[picked])]
            values.append(stats.pearsonr(column.texts[picked], cases.labels[picked]).statistic)
        else:
            zeros = zeros[np.isfinite(column.texts[zeros])]
            before, after = column.originals[zeros], column.texts[zeros]
            labels = [1] * len(before) + [0] * len(after)
            values.append(stats.pearsonr(np.concatenate([before, after]), labels).statistic)
            changes.append((after - before).mean() / before.std(ddof=1))
    r = result.rows[0].pearson
    assert (r.low, r.high) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=1e-9)
    tail = min(np.sum(np.array(values) <= 0), np.sum(np.array(values) >= 0))
    assert r.p_cluster == pytest.approx(min(1, 2 * (tail + 1) / 301))
    if changes:
        change = result.invariance[-1].change
        assert (change.low, change.high) == pytest.approx(tuple(np.percentile(changes, [2.5, 97.5])), abs=1e-9)


def test_cases_of_one_story_widen_the_interval() -> None:
    cases, (column,) = made(np.random.default_rng(1), stories=40)
    apart = Cases(cases.aspects, cases.labels, [str(i) for i in range(160)], cases.of, cases.accepted)
    within, alone = (capability(item, [column]).rows[0] for item in (cases, apart))
    assert within.pearson.value == alone.pearson.value
    assert within.ordered.value == alone.ordered.value == 1.0
    assert within.ordered.low < alone.ordered.low  # type: ignore[operator]
    assert within.auc.value == alone.auc.value
    assert within.auc.low != alone.auc.low


def test_numbers_do_not_depend_on_what_stands_beside() -> None:
    cases, columns = made(np.random.default_rng(2), metrics=3)
    columns[1].texts[3] = NAN
    together = capability(cases, columns, seed=4)
    for number, column in enumerate(columns):
        (alone,) = capability(cases, [column], seed=4).rows
        assert together.rows[number].pearson.low == pytest.approx(alone.pearson.low)
        assert together.rows[number].pearson.p_cluster == pytest.approx(alone.pearson.p_cluster)
    assert together.rows is together.unfiltered  # nothing was filtered: nothing is computed twice


def test_many_sources_are_drawn_in_groups() -> None:
    cases, (column,) = made(np.random.default_rng(5), stories=4100)
    (row,) = capability(cases, [column], resamples=200).rows
    wide = 1.96 * np.sqrt((1 - row.pearson.value**2) ** 2 / 16400)  # type: ignore[operator]
    assert row.pearson.high - row.pearson.low == pytest.approx(2 * wide, rel=0.5)  # type: ignore[operator]


def reasons(found: Capability) -> list[str | None]:
    rows: list[Seen | Robustness] = [*found.rows, *found.invariance]
    return [row.undefined for row in rows]


def test_what_is_undefined_says_why() -> None:
    def of(*rows: Any) -> Capability:
        cases, column = columns_of([("causal", *row) for row in rows])
        return capability(cases, [column])

    def all_of(found: Capability) -> tuple[Any, ...]:
        (row,) = found.rows
        return row.undefined, row.pearson.value, row.auc.value, row.ordered.value

    steady = of((1, 1, True, 2, 2), (0, 2, True, 2, 3), (0, 3, True, 2, 3))
    assert all_of(steady) == ("the metric gives every example the same score", None, None, 1.0)
    same = of((1, 1, True, 2, 2), (0, 2, True, 2, 2), (0, 3, True, 2, 2))
    assert all_of(same)[3] is None
    item = of((1, 1, True, 2, 2), (0, 1, True, 1, 3), (0, 1, True, 3, 3))
    assert all_of(item) == ("all examples with a score come from one human story, and two are needed", None, None, None)
    few = of((1, 1, True, 2, 2), (0, 2, True, 1, 3), (0, 1, True, NAN, 3))
    assert all_of(few) == ("only 2 examples have a score; 3 are needed", None, None, None)
    nothing = of((0, 1, True, NAN, 2))
    assert all_of(nothing)[0] == "no example has a score; 3 are needed"
    assert nothing.rows[0].undefined_scores == 1
    changed = of((0, 1, True, 1, 2), (0, 2, True, 3, 3), (0, 3, True, 2, NAN))
    assert all_of(changed) == ("no coherent example has a score", None, None, 0.75)
    coherent = of((1, 1, True, 1, 1), (1, 2, True, 3, 3), (1, 3, True, 2, 2))
    assert all_of(coherent) == ("no changed story has a score", None, None, None)
    cases, column = columns_of([("typos", 0, i, False, i, 5) for i in range(3)])
    whole = capability(cases, [column])
    assert reasons(whole) == ["no example has a score; 3 are needed"] * 2  # none passes the filter
    assert whole.invariance_unfiltered[-1].pearson.value is not None
    assert "no unit" in str(whole.invariance_unfiltered[-1].undefined)


def test_tiny_and_huge_scores_alike() -> None:
    cases, (column,) = made(np.random.default_rng(6), "typos")
    (usual,) = capability(cases, [column]).rows
    for scale in (1e-250, 1e140):
        other = Scored("m", "m", column.texts * scale + scale, column.originals * scale + scale)
        (row,) = capability(cases, [other]).rows
        assert row.pearson.value == pytest.approx(usual.pearson.value)
        assert row.pearson.low == pytest.approx(usual.pearson.low)


def test_the_worst_are_those_that_gained_most_and_ties_keep_their_order() -> None:
    rows = [("causal", 0, i, i != 4, text, original) for i, (text, original) in enumerate([(3, 1), (2, 3), (4, 2)])]
    rows += [("causal", 0, 3, True, NAN, 1), ("causal", 0, 4, False, 9, 1), ("causal", 1, 5, True, 9, 9)]
    cases, column = columns_of(rows)
    examples = worst(cases, column, "causal", 2)
    assert [wrong.case for wrong in examples] == [0, 2]
    assert examples[0].change == pytest.approx(2 / np.std([1, 3, 2], ddof=1))
    assert (examples[0].score, examples[0].original) == (3, 1)
    assert [wrong.case for wrong in worst(cases, column, "causal", filtered=False)] == [4, 0, 2, 1]
    assert worst(cases, column, "temporal") == ()
    typos, moved = columns_of([("typos", 0, 1, True, 1, 2), ("typos", 0, 2, True, 9, 3), ("typos", 0, 3, True, 0, 9)])
    assert [wrong.case for wrong in worst(typos, moved, "typos")] == [2, 1, 0]


def test_two_metrics_are_compared_in_the_same_draws() -> None:
    rng = np.random.default_rng(8)
    cases, (a, b) = made(rng, stories=60, metrics=2)
    blind = Scored("blind", "blind", b.originals, b.originals)
    test = compare(cases, a, blind)["causal"]
    back = compare(cases, blind, a)["causal"]
    assert (test.a, test.b, test.n) == ("m0", "blind", 240)
    assert test.difference == pytest.approx(-back.difference)  # type: ignore[operator]
    assert (test.low, test.high) == pytest.approx((-back.high, -back.low))  # type: ignore[operator]
    values = [capability(cases, [item], resamples=0).rows[0].pearson.value for item in (a, blind)]
    assert [test.a_value, test.b_value] == pytest.approx(values)
    assert test.low > 0  # type: ignore[operator]
    assert test.p_holm == test.permutation_p
    assert test.p_holm < 0.01  # type: ignore[operator]
    same = compare(cases, a, Scored("m0", "other", a.texts, a.originals))["causal"]
    assert (same.a, same.b, same.difference) == (
        *unique_names([("m0", a.signature), ("m0", "other")]),
        pytest.approx(0),
    )


def test_what_cannot_be_compared_says_why() -> None:
    rows = [("causal", 0, i, True, i, 1) for i in range(4)]
    rows += [("temporal", i % 2, 1, True, i, 1) for i in range(5)]
    rows += [("typos", 0, i, True, i, 1) for i in range(4)]
    cases, column = columns_of(rows)
    tests = compare(cases, column, Scored("n", "n", np.ones(13), np.ones(13)))
    assert tests["causal"].undefined == "no coherent example has a score"
    assert tests["temporal"].undefined == "all examples with a score come from one human story, and two are needed"
    assert tests["typos"].undefined == "n gives every story the same score"
    assert tests["typos"].p_holm is None


def test_the_best_first_and_undefined_last() -> None:
    def row(aspect: str, metric: str, r: float | None) -> Seen:
        return Seen(aspect, metric, f"{metric}|v:1", 9, 9, 0, NOTHING if r is None else Coefficient(r))

    rows = (
        *(row("causal", metric, r) for metric, r in (("low", 0.1), ("none", None), ("high", 0.3))),
        *(row("typos", metric, r) for metric, r in (("low", 0.9), ("none", 0.9), ("high", 0.0))),
    )
    robust = tuple(Robustness("typos", "all", metric, f"{metric}|v:1", 9, 0) for metric in ("low", "none", "high"))
    result = best_first(Capability(9, 0, 0, rows, rows, robust, robust))
    assert list(dict.fromkeys(seen.metric for seen in result.rows)) == ["high", "low", "none"]
    assert [seen.aspect for seen in result.rows if seen.metric == "high"] == ["causal", "typos"]
    assert [robustness.metric for robustness in result.invariance_unfiltered] == ["high", "low", "none"]
    assert set(result.unfiltered) == set(rows)
