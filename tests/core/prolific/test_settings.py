"""The token and the address that the surroundings name, and what cannot be either."""

import pytest

from core.errors import InputError
from core.prolific.settings import ADDRESS, hook_secret, is_connected, settings, surroundings_without

TOKEN = "0123456789abcdef"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PROLIFIC_TOKEN", "PROLIFIC_API", "PROLIFIC_WEBHOOK_SECRET"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_token_there_is_a_sentence() -> None:
    assert not is_connected()
    assert hook_secret() == ""
    with pytest.raises(InputError, match="PROLIFIC_TOKEN"):
        settings()


def test_the_token_is_not_in_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", f" {TOKEN}\n")
    found = settings()
    assert is_connected()
    assert (found.address, found.token, found.is_local) == (ADDRESS, TOKEN, False)
    assert TOKEN not in repr(found)


@pytest.mark.parametrize("token", ["two words", "clé", "line\nbreak", "bell\a"])
def test_what_is_no_token_is_not_quoted(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", token)
    with pytest.raises(InputError) as refused:
        settings()
    assert token not in str(refused.value)


@pytest.mark.parametrize(
    "address", ["https://api.example.org/api/v1/", "http://localhost:9/api/v1", "http://127.0.0.1:9"]
)
def test_another_address(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
    monkeypatch.setenv("PROLIFIC_API", address)
    assert settings().address == address.rstrip("/")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://api.prolific.com/api/v1", "https"),
        ("ftp://localhost/x", "https"),
        ("api.prolific.com", "no address"),
        ("https://user:word@api.prolific.com", "no address"),
        ("https://api.prolific.com/api/v1?x=1", "no address"),
        ("https://api.prolific.com:x/", "no address"),
    ],
)
def test_an_address_that_the_token_does_not_go_to(monkeypatch: pytest.MonkeyPatch, address: str, says: str) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
    monkeypatch.setenv("PROLIFIC_API", address)
    with pytest.raises(InputError, match=says):
        settings()


def test_the_worker_has_neither_token_nor_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
    monkeypatch.setenv("PROLIFIC_WEBHOOK_SECRET", "hush")
    monkeypatch.setenv("FABULA_HOME", "/somewhere")
    left = surroundings_without()
    assert left["FABULA_HOME"] == "/somewhere"
    assert not {TOKEN, "hush"} & set(left.values())
