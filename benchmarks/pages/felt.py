"""What a person waits for in a real browser: `python -m benchmarks.pages.felt`, or with `--stories 10000`.

A warm server shows the demonstration, or a study made of so many stories with ten metrics. Every page is opened by its
link; on each of its tabs every tab, segmented control, select box and switch is used, and the wait is measured in the
browser: from the click until the script has run and the last change that it made is painted. Where the page is quiet
again it is watched for a while longer: a run that nobody asked for is counted. Needs Debian's chromium-headless-shell.
"""

import argparse
import math
import os
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.pages.served import Served
from core.people import TERMINAL

METRICS = 10
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FIRST = "overview"
"""Which stands at the server's own address."""
PAGES = (
    FIRST,
    "stories",
    "form",
    "annotators",
    "monitor",
    "judgments",
    "export",
    "studies",
    "score",
    "judges",
    "correlation",
    "drift",
    "difference",
    "systems",
    "preferences",
    "capability",
    "report",
    "published",
    "tokens",
    "naturalness",
    "negatives",
    "test_sets",
    "train",
    "explain",
)
KINDS = {
    "control": "[data-testid=stMain] [data-testid=stButtonGroup] button:not([data-testid=stTooltipIcon] *):visible",
    "box": "[data-testid=stMain] [data-testid=stSelectbox]:not([class*=st-key-choose-] *):visible",
    "switch": "[data-testid=stMain] [data-testid=stCheckbox]:visible label",
}
"""What is used on every tab. Buttons are not: they do something. Nor is the help beside a control's name."""
GOAL = 300
"""Milliseconds that nearly all choices should take."""
MOST = 4
"""Of a kind on a tab."""
QUIET, WATCHED = 400, 2_000
"""Milliseconds without a change after which a page has come to rest, and for which it is watched at rest."""
WATCH = """
(() => {
  const felt = (window.felt = {asked: 0, running: false, changed: 0});
  for (const kind of ["click", "keydown"])
    addEventListener(kind, () => (felt.asked = performance.now()), {capture: true});
  const unseen = ({target, type}) =>
    target.parentElement?.closest("canvas") || (type === "childList" && target.tagName === "CANVAS");
  new MutationObserver((all) => {
    const records = all.filter((record) => !unseen(record));
    if (!records.length) return;
    const app = document.querySelector("[data-testid=stApp]");
    const running = (felt.running = app && app.dataset.testScriptState === "running");
    if (!running && !records.every((one) => one.target === app)) felt.changed = performance.now();
    if (records.some((one) => one.target === app) && !running)
      requestAnimationFrame(() => requestAnimationFrame(() => (felt.changed = performance.now())));
  }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})();
"""
"""In every page: when somebody last did something, whether the script runs, when something was last changed. What lies
within a canvas is not painted: a table writes its cells there later, for those who have them read out.
"""


class Runs:
    """How often the whole script has run for a page, as its server says it."""

    def __init__(self, page: Page) -> None:
        self.number = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def _count(self, payload: bytes | str) -> None:
        if isinstance(payload, bytes):
            message = ForwardMsg.FromString(payload)
            ended = message.script_finished if message.WhichOneof("type") == "script_finished" else None
            self.number += ended in (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_EARLY_FOR_RERUN)


@dataclass
class Felt:
    """A page's waits in milliseconds by what was done, and what ran more often than once; `opened`: by its link."""

    page: str
    opened: float = math.nan
    waits: dict[str, float] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)
    at_rest: int = 0

    def __str__(self) -> str:
        """As a row of a Markdown table."""
        named = max(self.waits, key=self.waits.__getitem__, default="")
        slowest = f"{named}, {seconds(self.waits[named])}" if named else ""
        median = seconds(statistics.median(self.waits.values())) if self.waits else ""
        again = ", ".join([*self.twice, *([f"{self.at_rest} at rest"] if self.at_rest else [])])
        return f"| {self.page} | {seconds(self.opened)} | {len(self.waits)} | {median} | {slowest} | {again} |"


HEADER = "| page | opened | choices | median | slowest | ran again |\n" + 6 * "|---" + "|"


def seconds(milliseconds: float) -> str:
    """As a page of the docs writes it."""
    return f"{milliseconds / 1000:.2f} s"


def rest(page: Page, since: float = 0) -> float:
    """Wait until the page is quiet: when it last changed, at `since` or later, in its own milliseconds."""
    while True:
        now, felt = page.evaluate("[performance.now(), window.felt]")
        if not felt["running"] and now - max(felt["changed"], since) > QUIET:
            return float(max(felt["changed"], since))
        page.wait_for_timeout(20)


def opened(page: Page, address: str) -> float:
    """Milliseconds from the address to a page that is finished."""
    page.goto(address)
    page.wait_for_selector("[data-testid=stMain] [data-testid=stElementContainer]", state="attached", timeout=60_000)
    return rest(page)


def ready(page: Page, found: Locator, kind: str) -> tuple[str, Locator] | None:
    """A widget's name and what to click, a box opened already; None where there is nothing to choose."""
    if kind != "box":
        if "true" in (found.get_attribute("aria-checked"), found.get_attribute("aria-pressed")):
            return None
        return found.inner_text().strip().splitlines()[-1], found
    rest(page)
    name = found.locator("label").first.inner_text().strip().splitlines()
    found.locator("input").first.click()
    page.wait_for_timeout(QUIET)
    options = page.locator("[role=option]:not([aria-selected=true])")
    if not options.count():
        page.keyboard.press("Escape")
        return None
    return (name or ["a box"])[0], options.first


class Visitor:
    """Somebody who tries everything that a page offers."""

    def __init__(self, page: Page, address: str, study: int) -> None:
        self.page, self.address, self.study, self.runs = page, address, study, Runs(page)

    def visit(self, name: str) -> Felt:
        """A page by its address."""
        felt, link = Felt(name), self.link(name)
        opened(self.page, link)  # what is worked out once a study is there then
        felt.opened = opened(self.page, link)
        felt.page = self.page.title().split(" · ")[0]
        before = self.runs.number
        self.page.wait_for_timeout(WATCHED)
        felt.at_rest = self.runs.number - before
        tabs = self.page.locator("[data-testid=stMain] [role=tab]:visible")
        names = [text.strip() for text in tabs.all_inner_texts()]
        self._use(felt, names[0] if names else "")
        for number, tab in list(enumerate(names))[1:]:
            if tabs.count() == len(names):  # what was chosen on the tab before may have taken them away
                self._measure(felt, tab, tabs.nth(number).click)
                self._use(felt, tab)
        return felt

    def link(self, name: str = FIRST) -> str:
        """The address of a page."""
        return f"{self.address}/{'' if name == FIRST else name}?study={self.study}"

    def _use(self, felt: Felt, tab: str) -> None:
        """What stands on a tab, or on a page without tabs."""
        for kind, selector in KINDS.items():
            for number in range(min(MOST, self.page.locator(selector).count())):
                found = self.page.locator(selector).nth(number)
                try:
                    named = ready(self.page, found, kind)
                    if named is not None:
                        self._measure(felt, f"{tab}: {named[0]}" if tab else named[0], named[1].click)
                except Error:
                    self.page.keyboard.press("Escape")  # what was chosen before has taken it away, or covers it

    def _measure(self, felt: Felt, name: str, click: Callable[[], None]) -> None:
        self.page.mouse.move(0, 0)  # an explanation that is shown where the pointer rests covers what is below
        rest(self.page)
        before = self.runs.number
        click()
        asked = self.page.evaluate("window.felt.asked")
        self.page.wait_for_timeout(60)
        felt.waits[name] = rest(self.page, asked) - asked
        if self.runs.number - before > 1:
            felt.twice.append(name)


def run(stories: int | None, names: Sequence[str] = ()) -> Iterator[str]:
    """The table of the demonstration, or of a study of so many `stories`; of the pages so called, all where none is."""
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        os.environ["FABULA_HOME"] = folder
        os.environ.pop("DATABASE_URL", None)
        from benchmarks.pages.analysis_pages import made
        from db.migrate import migrate
        from db.transfer.demonstration import load_demonstration

        migrate()
        study = made(stories, METRICS, "A study") if stories else load_demonstration(TERMINAL)
        with Served(Path(folder)) as app, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"), args=FLAGS)
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            context.add_init_script(WATCH)
            token = Path(folder, "owner-token").read_text(encoding="utf-8")
            context.request.get(f"{app.address}/enter/{token}")
            page = context.new_page()
            page.set_default_timeout(3_000)
            page.set_default_navigation_timeout(60_000)
            visitor = Visitor(page, app.address, study.id)
            opened(page, visitor.link())
            first = statistics.median(opened(page, visitor.link()) for _ in range(5))
            yield f"The first page of a warm server: {seconds(first)}.\n\n{HEADER}"
            every: list[Felt] = []
            for name in names or PAGES:
                every.append(visitor.visit(name))
                yield str(every[-1])
            waits = sorted(wait for felt in every for wait in felt.waits.values())
            quick = waits[math.ceil(0.95 * len(waits)) - 1] if waits else math.nan
            yield (
                f"\n{len(waits)} choices on {len(every)} pages: {seconds(statistics.median(waits))} at the median, "
                f"95 % within {seconds(quick)}; {sum(len(felt.twice) for felt in every)} ran the script again."
            )
            slow = sorted(
                ((wait, f"{felt.page}, {name}") for felt in every for name, wait in felt.waits.items() if wait > GOAL),
                reverse=True,
            )
            yield "\n".join([f"\nAbove {seconds(GOAL)}: {len(slow)}", *(f"{seconds(w)} {name}" for w, name in slow)])
            browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, help="a study of so many stories, instead of the demonstration")
    parser.add_argument("--only", nargs="*", default=[], help="pages by their address, such as correlation")
    options = parser.parse_args()
    for line in run(options.stories, options.only):
        print(line, flush=True)
