"""Make the guide's pictures from the demonstration study: a wide one of each page. Beside them words.json keeps what
each page's headings, buttons and labels said then, by which a test sees that a picture is no longer of the page.

    .venv/bin/python docs/make_images.py [PAGE…]

Of these pages alone, as PAGES calls them (and `annotate`), or of all. Serves Fabula with a home of its own; needs
Chromium. All take some minutes of an idle machine; of some pages only what they show is prepared.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, Page, sync_playwright

if TYPE_CHECKING:
    from tests.browser.conftest import Server

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
IMAGES = ROOT / "docs" / "images"
KEPT = IMAGES / "words.json"
VIEW = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PAGES = {
    "start": "",
    "stories": "stories",
    "form": "form?form-tab=Quality+rules",
    "import": "import_data",
    "judgments": "judgments",
    "error-types": "judgments?judgments_tab=Error+types",
    "score": "score",
    "correlation": "correlation",
    "significance": "correlation?tab=Significance",
    "drift": "drift",
    "difference": "difference?metric=perplexity",
    "systems": "systems?metric=perplexity",
    "naturalness": "naturalness?naturalness=Thresholds",
    "tokens": "tokens",
    "negatives": "negatives?seed=22&story=p02-human",
    "test-sets": "test_sets?test-sets=Browse&tests=1&tests-aspect=Temporal",
    "capability": "capability",
    "report": "report?metric=perplexity",
    "published": "published?table=OpenMEVA+(2021)+Table+12",
    "monitor": "monitor",
}
"""Their addresses. The Monitor comes last, as people rate for it: all others show what every reader has."""
ANNOTATE = "annotate"
"""The picture of what an annotator sees."""
TEST_METRICS = frozenset({"test-sets", "capability"})
"""Pages of test sets, which are made and scored for them."""
NO_METRICS = (
    frozenset({"form", "import", "monitor", "judgments", "error-types", "tokens", "negatives", ANNOTATE}) | TEST_METRICS
)
"""Pages that show no metric of the study."""
LONGEST = 1_800_000
"""Milliseconds that a run may take."""
WORDS = """() => [...document.querySelectorAll(
    "header a, header button, :is([data-testid=stMain], [data-testid=stSidebar]) " +
    ":is(h1, h2, h3, h4, button, summary, [role=tab], [data-testid=stWidgetLabel], [role=radiogroup] label)",
  )].map((found) => {
    const copy = found.cloneNode(true);
    copy.querySelectorAll("[data-testid*=Icon], [translate=no], svg").forEach((icon) => icon.remove());
    return copy.textContent.trim().replace(/\\s+/g, " ");
  })"""
"""The words of a page's headings, buttons and labels."""


def ready(page: Page) -> None:
    """Wait for the page and for what it loads late."""
    from tests.browser.conftest import settle

    settle(page)
    page.wait_for_timeout(1500)


def run_metrics(page: Page, address: str) -> None:
    """Run what pages show of metrics."""
    page.goto(f"{address}/score")
    ready(page)
    for name in ("moverscore-2", "rouge-2"):
        page.get_by_role("button", name=name, exact=True).click()
    ready(page)
    page.get_by_role("button", name="Run the metrics").click()
    page.get_by_text("scores computed in").wait_for(timeout=LONGEST)
    page.goto(f"{address}/naturalness")
    ready(page)
    page.get_by_role("button", name="Measure both sides").click()
    page.get_by_role("button", name="Cancel").wait_for()
    page.get_by_role("button", name="Cancel").wait_for(state="hidden", timeout=LONGEST)
    page.get_by_role("tab", name="Thresholds").wait_for()


def rate_some(study_id: int) -> None:
    """Two panels each of simulated annotators, the last of them careless: something for the Monitor to show."""
    from dataclasses import replace
    from datetime import timedelta

    from sqlalchemy import select, update

    from benchmarks.pages.crowd import HUMAN, NEGATIVE, crowd, fill, words
    from core.people import TERMINAL, Role
    from core.stories import Source
    from db.annotation import settings
    from db.engine import reading, writing
    from db.people import people
    from db.schema import assignment, story
    from db.studies import studies

    worth = {"hot-1.5": 1.6, "beam-4": 2.6, "greedy": 2.8, "nucleus-0.9": 3.0, "top-k-40": 3.2}
    controls = {Source.HUMAN: HUMAN, Source.NEGATIVE: NEGATIVE}
    with reading() as connection:
        rows = connection.execute(select(story).where(story.c.study_id == study_id)).all()
    quality = {words(row.text): controls.get(row.source) or worth[row.system] for row in rows}
    rules = studies.get(study_id).rules
    settings.set_rules(TERMINAL, study_id, replace(rules, assignments_a_person=2))
    pairs = []
    for name, annotator in zip(("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"), crowd(6, careless=1), strict=True):
        token = people.invite(TERMINAL, Role.ANNOTATOR, name=name, study_id=study_id)
        if person := people.by_token(token):
            pairs.append((person, annotator))
    fill(pairs, quality, threads=1)
    with writing() as connection:  # as long ago as reading takes, but for the careless one
        for person, annotator in pairs:
            took = timedelta(seconds=25 if annotator.carelessness else 290 + 20 * annotator.seed)
            mine = connection.execute(select(assignment).where(assignment.c.person_id == person.id)).all()
            for row in mine:
                begun = update(assignment).where(assignment.c.id == row.id)
                connection.execute(begun.values(started_at=row.started_at - took))
    settings.set_rules(TERMINAL, study_id, rules)


def test_metrics() -> None:
    """Test sets of the demonstration's human stories, and what quick metrics make of them."""
    import worker
    from core.people import TERMINAL
    from core.perturb.cases import human_stories
    from core.perturb.test_sets.aspects import Aspect, Change, Test
    from core.perturb.test_sets.generation import TestSetSettings, description_of, generate
    from db.jobs import jobs
    from db.test_sets import test_sets
    from db.transfer.demonstration import demonstration

    metrics = ["perplexity", "acceptability", "ruber-u-bert", "union"]
    run = {"metrics": metrics, "models": {}, "device": "auto", "precision": "float32", "options": {}}
    stories = human_stories(demonstration().stories)
    for test, aspects in ((Test.DISCRIMINATION, Aspect), (Test.INVARIANCE, Change)):
        order = TestSetSettings(test, tuple(map(str, aspects)))
        example = generate(stories, order)
        number = test_sets.add(
            TERMINAL,
            f"Demonstration, {test}",
            example.cases,
            description_of(example, order, "", "").as_json(),
        )
        worker.run_job(jobs.add(TERMINAL, "capability", None, {"test_set": number, **run}, runner="pictures"))


def words(page: Page) -> list[str]:
    """What its headings, buttons and labels say, in the order of the alphabet, without what has a number in it, and
    without what only a machine with a GPU has.
    """
    texts = set(page.evaluate(WORDS)) - {"", "cuda"}
    return sorted(text for text in texts if not any(map(str.isdigit, text)))


def picture(page: Page, name: str) -> None:
    """A picture of the window, as tall as the page where that is not too tall."""
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    size = page.viewport_size or {"width": 1280, "height": 900}
    page.set_viewport_size({"width": size["width"], "height": max(700, min(int(height), 1500))})
    page.wait_for_timeout(800)
    page.screenshot(path=IMAGES / f"{name}-wide.png")
    page.set_viewport_size(size)


def visit(
    browser: Browser,
    server: "Server",
    asked: Collection[str],
    see: Callable[[Page, str], object],
    ready: Callable[[Page], object] = ready,
) -> None:
    """Open each of these pages of the demonstration as its picture shows it."""
    from core.people import TERMINAL, Role
    from db.people import people
    from db.studies import studies

    study = studies.find("Demonstration")
    link = f"{server.address}/enter/{people.invite(TERMINAL, Role.ANNOTATOR, name='Robin', study_id=study.id)}"
    page = browser.new_context(**VIEW).new_page()
    page.goto(server.owner_link())
    ready(page)
    for name in filter(asked.__contains__, PAGES):
        if name == "monitor":
            rate_some(study.id)
        page.goto(f"{server.address}/{PAGES[name]}")
        ready(page)
        if name == "import":
            page.locator("input[type=file]").set_input_files(ROOT / "data" / "demonstration" / "stories.jsonl")
            page.get_by_role("button", name="Import", exact=True).wait_for(timeout=60_000)
            page.get_by_test_id("stSpinner").first.wait_for(state="detached", timeout=60_000)
            ready(page)
        if name == "tokens":
            page.get_by_role("button", name="Try an example").click()
            page.locator(".tokens-text span[data-i]").first.wait_for(timeout=300_000)
            ready(page)
        see(page, name)
    if ANNOTATE in asked:
        page = browser.new_context(**VIEW).new_page()
        page.goto(link)
        page.get_by_role("button", name="Begin").click(timeout=60_000)
        ready(page)
        see(page, ANNOTATE)


def words_at_rest(page: Page) -> list[str]:
    """Its words once they have been the same for three seconds."""
    from tests.browser.conftest import settle

    before, now = [], words(page)
    while now != before:
        page.wait_for_timeout(3000)
        settle(page)
        before, now = now, words(page)
    return now


@contextmanager
def served() -> Iterator["Server"]:
    """Fabula with the demonstration study, in a home of its own."""
    from tests.browser.conftest import Server

    before = os.environ.get("FABULA_HOME", ROOT / ".fabula")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        models = Path(before) / "models"
        if models.is_dir():
            (home / "models").symlink_to(models.resolve())
        os.environ["FABULA_HOME"] = folder
        from core.people import TERMINAL
        from db.migrate import migrate
        from db.transfer.demonstration import load_demonstration

        migrate()
        load_demonstration(TERMINAL)
        server = Server(home)
        server.start()
        try:
            yield server
        finally:
            server.kill()
            os.environ["FABULA_HOME"] = str(before)


def main() -> None:
    """Serve, keep the words, prepare, take the pictures."""
    from tests.browser.conftest import FLAGS, chromium

    every = {*PAGES, ANNOTATE}
    asked = set(sys.argv[1:]) or every
    said: dict[str, list[str]] = {}
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        # Hinted letters stand unevenly where a picture is scaled.
        flags = [*FLAGS, "--font-render-hinting=none"]
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
        with served() as server:
            # With the demonstration alone: what is run for pictures takes minutes.
            visit(browser, server, asked, lambda page, name: said.update({name: words_at_rest(page)}))
        with served() as server:
            page = browser.new_page()
            page.goto(server.owner_link())
            ready(page)
            if not asked <= NO_METRICS:
                run_metrics(page, server.address)
            if asked & TEST_METRICS:
                test_metrics()
            visit(browser, server, asked, picture)
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    kept = {name: texts for name, texts in sorted({**kept, **said}.items()) if name in every}
    KEPT.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
