"""Which system people find best, and which metrics order systems as they do, in a sentence each, or one metric does."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from core.analysis.significance.tests import LEVEL
from core.analysis.systems.order import beside_chance, corrected_p, order_sentence, pairs_right, tested_p
from core.analysis.systems.ranking import SystemCorrelation, SystemRow, Systems
from core.analysis.verdict.family import Family
from core.analysis.verdict.finding import MOST_NAMED, listed, short
from core.analysis.verdict.sentences import Basis, VerdictSentence
from core.judges.naming import so_many_metrics
from core.wording import so_many

Mark = Callable[[str], str]
NO_ORDER = (
    "No claim is made of systems, or of how metrics order them: nothing shows that the ratings agree with one "
    "another. Means, ranks and correlations below only describe these ratings."
)
"""What stands instead where ratings can carry no verdict."""
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def on_systems(
    rows: Sequence[SystemRow],
    names: Sequence[str],
    correlations: Sequence[SystemCorrelation],
    mark: Mark = str,
    *,
    family: Family,
    agreed: bool,
) -> str | None:
    """Which system people find best, and which metrics order systems as they do; None where fewer than two are rated.
    `family`: which of the metrics the study's finding counts: the others are not counted here either, and named.
    `agreed`: False where the ratings do not agree, so that nothing is claimed.
    """
    best = best_system(rows, mark)
    if best is None or not agreed:
        return best and NO_ORDER
    counted = same_order([names[place] for place in family.places], [correlations[i] for i in family.places], mark)
    return " ".join(filter(None, (best, counted, counted and family.left_out([mark(name) for name in names]))))


def best_system(rows: Sequence[SystemRow], mark: Mark = str) -> str | None:
    """The best by people's mean, and those whose rank may be the first as well, by its 95 % interval; None where fewer
    than two systems are rated. `mark`: how the name of a system is written.
    """
    rated = [row for row in rows if row.human.n and row.human.mean.value is not None]
    if len(rated) < 2:
        return None
    best, *others = sorted(rated, key=lambda row: -(row.human.mean.value or 0.0))
    mean = best.human.mean
    first = f"{mark(best.system)} is best by people, {short(mean.value)}"
    if mean.low is not None and mean.high is not None:
        first += f" ({short(mean.low)} to {short(mean.high)})"
    ranks = [(row, row.human.rank.low) for row in others]
    if any(low is None for _, low in ranks):
        return f"{first}; how sure that is cannot be said."
    alike = [row.system for row, low in ranks if low is not None and low < 2]  # a shared first place is 1.5
    if not alike:
        return f"{first}; no other's rank reaches the first place in its 95 % interval."
    return f"{first}; {listed(alike, mark)} may be as good."


def same_order(names: Sequence[str], correlations: Sequence[SystemCorrelation], mark: Mark = str) -> str:
    """Which metrics put every two systems in people's order, or which comes nearest, and whether that may be chance; ""
    where none can be compared. `mark`: how the name of a metric is written.
    """
    right = {
        name: (one.accuracy.every.value, one)
        for name, one in zip(names, correlations, strict=True)
        if one.accuracy.every.value is not None
    }
    if not right:
        return ""
    most = max(share for share, _ in right.values())
    nearest = {name: one for name, (share, one) in right.items() if share == most}
    named, alone = listed(list(nearest), mark), len(nearest) == 1
    chance, turned = beside_chance(list(nearest.values()), right), _turned_round(right, mark) if most else ""
    if most == 1:
        orders = "orders" if alone else "order"
        return f"Of {so_many_metrics(right)}, {named} {orders} all systems as people do{chance}.{turned}"
    pairs = next(iter(nearest.values())).accuracy.pairs
    return (
        f"No metric orders all systems as people do; {named} {'comes' if alone else 'come'} nearest, with "
        f"{round(most * pairs)} of {so_many(pairs, 'pair')} of systems in people's order{chance}.{turned}"
    )


def other_orders(
    names: Sequence[str], correlations: Sequence[SystemCorrelation], drawn: Mapping[str, float], mark: Mark = str
) -> tuple[str, ...]:
    """Where people order systems otherwise over the stories that metrics score than a page draws, a sentence for each
    such order that a coefficient rests on. `drawn`: each system's rank as it is drawn, of other systems too.
    """
    alike: dict[tuple[int, tuple[tuple[str, float], ...]], list[str]] = defaultdict(list)
    for name, over in zip(names, correlations, strict=True):
        if not over.undefined:
            alike[over.n, tuple(sorted(over.people_ranks.items()))].append(name)
    said = []
    for (stories, ranked), metrics in alike.items():
        own = _places({system: rank for system, rank in ranked if system in drawn})
        before = _places({system: drawn[system] for system in own})
        moved = sorted((system for system in own if own[system] != before[system]), key=own.__getitem__)
        if moved:
            places = {one: f"{mark(one)} {_ordinal(own[one])} (not {_ordinal(before[one])})" for one in moved}
            scored = f"{listed(metrics, mark)} {'scores' if len(metrics) == 1 else 'score'}"
            elsewhere = " elsewhere" if len(moved) > MOST_NAMED else ""
            put = listed(moved, places.__getitem__)
            said.append(f"Over the {stories:,} stories that {scored}, people put {put}{elsewhere}.")
    return tuple(said)


def drawn_ranks(systems: Systems) -> dict[str, float]:
    """Each system's rank by all that people have judged, as the page Systems draws it."""
    return {row.system: row.human.rank.value for row in systems.rows if row.human.rank.value is not None}


def _places(ranks: Mapping[str, float]) -> dict[str, int]:
    """Among these systems, 1 the best; equal ranks share the better place."""
    return {system: 1 + sum(other < mine for other in ranks.values()) for system, mine in ranks.items()}


def _ordinal(place: int) -> str:
    return PLACES[place - 1] if place <= len(PLACES) else f"number {place}"


def _turned_round(right: Mapping[str, tuple[float, SystemCorrelation]], mark: Mark) -> str:
    """Which metrics order all systems the other way round, where chance would hardly do that; "" where none does."""
    turned = {name: one for name, (share, one) in right.items() if share == 0 and (tested_p(one) or 1.0) < LEVEL}
    if not turned:
        return ""
    puts, chance = "puts" if len(turned) == 1 else "put", beside_chance(list(turned.values()), right)
    return f" {listed(list(turned), mark)} {puts} no pair in people's order{chance}."


def on_order(metric: str, over: SystemCorrelation | None, metrics: Collection[str]) -> tuple[VerdictSentence, ...]:
    """Whether a metric, one of these, orders systems as people do, for its report; nothing where it is undefined."""
    sentence = order_sentence(metric, over, metrics)
    if over is None or not sentence:
        return ()
    numbers = [("systems", float(over.systems))]
    if over.accuracy.pairs > 1:
        numbers += [("pairs in people's order", float(pairs_right(over))), ("pairs", float(over.accuracy.pairs))]
    p = tested_p(over)
    if p is not None:
        numbers.append(("p of τ-b over systems", p))
        if p < LEVEL and len(metrics) > 1 and (corrected := corrected_p(p, metrics)) < LEVEL:
            numbers.append(("corrected p of τ-b over systems", corrected))
    return (VerdictSentence(sentence, tuple(numbers), Basis.SYSTEMS),)
