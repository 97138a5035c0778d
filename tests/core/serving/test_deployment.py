"""What a server lacks before strangers may reach it: each gap alone, none of a good one, all of a bad one."""

from dataclasses import replace
from typing import Any

import pytest

from core.serving.deployment import Deployment, gaps, is_loopback
from core.serving.descriptors import LEAST

GOOD = Deployment(
    listens="127.0.0.1", proxies="127.0.0.1", address="https://rate.example.org", home="/srv/fabula", descriptors=65_536
)
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"proxies": "", "listens": "0.0.0.0"}, "travel unencrypted", "FORWARDED_ALLOW_IPS"),
    ({"proxies": "*"}, "anybody could say where they come from", "127.0.0.1"),
    ({"proxies": "127.0.0.1, 0.0.0.0/0"}, "'0.0.0.0/0'", "the proxy's own address"),
    ({"proxies": "my-proxy"}, "'my-proxy'", "the proxy's own address"),
    ({"address": "http://rate.example.org"}, "http://rate.example.org", "https://"),
    ({"guards_forms": False}, "protection of forms", "enableXsrfProtection"),
    ({"shows_errors": True}, "errors in full", "showErrorDetails"),
    ({"readable": (".", "fabula.db")}, "can read ., fabula.db in /srv/fabula", "chmod -R go= /srv/fabula"),
    ({"descriptors": 1_024}, "1,024 files", "LimitNOFILE"),
    ({"unsigned": ("Tales",)}, "'Tales'", "signed addresses"),
]
ADVICE: list[tuple[dict[str, Any], str]] = [
    ({"address": ""}, "FABULA_ADDRESS"),
    ({"as_root": True}, "a user of its own"),
    ({"database": "db.example.org"}, "sslmode"),
    ({"free_disk": 10**8}, "Make room"),
]


def test_a_good_server_lacks_nothing() -> None:
    assert gaps(GOOD) == ()
    assert gaps(replace(GOOD, proxies="", tls=True, listens="0.0.0.0")) == ()
    assert gaps(replace(GOOD, unsigned=("Tales",), accepts_unsigned=True)) == ()
    assert gaps(replace(GOOD, proxies="10.0.0.0/8, ::1", descriptors=LEAST)) == ()


@pytest.mark.parametrize(("change", "what", "mend"), REFUSED)
def test_each_gap_is_refused_and_says_its_mend(change: dict[str, Any], what: str, mend: str) -> None:
    (gap,) = gaps(replace(GOOD, **change))
    assert (what in gap.what, mend in gap.mend, gap.refused) == (True, True, True)


@pytest.mark.parametrize(("change", "mend"), ADVICE)
def test_what_is_only_advised(change: dict[str, Any], mend: str) -> None:
    (gap,) = gaps(replace(GOOD, **change))
    assert (mend in gap.mend, gap.refused) == (True, False)


def test_a_bad_server_is_told_everything() -> None:
    bad = GOOD
    for change, *_ in [*REFUSED[3:], *ADVICE[1:]]:
        bad = replace(bad, **change)
    assert len(gaps(bad)) == len(REFUSED[3:]) + len(ADVICE[1:])


@pytest.mark.parametrize(
    ("listens", "proxies", "public"),
    [
        ("localhost", "", False),
        ("127.0.0.1", "", False),
        ("::1", "", False),
        ("127.0.0.1", "127.0.0.1", True),
        ("0.0.0.0", "", True),
        ("::", "", True),
        ("", "", True),
        ("192.0.2.1", "", True),
        ("rate.example.org", "", True),
    ],
)
def test_who_can_reach_it(listens: str, proxies: str, public: bool) -> None:
    assert Deployment(listens=listens, proxies=proxies).public is public
    assert is_loopback("[::1]")
