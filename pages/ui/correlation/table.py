"""The table of correlations, as the papers print it, with the chart above it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.analysis.correlation.metric_order import places_by
from core.analysis.verdict.few_stories import no_claim, only_claimed
from core.analysis.verdict.finding import Finding
from core.analysis.verdict.grade import Graded
from core.analysis.verdict.openings import on_pairs_right
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED
from core.figures.correlation import AXES, by_metric
from core.figures.data import figure_rows
from core.judges.naming import so_many_metrics
from core.scores import judgment_of
from core.statistics.correlation import NAMES, Correlation, MetricCorrelation
from core.wording import TERMS
from pages.ui.correlation.rows import SYMBOLS, data_rows, ends, latex_caption, p_value, share, starred
from pages.ui.correlation.scatter import show_scatter
from pages.ui.shared.analysis.correlations import overall, people
from pages.ui.shared.analysis.degenerate_note import degenerate_note, without_degenerate
from pages.ui.shared.analysis.finding import agreement, finding_of, grade_of_finding, say_finding, say_grade
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.pair_link import pair_link
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.tables.no_claim import with_no_claim
from pages.ui.shared.text import escaped

MOST_DRAWN = 30
"""Metrics of the figure, the best, where nobody asks for all: a screen and a half."""
STARS = "\\* p < 0.01, which takes stories as independent, as the papers do. p by prompt takes prompts so. "
LINEARISED = (
    " Intervals of ρ and τ are linearised: with so many stories, each one's influence on the coefficient is added up "
    "over the drawn prompts, instead of ranking all of them anew."
)


def correlations(shown: View, coefficient: str) -> None:
    """A dot and one row per metric over all stories, in the order of this coefficient."""
    found, grade = _headline(shown, coefficient)
    every = overall(shown.key, shown.table, shown.seed, shown.resamples)
    behind = [prompts_behind(shown.table, column.values) for column in shown.table.columns]
    agreed = not agreement(shown).disagree
    metrics, too_few = only_claimed(every, behind, agreed=agreed)
    results = [metric.correlation for metric in metrics]
    order = places_by([getattr(c, coefficient).value for c in results])
    reasons = [no_claim(c.n, number, agreed=agreed) for c, number in zip(results, behind, strict=True)]
    _draw(shown, coefficient, [metrics[place] for place in order], [reasons[place] for place in order])
    say_grade(grade)
    pair_link(shown.names, found.leading if found is not None else shown.names[0])
    if found is not None:
        degenerate_note(shown, found.best, told=bool(without_degenerate(shown, found)))
    symbol = SYMBOLS[coefficient]
    lacking = any(c.undefined for c in results)
    rows = []
    for place in order:
        metric, c, name = metrics[place], results[place], shown.names[place]
        chosen = getattr(c, coefficient)
        row: dict[str, object] = {"Metric": name, "n": c.n}
        row |= {AXES[other].split()[-1]: starred(getattr(c, other)) for other in NAMES}
        row |= {
            f"95 % of {symbol}": ends(chosen),
            "Pairs right": share(c.pairwise.accuracy),
            "By chance": share(c.pairwise.chance),
            "p": p_value(chosen.p),
            "p by prompt": p_value(chosen.p_cluster, at_most=chosen.at_most),
            "Metric ties": share(_tied(c.pairwise.tied_metric + c.pairwise.tied_both, c.pairwise.pairs)),
            "Rating ties": share(_tied(c.pairwise.tied_human + c.pairwise.tied_both, c.pairwise.pairs)),
            "Signature": metric.signature,
        }
        rows.append(row | {"Undefined": c.undefined or ""} if lacking else row)
    notes = {
        "p": f"Of {symbol}. Takes stories as independent, as the papers do",
        "p by prompt": f"Of {symbol}. From {shown.resamples:,} draws of whole prompts; ≤: none beyond 0",
        "Metric ties": "The share of all pairs of stories that the metric ties",
        "Rating ties": "The share of all pairs of stories that people's mean ratings tie",
    }
    what = f"correlation of each metric with the {shown.table.judgment}{shown.table.on}"
    table_with_downloads(
        rows,
        "Correlations",
        latex_caption(shown, what, agreed=agreed, why=too_few),
        notes=notes,
        data_rows=data_rows(
            [every[place] for place in order],
            [shown.names[place] for place in order],
            [behind[place] for place in order],
            agreed=agreed,
        ),
        on_row=lambda row: show_scatter(shown.names[order[row]]),
    )
    pairs = {name: c.pairwise for name, c in zip(shown.names, results, strict=True)}
    if found is not None and agreed and (contradiction := on_pairs_right(found.best, pairs)):
        st.caption(escaped(contradiction))
    st.caption(_how_to_read(results, too_few, agreed=agreed))


def _how_to_read(results: Sequence[Correlation], too_few: str, *, agreed: bool) -> str:
    """What the table shows. `too_few`: why some have no star."""
    missing = dict.fromkeys(c.no_interval for c in results if c.no_interval)
    return (
        (f"{too_few} " if too_few else "")
        + (STARS if agreed else "")
        + f"Pairs right: {TERMS['Pairs right']} By chance: {TERMS['By chance']}"
        + (LINEARISED if any(c.linearised for c in results) else "")
        + "".join(f" No interval: {reason}." for reason in missing)
    )


def _headline(shown: View, coefficient: str) -> tuple[Finding | None, Graded | None]:
    """Say what is found by Pearson's r, as everywhere, and which metric comes first by the coefficient of ranks that is
    pressed, else by Spearman's ρ.
    """
    found = finding_of(shown)
    if found is None:
        return None, None
    grade = grade_of_finding(shown, found)
    ranks = "kendall" if coefficient == "kendall" else "spearman"
    # The figure begins high up: of the order of systems the page Systems speaks, and Overview; of a sign Overview.
    others = {name: number for name, number in found.negated.items() if name != found.best}
    over_stories = replace(found, systems=None, negated=others)
    say_finding(
        over_stories,
        grade,
        ranks,
        without_degenerate(shown, found),
        shown.table.criterion,
        chosen=coefficient != "pearson",
    )
    return found, grade


def _draw(shown: View, coefficient: str, metrics: Sequence[MetricCorrelation], reasons: Sequence[str]) -> None:
    """The chart, and what it shows. `reasons`: why nothing may be claimed of each metric, for the file of its data."""
    lines = people(shown.key, coefficient, shown.table, shown.seed)
    drawn = metrics
    if len(metrics) > MOST_DRAWN and not st.toggle(
        f"Draw all {so_many_metrics([one.metric for one in metrics])}", key="every-metric", bind="query-params"
    ):
        drawn = metrics[:MOST_DRAWN]
    figure = by_metric(drawn, coefficient, lines)
    dots = [
        reason
        for metric, reason in zip(drawn, reasons, strict=False)  # the first of them
        if getattr(metric.correlation, coefficient).value is not None
    ]
    chart(
        figure,
        key="by_metric",
        alt="Correlation of each metric with people",
        data_rows=lambda: with_no_claim(figure_rows(figure), dots[::-1]),  # as they are drawn, from the bottom
        on_points=_mark,
    )
    st.caption(
        f"Dot: the correlation of a metric's raw scores with the {judgment_of(shown.table.judgment, 'each story')}, "
        "filled where its interval does not hold 0. Line: the 95 % interval, from draws of whole prompts; none of "
        f"fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts. "
        + (
            "One human rater and the ceiling are not drawn: of ratings that do not agree, or came as means, neither is "
            "known."
            if lines.caution
            else "One human rater: one rating of a story against the mean of its others; a metric may reach more. "
            "Ceiling: what a perfect metric could reach against ratings as noisy as these; it is known for Pearson's r "
            "only."
        )
        + " Press a dot, or a row of the table, for the metric's scores story by story."
    )


def _mark(points: list[dict[str, Any]]) -> None:
    for metric in carried(points)[:1]:
        show_scatter(metric)


def _tied(ties: int, pairs: int) -> float | None:
    return ties / pairs if pairs else None
