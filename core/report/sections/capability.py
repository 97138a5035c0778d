"""What a metric sees, and what it should not mind, in the tests that it has been put to."""

from core.analysis.verdict.sentences import Basis
from core.figures.capability.dots import by_aspect
from core.formats.results_csv import ResultRow
from core.report.capability import CapabilityInReport
from core.report.section import Drawn, Section, Tabled
from core.statistics.intervals import Estimate


def sees_section(sees: CapabilityInReport) -> Section:
    """How it orders changed stories and their originals, by aspect and by change."""
    words = (
        f"Human stories changed in one aspect each, of the test sets {', '.join(sees.sets)} (OpenMEVA, sections 4.4 "
        "and 4.5): those that pass the grammaticality filter. In order: the share of changed stories that score below "
        "their own original; .5 sees nothing. Intervals are by human story."
    )
    aspects: tuple[ResultRow, ...] = tuple(
        {
            "Aspect": row.aspect,
            "Coherent": row.positives,
            "Changed": row.negatives,
            "r": Estimate(row.pearson.value, row.pearson.low, row.pearson.high, row.undefined),
            "AUC": row.auc,
            "In order": row.ordered,
            "Sees it": sees.label(row),
        }
        for row in sees.aspects
    )
    changes: tuple[ResultRow, ...] = tuple(
        {
            "Change": row.aspect,
            "Pairs": row.pairs,
            "|r|": row.absolute,
            "r": Estimate(row.pearson.value, row.pearson.low, row.pearson.high, row.undefined),
            "Mean change (SD)": row.change,
        }
        for row in sees.changes
    )
    tables = (Tabled("What it sees", aspects), Tabled("What it should not mind", changes))
    figures: tuple[Drawn, ...] = ()
    if any(row.ordered.value is not None for row in sees.aspects):
        figure = by_aspect(sees.aspects, "What it sees, by aspect")
        alt = "Share of changed stories below their original, by aspect"
        figures = (Drawn("report-sees", "What it sees", figure, lambda: aspects, alt),)
    return Section(Basis.CAPABILITY, "What it sees", words, figures, tuple(table for table in tables if table.rows))
