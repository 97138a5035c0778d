"""From a click on the form to "Saved", in a real browser, beside a bare Streamlit page with one such control.

`python -m benchmarks.pages.form [--clicks N]`. The machine should be idle.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

from benchmarks.pages.served import Served

PAUSE_MS = 400
"""Between two clicks: a person reads."""
BARE = """
import streamlit as st
def saved():
    st.session_state["n"] = st.session_state.get("n", 0) + 1
with st.container(key="story-1"):
    st.segmented_control("Overall", [1, 2, 3, 4, 5], key="overall-1", required=True, on_change=saved)
    st.markdown(f"Saved {st.session_state.get('n', 0)}")
"""
# Time from the click until the page shows that it is saved: of the form when "Saving…" has gone again, of the bare page
# when its words have changed.
CLICK = """async ([number, option]) => {
  const card = document.querySelectorAll("[class*=st-key-story-]")[number];
  const words = () => [...card.querySelectorAll("[data-testid=stMarkdownContainer]")].map((e) => e.textContent).join();
  const before = words();
  const begun = performance.now();
  card.querySelectorAll("[class*=st-key-overall-] [role=radio]")[option].click();
  const isForm = card.dataset.fabulaSaving !== undefined;
  const saved = () => (isForm ? card.dataset.fabulaSaving === undefined : words() !== before);
  while (!saved()) {
    if (performance.now() - begun > 20000) throw new Error("never saved");
    await new Promise((done) => setTimeout(done, 2));
  }
  return performance.now() - begun;
}"""


def clicks(page: Page, stories: int, number: int) -> list[float]:
    """Seconds of so many clicks, each on another answer, story after story."""
    result = []
    for i in range(number):
        result.append(page.evaluate(CLICK, [i % stories, (i // stories) % 5]) / 1000)
        page.wait_for_timeout(PAUSE_MS)
    return result


def settle(page: Page) -> None:
    """Wait until the page is connected and its script has run."""
    for state in ("connection-state=CONNECTED", "script-state=notRunning"):
        page.wait_for_selector(f"[data-testid=stApp][data-test-{state}]", timeout=60_000)


def form(page: Page, home: Path, number: int) -> list[float]:
    """Clicks on a MANS panel of seven stories of the demonstration."""
    os.environ["FABULA_HOME"] = str(home)
    from core.people import TERMINAL, Role
    from db.migrate import migrate
    from db.people import people
    from db.studies import studies
    from db.transfer.demonstration import load_demonstration

    migrate()
    study = load_demonstration(TERMINAL)
    studies.open_study(TERMINAL, study.id)
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    with Served(home) as app:
        page.goto(f"{app.address}/enter/{token}")
        settle(page)
        page.get_by_role("button", name="Begin").click()
        page.locator("[class*=st-key-overall-] [role=radio]").nth(34).wait_for(timeout=60_000)
        settle(page)
        clicks(page, 7, 7)  # the first of each story, to be warm
        return clicks(page, 7, number)


def bare(page: Page, home: Path, number: int) -> list[float]:
    """Clicks on a page with one control and nothing behind it."""
    script = home / "bare.py"
    script.write_text(BARE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(script),
        "--server.port",
        "8699",
        "--server.headless",
        "true",
    ]
    served = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=home)
    try:
        for _ in range(100):
            try:
                page.goto("http://localhost:8699")
                break
            except Error:  # not up yet
                page.wait_for_timeout(200)
        page.get_by_text("Saved 0").wait_for(timeout=60_000)
        settle(page)
        clicks(page, 1, 5)
        return clicks(page, 1, number)
    finally:
        served.terminate()
        served.wait()


def line(what: str, seconds: list[float]) -> str:
    """A row of the table."""
    ordered = sorted(seconds)
    middle, late = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    return f"| {what} | {len(ordered)} | {middle:.3f} s | {late:.3f} s | {ordered[-1]:.3f} s |"


def run(number: int = 100) -> list[str]:
    """The table, and the ratio."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        ours, peers = form(page, Path(folder), number), bare(page, Path(folder), number)
        browser.close()
    ratio = statistics.median(ours) / statistics.median(peers)
    return [
        "| from click to “Saved”, in the browser | clicks | median | 95 % within | longest |\n" + "|---" * 5 + "|",
        line("a MANS panel of seven stories", ours),
        line("a bare Streamlit page with one control, nothing stored", peers),
        f"Ratio of the medians: {ratio:.1f}.",
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=100)
    for row in run(parser.parse_args().clicks):
        print(row)
