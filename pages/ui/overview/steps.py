"""How far a study is, and the one button that is next."""

import streamlit as st

from core.analysis.verdict.few_stories import never_claimed
from core.annotation.monitor.standing import METRICS, Act, Counted, Standing, standing
from core.annotation.past_imports import left_out_briefly
from core.annotation.studies import Study, StudyState, StudySummary
from core.errors import FabulaError
from core.people import Person
from core.statistics.agreement import AlphaReading, reading
from core.stories import Source
from core.wording import meaning
from db.annotation import notes, slots
from db.people import people
from db.ratings.preferences import compared_people
from db.studies import past_imports, studies
from db.studies.counts import ratings_of_others
from pages.ui.form.plan import METRICS as METRICS_APART
from pages.ui.overview.found import Measured
from pages.ui.shared import study_opening
from pages.ui.shared.stories.wanted_stories import EVERY_METRIC
from pages.ui.shared.tables.result_table import number
from pages.ui.shared.text import escaped, problem

WAYS = {
    Act.IMPORT: ("import_data.py", ":material/upload:"),
    Act.INVITE: ("annotators.py", ":material/person_add:"),
    Act.WATCH: ("monitor.py", ":material/monitoring:"),
    Act.SCORE: ("score.py", ":material/speed:"),
    Act.DISAGREEMENT: ("judgments.py", ":material/balance:"),
    Act.REPORT: ("report.py", ":material/summarize:"),
    Act.CORRELATION: ("correlation.py", ":material/scatter_plot:"),
    Act.PREFERENCES: ("preferences.py", ":material/compare_arrows:"),
    Act.PLAN: ("form.py", ":material/calculate:"),
}
"""The page and the sign of each, but for opening, which is done where it stands."""
PARTS = {
    Act.CORRELATION: EVERY_METRIC,
    Act.DISAGREEMENT: {"judgments_tab": "Annotators"},
    Act.PLAN: {"form-tab": "Plan", "plan-what": METRICS_APART},
}
"""Of such a page's address."""
DONE, UNDER_WAY, NOT_DONE = (
    ":green[:material/check_circle:]",
    ":blue[:material/hourglass_top:]",
    ":gray[:material/radio_button_unchecked:]",
)
UNDER_WAY_MEANS = "**Under way**: more is wanted; findings are drawn from what there is."
ALPHA = "Krippendorff's alpha"
POOR = (AlphaReading.CHANCE, AlphaReading.NOT_GOOD)
"""How an alpha reads where it is worth a look at which people differ."""


def stands_at(viewer: Person, summary: StudySummary, shown: Measured) -> Standing:
    """Where the study stands."""
    study = summary.study
    others = {} if study.scheme.unit.of_pairs else ratings_of_others(study.id, study.scheme.sources)
    invited = bool(study.recruitment.platform) or people.number_of(viewer, study.id) > 0
    return standing(
        Counted(
            summary,
            slots.progress(study.id),
            invited,
            shown.view.table.rated,
            shown.view.table.given,
            others.get(Source.HUMAN, 0),
            others.get(Source.NEGATIVE, 0),
            shown.agreement.disagree,
            shown.finding is not None and shown.finding.holds,
            compared_people(study.id) if study.scheme.unit.of_pairs else 0,
            notes.waiting(study.id),
            never_claimed(summary.stories, summary.prompts),
        )
    )


def steps(summary: StudySummary, shown: Measured, stands: Standing) -> None:
    """The figures, and the steps with what is missing."""
    study = summary.study
    with st.container(horizontal=True, gap="medium"):
        st.metric("Stories", f"{summary.stories:,}", width="content")
        if study.scheme.unit.of_pairs:
            st.metric("Judgments", f"{summary.ratings:,}", width="content")
            _agreement_on_pairs(shown)
        else:
            st.metric(
                "Ratings",
                f"{shown.view.table.given:,}",
                width="content",
                help=f"Those of systems' stories that analyses take: {escaped(shown.view.target.title)}.",
            )
            _agreement(shown)
    if left_out := left_out_briefly(past_imports.left_out(study.id)):
        st.caption(f"{escaped(left_out)}.")
    for step in stands.steps:
        sign = DONE if step.done else UNDER_WAY if step.under_way else NOT_DONE
        about = [UNDER_WAY_MEANS] if step.under_way else []
        about += [f"**{step.term}**: {meaning(step.term)}"] if step.term else []
        st.markdown(f"{sign} **{step.name}**: {escaped(step.said)}", help="\n\n".join(about) or None)
        if step.way is not None:
            page, icon = WAYS[step.way]
            query = {"study": str(study.id)} | PARTS.get(step.way, {})
            st.page_link(page, label=step.way.value, icon=icon, query_params=query)
        if step.name == METRICS and summary.judges and shown.view.table.rated:
            _to_judges(summary)


def _to_judges(summary: StudySummary) -> None:
    """Lead to what puts the study's judges beside people."""
    label = "Does the judge deserve trust?" if summary.judges == 1 else "Which judge deserves trust?"
    query = {"study": str(summary.study.id)}
    st.page_link("judges.py", label=label, icon=":material/gavel:", query_params=query)


def _agreement(shown: Measured) -> None:
    """Alpha of single ratings."""
    alpha = shown.agreement.alpha.value
    read = None if alpha is None else reading(alpha)
    criteria = len(shown.view.target.criteria)
    on = shown.view.table.on if criteria == 1 else f" on the mean of {criteria} criteria"  # all names have no room
    st.metric(
        escaped(f"Agreement{on}") + " (interval alpha)",
        number(alpha),
        shown.agreement.read or None,
        delta_color="off",
        delta_arrow="off",
        width="content",
        help=f"{ALPHA}, for ratings in equal steps (interval). {meaning(ALPHA)}"
        + (f" Here it is {shown.agreement.read}." if read else "")
        + (" Judgments shows where people differ." if read in POOR else ""),
    )


def _agreement_on_pairs(shown: Measured) -> None:
    """How often two raters of the same two stories choose alike, and alpha of their choices."""
    if shown.pairs is None:
        return
    agreement = shown.pairs.agreement
    alpha = agreement.alpha.value
    why = f" None here: {agreement.agreeing.undefined}." if agreement.agreeing.undefined else ""
    st.metric(
        "Raters who agree",
        "–" if agreement.agreeing.value is None else f"{agreement.agreeing.value:.1%}",
        None if alpha is None else f"alpha {number(alpha)}, ordinal",
        delta_color="off",
        delta_arrow="off",
        width="content",
        help="Of two raters who judged the same two stories, how often they chose alike: the same story, or a tie. "
        f"Alpha: of their choices. {meaning(ALPHA)}{why}",
    )


def next_step(viewer: Person, summary: StudySummary, shown: Measured, stands: Standing) -> None:
    """What is next, and what can be done at any time."""
    study = summary.study
    study_opening.notices(study)
    if stands.next in (Act.OPEN, Act.INVITE):
        study_opening.say_controls(viewer, study)
    if stands.next is Act.OPEN:
        study_opening.confirmation(study)
    _next(viewer, study, stands, shown)
    _actions(viewer, summary, opens=stands.next is not Act.OPEN)
    if study.state is not StudyState.OPEN and stands.next is not Act.OPEN:
        study_opening.confirmation(study)


def _query(study: Study, shown: Measured) -> dict[str, str]:
    """The study, and the metric to look at by the finding: pages that show one begin with it."""
    return {"study": str(study.id)} | ({"metric": shown.finding.leading} if shown.finding is not None else {})


def _next(viewer: Person, study: Study, stands: Standing, shown: Measured) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="next-step"):
        if stands.next is Act.OPEN:
            study_opening.opening(viewer, study, "primary")
        else:
            page, icon = WAYS[stands.next]
            if st.button(stands.next.value, type="primary", icon=icon, key="next"):
                st.switch_page(page, query_params=_query(study, shown) | PARTS.get(stands.next, {}))
        for act in stands.besides:
            page, icon = WAYS[act]
            query = _query(study, shown) | PARTS.get(act, {})
            st.page_link(page, label=act.value, icon=icon, query_params=query)


def _actions(viewer: Person, summary: StudySummary, *, opens: bool) -> None:
    """What can be done with the study at any time; opening (where `opens`) and closing it stand at the end."""
    study = summary.study
    query = {"study": str(study.id)}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="actions"):
        if study.state is StudyState.OPEN:
            st.page_link("annotate.py", label="Rate yourself", icon=":material/rate_review:", query_params=query)
        st.page_link("preview.py", label="See it as annotators do", icon=":material/visibility:", query_params=query)
        if summary.stories:  # else that is the button above
            into = query | {"into": str(study.id)}
            st.page_link("import_data.py", label="Import", icon=":material/upload:", query_params=into)
        if study.state is not StudyState.OPEN:
            if opens and summary.stories:
                study_opening.opening(viewer, study, "tertiary")
        elif st.button("Close for annotation", icon=":material/lock:", type="tertiary"):
            try:
                studies.close_study(viewer, study.id)
            except FabulaError as error:
                problem(str(error))
            else:
                st.rerun()
