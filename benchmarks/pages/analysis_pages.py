"""Every page of analyses over a large study: seconds until it is finished, and the memory of the server.

`python -m benchmarks.pages.analysis_pages --stories 100000 --metrics 20`: the study is made and imported, the app is
served, and a visitor without a browser opens each page and tab three times. First with nothing known, as after a start
of the server or after new scores. Then with another seed: everything is worked out anew from what was read, as on the
first visit to a tab. Then with another choice, such as another metric.
"""

import argparse
import asyncio
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sqlalchemy import update

from benchmarks.pages.served import Served
from benchmarks.pages.streamlit_client import Session
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.stories import Corpus, RatingRecord, ScoreRecord, StoryRecord
from db.studies import studies

PER_PROMPT, RATINGS, TIED = 20, 3, 5
"""Stories of a prompt, one a system; ratings of a story; every so many metrics one has whole numbers as scores."""
ELSEWHERE = 10
"""The other study, which datasets are compared with, is a part of this size."""
SMALL = "A small study"
PAGES = (
    ("Correlation: Table", "correlation?tab=Table", "coefficient=spearman"),
    ("Correlation: Scatter", "correlation?tab=Scatter", "metric=metric-07"),
    ("Correlation: By error type", "correlation?tab=By+error+type", "coefficient=spearman"),
    ("Correlation: By system", "correlation?tab=By+system", "metric=metric-07"),
    ("Correlation: Within prompts", "correlation?tab=Within+prompts", "seed=2"),
    ("Correlation: Significance, r", "correlation?tab=Significance", "seed=2"),
    ("Correlation: Significance, ρ", "correlation?tab=Significance&tested=spearman", "seed=2"),
    ("Correlation: How many more?", "correlation?tab=How+many+more%3F", "metric=metric-07"),
    ("Drift: Quality", "drift?drift=Quality", "metrics=metric-07&metrics=metric-08"),
    ("Drift: System", "drift?drift=System", "metrics=metric-07&metrics=metric-08"),
    ("Drift: Dataset", "drift?drift=Dataset&with=Another+study", "seed=2"),
    ("Difference", "difference?", "metric=metric-07"),
    ("Systems", "systems?", "metric=metric-07"),
    ("Metric report", "report?", "metric=metric-07"),
    ("Published", "published?", "table=UNION%2C+Table+5"),
)
"""Name, address, and what the second visit adds to it."""
HEADER = (
    "| page | nothing read | processor | data read | processor | another choice | processor | sent | memory |\n"
    + 9 * "|---" + "|"
)  # fmt: skip


def made(stories: int, metrics: int, name: str, seed: int = 0) -> Study:
    """A study in the database at hand: one story per system and prompt, ratings, error types and imported scores."""
    from core.annotation.builtin import scheme_of
    from db.transfer import imports

    rng = np.random.default_rng(seed)
    types = [error_type.name for error_type in scheme_of("mans").error_types]
    quality = np.repeat(rng.normal(size=-(-stories // PER_PROMPT)), PER_PROMPT)[:stories] / 2
    quality += np.resize(np.linspace(-1, 1, PER_PROMPT), stories) + rng.normal(size=stories) * 0.7
    rated = np.clip(np.round(3 + quality[:, None] + rng.normal(size=(stories, RATINGS))), 1, 5)
    faults = rng.integers(0, len(types), stories)
    keys = [f"story-{number}" for number in range(stories)]
    records, ratings = [], []
    for number, key in enumerate(keys):
        prompt, system = divmod(number, PER_PROMPT)
        records.append(
            StoryRecord(
                key,
                str(prompt),
                f"Opening number {prompt} of the day.",
                f"Story {key} is told from its beginning, and then it ends well for {number}.",
                system=f"system-{system:02d}",
            )
        )
        fault = ((types[faults[number]], 1),)
        for rater, overall in enumerate(rated[number].tolist()):
            ratings.append(RatingRecord(key, f"rater {rater}", overall, fault if overall < 3 else ()))
    scores = []
    for metric in range(metrics):
        values = quality * metric / metrics + rng.normal(size=stories)
        values = np.round(values) if metric % TIED == 0 else values
        named = dict(zip(keys, values.tolist(), strict=True))
        scores.append(ScoreRecord(f"metric-{metric:02d}", f"file:{seed}{metric:011d}", named))
    return imports.import_corpora(TERMINAL, name, [Corpus("mans", tuple(records), tuple(ratings), tuple(scores))])


@dataclass(frozen=True)
class Visit:
    """Seconds until the page is finished, the server's seconds of processor time for it, and megabytes sent."""

    seconds: float
    processor: float
    sent: float


@dataclass(frozen=True)
class Measured:
    """A page's three visits, and the most memory (MB) that the server has held until then."""

    name: str
    visits: tuple[Visit, Visit, Visit]
    memory: float

    def __str__(self) -> str:
        """As a row of a Markdown table."""
        cells = [self.name]
        for item in self.visits:
            cells += [f"{item.seconds:.2f} s", f"{item.processor:.2f} s"]
        return f"| {' | '.join(cells)} | {max(entry.sent for entry in self.visits):.1f} MB | {self.memory:.0f} MB |"


class _Highest:
    """The most memory that the server has held, looked at a hundred times a second."""

    def __init__(self, app: Served) -> None:
        self.megabytes, self._app, self._ended = 0.0, app, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._ended.wait(0.01):
            self.megabytes = max(self.megabytes, self._app.memory())

    def end(self) -> None:
        """Look no more."""
        self._ended.set()


async def visit(app: Served, token: str, path: str) -> Visit:
    """Open a page in a new session; raises RuntimeError where it fails."""
    async with Session(app.address, token, wait=300, record=True) as session:
        before, begun = app.cpu(), time.perf_counter()
        await session.open(path)
        seconds, processor = time.perf_counter() - begun, app.cpu() - before
        failed = [element.proto.message for element in session.elements() if element.kind == "exception"]
        if failed:
            raise RuntimeError(f"{path}: {failed[0]}")
        return Visit(seconds, processor, sum(map(len, session.received or ())) / 2**20)


def _visits(app: Served, token: str, paths: Sequence[str]) -> tuple[Visit, Visit, Visit]:
    first, anew, changed = (asyncio.run(visit(app, token, path)) for path in paths)
    return first, anew, changed


def forgotten(study: Study) -> None:
    """Make the scores look new, so that nothing that was read or worked out before is of use."""
    from db.audit import now
    from db.engine import writing
    from db.schema import score_run

    with writing() as connection:
        connection.execute(update(score_run).where(score_run.c.study_id == study.id).values(updated_at=now()))


def measured(home: Path, token: str, study: Study, names: Sequence[str] = ()) -> Iterator[Measured]:
    """The pages whose names hold one of `names`, all where there are none; before them a study of a few stories, since
    the first page after a start imports what all of them need.
    """
    small = next(summary.study for summary in studies.summaries(TERMINAL) if summary.study.name == SMALL)
    with Served(home) as app:
        highest = _Highest(app)
        path = f"/correlation?tab=Table&study={small.id}"
        small_visits = _visits(app, token, [path, f"{path}&seed=1", f"{path}&coefficient=spearman"])
        yield Measured("the first page after a start, few stories", small_visits, highest.megabytes)
        for name, path, change in PAGES:
            if names and not any(part in name for part in names):
                continue
            forgotten(study)
            address = f"/{path}&study={study.id}"
            visits = _visits(app, token, [address, f"{address}&seed=1", f"{address}&{change}"])
            yield Measured(name, visits, highest.megabytes)
        highest.end()


def run(stories: int = 100_000, metrics: int = 20, names: Sequence[str] = ()) -> Iterator[str]:
    """The table."""
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        os.environ["FABULA_HOME"] = folder
        os.environ.pop("DATABASE_URL", None)
        from db.migrate import migrate
        from db.people import people

        migrate()
        study = made(stories, metrics, "A large study")
        made(stories // ELSEWHERE, metrics, "Another study", seed=1)
        made(PER_PROMPT * 5, metrics, SMALL, seed=2)
        token = people.invite(TERMINAL, Role.OWNER, name="bench")
        yield HEADER
        yield from map(str, measured(Path(folder), token, study, names))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=100_000)
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of pages, such as Drift")
    options = parser.parse_args()
    for line in run(options.stories, options.metrics, options.only):
        print(line, flush=True)
