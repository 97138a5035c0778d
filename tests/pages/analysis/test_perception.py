"""Perception Scores on the Systems page: none yet, asked for, refused, shown in every way, beside other metrics."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.checkpoints.kinds import Tuning
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord
from core.training.perception.order import PerceptionOrder, perception_order
from core.training.perception.scores import CriticScores, Trained
from db.jobs import jobs
from db.studies import story_texts
from db.training import perceptions
from db.transfer import imports
from tests.core.training.perception.task import corpus
from tests.pages.conftest import Open
from tests.pages.pages import cells, words

THIRD = "third $y$"


@pytest.fixture
def study(served: None) -> Study:
    """Three systems of 25 prompts, of which 5 are rated."""
    records = corpus(planted=True, prompts=25)
    records += [
        record.__class__(f"t{record.key}", record.prompt_key, record.prompt, record.text, record.source, THIRD)
        for record in records
        if record.system == "even"
    ]
    ratings = [
        RatingRecord(record.key, f"rater {rater}", 1.0 + rater + len(record.system) % 3)
        for record in records
        if record.system and int(record.prompt_key) < 5
        for rater in (0, 1)
    ]
    return imports.import_corpora(TERMINAL, "three", [Corpus("mans", tuple(records), tuple(ratings))])


def judged(group: str, key: str, level: float) -> CriticScores:
    places = range(10)
    return CriticScores(
        group,
        tuple(f"{key}{i}" for i in places),
        tuple(map(str, places)),
        tuple(level + i / 200 for i in places),
        tuple(0.3 + i / 20 for i in places),
        (0.99,) * 10,
    )


def kept(study: Study, *, groups: bool, of: tuple[str, ...] = ("odd", "even", THIRD)) -> int:
    """What critics of these systems say, with two seeds."""
    order = PerceptionOrder(study.id, story_texts.version(study.id), ("odd", "even"), groups=groups)
    parts = {"odd": judged("odd", "odd", 0.1), "even": judged("even", "even", 0.4), THIRD: judged(THIRD, "teven", 0.3)}
    trained = [
        Trained(
            name, seed, 14, 2, {}, 1.0, (parts[name], *(parts[other] for other in parts if groups and other != name))
        )
        for name in of
        for seed in (0, 1)
    ]
    return perceptions.add(TERMINAL, study.id, {**order.as_json(), "model": "base@1"}, trained)


def estimated(page: AppTest) -> int:
    """Seconds that the page foretells for four critics."""
    match = re.search(r"4 critics, roughly (\d+) s on an idle machine \(", words(page))
    assert match is not None, words(page)
    return int(match[1])


def test_none_yet_and_asked_for(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("systems", owner)
    assert "Train critics, and it stands above" in words(page)
    page.multiselect(key="critics-systems").unselect(THIRD).run()
    page.number_input(key="critics-seeds").set_value(2).run()
    estimates = [estimated(page), estimated(page.toggle(key="critics-groups").set_value(True).run())]
    assert estimates == sorted(set(estimates))  # other systems' texts take their time
    page.button(key="critics-start").click().run()
    assert not page.exception
    (job,) = jobs.of_study(study.id, kind="perception")
    asked = perception_order(job.settings)
    assert asked.systems == ("even", "odd")
    assert asked.groups
    assert asked.plan.seeds == (0, 1)
    assert asked.plan.tuning is Tuning.ADAPTER
    assert page.button(key="critics-start").disabled
    assert "Critics of even, odd on all-minilm-l6-v2, 2 a system" in words(page)
    jobs.cancel(TERMINAL, job.id)
    assert jobs.of_study(study.id) == []  # of scoring


def test_too_few_texts_are_refused_before_anything_runs(open_page: Open, served: None, owner: str) -> None:
    few = imports.import_corpora(TERMINAL, "few", [Corpus("mans", tuple(corpus(planted=False, prompts=10)))])
    page = open_page("systems", owner)
    page.button(key="critics-start").click().run()
    assert "of its 10 stories the prompts of 10 have a human story" in words(page)
    assert jobs.of_study(few.id, kind="perception") == []


def signature(page: AppTest) -> str:
    """What stands behind the question mark of the chosen metric, without the signs that escape it."""
    return str(page.selectbox(key="metric").help).replace("\\", "")


def test_scores_stand_beside_people_in_every_way(open_page: Open, study: Study, owner: str) -> None:
    kept(study, groups=False)
    page = open_page("systems", owner)
    assert not page.exception
    sentence = words(page)
    assert "Correlations over 3 systems' means" in sentence
    assert "30 texts that it has not seen" in sentence
    assert "perception|model:base@1" in signature(page)
    result = cells(page)
    assert "perception" in result
    assert "Paper without m" in result
    assert "critics of" not in sentence
    page.segmented_control(key="perception-weights").set_value("confidence").run()
    assert "weights:confidence|without:nothing" in signature(page)
    assert cells(page) != result
    page.segmented_control(key="perception-without").set_value("m").run()
    assert "weights:confidence|without:m" in signature(page)
    before = cells(page)
    page.segmented_control(key="means").set_value("All stories").run()
    assert not page.exception
    assert cells(page) != before


def test_one_systems_critics_on_all_texts(open_page: Open, study: Study, owner: str) -> None:
    kept(study, groups=True)
    page = open_page("systems", owner)
    assert not page.exception
    page.selectbox(key="perception-critics").select("even").run()
    assert not page.exception
    assert "critics-of:even" in signature(page)
    page.selectbox(key="first").select("even").run()
    assert "Paired differences" in words(page) or "Difference" in cells(page)


def test_a_system_with_scores_is_compared_with_first(open_page: Open, study: Study, owner: str) -> None:
    kept(study, groups=False, of=("odd", THIRD))
    page = open_page("systems", owner)
    assert page.selectbox(key="first").options[-1] == "even"
    assert "No prompt has scores" not in words(page)
    assert "No prompt has scores" in words(page.selectbox(key="first").select("even").run())


def test_a_link_to_it_and_no_weights_without_m(open_page: Open, study: Study, owner: str) -> None:
    kept(study, groups=False)
    page = open_page("systems", owner)
    page.selectbox(key="metric").select("perception").run()
    page.run()
    assert "which these stories have no scores of" not in words(page)
    assert page.selectbox(key="metric").value == "perception"
    page.segmented_control(key="perception-without").set_value("m").run()
    page.segmented_control(key="perception-weights").set_value("none").run()
    assert "weights:none|without:nothing" in signature(page)


def test_a_training_is_deleted(open_page: Open, study: Study, owner: str) -> None:
    number = kept(study, groups=False)
    page = open_page("systems", owner)
    assert page.button(key="perception-delete").disabled
    page.checkbox(key=f"perception-sure-{number}").check().run()
    page.button(key="perception-delete").click().run()
    assert not page.exception
    assert perceptions.listed(TERMINAL, study.id) == []
    assert kept(study, groups=False) > number


def test_deleted_meanwhile(open_page: Open, study: Study, owner: str) -> None:
    number = kept(study, groups=False)
    page = open_page("systems", owner)
    perceptions.remove(TERMINAL, number)
    page.run()
    assert not page.exception
    assert "Train critics, and it stands above" in words(page)
