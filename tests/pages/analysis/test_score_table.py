"""Of a study's versions only the latest is held."""

import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.ui.shared.analysis.score_table import Latest


class Made:
    """What takes room."""


def test_the_version_before_goes_first() -> None:
    latest: Latest[Made] = Latest()
    before = weakref.ref(latest.of("1", Made))

    def make() -> Made:
        assert before() is None
        return Made()

    made = latest.of("2", make)
    assert latest.of("2", Made) is made


def test_all_who_ask_at_once_get_the_same() -> None:
    def make() -> Made:
        time.sleep(0.05)
        return Made()

    latest: Latest[Made] = Latest()
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: latest.of("1", make), range(4)))) == 1


def test_what_could_not_be_made_is_tried_again() -> None:
    def fail() -> Made:
        raise OSError("gone")

    latest: Latest[Made] = Latest()
    latest.of("1", Made)
    with pytest.raises(OSError, match="gone"):
        latest.of("2", fail)
    assert isinstance(latest.of("1", Made), Made)
