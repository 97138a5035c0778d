"""What biases each judge: all judges by what their ratings tell, and one with all that is known of it."""

from collections.abc import Collection, Sequence

import numpy as np
import streamlit as st

from core.analysis.judges.bias_table import BiasRow, bias_rows
from core.analysis.judges.biases import Biases
from core.analysis.judges.probed import NOT_RUN, probed_biases
from core.analysis.verdict.few_stories import TOO_FEW, biases_if_claimed, probed_if_claimed
from core.analysis.verdict.judges import on_biases
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import claimed
from core.arrays import Floats
from core.formats.results_csv import ResultRow
from core.people import Person
from core.statistics.intervals import Estimate
from core.wording import meaning
from db.judges import probes
from pages.ui.judges.bias_run import bias_run, bias_runs
from pages.ui.judges.results import biases_of, choose_name
from pages.ui.shared.analysis.finding import say
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

NOTES = {
    "Lenient": "Its mean rating above people's, in points; below 0 it is stricter",
    "r": "Pearson's r with people, over single stories",
    "r, equal length": f"Given the number of words. {meaning('Partial correlation')}",
    "Favours length": "r of the number of words with how far it is above people: above 0 it likes long stories more "
    "than people do, or lacks their liking of short ones",
    "r, length": "r of the number of words with its own ratings of the same stories",
    "Own family": "How much more it is above people on stories of systems that have its name than on the others, "
    "in points",
    "Between wordings": "How far the variants of its prompt are apart on a story, in points",
}
OF_ONE = {
    "Figure": "In the unit beside it: what is measured stands in the last column",
    "Share": "Of pairs of ratings, or of stories: of which, stands in the last column",
    "n": "Pairs of a story as it is and changed; of wordings, stories",
    "Without": "Pairs without a rating, because a reply could not be read",
}


def biases_section(viewer: Person, shown: View) -> None:
    """The tables of the judges there are, and below them the run that measures more."""
    probed = probes.probed(shown.study.id)
    found = biases_of(shown, tuple(probed))
    if found.rows:
        enough = {row.judge.name for row in found.rows if _enough(shown, row.judge.values)}
        say(shown, on_biases(found.rows, enough))
        drawn, too_few = biases_if_claimed(found, shown.table)
        _all_judges(drawn, shown.table.rated, too_few)
        _one_judge(shown, drawn, probed)
    bias_run(viewer, shown)
    bias_runs(viewer, shown.study.id)


def _enough(shown: View, values: Floats) -> bool:
    """Whether so many stories with people's ratings have this judge's that something can be claimed of it."""
    both = np.isfinite(values) & np.isfinite(shown.table.human)
    return claimed(int(both.sum()), prompts_behind(shown.table, values))


def _all_judges(found: Biases, rated: int, too_few: str) -> None:
    rows = [
        {
            "Judge": row.judge.name,
            "Lenient": row.lenient,
            "r": row.pooled,
            "r, equal length": row.equal_length,
            "Favours length": row.longer,
            "r, length": row.length,
            "Own family": row.family,
            "Between wordings": row.wordings,
        }
        for row in found.rows
    ]
    idle = _idle(rows, ("Own family", "Between wordings"))
    table_with_downloads(
        _without(rows, idle),
        "Biases",
        formats=dict.fromkeys(NOTES, "%.2f"),
        notes=NOTES,
        data_rows=rows,
        beside=True,
    )
    st.caption(
        "What ratings alone tell. Intervals are 95 %, from draws of whole prompts; where one holds 0, nothing shows "
        "that the judge is lenient or strict, or favours length or its family."
    )
    for name in idle:
        reasons = dict.fromkeys(cell.undefined for row in rows if isinstance(cell := row[name], Estimate))
        st.caption(escaped(f"{name} is undefined: {'; '.join(filter(None, reasons))}."))
    if too_few:
        st.caption(too_few)
    with st.container(horizontal=True, gap="medium"):
        st.metric(
            f"r of the number of words, of all {rated:,} rated stories",
            found.words.shown(),
            width="content",
            help="What the length of a story alone reaches with people. A judge that does not pass it on the same "
            "stories may have learnt nothing else.",
        )
        st.metric(
            "Points between judges",
            found.between_judges.shown(),
            width="content",
            help="How far judges are apart on a story, each the mean of its wordings. Where wordings are as far apart, "
            "the prompt decides as much as the judge.",
        )
    kin = {row.judge.judge: row.relatives for row in found.rows if row.relatives}
    for judge, systems in kin.items():
        st.caption(escaped(f"Of the family of {judge} by name: {', '.join(systems)}."))


def _one_judge(shown: View, found: Biases, probed: probes.Probed) -> None:
    """All biases of the judge that is chosen."""
    st.header("All biases of a judge")
    row = found.rows[choose_name([row.judge.name for row in found.rows])]
    by_signature = {text: checks for (_, text), checks in probed.items()}
    measured = probed_biases(row.judge, by_signature, seed=shown.seed, resamples=shown.resamples)
    drawn = probed_if_claimed(measured)
    rows = bias_rows(row, drawn)
    cells = [_cells(one) for one in rows]
    shown_cells = _without(cells, _idle(cells, ("Share", "n", "Without")))
    table("All biases of a judge", shown_cells, {"Share": "percent", "n": "%d"}, OF_ONE)
    if measured.undefined == NOT_RUN:
        st.info(
            "This judge has not been asked again. Whether it repeats itself, minds other wordings, obeys a story and "
            "sees damage is measured below; what was replied before is not asked again."
        )
    elif measured.undefined:
        st.info(
            "Its ratings were imported, so there is no model here to ask again. Run the same model below, on this "
            "machine or on a server, to measure the rest."
        )
    else:
        st.caption(f"Measured on {measured.stories:,} stories; intervals are 95 %, from draws of whole prompts.")
        if drawn != measured:
            st.caption(TOO_FEW)


def _idle(rows: Sequence[ResultRow], names: Sequence[str]) -> list[str]:
    """Those of these columns that have no number."""
    cells = {name: [row[name] for row in rows] for name in names}
    numbers = {name: [cell.value if isinstance(cell, Estimate) else cell for cell in of] for name, of in cells.items()}
    return [name for name, of in numbers.items() if all(number is None for number in of)]


def _without(rows: Sequence[ResultRow], columns: Collection[str]) -> list[ResultRow]:
    return [{name: cell for name, cell in row.items() if name not in columns} for row in rows]


def _cells(row: BiasRow) -> ResultRow:
    return {
        "Bias": row.bias,
        "Of": row.variant or "all",
        "Figure": row.figure,
        "Unit": row.unit,
        "Share": row.share,
        "n": row.n,
        "Without": row.unread or None,
        "What it is": row.means,
    }
