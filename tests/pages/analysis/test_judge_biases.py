"""The Biases tab: the run that measures a judge, here or on a server, and the table that follows."""

from streamlit.testing.v1 import AppTest

import worker
from core.jobs import JobState
from core.people import TERMINAL
from db.jobs import jobs
from db.judges import consent, probes
from tests.db.judged import judged_study
from tests.judges.server import MODEL, JudgeServer
from tests.pages.conftest import Open
from tests.pages.pages import words


def opened(open_page: Open, owner: str) -> AppTest:
    page = open_page("judges", owner)
    page.session_state["tab"] = "Biases"
    page.run()
    assert not page.exception
    return page


def test_a_run_is_queued_with_what_was_chosen(open_page: Open, served: None, owner: str) -> None:
    study = judged_study(prompts=6)
    page = opened(open_page, owner)
    said = words(page)
    assert "Its ratings were imported, so there is no model here to ask again." in said
    assert "judge:coherence: 324 questions at most, roughly" in said
    page.number_input(key="bias-stories").set_value(5)
    page.number_input(key="bias-seed").set_value(3)
    page.run()
    assert "judge:coherence: 90 questions at most" in words(page)
    page.button(key="measure-biases").click().run()
    assert not page.exception
    (job,) = jobs.of_study(study.id, kind="biases")
    assert (job.settings["metrics"], job.settings["stories"], job.settings["seed"]) == (["judge:coherence"], 5, 3)
    assert "Waiting: it is the next" in str(page.get("progress")[0].proto)
    jobs.cancel(TERMINAL, job.id)


def test_on_a_server_after_consent_and_the_table_has_all_biases(
    open_page: Open, served: None, owner: str, judge_server: JudgeServer
) -> None:
    study = judged_study(prompts=6)
    page = opened(open_page, owner)
    page.segmented_control(key="judge-runs-on").set_value("a server").run()
    assert page.button(key="measure-biases").disabled
    page.text_input(key="endpoint-address").set_value(judge_server.address)
    page.text_input(key="endpoint-model").set_value(MODEL)
    page.run()
    assert "would leave this machine" in words(page)
    assert page.button(key="measure-biases").disabled
    page.button(key="endpoint-agree").click().run()
    consent.check(study.id, judge_server.address)
    page.number_input(key="endpoint-prompt_price").set_value(10.0)
    page.number_input(key="bias-stories").set_value(3)
    page.run()
    assert "judge:coherence: 54 requests to 127.0.0.1" in words(page)
    page.button(key="measure-biases").click().run()
    job = jobs.claim("test")
    assert job is not None
    assert worker.run_job(job).state is JobState.DONE
    (judge,) = probes.probed(study.id)
    page.run()
    names = page.selectbox(key="judge").options
    (asked,) = [name for name in names if name.startswith("judge:coherence[")]
    page.selectbox(key="judge").set_value(asked).run()
    assert not page.exception
    assert "Measured on 3 stories" in words(page)
    one = page.dataframe[1].value
    assert {"asked again", "other wordings", "injected instruction"} <= set(one["Bias"])
    repeat = one[one["Bias"] == "asked again"].iloc[0]
    assert (repeat["Figure"], repeat["n"]) == (0.0, 3)
    assert judge[1].startswith("judge:coherence|")


def test_a_judge_that_was_scored_and_not_asked_again_is_told_so(
    open_page: Open, served: None, owner: str, judge_server: JudgeServer
) -> None:
    study = judged_study(prompts=2)
    consent.give(TERMINAL, study.id, judge_server.address)
    endpoint = {"address": judge_server.address, "model": MODEL}
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["judge:coherence"], "judge": {"endpoint": endpoint}})
    job = jobs.claim("test")
    assert job is not None
    assert worker.run_job(job).state is JobState.DONE
    page = opened(open_page, owner)
    (asked,) = [name for name in page.selectbox(key="judge").options if name.startswith("judge:coherence[")]
    page.selectbox(key="judge").set_value(asked).run()
    assert "This judge has not been asked again." in words(page)
    assert page.dataframe[1].value["Undefined"].str.contains("no bias run yet").any()
