"""People's ratings beside a judge's: where on the scale the judge goes wrong."""

from functools import partial

import streamlit as st

from core.analysis.judges.trial import JudgeTrial, Trial, in_cell
from core.analysis.verdict.few_stories import trial_if_claimed
from core.analysis.verdict.judges import of_one_step, on_confusion
from core.analysis.verdict.parts import prompts_behind
from core.figures.judges.trial import confusion
from pages.ui.judges.results import choose_judge
from pages.ui.shared.analysis.finding import say
from pages.ui.shared.analysis.metric_choice import BOX
from pages.ui.shared.analysis.pressed_part import BETWEEN, mark_part, part_stories
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

CELL = "cell"
"""What the address calls the cell that was pressed: people's step and the judge's."""
NOTES = {
    "Same step": "How often the judge's rating, rounded, is people's mean, rounded",
    "Within a step": "How often they are a step apart at most",
    "Quadratic kappa": "Cohen's, a miss weighted by the square of its steps: 1 is full agreement, 0 what chance gives",
    "Off the scale": "Ratings that count as the scale's nearest end",
}


def _cell(shown: View, row: JudgeTrial) -> None:
    """The stories of the cell that the address names, each a press from its text and its ratings."""
    steps = row.confusion.steps
    cells = {f"{people}{BETWEEN}{judge}": (people, judge) for people in steps for judge in steps}
    cell = cells.get(st.query_params.get(CELL, ""))
    if cell is None:
        return
    human, judge = shown.table.human, row.judge.values
    places = in_cell(human, judge, steps, cell).tolist()
    people, judged = (str(step).replace("-", "−") for step in cell)
    said = f"People about {people}, {escaped(row.judge.name)} about {judged}"
    values = {"People": human[places].tolist(), "Judge": judge[places].tolist()}
    part_stories(shown.study.id, shown.table, said, "Stories of the cell", places, values)


def confusion_section(shown: View, trial: Trial) -> None:
    """One judge's table, and the figures of all."""
    with shown.bar or st.container():
        row = choose_judge(trial, BOX)
    if row.confusion.counts.any():
        say(shown, on_confusion(row, prompts_behind(shown.table, row.judge.values)))
        if alike := of_one_step([row.judge], row.confusion.steps):
            st.caption(escaped(alike))
        figure = confusion(row.confusion, row.judge.name, shown.target.title)
        alt = f"People's ratings beside those of {row.judge.name}"
        chart(figure, key="confusion", alt=alt, on_points=partial(mark_part, CELL))
        st.caption(
            "The judge's scores, and people's means, count as the nearest step of the scale. Press a cell for its "
            "stories."
        )
        _cell(shown, row)
        off = row.confusion.off_scale
        if off:
            are = "rating is" if off == 1 else "ratings are"
            st.caption(f"{off:,} {are} off the scale and count as its nearest end.")
    else:
        st.info(f"{escaped(row.judge.name)} and people have rated no story both.")
    judges, too_few = trial_if_claimed(trial.judges, shown.table)
    table(
        "Same ratings",
        [
            {
                "Judge": judged.judge.name,
                "n": judged.n,
                "Same step": judged.confusion.exact,
                **({} if len(judged.confusion.steps) == 2 else {"Within a step": judged.confusion.near}),
                "Quadratic kappa": judged.confusion.kappa,
                "Off the scale": judged.confusion.off_scale,
            }
            for judged in judges
        ],
        notes=NOTES,
    )
    if too_few:
        st.caption(too_few)
    kappas = {judged.judge.name: judged.confusion.kappa.undefined for judged in trial.judges}
    for reason in dict.fromkeys(filter(None, kappas.values())):
        whose = ", ".join(name for name, why in kappas.items() if why == reason)
        st.caption(escaped(f"No kappa of {whose}: {reason}."))
