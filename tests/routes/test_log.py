"""The log as a file: whole, and for researchers alone."""

import json

import pytest

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.people import people
from db.studies import event_log
from tests.routes.client import browser, keep
from tests.sessions import key_of


def ask(path: str, token: str | None) -> "tuple[int, str, dict[str, str]]":
    client = browser()
    if token:
        keep(client, token)
    answer = client.get(path)
    return answer.status_code, answer.text, dict(answer.headers)


def test_a_researcher_gets_every_entry(study: Study) -> None:
    token = key_of(people.invite(TERMINAL, Role.RESEARCHER, name="r", runs=[study.id]))
    status, text, headers = ask(f"/log/{study.id}", token)
    assert status == 200
    assert [json.loads(line)["id"] for line in text.splitlines()] == [
        entry.id for entry in event_log.exported(TERMINAL, study.id)
    ]
    assert f'filename="log-{study.id}.jsonl"' in headers["content-disposition"]
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("token", [None, "nobody", "x" * 10_000])
def test_nobody_gets_nothing(study: Study, token: str | None) -> None:
    status, text, _ = ask(f"/log/{study.id}", token)
    assert (status, text) == (403, "The log needs a personal link; open yours first.")


def test_an_annotator_gets_nothing(study: Study) -> None:
    token = key_of(people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))
    status, text, _ = ask(f"/log/{study.id}", token)
    assert status == 403
    assert study.name not in text


def test_a_study_that_is_not_there(study: Study) -> None:
    token = key_of(people.invite(TERMINAL, Role.OWNER))
    assert ask("/log/999", token)[0] == 404
    assert ask(f"/log/{10**20}", token)[0] == 404  # more than a database takes for a number
    assert ask("/log/one", token)[0] == 404
