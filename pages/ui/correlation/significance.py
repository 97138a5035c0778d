"""The Correlation page's tests between metrics: a matrix, clusters in words, one row per pair."""

from typing import Any

import numpy as np
import streamlit as st

from core.analysis.significance.notes import p_note
from core.analysis.significance.tests import (
    LEVEL,
    MOST_KENDALL,
    PairTest,
    Significance,
    default_permutations,
    offered,
    permutations_for_metrics,
)
from core.analysis.verdict.family import Family, family_of
from core.analysis.verdict.few_stories import DISAGREED, no_claim, pairs_if_claimed
from core.analysis.verdict.openings import on_pairs, too_early
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import FEWEST_PROMPTS_CLAIMED
from core.figures.correlation import AXES
from core.figures.significance import matrix
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from core.statistics.permutation.sequential import ENOUGH
from core.wording import meaning
from pages.ui.shared.analysis.family_tests import family_tests
from pages.ui.shared.analysis.finding import agreement, say
from pages.ui.shared.analysis.trained_here import trained_here
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import carried, want_pair
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.tables.no_claim import with_no_claim
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

AS_USUAL = 0
MORE = (1_000, 5_000, 20_000, 100_000)
FORMATS = dict.fromkeys(("p, Williams", "p, permutation", "p, Holm"), P)
NOTES = {
    "Permutations": f"How many decided: a pair is settled once {ENOUGH} of them are as extreme as what was measured, "
    "or at the most that was chosen",
    "Apart": f"Told apart: p, Holm is at most {LEVEL}",
}
HEADINGS = {"p, permutation": "p, perm.", "Permutations": "Drawn"}
"""So that all columns fit a window of 1,280 pixels."""
OF_TESTS = (*FORMATS, "Apart", "Permutations")
"""Columns that only enough stories can carry, whose ratings agree."""
SHARED = (
    "Not all of these metrics have scored the same stories. A difference is over those that both metrics have scored, "
    "a metric's own correlation over all of its stories: so the one need not follow from the other."
)
"""Where what stands on the diagonal, or beside the names, does not add up with the cells."""
EXPLAINED = """
- **Difference**: of the two correlations with people, over the rated stories that both metrics score. Its 95 %
  interval is from draws of whole prompts, the same for both metrics.
- **Williams' test** asks whether two dependent values of Pearson's r are equal. It takes stories as independent and
  scores as normal: quick, and where stories share prompts a little too sure of itself.
- **The permutation test** (PERM-BOTH) standardises both metrics and lets them exchange their scores at random. If they
  are equally good, that changes little; p is how often the difference is then as large as the real one. The stories of
  one prompt are swapped together: they are good or bad for the same reasons, and swapped one by one they would pass for
  more evidence than there is. A pair is settled once 50 permutations have been as extreme as the data. Where the
  corrected p is then near 0.05, up to 200,000 permutations decide, so that the seed does not.
- **Holm** corrects the permutation test for the number of pairs: of 45 pairs that do not differ, two or three would
  have p below 0.05 by chance alone. Every page names these p: which metric is the best is known only after looking.
- **In no test** is a metric with scores of too few of these stories, such as a judge that was tried on a few: fewer
  than half as many as another's. Nor is one that was trained on stories of this study, where others were not.
- **Clusters**: from the best metric down, one that is told apart from any metric of the cluster so far opens the next.
  Metrics of one cluster are not told apart, which does not prove them equal; those of two need not all differ.
"""


def significance_section(shown: View) -> None:
    """Which metrics differ in their agreement with people."""
    family = family_of(shown.table, trained_here(shown))
    left_out = family.left_out(shown.names)
    if len(family.places) < 2:
        st.info(escaped(f"A comparison needs the scores of two metrics or more: run another one. {left_out}"))
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    opening, choices = st.container(), st.container()
    with choices:
        coefficient, permutations = _choices(shown.table, len(family.places))
    every = family_tests(shown, coefficient, permutations)
    agreed = not agreement(shown).disagree
    significance = pairs_if_claimed(every, large=family.large, agreed=agreed)
    tested = agreed and family.large
    if all(row.difference is None for row in significance.rows):
        reasons = dict.fromkeys(row.undefined or "" for row in significance.rows)
        st.info(
            f"No pair of metrics can be compared: {escaped('; '.join(reasons))}. Run another metric, or score more."
        )
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    with opening:
        say(shown, on_pairs(significance) if family.large else _too_early(shown, family))
        chart(matrix(significance), key="significance", alt="Tests of every pair of metrics", on_points=_mark)
        pressed = "Press a cell, or a row of the table, for the pair's scores and the stories on which they part."
        st.caption(escaped(f"{pressed} {left_out if tested else ''}".strip()))
        if significance.on_fewer_stories:
            st.caption(SHARED)
    if tested:
        _clusters(significance)
    elif not agreed:
        st.caption(DISAGREED)
    rows = [_line(row) for row in significance.rows]
    table_with_downloads(
        rows if tested else [{name: cell for name, cell in row.items() if name not in OF_TESTS} for row in rows],
        "Tests of every pair of metrics",
        formats=FORMATS,
        notes=NOTES,
        headings=HEADINGS,
        data_rows=with_no_claim(
            [_line(row) for row in every.rows], [_no_claim(row, family, agreed) for row in every.rows]
        ),
        on_row=lambda row: want_pair(significance.rows[row].a, significance.rows[row].b),
    )
    if note := p_note(significance.rows):
        st.caption(note)
    needed = permutations_for_metrics(len(significance.ranking))
    if tested and significance.settings.permutations < needed:
        st.caption(
            f"With fewer than {needed:,} permutations Holm's correction may tell fewer of "
            f"{len(significance.ranking)} metrics apart, or none. Choose more under "
            "*Permutations, at most*: it takes longer in proportion."
        )
    if any(row.linearised for row in significance.rows):
        st.caption("Of so many stories, intervals and permutations of Spearman's ρ are linearised.")
    with st.expander("What each test asks"):
        st.markdown(EXPLAINED)


def _mark(points: list[dict[str, Any]]) -> None:
    parts = carried(points)
    if parts:
        want_pair(*parts)


def _no_claim(row: PairTest, family: Family, agreed: bool) -> str:
    """Why nothing may be claimed of the pair, in words, for the file that has its p all the same."""
    return no_claim(row.n, FEWEST_PROMPTS_CLAIMED if family.large else 0, agreed=agreed)


def _too_early(shown: View, family: Family) -> str:
    largest = max(
        (shown.table.columns[place].values for place in family.places),
        key=lambda values: int((np.isfinite(values) & np.isfinite(shown.table.human)).sum()),
    )
    stories = int((np.isfinite(largest) & np.isfinite(shown.table.human)).sum())
    return too_early("which metrics differ", stories, prompts_behind(shown.table, largest))


def _choices(table: ScoreTable, metrics: int) -> tuple[str, int | None]:
    coefficients = offered(table)
    left, right = st.columns(2)
    coefficient = left.segmented_control(
        "Coefficient of the tests",
        coefficients,
        format_func=AXES.__getitem__,
        default="pearson",
        required=True,
        key="tested",
        bind="query-params",
        persist_state="session",
        help=meaning(*AXES.values()),
    )
    if "kendall" not in coefficients:
        left.caption(f"Kendall's τ is tested over at most {MOST_KENDALL:,} stories: more pairs of them take too long.")
    first = default_permutations(coefficient, metrics)
    permutations = right.selectbox(
        "Permutations, at most",
        [AS_USUAL, *MORE],
        format_func=lambda n: f"{n:,}" if n else "As usual",
        key="permutations",
        bind="query-params",
        persist_state="session",
        help=f"Usually {first:,} here, and more for pairs whose corrected p is then near {LEVEL:g}. Holm's correction "
        f"of {metrics} metrics needs {permutations_for_metrics(metrics):,}.",
    )
    return coefficient, permutations or None


def _clusters(significance: Significance) -> None:
    if not significance.clusters:
        st.markdown("No clusters: " + escaped(next((r.undefined for r in significance.rows if r.undefined), "")) + ".")
        return
    lines = [f"{n}. {', '.join(map(escaped, cluster))}" for n, cluster in enumerate(significance.clusters, 1)]
    apart, chosen = sum(row.separated for row in significance.rows), significance.settings
    drawn = "" if chosen.near else f"; at most {chosen.permutations:,} permutations"
    st.markdown(
        f"**{apart} of {len(significance.rows)} pairs** are told apart (p at most {LEVEL}, corrected for all of these "
        f"pairs{drawn}), which makes "
        f"**{len(lines)} cluster{'s' if len(lines) > 1 else ''}**, the best first:"
    )
    st.markdown("\n".join(lines))
    if len(lines) > 1:
        st.caption(
            "A metric that is told apart from any of the cluster above it opens the next, so metrics of two clusters, "
            "even neighbours, may not be told apart: the grid above and the table below say which pairs are. Of two "
            "equal differences that of metrics whose scores go together is told sooner."
        )


def _line(row: PairTest) -> dict[str, object]:
    return {
        "A": row.a,
        "B": row.b,
        "n": row.n,
        "A's": row.a_value,
        "B's": row.b_value,
        "Difference": Estimate(row.difference, row.low, row.high, row.undefined),
        "p, Williams": row.williams_p,
        "p, permutation": row.permutation_p,
        "p, Holm": row.p_holm,
        "Apart": "yes" if row.separated else "no",
        "Permutations": row.permutations,
    }
