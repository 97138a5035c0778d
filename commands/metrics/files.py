"""`score --in`: files of any size, scored into a folder of Parquet or into one file."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from commands.metrics.checkup import check_up_rows
from core.engines.settings import EngineSettings
from core.errors import InputError, StorageError
from core.files import PARTIAL, replacing, unwritable
from core.formats.tables import RowFilter
from core.metrics import find
from core.metrics.run import parts_of
from core.notices import collecting
from core.streams.folder import Run
from core.streams.run import ROWS_A_PARTITION, Summary, Told, score_files
from core.streams.sample import Sample, sample
from core.streams.whole import WholeFile, check_writable, plan_whole, write_whole

PARTS = ".parts"
"""How the folder is called that one file is made of, while that is not there: `scored.parts` for `scored.csv`."""


def score_file(
    addresses: list[str],
    out: Path | None,
    settings: Mapping[str, Any],
    engine: EngineSettings,
    *,
    mapping: Mapping[str, str],
    where: RowFilter,
    rows: int = ROWS_A_PARTITION,
) -> dict[str, Any]:
    """Score them; what `score --json` prints. Raises FabulaError as `core.streams.run.score_files` does."""
    if out is None:
        raise InputError("Name the file or the folder to write with --out.")
    for name in settings["metrics"]:
        if made_of := parts_of(name):
            raise InputError(f"{name} depends on a study's other stories: score {' and '.join(made_of)} of a file.")
    ending = _OneFile(out) if out.suffix and not out.is_dir() else _Folder(out)
    models = any(find(name).role for name in settings["metrics"])
    with collecting() as notices, _progress() as tell:
        summary = score_files(
            addresses,
            ending.folder,
            settings,
            engine.engine(settings["device"], models=models),
            mapping=mapping,
            where=where,
            rows=rows,
            tell=tell,
            ready=ending.ready,
            finish=ending.finish,
            own=ending.own,
        )
    drawn = ending.drawn
    if summary.aside:
        rows_were = "1 row" if summary.aside == 1 else f"{summary.aside:,} rows"
        notices.append(f"{rows_were} could not be read as a story; why stands in {ending.aside}.")
    if drawn.of < summary.stories:
        notices.append(f"Checked for repetition and for what is no text: {drawn.of:,} of {summary.stories:,} stories.")
    return {
        "n": summary.stories,
        "partitions": summary.partitions,
        "set_aside": summary.aside,
        "rows": _rows(summary),
        "notices": notices,
        "check_up": check_up_rows(drawn.columns, drawn.human, drawn.prompts, drawn.texts),
    }


class _Folder:
    """A run that leaves a folder of scores. `drawn`: stories for the check-up."""

    def __init__(self, folder: Path) -> None:
        self.folder = self.aside = folder
        self.own: tuple[Path, ...] = ()
        self.drawn: Sample

    def ready(self, run: Run) -> None:
        """Nothing can be in the way."""

    def finish(self, run: Run, _summary: Summary) -> None:
        """Draw the stories."""
        self.drawn = sample(self.folder, run)


class _OneFile(_Folder):
    """A run that leaves one file, and beside it one of the rows that were set aside, where there are any."""

    def __init__(self, out: Path) -> None:
        check_writable(out)
        super().__init__(out.with_name(out.stem + PARTS))
        self._out = out
        self.aside = out.with_name(out.name + ".aside.jsonl")
        self.own = (out, self.aside)
        self._plan: WholeFile

    def ready(self, run: Run) -> None:
        """See that the rows can be written."""
        self._plan = plan_whole(run, self._out)

    def finish(self, run: Run, summary: Summary) -> None:
        """Write the file; the folder goes."""
        super().finish(run, summary)
        write_whole(self.folder, run, self._out, self._plan)
        try:
            self.aside.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(unwritable(self.aside, error)) from error
        if summary.aside:
            with replacing(self.aside) as partial, partial.open("wb") as stream:
                for part in sorted(self.folder.glob("_aside-*.jsonl")):
                    with part.open("rb") as source:
                        shutil.copyfileobj(source, stream)
        # By another name first: what is left of a removal that was cut off is nobody's run.
        gone = self.folder.with_name(f"{self.folder.name}.{os.getpid()}{PARTIAL}")
        try:
            self.folder.rename(gone)
            shutil.rmtree(gone)
        except OSError as error:
            raise StorageError(unwritable(self.folder, error)) from error


def _rows(summary: Summary) -> list[dict[str, Any]]:
    result = []
    for name, signature in summary.signatures.items():
        reasons = dict(summary.undefined.get(name, {}))
        row = {"metric": name, "signature": signature, "scored": summary.scored}
        counts = {"reused": summary.stories - summary.scored, "undefined": sum(reasons.values())}
        commonest = dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
        result.append({**row, **counts, "reasons": commonest, "seconds": round(summary.seconds.get(name, 0.0), 3)})
    return result


@contextmanager
def _progress() -> Iterator[Told]:
    """A line on stderr."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("looking at the files", total=None)
        yield lambda done, total, what: bar.update(task, description=what, completed=done, total=total or None)
