"""Systems: people's means alone and with a metric, and what is said where a metric has nothing to add."""

import json
import re

import pytest

from core.analysis.verdict.best_system import NO_ORDER
from core.analysis.verdict.few_stories import DISAGREED
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.scores import scores
from tests.pages.conftest import Open
from tests.pages.pages import findings, opened, words
from tests.rated import rated_study, unlike_ratings


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


@pytest.mark.parametrize("systems", [3, 6])
def test_the_headline_orders_systems_as_this_page(served: None, open_page: Open, owner: str, systems: int) -> None:
    rated_study(40, [f"system {place}" for place in range(systems)], ["all", "coarse"])
    shown, every = open_page("systems", owner), systems * (systems - 1) // 2
    (frame,) = [one.value for one in shown.dataframe if "p of τ-b" in one.value.columns]
    assert not {"Systems", "n", "Pairs", "Apart"} & set(frame.columns)  # the same of both metrics, and said below
    assert "tell apart is decided by the 95 % interval of the difference of two means" in words(shown)
    few = "Soft pairwise accuracy of 3 systems rests on 3 pairs: too few to say" in words(shown)
    assert few == (systems == 3)
    assert f"Of every metric: {systems} systems, {systems * 40} stories, {every} pairs of systems" in words(shown)
    (found,) = findings(open_page("overview", owner))
    best = found.split("**")[1]
    row = frame[frame["Metric"] == best].iloc[0]
    pairs = f"{round(row['Pairs right'] * every)} of {every} pairs in people's order"
    assert f"Over the {systems} systems **{best}** puts {pairs}" in found
    p = re.search(r"chance \(Kendall's τ-b, p = (\d\S*?)(; corrected for the number of metrics, p = \d\S*?)?\)", found)
    assert (p is None) == (systems == 3) == ("with so few systems no order can be told" in found)
    assert p is None or float(p[1]) == pytest.approx(row["p of τ-b"], rel=0.005)


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


def test_of_ratings_that_do_not_agree_nothing_is_claimed_of_systems(served: None, open_page: Open, owner: str) -> None:
    unlike_ratings()
    page = open_page("systems", owner)
    assert findings(page) == [NO_ORDER]
    frames = [frame.value for frame in page.dataframe]
    assert not [name for frame in frames for name in frame.columns if name.startswith("p of") or "old apart" in name]
    (metrics,) = [frame for frame in frames if "Pairs right" in frame.columns]
    assert list(metrics["Metric"]) == ["m"]
    assert words(page).count(DISAGREED) == 1
    assert "tell apart is decided" not in words(page)


def test_headings_are_short_where_the_table_would_not_fit(served: None, open_page: Open, owner: str) -> None:
    """On the page alone: files keep the columns' names."""
    rated_study()
    (table,) = [frame for frame in open_page("systems", owner).dataframe if "Pairs right" in frame.value.columns]
    headings = {name: config.get("label") for name, config in json.loads(table.proto.columns).items()}
    assert [headings[name] for name in ("Soft pairs", "Pairs right", "Right, apart")] == ["Soft", "Right", "Of apart"]


def test_a_judge_of_few_stories_is_counted_on_no_page(served: None, open_page: Open, owner: str) -> None:
    study = rated_study(60, metrics=("all", "other"))
    tried = {f"{prompt}-0": 2.0 + prompt % 3 for prompt in range(30)}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("judge:overall", "file:1|column:judge:overall", tried))
    left_out = "**judge:overall** is in no test: it has scores of too few of these stories."
    (overview,) = findings(open_page("overview", owner))
    (systems,) = findings(open_page("systems", owner))
    assert left_out in overview
    assert systems.endswith(left_out)
    assert "Of 2 metrics, " in systems
    page = opened(open_page, owner, "report", {"metric": "all"})
    assert "of 2 metrics" in words(page)
