"""Rows of the tables of Capability, unrounded: what their CSV holds."""

from collections.abc import Mapping, Sequence

from core.analysis.capability.results import Robustness, Seen
from core.figures.capability.maps import PAPER
from core.formats.results_csv import ResultRow
from core.published.capability import Printed
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate
from pages.ui.shared.tables.written import P

Names = Mapping[tuple[str, str], str]
FORMATS = dict.fromkeys(("p", "p by story"), P)
NOTES = {
    "Coherent": "Stories as they should be, with a score",
    "Changed": "Stories made worse in this aspect, with a score",
    "Pairs": "An original and its changed story, both with a score",
    "In order": "Share of changed stories that score below their own original; .5 sees nothing",
    "AUC": "That a coherent story scores above a changed one; .5 sees nothing",
    "Pearson's r": "Of the score with 1 for a coherent story, 0 for a changed one",
    "p": "Takes examples as independent, as the paper does",
    "p by story": "From draws of whole human stories",
    "Without a score": "Left out",
}


def seen_rows(rows: Sequence[Seen], names: Names) -> list[ResultRow]:
    """One row per metric and aspect."""
    return [
        {
            "Metric": names[row.metric, row.signature],
            "Aspect": row.aspect,
            "Coherent": row.positives,
            "Changed": row.negatives,
            "Pearson's r": _r(row.pearson, row.undefined),
            "AUC": row.auc,
            "In order": row.ordered,
            "p": row.pearson.p,
            "p by story": row.pearson.p_cluster,
            "Without a score": row.undefined_scores,
            "Signature": row.signature,
        }
        for row in rows
    ]


def robust_rows(rows: Sequence[Robustness], names: Names) -> list[ResultRow]:
    """One row per metric, change of wording and kind of originals."""
    return [
        {
            "Metric": names[row.metric, row.signature],
            "Change": row.aspect,
            "Originals": row.of,
            "Pairs": row.pairs,
            "|r|": row.absolute,
            "r": _r(row.pearson, row.undefined),
            "Mean change (SD)": row.change,
            "Mean size of a change (SD)": row.mean_absolute_change,
            "p": row.pearson.p,
            "p by story": row.pearson.p_cluster,
            "Without a score": row.undefined_scores,
            "Signature": row.signature,
        }
        for row in rows
    ]


def printed_rows(printed: Sequence[Printed], key: str) -> list[ResultRow]:
    """The paper's cells that are drawn beside ours. `key`: of the column with the aspect."""
    rows: list[ResultRow] = []
    for item in printed:
        row = {"Metric": f"{item.row} ({PAPER})", key: item.aspect}
        r = "Pearson's r" if item.of is None else "r"
        rows.append(row | ({} if item.of is None else {"Originals": item.of}) | {r: Estimate(item.r)})
    return rows


def _r(coefficient: Coefficient, undefined: str | None) -> Estimate:
    return Estimate(
        coefficient.value, coefficient.low, coefficient.high, undefined if coefficient.value is None else None
    )
