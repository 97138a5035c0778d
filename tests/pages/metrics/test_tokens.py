"""The token view: what is chosen is what is read, what was read is there at once, and what is wrong is a sentence."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import worker
from core.annotation.studies import Study
from core.formats.gltr import gltr_json
from core.jobs import JobState
from core.models.tokens.settings import TokenRequest
from core.models.tokens.table import read_tokens
from core.people import TERMINAL
from core.tokens import Mode, summarise
from db.jobs import jobs, token_tables
from db.jobs.lanes import Lane
from db.judges import consent
from db.studies import story_list
from tests.core.made_tokens import made_table
from tests.judges.likelihood_server import START, LikelihoodServer
from tests.judges.server import MODEL
from tests.pages.conftest import Open
from tests.pages.pages import words

TEXT = "The fox went home and then it rained all day long on the river."


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker runs here: nothing is worth waiting for."""
    monkeypatch.setattr("pages.ui.shared.jobs.awaited_job.PATIENCE", 0.0)


def keep(text: str, mode: Mode = Mode.CAUSAL, model: str = "") -> None:
    """As if it had been read."""
    asked = TokenRequest(text, model, mode)
    token_tables.store(asked.signature(), made_table(text, model="made@1", mode=mode))


def press(page: AppTest, label: str = "Show the tokens") -> AppTest:
    return next(b for b in page.button if b.label == label).click().run()


def control(page: AppTest, label: str, value: str) -> AppTest:
    return next(g for g in page.segmented_control if g.label == label).set_value(value).run()


def test_the_example_is_one_press_and_the_worker_reads_it(open_page: Open, owner: str) -> None:
    page = press(open_page("tokens", owner), "Try an example")
    assert page.text_area[0].value.startswith("As she stood there")
    assert "Cancel" in [button.label for button in page.button]
    assert not page.metric
    job = jobs.claim("test", lane=Lane.QUICK)
    assert job is not None
    assert job.settings == {"text": page.text_area[0].value, "model": "", "mode": "causal"}
    keep(job.settings["text"])
    assert worker.run_job(job).state is JobState.DONE
    page.run()
    told = {metric.label: metric.value for metric in page.metric}
    assert int(told["Tokens"]) == len(job.settings["text"].split())
    assert 0 < float(told["Fp"]) < 1
    assert "Model: made@1 (causal)." in words(page)
    mean = float(made_table(job.settings["text"], model="made@1", mode=Mode.CAUSAL).log_p.mean())
    assert f"as a score is −{-mean:.2f}, the negated log-perplexity, so that higher is better" in words(page)
    assert page.query_params["reading1"] in (str(job.id), [str(job.id)])


def test_a_text_that_was_read_is_there_without_a_press(open_page: Open, owner: str) -> None:
    keep(TEXT)
    page = open_page("tokens", owner)
    page.text_area[0].set_value(TEXT).run()
    assert {metric.label: metric.value for metric in page.metric}["Tokens"] == "14"
    assert jobs.claim("test") is None


def test_the_bundled_models_numbers_have_others_beside_them(open_page: Open, owner: str) -> None:
    read = made_table(TEXT, model="smollm2-135m-instruct@1", mode=Mode.CAUSAL)
    token_tables.store(TokenRequest(TEXT).signature(), read)
    page = open_page("tokens", owner)
    page.text_area[0].set_value(TEXT).run()
    assert "49 to 64 % of the tokens in the top 10, Fp 0.30 to 0.42, perplexity 45 to 110" in words(page)


def test_nothing_to_read_is_said(open_page: Open, owner: str) -> None:
    page = press(open_page("tokens", owner))
    assert "There is no text to read" in words(page)
    page.text_area[0].set_value(" \n ")
    assert "There is no text to read" in words(press(page))


def test_a_single_token_is_said(open_page: Open, owner: str) -> None:
    token_tables.store(TokenRequest("Fox").signature(), made_table("Fox"))
    page = open_page("tokens", owner)
    page.text_area[0].set_value("Fox").run()
    assert "A text of a single token" in words(page)


def test_a_story_of_a_study_by_its_address(open_page: Open, study: Study, owner: str) -> None:
    (story,) = story_list.stories(TERMINAL, study.id, "three", "1-three")[0]
    keep(story_list.text_of(story.id))
    page = open_page("tokens", owner)
    page.query_params["story"] = str(story.id)
    control(page, "Text", "A story of a study")
    assert {box.label: box.value for box in page.selectbox}["Story"] == story.id
    assert page.metric
    page.selectbox(key="system1").set_value("human").run()
    assert "0-human" in str(page.selectbox(key="story1").options)
    assert not page.metric
    press(page)
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["story"] == page.selectbox(key="story1").value
    assert "text" not in job.settings


def test_one_text_under_two_models_and_two_texts(open_page: Open, owner: str, tmp_path: Path) -> None:
    other = TEXT.replace("fox", "wolf")
    keep(TEXT)
    keep(other)
    page = open_page("tokens", owner)
    page.text_area[0].set_value(TEXT).run()
    control(page, "Compare with", "Another model")
    assert "Which other model? Type its folder" in words(page)
    assert not page.error
    control(page, "Compare with", "Another text")
    page.text_area(key="text2").set_value(TEXT).run()
    assert "Both texts are the same" in words(page)
    page.text_area(key="text2").set_value(other).run()
    assert [metric.label for metric in page.metric].count("Fp") == 2
    assert {"Pasted text 1", "Pasted text 2"} <= set(words(page).splitlines())


def test_buckets_must_ascend(open_page: Open, owner: str) -> None:
    keep(TEXT)
    page = open_page("tokens", owner)
    page.text_area[0].set_value(TEXT).run()
    page.number_input(key="rank1").set_value(5).run()
    assert "Rank 6 to 100" in [metric.label for metric in page.metric]
    page.number_input(key="rank2").set_value(3).run()
    assert "must end later than the one before" in words(page)
    assert "Rank 11 to 100" in [metric.label for metric in page.metric]


@pytest.mark.parametrize("content", [b"{}", b"[1, 2", json.dumps({"request": {"text": 3}, "result": []}).encode()])
def test_a_wrong_gltr_file_is_one_sentence(open_page: Open, owner: str, content: bytes) -> None:
    page = control(open_page("tokens", owner), "Text", "A GLTR file")
    page.file_uploader[0].set_value(("wrong.json", content, "application/json")).run()
    assert not page.exception
    assert len(page.error) == 1
    assert not page.metric


def test_a_gltr_file_is_shown_without_a_model(open_page: Open, owner: str) -> None:
    page = control(open_page("tokens", owner), "Text", "A GLTR file")
    content = gltr_json(made_table(TEXT)).encode()
    page.file_uploader[0].set_value(("mine.json", content, "application/json")).run()
    assert {metric.label: metric.value for metric in page.metric}["Tokens"] == "14"
    assert "To compare" not in words(page)  # another model has read it
    assert jobs.claim("test") is None


def test_a_reading_that_fails_says_why_and_one_under_way_can_be_cancelled(open_page: Open, owner: str) -> None:
    page = open_page("tokens", owner)
    page.text_area[0].set_value(TEXT).run()
    control(page, "How it reads", "Masked")
    next(t for t in page.text_input if t.label == "Masked language model").set_value("nobody/no-such-model").run()
    press(page)
    next(b for b in page.button if b.label == "Cancel").click().run()
    job = jobs.get(1)
    assert job.state is JobState.CANCELLED
    assert "The reading was cancelled." in words(page.run())
    press(page)
    job = jobs.claim("test")
    assert job is not None
    worker.run_job(job)
    assert "is not on this machine" in words(page.run())


def test_a_text_that_repeats_itself_is_warned_of(open_page: Open, owner: str) -> None:
    text = "It went on and on until the very end. " * 8
    keep(text)
    page = open_page("tokens", owner)
    page.text_area[0].set_value(text).run()
    assert "The text repeats itself" in words(page)


def test_a_server_reads_a_story_of_a_study_that_allows_it(
    open_page: Open, study: Study, owner: str, likelihood_server: LikelihoodServer
) -> None:
    """And nothing before an owner has agreed, or after that was taken back."""
    page = open_page("tokens", owner)
    assert "The model runs on" not in [item.label for item in page.segmented_control]  # of a pasted text nobody agreed
    page = control(page, "Text", "A story of a study")
    page = control(page, "The model runs on", "a server")
    page.text_input(key="endpoint-address").set_value(likelihood_server.address)
    page.text_input(key="endpoint-model").set_value(MODEL)
    page.text_input(key="endpoint-start").set_value(START).run()
    assert "would leave this machine" in words(page)
    assert "There is no text to read" in words(press(page))
    assert jobs.claim("test", lane=Lane.QUICK) is None
    press(page, "I agree that they are sent there")
    page = press(page)
    assert not page.exception
    job = jobs.claim("test", lane=Lane.QUICK)
    assert job is not None
    assert set(job.settings) == {"story", "endpoint"}
    consent.withdraw(TERMINAL, study.id, likelihood_server.address)
    failed = worker.run_job(job)
    assert failed.state is JobState.FAILED
    assert "an owner has to agree first" in failed.message
    assert not likelihood_server.asked
    consent.give(TERMINAL, study.id, likelihood_server.address)
    page = press(page.run())
    job = jobs.claim("test", lane=Lane.QUICK)
    assert job is not None
    done = worker.run_job(job)
    assert done.state is JobState.DONE, done.message
    page.run()
    assert f"Model: {MODEL}@127.0.0.1" in words(page)
    here = summarise(read_tokens([story_list.text_of(job.settings["story"])])[0])
    told = {metric.label: metric.value for metric in page.metric}
    assert int(told["Tokens"]) == here.tokens
    assert float(told["Fp"]) == pytest.approx(here.fp, abs=1e-2)
    again = worker.run_job(jobs.add(TERMINAL, "tokens", None, job.settings, runner="test"))
    assert again.state is JobState.DONE
    assert len(likelihood_server.asked) == 1
