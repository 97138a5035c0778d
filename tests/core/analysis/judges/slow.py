"""The alternative annotator test as it is told: a person, an instance and another person at a time."""

from collections.abc import Mapping
from itertools import product
from math import sqrt
from statistics import mean

from scipy import stats

Values = Mapping[str, Mapping[str, float | str]]
"""By person and instance."""


def alignment(value: float | str, others: list[float | str], how: str) -> float:
    """How near a value is to the others'."""
    if how == "accuracy":
        return mean(float(value == other) for other in others)
    return -sqrt(mean((float(value) - float(other)) ** 2 for other in others))


def alternative(people: Values, judge: Mapping[str, float | str], how: str, epsilon: float) -> tuple[float, float]:
    """Winning rate and advantage probability over people with 30 instances or more."""
    p_values, advantages = [], []
    for person, given in people.items():
        judge_wins, person_wins = [], []
        for instance, own in given.items():
            others = [values[instance] for name, values in people.items() if name != person and instance in values]
            if instance not in judge or not others:
                continue
            of_judge, of_person = (alignment(value, others, how) for value in (judge[instance], own))
            near = abs(of_judge - of_person) < 1e-9
            judge_wins.append(float(of_judge > of_person or near))
            person_wins.append(float(of_person > of_judge or near))
        if len(judge_wins) < 30:
            continue
        advantages.append(mean(judge_wins))
        differences = [one - other for one, other in zip(person_wins, judge_wins, strict=True)]
        if len(set(differences)) == 1:
            p_values.append(0.0 if differences[0] < epsilon else 1.0)
        else:
            p_values.append(float(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue))
    return mean(float(won) for won in benjamini_yekutieli(p_values)), mean(advantages)


def signed_ranks(differences: list[float]) -> float:
    """Wilcoxon's one-sided p, by every way to give the ranks a sign."""
    nonzero = [one for one in differences if one]
    sizes = sorted(abs(one) for one in nonzero)
    ranks = [mean(place + 1 for place, size in enumerate(sizes) if size == abs(one)) for one in nonzero]
    seen = sum(rank for rank, one in zip(ranks, nonzero, strict=True) if one > 0)
    every = [sum(rank for rank, up in zip(ranks, ups, strict=True) if up) for ups in product((0, 1), repeat=len(ranks))]
    return mean(float(positive <= seen) for positive in every)


def benjamini_yekutieli(p_values: list[float], rate: float = 0.05) -> list[bool]:
    """Which hypotheses are rejected: the largest k whose k-th p is small enough, and all before it."""
    m = len(p_values)
    harmonic = sum(1 / k for k in range(1, m + 1))
    order = sorted(range(m), key=lambda i: p_values[i])
    last = max((k for k in range(1, m + 1) if p_values[order[k - 1]] <= k * rate / (m * harmonic)), default=0)
    return [i in order[:last] for i in range(m)]
