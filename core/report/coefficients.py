"""The table of a metric's coefficients with people, and what its two p mean."""

from core.analysis.verdict.few_stories import why_unclaimed
from core.analysis.verdict.sentences import claimed
from core.formats.results_csv import AtMost, ResultRow
from core.statistics.correlation import Coefficient, Correlation
from core.statistics.intervals import Estimate
from core.wording import p_digits

COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}


def two_ps(draws: int) -> str:
    """What the two columns with a p are, and how small the second can be with so many draws."""
    return (
        f"p takes stories as independent; p by prompt comes from {draws:,} draws of whole prompts and is never below "
        f"{p_digits(2 / (draws + 1))}."
    )


def about_p(draws: int, n: int, prompts: int, *, agreed: bool = True) -> str:
    """The same of one correlation over `n` stories of `prompts` prompts; why it has none where they are too few, or
    their ratings have not `agreed`.
    """
    return why_unclaimed(few=not claimed(n, prompts), agreed=agreed) or two_ps(draws)


def p_by_prompt(c: Coefficient) -> float | None:
    """Marked where no draw lies beyond 0, as the Correlation page marks it."""
    return AtMost(c.p_cluster) if c.at_most and c.p_cluster is not None else c.p_cluster


def coefficient_rows(correlation: Correlation) -> tuple[ResultRow, ...]:
    """A row a coefficient."""
    rows: list[ResultRow] = []
    for name, title in COEFFICIENTS.items():
        c: Coefficient = getattr(correlation, name)
        rows.append(
            {
                "Coefficient": title,
                "Correlation": Estimate(c.value, c.low, c.high),
                "p < 0.01": "*" if c.starred else "",
                "p": c.p,
                "p by prompt": p_by_prompt(c),
                "n": correlation.n,
            }
        )
    return tuple(rows)
