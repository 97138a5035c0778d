"""The score page where metrics may work elsewhere: an owner says where, and only where there is a choice."""

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.engines.settings import EngineKind
from core.people import TERMINAL, Role
from db.jobs import jobs
from db.people import people
from tests.pages.conftest import Open
from tests.pages.pages import words


@pytest.fixture(autouse=True)
def choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Ray were installed here, whether it is or not."""
    monkeypatch.setattr("pages.ui.score.engine_form.choosable", lambda: True)


def kept(page: AppTest) -> object:
    """Press the button; what the job that is then queued keeps of an engine."""
    next(b for b in page.button if b.label == "Run the metrics").click().run()
    assert not page.exception
    job = jobs.claim("test")
    assert job is not None
    return job.settings.get("engine")


def test_as_usual_a_run_keeps_nothing_of_it(open_page: Open, study: Study, owner: str) -> None:
    assert kept(open_page("score", owner)) is None


def test_several_processes_of_this_machine(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("score", owner)
    page.number_input(key="engine-workers").set_value(3).run()
    assert kept(page) == {"kind": "local", "address": "", "workers": 3, "gpus": 0.0}


def test_a_cluster(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("score", owner)
    page.segmented_control(key="engine").set_value(EngineKind.RAY).run()
    page.text_input(key="engine-address").set_value("10.0.0.1:6379")
    page.number_input(key="engine-gpus").set_value(1.5).run()
    assert "a share of one GPU or several whole ones, not 1.5" in words(page)
    assert next(b for b in page.button if b.label == "Run the metrics").disabled
    page.number_input(key="engine-gpus").set_value(0.5).run()
    assert kept(page) == {"kind": "ray", "address": "10.0.0.1:6379", "workers": 0, "gpus": 0.5}


@pytest.mark.parametrize("who", ["researcher", "owner of one GPU"])
def test_without_a_choice_there_is_no_form(
    who: str, open_page: Open, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if who == "researcher":
        owner = people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id])
    else:
        monkeypatch.setattr("pages.ui.score.engine_form.choosable", lambda: False)
    page = open_page("score", owner)
    assert [item.key for item in page.number_input if str(item.key).startswith("engine")] == []
    assert kept(page) is None
