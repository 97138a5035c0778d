"""What several tests of pages share."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest import mock

from streamlit.testing.v1 import AppTest


def opened(open_page: Callable[[str, str], AppTest], owner: str, name: str, parts: Mapping[str, object]) -> AppTest:
    """A page by a link with these parts in its address."""
    page = open_page("", owner)
    for part, value in parts.items():
        page.query_params[part] = value
    page.switch_page(f"{name}.py").run()
    assert not page.exception
    return page


def rows_of(text: str) -> list[dict[str, str]]:
    """The rows of a file that a page offers, by its columns."""
    return list(csv.DictReader(io.StringIO(text)))


def words(page: AppTest) -> str:
    """All that a page says, as it is read: signs that are escaped for Markdown stand for themselves, and what keeps an
    address from being a link is not seen.
    """
    assert not page.exception, page.exception
    kinds = (
        page.title,
        page.header,
        page.markdown,
        page.caption,
        page.info,
        page.error,
        page.warning,
        page.success,
        page.text,
    )
    shown = "\n".join(str(element.value) for kind in kinds for element in kind)
    return re.sub(r"\u2060|\\(?=[^\w\s])", "", shown)


def monitor_tab(page: AppTest, name: str) -> AppTest:
    """The Monitor page with this tab open."""
    page.session_state["monitor-tab"] = name
    return page.run()


def findings(page: AppTest) -> list[str]:
    """The sentences that open what the page shows, as they are read."""
    return [text.value.replace("\\", "") for block in blocks(page.main, "finding") for text in block.markdown]


def blocks(within: Any, key: str) -> Iterator[Any]:
    """The containers of this key."""
    for child in within.children.values():
        if not hasattr(child, "children"):
            continue
        if str(getattr(child.proto, "id", "")).endswith(f"-{key}"):
            yield child
        else:
            yield from blocks(child, key)


@contextmanager
def pressed(page: AppTest) -> Iterator[None]:
    """What is called within finds the page's state and address, as it does when a figure or a row is pressed."""
    with (
        mock.patch("streamlit.session_state", page.session_state),
        mock.patch("streamlit.query_params", page.query_params),
    ):
        yield


def cells(page: AppTest) -> str:
    """What its tables hold, as CSV."""
    return "\n".join(frame.value.to_csv() for frame in page.dataframe)
