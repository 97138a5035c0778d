"""A folder of scores: what the run is, its parts as Parquet, and the rows that were set aside.

A part is written whole or not at all, and says of itself what it holds; so a run that was stopped at any moment goes on
where it was, and its files are those of a run that was not. Names that begin with an underscore are no data to programs
that read a folder of Parquet as one table.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from core.errors import InputError, StorageError
from core.files import PARTIAL, replacing, unwritable
from core.formats.tables import RowFilter
from core.streams.inputs import InputFile
from core.streams.partition import Aside, Layout, Partition, partitions_of
from core.streams.scoring import KEY, About, ScoredPiece, about

RUN = "_run.json"
LOCK = ".lock"


@dataclass(frozen=True)
class Run:
    """What a folder is of. `signatures`: by column; `columns`: of the stories' fields; `where`: which rows count;
    `rows`: of a partition.
    """

    signatures: Mapping[str, str]
    columns: Mapping[str, str]
    where: RowFilter
    rows: int
    files: tuple[tuple[InputFile, Layout], ...]

    @property
    def partitions(self) -> list[Partition]:
        """All of them."""
        result: list[Partition] = []
        for file, layout in self.files:
            result += partitions_of(file, layout, len(result))
        return result

    def encoded(self) -> str:
        """As JSON."""
        files = [vars(file) | {"layout": vars(layout)} for file, layout in self.files]
        return json.dumps({**vars(self), "where": self.where.rows, "files": files}, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def of(cls, text: str) -> "Run":
        """From JSON. Raises ValueError, TypeError or KeyError for what is none."""
        data = json.loads(text)
        files = []
        for file in data.pop("files"):
            layout = file.pop("layout")
            cuts = tuple((int(rows), int(end)) for rows, end in layout.pop("cuts"))
            files.append((InputFile(**file), Layout(tuple(layout.pop("columns")), cuts, **layout)))
        where = data.pop("where")
        rows = where.items() if isinstance(where, dict) else where  # runs of before had one value a column
        return cls(**data, where=RowFilter(tuple((column, value) for column, value in rows)), files=tuple(files))


def part_name(number: int) -> str:
    """Of the file of a partition."""
    return f"part-{number:06}.parquet"


def aside_name(number: int) -> str:
    """Of the file of the rows that a partition sets aside."""
    return f"_aside-{number:06}.jsonl"


def read_run(folder: Path) -> Run | None:
    """What the folder is of; None where it is of nothing yet. Raises InputError where that cannot be read."""
    try:
        return Run.of((folder / RUN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{folder / RUN} is damaged: move the folder away and begin anew.") from error


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Make the folder where it is missing, and keep other runs out of it within the block.

    Raises InputError where another run is there, where the folder holds something else, or cannot be written.
    """
    try:
        folder.mkdir(exist_ok=True)
        others = [path.name for path in folder.iterdir() if path.name != LOCK and not path.name.endswith(PARTIAL)]
        if others and RUN not in others:
            raise InputError(f"The folder {folder} holds other files ({sorted(others)[0]}): name a new one.")
        lock = FileLock(folder / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise InputError(f"Another run writes into {folder}: wait for its end, or name another folder.") from None
    except OSError as error:
        raise InputError(unwritable(folder, error)) from error
    try:
        for partial in folder.glob(f"*{PARTIAL}"):  # of a run that was killed
            partial.unlink(missing_ok=True)
        yield
    finally:
        (folder / LOCK).unlink(missing_ok=True)  # before it is let go: afterwards it may be another run's
        lock.release()


def begin(folder: Path, run: Run) -> None:
    """Write what the folder is of. Raises StorageError."""
    _write(folder / RUN, run.encoded())


def check_signatures(folder: Path, before: Run, signatures: Mapping[str, str]) -> None:
    """Raise InputError where a folder's run is not of these metrics."""
    if dict(before.signatures) != dict(signatures):
        other = next(iter(set(before.signatures.values()) ^ set(signatures.values())), "the columns' names")
        raise InputError(
            f"The folder {folder} holds scores of other signatures than this run's (see {other}): name a new one."
        )


def check_files(folder: Path, before: Run, files: Sequence[InputFile]) -> None:
    """Raise InputError where a folder's run is not of these files as they are now."""
    known = {file.address: file for file, _ in before.files}
    for file in files:
        if known.get(file.address) != file:
            what = "has changed since" if file.address in known else "was not among its files when"
            raise InputError(f"{file.name} {what} {folder} was begun: name a new folder.")
    missing = known.keys() - {file.address for file in files}
    if missing:
        raise InputError(f"{folder} was begun with {min(missing)} too: name all of its files, or a new folder.")


def keep(folder: Path, scored: ScoredPiece, signatures: Mapping[str, str]) -> About:
    """Write a partition's part, after the rows that it set aside. Raises StorageError."""
    from pyarrow import parquet

    number = scored.piece.partition.number
    if scored.aside:
        _write(folder / aside_name(number), "".join(_aside_line(scored, row) for row in scored.aside))
    said = about(scored, signatures)
    table = scored.table.replace_schema_metadata({KEY: said.encoded()})
    with replacing(folder / part_name(number)) as partial:
        parquet.write_table(table, partial, compression="zstd")
    return said


def _aside_line(scored: ScoredPiece, row: Aside) -> str:
    address = scored.piece.partition.file.address
    return json.dumps({"file": address, "row": row.row, "reason": row.reason}, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def kept(folder: Path, run: Run, partition: Partition) -> About | None:
    """What is stored of a partition; None where nothing is, or where it is damaged or of something else."""
    path = folder / part_name(partition.number)
    if not path.exists():
        return None
    try:
        said = about_of(path)
    except InputError:
        return None
    whole = said.signatures == dict(run.signatures) and (said.file, said.first, said.rows) == (
        partition.file.address,
        partition.first,
        partition.rows,
    )
    return said if whole and (not said.aside or (folder / aside_name(partition.number)).exists()) else None


def about_of(path: Path) -> About:
    """What a part says of itself. Raises InputError where it is damaged or none."""
    import pyarrow
    from pyarrow import parquet

    try:
        metadata = parquet.read_metadata(path)
        said = About.of((metadata.metadata or {})[KEY])
        if said.stories != metadata.num_rows:
            raise ValueError("rows are missing")
    except (pyarrow.ArrowException, OSError, KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path} is no part of a run's scores, or is damaged: run it again to mend that.") from error
    return said


def part_table(folder: Path, partition: Partition) -> Any:
    """The scores of a partition (a pyarrow Table). Raises StorageError where they cannot be read."""
    import pyarrow
    from pyarrow import parquet

    path = folder / part_name(partition.number)
    try:
        return parquet.read_table(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise StorageError(f"{path} cannot be read: run it again to mend that.") from error
