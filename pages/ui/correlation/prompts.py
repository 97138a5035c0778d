"""The average of the correlations within prompts."""

import streamlit as st

from core.analysis.correlation.metric_order import places_by
from core.analysis.verdict.few_stories import only_claimed
from core.analysis.verdict.openings import on_pairs_within, too_early, with_ends
from core.analysis.verdict.sentences import claimed
from core.statistics.correlation import NAMES, Correlation
from core.statistics.ties import UNCALIBRATED
from core.wording import TERMS, so_many
from pages.ui.correlation.rows import SYMBOLS, data_rows, ends, latex_caption, share, starred
from pages.ui.correlation.scatter import show_scatter
from pages.ui.shared.analysis.correlations import prompts
from pages.ui.shared.analysis.finding import agreement, say_of, verdict
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.column_notes import ACC_EQ
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.shared.text import escaped


def within_prompts(shown: View) -> None:
    """One row per metric, by the mean of Pearson's r: means over prompts, and how many prompts they count."""
    every = prompts(shown.key, shown.table, shown.seed, shown.resamples)
    order = places_by([mean.correlation.pearson.value for mean in every])
    means, called = [every[place] for place in order], [shown.names[place] for place in order]
    counted = [mean.correlation.prompts or (0, 0) for mean in means]
    if not any(number for number, _ in counted):
        st.info(
            f"No average within prompts: {escaped(means[0].correlation.undefined or '')}. Import stories of more "
            "systems for the same prompts, or have more of them rated."
        )
        return
    agreed = not agreement(shown).disagree
    if means[0].correlation.pearson.value is not None and agreed:
        _say(called[0], means[0].correlation, counted[0][0])
    rows = []
    printed, too_few = only_claimed(means, [number for number, _ in counted], agreed=agreed)
    for correlation, name, (number, of) in zip(printed, called, counted, strict=True):
        c = correlation.correlation
        row: dict[str, object] = {"Metric": name, "Prompts": f"{number:,} of {of:,}", "n": c.n}
        row |= {f"Mean {SYMBOLS[other]}": starred(getattr(c, other)) for other in NAMES}
        row |= {f"95 % of mean {SYMBOLS['pearson']}": ends(c.pearson)}  # by which the rows stand
        calibrated = c.ties or UNCALIBRATED
        row |= {ACC_EQ: share(calibrated.accuracy), "ε": calibrated.epsilon}
        row |= {"Pairs right": share(c.pairwise.accuracy), "By chance": share(c.pairwise.chance)}
        row |= {f"95 % of mean {SYMBOLS[other]}": ends(getattr(c, other)) for other in NAMES if other != "pearson"}
        rows.append(row)
    table_with_downloads(
        rows,
        "Within prompts",
        latex_caption(
            shown,
            f"means over prompts of the correlations of each metric with the {shown.table.judgment}{shown.table.on}, "
            "within each prompt",
            agreed=agreed,
            why=too_few,
        ),
        data_rows=data_rows(means, called, [number for number, _ in counted], agreed=agreed),
        on_row=lambda row: show_scatter(called[row]),
    )
    shares = [(mean.correlation.ties or UNCALIBRATED).accuracy for mean in means]
    if agreed and (by_pairs := on_pairs_within(called, shares)):
        st.markdown(escaped(by_pairs))
    st.caption(
        "The mean of the coefficients of single prompts, each prompt once: does the metric tell the better "
        "of the stories for one prompt? A prompt counts where three or more of its stories have scores and ratings "
        "that differ. These coefficients are of few stories each, so only their mean says anything. Pairs as people "
        "(acc_eq): the share of a prompt's pairs that the metric orders as people do, or calls a tie as they do; "
        "scores at most ε apart are a tie, and ε is the best on the other half of the prompts (Deutsch et al. 2023). "
        f"“Pairs right” has ε = 0. By chance: {TERMS['By chance']} Press a row for the metric's scores story by story."
        + (f" {too_few}" if too_few else "")
    )


def _say(metric: str, mean: Correlation, prompts: int) -> None:
    """How far the best metric orders the stories of a prompt as people do. `prompts`: how many its mean counts."""
    if not claimed(mean.n, prompts):
        verdict(escaped(too_early("which metric orders a prompt's stories as people do", mean.n, prompts)))
        return
    say_of(
        metric,
        f"Within a prompt it orders stories most like people: mean r {with_ends(mean.pearson)} over "
        f"{so_many(prompts, 'prompt')}.",
    )
