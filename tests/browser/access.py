"""What axe finds on a page, and what of it is Streamlit's own."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WEIGHTY = ("serious", "critical")
EXCEPTED = {
    # Streamlit's menu puts a `div` between its list and the items, in groups; no setting of ours reaches it.
    "list": '[data-testid="stSidebarNavItems"]',
    "listitem": '[data-testid="stSidebarNav"] li',
}
"""By axe's rule, what of Streamlit's own breaks it."""
MATCHES = "(found, selector) => found.matches(selector)"
THEMES = ("light", "dark")


def violations(page: Page) -> list[str]:
    """The weighty violations on a page that are ours, and headings out of order: the rule, where, and why."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    result = []
    for violation in found:
        if violation["impact"] not in WEIGHTY and violation["id"] != "heading-order":
            continue
        excepted = EXCEPTED.get(violation["id"], ":not(*)")
        for node in violation["nodes"]:
            target = node["target"][-1]
            if isinstance(target, str) and page.locator(target).first.evaluate(MATCHES, excepted):
                continue
            why = "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])
            result.append(f"{violation['id']}: {node['html'][:200]} ({why[:200]})")
    return result
