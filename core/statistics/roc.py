"""ROC curve and AUC of a number that should be higher for machine text, without comparing every pair of texts.

The interval of the AUC is DeLong's (1988); texts of one document are not independent, so their influences are summed
by document first (Obuchowski 1997), which is DeLong's own where each document has one text.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.special import expit, logit

from core.arrays import Floats, Ints
from core.statistics.intervals import Estimate, Z, wilson


@dataclass(frozen=True)
class Roc:
    """`false_positives`, `true_positives`: share of human, of machine texts at or above each of `cuts` (from above
    all, which is infinite, down), 0..1. `auc`: that a machine text has the higher number than a human one, ties half.
    """

    human: int
    machine: int
    cuts: Floats
    false_positives: Floats
    true_positives: Floats
    auc: Estimate


def roc(human: Floats, machine: Floats, human_documents: Ints, machine_documents: Ints) -> Roc:
    """The curve of finite numbers, one per text; `*_documents`: the index of each text's document.

    O(n log n). Where a side is empty there is no curve, and the AUC says why.
    """
    curve = _curve(human, machine) if len(human) and len(machine) else (np.empty(0),) * 3
    return Roc(len(human), len(machine), *curve, auc(human, machine, human_documents, machine_documents))


def _curve(human: Floats, machine: Floats) -> tuple[Floats, Floats, Floats]:
    values = np.concatenate([human, machine])
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    is_machine = order >= len(human)
    last = np.flatnonzero(np.append(np.diff(ordered) != 0, True))  # equal numbers pass a cut together
    true, false = np.cumsum(is_machine)[last], np.cumsum(~is_machine)[last]
    return (
        np.append(np.inf, ordered[last]),
        np.append(0.0, false / len(human)),
        np.append(0.0, true / len(machine)),
    )


def beaten(higher: Floats, lower: Floats) -> Floats:
    """For each number of `higher`, how many of `lower` are below it, ties counting half (so exact)."""
    ranks = stats.rankdata(np.concatenate([higher, lower]))[: len(higher)]
    return np.asarray(ranks - stats.rankdata(higher))


def area(higher: Floats, lower: Floats) -> float:
    """The AUC alone: the probability that a number of `higher` is above one of `lower`, ties counting half.

    It comes from the mean rank and `auc` from the mean of shares, and so their last digits may differ. Checkpoints'
    cards hold the one, printed results the other: neither may change.
    """
    mean_rank = (beaten(higher, lower) + stats.rankdata(higher)).mean()
    return float((mean_rank - (len(higher) + 1) / 2) / len(lower))


def auc(human: Floats, machine: Floats, human_documents: Ints, machine_documents: Ints) -> Estimate:
    """The AUC with its 95 % interval, made on the logit scale.

    None where a side has fewer than two documents. Where no text of one side lies beyond one of the other the variance
    is nought, and the interval Wilson's of a share of 1 (or 0) of the smaller side's documents.
    """
    m, n = len(machine), len(human)
    if not m or not n:
        return Estimate(None, undefined="one side has no text with an Fp")
    above = beaten(machine, human) / n  # of each machine text: share of human ones below it
    below = 1 - beaten(human, machine) / m
    value = float(above.mean())
    fewest = min(len(np.unique(machine_documents)), len(np.unique(human_documents)))
    if fewest < 2:
        return Estimate(value)
    if value in (0.0, 1.0):
        return Estimate(value, *wilson(value, fewest))
    variance = _variance(above - value, below - value, machine_documents, human_documents)
    half = Z * np.sqrt(variance) / (value * (1 - value))
    centre = logit(value)
    return Estimate(value, float(expit(centre - half)), float(expit(centre + half)))


def _variance(above: Floats, below: Floats, machine_documents: Ints, human_documents: Ints) -> float:
    """Obuchowski's, from each text's influence on the AUC, machine texts' and human ones'."""
    number = int(max(machine_documents.max(), human_documents.max())) + 1
    of_machine = np.bincount(machine_documents, above, minlength=number)
    of_human = np.bincount(human_documents, below, minlength=number)
    machines, humans = len(np.unique(machine_documents)), len(np.unique(human_documents))
    documents = len(np.unique(np.concatenate([machine_documents, human_documents])))
    m, n = len(above), len(below)
    own = machines / (machines - 1) * float((of_machine**2).sum()) / m**2
    others = humans / (humans - 1) * float((of_human**2).sum()) / n**2
    both = documents / (documents - 1) * float((of_machine * of_human).sum()) / (m * n)
    return max(0.0, own + others + 2 * both)
