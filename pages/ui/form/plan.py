"""The Plan tab: how many prompts and ratings a difference takes, and what they cost."""

import streamlit as st

from core.analysis.correlation.metric_order import best_first
from core.analysis.planning.design import Design, Setup
from core.analysis.planning.metrics import Correlations, PastMetrics, past_metrics, plan_metrics
from core.analysis.planning.sentences import design_rows, metrics_sentence, spread_sentence, systems_sentence
from core.analysis.planning.spread import PastSpread, Spread, check_past, past_spread
from core.analysis.planning.systems import plan_systems, seen_curves
from core.annotation.studies import Study, StudySummary
from core.annotation.target import Target, usual_target
from core.annotation.unit import Unit
from core.errors import FabulaError
from core.figures.correlation import metric_names
from core.figures.sample_size import seen_by_prompts
from core.payments import Pay, Rate, in_hundredths
from core.people import Person
from core.scores import RatingChoice
from core.settings import described
from core.stories import Source
from db.ratings import ratings
from db.studies import story_list
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.target_choice import choose_target
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped, notice, problem

SYSTEMS, METRICS = "Two systems", "Two metrics"
PAST, STATED = "This study's ratings", "Stated deviations"
USUAL_NUMBERS = (
    "The numbers below are usual ones: put in what you know better. Once enough stories have two ratings each, a plan "
    "can rest on *This study's ratings*."
)
USUAL_DELTA, LEAST_DELTA = 0.1, 0.01
LIMITS = (
    "Counted in ratings alone, one rating a story is the cheapest; more are worth it where stories are dear or prompts "
    "few, and it takes two to tell how far people agree. Rejected panels come on top."
)
_SPREAD = {name: (about, usual) for name, (about, _, usual) in described(Spread).items()}
_SETUP = {name: about for name, (about, _, _) in described(Setup).items()}
_CORRELATIONS = {name: (about, usual) for name, (about, _, usual) in described(Correlations).items()}


@st.cache_data(max_entries=8, show_spinner="Reading how far ratings spread")
def _past(study_id: int, version: str, target: Target) -> PastSpread:
    return past_spread(ratings.rating_table(study_id, target))


@st.cache_data(max_entries=8, show_spinner="Reading how metrics agree with people")
def _past_metrics(study_id: int, version: str, target: Target, metrics: tuple[str, str]) -> PastMetrics:
    return past_metrics(whole(study_id, version, RatingChoice.VALID, target), metrics)


def plan_tab(viewer: Person, summary: StudySummary) -> None:
    """What is asked, what it rests on, and the designs."""
    study = summary.study
    st.caption("How many prompts, and how many ratings a story, a difference takes to be seen, and what they cost.")
    first, second = st.columns(2)
    asked = first.segmented_control(
        "To tell apart", [SYSTEMS, METRICS], default=SYSTEMS, required=True, key="plan-what", bind="query-params"
    )
    tells = bool(summary.ratings) and _tells(study)
    key = f"plan-on-{study.id}"
    basis = second.segmented_control(
        "Resting on", [PAST, STATED], default=PAST if tells else STATED, required=True, key=key
    )
    measured = None
    try:
        if basis == PAST:
            check_past(study)
        elif not tells:
            st.caption(USUAL_NUMBERS)
        target = choose_target(study.scheme) if basis == PAST else None
        spread = _spread(study, target)
        if asked == METRICS and target is not None:
            measured = _chosen(study, target)
    except FabulaError as error:
        notice(str(error))
        st.button("Plan with stated numbers", icon=":material/edit:", on_click=_state, args=(key,))
        return
    try:
        there = sum(name not in set(Source) for name in story_list.systems(viewer, study.id))
        if asked == SYSTEMS:
            _systems(summary, there, spread)
        else:
            _metrics(summary, there, target, spread, measured)
    except FabulaError as error:
        problem(str(error))


def _tells(study: Study) -> bool:
    """Whether a study's ratings tell how far ratings spread, so that a plan can rest on them."""
    try:
        check_past(study)
        _past(study.id, ratings.version(study.id), usual_target(study.scheme))
    except FabulaError:
        return False
    return True


def _state(key: str) -> None:
    st.session_state[key] = STATED


def _spread(study: Study, target: Target | None) -> Spread:
    """What the plan rests on: what this study's ratings spread by, or what is stated."""
    if target is not None:
        past = _past(study.id, ratings.version(study.id), target)
        st.caption(escaped(spread_sentence(past.spread, past)))
        if past.caution:
            st.warning(escaped(past.caution), icon=":material/warning:")
        return past.spread
    places = st.columns(len(_SPREAD))
    stated = {
        name: place.number_input(about.label, 0.0, value=usual, step=0.05, help=about.help, key=f"plan-sd-{name}")
        for place, (name, (about, usual)) in zip(places, _SPREAD.items(), strict=True)
    }
    return Spread(**stated)


def _setup(summary: StudySummary, asked: str, systems: int) -> Setup:
    """What all designs share, at first as the study has it. `systems`: how many those are."""
    study = summary.study
    first, second, third, fourth = st.columns(4)
    power, alpha, corrected, unit = _more(study)  # first: the unit says what is paid
    about = _SETUP["systems"]
    most, key = int(about.most or 0), f"plan-systems-{asked}-{study.id}"
    systems = int(first.number_input(about.label, 2, most, min(max(2, systems), most), help=about.help, key=key))
    about = _SETUP["prompts"]
    there = summary.prompts if summary.prompts > 1 else None
    prompts = second.number_input(about.label, 2, value=there, step=10, help=about.help, key=f"plan-prompts-{study.id}")
    currency = study.payment.currency
    paid = third.number_input(
        f"Paid a {'panel' if unit.of_prompt else 'rating'}",
        0.0,
        9_999.0,
        float(study.payment.amount or 0),
        0.1,
        key=f"plan-pay-{study.id}",
        help=currency or None,
    )
    price = fourth.number_input(
        "Price of a story", 0.0, 9_999.0, 0.0, 0.1, key="plan-story-price", help="To come by, beside its ratings."
    )
    pay = Pay(currency, (Rate(in_hundredths(f"{paid:.2f}", "pay")),)) if paid else Pay(currency)
    return Setup(
        systems,
        power,
        alpha,
        corrected,
        None if prompts is None else int(prompts),
        unit,
        pay,
        in_hundredths(f"{price:.2f}", "price of a story"),
    )


def _more(study: Study) -> tuple[float, float, bool, Unit]:
    """Power, alpha, whether it is corrected for all pairs, and what is rated together."""
    with st.popover("Power, alpha, correction", icon=":material/tune:", key="plan-more"):
        about = _SETUP["power"]
        power = st.number_input(about.label, 0.06, 0.999, Setup.power, 0.05, help=about.help, key="plan-power")
        about = _SETUP["alpha"]
        alpha = st.number_input(
            about.label, 0.001, 0.2, Setup.alpha, 0.01, format="%.3f", help=about.help, key="plan-alpha"
        )
        about = _SETUP["corrected"]
        corrected = st.toggle(about.label, Setup.corrected, help=about.help, key="plan-corrected")
        panels = st.toggle(
            "A rater rates all stories of a prompt",
            study.scheme.unit.of_prompt,
            key=f"plan-unit-{study.id}",
            help="Then how lenient they are cancels between two systems.",
        )
    return power, alpha, corrected, Unit.PANEL if panels else Unit.STORY


def _systems(summary: StudySummary, systems: int, spread: Spread) -> None:
    difference = st.number_input(
        "Difference of their mean ratings",
        0.0,
        value=0.3,
        step=0.05,
        key="plan-difference",
        width=300,
        help="In points of the scale.",
    )
    setup = _setup(summary, SYSTEMS, systems)
    plan = plan_systems(difference, spread, setup)
    st.markdown(escaped(systems_sentence(plan, setup)))
    _designs(plan.designs, setup)
    figure = seen_by_prompts(seen_curves(plan, spread, setup), difference, setup.power)
    chart(figure, key="plan-seen", alt="Least difference seen by number of prompts")


def _metrics(
    summary: StudySummary, systems: int, target: Target | None, spread: Spread, measured: PastMetrics | None
) -> None:
    if measured is not None:
        correlations = measured.correlations
    else:
        places = st.columns(len(_CORRELATIONS))
        correlations = Correlations(
            **{
                name: place.number_input(about.label, value=usual, step=0.05, help=about.help, key=f"plan-r-{name}")
                for place, (name, (about, usual)) in zip(places, _CORRELATIONS.items(), strict=True)
            }
        )
    delta = _delta(measured)
    study = summary.study
    if target is not None:
        systems = _past(study.id, ratings.version(study.id), target).systems
    setup = _setup(summary, METRICS, systems)
    plan = plan_metrics(delta, correlations, spread, setup)
    st.markdown(escaped(metrics_sentence(plan, setup, measured)))
    _designs(plan.designs, setup)


def _delta(measured: PastMetrics | None) -> float:
    """The difference that is to be seen: at first that of the two metrics here, where they were measured."""
    about, usual, key = "With ratings free of noise.", USUAL_DELTA, "plan-delta"
    if measured is not None:
        about = f"With ratings free of noise. These two differ by {abs(measured.difference):.3f} then."
        usual = max(round(abs(measured.difference), 2), LEAST_DELTA)
        key = f"plan-delta-{'-'.join(measured.metrics)}"
    return st.number_input(
        "Difference of their correlations", 0.0, 2.0, usual, LEAST_DELTA, key=key, width=300, help=about
    )


def _chosen(study: Study, target: Target) -> PastMetrics:
    """What this study says of two of its metrics; raises InputError where it has fewer."""
    version = ratings.version(study.id)
    scores = best_first(whole(study.id, version, RatingChoice.VALID, target))
    names = metric_names(scores.columns)
    if len(names) < 2:
        return past_metrics(scores)
    first, second = st.columns(2)
    one = first.selectbox("Metric", names, key=f"plan-metric-{study.id}")
    other = second.selectbox("Other metric", [name for name in names if name != one], key=f"plan-other-{study.id}")
    return _past_metrics(study.id, version, target, (one, other))


def _designs(designs: tuple[Design, ...], setup: Setup) -> None:
    table("Designs", design_rows(designs, setup))
    if not any(one.cheapest for one in designs):
        st.info(
            f"Your {setup.prompts or 0:,} prompts are too few for these designs. The column *Seen with* says how large "
            "a difference must be to be seen with them."
        )
    st.caption(LIMITS)
