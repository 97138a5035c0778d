"""The token view in a real browser: how smoothly it scrolls, and how soon a text is coloured.

`python -m benchmarks.pages.token_view [--tokens N]`. The machine should be idle.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.corpus import stories
from benchmarks.pages.form import settle
from benchmarks.pages.served import Served
from core.models.tokens.settings import TokenRequest
from core.tokens import Mode, TokenTable

SIZES = (500, 2_000, 5_000)
WORDS, TEXTS = 300, 8
# Scrolls from end to end at a fixed speed and gives the time between frames (ms).
SCROLL = """async () => {
  const text = document.querySelector(".tokens-text");
  const frames = [];
  await new Promise((done) => {
    let before = null;
    const step = (now) => {
      if (before !== null) frames.push(now - before);
      before = now;
      text.scrollTop += 60;
      if (text.scrollTop + text.clientHeight < text.scrollHeight - 1) requestAnimationFrame(step);
      else done();
    };
    requestAnimationFrame(step);
  });
  return frames;
}"""
COLOURED = """async (beginning) => {
  const there = () => document.querySelector(".tokens-text")?.textContent.startsWith(beginning);
  while (!there()) {
    if (performance.now() - window.begun > 120000) throw new Error("never coloured");
    await new Promise((done) => setTimeout(done, 5));
  }
  return (performance.now() - window.begun) / 1000;
}"""


def made(number: int, paragraphs: bool) -> TokenTable:
    """A table of so many tokens with numbers at random; one paragraph, or one each 80 tokens."""
    rng = np.random.default_rng(0)
    words = [f" word{i % 97}" + ("\n" if paragraphs and i % 80 == 79 else "") for i in range(number)]
    ends = np.cumsum([len(word) for word in words])
    rank = rng.choice([0, 3, 40, 400, 4000], number, p=[0.4, 0.3, 0.15, 0.1, 0.05]).astype(np.int64)
    fraction = 1 / (1 + rank.astype(np.float64))
    top_p = np.sort(rng.dirichlet(np.ones(6), number)[:, :5], 1)[:, ::-1]
    return TokenTable(
        text="".join(words),
        model="made@1",
        mode=Mode.CAUSAL,
        starts=ends - np.array([len(word) for word in words]),
        ends=ends,
        words=np.arange(number),
        log_p=np.log(fraction * top_p[:, 0]),
        rank=rank,
        fraction=fraction,
        entropy=rng.uniform(0, 2.3, number),
        top=tuple(tuple(f" other{k}" for k in rng.integers(0, 5000, 5)) for _ in range(number)),
        top_p=top_p,
    )


def show(page: Page, address: str, text: str) -> float:
    """Open the page anew with this text; seconds from the press until its beginning is there."""
    page.goto(f"{address}/tokens")
    settle(page)
    return read(page, text)


def read(page: Page, text: str) -> float:
    """The same on the page as it is."""
    box = page.get_by_label("The text", exact=True)
    box.fill(text)
    page.evaluate("window.begun = performance.now()")
    page.get_by_role("button", name="Show the tokens").click()
    seconds = float(page.evaluate(COLOURED, text[:60]))
    settle(page)
    page.wait_for_timeout(1500)
    return seconds


def scrolling(page: Page, address: str, number: int, *, paragraphs: bool) -> str:
    """A row of the table of scrolling."""
    from db.jobs import token_tables

    table = made(number, paragraphs)
    token_tables.store(TokenRequest(table.text).signature(), table)
    shown = show(page, address, table.text)
    page.evaluate(SCROLL)  # once, to be warm
    page.evaluate("document.querySelector('.tokens-text').scrollTop = 0")
    page.wait_for_timeout(500)
    frames = sorted(page.evaluate(SCROLL))
    if not frames:
        raise RuntimeError("The text did not scroll: the page was drawn anew meanwhile. Run this again.")
    late = sum(frame > 34 for frame in frames) / len(frames)
    kind = "paragraphs" if paragraphs else "one paragraph"
    return (
        f"| {number:,}, {kind} | {len(frames)} | {statistics.median(frames):.1f} ms | "
        f"{frames[int(len(frames) * 0.95)]:.1f} ms | {frames[-1]:.1f} ms | {100 * late:.1f} % | {shown:.2f} s |"
    )


def run(sizes: tuple[int, ...] = SIZES) -> list[str]:
    """Both tables."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        models = Path(os.environ.get("FABULA_HOME", ".fabula")).resolve() / "models"
        if models.is_dir():
            (Path(folder) / "models").symlink_to(models)
        os.environ["FABULA_HOME"] = folder
        from core.people import TERMINAL, Role
        from db.migrate import migrate
        from db.people import people

        migrate()
        token = people.invite(TERMINAL, Role.OWNER, name="bench")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(120_000)
        with Served(Path(folder)) as app:
            page.goto(f"{app.address}/enter/{token}")
            settle(page)
            rows = [
                "| tokens | frames | median | 95 % within | longest | over 34 ms | stored text shown |"
                + "\n"
                + "|---" * 7
                + "|"
            ]
            for number in sizes:
                rows += [scrolling(page, app.address, number, paragraphs=place) for place in (True, False)]
            words = " ".join(story.text for story in stories()[0]).split()
            texts = [" ".join(words[i * WORDS : (i + 1) * WORDS]) for i in range(TEXTS + 1)]
            begun = time.perf_counter()
            show(page, app.address, texts[0])
            loaded = time.perf_counter() - begun
            taken = sorted(read(page, text) for text in texts[1:])
        browser.close()
    return [
        *rows,
        f"\nFrom the press to the coloured text, {WORDS} words, model loaded: median {statistics.median(taken):.2f} s, "
        f"longest {taken[-1]:.2f} s of {len(taken)}; the first text after a start, model to be loaded: {loaded:.1f} s. "
        f"Load of the machine: {os.getloadavg()[0]:.1f}.",
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, nargs="*", default=list(SIZES))
    for line in run(tuple(parser.parse_args().tokens)):
        print(line)
