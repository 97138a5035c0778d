"""Make the guide's pictures from the demonstration study: each page wide, on a phone and in the dark.

    .venv/bin/python docs/make_images.py

Serves Fabula with a home folder of its own; needs Chromium.
"""

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
IMAGES = ROOT / "docs" / "images"
VIEWS = {
    "wide": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "device_scale_factor": 1.5},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
}
PAGES = {
    "start": "",
    "studies": "studies",
    "import": "import_data",
    "quality": "quality",
    "judgments": "judgments",
    "score": "score",
    "correlation": "correlation",
}


def ready(page: Page) -> None:
    """Wait for the page and for what it loads late."""
    from tests.browser.conftest import settle

    settle(page)
    page.wait_for_timeout(1500)


def prepare(page: Page, address: str) -> None:
    """Load the demonstration and run some metrics."""
    page.get_by_role("button", name="Load the demonstration study").click()
    page.get_by_text("The demonstration study is open").wait_for()
    page.goto(f"{address}/score")
    ready(page)
    for name in ("moverscore-2", "perplexity"):
        page.get_by_role("button", name=name, exact=True).click()
    ready(page)
    page.get_by_role("button", name="Run the metrics").click()
    page.get_by_text("scores computed in").wait_for(timeout=300_000)


def picture(page: Page, name: str, view: str) -> None:
    """A picture of the window, as tall as the page where that is not too tall."""
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    size = page.viewport_size or {"width": 1280, "height": 900}
    page.set_viewport_size({"width": size["width"], "height": max(700, min(int(height), 1500))})
    page.wait_for_timeout(800)
    page.screenshot(path=IMAGES / f"{name}-{view}.png")
    page.set_viewport_size(size)


def take(browser: Browser, address: str, owner_link: str, annotator_link: str) -> None:
    """All pages in all views."""
    for view, settings in VIEWS.items():
        page = browser.new_context(**settings).new_page()
        page.goto(owner_link)
        ready(page)
        for name, path in PAGES.items():
            page.goto(f"{address}/{path}")
            ready(page)
            if name == "import":
                page.locator("input[type=file]").set_input_files(ROOT / "data" / "demonstration" / "stories.jsonl")
                ready(page)
            picture(page, name, view)
        page = browser.new_context(**settings).new_page()
        page.goto(annotator_link)
        ready(page)
        begin = page.get_by_role("button", name="Begin")
        if begin.count():
            begin.click()
            ready(page)
        picture(page, "annotate", view)


def main() -> None:
    """Serve, prepare, take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        models = Path(os.environ.get("FABULA_HOME", ROOT / ".fabula")) / "models"
        if models.is_dir():
            (home / "models").symlink_to(models.resolve())
        os.environ["FABULA_HOME"] = folder
        from core.people import TERMINAL, Role
        from db import people, studies
        from tests.browser.conftest import FLAGS, Server, chromium

        IMAGES.mkdir(exist_ok=True)
        server = Server(home)
        server.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
                page = browser.new_page()
                page.goto(server.owner_link())
                ready(page)
                prepare(page, server.address)
                study = studies.find("Demonstration")
                token = people.invite(TERMINAL, Role.ANNOTATOR, name="Robin", study_id=study.id)
                take(browser, server.address, server.owner_link(), f"{server.address}/enter/{token}")
        finally:
            server.kill()


if __name__ == "__main__":
    main()
