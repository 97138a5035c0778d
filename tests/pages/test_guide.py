"""The guide inside the app, and the way to it from every page."""

from urllib.parse import quote

import pytest

from core.formats.guide import chapters
from pages.ui.guide.chapters import CHAPTERS
from tests.pages.conftest import Open
from tests.pages.pages import words


def test_every_chapter_is_there() -> None:
    assert set(CHAPTERS.values()) <= chapters()


@pytest.mark.parametrize("name", ["overview", "correlation", "tokens"])
def test_a_page_leads_to_its_chapter(open_page: Open, owner: str, name: str) -> None:
    page = open_page(name, owner)
    (link,) = [link.proto for link in page.sidebar.get("page_link") if link.proto.label == "Help with this page"]
    assert link.query_string == f"chapter={quote(CHAPTERS['' if name == 'overview' else name], safe='')}"


def test_the_guide_leads_back_and_keeps_the_pages_beside(open_page: Open, owner: str) -> None:
    page = open_page("score", owner)
    links = {link.proto.label: link.proto for link in page.sidebar.get("page_link")}
    assert {"Overview", "Run metrics", "Judges", "Help with this page"} <= set(links)
    page.switch_page("guide.py").run()
    links = {link.proto.label: link.proto for link in page.sidebar.get("page_link")}
    assert {"Overview", "Run metrics", "Judges", "Back to Run metrics"} <= set(links)
    assert "Help with this page" not in links


def test_a_chapter_is_shown_and_what_is_none_is_said(open_page: Open, owner: str) -> None:
    page = open_page("guide", owner)
    assert "# Guide" in words(page)
    page.query_params["chapter"] = "methods/drift"
    assert "# Drift" in words(page.run())
    page.query_params["chapter"] = "../README"
    assert "The guide has no chapter ../README" in words(page.run())


def test_annotators_are_turned_away(open_cold: Open, annotator: str) -> None:
    assert "Not for this link" in words(open_cold("guide", annotator))
