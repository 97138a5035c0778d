"""A metric that was chosen in one study is not taken over into another, though both have it; a link's is heeded."""

import pytest

from core.annotation.studies import Study
from pages.ui.shared.analysis import metric_choice
from pages.ui.shared.stories import two_metrics
from pages.ui.shared.stories.wanted_stories import FIRST, SECOND
from pages.ui.shared.study_choice import BOXES, KEPT_METRICS, METRIC
from tests.pages.conftest import Open
from tests.pages.pages import opened
from tests.rated import rated_study

BEST, WORST = "all", "half"


def two_studies() -> tuple[Study, Study]:
    metrics = (BEST, "coarse", WORST)
    return rated_study(metrics=metrics, name="one"), rated_study(metrics=metrics, name="other")


@pytest.mark.parametrize("where", ["the page", "another page"])
def test_another_study_begins_with_its_best_metric(open_page: Open, served: None, owner: str, where: str) -> None:
    one, other = two_studies()
    page = opened(open_page, owner, "report", {"study": str(one.id), "metric": WORST})
    page.switch_page("systems.py").run()
    assert page.selectbox(key="metric").value == WORST  # kept from page to page
    if where == "another page":
        page.switch_page("overview.py").run()
    page.selectbox(key="study_box").set_value(other.id).run()
    for name in ("systems", "report", "difference"):
        page.switch_page(f"{name}.py").run()
        assert not page.exception
        assert page.selectbox(key="metric").value == BEST


def test_a_link_into_another_study_names_its_metric(open_page: Open, served: None, owner: str) -> None:
    one, other = two_studies()
    page = opened(open_page, owner, "report", {"study": str(one.id), "metric": BEST})
    page.query_params["study"], page.query_params["metric"] = str(other.id), WORST
    page.switch_page("systems.py").run()
    assert page.selectbox(key="study_box").value == other.id
    assert page.selectbox(key="metric").value == WORST


@pytest.mark.parametrize("where", ["the page", "another page"])
def test_the_metrics_of_figures_and_of_a_comparison_begin_anew(
    open_page: Open, served: None, owner: str, where: str
) -> None:
    one, other = two_studies()
    for name, box, address in (
        ("drift", "metrics", {"drift": "Quality", "metrics": WORST}),
        ("score", "first-metric", {"score-tab": "One or two metrics", "first-metric": WORST}),
    ):
        page = opened(open_page, owner, name, {"study": str(one.id), **address})
        assert page.session_state[box] in (WORST, [WORST])
        if where == "another page":
            page.switch_page("overview.py").run()
        page.selectbox(key="study_box").set_value(other.id).run()
        if where == "another page":
            for part, value in address.items():
                if value != WORST:
                    page.query_params[part] = value
            page.switch_page(f"{name}.py").run()
        assert not page.exception
        begun = page.session_state[box]
        assert (begun if isinstance(begun, str) else begun[0]) == BEST


def test_what_is_forgotten_is_known_by_its_names() -> None:
    assert metric_choice.KEY == METRIC
    assert set(KEPT_METRICS) == {metric_choice.KEPT, two_metrics.KEPT}
    assert {FIRST, SECOND} < set(BOXES)
