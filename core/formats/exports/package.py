"""A whole export: its files one by one, the manifest last, into a folder, a zip or one file."""

import hashlib
import os
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.errors import InputError
from core.formats.exports.encoding import Sink, check_kind, encoded
from core.formats.exports.rows import TABLES, AnyRow
from core.formats.manifest import NAME, FileEntry, Manifest, StudyHead

Files = Iterator[tuple[str, Iterator[bytes]]]
"""Names and contents. Each content is read to its end before the next file is asked for."""


@dataclass(frozen=True)
class Exportable:
    """A study as an export sees it: its settings and, by table, its rows. The rows can be walked through once."""

    study: StudyHead
    tables: Mapping[str, Iterable[AnyRow]]


class _Tally:
    """What a manifest says of a file, counted while the file goes by."""

    def __init__(self, table: str, counts: Counter[str] | None = None) -> None:
        self.table = table
        self.counts = counts or Counter[str]()
        self.size = 0
        self.hash = hashlib.sha256()

    def rows(self, rows: Iterable[AnyRow], by: str) -> Iterator[AnyRow]:
        for row in rows:
            self.counts[str(getattr(row, by))] += 1
            yield row

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self.size += len(chunk)
            self.hash.update(chunk)
            yield chunk

    def entry(self) -> FileEntry:
        return FileEntry(self.table, self.counts.total(), self.size, self.hash.hexdigest())


def table_files(data: Exportable, kind: str, app_version: str, when: datetime) -> Files:
    """The tables as `kind` (csv, jsonl or parquet), then the manifest; InputError for another kind."""
    check_kind(kind)

    def files() -> Files:
        tallies: dict[str, _Tally] = {}
        for name, table in TABLES.items():
            tally = tallies[f"{name}.{kind}"] = _Tally(name)
            rows = tally.rows(data.tables[name], table.counted_by)
            yield f"{name}.{kind}", tally.chunks(encoded(rows, table, kind))
        counts = {tally.table: dict(sorted(tally.counts.items())) for tally in tallies.values()}
        yield _manifest(kind, data.study, tallies, counts, app_version, when)

    return files()


def text_files(
    texts: Mapping[str, str],
    kind: str,
    study: StudyHead,
    counts: Mapping[str, Mapping[str, int]],
    app_version: str,
    when: datetime,
) -> Files:
    """Files of another format, as they are, then the manifest. `counts`: rows by table and source or state."""
    tallies: dict[str, _Tally] = {}
    for name, text in texts.items():
        tallies[name] = _Tally("", Counter(lines=text.count("\n")))
        yield name, tallies[name].chunks([text.encode()])
    yield _manifest(kind, study, tallies, counts, app_version, when)


def _manifest(
    kind: str,
    study: StudyHead,
    tallies: Mapping[str, _Tally],
    counts: Mapping[str, Mapping[str, int]],
    app_version: str,
    when: datetime,
) -> tuple[str, Iterator[bytes]]:
    entries = {name: tally.entry() for name, tally in tallies.items()}
    manifest = Manifest(kind, study, counts, entries, app_version, when)
    return NAME, iter([manifest.as_json().encode()])


def zipped(files: Files) -> Generator[bytes]:
    """The files as the bytes of a zip, as they come: nothing is kept but one block."""
    sink = Sink()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, chunks in files:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as entry:
                for chunk in chunks:
                    entry.write(chunk)
                    if made := sink.taken():
                        yield made
    yield sink.taken()


def write_file(chunks: Iterable[bytes], out: Path) -> None:
    """Write one file, whole or not at all; raises InputError where it cannot be written."""
    partial = _beside(out)

    def write() -> None:
        with partial.open("wb") as stream:
            stream.writelines(chunks)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(out)

    _written(write, out, partial)


def write_folder(files: Files, out: Path) -> None:
    """Write a folder, whole or not at all; raises InputError where there is one with something in it already."""
    partial = _beside(out)

    def write() -> None:
        if out.is_dir() and any(out.iterdir()):
            raise InputError(f"The folder {out} has files in it already; name a new one.")
        partial.mkdir(parents=True)
        for name, chunks in files:
            (partial / name).parent.mkdir(exist_ok=True)
            with (partial / name).open("wb") as stream:
                stream.writelines(chunks)
        partial.replace(out)

    _written(write, out, partial)


def _beside(out: Path) -> Path:
    return out.with_name(f"{out.name}.{os.getpid()}.part")  # two exports at once do not share it


def _written(write: Callable[[], None], out: Path, partial: Path) -> None:
    try:
        write()
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from error
    finally:
        if partial.is_dir():
            shutil.rmtree(partial)
        elif partial.exists():
            partial.unlink()
