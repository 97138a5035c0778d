"""Notices reach whoever collects them, and the log where nobody does."""

import logging
from contextvars import copy_context

import pytest

from core.notices import collecting, notice


def test_notices_are_collected_once_each_in_order() -> None:
    with collecting() as result:
        for text in ("b", "a", "b"):
            notice(text)
        assert result == ["b", "a"], "at once, not at the end"
    notice_count = len(result)
    with collecting() as later:
        notice("b")
    assert later == ["b"], "another piece of work is told anew"
    assert len(result) == notice_count


def test_the_innermost_listener_hears_it() -> None:
    with collecting() as outer:
        notice("one")
        with collecting() as inner:
            notice("two")
        notice("three")
    assert (outer, inner) == (["one", "three"], ["two"])


def test_collecting_ends_with_an_error(caplog: pytest.LogCaptureFixture) -> None:
    def work(found: list[str]) -> None:
        with collecting() as heard:
            notice("before")
            found.extend(heard)
            raise ValueError("stop")

    result: list[str] = []
    with pytest.raises(ValueError, match="stop"):
        work(result)
    with caplog.at_level(logging.WARNING, "fabula.notices"):
        notice("after")
    assert result == ["before"]
    assert caplog.messages == ["after"]


def test_nobody_collects_what_is_told_elsewhere() -> None:
    """Two jobs at once do not hear each other's notices."""
    with collecting() as here:
        with collecting() as there:
            context = copy_context()
        context.run(notice, "told there")
        notice("told here")
    assert (here, there) == (["told here"], ["told there"])


def test_a_collected_notice_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "fabula.notices"), collecting():
        notice("heard")
    assert caplog.messages == []
