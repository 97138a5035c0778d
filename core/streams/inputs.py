"""The files of stories that a run reads: single ones, folders, patterns, and addresses of S3."""

import fnmatch
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from core.errors import InputError
from core.formats.tables import PLAIN

S3 = "s3://"
TABLES = (".parquet", ".jsonl", ".csv", ".tsv", ".json")
STREAMED = (*TABLES, PLAIN)
_WILD = "*?["


@dataclass(frozen=True)
class InputFile:
    """One file: its address (a path, or `s3://BUCKET/KEY`), its bytes, and when it was changed (nanoseconds)."""

    address: str
    size: int
    changed: int

    @property
    def name(self) -> str:
        """What messages call it."""
        bare = _without_options(self.address)[0] if self.address.startswith(S3) else self.address
        return PurePosixPath(bare).name

    @property
    def suffix(self) -> str:
        """How its name ends, in small letters: its format."""
        return PurePosixPath(self.name).suffix.lower()


def find(addresses: Sequence[str], without: Sequence[Path] = ()) -> list[InputFile]:
    """The files that these addresses mean, each once: a folder's and a pattern's in the order of their names.

    Files in a folder that are no stories' by their names, and hidden ones, are left out, and so are plain texts, which
    may be anybody's notes, unless a pattern ends as they do. What lies at the paths `without` is left out too: what a
    run writes among the files that it reads is none of these. Raises InputError where an address means no file, or may
    not be looked at.
    """
    found: dict[str, InputFile] = {}
    own = [path.absolute() for path in without]
    for address in addresses:
        files = list(_of_s3(address) if address.startswith(S3) else _of_disk(address, own))
        if not files:
            raise InputError(f"There is no file {address} that could be read: {', '.join(TABLES)}, or a .txt by name.")
        found.update({file.address: file for file in files})
    return list(found.values())


def _of_disk(address: str, own: Sequence[Path]) -> Iterator[InputFile]:
    try:
        path = Path(address).expanduser().absolute()
        if path.is_file():
            _check_suffix(path.name)
            names = [path]
        elif path.is_dir():
            names = sorted(inner for inner in path.rglob("*") if _is_wanted(inner.relative_to(path), TABLES))
        else:
            base, pattern = _divided(path.parts)
            matches = Path(*base).glob("/".join(pattern)) if pattern else ()
            names = sorted(inner for inner in matches if _is_wanted(Path(inner.name), _endings(pattern)))
        for name in names:
            if name.is_file() and not any(name == mine or mine in name.parents for mine in own):
                yield _as_it_is(name)
    except OSError as error:
        raise InputError(f"{address} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RuntimeError) as error:  # a pattern such as a**, a home of nobody's
        raise InputError(f"{address} names no file and is no pattern: {error}.") from error


def _as_it_is(path: Path) -> InputFile:
    about = path.stat()
    return InputFile(str(path), about.st_size, about.st_mtime_ns)


def _without_options(address: str) -> tuple[str, str]:
    """An address of S3, and what stands behind it: `?region=…`. Elsewhere a question mark is a pattern's."""
    bare, mark, options = address.rpartition("?")
    return (bare, mark + options) if mark and "=" in options else (address, "")


def _divided(parts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The parts of an address before the first that is a pattern, and the others."""
    first = next((number for number, part in enumerate(parts) if any(sign in part for sign in _WILD)), len(parts))
    return list(parts[:first]), list(parts[first:])


def _endings(pattern: Sequence[str]) -> tuple[str, ...]:
    """How the files may end that a pattern finds, a folder where it has no parts."""
    return STREAMED if pattern and pattern[-1].lower().endswith(PLAIN) else TABLES


def _is_wanted(path: Path, endings: Sequence[str]) -> bool:
    return path.suffix.lower() in endings and not any(part.startswith((".", "_")) for part in path.parts)


def _check_suffix(name: str) -> None:
    suffix = Path(name).suffix.lower()
    if suffix not in STREAMED:
        raise InputError(f"{name}: files ending in {suffix or 'nothing'} are not known; use {', '.join(STREAMED)}.")


def _of_s3(address: str) -> Iterator[InputFile]:
    from pyarrow import fs

    bare, ends = _without_options(address)
    base, pattern = _divided(bare.removeprefix(S3).split("/"))
    if not base or not base[0]:
        raise InputError(f"{address} names no bucket: write s3://BUCKET/KEY.")
    with reaching(address):
        system, path = _bucket(base[0], ends), "/".join(base)
        about = system.get_file_info(path)
        if about.type == fs.FileType.File:
            _check_suffix(path)
            listed = [about]
        else:
            listed = system.get_file_info(fs.FileSelector(path, allow_not_found=True, recursive=True))
    endings = STREAMED if about.type == fs.FileType.File else _endings(pattern)
    for info in sorted(listed, key=lambda info: str(info.path)):
        inner = Path(info.path).relative_to(path) if info.path != path else Path(info.base_name)
        wanted = _is_wanted(inner, endings) and (not pattern or _matches(inner.parts, pattern))
        if wanted and info.type == fs.FileType.File:
            yield _as_listed(info, ends)


def _as_listed(info: Any, ends: str) -> InputFile:
    return InputFile(f"{S3}{info.path}{ends}", info.size, info.mtime_ns or 0)


@lru_cache(maxsize=8)
def _bucket(name: str, options: str) -> Any:
    """Where a bucket is, which may have to be asked first. Raises OSError."""
    from pyarrow import fs

    return fs.FileSystem.from_uri(f"{S3}{name}{options}")[0]


def _matches(names: Sequence[str], wanted: Sequence[str]) -> bool:
    """Part by part, so that `*` stays within a folder; `**` stands for any number of folders."""
    if "**" in wanted:
        at = wanted.index("**")
        tail = wanted[at + 1 :]
        ends = [names[start:] for start in range(at, len(names))]
        return _match_parts(names[:at], wanted[:at]) and any(_match_parts(end, tail) for end in ends)
    return _match_parts(names, wanted)


def _match_parts(names: Sequence[str], wanted: Sequence[str]) -> bool:
    return len(names) == len(wanted) and all(map(fnmatch.fnmatchcase, names, wanted))


@contextmanager
def reaching(address: str) -> Iterator[None]:
    """Every failure to reach an address as one sentence."""
    import pyarrow

    try:
        yield
    except FileNotFoundError:
        raise InputError(f"There is no file {address}.") from None
    except PermissionError:
        raise InputError(f"{address} may not be read by you.") from None
    except OSError as error:
        if address.startswith(S3):
            raise InputError(_s3_sentence(address, str(error))) from error
        raise InputError(f"{address} cannot be read: {error.strerror or error}.") from error
    except pyarrow.ArrowInvalid as error:
        if not address.startswith(S3):
            raise  # of what is read, and not of the address
        raise InputError(f"{address} is no address of S3: {error}.") from error


def is_the_network(error: OSError) -> bool:
    """Of an error while an object of S3 is read: whether it is the service's, and not the file's."""
    return "AWS Error" in str(error)


def _s3_sentence(address: str, said: str) -> str:
    shown = _without_options(address)[0]
    if "ACCESS_DENIED" in said or "403" in said or "No credentials" in said:
        return (
            f"{shown} may not be read with these keys: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION to "
            "some that may list its bucket and get its objects."
        )
    if "NO_SUCH_BUCKET" in said or "NoSuchBucket" in said:
        return f"There is no bucket for {shown}."
    return f"{shown} cannot be reached: check the address, the region and the network."


@contextmanager
def opened(file: InputFile) -> Iterator[Any]:
    """The file's bytes, from any place of it (a pyarrow NativeFile). Raises InputError where it cannot be read, also
    within the block, and where it has changed since it was found.
    """
    from pyarrow import fs

    with reaching(file.address):
        if file.address.startswith(S3):
            bare, ends = _without_options(file.address)
            path = bare.removeprefix(S3)
            system = _bucket(path.partition("/")[0], ends)
            now = _as_listed(system.get_file_info(path), ends)
        else:
            system, path = fs.LocalFileSystem(), file.address
            now = _as_it_is(Path(path))
        if now != file:
            raise InputError(f"{file.name} has changed since it was looked through: name a new folder and begin anew.")
        with system.open_input_file(path) as stream:
            yield stream
