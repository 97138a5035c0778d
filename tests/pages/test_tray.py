"""The tray of jobs, on every page of those who run studies."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.jobs import JobState
from core.people import TERMINAL, Person, Role
from db.jobs import jobs
from db.jobs.tray import tray
from db.people import people
from db.transfer.demonstration import load_demonstration
from pages.ui.shared.jobs.tray import ENDED, OVER, PLACES, place_of
from tests.pages.conftest import ROOT, Open
from tests.pages.pages import words
from tests.sessions import visit_of
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
    settings = BLEU if kind == "score" else {"kind": "union", "name": "tales", "stories": []}
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


@pytest.mark.parametrize(("name", "followers"), [("score", {"_stands", "_jobs"}), ("train", {"_jobs"})])
def test_it_looks_as_often_as_the_page(
    open_page: Open, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch, name: str, followers: set[str]
) -> None:
    """Else one of them says that a run waits while the other says how far it is."""
    every: dict[str, float | None] = {}
    usual = st.fragment

    def noted(follower: Callable[..., Any], *, run_every: float | None = None) -> Any:
        every[follower.__name__] = run_every
        return usual(follower, run_every=run_every)

    settings = BLEU if name == "score" else {"kind": "union", "name": "tales", "stories": []}
    jobs.add(person(owner), name, study.id if name == "score" else None, settings)
    monkeypatch.setattr(st, "fragment", noted)
    open_page(name, owner)
    assert {every[follower] for follower in ("_tray", "_queue", *followers)} == {1.0}


def test_what_is_over_is_read_once_and_what_runs_each_time(
    served: None, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look() -> None:
        import streamlit

        from pages.ui.shared.jobs.tray import tray_items

        streamlit.text(len(tray_items()[1]))

    monkeypatch.setattr("pages.ui.shared.viewer.visit", lambda: visit_of(owner))
    running = jobs.add(person(owner), "score", study.id, BLEU, runner="worker")
    page = AppTest.from_function(look).run()
    end(person(owner), study.id, JobState.DONE)
    assert page.run().text[0].value == "2"
    jobs.finish(running.id, JobState.DONE, "finished")
    page.run()
    end(person(owner), study.id, JobState.DONE)
    assert page.run().text[0].value == "2"
    del page.session_state[OVER]  # as each page does at its end
    assert page.run().text[0].value == "3"


def test_what_a_page_queues_beside_news_is_asked_for(open_page: Open, study: Study, owner: str) -> None:
    end(person(owner), None, JobState.DONE, kind="train")
    page = open_page("score", owner)
    assert labels(page) == ["See it", "All seen"]
    assert OVER not in page.session_state  # so that the next look finds what was queued


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


@pytest.mark.parametrize(("name", "tab"), [("judges", "Biases"), ("correlation", "Significance")])
def test_the_way_leads_from_a_page_whose_tab_is_in_its_address(
    open_page: Open, owner: str, name: str, tab: str
) -> None:
    load_demonstration(TERMINAL)
    end(person(owner), None, JobState.FAILED, kind="train")
    page = open_page(name, owner)
    page.query_params["tab"] = tab
    page.run()
    (button,) = [button for button in page.button if button.label == "See it"]
    button.click().run()
    assert not page.exception
    assert page.title[0].value == "Train"
    assert "tab" not in page.query_params


def test_only_what_was_looked_at_is_no_news_any_more(open_page: Open, study: Study, owner: str) -> None:
    end(person(owner), study.id, JobState.DONE)
    end(person(owner), None, JobState.FAILED, kind="train")
    page = open_page("stories", owner)
    next(button for button in page.button if button.label == "See it").click().run()
    assert page.title[0].value == "Run metrics"
    page = open_page("stories", owner)
    assert labels(page) == ["See it", "All seen"]
    assert "tales: failed" in words(page)
    assert labels(open_page("train", owner)) == []
    assert labels(open_page("stories", owner)) == []


def test_every_leaving_names_the_address() -> None:
    """Streamlit refuses to leave for a page without one where a control is bound to the address."""
    for path in (ROOT / "pages").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.count("st.switch_page(") == len(re.findall(r"st\.switch_page\(.*query_params=", text)), path


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
