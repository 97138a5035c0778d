"""Settings of crowd platforms, and the ids that they send."""

import pytest

from core.errors import InputError
from core.recruitment import (
    PROLIFIC_COMPLETION,
    Recruitment,
    allowed_key_sets,
    assignment_id,
    domain,
    is_local,
    prolific_id,
    recruitment_from,
    worker_id,
)


def test_settings_go_through_the_database_unchanged() -> None:
    given = Recruitment("prolific", True, "rate.example.org", "http://localhost:1/keys", "http://localhost:1/done")
    assert recruitment_from(given.as_dict()) == given
    assert recruitment_from({}) == Recruitment()
    assert recruitment_from({"platform": "mturk", "of a later version": 1}).platform == "mturk"


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Recruitment("facebook"), "no platform"),
        (Recruitment("prolific", True, ""), "need the domain"),
        (Recruitment("prolific", True, "no domain!"), "need the domain"),
        (Recruitment("prolific", keys_address="file:///etc/passwd"), "FABULA_KEY_SETS"),
        (Recruitment("prolific", completion_address="javascript:alert(1)"), "completion page"),
        (Recruitment("prolific", completion_address="https://"), "completion page"),
        (Recruitment("prolific", completion_address="https://a b"), "completion page"),
        (Recruitment("prolific", completion_address="https://a:port"), "completion page"),
        (Recruitment("prolific", keys_address="https://a/" + "x" * 600), "FABULA_KEY_SETS"),
    ],
)
def test_what_cannot_be_used_is_named(wanted: Recruitment, says: str) -> None:
    with pytest.raises(InputError, match=says):
        wanted.check()


@pytest.mark.parametrize(
    "address", ["http://keys.example.org/x", "https://169.254.169.254/latest", "http://10.0.0.7/keys", "gopher://x"]
)
def test_nobody_who_runs_studies_sends_the_server_elsewhere(address: str) -> None:
    with pytest.raises(InputError, match="FABULA_KEY_SETS"):
        Recruitment("prolific", True, "a.org", address).check()


def test_whoever_runs_the_server_allows_further_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_KEY_SETS", "https://keys.example.org/jwks http://localhost:7/keys")
    for address in allowed_key_sets():
        Recruitment("prolific", True, "a.org", address).check()
    monkeypatch.setenv("FABULA_KEY_SETS", "http://keys.example.org/jwks")
    with pytest.raises(InputError, match="does not begin with https"):
        allowed_key_sets()


@pytest.mark.parametrize("good", [Recruitment(), Recruitment("mturk"), Recruitment("prolific", True, "a.org:8443")])
def test_what_can_be_used_is_taken(good: Recruitment) -> None:
    good.check()


def test_the_way_in_and_the_way_back() -> None:
    settings = Recruitment("prolific", secured=False)
    assert settings.entry("https://rate.example.org", "abc") == (
        "https://rate.example.org/join/abc?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}"
        "&SESSION_ID={{%SESSION_ID%}}"
    )
    assert Recruitment("mturk").entry("https://rate.example.org", "abc") == "https://rate.example.org/join/abc"
    assert settings.completion_link("A1-b_2") == f"{PROLIFIC_COMPLETION}?cc=A1-b_2"
    assert Recruitment(completion_address="http://x/?a=1").completion_link("a&b") == "http://x/?a=1&cc=a%26b"


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("rate.example.org", "rate.example.org"),
        ("https://Rate.Example.org/join/x?y", "rate.example.org"),
        ("https://rate.example.org:443/", "rate.example.org"),
        ("http://localhost:8501", "localhost:8501"),
        ("localhost:8501", "localhost:8501"),
        ("ftp://rate.example.org", ""),
        ("rate.example.org@evil.org", ""),
        ("", ""),
    ],
)
def test_a_domain_is_read_from_either_form(text: str, host: str) -> None:
    assert domain(text) == host


@pytest.mark.parametrize("bad", ["", None, "5f", "x" * 10_000, "a" * 23 + "'", '"; DROP TABLE person; --', "g" * 24])
def test_no_other_id_than_prolifics(bad: str | None) -> None:
    with pytest.raises(InputError) as caught:
        prolific_id("PROLIFIC_PID", bad)
    assert "PROLIFIC_PID" in str(caught.value)
    assert not bad or bad not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_ids_are_taken_in_one_form() -> None:
    assert prolific_id("STUDY_ID", "60AAC280709ee40ec37d4885") == "60aac280709ee40ec37d4885"
    assert worker_id(" a2zexample12 ") == "A2ZEXAMPLE12"
    assert assignment_id("") == ""
    assert assignment_id("123RVWYBAZW00EXAMPLE456RVWYBAZW00EXAMPLE").startswith("123RV")


@pytest.mark.parametrize("bad", ["", "B2ZEXAMPLE12", "A2Z", "A" * 10_000, "A2ZEXAMPLE12'", "A2Z EXAMPLE12"])
def test_no_other_worker_than_mturks(bad: str) -> None:
    with pytest.raises(InputError, match="worker ID"):
        worker_id(bad)


@pytest.mark.parametrize("bad", ["ASSIGNMENT_ID_NOT_AVAILABLE", "<script>", "x" * 10_000])
def test_no_other_assignment_than_mturks(bad: str) -> None:
    with pytest.raises(InputError):
        assignment_id(bad)


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:8501", True),
        ("http://127.0.0.1:8501", True),
        ("http://[::1]:8501", True),
        ("http://0.0.0.0:8501", True),
        ("http://app.localhost", True),
        ("http://192.168.1.20:8501", False),
        ("https://rate.example.org", False),
        ("https://localhost.example.org", False),
        ("http://[broken", False),
        ("", False),
    ],
)
def test_an_address_of_this_machine_alone_is_known(address: str, local: bool) -> None:
    assert is_local(address) is local
