"""The score page where models run on a server: what is asked, who agrees, what is then run."""

from collections.abc import Sequence

import pytest
from streamlit.testing.v1 import AppTest

import worker
from core.annotation.studies import Study
from core.jobs import JobState
from core.people import TERMINAL, Role
from db.jobs import jobs
from db.judges import consent
from db.people import people
from tests.judges.likelihood_server import START, LikelihoodServer
from tests.judges.server import KEY, MODEL, JudgeServer
from tests.pages.conftest import Open
from tests.pages.pages import words


def button(page: AppTest, label: str) -> "AppTest.button":  # type: ignore[name-defined]
    (found,) = [item for item in page.button if item.label == label]
    return found


def choose_judge(page: AppTest, address: str, model: str = MODEL, metrics: Sequence[str] = ("judge",)) -> AppTest:
    for kind in ("referenced", "hybrid"):
        page.session_state[f"metrics-1-{kind}"] = []
    page.session_state["metrics-1-unreferenced"] = list(metrics)
    page.run()
    page.segmented_control(key="judge-runs-on").set_value("a server").run()
    page.text_input(key="endpoint-address").set_value(address)
    page.text_input(key="endpoint-model").set_value(model)
    page.run()
    assert not page.exception
    return page


def test_an_owner_agrees_and_the_judge_runs_there(
    open_page: Open, study: Study, owner: str, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FABULA_JUDGE_KEY", KEY)
    judge_server.key = KEY
    address = judge_server.address
    page = choose_judge(open_page("score", owner), address)
    assert f"would leave this machine for {address}" in words(page)
    assert "The key in FABULA_JUDGE_KEY goes there too." in words(page)
    assert button(page, "Run the metrics").disabled
    button(page, "I agree that they are sent there").click().run()
    consent.check(study.id, address)
    page.number_input(key="endpoint-prompt_price").set_value(1000.0)
    page.number_input(key="endpoint-cap").set_value(500.0)
    page.number_input(key="endpoint-concurrency").set_value(4)
    page.run()
    assert "10 requests to 127.0.0.1" in words(page)
    assert "at most." in words(page)
    button(page, "Run the metrics").click().run()
    assert not page.exception
    job = jobs.claim("test")
    assert job is not None
    kept = job.settings["judge"]["endpoint"]
    assert (kept["address"], kept["model"], kept["cap"], kept["concurrency"]) == (address, MODEL, 500.0, 4)
    assert KEY not in repr(job)
    done = worker.run_job(job)
    assert done.state is JobState.DONE, done.message
    assert len(judge_server.asked) == 10
    page.run()
    assert "stored already" in words(page)
    assert KEY not in words(page)
    button(page, "Take that back").click().run()
    assert consent.given(TERMINAL, study.id) == []
    assert button(page, "Run the metrics").disabled


def test_a_researcher_does_not_agree(open_page: Open, study: Study, judge_server: JudgeServer) -> None:
    token = people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id])
    page = choose_judge(open_page("score", token), judge_server.address)
    assert "an owner has to agree" in words(page)
    assert not [item for item in page.button if item.label.startswith("I agree")]
    assert button(page, "Run the metrics").disabled


def test_what_is_taken_back_meanwhile_is_not_sent(
    open_page: Open, study: Study, owner: str, judge_server: JudgeServer
) -> None:
    consent.give(TERMINAL, study.id, judge_server.address)
    page = choose_judge(open_page("score", owner), judge_server.address)
    button(page, "Run the metrics").click().run()
    consent.withdraw(TERMINAL, study.id, judge_server.address)
    job = jobs.claim("test")
    assert job is not None
    done = worker.run_job(job)
    assert done.state is JobState.FAILED
    assert "an owner has to agree first" in done.message
    assert not judge_server.asked


@pytest.mark.parametrize(("address", "words_of_it"), [("example.org", "http:// or https://"), ("", "Give the base")])
def test_an_address_that_is_none(open_page: Open, study: Study, owner: str, address: str, words_of_it: str) -> None:
    page = choose_judge(open_page("score", owner), address)
    assert words_of_it in words(page)
    assert button(page, "Run the metrics").disabled


def test_here_there_is_nothing_to_agree_to(open_page: Open, study: Study, owner: str) -> None:
    page = choose_judge(open_page("score", owner), "")
    page.segmented_control(key="judge-runs-on").set_value("this machine").run()
    assert "Base address" not in [item.label for item in page.text_input]
    assert not button(page, "Run the metrics").disabled


def test_a_language_model_runs_there(
    open_page: Open, study: Study, owner: str, likelihood_server: LikelihoodServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same form as a judge, and what stands before a text besides."""
    monkeypatch.setenv("FABULA_JUDGE_KEY", KEY)
    likelihood_server.key = KEY
    page = choose_judge(open_page("score", owner), likelihood_server.address)
    assert "Token before a text" not in [item.label for item in page.text_input]
    page = choose_judge(open_page("score", owner), likelihood_server.address, metrics=["perplexity", "fp"])
    assert "a story goes whole" in words(page)
    assert button(page, "Run the metrics").disabled
    button(page, "I agree that they are sent there").click().run()
    page.text_input(key="endpoint-start").set_value(START)
    page.number_input(key="endpoint-prompt_price").set_value(1000.0)
    page.run()
    assert words(page).count("10 requests to 127.0.0.1") == 2
    button(page, "Run the metrics").click().run()
    assert not page.exception
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["judge"]["endpoint"]["start"] == START
    done = worker.run_job(job)
    assert done.state is JobState.DONE, done.message
    assert len(likelihood_server.asked) == 20
    assert done.result is not None
    assert [row["undefined"] for row in done.result["rows"]] == [0, 0]
    assert [text.split(",")[0] for text in done.result["notices"]] == [
        "perplexity: 10 replies",
        "fp: 10 replies",
    ]
    assert KEY not in repr(done)
    page.run()
    assert "stored already" in words(page)
    assert KEY not in words(page)
