"""Pearson's r with system and length held constant: how much agreement is knowing the system, or counting words."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.analysis.correlation.partial import PartialCorrelation
from core.analysis.significance.tests import LEVEL
from core.analysis.verdict.few_stories import if_claimed, no_claim, pair_if_claimed, why_unclaimed
from core.analysis.verdict.finding import short
from core.analysis.verdict.openings import on_held_equal
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import claimed
from core.metrics.sentinels import Words
from core.scores import IMPORTED
from core.statistics.correlation import Coefficient
from core.statistics.intervals import UNDEFINED, Estimate
from core.wording import meaning
from pages.ui.correlation.scatter import show_scatter
from pages.ui.shared.analysis.correlations import beside_length, length_alone, with_equal
from pages.ui.shared.analysis.finding import agreement, say
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.shared.tables.no_claim import with_no_claim
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

PARTS = {
    "pooled": "All stories",
    "within_systems": "Within systems",
    "equal_length": "At equal length",
    "both": "Both",
}
LENGTH = "number of words"
P_BEYOND = "p, length"
"""Of the test of a metric against the number of words."""


def systems_and_length(shown: View) -> None:
    """One row per metric, and one for the number of words where no metric is; pooled, and with each held equal."""
    columns = shown.table.columns
    partials = with_equal(shown.key, shown.table, shown.seed, shown.resamples)
    tests = beside_length(shown.key, shown.table, shown.seed)
    words = length_alone(shown.key, shown.table, shown.seed, shown.resamples)
    behind = [prompts_behind(shown.table, column.values) for column in columns]
    agreed = not agreement(shown).disagree
    say(shown, on_held_equal(shown.names, partials, behind))
    rows: list[dict[str, object]] = []
    data: list[dict[str, object]] = []
    reasons_of: list[str] = []
    for name, partial, test, prompts in zip(shown.names, partials, tests, behind, strict=True):
        held = {title: getattr(partial, field) for field, title in PARTS.items()}
        row: dict[str, object] = {"Metric": name, "n": partial.n}
        row |= {title: _cell(if_claimed(part.r, partial.n, prompts, agreed=agreed)) for title, part in held.items()}
        beyond = _ends(partial.beyond_words)
        row["More than length by"] = beyond if claimed(partial.n, prompts) else UNDEFINED
        row[P_BEYOND] = pair_if_claimed(test, prompts, agreed=agreed).permutation_p
        rows.append(row)
        reasons_of.append(no_claim(partial.n, prompts, agreed=agreed))
        data.append(
            {"metric": name, "n": partial.n}
            | {title: _estimate(part) for title, part in held.items()}
            | {"pooled less within systems": partial.between, "more than length by": partial.beyond_words}
            | {"p of more than length": test.permutation_p}
        )
    if not any(column.metric == Words.name and not column.signature.startswith(IMPORTED) for column in columns):
        prompts = prompts_behind(shown.table, shown.table.words.astype(np.float64))
        rows.append(_alone(if_claimed(words.pearson, words.n, prompts, agreed=agreed), words.n))
        alone = PartialCorrelation(words.pearson, words.undefined)
        reasons_of.append(no_claim(words.n, prompts, agreed=agreed))
        data.append({"metric": LENGTH, "n": words.n, PARTS["pooled"]: _estimate(alone)})
    notes = {PARTS["equal_length"]: meaning("Partial correlation"), P_BEYOND: meaning("Permutation test")}
    table_with_downloads(
        rows,
        "Systems and length",
        formats={P_BEYOND: P},
        notes=notes,
        data_rows=with_no_claim(data, reasons_of),
        on_row=lambda row: _show(shown.names, row),
    )
    few = not all(claimed(partial.n, of) for partial, of in zip(partials, behind, strict=True))
    reasons = dict.fromkeys(
        part.undefined for item in partials for part in (item.within_systems, item.equal_length, item.both)
    )
    st.caption(
        "Pearson's r and its 95 % interval, of all stories and with something held equal. Within systems: deviations "
        "of scores and ratings from the means of the story's system, so that nothing is won by knowing which system "
        "wrote it. At equal length: the partial correlation given the number of words. Both: both at once. More than "
        f"length by: the 95 % interval of how much larger r is than that of the {LENGTH} alone, with both turned to "
        "rise with the ratings. Whether it is larger is decided by the paired permutation test of the two, as between "
        f"any two metrics: where p is above {LEVEL:g}, the metric may be no better than counting words, even if the "
        "interval leaves out 0. "
        + ("\\* p < 0.01, with stories taken as independent. " if agreed else "")
        + f"Press a metric's row for its scores story by story. {why_unclaimed(few=few, agreed=agreed)}"
        + "".join(f" A dash: {escaped(reason)}." for reason in reasons if reason)
    )


def _show(names: Sequence[str], row: int) -> None:
    """Show the metric's stories as points when the page is drawn next; the number of words, last, has no plot."""
    if row < len(names):
        show_scatter(names[row])


def _alone(r: Coefficient, n: int) -> dict[str, object]:
    return {"Metric": LENGTH, "n": n, PARTS["pooled"]: _cell(r)}


def _cell(r: Coefficient) -> str:
    """With its interval, so that all of a row fits in beside the menu."""
    if r.value is None:
        return UNDEFINED
    return f"{short(r.value)}{'*' if r.starred else ''}" + ("" if r.low is None else f" ({_ends(r)})")


def _ends(of: Coefficient | Estimate) -> str:
    """As sentences have them: an end beside 0 shows on which side it lies."""
    return UNDEFINED if of.low is None or of.high is None else f"{short(of.low)} to {short(of.high)}"


def _estimate(part: PartialCorrelation) -> Estimate:
    return Estimate(part.r.value, part.r.low, part.r.high, part.undefined)
