"""Thresholds, the ROC curve, and the h, m and u scores beside people's."""

import numpy as np
import streamlit as st

from core.analysis.naturalness.corpora import Discriminator
from core.analysis.naturalness.discrimination import Classes, Discrimination, discriminate
from core.analysis.naturalness.thresholds import ThresholdRule
from core.analysis.verdict.naturalness import few_behind, too_early_to_tell_apart
from core.annotation.studies import Study
from core.figures.naturalness import HUMAN, MOST, class_shares, roc_curves
from core.statistics.intervals import Estimate
from core.statistics.roc import Roc, roc
from pages.ui.naturalness.human_judgments import agreement, caution, people_shares
from pages.ui.naturalness.measurements import Measurements
from pages.ui.naturalness.sides import NaturalnessSample, Sides, discriminator_box
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.tables.downloads import chart, interval
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped, notice

RULES = {ThresholdRule.SEARCH: "Searched for", ThresholdRule.MOMENTS: "Means and variances"}
ABOUT = """
A text is **h** (human) if its Fp is below the threshold, else **m** (machine); with two thresholds it is **u**
(unknown) between them, and u counts in the denominator (equations 2 to 4 of the paper).

- **Searched for**: one threshold with the highest balanced accuracy; two that leave the fewest texts unknown while the
  wanted share of the decided ones is right. Both sides weigh the same, however many texts they have.
- **Means and variances**, the paper's way, which it does not spell out. One: where two normal densities with the
  means and variances of the two sides cross. Two: one SD from the means: h below what machine text usually reaches, m
  from what human text usually stays under.
- All shares and accuracies are of **held-out** texts: the documents are dealt into ten parts, and each part is judged
  by thresholds found on the other nine. Intervals are Wilson's for these fixed judgments, with fewer texts to the count
  where texts of one document are judged alike; they leave out how the thresholds themselves would move with other
  texts, which the range over the parts shows.
"""


@st.cache_data(max_entries=8, show_spinner="Looking for thresholds")
def _judged(
    key: tuple[object, ...],
    by: Discriminator,
    rule: ThresholdRule,
    number: int,
    wanted: float,
    _found: Measurements,
    seed: int,
) -> Discrimination:
    about = _found.about
    return discriminate(
        _found.reading(by).fp, about.systems, about.numbers, rule=rule, number=number, wanted=wanted, seed=seed
    )


@st.cache_data(max_entries=8, show_spinner=False)
def _curves(key: tuple[object, ...], by: Discriminator, _found: Measurements) -> dict[str, Roc]:
    fp, about = _found.reading(by).fp, _found.about
    places = {name: about.of(name)[np.isfinite(fp[about.of(name)])] for name in (None, *about.names)}
    human = places[None]
    return {
        name: roc(fp[human], fp[places[name]], about.numbers[human], about.numbers[places[name]])
        for name in about.names
    }


def thresholds_section(study: Study, measured: Measurements, sample: NaturalnessSample, sides: Sides) -> None:
    """The choices, what they give, and people's judgment of the same texts."""
    by = discriminator_box(sample)
    caution(study, measured, sample.seed)
    left, middle, right = st.columns([1, 2, 1])
    with left:
        number = int(
            st.segmented_control("Thresholds", ["1", "2"], default="1", required=True, key="cuts", bind="query-params")
        )
    with middle:
        rule = ThresholdRule(
            st.segmented_control(
                "Found",
                [rule.value for rule in ThresholdRule][::-1],
                default=ThresholdRule.SEARCH.value,
                required=True,
                format_func=lambda item: RULES[ThresholdRule(item)],
                key="rule",
                bind="query-params",
            )
        )
    wanted = 90
    if number == 2 and rule is ThresholdRule.SEARCH:
        with right:
            wanted = int(st.number_input("Accuracy on the decided, %", 51, 99, 90, key="accuracy", bind="query-params"))
    judged = _judged(measured.key, by, rule, number, wanted / 100, measured, sample.seed)
    curves = _curves(measured.key, by, measured)
    if judged.human is not None and judged.machine is not None:
        early = too_early_to_tell_apart(sample.names[by], judged.human.n, judged.machine.n)
        if early:
            verdict(escaped(early))
            st.caption(f"On these few: {_said(judged)}")
        else:
            verdict(f"By {escaped(sample.names[by])}: {_said(judged)}")
    chart(
        roc_curves(dict(list(curves.items())[:MOST]), sample.names[by]),
        key="roc",
        alt="ROC curves of Fp by system",
    )
    if judged.undefined:
        notice(f"No thresholds: {judged.undefined}.")
    else:
        _shares(study, measured, sample, by, judged, curves, sides)
    with st.expander("How thresholds are found, and what is held out", icon=":material/help:"):
        st.markdown(ABOUT)
    if not judged.undefined:
        agreement(study, measured, by)


def _said(judged: Discrimination) -> str:
    values = " and ".join(f"**{value:.3f}**" for value in judged.thresholds)
    ranges = ", ".join(interval(low, high) for low, high in zip(judged.lowest, judged.highest, strict=True))
    estimate = judged.accuracy
    ends = "" if estimate.low is None else f" ({interval(estimate.low, estimate.high)})"
    accuracy = "no text is decided" if estimate.value is None else f"**{estimate.value:.3f}**{ends}"
    of = "accuracy on the decided" if judged.number == 2 else "balanced accuracy"
    return (
        f"threshold{'s' if judged.number == 2 else ''} {values} (over the {judged.folds} parts {ranges}). "
        f"Of held-out texts, {of}: {accuracy}."
    )


def _shares(
    study: Study,
    measured: Measurements,
    sample: NaturalnessSample,
    by: Discriminator,
    judged: Discrimination,
    curves: dict[str, Roc],
    sides: Sides,
) -> None:
    people = people_shares(study, measured, sample.seed)
    chart(
        class_shares(judged.systems, {name: estimates["h"] for name, estimates in people.items()}, sample.names[by]),
        key="h-scores",
        alt="h score of each system",
        on_points=sides.mark_texts,
    )
    rows = [
        _row(name, system, judged.number, people.get(name, {}), curves[name]) for name, system in judged.systems.items()
    ]
    if judged.human:
        rows.append(_row(HUMAN, judged.human, judged.number, people.get(HUMAN, {}), None))
    st.caption("Press a dot, or a row of the table, for the texts of its side.")
    names = [str(row["Texts of"]) for row in rows]
    table("Texts by class", rows, on_row=lambda row: sides.want_texts(names[row]))
    if judged.human and (few := few_behind({name: of.n for name, of in judged.systems.items()}, judged.human.n)):
        st.caption(escaped(few))
    if not people:
        st.caption(
            f"People have not judged who wrote these texts: {escaped(study.name)} asks something else, or has no "
            "rating yet. In a study with the scheme Human likeliness or Turing their shares stand beside these."
        )


def _row(name: str, classes: Classes, number: int, people: dict[str, Estimate], curve: Roc | None) -> dict[str, object]:
    unknown = {"u": classes.u} if number == 2 else {}
    theirs = {f"people's {figure}": share for figure, share in people.items()}
    area = {"AUC": curve.auc} if curve else {}
    return {"Texts of": name, "n": classes.n, "h": classes.h, **unknown, "m": classes.m, **theirs, **area}
