"""Help for columns that many tables have: shown under the question marks of their headings."""

from collections.abc import Mapping

from core.figures.correlation import AXES
from core.wording import meaning

INTERVAL = "95 %"
"""How headings of intervals begin."""
P_OF_SYSTEMS = "How easily so few systems would agree so well by chance; takes systems as independent"
"""Of p over the means of systems, whatever table it stands in."""
ACC_EQ = "Pairs as people"
_TERMS = {
    "r": "Pearson's r",
    "ρ": "Spearman's ρ",
    "τ-b": "Kendall's τ-b",
    "Mean r": "Pearson's r",
    "Mean ρ": "Spearman's ρ",
    "Mean τ": "Kendall's τ-b",
    "Alpha": "Krippendorff's alpha",
    "Level": "Level of measurement",
    "Soft pairs": "Soft pairwise accuracy",
    "p, Holm": "Holm's correction",
    "p, permutation": "Permutation test",
    ACC_EQ: "acc_eq",
    **{name: name for name in (*AXES.values(), "ICC(1,k)", "Kappa", "Pairs right", "By chance", "ε", "AUC", "p")},
}
"""Column -> the term that it is a number of."""
NOTES = {
    "n": "Stories with a score and a rating",
    "Undefined": "Why figures of the row are missing",
    **{column: meaning(term) for column, term in _TERMS.items()},
}


def note_of(column: str, notes: Mapping[str, str]) -> str | None:
    """What stands under a column's question mark, if anything; `notes`: of its own table, which come first."""
    usual = meaning("Interval") if column.startswith(INTERVAL) else None
    return notes.get(column, NOTES.get(column, usual))
