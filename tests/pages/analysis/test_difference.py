"""The Difference and Systems pages: empty, scored, too few stories, filtered, with names that want to be markup."""

import pytest

from core.annotation.studies import Study
from core.people import TERMINAL
from db.studies import studies
from db.transfer.demonstration import load_demonstration
from tests.pages.conftest import Open
from tests.pages.pages import cells, findings, words
from tests.rated import rated_study, unlike_ratings

HOSTILE = "**bold** <b>x</b> $y$"


def scored(prompts: int = 20, scheme: str = "mans") -> Study:
    """A metric and a system whose names want to be markup."""
    return rated_study(prompts, ("low", "middle", HOSTILE), (HOSTILE,), scheme)


@pytest.mark.parametrize("name", ["difference", "systems"])
def test_nothing_yet(open_page: Open, served: None, owner: str, name: str) -> None:
    assert "There is no study yet" in words(open_page(name, owner))
    studies.create(TERMINAL, "bare")
    sentence = words(open_page(name, owner))
    assert "no scores yet" in sentence or "there are no stories" in sentence


@pytest.mark.parametrize("name", ["difference", "systems"])
def test_an_annotator_is_turned_away(open_page: Open, study: Study, annotator: str, name: str) -> None:
    sentence = words(open_page(name, annotator))
    assert study.name not in sentence


def test_differences_of_every_metric_and_of_one(open_page: Open, served: None, owner: str) -> None:
    scored()
    page = open_page("difference", owner)
    sentence = words(page)
    assert "60 rated stories: 48 sets of 12, each begins 1 story after the one before" in sentence
    assert "Tied stories stand in an order that is drawn (seed 0)" in sentence
    assert "Of the pairs of sets that people tell apart" in sentence
    assert "The t-tests only describe these sets" in sentence
    assert "descriptive" in sentence
    assert HOSTILE in cells(page)
    assert len(page.get("plotly_chart")) == 2
    before = cells(page)
    page.number_input(key="seed").set_value(5).run()
    assert "Tied stories stand in an order that is drawn (seed 5)" in words(page)
    assert cells(page) != before


@pytest.mark.parametrize("name", ["difference", "drift"])
def test_ratings_that_do_not_agree_carry_no_headline(open_page: Open, served: None, owner: str, name: str) -> None:
    unlike_ratings(stories_rated=60)
    page = open_page(name, owner)
    assert "they can carry no verdict on a metric" in words(page)
    assert page.get("plotly_chart")
    assert not findings(page)


def test_another_best_metric_than_that_of_correlation_is_explained(open_page: Open, served: None, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("difference", owner)
    (sentence,) = findings(page)
    assert sentence.startswith("**meteor** follows the differences")
    assert page.dataframe[0].value["Metric"][0] == "meteor"
    assert "But by t-tests **meteor** tells apart only 8 of the 2,586 ordered pairs that people do, of the " in sentence
    assert "Correlation has **perplexity** first" in sentence


def test_the_papers_convention(open_page: Open, served: None, owner: str) -> None:
    scored()
    page = open_page("difference", owner)
    before = cells(page)
    page.segmented_control(key="convention").set_value("paper").run()
    assert not page.exception
    assert cells(page) != before
    assert "right of zero" in words(page)


def test_too_few_stories_for_sets(open_page: Open, served: None, owner: str) -> None:
    scored(5)
    page = open_page("difference", owner)
    assert "only 15 stories have both a score and a rating; 50 are needed" in words(page) + cells(page)
    assert not page.get("plotly_chart")


def test_systems_by_people_and_by_a_metric(open_page: Open, served: None, owner: str) -> None:
    scored()
    page = open_page("systems", owner)
    sentence = words(page)
    assert "Do metrics rank systems as people do?" in sentence
    assert "Correlations over 3 systems' means" in sentence
    assert "as on Correlation, and Perception Scores last" in sentence
    assert "orders all systems as people do" in findings(page)[0]
    assert len(page.get("plotly_chart")) == 4
    assert "2 to 2" in cells(page)
    page.selectbox(key="first").select("middle").run()
    assert not page.exception
    page.multiselect(key="systems").select("low").run()
    assert "All stories here are of one system" in words(page)
    assert not page.get("plotly_chart")
    page.multiselect(key="systems").select("middle").run()
    assert "only 2 systems have both scores and ratings; 3 are needed" in cells(page)


def test_metrics_over_systems_stand_best_first_and_gaps_are_dashes(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("flat", "half", "zz"))
    page = open_page("systems", owner)
    (over,) = [frame for frame in page.dataframe if "Pairs right" in frame.value.columns]
    assert list(over.value["Metric"]) == ["zz", "half", "flat"]
    assert {frame.proto.placeholder for frame in page.dataframe} == {"–"}


def test_a_turing_study_may_be_ranked_by_m1(open_page: Open, served: None, owner: str) -> None:
    scored(scheme="turing")
    page = open_page("systems", owner)
    page.segmented_control(key="judgment").set_value("m1").run()
    assert "Share m1" in cells(page)
    assert not page.exception
