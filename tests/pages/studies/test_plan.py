"""The Plan tab of Form and rules: from this study's ratings, from stated deviations, for metrics; what it says."""

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.planning.design import Setup
from core.analysis.planning.spread import Spread, past_spread
from core.analysis.planning.systems import plan_systems
from db.ratings import ratings
from tests.db.conftest import make_study
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study


def tab(page: AppTest) -> AppTest:
    page.session_state["form-tab"] = "Plan"
    return page.run()


def choose(page: AppTest, label: str, value: str) -> AppTest:
    control = next(control for control in page.segmented_control if control.label == label)
    return control.set_value(value).run()


def prompts(page: AppTest) -> list[int]:
    (frame,) = [frame.value for frame in page.dataframe if "Ratings a story" in frame.value.columns]
    return list(frame["Prompts"])


def test_from_this_study_s_ratings(served: None, open_page: Open, owner: str) -> None:
    study = rated_study(40, metrics=("all", "coarse"))
    page = tab(open_page("form", owner))
    said = words(page)
    assert "of 120 stories of 3 systems for 40 prompts with 3 ratings each" in said
    assert "To see a difference of 0.3 between two of 3 systems with power 0.8 at alpha 0.05" in said
    spread = past_spread(ratings.judged_stories(study.id)).spread
    assert prompts(page) == [one.prompts for one in plan_systems(0.3, spread, Setup(3, prompts=40)).designs]
    assert page.number_input(key=f"plan-systems-Two systems-{study.id}").value == 3  # as many as the study has
    assert page.number_input(key=f"plan-prompts-{study.id}").value == 40
    assert "What a design sees with power 0.8" in str(page.get("plotly_chart")[0].proto.spec)
    page.number_input(key="plan-difference").set_value(0.6)
    page.number_input(key=f"plan-systems-Two systems-{study.id}").set_value(4)
    page.number_input(key=f"plan-prompts-{study.id}").set_value(10)
    page.number_input(key=f"plan-pay-{study.id}").set_value(1.5)
    page.run()
    said = words(page)
    assert "between two of 4 systems with power 0.8 at alpha 0.05 over 6 pairs of systems" in said
    (frame,) = [frame.value for frame in page.dataframe if "Ratings a story" in frame.value.columns]
    assert {"Cost", "Seen with 10 prompts"} <= set(frame.columns)
    assert ("Your 10 prompts are too few for these designs" in said) == (min(frame["Prompts"]) > 10)


def test_stated_deviations_without_any_rating(served: None, open_page: Open, owner: str) -> None:
    study = make_study("empty")
    page = tab(open_page("form", owner))
    assert not page.exception
    assert "The numbers below are usual ones" in words(page)
    assert prompts(page) == [one.prompts for one in plan_systems(0.3, Spread(), Setup(5, prompts=2)).designs]
    page.number_input(key="plan-sd-story").set_value(1.0).run()
    assert prompts(page) == [one.prompts for one in plan_systems(0.3, Spread(story=1.0), Setup(5, prompts=2)).designs]
    page.number_input(key="plan-difference").set_value(0.0).run()
    assert "The difference between two systems is a number above 0, not 0." in words(page)
    page = choose(page, "Resting on", "This study's ratings")
    (lack,) = page.info
    assert lack.value.startswith("No story of the study has two single ratings")
    assert not page.error
    next(button for button in page.button if button.label == "Plan with stated numbers").click().run()
    assert page.segmented_control(key=f"plan-on-{study.id}").value == "Stated deviations"


def test_ratings_that_carry_no_plan_are_no_error(served: None, open_page: Open, owner: str) -> None:
    study = rated_study(4, metrics=())
    page = tab(open_page("form", owner))
    assert not page.error
    assert prompts(page)
    page = choose(page, "Resting on", "This study's ratings")
    assert "The study does not tell how far stories differ" in page.info[0].value
    assert page.segmented_control(key=f"plan-on-{study.id}").value == "This study's ratings"


def test_one_metric_is_no_error(served: None, open_page: Open, owner: str) -> None:
    rated_study(40, metrics=("all",))
    page = choose(tab(open_page("form", owner)), "To tell apart", "Two metrics")
    assert not page.error
    assert page.info[0].value.startswith("The study has scores of fewer than two metrics")
    next(button for button in page.button if button.label == "Plan with stated numbers").click().run()
    assert prompts(page)


def test_two_metrics(served: None, open_page: Open, owner: str) -> None:
    study = rated_study(40, metrics=("all", "coarse"))
    page = choose(tab(open_page("form", owner)), "To tell apart", "Two metrics")
    assert page.number_input(key=f"plan-systems-Two metrics-{study.id}").value == 3  # as many as the study has
    delta = next(box for box in page.number_input if box.label == "Difference of their correlations")
    assert 0.01 <= delta.value < 0.1  # the two differ by so little
    delta.set_value(0.05).run()
    said = words(page)
    assert "To see that a metric of r = " in said
    assert "agrees with people more than one of" in said
    assert prompts(page)
    page = choose(page, "Resting on", "Stated deviations")
    assert (
        "To see that a metric of r = 0.400, were ratings free of noise, agrees with people more than one of 0.300"
        in words(page)
    )
    page.number_input(key="plan-r-between").set_value(2.0).run()
    assert "The metrics' correlation lies between -1 and 1, not at 2." in words(page)


@pytest.mark.parametrize("metrics", [(), ("all",)])
def test_a_study_with_fewer_than_two_metrics(
    served: None, open_page: Open, owner: str, metrics: tuple[str, ...]
) -> None:
    rated_study(40, metrics=metrics)
    page = choose(tab(open_page("form", owner)), "To tell apart", "Two metrics")
    assert "fewer than two metrics" in words(page)


def test_the_correlation_page_leads_to_the_plan_of_two_metrics(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("one", "half"))
    page = open_page("correlation", owner)
    page.session_state["tab"] = "How many more?"
    page.run()
    next(button for button in page.button if button.key == "plan-two-metrics").click().run()
    assert not page.exception
    assert page.title[0].value == "Form and rules"
    assert page.segmented_control(key="plan-what").value == "Two metrics"
