"""The live part of Prolific on the pages: only with a token, shown before it is sent, kept as it goes."""

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.annotation import recruitment
from db.monitor import panels, payments
from db.people import people
from db.studies import studies
from tests.db.prolific.participants import PIDS, REMOTE, WHY, arrived, on_prolific, paid_states, submission_of, work
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.prolific.server import TOKEN, Fault, ProlificServer


@pytest.fixture
def there(served: None) -> Study:
    return on_prolific()


def press(page: AppTest, key: str) -> AppTest:
    return page.button(key=key).click().run()


def show_draft(page: AppTest) -> None:
    (button,) = [button for button in page.button if button.label == "Show what is sent"]
    button.click().run()


def monitor(open_page: Open, owner: str) -> AppTest:
    page = open_page("", owner)
    page.query_params["monitor-tab"] = "Payments"
    return page.switch_page("monitor.py").run()


def test_without_a_token_a_line_says_how_to_set_it(
    open_page: Open, owner: str, there: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_TOKEN", raising=False)
    page = open_page("annotators", owner)
    assert "PROLIFIC_TOKEN" in words(page)
    assert not [button for button in page.button if button.label == "Show what is sent"]
    page = monitor(open_page, owner)
    assert "PROLIFIC_TOKEN" in words(page)


def test_drafted_looked_at_published_and_given_more_places(
    open_page: Open, owner: str, there: Study, prolific_server: ProlificServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FABULA_ADDRESS", "https://rate.example.org")
    page = open_page("annotators", owner)
    key = f"prolific-{there.id}"
    page.text_input(key=f"{key}-name").set_value("Read **stories** <b>")
    page.number_input(key=f"{key}-minutes").set_value(12)
    show_draft(page)
    assert prolific_server.studies == {}
    draft = f"prolific-draft-{there.id}"
    press(page, f"{draft}-make")
    (made,) = prolific_server.studies.values()
    assert (made["name"], made["estimated_completion_time"], made["reward"]) == ("Read **stories** <b>", 12, 300)
    assert made["external_study_url"].startswith("https://rate.example.org/join/")
    assert studies.get(there.id).recruitment.draft == made["id"]
    assert "The draft is on Prolific" in words(page)
    seen = f"prolific-standing-{there.id}-{made['id']}"
    press(page, f"{seen}-ask")
    assert {metric.label: metric.value for metric in page.metric}["Costs"] == "12.60 GBP"
    page.number_input(key=f"{seen}-places").set_value(5).run()
    press(page, f"{seen}-change")
    assert made["total_available_places"] == 5
    assert page.button(key=f"{seen}-publish").disabled
    page.checkbox(key=f"{seen}-sure").check().run()
    press(page, f"{seen}-publish")
    assert made["status"] == "ACTIVE"
    assert "is active on Prolific" in words(page)
    page.number_input(key=f"{seen}-places").set_value(2).run()
    press(page, f"{seen}-change")
    assert "takes 6 or more" in words(page)
    assert TOKEN not in str(page)


def test_what_prolific_refuses_is_one_sentence_and_nothing_is_kept(
    open_page: Open, owner: str, there: Study, prolific_server: ProlificServer
) -> None:
    page = open_page("annotators", owner)
    show_draft(page)
    assert "how many minutes" in words(page)
    page.number_input(key=f"prolific-{there.id}-minutes").set_value(12)
    show_draft(page)
    prolific_server.faults.append(Fault(status=400, body=b'{"error": {"detail": {"name": ["No :red[such] name."]}}}'))
    press(page, f"prolific-draft-{there.id}-make")
    assert "Prolific refuses this (400): name: No :red[such] name." in words(page)
    assert studies.get(there.id).recruitment.draft == ""


def test_decisions_are_shown_and_sent(
    open_page: Open, owner: str, there: Study, prolific_server: ProlificServer
) -> None:
    for pid in PIDS[:3]:
        work(arrived(there, pid))
    for pid in PIDS[:2]:
        prolific_server.submit(REMOTE, submission_of(pid))
    panels.pay(TERMINAL, work(arrived(there, PIDS[3]))[0], Payment.WITHHELD, WHY, "LOW_EFFORT")
    prolific_server.submit(REMOTE, submission_of(PIDS[3]))
    page = monitor(open_page, owner)
    button = page.button(key=f"send-{there.id}")
    assert button.disabled
    assert button.label == "Send: approve 3, reject 1"
    (sure,) = [box for box in page.checkbox if box.label == "I have read what is sent"]
    sure.check().run()
    press(page, f"send-{there.id}")
    assert "Prolific has 3 decisions more" in words(page)
    assert "1 could not be decided" in words(page)
    assert paid_states(there) == {"paid": 2, "due": 1, "withheld": 1}
    assert [prolific_server.submissions[submission_of(pid)]["status"] for pid in (PIDS[0], PIDS[3])] == [
        "APPROVED",
        "REJECTED",
    ]


def test_bonuses_are_prepared_paid_and_settled(
    open_page: Open, owner: str, there: Study, prolific_server: ProlificServer
) -> None:
    who = arrived(there, PIDS[0])
    payments.set_bonus(TERMINAL, who.id or 0, "1.25", "careful")
    prolific_server.submit(REMOTE, submission_of(PIDS[0]), "APPROVED")
    page = monitor(open_page, owner)
    assert "1.25 GBP" in words(page)
    press(page, f"prepare-{there.id}")
    assert "takes 1.75 from your account" in words(page)
    prolific_server.faults.append(Fault("POST /bulk", status=0, after=True))
    press(page, f"pay-bonuses-{there.id}")
    assert "is not known" in words(page)
    page = monitor(open_page, owner)
    assert "were they paid?" in words(page)
    press(page, f"were-paid-{there.id}")
    assert prolific_server.paid == {submission_of(PIDS[0]): [125]}
    assert not [button for button in page.button if button.key == f"prepare-{there.id}"]


def test_another_researcher_sees_nothing_of_it(open_page: Open, there: Study, prolific_server: ProlificServer) -> None:
    stranger = people.invite(TERMINAL, Role.RESEARCHER)
    page = open_page("annotators", stranger)
    assert not [button for button in page.button if button.label == "Show what is sent"]
    assert recruitment.join_token(there.id) not in str(page)
    assert prolific_server.asked == []
