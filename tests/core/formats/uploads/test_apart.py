"""Files that would take the server down are read in a process of their own, which alone ends."""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pyarrow as pa
import pytest
from pyarrow import parquet

from core.errors import InputError, StorageError
from core.formats.exports.choice import ColumnChoice
from core.formats.tables import read_table
from core.formats.uploads import apart, uploaded
from core.formats.uploads.apart import read_apart, streamed_apart


def names(folder: Path, end: str = "") -> list[str]:
    return sorted(file.name + end for file in folder.iterdir())


def refusal(folder: Path) -> None:
    raise StorageError(f"{len(names(folder))} files are too few.")


def greedy(folder: Path) -> int:
    return len(bytearray(3 * 2**30))


def killed(folder: Path) -> None:
    os.kill(os.getpid(), 11)


def endless(folder: Path) -> None:
    while True:
        pass


def talkative(folder: Path) -> str:
    os.write(1, b"noise of a library")
    print("and more")
    return "the answer"


def surroundings(folder: Path) -> dict[str, str]:
    return dict(os.environ)


def counted(folder: Path, most: int = 3) -> Iterator[int]:
    yield from range(most)


def bad_end(folder: Path) -> Iterator[str]:
    yield "a"
    raise InputError(f"{folder}/b.csv: it ends badly.")


def greedy_end(folder: Path) -> Iterator[int]:
    yield 1
    yield len(bytearray(3 * 2**30))


def killed_end(folder: Path) -> Iterator[int]:
    yield os.getpid()
    os.kill(os.getpid(), 11)


@pytest.mark.slow
def test_a_stream_comes_bit_by_bit(tmp_path: Path) -> None:
    with streamed_apart(counted, tmp_path) as items:
        assert list(items) == [0, 1, 2]
    with streamed_apart(bad_end, tmp_path) as words:
        assert next(words) == "a"
        with pytest.raises(InputError, match=r"^b.csv: it ends badly.$"):
            next(words)
    with streamed_apart(bad_end, tmp_path, limited=False) as words, pytest.raises(InputError, match=str(tmp_path)):
        list(words)


@pytest.mark.slow
@pytest.mark.parametrize("reader", [greedy_end, killed_end])
def test_what_breaks_a_stream_is_one_sentence(tmp_path: Path, reader: Callable[[Path], Iterator[int]]) -> None:
    with streamed_apart(reader, tmp_path) as items:
        next(items)
        with pytest.raises(InputError, match="more than the 2 GB of memory"):
            next(items)


@pytest.mark.slow
def test_who_stops_listening_ends_the_process(tmp_path: Path) -> None:
    with streamed_apart(partial(counted, most=10**9), tmp_path) as items:
        assert next(items) == 0
        (child,) = [other for other in psutil.Process().children() if "core.formats.uploads.apart" in other.cmdline()]
    assert not child.is_running()


@pytest.mark.slow
def test_what_a_reader_makes_and_what_it_refuses(tmp_path: Path) -> None:
    (tmp_path / "a.csv").touch()
    assert read_apart(names, tmp_path) == ["a.csv"]
    assert read_apart(partial(names, end="!"), tmp_path) == ["a.csv!"]
    assert read_apart(talkative, tmp_path) == "the answer"
    with pytest.raises(StorageError, match="1 files are too few"):
        read_apart(refusal, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("reader", [greedy, killed])
def test_what_breaks_it_is_one_sentence(tmp_path: Path, reader: object) -> None:
    with pytest.raises(InputError, match="more than the 2 GB of memory"):
        read_apart(reader, tmp_path)  # type: ignore[arg-type]


@pytest.mark.slow
def test_it_has_so_much_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "SECONDS", 1)
    began = time.monotonic()
    with pytest.raises(InputError, match="longer than 1 seconds"):
        read_apart(endless, tmp_path)
    assert time.monotonic() - began < 20


@pytest.mark.slow
def test_it_knows_none_of_the_servers_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    monkeypatch.setenv("FABULA_SECRET", "x" * 40)
    known = read_apart(surroundings, tmp_path)
    assert "secret" not in str(known)
    assert "FABULA_SECRET" not in known


RATINGS = partial(uploaded.ratings, choice=ColumnChoice((("story_id", "text"), ("overall", "text"))))


def large_dictionary(path: Path, rows: int = 200_000, length: int = 2**20) -> None:
    """A small file that stands for gigabytes: every row names the same long text."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * length]))
    parquet.write_table(pa.table({"text": text}), path, compression="zstd")


@pytest.mark.slow
@pytest.mark.parametrize("reader", [uploaded.table, RATINGS])
def test_a_small_file_of_many_gigabytes_is_refused(tmp_path: Path, reader: Callable[[Path], object]) -> None:
    large_dictionary(tmp_path / "small.parquet")
    assert (tmp_path / "small.parquet").stat().st_size < 10**6
    with pytest.raises(InputError, match="unpacks to more than 1 GB"):
        read_apart(reader, tmp_path)


def test_rows_that_name_one_text_share_it(tmp_path: Path) -> None:
    large_dictionary(tmp_path / "fine.parquet", rows=900, length=2**20)
    table = read_table(tmp_path / "fine.parquet")
    assert len(table.rows) == 900
    assert len({id(row["text"]) for row in table.rows}) == 1


@pytest.mark.slow
def test_a_column_of_one_name_twice(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    parquet.write_table(table, tmp_path / "twice.parquet")
    with pytest.raises(InputError, match="has the column 'text' twice"):
        read_apart(uploaded.table, tmp_path)


def test_a_file_of_too_many_rows_is_refused_by_what_it_says(tmp_path: Path) -> None:
    many = pa.table({"text": pa.DictionaryArray.from_arrays(pa.array([0] * 5_000_001, pa.int8()), pa.array([""]))})
    parquet.write_table(many, tmp_path / "many.parquet")
    with pytest.raises(InputError, match="5,000,001 rows"):
        read_table(tmp_path / "many.parquet")
