"""Pages run without a browser, as whoever the test says."""

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.people import people
from pages.ui.shared.tables import downloads
from tests.db.conftest import make_study
from tests.pages import components  # noqa: F401 - for what its import does
from tests.pages.read_here import read_here
from tests.sessions import visit_of

ROOT = Path(__file__).resolve().parents[2]
Open = Callable[[str, str | None], AppTest]


@pytest.fixture
def served(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty, migrated database; nothing is remembered of another test's."""
    read_here(monkeypatch)
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def open_page(served: None, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open a page with the token of a link, or none."""

    def opened(name: str, token: str | None) -> AppTest:
        monkeypatch.setattr("pages.ui.shared.viewer.visit", lambda: visit_of(token))
        page = AppTest.from_file(str(ROOT / "pages" / "table.py"), default_timeout=30)
        if name == "overview":
            page.run()  # its address is not its file's name: Streamlit must have seen the table of pages
        if name:
            page.switch_page(f"{name}.py")  # as at its address: no other page is run before
        return page.run()

    return opened


@pytest.fixture
def open_cold(served: None, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Run a page's script past the page table, as a request by hand might: the page must check by itself."""

    def opened(name: str, token: str | None) -> AppTest:
        monkeypatch.setattr("pages.ui.shared.viewer.visit", lambda: visit_of(token))
        return AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=30).run()

    return opened


@pytest.fixture
def owner(served: None) -> str:
    """Token of an owner."""
    return people.invite(TERMINAL, Role.OWNER)


@pytest.fixture
def study(served: None) -> Study:
    """An open study."""
    return make_study()


@pytest.fixture
def annotator(study: Study) -> str:
    """Token of an annotator of it."""
    return people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What each download of a page holds, by its file's name."""
    kept: dict[str, str] = {}

    def keep(label: str, content: Callable[[], str], file: str, key: str, help: str) -> None:
        kept[file] = content()

    monkeypatch.setattr(downloads, "_download", keep)
    return kept
