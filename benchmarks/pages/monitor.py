"""The Monitor page over a large study: how long it takes to open, and what it costs while it is open.

`python -m benchmarks.pages.monitor --annotators 2000 --panels 14286 --seconds 60`: the study is written in bulk, the
app is served, and a browser opens the page and stays, first while nothing happens and then while panels come in.
"""

import argparse
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from sqlalchemy import Connection, Table, insert, select

from benchmarks.pages.crowd import Opinion, crowd, planted, words
from benchmarks.pages.served import Served
from core.annotation.panel import balanced_order
from core.annotation.quality import judge_panel
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.people import TERMINAL, Person, Role
from core.stories import Source
from db.audit import now

WANTED = 5
BATCH = 5_000
MINUTES = 4.0
"""A panel takes about so long."""
DAYS = 14.0
FIRST = 1_001
"""Number of the first annotator."""
HEADER = "| first open | next open | core, nothing new | core, a panel every two seconds |\n|---|---|---|---|"


class _Bulk:
    """Rows on their way into the tables, in the order that keys ask for."""

    def __init__(self, connection: Connection, tables: tuple[Table, ...]) -> None:
        self._connection, self._tables = connection, tables
        self._rows: dict[Table, list[dict[str, Any]]] = {table: [] for table in tables}

    def add(self, table: Table, **values: Any) -> None:
        self._rows[table].append(values)
        if len(self._rows[table]) >= BATCH:
            self.flush()

    def flush(self) -> None:
        for table in self._tables:
            if self._rows[table]:
                self._connection.execute(insert(table), self._rows[table])
                self._rows[table] = []


def made(annotators: int, panels: int) -> Study:
    """An open study in the database at hand: so many annotators, so many panels of seven, their answers and the log."""
    from db.annotation import settings
    from db.engine import writing
    from db.schema import assignment, deduction, event, person, prompt, rating, rating_value, story
    from db.studies import studies
    from db.transfer import imports

    corpus, quality = planted(-(-panels // WANTED))
    study = imports.import_corpora(TERMINAL, "A large study", [corpus])
    settings.set_rules(TERMINAL, study.id, QualityRules(ratings_wanted=WANTED + 1))
    studies.open_study(TERMINAL, study.id)
    crowded = crowd(annotators, annotators // 10)
    random.Random(0).shuffle(crowded)
    with writing() as connection:
        bulk = _Bulk(connection, (person, assignment, rating, rating_value, deduction, event))
        begun = now() - timedelta(days=DAYS)
        for number, annotator in enumerate(crowded):
            bulk.add(
                person,
                id=FIRST + number,
                name=f"annotator {annotator.seed}",
                role=Role.ANNOTATOR,
                token_hash=str(number),
                study_id=study.id,
                created_at=begun,
            )
        members: dict[int, list[Any]] = {}
        for row in connection.execute(select(story).where(story.c.study_id == study.id).order_by(story.c.id)).all():
            members.setdefault(row.prompt_id, []).append(row)
        prompts = connection.scalars(select(prompt.c.id).where(prompt.c.study_id == study.id)).all()
        rng = random.Random(0)
        for number in range(panels):
            who = number % annotators
            started = begun + timedelta(days=DAYS) * (number / panels)
            stories = members[prompts[number // WANTED]]
            order = [stories[i] for i in balanced_order(len(stories), number)]
            opinions = {item.id: crowded[who].rate(quality[words(item.text)], item.text) for item in order}
            took = timedelta(minutes=max(1.0, rng.gauss(MINUTES, 1)) / (10 if crowded[who].carelessness else 1))
            _add_panel(bulk, study, number, FIRST + who, order, opinions, started, took)
        bulk.flush()
    return studies.get(study.id)


def _add_panel(
    bulk: _Bulk,
    study: Study,
    number: int,
    person_id: int,
    order: list[Any],
    opinions: dict[int, Opinion],
    started: datetime,
    took: timedelta,
) -> None:
    """One panel as it is after its hand-in, with the log of it."""
    from db.schema import assignment, deduction, event, rating, rating_value

    log = {"study_id": study.id, "person_id": person_id}
    panel = {"assignment": number + 1}
    controls = [
        [opinions[s.id].overall for s in order if s.source == source] for source in (Source.HUMAN, Source.NEGATIVE)
    ]
    verdict = judge_panel(*controls, study.rules)
    bulk.add(
        assignment,
        id=number + 1,
        study_id=study.id,
        prompt_id=order[0].prompt_id,
        person_id=person_id,
        rater="",
        state="submitted",
        stories=[[s.id, f"t{number}-{s.id}"] for s in order],
        started_at=started,
        submitted_at=started + took,
        valid=verdict.valid,
        reason=verdict.reason,
        guideline_version="1",
        app_version="0",
        order_row=number % 14,
        payment="due",
    )
    bulk.add(event, **log, at=started, kind="panel claimed", detail=panel)
    for place, item in enumerate(order):
        rating_id, at, opinion = number * len(order) + place + 1, started + took * (place / 8), opinions[item.id]
        overall = float(opinion.overall)
        bulk.add(rating, id=rating_id, assignment_id=number + 1, story_id=item.id, updated_at=at)
        bulk.add(rating_value, rating_id=rating_id, criterion="overall", value=overall)
        bulk.add(event, **log, at=at, kind="answer saved", detail={**panel, "story": item.id, "overall": overall})
        for name, points in opinion.deductions.items():
            bulk.add(deduction, rating_id=rating_id, error_type=name, points=points)
            saved = {**panel, "story": item.id, "error_type": name, "points": points}
            bulk.add(event, **log, at=at, kind="answer saved", detail=saved)
    bulk.add(event, **log, at=started + took, kind="panel submitted", detail={**panel, "valid": verdict.valid})


@dataclass(frozen=True)
class Measured:
    """Seconds until the page stands, for the first visitor after the start and for the next; shares of a core."""

    first: float
    next: float
    quiet: float
    busy: float
    came_in: int

    def __str__(self) -> str:
        """As a row of a Markdown table."""
        return (
            f"| {self.first:.2f} s | {self.next:.2f} s | {self.quiet:.1%} | {self.busy:.1%} ({self.came_in} came in) |"
        )


def measured(home: Path, token: str, study: Study, seconds: float) -> Measured:
    """Open the page in a browser and stay, first while nothing happens, then while annotators hand panels in."""
    with Served(home) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        first, page = _opened(browser, app.address, token, study)
        page.context.close()
        again, page = _opened(browser, app.address, token, study)
        quiet, _ = _share(app, page, seconds, lambda: None)
        workers = iter(_workers(study))
        busy, came_in = _share(app, page, seconds, lambda: _hand_in(next(workers)))
        browser.close()
    return Measured(first, again, quiet, busy, came_in)


def _opened(browser: Browser, address: str, token: str, study: Study) -> tuple[float, Page]:
    """Seconds from the request to the page with its figures and the chart, in a browser without anything cached."""
    page = browser.new_context(viewport={"width": 1280, "height": 1400}).new_page()
    page.goto(f"{address}/enter/{token}")
    page.get_by_role("heading", level=1).wait_for()
    begun = time.perf_counter()
    page.goto(f"{address}/monitor?study={study.id}")
    page.get_by_text("Still wanted", exact=True).wait_for()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    return time.perf_counter() - begun, page


def _share(app: Served, page: Page, seconds: float, act: Callable[[], None]) -> tuple[float, int]:
    """Share of a core that the server takes, with the page open; `act` is done every two seconds, counted."""
    page.wait_for_timeout(5_000)
    before, begun, acts = app.cpu(), time.monotonic(), 0
    while time.monotonic() - begun < seconds:
        act()
        acts += 1
        page.wait_for_timeout(2_000)
    return (app.cpu() - before) / (time.monotonic() - begun), acts


def _workers(study: Study) -> Iterator[Person]:
    """New annotators, each for one panel."""
    from benchmarks.pages.load import invited

    for annotator in crowd(1_000, seed=7):
        yield invited(study, annotator)[1]


def _hand_in(person: Person) -> None:
    from db.annotation import assignments, panel_submission
    from db.ratings import ratings

    panel = assignments.turn(person, claim=True).panel
    if panel is None:
        raise RuntimeError("The study is full.")
    for number, story in enumerate(panel.stories):
        ratings.save_value(person, story.token, 1 + number % 5)
    panel_submission.submit(person, panel.token)


def run(annotators: int = 2_000, panels: int = 14_286, seconds: float = 60.0) -> Iterator[str]:
    """The table."""
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        os.environ["FABULA_HOME"] = folder
        os.environ.pop("DATABASE_URL", None)
        from db.migrate import migrate
        from db.people import people

        migrate()
        study = made(annotators, panels)
        token = people.invite(TERMINAL, Role.OWNER, name="bench")
        yield HEADER
        yield str(measured(Path(folder), token, study, seconds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotators", type=int, default=2_000)
    parser.add_argument("--panels", type=int, default=14_286, help="of seven ratings each")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    for line in run(options.annotators, options.panels, options.seconds):
        print(line, flush=True)
