"""`prolific …` from a terminal, against the stand-in."""

from pathlib import Path
from typing import Any

import pytest

from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.people import TERMINAL
from core.prolific.draft import codes_of
from db.annotation import recruitment
from db.engine import engine
from db.monitor import panels, payments
from db.studies import studies
from tests.db.prolific.participants import PIDS, REMOTE, WHY, arrived, on_prolific, paid_states, submission_of, work
from tests.prolific.server import SECRET, TOKEN, WORKSPACE, Fault, ProlificServer
from tests.terminal import as_json, bad, good

NAME = ("--study", "on prolific")


@pytest.fixture
def study(database: str) -> Study:
    return on_prolific()


def drafted(home: Path, *words: str) -> Any:
    engine().dispose()
    return as_json("prolific", "draft", *NAME, "--minutes", "12", *words, home=home)


def test_a_draft_is_shown_before_it_is_made(home: Path, study: Study, prolific_server: ProlificServer) -> None:
    result = drafted(home, "--dry-run", "--address", "https://rate.example.org/")
    assert (result["draft"], prolific_server.studies) == (None, {})
    sent = result["sent"]
    token = recruitment.join_token(study.id)
    assert sent["external_study_url"].startswith(
        f"https://rate.example.org/join/{token}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
    )
    assert (sent["total_available_places"], sent["estimated_completion_time"], sent["reward"]) == (3, 12, 300)
    assert [code["code"] for code in sent["completion_codes"]] == [code.code for code in codes_of(study)]
    made = drafted(home, "--places", "7", "--device", "desktop", "--name", "Stories")
    ours = prolific_server.studies[made["draft"]]
    assert (ours["total_available_places"], ours["device_compatibility"], ours["name"]) == (7, ["desktop"], "Stories")
    assert studies.get(study.id).recruitment.draft == made["draft"]
    assert f"already, as {made['draft']}" in bad("prolific", "draft", *NAME, "--minutes", "9", home=home)
    assert len(prolific_server.studies) == 1
    assert drafted(home, "--another")["draft"] != made["draft"]
    out = good("prolific", "draft", *NAME, "--minutes", "9", "--another", "--dry-run", home=home)
    assert "Would be drafted" in out
    assert "code of “no consent”" in out


def test_publish_and_more_places(home: Path, study: Study, prolific_server: ProlificServer) -> None:
    assert "drafted nothing" in bad("prolific", "publish", *NAME, "--yes", home=home)
    made = drafted(home)
    result = as_json("prolific", "publish", *NAME, "--yes", home=home)
    assert (result["status"], result["places"], result["cost"], result["currency"]) == ("ACTIVE", 3, 12.6, "GBP")
    assert "no draft any more" in bad("prolific", "publish", *NAME, "--yes", home=home)
    assert "takes 4 or more" in bad("prolific", "places", *NAME, "--to", "3", "--yes", home=home)
    assert "has 5 places" in good("prolific", "places", *NAME, "--to", "5", "--yes", home=home)
    assert prolific_server.studies[made["draft"]]["total_available_places"] == 5
    good("backup", str(home / "all.zip"), home=home)
    for file in [path for path in home.rglob("*") if path.is_file() and "models" not in path.parts]:
        assert TOKEN.encode() not in file.read_bytes(), file


def test_decisions_are_reviewed_sent_and_not_sent_again(
    home: Path, study: Study, prolific_server: ProlificServer
) -> None:
    work(arrived(study, PIDS[0]))
    for panel_id in work(arrived(study, PIDS[1])):
        panels.pay(TERMINAL, panel_id, Payment.WITHHELD, WHY, "LOW_EFFORT")
    for pid in PIDS[:2]:
        prolific_server.submit(REMOTE, submission_of(pid))
    engine().dispose()
    rows = as_json("prolific", "review", *NAME, "--dry-run", home=home)["rows"]
    wanted = [(submission_of(PIDS[0]), "APPROVE", "", ""), (submission_of(PIDS[1]), "REJECT", "LOW_EFFORT", WHY)]
    assert [(row["submission"], row["decision"], row["category"], row["reason"]) for row in rows] == wanted
    assert [row["outcome"] for row in rows] == [None, None]
    assert prolific_server.asked == []
    prolific_server.faults.append(Fault("POST /submissions", status=401))
    assert "2 decisions are still to be sent" in bad("prolific", "review", *NAME, "--yes", home=home)
    rows = as_json("prolific", "review", *NAME, "--yes", home=home)["rows"]
    assert [row["outcome"] for row in rows] == ["sent", "sent"]
    assert paid_states(study) == {"paid": 1, "withheld": 1}
    engine().dispose()
    assert "no decision that Prolific does not have" in good("prolific", "review", *NAME, "--yes", home=home)


def test_bonuses_are_shown_paid_and_settled(home: Path, study: Study, prolific_server: ProlificServer) -> None:
    assert "No bonus is due" in good("prolific", "bonus", *NAME, "--yes", home=home)
    who = arrived(study, PIDS[0])
    payments.set_bonus(TERMINAL, who.id or 0, "1.25", "careful")
    prolific_server.submit(REMOTE, submission_of(PIDS[0]), "APPROVED")
    engine().dispose()
    shown = as_json("prolific", "bonus", *NAME, "--dry-run", home=home)
    assert shown["rows"] == [{"submission": submission_of(PIDS[0]), "hundredths": 125}]
    assert prolific_server.asked == []
    prolific_server.faults.append(Fault("POST /bulk", status=502))
    assert "is not known" in bad("prolific", "bonus", *NAME, "--yes", home=home)
    assert "Say first" in bad("prolific", "bonus", *NAME, "--yes", home=home)
    assert "paid or unpaid" in bad("prolific", "bonus", *NAME, "--settle", "perhaps", home=home)
    assert "Kept: unpaid" in good("prolific", "bonus", *NAME, "--settle", "unpaid", home=home)
    result = as_json("prolific", "bonus", *NAME, "--yes", home=home)["payment"]
    assert (result["number"], result["hundredths"], result["later"]) == (1, 125, 0)
    assert prolific_server.paid == {submission_of(PIDS[0]): [125]}


def test_reports_are_subscribed_to_once(
    home: Path, study: Study, prolific_server: ProlificServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_WEBHOOK_SECRET", raising=False)
    engine().dispose()
    assert "--new-secret" in bad("prolific", "subscribe", home=home)
    assert f"PROLIFIC_WEBHOOK_SECRET={SECRET}" in good("prolific", "subscribe", "--new-secret", home=home)
    monkeypatch.setenv("PROLIFIC_WEBHOOK_SECRET", SECRET)
    words = ("prolific", "subscribe", "--address", "https://rate.example.org")
    first, second = (as_json(*words, home=home) for _ in range(2))
    assert first["target"] == "https://rate.example.org/hooks/prolific"
    assert (first["new"], second["new"], len(prolific_server.subscriptions)) == (True, False, 1)
    prolific_server.workspaces["64" * 12] = "Another"
    assert f"there are: {WORKSPACE} (The lab)" in bad(*words, home=home)
    assert "no workspace 9" in bad(*words, "--workspace", "9", home=home)


def test_without_a_token_there_is_a_sentence(home: Path, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROLIFIC_TOKEN", raising=False)
    assert "PROLIFIC_TOKEN" in bad("prolific", "draft", *NAME, "--minutes", "9", home=home)


def test_an_address_that_nobody_can_open_is_not_sent(home: Path, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
    monkeypatch.delenv("PROLIFIC_API", raising=False)
    assert "FABULA_ADDRESS" in bad("prolific", "draft", *NAME, "--minutes", "9", home=home)
    monkeypatch.setenv("PROLIFIC_WEBHOOK_SECRET", SECRET)
