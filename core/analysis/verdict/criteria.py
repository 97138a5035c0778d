"""Which of a study's criteria a metric serves, and which it does not."""

from collections.abc import Collection, Mapping, Sequence

from core.analysis.criteria.heat_map import HeatMap
from core.analysis.verdict.finding import listed as listed_names
from core.analysis.verdict.grade import DISAGREE
from core.analysis.verdict.openings import too_early, with_ends
from core.analysis.verdict.sentences import Basis, VerdictSentence, claimed, interval_text, number, settled
from core.statistics.correlation import Correlation

SETTLED = {1: "it serves", -1: "it falls as people's ratings rise on", 0: "nothing shows that it serves"}
"""What the sign that an interval settles means; 0: it settles none."""


def on_criteria(
    of: Mapping[str, Correlation], prompts: int, disagreed: Collection[str] = ()
) -> tuple[VerdictSentence, ...]:
    """A sentence that sorts the criteria by what the intervals of Pearson's r settle; none where there is one criterion
    or too little to claim anything. `disagreed`: the criteria on which nothing shows that the ratings agree, of which
    nothing is claimed.
    """
    known = {
        name: c
        for name, c in of.items()
        if c.pearson.value is not None and claimed(c.n, prompts) and name not in disagreed
    }
    if len(of) < 2 or not known:
        return ()
    by_r = sorted(known, key=lambda name: -(known[name].pearson.value or 0.0))
    signs = {name: settled(known[name].pearson) for name in by_r}
    parts = []
    for sign, words in SETTLED.items():
        mine = [name for name in by_r if signs[name] == sign]
        if mine:
            parts.append(f"{words} {_listed([_with_r(name, known[name]) for name in mine])}")
    left = [f"{name} ({of[name].undefined})" for name in of if of[name].undefined]
    if unsaid := [name for name in of if name in disagreed and not of[name].undefined]:
        parts.append(f"nothing can be said of {_listed(unsaid)}, as {DISAGREE}")
    if left:
        parts.append(f"undefined: {'; '.join(left)}")
    text = f"Of {len(of)} criteria {'; '.join(parts)}."
    numbers = tuple((name, known[name].pearson.value or 0.0) for name in by_r)
    return (VerdictSentence(text, numbers, Basis.CRITERIA),)


def without_marks(disagreed: Collection[str]) -> str:
    """Why no coefficient of these criteria has a mark; "" where there are none."""
    if not disagreed:
        return ""
    return (
        f"No coefficient of {_listed(list(disagreed))} has a mark, as nothing shows that the ratings on "
        f"{'it' if len(disagreed) == 1 else 'each of them'} agree with one another."
    )


def no_claim_on(disagreed: Collection[str]) -> str:
    """For a file that has the numbers of these criteria all the same: why nothing may be claimed; "" where there are
    none.
    """
    return f"on {_listed(list(disagreed))} {DISAGREE}" if disagreed else ""


def no_p_on(disagreed: Collection[str]) -> str:
    """The same for behind the words of a table; "" where there are none."""
    return f" No p stands where nothing may be claimed: {no_claim_on(disagreed)}." if disagreed else ""


def on_map(found: HeatMap, names: Sequence[str], n: int, prompts: int, disagreed: Collection[str] = ()) -> str | None:
    """On which criteria metrics are shown to agree with people, and which agrees most on any; None where no metric has
    a coefficient. `names`: of the table's columns; `n`, `prompts`: rated stories and their prompts; `disagreed`: the
    criteria on which nothing shows that the ratings agree, of which nothing is claimed.
    """
    cells = {
        (names[metric], criterion): cell
        for metric, row in zip(found.metrics, found.cells, strict=True)
        for criterion, cell in zip(found.criteria, row, strict=True)
        if cell.value is not None and criterion not in disagreed
    }
    if not cells:
        return None
    if not claimed(n, prompts):
        return too_early("on which criteria metrics agree with people", n, prompts)
    (metric, criterion), best = max(cells.items(), key=lambda item: item[1].value or 0.0)
    served = {name for (_, name), cell in cells.items() if settled(cell) > 0}
    highest = f"the highest coefficient is that of {metric} with {criterion}, {with_ends(best)}"
    unsaid = [name for name in found.criteria if name in disagreed]
    aside = f" Of {_listed(unsaid)} nothing can be said: {DISAGREE}." if unsaid else ""
    left = [name for name in found.criteria if name not in served and name not in disagreed]
    if not served:
        where = _listed(left, "or") if unsaid else f"any of these {len(found.criteria)} criteria"
        return f"No metric is shown to agree with people on {where}: {highest}.{aside}"
    rest = f"; on {listed_names(left, str)} none is shown to" if left else ""
    every = len(served) == len(found.criteria)
    which = f"all {len(found.criteria)} criteria" if every else f"{len(served)} of {len(found.criteria)} criteria"
    return f"On {which} a metric is shown to agree with people{rest}. {highest[:1].upper()}{highest[1:]}.{aside}"


def _with_r(name: str, correlation: Correlation) -> str:
    r = correlation.pearson
    return f"{name} (r = {number(r.value)}{interval_text(r.low, r.high, '95 % interval')})"


def _listed(words: Sequence[str], last: str = "and") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
