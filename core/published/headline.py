"""What a published table says, in a sentence before it: which metric it puts first, and how far the others lie."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.verdict.finding import Mark, listed, short
from core.published import hanna, openmeva, perception, union
from core.published.comparison import Cell, CellState, number
from core.published.quantities import QuantityKind, Released, quantity
from core.published.tables import PublishedTable
from core.wording import so_many

MOST_PLACES = 2
"""Data of which each is named with its metric."""


@dataclass(frozen=True)
class Ranking:
    """How a table ranks metrics. `by`: the coefficient; `best`: what the first of them does; `symbol`: of the columns
    that have that coefficient, "" where all have; `corpora`: whether a row's name begins with a corpus; `least`:
    whether the coefficient that is nearest to 0 comes first.
    """

    by: str = "Pearson's r"
    best: str = "follows people best"
    symbol: str = ""
    corpora: bool = False
    least: bool = False


@dataclass(frozen=True)
class Place:
    """The metrics on some data, the best first. `data`: what these are called; `values`: metric -> coefficient."""

    data: str
    values: dict[str, float]

    @property
    def first(self) -> tuple[str, ...]:
        """The best metric, or several that are printed alike."""
        best = next(iter(self.values.values()))
        return tuple(metric for metric, value in self.values.items() if value == best)

    @property
    def best(self) -> float:
        return next(iter(self.values.values()))

    @property
    def others(self) -> list[float]:
        """All coefficients but that of the first."""
        return list(self.values.values())[1:]


_PEOPLE = Ranking()
_BY_R = Ranking(symbol="r")
RANKINGS = {
    union.CORRELATIONS.name: _BY_R,
    union.DATASET_DRIFT.name: _BY_R,
    union.ABLATION.name: _PEOPLE,
    openmeva.BY_ERROR_TYPE.name: _PEOPLE,
    openmeva.BY_SYSTEM.name: Ranking(corpora=True),
    openmeva.DATASET_DRIFT.name: _PEOPLE,
    openmeva.DISCRIMINATION.name: Ranking(best="tells coherent stories from perturbed ones best", corpora=True),
    openmeva.INVARIANCE.name: Ranking(
        by="the size of Pearson's r", best="is moved least by a change of wording", corpora=True, least=True
    ),
    openmeva.CORRELATIONS.name: _PEOPLE,
    openmeva.DIFFERENCE.name: Ranking(by="R²", best="follows people's differences best"),
    perception.CORRELATIONS.name: _PEOPLE,
    perception.ABLATION.name: _PEOPLE,
    hanna.STORY.name: _BY_R,
    hanna.SYSTEM.name: _BY_R,
}
"""Tables that rank metrics; no other does."""


def headline(published: PublishedTable, cells: Sequence[Cell], of: Released | None, mark: Mark = str) -> str:
    """What the table says, of the stories `of` it that the study holds where it is about them, and how many of the
    cells a study gives agree. `mark`: how the name of a metric is written.
    """
    return f"{_said_by(published, of, mark)} {_compared(published, cells)}".strip()


def _said_by(published: PublishedTable, of: Released | None, mark: Mark) -> str:
    if not published.rows:
        return f"{published.name} has no number to compare."
    ranking = RANKINGS.get(published.name)
    if ranking is None:
        return f"{published.name} ranks no metrics."
    ranked = places(published, ranking, of)
    metrics = max(len(place.values) for place in ranked)
    head = f"{published.name}: of {metrics} metrics"
    if len(ranked) > MOST_PLACES:
        return f"{head} {_throughout(ranking, ranked, mark)}"
    each = [f"{short(place.best)} on {place.data} (the others {_span(place.others)})" for place in ranked]
    if len({place.first for place in ranked}) == 1:
        return f"{head} {listed(ranked[0].first, mark)} {ranking.best} by {ranking.by}: {' and '.join(each)}."
    each = [f"{listed(place.first, mark)} with {words}" for place, words in zip(ranked, each, strict=True)]
    return f"{head} none {ranking.best} throughout by {ranking.by}, but {' and '.join(each)}."


def _throughout(ranking: Ranking, ranked: Sequence[Place], mark: Mark) -> str:
    """Of many data: how often each metric comes first, and how far it is ahead of the next."""
    firsts = Counter(metric for place in ranked for metric in place.first)
    (metric, times), *rest = firsts.most_common()
    gaps = [abs(abs(place.best) - abs(place.others[0])) for place in ranked]
    ahead = f"The first is at most {short(max(gaps))} ahead of the next."
    if not rest:
        bests = _span([place.best for place in ranked])
        return f"{mark(metric)} {ranking.best} by {ranking.by} in all {times} comparisons, {bests}. {ahead}"
    others = listed([name for name, _ in rest], mark)
    if 2 * times > len(ranked):
        return (
            f"{mark(metric)} {ranking.best} by {ranking.by} in {times} of {len(ranked)} comparisons, {others} in the "
            f"others. {ahead}"
        )
    return (
        f"none {ranking.best} throughout by {ranking.by}: {mark(metric)} comes first in {times} of {len(ranked)} "
        f"comparisons, {others} in the others. {ahead}"
    )


def places(published: PublishedTable, ranking: Ranking, of: Released | None) -> list[Place]:
    """The metrics on each of a ranking table's data: those of the stories `of` alone, where the table has such."""
    every: dict[str, dict[str, float]] = {}
    mine: set[str] = set()
    for row, printed in published.rows.items():
        if not any("." in cell for cell in printed):  # it counts stories
            continue
        for column in published.columns:
            if not published.cell(row, column).strip("-") or not column.endswith(ranking.symbol):
                continue
            data = column.removesuffix(ranking.symbol).strip()
            corpus, _, metric = row.partition(" ") if ranking.corpora else ("", "", row)
            data = f"{corpus}, {data}" if corpus else data
            every.setdefault(data, {})[metric] = number(published.cell(row, column))
            wanted = quantity(published, row, column)
            if of is not None and wanted is not None and wanted.of is of:
                mine.add(data)
    return [_place(data, values, ranking) for data, values in every.items() if data in mine or not mine]


def _place(data: str, values: dict[str, float], ranking: Ranking) -> Place:
    ordered = sorted(values.items(), key=lambda item: abs(item[1]) if ranking.least else -item[1])
    return Place(data, dict(ordered))


def _compared(published: PublishedTable, cells: Sequence[Cell]) -> str:
    agree = sum(cell.state is CellState.AGREES for cell in cells)
    computed = agree + sum(cell.state is CellState.DIFFERS for cell in cells)
    if not published.rows:
        return ""
    if not computed:
        return "No cell of it is compared."
    own = any(cell.quantity and cell.quantity.kind is QuantityKind.HELD for cell in cells)
    by = "that are compared with what Fabula has" if own else "that this study gives"
    if not agree and not own:
        cells_given = so_many(computed, "cell")
        return f"This study gives {cells_given} another number than was printed, as other stories than the paper's do."
    return f"**{agree:,} of {computed:,}** cells {by} agree."


def _span(values: Sequence[float]) -> str:
    low, high = short(min(values)), short(max(values))
    return low if low == high else f"{low} to {high}"
