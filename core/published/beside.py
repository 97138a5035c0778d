"""Published tables beside what a study gives, cell by cell: agreeing at the printed digits, or the reason why not."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.analysis import subsets
from core.analysis.correlation import correlate
from core.annotation.agreement import krippendorff_alpha
from core.published import openmeva, union
from core.published.quantities import Kind, Quantity, Released, Rule, quantity
from core.published.reasons import reason
from core.published.tables import PublishedTable
from core.scores import Floats, ScoreColumn, ScoreTable

RULES = {Rule.UNION: (subsets.UNION, (0, 1)), Rule.MANS: (subsets.MANS, (1, 5))}
"""Definitions of reasonable stories and of those of an error type, with their scale: UNION, section 4.5, and OpenMEVA,
section 4.2."""
CORRELATIONS = (Kind.PEARSON, Kind.SPEARMAN, Kind.KENDALL)
OTHER_TYPE = "other"
LONG_STORY = 100
"""Words: MANS' ROC stories have about 40, its WP ones about 230 (Table 10)."""
EMPTY = ScoreTable((), (), (), (), np.empty(0), ())
"""What there is before there is a study."""
NO_SCORES = "The study has no scores of this metric: run it, or import its scores under this name."
UNEXPLAINED = "No reason is known. Other stories, ratings, scores or filters give other numbers."


class State(StrEnum):
    """How a cell compares. MISSING: the study lacks something. ELSEWHERE: it is about other stories than these."""

    AGREES = "agrees"
    DIFFERS = "differs"
    MISSING = "missing"
    ELSEWHERE = "elsewhere"
    EMPTY = "empty"


@dataclass(frozen=True)
class Cell:
    """`printed` as in the paper; `ours` unrounded and `shown` rounded like it; `signature` of the scores behind it."""

    row: str
    column: str
    printed: str
    state: State
    ours: float | None = None
    shown: str = ""
    n: int | None = None
    signature: str = ""
    reason: str = ""
    quantity: Quantity | None = None


@dataclass(frozen=True)
class Measured:
    """A quantity of a study, or in `missing` what it lacks; `starred`: p < 0.01, None where there is no p."""

    value: float | None = None
    starred: bool | None = None
    n: int | None = None
    signature: str = ""
    missing: str = ""


def guess(table: ScoreTable) -> Released | None:
    """Which released stories a whole study holds, by their number, ratings and length; None where it looks like none.

    UNION: 400 ROC and 200 WP stories with seven votes of 0 or 1 each. MANS: 1,000 with five ratings from 1 to 5.
    """
    stories = len(table.keys)
    if not stories or not table.ratings.size:
        return None
    counts = np.isfinite(table.ratings).sum(1)
    shape = (stories, int(counts.min()), int(counts.max()))
    if not counts.any():
        return None
    votes = float(np.nanmax(table.ratings)) <= 1
    if shape == (1000, 5, 5) and not votes:
        long = sum(len(text.split()) for text in table.texts) > LONG_STORY * stories
        return Released.MANS_WP if long else Released.MANS_ROC
    return {(400, 7, 7): Released.UNION_ROC, (200, 7, 7): Released.UNION_WP}.get(shape) if votes else None


def beside(published: PublishedTable, table: ScoreTable, of: Released | None) -> tuple[Cell, ...]:
    """Every cell of a published table, row by row; `of`: which released stories the study's are."""
    return tuple(_cell(published, row, column, table, of) for row in published.rows for column in published.columns)


def _cell(published: PublishedTable, row: str, column: str, table: ScoreTable, of: Released | None) -> Cell:
    printed = published.cell(row, column)
    if not printed.strip("-"):
        return Cell(row, column, printed, State.EMPTY)
    wanted, why = quantity(published, row, column), reason(published, row, column)
    if wanted is None:
        return Cell(row, column, printed, State.MISSING, reason=why)
    if wanted.of is not of:
        return Cell(row, column, printed, State.ELSEWHERE, reason=f"Of other stories: {wanted.of}.", quantity=wanted)
    found = measure(wanted, table)
    if found.value is None:
        return Cell(row, column, printed, State.MISSING, n=found.n, reason=why or found.missing, quantity=wanted)
    starred = found.starred if _has_stars(published) else None
    shown = rounded(printed, found.value, starred)
    bound = wanted.kind is Kind.TYPES_SPEARMAN
    agrees = abs(found.value) < number(printed) if bound else shown == printed
    if not agrees and not why:
        why = _by_its_star(found) if shown.rstrip("*") == printed.rstrip("*") else UNEXPLAINED
    return Cell(
        row, column, printed, State.AGREES if agrees else State.DIFFERS, found.value, shown, found.n,
        found.signature, "" if agrees else why, wanted,
    )  # fmt: skip


def _by_its_star(found: Measured) -> str:
    return f"The number agrees, its star does not: here p is {'below' if found.starred else 'not below'} 0.01."


def _has_stars(published: PublishedTable) -> bool:
    return any(cell.endswith("*") for cells in published.rows.values() for cell in cells)


def number(printed: str) -> float:
    """What was printed, as a number; raises ValueError for a dash."""
    return float(printed.rstrip("*%").replace(",", ""))


def rounded(printed: str, value: float, starred: bool | None = None) -> str:
    """A number with the decimals, commas and signs of a printed one; `starred` None: no place for a star."""
    digits = printed.rstrip("*%")
    decimals = len(digits.partition(".")[2])
    text = f"{round(value, decimals):{',' if ',' in digits else ''}.{decimals}f}"
    return text + ("%" if printed.endswith("%") else "") + ("*" if starred else "")


def measure(wanted: Quantity, table: ScoreTable) -> Measured:
    """The quantity in these stories; what is missing where it cannot be computed."""
    if wanted.kind in CORRELATIONS:
        return _correlation(wanted, table)
    if wanted.kind is Kind.ALPHA:
        alpha = krippendorff_alpha(table.ratings) if table.ratings.size else None
        return Measured(alpha, n=table.rated, missing="No story has two ratings.")
    if wanted.kind in (Kind.STORIES, Kind.PROMPTS, Kind.PER_PROMPT):
        return _count(wanted, table)
    return _of_types(wanted, table)


def _column(wanted: Quantity, table: ScoreTable) -> ScoreColumn | None:
    by_name: dict[str, ScoreColumn] = {}
    for column in table.columns:
        by_name.setdefault(column.metric, column)
    return next((by_name[name] for name in wanted.metrics if name in by_name), None)


def _correlation(wanted: Quantity, table: ScoreTable) -> Measured:
    column = _column(wanted, table)
    if column is None:
        return Measured(missing=NO_SCORES)
    picked = _subset(wanted, table)
    if isinstance(picked, str):
        return Measured(missing=picked)
    rows, judged = picked
    found = correlate(column.values[rows], judged, resamples=0)
    coefficient = getattr(found, wanted.kind)
    missing = f"Undefined: {found.undefined}." if found.undefined else ""
    return Measured(coefficient.value, coefficient.starred, found.n, column.signature, missing)


def _subset(wanted: Quantity, table: ScoreTable) -> tuple[np.typing.NDArray[np.intp], Floats] | str:
    """Numbers of the stories that a quantity is of, and their judgments; a sentence where they cannot be told."""
    human = table.human
    if wanted.system:
        rows = np.flatnonzero(np.array([system == wanted.system for system in table.systems], dtype=bool))
        return (rows, human[rows]) if len(rows) else f"The study has no system called {wanted.system}."
    if wanted.rule is None:
        return np.arange(len(human)), human
    definition, scale = RULES[wanted.rule]
    if not wanted.error_type:
        good = subsets.reasonable(table, definition, scale)
        return np.flatnonzero(good), human[good]
    one = _error_set(wanted, table)
    if isinstance(one, str):
        return one
    rows = one.rows
    return rows, np.isin(rows, one.reasonable).astype(np.float64) if definition.labels else human[rows]


def _error_set(wanted: Quantity, table: ScoreTable) -> subsets.ErrorSet | str:
    """The set of the quantity's error type; a sentence where it cannot be told."""
    if wanted.rule is None or wanted.error_type not in table.votes or not _any_votes(table.votes):
        return "The study's ratings name no error types."
    found = subsets.error_sets(table, *RULES[wanted.rule])
    return next(one for one in found if one.error_type == wanted.error_type)


def _any_votes(votes: Mapping[str, np.typing.NDArray[np.intp]]) -> bool:
    return any(given.any() for given in votes.values())


def _count(wanted: Quantity, table: ScoreTable) -> Measured:
    prompts = len(set(table.prompts))
    if wanted.kind is Kind.PROMPTS:
        return Measured(float(prompts))
    if wanted.kind is Kind.PER_PROMPT:
        return Measured(len(table.keys) / prompts) if prompts else Measured(missing="The study has no stories.")
    if wanted.error_type:  # the papers count the unreasonable ones alone
        one = _error_set(wanted, table)
        return Measured(missing=one) if isinstance(one, str) else Measured(float(len(one.unreasonable)))
    picked = _subset(wanted, table)
    return Measured(missing=picked) if isinstance(picked, str) else Measured(float(len(picked[0])))


def _of_types(wanted: Quantity, table: ScoreTable) -> Measured:
    """Of the stories not unanimously reasonable."""
    bad = np.isfinite(table.human) & (table.human < 1)
    if not bad.any() or not _any_votes(table.votes):
        return Measured(missing="The study's ratings name no error types.")
    given = {name: votes[bad] > 0 for name, votes in table.votes.items()}
    total = int(bad.sum())
    scale = 100 if wanted.percent else 1
    if wanted.kind is Kind.TYPE_SHARE:
        if wanted.error_type not in given:
            return Measured(missing=f"The study has no error type called {wanted.error_type}.")
        return Measured(scale * float(given[wanted.error_type].mean()), n=total)
    types = np.array([votes for name, votes in given.items() if name != OTHER_TYPE])
    if wanted.kind is Kind.COUNT_SHARE:
        return Measured(scale * float((types.sum(0) == wanted.number).mean()), n=total)
    varied = types[types.any(1) & ~types.all(1)]
    if len(varied) < 2:
        return Measured(n=total, missing="Fewer than two error types were given to some stories and not to others.")
    # Of presence and absence, Spearman's coefficient is Pearson's.
    pairs = np.corrcoef(varied)[np.triu_indices(len(varied), 1)]
    return Measured(float(pairs[np.argmax(np.abs(pairs))]), n=total)


def grouped(cells: Iterable[Cell]) -> dict[str, tuple[Cell, ...]]:
    """The cells that differ or are missing by their reason, in the table's order; those of other stories are not."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.state in (State.DIFFERS, State.MISSING):
            found.setdefault(cell.reason, []).append(cell)
    return {why: tuple(those) for why, those in found.items()}


def named(cell: Cell) -> str:
    """Row and column, and where its scores are missing the name that they would have."""
    lacking = cell.state is State.MISSING and cell.quantity is not None and cell.quantity.metrics
    return f"{cell.row}, {cell.column}" + (f" ({' or '.join(lacking)})" if lacking else "")


def counted(cells: Iterable[Cell]) -> dict[State, int]:
    """How many cells of each state there are."""
    counts = Counter(cell.state for cell in cells)
    return {state: counts[state] for state in State}


def best_table(of: Released | None) -> PublishedTable:
    """The table of correlations that is about these stories."""
    return openmeva.CORRELATIONS if of in (Released.MANS_ROC, Released.MANS_WP) else union.CORRELATIONS


def needed(published: PublishedTable) -> str:
    """What to import so that the table fills; "" where nothing that was released would do."""
    wanted = (quantity(published, row, column) for row in published.rows for column in published.columns)
    of = {one.of for one in wanted if one is not None}
    if Released.UNION_ROC in of or Released.UNION_WP in of:
        return (
            "Import UNION's annotation folder of ROC or WP, the one with ant_data.txt and the scores in "
            "metric_output, as a study."
        )
    if of:
        return "Import the MANS file of ROC or WP as a study, and run the metrics or import their scores."
    return ""
