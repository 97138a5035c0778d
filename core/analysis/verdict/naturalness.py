"""The sentence that opens the analysis of naturalness."""

from collections.abc import Sequence

from core.analysis.naturalness.corpora import SystemComparison
from core.analysis.significance.tests import LEVEL
from core.analysis.verdict.finding import listed
from core.analysis.verdict.sentences import FEWEST_CLAIMED


def on_fp(discriminator: str, comparisons: Sequence[SystemComparison]) -> str | None:
    """Whether systems' texts have another mean Fp than people's, by p corrected for all comparisons; None where none
    is defined. `discriminator`: its name; `comparisons`: by it alone.
    """
    known = [row for row in comparisons if row.p_holm is not None and row.difference.value is not None]
    if not known:
        return None
    large = [row for row in known if min(row.unpaired.human, row.unpaired.machine) >= FEWEST_CLAIMED]
    if not large:
        return (
            f"It is too early to say whether machine texts look other than human ones to {discriminator}: a claim "
            f"takes {FEWEST_CLAIMED} texts of either side."
        )
    apart = [row for row in large if row.p_holm is not None and row.p_holm <= LEVEL]
    higher = [row.system for row in apart if (row.difference.value or 0.0) > 0]
    lower = [row.system for row in apart if (row.difference.value or 0.0) < 0]
    rest = [row.system for row in large if row not in apart]
    if not apart:
        return f"To {discriminator} nothing shows that texts of {listed(rest, str)} look other than human ones."
    parts = [f"texts of {listed(higher, str)} look more predictable than human ones"] if higher else []
    parts += [f"texts of {listed(lower, str)} less predictable"] if lower and higher else []
    parts += [f"texts of {listed(lower, str)} look less predictable than human ones"] if lower and not higher else []
    parts += [f"of {listed(rest, str)} no difference is shown"] if rest else []
    return f"To {discriminator} {'; '.join(parts)}."
