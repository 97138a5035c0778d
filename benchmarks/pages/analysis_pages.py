"""Every page that reads a large study: seconds until it is finished, and the memory of the server.

`python -m benchmarks.pages.analysis_pages --stories 100000 --metrics 20`: the study is made and imported, and a visitor
without a browser opens each page and tab of a server that was started for it: first with nothing read, as after any
start, then with another choice, such as another metric, and at last after new scores, which nothing that is kept on
the disk knows. In the end one server shows all pages one after the other: that is the memory which it takes. With
`--home FOLDER` the study stays there, for the next time.
"""

import argparse
import asyncio
import os
import secrets
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlencode

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
LARGE, OTHER, SMALL, UNRATED = "A large study", "Another study", "A small study", "An unrated study"
JUDGE = "a-judge:overall"
"""What the last metric is called: the Judges page has one judge."""
PAGES = (
    ("Overview", "?", "again=1"),
    ("Studies", "studies?", "studies-tab=Form"),
    ("Studies: Plan", "studies?studies-tab=Plan", "studies-tab=Plan"),
    ("Stories", "stories?", "order=metric-07"),
    ("Stories: text", "stories?text=all+29", "text=nobody+answered"),
    ("Stories: one", "stories?story=story-77777", "story=story-5"),
    ("Monitor: Progress", "monitor?monitor-tab=Progress", "monitor-tab=Log"),
    ("Monitor: People", "monitor?monitor-tab=People", "monitor-tab=Payments"),
    ("Monitor: Panels", "monitor?monitor-tab=Panels", "monitor-tab=Controls"),
    ("Monitor: What if", "monitor?monitor-tab=What+if", "monitor-tab=What+if"),
    ("Judgments: Ratings", "judgments?judgments_tab=Ratings", "judgments_tab=Order"),
    ("Judgments: Agreement", "judgments?judgments_tab=Agreement", "judgments_tab=Ratings"),
    ("Judgments: Error types", "judgments?judgments_tab=Error+types", "judgments_tab=Order"),
    ("Judgments: Evidence", "judgments?judgments_tab=Evidence", "judgments_tab=Order"),
    ("Judgments: Texts", "judgments?judgments_tab=Texts", "judgments_tab=Order"),
    ("Judgments: Annotators", "judgments?judgments_tab=Annotators", "judgments_tab=Order"),
    ("Judgments: Order", "judgments?judgments_tab=Order", "judgments_tab=Ratings"),
    ("Judgments, without a rating", "judgments?", "judgments_tab=Ratings"),
    ("Score: Summary", "score?score-tab=Summary", "score-tab=One+or+two+metrics"),
    ("Score: Between metrics", "score?score-tab=Between+metrics", "score-tab=Summary"),
    ("Correlation: Table", "correlation?tab=Table", "coefficient=spearman"),
    ("Correlation: Scatter", "correlation?tab=Scatter", "metric=metric-07"),
    ("Correlation: By error type", "correlation?tab=By+error+type", "coefficient=spearman"),
    ("Correlation: By system", "correlation?tab=By+system", "metric=metric-07"),
    ("Correlation: Within prompts", "correlation?tab=Within+prompts", "seed=2"),
    ("Correlation: Systems and length", "correlation?tab=Systems+and+length", "seed=2"),
    ("Correlation: Significance, r", "correlation?tab=Significance", "seed=2"),
    ("Correlation: Significance, ρ", "correlation?tab=Significance&tested=spearman", "seed=2"),
    ("Correlation: How many more?", "correlation?tab=How+many+more%3F", "metric=metric-07"),
    ("Drift: Quality", "drift?drift=Quality", "metrics=metric-07&metrics=metric-08"),
    ("Drift: System", "drift?drift=System", "metrics=metric-07&metrics=metric-08"),
    ("Drift: Dataset", "drift?drift=Dataset&with=Another+study", "seed=2"),
    ("Difference", "difference?", "metric=metric-07"),
    ("Systems", "systems?", "metric=metric-07"),
    ("Judges: Agreement", "judges?tab=Agreement", "coefficient=spearman"),
    ("Judges: May it replace a person?", "judges?tab=May+it+replace+a+person%3F", "tab=Confusion"),
    ("Judges: Confusion", "judges?tab=Confusion", "tab=Agreement"),
    ("Judges: Disagreements", "judges?tab=Disagreements", "tab=Confusion"),
    ("Judges: Biases", "judges?tab=Biases", "tab=Confusion"),
    ("Metric report", "report?", "metric=metric-07"),
    ("Published", "published?", "table=UNION%2C+Table+5"),
    ("Naturalness", "naturalness?", "length=100"),
    ("Test sets: Make", "test_sets?", "tab=Browse"),
    ("Capability", "capability?", "look=Cases"),
)
"""Name, address, and what the second visit adds to it, in place of what the address has."""
HEADER = (
    "| page | after a start | processor | another choice | processor | new scores | processor | sent | memory |\n"
    + 9 * "|---" + "|"
)  # fmt: skip


def story_text(number: int) -> str:
    """A story of some forty words, as ROCStories have; with what it takes a tokenizer longest to part."""
    return (
        f"On day {number} somebody's brother didn't want to go home. He had lost his keys, and they weren't in his bag "
        f"or in the car. He called all {number % 30 + 2} neighbours, but nobody answered. In the end he sat down and "
        "waited. When his mother came at last, she'd brought them along."
    )


def made(stories: int, metrics: int, name: str, seed: int = 0, *, rate: bool = True) -> Study:
    """A study in the database at hand: one story per system and prompt, ratings and error types unless nobody is to
    `rate` it, and imported scores.
    """
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
                story_text(number),
                system=f"system-{system:02d}",
            )
        )
        fault = ((types[faults[number]], 1),)
        for rater, overall in enumerate(rated[number].tolist() if rate else ()):
            ratings.append(RatingRecord(key, f"rater {rater}", overall, fault if overall < 3 else ()))
    scores = []
    for metric in range(metrics):
        values = quality * metric / metrics + rng.normal(size=stories)
        values = np.round(values) if metric % TIED == 0 else values
        named = dict(zip(keys, values.tolist(), strict=True))
        called = JUDGE if metric == metrics - 1 else f"metric-{metric:02d}"
        scores.append(ScoreRecord(called, f"file:{seed}{metric:011d}", named))
    return imports.import_corpora(TERMINAL, name, [Corpus("mans", tuple(records), tuple(ratings), tuple(scores))])


@dataclass(frozen=True)
class Visit:
    """Seconds until the page is finished, the server's seconds of processor time for it, and megabytes sent."""

    seconds: float
    processor: float
    sent: float


@dataclass(frozen=True)
class Measured:
    """A page's three visits, and the most memory (MB) that its server has held."""

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


def changed(path: str, change: str) -> str:
    """An address with another choice."""
    page, _, query = path.partition("?")
    wanted = dict(parse_qsl(query)) | parse_qs(change)
    return f"{page}?{urlencode(wanted, doseq=True)}"


def forgotten(study: Study) -> None:
    """Make the scores look new, so that nothing that was read or worked out before is of use."""
    from db.audit import now
    from db.engine import writing
    from db.schema import score_run

    with writing() as connection:
        connection.execute(update(score_run).where(score_run.c.study_id == study.id).values(updated_at=now()))


@contextmanager
def _started(home: Path, token: str, small: Study) -> Iterator[tuple[Served, _Highest]]:
    """A server that has shown a page of a study of a few stories: the first page imports what all of them need."""
    with Served(home) as app:
        highest = _Highest(app)
        asyncio.run(visit(app, token, f"/correlation?tab=Table&study={small.id}"))
        yield app, highest
        highest.end()


def measured(home: Path, token: str, names: Sequence[str] = ()) -> Iterator[Measured | str]:
    """The pages whose names hold one of `names`, all where there are none, each of a server of its own; then what one
    server takes that shows them all.
    """
    named = {summary.study.name: summary.study for summary in studies.summaries(TERMINAL)}
    pages = [page for page in PAGES if not names or any(part in page[0] for part in names)]
    paths = []
    for name, path, change in pages:
        study = named[UNRATED if "without a rating" in name else LARGE]
        address = f"/{path}&study={study.id}"
        paths += [address, changed(address, change)]
        with _started(home, token, named[SMALL]) as (app, highest):
            opened = [asyncio.run(visit(app, token, item)) for item in paths[-2:]]
            forgotten(study)
            new = asyncio.run(visit(app, token, address))
            yield Measured(name, (*opened, new), highest.megabytes)  # type: ignore[arg-type]
    with _started(home, token, named[SMALL]) as (app, highest):
        seconds = [asyncio.run(visit(app, token, path)).seconds for path in paths]
        yield (
            f"All {len(paths)} in one server: {highest.megabytes:.0f} MB at most; the first visits to pages took "
            f"{max(seconds[::2]):.2f} s at most, other choices {max(seconds[1::2]):.2f} s."
        )


def make_all(stories: int, metrics: int) -> None:
    """All studies, in the database at hand, unless they are there."""
    if not studies.summaries(TERMINAL):
        made(stories, metrics, LARGE)
        made(stories // ELSEWHERE, metrics, OTHER, seed=1)
        made(PER_PROMPT * 5, metrics, SMALL, seed=2)
        made(stories, 0, UNRATED, seed=3, rate=False)


def run(
    stories: int = 100_000, metrics: int = 20, names: Sequence[str] = (), home: Path | None = None
) -> Iterator[str]:
    """The table. `home`: where the studies are, or will be; else they go with the folder that they are made in."""
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        kept = home or Path(folder)
        os.environ["FABULA_HOME"] = str(kept)
        os.environ.pop("DATABASE_URL", None)
        from db.migrate import migrate
        from db.people import people

        migrate()
        make_all(stories, metrics)
        token = people.invite(TERMINAL, Role.OWNER, name=f"bench {secrets.token_hex(4)}")
        yield HEADER
        yield from map(str, measured(kept, token, names))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=100_000)
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of pages, such as Drift")
    parser.add_argument("--home", type=Path, help="folder in which the studies are kept for the next time")
    options = parser.parse_args()
    for line in run(options.stories, options.metrics, options.only, options.home):
        print(line, flush=True)
