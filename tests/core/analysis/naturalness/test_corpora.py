"""Tables 2 and 3, the hypotheses: known data, slow versions, bad input."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.analysis.naturalness.corpora import Discriminator, FpScores, NaturalTexts, discriminator_of, naturalness
from core.analysis.naturalness.hypotheses import between_discriminators, between_generators, sign_flip_p, swapped_p
from core.errors import InputError
from core.tokens import Mode

SMALL, LARGE = Discriminator("small@1"), Discriminator("large@1")


def corpus(n: int = 60) -> tuple[NaturalTexts, list[FpScores]]:
    """Two references a document; generators `a` and, further from people, `b`; the larger model sees more of both."""
    rng = np.random.default_rng(0)
    documents = [f"d{i}" for i in range(n)]
    texts = NaturalTexts((None,) * (2 * n) + ("a",) * n + ("b",) * n, tuple(documents * 4))
    level = np.repeat([0.0, 0.0, 0.05, 0.1], n)
    topic = np.tile(rng.normal(0.4, 0.05, n), 4)
    fp = [topic + gain * level + rng.normal(0, 0.03, 4 * n) for gain in (1, 2)]
    return texts, [FpScores(SMALL, fp[0], {}), FpScores(LARGE, fp[1], {})]


def test_table_2_and_3_are_what_scipy_says() -> None:
    texts, readings = corpus()
    result = naturalness(texts, readings, seed=1)
    fp = readings[0].fp
    human, b = fp[:120], fp[180:240]
    rows = {(row.discriminator, row.system): row for row in result.summaries}
    assert rows[SMALL, None].n == 120
    assert rows[SMALL, "b"].mean.value == pytest.approx(b.mean())
    assert rows[SMALL, "b"].sd == pytest.approx(b.std(ddof=1))
    row = next(
        comparison for comparison in result.comparisons if (comparison.discriminator, comparison.system) == (SMALL, "b")
    )
    gold = human.reshape(2, 60).mean(0)  # several references of a document count as their mean
    assert row.paired.pairs == 60
    assert row.paired.share_greater.value == np.mean(b > gold)
    assert row.difference.value == pytest.approx((b - gold).mean())
    assert row.relative.value == pytest.approx((b - gold).mean() / gold.mean())
    assert row.paired.t_p == pytest.approx(stats.ttest_rel(b, gold).pvalue)
    assert row.paired.wilcoxon_p == pytest.approx(stats.wilcoxon(b - gold, method="approx").pvalue)
    assert row.paired.dz.value == pytest.approx((b - gold).mean() / (b - gold).std(ddof=1))
    assert row.unpaired.welch_p == pytest.approx(stats.ttest_ind(b, human, equal_var=False).pvalue)
    assert row.unpaired.mann_whitney_p == pytest.approx(stats.mannwhitneyu(b, human, method="asymptotic").pvalue)
    assert row.unpaired.delta.value == pytest.approx(2 * row.unpaired.auc.value - 1)  # type: ignore[operator]
    for estimate in (row.difference, row.relative, row.paired.dz, row.unpaired.g):
        assert estimate.low < estimate.value < estimate.high  # type: ignore[operator]
    assert [comparison.p_holm >= comparison.p for comparison in result.comparisons] == [True] * 4  # type: ignore[operator]
    assert naturalness(texts, readings, seed=1) == result


def test_very_many_documents_are_drawn_in_groups() -> None:
    rng = np.random.default_rng(0)
    n = 9_000
    texts = NaturalTexts((None,) * n + ("a",) * n, tuple(map(str, range(n))) * 2)
    fp = np.concatenate([rng.normal(0.4, 0.1, n), rng.normal(0.41, 0.1, n)])
    row = naturalness(texts, [FpScores(SMALL, fp, {})]).comparisons[0]
    half = 1.96 * (fp[n:] - fp[:n]).std(ddof=1) / np.sqrt(n)
    assert row.difference.low == pytest.approx(row.difference.value - half, abs=half / 4)  # type: ignore[operator]


def test_ties_count_half_and_constants_are_said() -> None:
    texts = NaturalTexts((None, None, None, "a", "a", "a"), ("x", "y", "z") * 2)
    row = naturalness(texts, [FpScores(SMALL, np.array([0.1, 0.2, 0.3, 0.1, 0.3, 0.2]), {})]).comparisons[0]
    assert row.paired.share_greater.value == pytest.approx(0.5)
    same = naturalness(texts, [FpScores(SMALL, np.full(6, 0.5), {})]).comparisons[0]
    assert same.paired.undefined == "the difference is the same for every document"
    assert same.paired.t_p is None
    assert same.unpaired.undefined == "every text of a side has the same Fp"
    assert same.unpaired.auc.value == 0.5


def test_sides_without_pairs_are_two_samples() -> None:
    rng = np.random.default_rng(0)
    texts = NaturalTexts((None,) * 30 + ("a",) * 20, tuple(f"{i}" for i in range(50)))
    fp = np.concatenate([rng.normal(0.3, 0.1, 30), rng.normal(0.5, 0.1, 20)])
    row = naturalness(texts, [FpScores(SMALL, fp, {})]).comparisons[0]
    assert row.paired.pairs == 0
    assert row.paired.undefined == "no document has a text of both sides; 2 are needed"
    assert row.p == row.unpaired.welch_p
    assert row.difference.value == pytest.approx(fp[30:].mean() - fp[:30].mean())


def test_undefined_texts_are_counted_with_their_reason() -> None:
    texts = NaturalTexts((None, None, "a", "a", "a"), tuple("vwxyz"))
    reading = FpScores(SMALL, np.array([0.1, 0.2, np.nan, 0.3, np.nan]), {2: "too short"})
    human, machine = naturalness(texts, [reading]).summaries
    assert (human.n, dict(human.left_out)) == (2, {})
    assert (machine.n, machine.sd, dict(machine.left_out)) == (1, None, {"too short": 1, "not measured": 1})


def test_labels_missing_or_all_the_same() -> None:
    with pytest.raises(InputError, match="no human text"):
        NaturalTexts(("a", "b"), ("x", "y"))
    with pytest.raises(InputError, match="All texts are human"):
        NaturalTexts((None, None), ("x", "y"))
    with pytest.raises(InputError, match="No text has an Fp"):
        naturalness(NaturalTexts((None, "a"), ("x", "y")), [FpScores(SMALL, np.full(2, np.nan), {})])


def test_h1_and_h2_are_differences_of_differences() -> None:
    texts, readings = corpus()
    hypothesis = between_generators(texts, readings[0], "b", "a")
    fp = readings[0].fp
    assert hypothesis.difference.value == pytest.approx((fp[180:] - fp[120:180]).mean())
    assert hypothesis.larger_difference - hypothesis.smaller_difference == pytest.approx(hypothesis.difference.value)  # type: ignore[operator]
    assert hypothesis.t_p == pytest.approx(stats.ttest_rel(fp[180:], fp[120:180]).pvalue)
    assert hypothesis.holds is True
    assert hypothesis.sentence.startswith(
        "H1 holds here: b differs more from human text than a; difference of differences"
    )
    assert between_generators(texts, readings[0], "a", "b").holds is False
    assert "The opposite of H1" in between_generators(texts, readings[0], "a", "b").sentence
    two = between_discriminators(texts, readings[1], readings[0], "b")
    seen = [r.fp[180:] - r.fp[:120].reshape(2, 60).mean(0) for r in readings]
    assert two.difference.value == pytest.approx((seen[1] - seen[0]).mean())
    assert two.holds is True


def test_h2_of_unpaired_texts_compares_the_change_of_each() -> None:
    texts, readings = corpus()
    apart = NaturalTexts(texts.systems, tuple(f"{i}" for i in range(len(texts.systems))))
    hypothesis = between_discriminators(apart, readings[1], readings[0], "b")
    change = readings[1].fp - readings[0].fp
    assert not hypothesis.paired
    assert hypothesis.difference.value == pytest.approx(change[180:].mean() - change[:120].mean())
    assert hypothesis.holds is True


def test_what_cannot_be_tested_says_why() -> None:
    texts = NaturalTexts((None, None, "a", "b"), ("x", "y", "x", "y"))
    hypothesis = between_generators(texts, FpScores(SMALL, np.array([0.1, 0.2, 0.3, 0.4]), {}), "a", "b")
    assert hypothesis.holds is None
    assert hypothesis.sentence == "H1 cannot be tested with a and b: only 1 document has an Fp; 2 are needed."
    same = NaturalTexts((None, None, "a", "a", "b", "b"), ("x", "y") * 3)
    flat = between_generators(same, FpScores(SMALL, np.full(6, 0.5), {}), "a", "b")
    assert "the difference is the same for every document" in flat.sentence


@pytest.mark.parametrize(
    ("documents", "paired", "written"),
    [(60, True, "p ≤ 0.0001"), (60, False, "p ≤ 0.0001"), (10, True, "p = 0.00195")],
)
def test_the_least_p_of_drawn_permutations_is_called_a_bound(documents: int, paired: bool, written: str) -> None:
    rng = np.random.default_rng(0)
    texts = NaturalTexts(
        (None,) * documents + ("a",) * documents + ("b",) * documents,
        tuple(f"{side if not paired else ''}{i}" for side in "hab" for i in range(documents)),
    )
    fp = np.concatenate([rng.normal(mean, 0.1, documents) for mean in (0, 5, 9)])
    hypothesis = between_generators(texts, FpScores(SMALL, fp, {}), "b", "a")
    assert hypothesis.paired is paired
    assert hypothesis.sentence.endswith(f"{written}.")


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=10))
@settings(max_examples=30)
def test_flipped_signs_are_all_tried_where_they_are_few(d: list[int]) -> None:
    values = np.array(d, float)
    sums = [
        abs(sum(sign * number for sign, number in zip(signs, d, strict=True)))
        for signs in product((-1, 1), repeat=len(d))
    ]
    assert sign_flip_p(values) == pytest.approx(np.mean([number >= abs(sum(d)) - 1e-9 for number in sums]))


def test_drawn_permutations_are_near_the_exact_ones() -> None:
    rng = np.random.default_rng(0)
    d = rng.normal(0.25, 1, 60)
    assert sign_flip_p(d, seed=1) == pytest.approx(stats.ttest_1samp(d, 0).pvalue, abs=0.02)
    many = rng.normal(0.03, 1, 9_000)
    assert sign_flip_p(many, seed=1) == pytest.approx(stats.ttest_1samp(many, 0).pvalue, abs=0.03)
    a, b = rng.normal(0, 1, 40), rng.normal(0.4, 1, 50)
    assert swapped_p(a, b, seed=1) == pytest.approx(stats.ttest_ind(a, b).pvalue, abs=0.02)


def test_a_signature_names_the_discriminator() -> None:
    discriminator = discriminator_of("fp|model:gpt2@abc|dtype:float32|first:50|of:story-alone|v:1")
    assert discriminator is not None
    assert (discriminator.model, discriminator.mode, discriminator.first, discriminator.length) == (
        "gpt2@abc",
        Mode.CAUSAL,
        50,
        "50",
    )
    two = discriminator_of("fp-masked|model:bert@1|mode:unmasked|v:1")
    assert two is not None
    assert (two.mode, two.length, two.name) == (Mode.UNMASKED, "all", "bert@1 (unmasked), all tokens")
    assert discriminator_of("file:123") is None
