"""The tray of jobs, on every page of those who run studies."""

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.jobs import JobState
from core.people import TERMINAL, Person, Role
from db.jobs import jobs
from db.jobs.tray import tray
from db.people import people
from pages.ui.shared.jobs.tray import ENDED, PLACES, place_of
from tests.pages.conftest import ROOT, Open
from tests.pages.pages import words
from worker import KINDS

BLEU = {"metrics": ["bleu"]}


def person(token: str) -> Person:
    result = people.by_token(token)
    assert result is not None
    return result


def labels(page: AppTest) -> list[str]:
    """Of the tray's buttons."""
    return [button.label for button in page.button if str(button.key).startswith("tray-")]


def end(by: Person, study: int | None, state: JobState, message: str = "finished", kind: str = "score") -> None:
    settings = BLEU if kind == "score" else {"name": "tales"}
    job = jobs.add(by, kind, study, settings, runner="worker")
    jobs.finish(job.id, state, message, {"rows": []})


@pytest.mark.parametrize("name", ["", "stories", "guide", "tokens", "people", "train"])
def test_every_page_shows_what_runs(open_page: Open, study: Study, owner: str, name: str) -> None:
    assert not labels(open_page(name, owner))
    job = jobs.add(person(owner), "score", study.id, BLEU, runner="worker")
    jobs.beat(job.id, done=43, total=100, message="bleu: 2.0 stories a second, about 3 min left")
    page = open_page(name, owner)
    assert not page.exception
    assert labels(page) == ["Cancel", "Its page"]
    texts = [bar.proto.text.replace("\\", "") for bar in page.get("progress")]
    assert "bleu: 43%, 3 min left" in texts


def test_cancel(open_page: Open, study: Study, owner: str) -> None:
    job = jobs.add(person(owner), "score", study.id, BLEU, runner="worker")
    page = open_page("stories", owner)
    page.button(key=f"tray-cancel-{job.id}").click().run()
    assert jobs.get(job.id).cancel_requested
    assert page.button(key=f"tray-cancel-{job.id}").label == "Stopping"


def test_a_page_that_ends_early_has_it(open_page: Open, owner: str) -> None:
    jobs.add(person(owner), "train", None, {"name": "tales"})
    assert labels(open_page("score", owner)) == ["Cancel", "Its page"]  # there is no study


def test_what_a_page_queues_is_there_at_once(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("score", owner)
    (button,) = [button for button in page.button if button.label == "Run the metrics"]
    button.click().run()
    assert labels(page) == ["Cancel", "Its page"]


def test_what_ended_is_named_until_it_is_seen(open_page: Open, study: Study, owner: str) -> None:
    end(person(owner), study.id, JobState.DONE)
    end(person(owner), None, JobState.FAILED, "The file <b>tales</b> is empty.", kind="train")
    page = open_page("stories", owner)
    assert labels(page) == ["See it", "See it", "All seen"]
    assert "bleu: done" in words(page)
    assert "tales: failed" in words(page)
    assert "The file <b>tales</b> is empty." in words(page).replace("\\", "")
    page.button(key="tray-seen").click().run()
    assert not labels(page)
    assert not labels(open_page("stories", owner))


def test_the_way_to_a_result_is_a_look(open_page: Open, study: Study, owner: str) -> None:
    end(person(owner), study.id, JobState.DONE)
    page = open_page("stories", owner)
    (button,) = [button for button in page.button if button.label == "See it"]
    button.click().run()
    assert page.title[0].value == "Run metrics"
    assert not labels(open_page("stories", owner))


def test_what_is_before_ones_eyes_is_no_news(open_page: Open, study: Study, owner: str) -> None:
    end(person(owner), study.id, JobState.DONE)
    assert not labels(open_page("score", owner))
    assert tray(person(owner)) == []


def test_others_see_theirs_alone(open_page: Open, study: Study, owner: str, annotator: str) -> None:
    jobs.add(person(owner), "score", study.id, BLEU)
    assert not labels(open_page("stories", people.invite(TERMINAL, Role.RESEARCHER, name="Ben")))
    assert labels(open_page("stories", people.invite(TERMINAL, Role.RESEARCHER, name="Eve", runs=[study.id])))
    page = open_page("", annotator)
    assert not page.exception
    assert not labels(page)


def test_every_kind_has_a_page_and_every_ending_a_word() -> None:
    assert set(PLACES) == set(KINDS) - {"tokens", "sentences", "explain"}  # whoever asks for these waits for them
    assert all((ROOT / "pages" / f"{name}.py").exists() for name in PLACES.values())
    assert set(ENDED) == {state for state in JobState if not state.active} - {JobState.CANCELLED}


def test_what_a_judge_said_is_seen_on_the_page_of_judges(study: Study, owner: str) -> None:
    for metrics, page in ((["judge"], "judges"), (["judge:coherence"], "judges"), (["bleu", "judge"], "score")):
        job = jobs.add(person(owner), "score", study.id, {"metrics": metrics}, runner="worker")
        assert place_of(job) == page
