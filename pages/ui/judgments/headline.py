"""The sentence at the top of the Judgments page, and its totals."""

from dataclasses import replace

import streamlit as st

from core.analysis.judgments.judgments import Judgments
from core.annotation.monitor.forecast import FEWEST, Forecast
from core.annotation.studies import StudyState, StudySummary
from core.annotation.unit import Unit
from core.statistics.agreement import in_words, reading
from core.wording import digits, meaning, so_many
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.analysis.page_frame import to_preferences
from pages.ui.shared.tables.result_table import number
from pages.ui.shared.text import folded_warning


def headline(judgments: Judgments, unit: Unit, criterion: str) -> None:
    """How far people agree, in a sentence. `criterion`: on which of several; "" where there is one."""
    caution = replace(judgments.agreement["valid"].reliability, criterion=criterion).caution
    text = "" if judgments.compared else agreement_sentence(judgments)
    deciding = "" if judgments.compared else _deciding_alpha(judgments)
    if text and not caution:
        verdict(text, more=deciding)
    if caution:
        folded_warning(caution)
        if text:
            st.caption(f"{text} {deciding}".strip())
    if unit.of_pairs:
        to_preferences()


def totals(judgments: Judgments, left: Forecast, unit: Unit, open_now: bool) -> None:
    """How much was rated, and what is left; `open_now`: work is being given out."""
    with st.container(horizontal=True, gap="medium"):
        st.metric("Stories", f"{judgments.stories:,}", width="content")
        if judgments.compared:
            st.metric(
                "Comparisons a story",
                f"{judgments.a_story:.3g}",
                width="content",
                help="On average, with stories of other systems or of people.",
            )
        else:
            st.metric("Ratings", f"{judgments.ratings:,}", width="content")
        st.metric(
            "Annotators",
            "hidden" if judgments.annotators is None else f"{judgments.annotators:,}",
            width="content",
            help="An import hides who rated." if judgments.annotators is None else None,
        )
        if not judgments.compared:
            _agreement(judgments)
    for remark in judgments.remarks:
        st.caption(remark)
    sentence = forecast_sentence(left, unit)
    if sentence and (open_now or left.valid + left.rejected):
        st.caption(sentence)


def _agreement(judgments: Judgments) -> None:
    alpha = judgments.agreement["valid"].alpha[judgments.level]
    st.metric(
        f"Alpha ({judgments.level})",
        number(alpha.value),
        width="content",
        help=meaning("Krippendorff's alpha", "Level of measurement"),
    )
    st.metric(
        "One rater",
        number(judgments.one_rater),
        width="content",
        help=meaning("One rater"),
    )
    st.metric(
        "Ceiling",
        number(judgments.ceiling),
        width="content",
        help=meaning("Ceiling"),
    )


def _deciding_alpha(judgments: Judgments) -> str:
    """Which alpha decides whether metrics are claimed, where the one here is of another level; "" where it is that."""
    alphas = judgments.agreement["valid"].alpha
    own, deciding = alphas[judgments.level].value, alphas["interval"].value
    if judgments.level == "interval" or deciding is None:
        return ""
    steps = "as names" if judgments.level == "nominal" else "by their order alone"
    another = f"; {judgments.level} alpha takes steps {steps}, so the two can differ"
    return (
        f"Interval alpha, {number(deciding)}, decides whether metrics may be claimed, on **Overview** and in reports "
        "too, as they are held against means"
        + ("." if number(own) == number(deciding) else f"{another}.")  # of two steps they are one
    )


def agreement_sentence(judgments: Judgments) -> str:
    """How alpha reads, and on how much that rests: of a small sample that comes first."""
    valid = judgments.agreement["valid"]
    alpha = valid.alpha[judgments.level]
    if judgments.reading is None:
        missing = f"No alpha: {alpha.undefined}." if alpha.undefined else ""
        return f"{_mean_sentence(judgments)} {missing}".strip()
    rests = f"{valid.paired:,} stories of {valid.prompts:,} prompt{'s' if valid.prompts > 1 else ''}"
    ends = ""
    if alpha.low is not None and alpha.high is not None:
        ends = f" 95 % of alpha: {number(alpha.low)} to {number(alpha.high)}"
        readings = (reading(alpha.low), reading(alpha.high))
        ends += f", which reaches from {readings[0]} to {readings[1]}." if readings[0] is not readings[1] else "."
    if valid.reliability.small:
        return (
            f"Only {rests} have two ratings or more: too few to say how far people agree. As it stands alpha is "
            f"{number(alpha.value)}: {in_words(alpha)}.{ends}"
        )
    read = in_words(alpha)
    level = f"Alpha ({judgments.level}) is {number(alpha.value)}"
    return f"{level}: agreement is {read}. It is over {rests} with two ratings or more.{ends}"


def _mean_sentence(judgments: Judgments) -> str:
    """What people said, where how far they agree is unknown."""
    if judgments.mean is None:
        return ""
    return f"People rate {so_many(judgments.stories, 'story', 'stories')} {digits(judgments.mean, '.2f')} on average."


def forecast_sentence(left: Forecast, unit: Unit) -> str:
    """What is left to rate, and how much must come in for that; nothing where the study is full."""
    name, several = unit.wording.rated, unit.wording.rated_plural
    if not left.open_slots:
        return ""
    wanted = f"Valid {several} still wanted: {left.open_slots:,}."
    if left.rejection_rate is None:
        return f"{wanted} How many must come in can be said once some are handed in."
    rate = _rejected(left, name, several)
    if left.panels is None:
        few = left.valid + left.rejected < FEWEST
        once = f"{FEWEST} {several} are handed in" if few else f"a {name} is accepted"
        return f"{wanted} {rate}. How many must come in can be said once {once}."
    return (
        f"{wanted} {rate}; at this rate about {left.panels:,} more must come in (95 %: {left.low:,} to {left.high:,})."
    )


def _rejected(left: Forecast, name: str, several: str) -> str:
    judged = left.valid + left.rejected
    if judged == 1:
        return f"The one {name} handed in {'was rejected' if left.rejected else 'counts'}"
    if not left.rejected:
        return f"All {judged:,} {several} handed in count"
    return f"{left.rejected:,} of {judged:,} {several} handed in were rejected ({left.rejection_rate:.1%})"


def nothing_yet(summary: StudySummary, judgments: Judgments) -> None:
    """What to do where no rating counts yet."""
    wording = summary.study.scheme.unit.wording
    name, several = wording.rated, wording.rated_plural
    rejected = judgments.panels_rejected
    if not summary.stories:
        st.info("This study has no stories yet.")
        st.page_link("import_data.py", label="Import some", icon=":material/upload:")
    elif rejected:
        what = f"The one {name}" if rejected == 1 else f"All {rejected:,} {several}"
        was = "was" if rejected == 1 else "were"
        st.info(f"{what} handed in so far {was} rejected, so no rating counts yet.")
        st.page_link("monitor.py", label="See why", icon=":material/fact_check:")
    elif summary.study.state is StudyState.OPEN:
        st.info(f"No {name} has been handed in yet. This page fills as annotators work.")
        st.page_link("annotators.py", label="Invite annotators", icon=":material/person_add:")
    else:
        st.info("Nobody has rated these stories yet. Open the study for annotation, or import ratings with stories.")
        st.page_link("overview.py", label="Open the study", icon=":material/lock_open:")
