"""The settings of an endpoint: what they may be, and how they are kept."""

import json
import math
from typing import Any

import pytest

from core.errors import InputError
from core.judges.backends.endpoint import Endpoint, EndpointBackend, checked_address


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1"),
        (" HTTPS://API.Example.org/V1// ", "https://api.example.org/V1"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_addresses(address: str, kept: str) -> None:
    assert checked_address(address) == kept


@pytest.mark.parametrize(
    "address",
    [
        *("", "localhost:8000", "ftp://example.org", "file:///etc/passwd", "http://", "https://:80", "http://a b/v1"),
        *(
            "http://example.org:99999/v1",
            "http://[::1",
            "https://example.org/\x07",
            "http://a..b/v1",
            "http://" + "a" * 600,
        ),
    ],
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="http:// or https://"):
        checked_address(address)


@pytest.mark.parametrize(
    "address", ["https://me:sk-1@example.org/v1", "https://example.org/v1?key=sk-1", "https://example.org/v1#sk-1"]
)
def test_an_address_holds_no_key(address: str) -> None:
    with pytest.raises(InputError, match="setting of its own") as caught:
        checked_address(address)
    assert "sk-1" not in str(caught.value)


def test_an_address_ends_before_what_is_asked_of_it() -> None:
    with pytest.raises(InputError, match="base address"):
        checked_address("https://example.org/v1/chat/completions")


def test_settings_come_back_equal() -> None:
    endpoint = Endpoint("https://example.org/v1/", "m", concurrency=200, prompt_price=0.15, reply_price=0.6, cap=5.0)
    assert Endpoint.from_settings(json.loads(json.dumps(endpoint.as_settings()))) == endpoint
    assert Endpoint.from_settings({"address": "https://example.org", "model": "m"}).concurrency == 8
    with pytest.raises(InputError, match="'key'"):
        Endpoint.from_settings({"address": "https://example.org", "model": "m", "key": "sk-1"})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"concurrency": 0}, "from 1 to 256"),
        ({"concurrency": 257}, "from 1 to 256"),
        ({"concurrency": 2.5}, "whole number"),
        ({"concurrency": True}, "whole number"),
        ({"temperature": -0.1}, "from 0 to 2"),
        ({"temperature": math.nan}, "from 0 to 2"),
        ({"temperature": "hot"}, "number"),
        ({"most_tokens": 0}, "from 1"),
        ({"requests_a_minute": -1}, "from 0"),
        ({"prompt_price": math.inf}, "from 0"),
        ({"patience": 0}, "from 0.1"),
        ({"cap": 5.0}, "needs a price"),
        ({"model": ""}, "Name the model"),
        ({"model": "a\nb"}, "Name the model"),
    ],
)
def test_bounds(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Endpoint(**{"address": "https://example.org/v1", "model": "m", **settings})


def test_what_signatures_hold() -> None:
    assert EndpointBackend(Endpoint("http://Localhost:8000/v1", "org/m-1")).model == "org/m-1@localhost:8000"
    assert EndpointBackend(Endpoint("https://example.org/eu/v1", "m")).model == "m@example.org/eu"
