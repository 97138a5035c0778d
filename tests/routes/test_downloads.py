"""Downloads: a zip for researchers, nothing for anybody else."""

import io
import zipfile
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.serving.sessions import COOKIE
from db.people import people, sessions
from db.studies import studies
from routes.downloads import disposition
from tests.db.conftest import make_study
from tests.routes.client import browser, keep, known_as


@pytest.fixture
def study(database: str) -> Study:
    """A study with a name that no file can have."""
    return make_study('../=a "b"\r\nX: <é> 😀')


def asked(role: Role | None, study: Study) -> TestClient:
    """A browser with the link of somebody who has this role."""
    client = browser()
    if role is not None:
        token = people.invite(
            TERMINAL,
            role,
            study_id=study.id if role is Role.ANNOTATOR else None,
            runs=[study.id] if role is Role.RESEARCHER else [],
        )
        known_as(client, token)
    return client


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "mans"])
def test_a_researcher_gets_a_zip(study: Study, kind: str) -> None:
    answer = asked(Role.RESEARCHER, study).get(f"/download/{study.id}/{kind}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert "manifest.json" in archive.namelist()


def test_the_ratings_are_one_file(study: Study) -> None:
    answer = asked(Role.RESEARCHER, study).get(f"/download/{study.id}/sheet")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "-ratings.csv" in answer.headers["content-disposition"]
    assert answer.content.decode("utf-8-sig").startswith("prompt_id,prompt,story_id,")


def test_preferences_are_made_of_the_target_that_is_asked_for(study: Study) -> None:
    client = asked(Role.RESEARCHER, study)
    assert client.get(f"/download/{study.id}/preferences?target=overall").status_code == 200
    refused = client.get(f"/download/{study.id}/preferences?target=wit")
    assert (refused.status_code, "There is no criterion 'wit' here" in refused.text) == (400, True)


@pytest.mark.parametrize(
    ("margin", "status", "sentence"),
    [
        ("0.5", 200, ""),
        ("9", 400, "A least margin is from 0 to 4 points, the width of the scale, not 9."),
        ("much", 400, "A least margin is a number of points, not 'much'."),
    ],
)
def test_preferences_are_as_far_apart_as_is_asked_for(study: Study, margin: str, status: int, sentence: str) -> None:
    answer = asked(Role.RESEARCHER, study).get(f"/download/{study.id}/chosen?margin={margin}")
    assert answer.status_code == status
    if sentence:
        assert answer.text == sentence
    else:
        assert f"chosen-margin-{margin}.zip" in answer.headers["content-disposition"]


@pytest.mark.parametrize("role", [None, Role.ANNOTATOR])
@pytest.mark.parametrize("kind", ["csv", "mans", "sheet", "no such format"])
def test_nobody_else_gets_anything(study: Study, role: Role | None, kind: str) -> None:
    answer = asked(role, study).get(f"/download/{study.id}/{kind}")
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/plain")
    assert not any(word in answer.text for word in ("Opening", "manifest", "<é>", "small"))
    assert answer.headers["cache-control"] == "no-store"


def test_a_forged_or_revoked_cookie(study: Study) -> None:
    client = asked(Role.RESEARCHER, study)
    visit = sessions.by_key(client.cookies[COOKIE])
    assert visit is not None
    people.revoke(TERMINAL, visit.person.id or 0)
    assert client.get(f"/download/{study.id}/csv").status_code == 403
    keep(client, "x" * 10_000)
    assert client.get(f"/download/{study.id}/csv").status_code == 403


def test_what_is_not_there_or_cannot_be(study: Study) -> None:
    client = asked(Role.OWNER, study)
    assert client.get(f"/download/{study.id + 1}/csv").status_code == 404
    assert client.get("/download/one/csv").status_code == 404
    assert client.get("/download/99999999999999999999/csv").status_code == 404
    refused = client.get(f"/download/{study.id}/union")
    assert (refused.status_code, "UNION scheme" in refused.text) == (400, True)
    assert "choose csv, jsonl or parquet" in client.get(f"/download/{study.id}/exe").text
    assert client.post(f"/download/{study.id}/csv").status_code == 405


def test_the_name_is_safe_in_the_header(study: Study) -> None:
    header = asked(Role.OWNER, study).get(f"/download/{study.id}/csv").headers["content-disposition"]
    assert header.startswith('attachment; filename="')
    assert unquote(header.split("UTF-8''")[1]) == "__a _b_X_ _é_ _-csv.zip"
    assert studies.get(study.id).name.startswith("../")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200))
def test_no_name_breaks_out_of_the_header(name: str) -> None:
    header = disposition(f"{name}-csv.zip")
    header.encode("ascii")
    assert header.isprintable()
    assert header.count('"') == 2
    saved = unquote(header.split("UTF-8''")[1])
    assert saved.endswith(".zip")
    assert not set(saved) & set('/\\:*?"<>|\r\n\0')
    assert not saved.startswith(".")
