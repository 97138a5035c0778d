"""Each annotator against the others who rated the same stories."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats, Ints
from core.statistics.correlation import FEWEST
from core.statistics.draws import Draws
from core.statistics.groups import too_few
from core.statistics.intervals import Estimate, estimate
from core.statistics.moments import weighted_pearson
from core.statistics.resamples import weighted_ranks


@dataclass(frozen=True)
class AnnotatorAgreement:
    """One annotator over the `n` stories that others rated too.

    `pearson`, `spearman`: of their ratings with the mean of the others' ratings of the same stories. `leniency`: how
    much higher they rate than that mean, on average, in points of the scale.
    """

    n: int
    pearson: Estimate
    spearman: Estimate
    leniency: Estimate


@dataclass(frozen=True)
class AgainstTheRest:
    """Every annotator by number; none, and the reason, where it is not known who rated."""

    annotators: Mapping[int, AnnotatorAgreement]
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class AgreementSummary:
    """As `AnnotatorAgreement`, without Spearman's correlation and intervals: what a table of thousands shows.

    `pearson` is None where it is undefined.
    """

    n: int
    pearson: float | None
    leniency: float


def at_a_glance(values: Floats, units: Ints, annotators: Ints) -> dict[int, AgreementSummary]:
    """Compare every annotator with the rest at once; arguments as for `against_the_rest`, units numbered from 0."""
    number = np.bincount(units)[units] if len(units) else units
    keep = (number >= 2) & (annotators >= 0)
    if not keep.any():
        return {}
    own, number = values[keep], number[keep]
    total = np.bincount(units, weights=values)[units[keep]]
    others = np.round((total - own) / (number - 1), 9)  # so that equal means are equal
    names, who = np.unique(annotators[keep], return_inverse=True)
    n = np.bincount(who)
    x, y = (column - (np.bincount(who, weights=column) / n)[who] for column in (own, others))
    spread = np.sqrt(np.bincount(who, weights=x * x) * np.bincount(who, weights=y * y))
    defined = (n >= FEWEST) & _varies(own, who) & _varies(others, who)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.bincount(who, weights=x * y) / spread
    leniency = np.bincount(who, weights=own - others) / n
    return {
        name: AgreementSummary(int(n[i]), float(np.clip(r[i], -1, 1)) if defined[i] else None, float(leniency[i]))
        for i, name in enumerate(names.tolist())
    }


def _varies(column: Floats, who: Ints) -> Bools:
    """Whether each annotator has two different values in a column."""
    order = np.argsort(who, kind="stable")
    begins = np.flatnonzero(np.r_[True, np.diff(who[order]) > 0])
    ends = np.maximum.reduceat(column[order], begins), np.minimum.reduceat(column[order], begins)
    return np.asarray(ends[0] > ends[1])


def against_the_rest(values: Floats, units: Ints, annotators: Ints, prompts: Ints, draws: Draws) -> AgainstTheRest:
    """Compare each annotator with the rest.

    `values`, `units`, `annotators`: a rating each, and the number of its story and of its annotator, negative where
    unknown; `prompts`: each story's number in the draws.
    """
    number = np.bincount(units, minlength=len(prompts))[units]
    shared = number >= 2
    if not shared.any():
        return AgainstTheRest({}, "no story was rated by two annotators")
    others = (np.bincount(units, weights=values, minlength=len(prompts))[units] - values) / np.maximum(number - 1, 1)
    copies = np.ascontiguousarray(draws.copies.T)  # an annotator's prompts are then rows, quick to pick
    order = np.flatnonzero(shared)[np.argsort(annotators[shared], kind="stable")]
    names, begins = np.unique(annotators[order], return_index=True)
    result = {}
    for name, mine in zip(names.tolist(), np.split(order, begins[1:]), strict=True):
        if name < 0:
            continue
        result[name] = _one(values[mine], others[mine], prompts[units[mine]], copies)
    return AgainstTheRest(result)


def _one(own: Floats, others: Floats, prompts: Ints, copies: Floats) -> AnnotatorAgreement:
    """`copies` (prompts x draws). Ratings of equal own and others' value are one cell: there are few different ones."""
    others = np.round(others, 9)  # so that equal means are equal
    cells, cell = np.unique(np.column_stack([own, others]), axis=0, return_inverse=True)
    places, place = np.unique(prompts, return_inverse=True)
    counts = np.zeros((len(places), len(cells)))
    np.add.at(counts, (place, cell), 1.0)
    x, y = cells.T
    once = counts.sum(0, keepdims=True)
    weights = copies[places].T @ counts
    weights = weights[weights.any(1)]  # a draw may hold none of an annotator's prompts
    differences = [(w * (x - y)).sum(1) / w.sum(1) for w in (once, weights)]
    leniency = estimate(float(differences[0][0]), differences[1], prompts)
    reason = _why_undefined(own, others)
    if reason:
        nothing = Estimate(None, undefined=reason)
        return AnnotatorAgreement(len(own), nothing, nothing, leniency)
    pearson = [weighted_pearson(w, x, y) for w in (once, weights)]
    spearman = [weighted_pearson(w, weighted_ranks(w, x), weighted_ranks(w, y)) for w in (once, weights)]
    return AnnotatorAgreement(
        len(own),
        estimate(float(pearson[0][0]), pearson[1], prompts),
        estimate(float(spearman[0][0]), spearman[1], prompts),
        leniency,
    )


def _why_undefined(own: Floats, others: Floats) -> str | None:
    if len(own) < FEWEST:
        return too_few(len(own), "story was", "stories were", "rated by others too", FEWEST)
    if np.ptp(own) == 0:
        return "they rated every story the same"
    if np.ptp(others) == 0:
        return "the others' mean ratings are all the same"
    return None
