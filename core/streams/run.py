"""Scoring files of any size into a folder: partition by partition, on any engine, in memory that does not grow."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.durations import WorkPace, duration
from core.engines.recipe import Recipe
from core.engines.work import Died, Engine, Work
from core.errors import FabulaError, InputError
from core.formats.tables import EVERY_ROW, RowFilter
from core.metrics import build
from core.metrics.naming import unique_names
from core.metrics.run import settings_of
from core.notices import notice
from core.streams import folder as folders
from core.streams.folder import Run
from core.streams.inputs import InputFile, find
from core.streams.partition import Aside
from core.streams.references import references
from core.streams.scoring import About, Piece, ScoredPiece, StreamTask
from core.streams.stories import Reader, cut, reader_of

ROWS_A_PARTITION = 4096
FRUITLESS = 2
"""Rounds of halving after which some story must have had a score."""
Told = Callable[[int, int, str], None]
"""Rows done, rows in all, and what is going on."""


def _untold(_done: int, _total: int, _what: str) -> None:
    """Nobody wants to know."""


class Summary:
    """What a run has come to so far: its stories, those of them that were scored now, and rows set aside; by metric's
    column the stories without a score by reason, and the seconds.
    """

    def __init__(self, signatures: Mapping[str, str]) -> None:
        self.signatures = signatures
        self.stories = self.scored = self.aside = self.partitions = 0
        self.seconds: dict[str, float] = {}
        self.undefined: dict[str, Counter[str]] = {}

    def add(self, said: About, scored: ScoredPiece | None = None) -> None:
        """Take a partition in; `scored` where it was scored now."""
        self.stories += said.stories
        self.aside += said.aside
        self.partitions += 1
        for name, counts in said.undefined.items():
            self.undefined.setdefault(name, Counter()).update(counts)
        if scored is not None:
            self.scored += said.stories
            for name, seconds in zip(self.signatures, scored.seconds, strict=True):
                self.seconds[name] = self.seconds.get(name, 0.0) + seconds


def score_files(
    addresses: Sequence[str],
    folder: Path,
    settings: Mapping[str, Any],
    engine: Engine,
    *,
    mapping: Mapping[str, str],
    where: RowFilter = EVERY_ROW,
    rows: int = ROWS_A_PARTITION,
    tell: Told = _untold,
    ready: Callable[[Run], None] = lambda _run: None,
    finish: Callable[[Run, Summary], None] = lambda _run, _summary: None,
    own: Sequence[Path] = (),
) -> Summary:
    """Score the stories of files (see `core.streams.inputs`) into a folder, or go on with what was begun there.

    `ready` receives what the run is of before anything is scored, and may refuse; `finish` what it has come to, while
    no other run may touch the folder. `own`: what else is written, and so is not read. Raises InputError for what
    cannot be read, and for a folder that another run writes into or that is of other files, metrics, columns or values;
    FabulaError where the work fails. What was scored is kept.
    """
    if rows < 1:
        raise InputError(f"A partition has at least one row, not {rows}.")
    files = find(addresses, [folder, *own])
    with folders.claimed(folder):
        before = folders.read_run(folder)
        if before is not None:
            folders.check_files(folder, before, files)
            _check_choices(folder, before, mapping, where)
        run = _cut(files, rows, mapping, where, tell) if before is None else before
        reader = Reader(run.columns, run.where)
        recipe = Recipe.of(settings, lambda: references(reader, run.partitions))
        signatures = _columns(settings, recipe)
        run = replace(run, signatures=signatures)
        if before is not None:
            folders.check_signatures(folder, before, signatures)
        ready(run)
        if before is None:
            folders.begin(folder, run)
        summary = _Scoring(folder, run, StreamTask(reader, recipe, tuple(signatures)), engine, tell).finish()
        finish(run, summary)
        return summary


def _cut(files: Sequence[InputFile], rows: int, mapping: Mapping[str, str], where: RowFilter, tell: Told) -> Run:
    cuts = []
    size, seen = sum(file.size for file in files), 0
    for file in files:
        tell(seen, size, f"looking through {file.name}")
        cuts.append((file, cut(file, rows)))
        seen += file.size
    reader = reader_of(cuts, mapping, where)
    return Run({}, reader.columns, reader.where, rows, tuple(cuts))


def _columns(settings: Mapping[str, Any], recipe: Recipe) -> dict[str, str]:
    """The metrics' columns and their signatures."""
    metrics = [build(name, settings_of(settings, name)) for name in settings["metrics"]]
    called = [(metric.name, text) for metric, text in zip(metrics, recipe.signatures, strict=True)]
    return dict(zip(unique_names(called), recipe.signatures, strict=True))


def _check_choices(folder: Path, before: Run, mapping: Mapping[str, str], where: RowFilter) -> None:
    if any(before.columns.get(name) != column for name, column in mapping.items()):
        raise InputError(f"{folder} was begun with other columns (--map): name a new folder.")
    if before.where != where:
        raise InputError(f"{folder} was begun with other rows (--where): name a new folder.")


class _Scoring:
    """A run under way in a folder that is claimed."""

    def __init__(self, folder: Path, run: Run, task: StreamTask, engine: Engine, tell: Told) -> None:
        self._folder = folder
        self._run = run
        self._task = task
        self._engine = engine
        self._tell = tell
        self._pace = WorkPace()
        self._total = sum(layout.rows for _, layout in run.files)
        self._done = 0
        self.summary = Summary(run.signatures)

    def finish(self) -> Summary:
        """Score what is not stored yet."""
        missing = []
        for partition in self._run.partitions:
            said = folders.kept(self._folder, self._run, partition)
            if said is None:
                missing.append(Piece(partition))
            else:
                self.summary.add(said)
                self._done += partition.rows
        before = self._done
        self._say(before)
        for scored in self._scored(missing):
            self.summary.add(folders.keep(self._folder, scored, self._run.signatures), scored)
            self._done += scored.piece.partition.rows
            for text in scored.notices:
                notice(text)
            self._say(before)
        return self.summary

    def _say(self, before: int) -> None:
        done = self._done - before
        rate = self._pace.rate(done, time.perf_counter())
        pace = f": {rate:,.0f} rows a second, about {duration((self._total - self._done) / rate)} left" if rate else ""
        self._tell(self._done, self._total, f"{', '.join(self._run.signatures)}{pace}")

    def _scored(self, pieces: Sequence[Piece]) -> Iterator[ScoredPiece]:
        """Every partition, whole; one that no process outlives is taken apart at the end."""
        work = Work(self._task.read, self._task.make)
        died = []
        for result in self._engine.results(work, pieces):
            if isinstance(result, Died):
                died.append(result.item)
            else:
                yield result
        for piece in died:
            yield self._taken_apart(work, piece)

    def _taken_apart(self, work: Work[Piece, Any, ScoredPiece], whole: Piece) -> ScoredPiece:
        """Halve a partition until each story that no process outlives stands alone: that one has no score."""
        number = len(self._task.read(whole)[1].ids)
        parts, results, rounds = [replace(whole, start=0, end=number)], list[ScoredPiece](), 0
        while parts:
            halves = [half for part in parts for half in _halves(part)]
            parts, rounds = [], rounds + 1
            if rounds > FRUITLESS and not results:  # both halves of both halves: it is not for a story
                raise FabulaError(
                    "Every process that tried to score crashed, whatever the stories: see that there is enough memory, "
                    "and that the metrics run here at all. What was scored is kept."
                )
            for result in self._engine.results(work, halves):
                if not isinstance(result, Died):
                    results.append(result)
                elif _size(result.item) <= 1:
                    results.append(self._task.given_up(result.item))
                else:
                    parts.append(result.item)
        return _joined(whole, results, self._task.reader.read(whole.partition).aside)


def _size(piece: Piece) -> int:
    return (piece.end or 0) - piece.start


def _halves(piece: Piece) -> list[Piece]:
    if _size(piece) < 2:
        return [piece]
    middle = piece.start + _size(piece) // 2
    return [replace(piece, end=middle), replace(piece, start=middle)]


def _joined(whole: Piece, results: Sequence[ScoredPiece], aside: tuple[Aside, ...]) -> ScoredPiece:
    import pyarrow

    ordered = sorted(results, key=lambda result: result.piece.start)
    table = pyarrow.concat_tables([result.table for result in ordered])
    seconds = tuple(map(sum, zip(*(result.seconds for result in ordered), strict=True)))
    notices = tuple(text for result in ordered for text in result.notices)
    return ScoredPiece(whole, table, seconds, aside, notices)
