"""Systems: people's means alone and with a metric, and what is said where a metric has nothing to add."""

import pytest

from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study


def test_people_and_a_metric_together(served: None, open_page: Open, owner: str) -> None:
    rated_study(90, unrated=60)
    page = open_page("systems", owner)
    said = words(page)
    assert "People and a metric together" in said
    assert "The metric narrows the interval of " in said
    frame = next(frame.value for frame in page.dataframe if "With the metric" in frame.value.columns)
    assert list(frame["Rated"]) == [30] * 3
    assert list(frame["Unrated"]) == [60] * 3
    assert list(frame["System"]) == ["high", "middle", "low"]
    assert (frame["Width"] <= 1).all()
    assert (frame["Worth"] >= 30).all()
    titles = [str(figure.proto.spec) for figure in page.get("plotly_chart")]
    assert any("People and all together" in title for title in titles)


@pytest.mark.parametrize(
    ("prompts", "unrated", "said"),
    [
        (20, 0, "Every story with a score is rated, so the metric has nothing to add."),
        (40, 35, "only 5 prompts have a story of it with rating and score; 15 are needed"),
    ],
)
def test_where_a_metric_has_nothing_to_add(
    served: None, open_page: Open, owner: str, prompts: int, unrated: int, said: str
) -> None:
    rated_study(prompts, unrated=unrated)
    page = open_page("systems", owner)
    assert said in words(page)
    assert not any("With the metric" in frame.value.columns for frame in page.dataframe)
