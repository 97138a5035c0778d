"""What a cell of a published table means for a study: which correlation, share or count, of which stories."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.published import hanna, openmeva, union
from core.published.inventory import inventory_of
from core.published.tables import PublishedTable


class Released(StrEnum):
    """The annotated stories that a table is about."""

    UNION_ROC = "UNION, ROC"
    UNION_WP = "UNION, WP"
    MANS_ROC = "MANS, ROC"
    MANS_WP = "MANS, WP"
    HANNA = "HANNA, WP"

    @property
    def corpus(self) -> str:
        """`roc` or `wp`: as cards of checkpoints call what they learnt from."""
        return self.value.split(", ")[1].lower()


class QuantityKind(StrEnum):
    """What is computed. HELD: of no stories, but whether Fabula itself has what the cell names."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    STORIES = "stories"
    PROMPTS = "prompts"
    PER_PROMPT = "stories a prompt"
    TYPE_SHARE = "share"
    COUNT_SHARE = "share with so many types"
    TYPES_SPEARMAN = "largest spearman"
    ALPHA = "alpha"
    TOKENS = "average tokens"
    PROMPT_TOKENS = "average tokens of prompts"
    REFERENCE_TOKENS = "average tokens of references"
    DIFFERENCE = "R squared of differences"
    HELD = "held"


class StoryRule(StrEnum):
    """Which stories are reasonable, and which unreasonable ones are of an error type.

    UNION: all votes; at least three votes name it. MANS: mean above 4, and the labels are 1 and 0; at most 4, and it
    is the only type that at least three ratings name.
    """

    UNION = "union"
    MANS = "mans"


@dataclass(frozen=True)
class Quantity:
    """`of`: the stories, None for what is of none. `metrics`: names under which a study may hold the scores. `system`,
    `error_type`: of these stories only. `trained`: the one corpus that the metric learnt from, "" where that is left
    open.

    `rule`: with an error type, the reasonable stories and those of that type; without one, the reasonable ones.
    `criterion`: what the stories are rated on, "" for the study's judgment; `level`: `prompt` for the mean of the
    coefficients within prompts, `system` for that of the systems' means, in absolute value.
    `number`: of types, for COUNT_SHARE. `percent`: printed as a percentage. `row`, `column`: what `reproduce` calls it.
    """

    of: Released | None
    kind: QuantityKind
    metrics: tuple[str, ...] = ()
    trained: str = ""
    system: str = ""
    rule: StoryRule | None = None
    error_type: str = ""
    number: int = 0
    percent: bool = False
    row: str = ""
    column: str = field(default="")
    criterion: str = ""
    level: str = ""


TRIPLE = {"r": QuantityKind.PEARSON, "ρ": QuantityKind.SPEARMAN, "τ": QuantityKind.KENDALL}


def _union_5(row: str, column: str) -> Quantity | None:
    corpus, symbol = column.split()
    kind, metric = TRIPLE[symbol], union.METRICS[row]
    of = Released.UNION_ROC if corpus == "ROC" else Released.UNION_WP
    return Quantity(of, kind, (metric,), row=metric, column=f"{corpus.lower()} {kind}")


def _union_2(row: str, column: str) -> Quantity | None:
    name = union.ERROR_TYPES[column]
    return Quantity(
        Released.UNION_ROC, QuantityKind.TYPE_SHARE, error_type=name, percent=True, row=name, column="share"
    )


def _union_31(row: str, column: str) -> Quantity | None:
    if column.isdecimal():
        return Quantity(
            Released.UNION_ROC,
            QuantityKind.COUNT_SHARE,
            number=int(column),
            percent=True,
            row=f"{column} types",
            column="share",
        )
    return Quantity(
        Released.UNION_ROC, QuantityKind.TYPES_SPEARMAN, row="between error types", column="largest spearman"
    )


def _union_4(row: str, column: str) -> Quantity | None:
    corpus, _, part = column.partition(" ")
    if part != "test":
        return None
    of = Released.UNION_ROC if corpus == "ROC" else Released.UNION_WP
    return Quantity(of, QuantityKind.STORIES, row="stories", column=f"{corpus.lower()} test")


def _union_6(row: str, column: str) -> Quantity | None:
    trained, _, rest = column.partition(" to ")
    corpus, symbol = rest.split()
    of = Released.UNION_ROC if corpus == "ROC" else Released.UNION_WP
    metric, kind = union.TRAINED[row], TRIPLE[symbol]
    return Quantity(
        of, kind, (metric,), trained=trained.lower(), row=metric, column=f"{trained.lower()} to {corpus.lower()} {kind}"
    )


def _union_7(row: str, column: str) -> Quantity | None:
    name = union.ERROR_TYPES.get(column, "")
    subset = Quantity(
        Released.UNION_ROC, QuantityKind.STORIES, rule=None if column == "All" else StoryRule.UNION, error_type=name,
        row="stories", column=name or column.lower(),
    )  # fmt: skip
    if row == "Stories":
        return subset
    if row == "UNION" and column != "Reasonable":
        return replace(subset, kind=QuantityKind.PEARSON, metrics=("union",), row="union")
    return None  # ablated scores have no name: they were not released


def _mans(corpus: str) -> Released:
    return Released.MANS_ROC if corpus == "ROC" else Released.MANS_WP


def _mans_3(row: str, column: str) -> Quantity | None:
    corpus, of = column.split()
    name = openmeva.ERROR_TYPES.get(of, "")
    subset = Quantity(
        _mans(corpus), QuantityKind.STORIES, rule=None if of == "overall" else StoryRule.MANS, error_type=name,
        row=f"{name or of} stories", column=corpus.lower(),
    )  # fmt: skip
    if row == "Stories":
        return subset
    if of == "reasonable":
        return None
    return replace(
        subset,
        kind=QuantityKind.PEARSON,
        metrics=openmeva.METRICS[row],
        row=row,
        column=f"{corpus.lower()} {name or of}",
    )


def _mans_4(row: str, column: str) -> Quantity | None:
    corpus, _, metric = row.partition(" ")
    system = openmeva.SYSTEMS[column]
    return Quantity(
        _mans(corpus), QuantityKind.PEARSON, openmeva.METRICS[metric], system=system, row=metric,
        column=f"{corpus.lower()} {system}",
    )  # fmt: skip


def _mans_5(row: str, column: str) -> Quantity | None:
    trained, _, tested = column.lower().partition(" to ")
    return Quantity(
        _mans(tested.upper()), QuantityKind.PEARSON, openmeva.METRICS[row], trained=trained, row=row,
        column=f"{column.lower()} {QuantityKind.PEARSON}",
    )  # fmt: skip


def _mans_10(row: str, column: str) -> Quantity | None:
    kinds = {
        "Unique inputs": QuantityKind.PROMPTS,
        "Generated stories (per input)": QuantityKind.PER_PROMPT,
        "Generated stories (in all)": QuantityKind.STORIES,
        "Average input tokens": QuantityKind.PROMPT_TOKENS,
        "Average reference tokens": QuantityKind.REFERENCE_TOKENS,
        "Average story tokens": QuantityKind.TOKENS,
    }
    return Quantity(_mans(column), kinds[row], row=row.lower(), column=column.lower())


def _mans_alpha(row: str, column: str) -> Quantity | None:
    return Quantity(_mans(column), QuantityKind.ALPHA, row="alpha (interval)", column=column.lower())


def _mans_11(row: str, column: str) -> Quantity | None:
    return Quantity(
        _mans(column),
        QuantityKind.PEARSON,
        openmeva.METRICS[row],
        row=row,
        column=f"{column.lower()} {QuantityKind.PEARSON}",
    )


def _mans_figure(row: str, column: str) -> Quantity | None:
    return Quantity(
        _mans(column), QuantityKind.DIFFERENCE, openmeva.METRICS[row], row=row, column=f"{column.lower()} r squared"
    )


def _hanna(level: str) -> Callable[[str, str], Quantity | None]:
    def of(row: str, column: str) -> Quantity | None:
        criterion, _, symbol = column.partition(" ")
        return Quantity(
            Released.HANNA, TRIPLE[symbol], (row,), criterion=criterion, level=level, row=row,
            column=f"{level} {criterion} {TRIPLE[symbol]}",
        )  # fmt: skip

    return of


_OF_TABLE: dict[str, Callable[[str, str], Quantity | None]] = {
    union.SHARES.name: _union_2,
    union.TYPES.name: _union_31,
    union.STATISTICS.name: _union_4,
    union.CORRELATIONS.name: _union_5,
    union.DATASET_DRIFT.name: _union_6,
    union.ABLATION.name: _union_7,
    openmeva.BY_ERROR_TYPE.name: _mans_3,
    openmeva.BY_SYSTEM.name: _mans_4,
    openmeva.DATASET_DRIFT.name: _mans_5,
    openmeva.STATISTICS.name: _mans_10,
    openmeva.AGREEMENT.name: _mans_alpha,
    openmeva.CORRELATIONS.name: _mans_11,
    openmeva.DIFFERENCE.name: _mans_figure,
    **{name: _hanna(level) for name, level in hanna.LEVELS.items()},
}


def quantity(table: PublishedTable, row: str, column: str) -> Quantity | None:
    """What the cell is of; None where neither a study nor Fabula can hold it."""
    if not table.cell(row, column).strip("-"):
        return None
    if inventory_of(table, row, column):
        return Quantity(None, QuantityKind.HELD, row=row, column=column)
    return _OF_TABLE[table.name](row, column) if table.name in _OF_TABLE else None
