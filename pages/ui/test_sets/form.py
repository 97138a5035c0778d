"""The form of a new test set: which stories, which aspects, which resources, and the button."""

import streamlit as st

from core.errors import FabulaError, InputError
from core.people import Person, Role
from core.perturb.test_sets.aspects import Aspect, Change, Techniques, Test
from core.perturb.test_sets.generation import TestSetSettings
from db.jobs import jobs
from db.test_sets import test_sets
from pages.ui.shared.stories.human_stories import ChosenStories, choose_stories
from pages.ui.shared.text import problem
from pages.ui.test_sets.generation_settings import ChosenResources, choose_means
from pages.ui.test_sets.runs import KIND

NAME, NAMED, PROBLEM = "tests-name", "tests-named", "tests-problem"
LEAST_TIMED = 200
"""Stories from which on it takes long enough that somebody asks how long."""
TECHNIQUES = {Techniques.OURS: "Fabula's", Techniques.PAPER: "As the paper prints them"}
ABOUT = {
    Test.DISCRIMINATION: "Coherent stories, and copies of them that are wrong in one aspect each: a metric should tell "
    "one from the other.",
    Test.INVARIANCE: "Stories, and the same ones in other words, with other punctuation, or mistyped: a metric should "
    "hardly move. Some of them are incoherent to begin with.",
}


def new_set(viewer: Person) -> None:
    """All of it in one box; what is wrong is said before it runs."""
    with st.container(border=True):
        chosen = choose_stories(viewer)
        if chosen is None:
            return
        test = Test(
            st.segmented_control(
                "Test",
                list(Test),
                format_func=str.capitalize,
                default=Test.DISCRIMINATION,
                required=True,
                key="tests-kind",
                bind="query-params",
            )
        )
        st.caption(ABOUT[test])
        aspects = st.pills(
            "Aspects" if test is Test.DISCRIMINATION else "Changes",
            list(Aspect if test is Test.DISCRIMINATION else Change),
            selection_mode="multi",
            default=list(Aspect if test is Test.DISCRIMINATION else Change),
            format_func=str.capitalize,
            key=f"tests-aspects-{test}",
            persist_state="page",
            wrap=True,
        )
        left, right = st.columns(2)
        most = left.number_input("At most so many stories", 1, 10**6, 1_000, key="tests-most", persist_state="page")
        seed = right.number_input("Seed", 0, 2**31, 0, key="tests-seed", persist_state="page")
        techniques = Techniques(
            st.segmented_control(
                "Techniques",
                list(Techniques),
                format_func=lambda item: TECHNIQUES[item],
                default=Techniques.OURS,
                required=True,
                key="tests-techniques",
                persist_state="page",
                help="Fabula's change a story only where a reader sees the fault. The paper's change any word of "
                "OpenMEVA's tables: there are more cases, and fewer of them are wrong to a reader.",
            )
        )
        means = choose_means(viewer)
        order = TestSetSettings(
            test,
            tuple(aspects),
            int(most),
            int(seed),
            means.knowledge,
            means.paraphrases,
            means.translation,
            means.filter,
            filter_reads=means.filter_reads,
            techniques=techniques,
        )
        _start_button(viewer, order, chosen, means)


def _start_button(viewer: Person, order: TestSetSettings, chosen: ChosenStories, means: ChosenResources) -> None:
    if st.session_state.pop(NAMED, False):
        st.session_state[NAME] = ""  # the next one has another
    name = st.text_input(
        "Name of the set", key=NAME, max_chars=test_sets.LONGEST_NAME, placeholder=f"such as: my {order.test}"
    ).strip()
    if not order.aspects:
        st.info("Choose at least one aspect.")
    else:
        st.caption(f"{_size(chosen, order)}{'' if name else ' Give the set a name, and it can begin.'}")
    if message := st.session_state.pop(PROBLEM, ""):
        problem(message)
    can = bool(order.aspects and chosen.number)
    # No callback, whose arguments would be what was chosen when the button was drawn last.
    if st.button("Make the test set", type="primary", icon=":material/science:", disabled=not can) and can:
        _start(viewer, order, chosen, means, name)
        st.rerun()


def _size(chosen: ChosenStories, order: TestSetSettings) -> str:
    message = f"{min(chosen.number, order.most or chosen.number):,} of {chosen.number:,} stories"
    if chosen.number <= (order.most or 0):
        message = "The one story" if chosen.number == 1 else f"All {chosen.number:,} stories"
    if chosen.number >= LEAST_TIMED and not any(order.translation):
        return f"{message}. A thousand stories of five sentences take about a minute on two processor cores."
    return f"{message}."


def _start(viewer: Person, order: TestSetSettings, chosen: ChosenStories, means: ChosenResources, name: str) -> None:
    """What a browser sends need not be what it was shown: all is looked at again."""
    try:
        if not means.usual:
            viewer.must_be(Role.OWNER)
        name = test_sets.check_name(viewer, name)
        if any(job.settings["name"] == name for job in jobs.recent(KIND, 0)):
            raise InputError(f"A test set named {name[:60]!r} is being made: choose another name.")
        settings = {**order.settings(), "name": name, "study": chosen.name, "group": chosen.group}
        jobs.add(viewer, KIND, chosen.study, settings)
        st.session_state[NAMED] = True
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
