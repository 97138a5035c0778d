"""Why a published number cannot be had from what was released, or differs from it: a sentence a cell, as data."""

from dataclasses import dataclass

from core.published import naturalness, openmeva, perception, union
from core.published.tables import PublishedTable


@dataclass(frozen=True)
class Reason:
    """`rows`, `columns`: the cells it is about, by a part of their labels; all of them where empty."""

    table: str
    why: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def holds(self, table: PublishedTable, row: str, column: str) -> bool:
        """Whether it is about this cell."""
        return (
            self.table == table.name
            and (not self.rows or any(one in row for one in self.rows))
            and (not self.columns or any(one in column for one in self.columns))
        )


_OTHER_TRAINED = (
    "The scores of this metric were not released; train it (or import its scores under this name) to compare."
)

REASONS = (
    Reason(
        union.TYPES.name,
        "Among the unreasonable stories, which the sentence is about, repetition and conflicting logic correlate with "
        "-.184 (p = .0003), repetition and chaotic scenes with -.166. Over all 400 stories the sentence holds: the "
        "largest is -.118 (p = .018).",
        columns=("Spearman",),
    ),
    Reason(
        union.ABLATION.name,
        "The printed correlation does not follow from the released scores and votes, though the sizes of the sets and "
        "the correlation over all 400 stories do.",
        rows=("UNION",),
        columns=("Repe", "Cohe", "Conf", "Chao"),
    ),
    Reason(
        union.ABLATION.name,
        "Scores of UNION retrained without one technique were not released; train them to compare.",
        rows=("-",),
    ),
    Reason(union.DATASET_DRIFT.name, "Scores of metrics trained on the other corpus were not released."),
    Reason(
        openmeva.BY_ERROR_TYPE.name,
        "The error types of MANS were not released, only the ratings.",
        columns=("Rept", "Unrel", "Conf", "Chao"),
    ),
    Reason(
        openmeva.CORRELATIONS.name,
        "METEOR depends on its version and its lists of words, and the paper names none: the released scores give "
        ".0543, the metric here another number again.",
        rows=("METEOR",),
    ),
    Reason(
        openmeva.CORRELATIONS.name,
        "Perplexity depends on the model file, and on whether the opening is read along; the released scores (fwppl) "
        "give the printed number to all its digits.",
        rows=("PPL (P)",),
        columns=("ROC",),
    ),
    Reason(openmeva.DATASET_DRIFT.name, "Nothing in a study tells which corpus a metric was trained on.",
           columns=("ROC to WP", "WP to ROC")),
    Reason(
        openmeva.STATISTICS.name,
        "Counted with spaCy's tokenizer, which Fabula does not use.",
        rows=("tokens",),
    ),
    Reason(openmeva.DISCRIMINATION.name, "The perturbed stories and their scores were not released."),
    Reason(openmeva.INVARIANCE.name, "The perturbed stories and their scores were not released."),
    Reason(
        openmeva.DIFFERENCE.name,
        "The windows sort stories by rating, and most ratings are tied: R squared depends on how ties are broken, "
        "which the paper does not say. The Difference page shows its range over ties.",
    ),
    Reason(perception.CORRELATIONS.name, "Neither the systems' texts nor the Turing judgments were released."),
    Reason(perception.ABLATION.name, "Neither the systems' texts nor the Turing judgments were released."),
    Reason(perception.ENDINGS.name, "The written endings were not released."),
    Reason(perception.DATASETS.name, "These are sizes of the corpora, of which a study holds no copy."),
    Reason(
        naturalness.DIFFERENCES.name,
        "The printed 42.79 % and 29.46 % do not follow from the printed means: .051 of .089 is 57.3 %, .080 of .264 is "
        "30.3 %.",
        rows=("Bsumm",),
        columns=("relative",),
    ),
    Reason(naturalness.DIFFERENCES.name, "The summaries of the two systems were not released."),
    Reason(naturalness.FRACTIONS.name, "The summaries of the two systems were not released."),
    Reason(openmeva.BY_SYSTEM.name, _OTHER_TRAINED),
    Reason(openmeva.DATASET_DRIFT.name, _OTHER_TRAINED),
)  # fmt: skip


def reason(table: PublishedTable, row: str, column: str) -> str:
    """The first sentence that is about the cell, "" where none is."""
    return next((one.why for one in REASONS if one.holds(table, row, column)), "")
