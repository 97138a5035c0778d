"""The first figure of the pages that the demonstration has nothing for; `server/test_access.py` has the others."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Server, open_tab, sign_in, visit
from tests.browser.first_figure import too_low
from tests.db.judged import judged_study
from tests.db.pairs import compared_study

TABS = {"judges": ("May it replace a person?", "Confusion", "Biases")}


@pytest.mark.slow
def test_the_first_figure_stands_right_below_the_sentence(server: Server, browser: Browser) -> None:
    studies = {"judges": judged_study().id, "preferences": compared_study().id}
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    sign_in(page, server)
    low = {}
    for name, study in studies.items():
        visit(page, f"{server.address}/{name}?study={study}")
        low[name] = too_low(page)
        for tab in TABS.get(name, ()):  # of several criteria, whose choice stands in the bar too
            open_tab(page, tab)
            low[tab] = too_low(page)
    assert low == dict.fromkeys(low)
