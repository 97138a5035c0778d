"""A metric that was trained on the study's own rated stories is not praised without a word."""

from pathlib import Path

import pytest

from tests.db.training.contaminated import contaminated_study
from tests.pages.conftest import Open
from tests.pages.pages import words

CAUTION = "Trained on stories of this study: union[made] on 2 stories."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("overview", "has a higher r, but was trained on stories of this study."),
        ("correlation", "has a higher r, but was trained on stories of this study."),
        ("correlation", CAUTION),
        ("drift", CAUTION),
        ("difference", CAUTION),
        ("systems", CAUTION),
        ("report", "It was trained on 2 stories of this study"),
        ("report", "it was trained on stories of this study"),
        ("report", "Its checkpoint was trained on 3 stories of stories"),
    ],
)
def test_every_page_says_it(open_page: Open, owner: str, tmp_path: Path, name: str, said: str) -> None:
    contaminated_study(tmp_path)
    page = open_page(name, owner)
    if name == "report":  # which begins with another metric
        assert page.selectbox(key="metric").value != "union[made]"
        page.selectbox(key="metric").set_value("union[made]").run()
    assert said in words(page)


def test_run_metrics_says_it_before_the_run(open_page: Open, owner: str, tmp_path: Path) -> None:
    contaminated_study(tmp_path)
    page = open_page("score", owner)
    caution = "Trained on stories of this study: union-no-recon on 2 stories."
    assert caution not in words(page)
    page.query_params["checkpoint"] = "made"
    assert caution in words(page.run())
