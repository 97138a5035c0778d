"""The guide's pictures are of the pages as they are: a page says what it said when its picture was taken."""

import json
import runpy
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from core.people import TERMINAL
from tests.browser.conftest import ROOT, Server, settle


@pytest.fixture(scope="module")
def images() -> dict[str, Any]:
    """The script that takes the pictures."""
    return runpy.run_path(str(ROOT / "docs" / "make_images.py"))


def anew(kept: dict[str, list[str]], now: dict[str, list[str]]) -> str:
    """What to do about pages whose words are no longer those that were kept."""
    changed = {name: sorted({*kept[name]} ^ {*words}) for name, words in now.items() if kept[name] != words}
    said = "".join(f"\n{name}: {', '.join(words)}" for name, words in changed.items())
    return said and f"take these anew: .venv/bin/python docs/make_images.py {' '.join(changed)}{said}"


@pytest.mark.slow
def test_the_pictures_are_of_the_pages_as_they_are(server: Server, browser: Browser, images: dict[str, Any]) -> None:
    from db.transfer.demonstration import load_demonstration

    load_demonstration(TERMINAL)
    kept = json.loads(images["KEPT"].read_text(encoding="utf-8"))
    every = {*images["PAGES"], images["ANNOTATE"]}
    assert kept.keys() == every == {path.stem.removesuffix("-wide") for path in images["IMAGES"].glob("*-wide.png")}
    now: dict[str, list[str]] = {}

    def see(page: Page, name: str) -> None:
        deadline = time.monotonic() + 30
        while (said := images["words"](page)) != kept[name] and time.monotonic() < deadline:
            page.wait_for_timeout(500)
        now[name] = said

    images["visit"](browser, server, every, see, settle)  # `see` waits for what comes late
    assert anew(kept, now) == ""


def test_a_page_that_says_something_else_is_named() -> None:
    kept = {"drift": ["Drift", "Quality"], "form": ["Form"]}
    assert anew(kept, kept) == ""
    now = kept | {"drift": ["Drift", "Kind"]}
    assert anew(kept, now) == ("take these anew: .venv/bin/python docs/make_images.py drift\ndrift: Kind, Quality")
