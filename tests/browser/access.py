"""What axe finds on a page, and what of it is Streamlit's own."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import settle, until

WEIGHTY = ("serious", "critical")
EXCEPTED = {
    # Streamlit's menu puts a `div` between its list and the items, in groups; no setting of ours reaches it.
    "list": '[data-testid="stSidebarNavItems"]',
    "listitem": '[data-testid="stSidebarNav"] li',
}
"""By axe's rule, what of Streamlit's own breaks it."""
MATCHES = "(found, selector) => found.matches(selector)"
THEMES = ("light", "dark")
EVERY_RULE: dict[str, Any] = {"resultTypes": ["violations"]}
OF_COLOURS = {**EVERY_RULE, "runOnly": ["color-contrast"]}
BACKGROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"

STANDS_STILL = """() => document.getAnimations().every((one) =>
  one.playState !== "running" || one.effect.getComputedTiming().iterations === Infinity)"""
"""What fades in has a poor contrast meanwhile."""


def in_both_themes(page: Page) -> dict[str, list[str]]:
    """The violations by theme. The page stays in the theme that it is not in now, where nothing but colours differs."""
    settle(page)
    until(page, STANDS_STILL)
    dark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    now, other = THEMES[dark], THEMES[not dark]
    found = {now: violations(page)}
    background = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme=other)  # type: ignore[arg-type]
    until(page, f"before => ({BACKGROUND})() !== before", background)
    settle(page)
    until(page, STANDS_STILL)
    found[other] = violations(page, OF_COLOURS)
    return {theme: broken for theme, broken in found.items() if broken}


def violations(page: Page, options: dict[str, Any] = EVERY_RULE, within: str | None = None) -> list[str]:
    """The weighty violations that are ours, and headings out of order, on a page or within a part of it: the rule,
    where, and why."""
    found: list[dict[str, Any]] = Axe().run(page, within, options).response["violations"]
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
