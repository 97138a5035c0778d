"""`score --in`: files of any size, scored into a folder of Parquet or into one file."""

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
from core.metrics import find
from core.metrics.run import parts_of
from core.notices import collecting
from core.streams.folder import Run
from core.streams.run import ROWS_A_PARTITION, Summary, Told, score_files
from core.streams.sample import sample
from core.streams.whole import check_whole, check_writable, write_whole

PARTS = ".parts"
"""How the folder is called, behind the name of the one file that is made of it, while that is not there."""


def score_file(
    addresses: list[str],
    out: Path | None,
    settings: Mapping[str, Any],
    engine: EngineSettings,
    *,
    mapping: Mapping[str, str],
    where: Mapping[str, str],
    rows: int = ROWS_A_PARTITION,
) -> dict[str, Any]:
    """Score them; what `score --json` prints. Raises FabulaError as `core.streams.run.score_files` does."""
    if out is None:
        raise InputError("Name the file or the folder to write with --out.")
    for name in settings["metrics"]:
        if made_of := parts_of(name):
            raise InputError(f"{name} depends on a study's other stories: score {' and '.join(made_of)} of a file.")
    whole = bool(out.suffix) and not out.is_dir()
    folder = out.with_name(out.name + PARTS) if whole else out
    if whole:
        check_writable(out)
    runs: list[Run] = []

    def ready(run: Run) -> None:
        if whole:
            check_whole(run, out)
        runs.append(run)

    models = any(find(name).role for name in settings["metrics"])
    with collecting() as notices, _progress() as tell:
        summary = score_files(
            addresses,
            folder,
            settings,
            engine.engine(settings["device"], models=models),
            mapping=mapping,
            where=where,
            rows=rows,
            tell=tell,
            ready=ready,
        )
        drawn = sample(folder, runs[0])
        if whole:
            tell(0, 0, f"writing {out.name}")
            write_whole(folder, runs[0], out)
    aside = _keep_aside(folder, out, whole=whole)
    if summary.aside:
        notices.append(f"{summary.aside:,} rows could not be read as stories; why stands in {aside}.")
    if drawn.of < summary.stories:
        notices.append(f"Checked for repetition and for what is no text: {drawn.of:,} of {summary.stories:,} stories.")
    return {
        "n": summary.stories,
        "partitions": summary.partitions,
        "set_aside": summary.aside,
        "rows": _rows(runs[0], settings, summary),
        "notices": notices,
        "check_up": check_up_rows(drawn.columns, drawn.human, drawn.prompts, drawn.texts),
    }


def _rows(run: Run, settings: Mapping[str, Any], summary: Summary) -> list[dict[str, Any]]:
    result = []
    for name, signature in run.signatures.items():
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


def _keep_aside(folder: Path, out: Path, *, whole: bool) -> Path:
    """Where it is said which rows were set aside; of one file that is made, a file beside it, and its folder goes."""
    if not whole:
        return folder
    target = out.with_name(out.name + ".aside.jsonl")
    try:
        target.unlink(missing_ok=True)
        parts = sorted(folder.glob("_aside-*.jsonl"))
        if parts:
            target.write_bytes(b"".join(part.read_bytes() for part in parts))
        shutil.rmtree(folder)
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror or error}.") from error
    return target
