"""People's ratings beside a judge's: where on the scale the judge goes wrong."""

from functools import partial
from typing import Any

import streamlit as st

from core.analysis.judges.trial import JudgeTrial, Trial, in_cell
from core.analysis.verdict.judges import on_confusion
from core.analysis.verdict.parts import prompts_behind
from core.figures.judges.trial import confusion
from pages.ui.judges.results import choose_judge
from pages.ui.shared.analysis.finding import say
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.story_drawer import open_row
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

CELL, BETWEEN = "cell", ","
"""What the address calls the cell that was pressed, and what stands between people's step and the judge's."""
NOTES = {
    "Same step": "How often the judge's rating, rounded, is people's mean, rounded",
    "Within a step": "How often they are a step apart at most",
    "Kappa": "Cohen's, with quadratic weights: 1 is full agreement, 0 what chance gives",
    "Off the scale": "Ratings that count as the scale's nearest end",
}


def _mark(points: list[dict[str, Any]]) -> None:
    """Put the cell that was pressed into the address; where it is pressed again, take it out."""
    if len(points) == 1:
        st.query_params[CELL] = BETWEEN.join(points[0]["customdata"])
    else:
        st.query_params.pop(CELL, None)


def _cell(shown: View, row: JudgeTrial) -> None:
    """The stories of the cell that the address names, each a press from its text and its ratings."""
    steps = row.confusion.steps
    cells = {f"{people}{BETWEEN}{judge}": (people, judge) for people in steps for judge in steps}
    cell = cells.get(st.query_params.get(CELL, ""))
    if cell is None:
        return
    human, judge, keys = shown.table.human, row.judge.values, shown.table.keys
    places = in_cell(human, judge, steps, cell).tolist()
    said = f"People about {cell[0]}, {escaped(row.judge.name)} about {cell[1]}".replace("-", "−")
    st.markdown(f"**{said}: {len(places):,} stor{'y' if len(places) == 1 else 'ies'}**")
    if places:
        table(
            "Stories of the cell",
            [
                {
                    "Story": keys[place],
                    "System": shown.table.systems[place],
                    "People": float(human[place]),
                    "Judge": float(judge[place]),
                }
                for place in places
            ],
            on_row=partial(open_row, [keys[place] for place in places]),
        )


def confusion_section(shown: View, trial: Trial) -> None:
    """One judge's table, and the figures of all."""
    row = choose_judge(trial)
    if row.confusion.counts.any():
        say(shown, on_confusion(row, prompts_behind(shown.table, row.judge.values)))
        figure = confusion(row.confusion, row.judge.name, shown.target.title)
        alt = f"People's ratings beside those of {row.judge.name}"
        chart(figure, key="confusion", alt=alt, on_points=_mark)
        st.caption("Press a cell for its stories.")
        _cell(shown, row)
        off = row.confusion.off_scale
        if off:
            are = "rating is" if off == 1 else "ratings are"
            st.caption(f"{off:,} {are} off the scale and count as its nearest end.")
    else:
        st.info(f"{escaped(row.judge.name)} and people have rated no story both.")
    table(
        "Same ratings",
        [
            {
                "Judge": one.judge.name,
                "n": one.n,
                "Same step": one.confusion.exact,
                "Within a step": one.confusion.near,
                "Kappa": one.confusion.kappa,
                "Off the scale": one.confusion.off_scale,
            }
            for one in trial.judges
        ],
        notes=NOTES,
    )
