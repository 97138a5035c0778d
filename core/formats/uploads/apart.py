"""Reading a file of somebody else's in a process of its own, so that no file takes the server's memory or its time.

The process has a limit of memory, of processor time and of what it writes, and none of the server's secrets in its
surroundings. `python -m core.formats.uploads.apart` is that process: it takes a reader and a folder on its standard
input, and gives what the reader makes of it, or why it could not.
"""

import os
import pickle
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from core.errors import FabulaError, InputError
from core.home import ROOT
from core.serving.cores import SETTING, use_all

Result = TypeVar("Result")

MEMORY = 2 * 2**30
"""Bytes that a reader may take, beyond what the program itself does."""
SECONDS = 120
"""How long it may take."""
STREAMED_SECONDS = 600
"""How much processor time it may take where its result comes bit by bit."""
DISK = 5 * 2**30
"""Bytes of a file that it may write: zips are unpacked."""
LONGEST_SENTENCE = 600
"""Characters of what is said of a file: names of columns may be long."""
AT_ONCE = 2
"""Files that are read at the same time; others wait."""
PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "FABULA_HOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "NLTK_DATA",
    SETTING,
)
_places = threading.BoundedSemaphore(AT_ONCE)


def read_apart(reader: Callable[[Path], Result], folder: Path) -> Result:
    """What `reader` makes of a folder of files; a module's function, or a `partial` of one.

    Raises what the reader raises to say that a file cannot be used, and InputError where it takes too much memory or
    time, or breaks the program that reads it.
    """
    task = pickle.dumps((reader, folder, (MEMORY, SECONDS, DISK), False))
    with _places:
        try:
            done = subprocess.run(
                _PROGRAM,
                input=task,
                capture_output=True,
                cwd=ROOT,
                env=_surroundings(),
                timeout=SECONDS + 30,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise InputError(_too_slow()) from None
    if done.returncode:
        raise InputError(_too_slow() if -done.returncode in _OUT_OF_TIME else _TOO_LARGE)
    fine, result = pickle.loads(done.stdout)  # of a process of ours
    if not fine:
        raise result
    return cast(Result, result)


@contextmanager
def streamed_apart(
    reader: Callable[[Path], Iterator[Result]], path: Path, *, limited: bool = True
) -> Iterator[Iterator[Result]]:
    """What `reader` makes of a path, bit by bit: the process reads on while the last bit is being used, and waits where
    it is far ahead; it ends with the block. Raises as `read_apart` does.

    `limited`: whether it has limits, as for a file of somebody else's. A folder of uploads is never named in errors.
    """
    limits = (MEMORY, STREAMED_SECONDS, DISK) if limited else None
    with (
        _places if limited else nullcontext(),
        subprocess.Popen(
            _PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=_surroundings(),
        ) as process,
    ):
        try:
            yield _received(process, pickle.dumps((reader, path, limits, True)))
        finally:
            process.kill()


def _received(process: "subprocess.Popen[bytes]", task: bytes) -> Iterator[Any]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("a process that reads apart has pipes")
    process.stdin.write(task)
    process.stdin.close()
    while True:
        try:
            fine, result = pickle.load(process.stdout)  # of a process of ours
        except (EOFError, pickle.UnpicklingError):
            raise InputError(_too_slow() if -process.wait() in _OUT_OF_TIME else _TOO_LARGE) from None
        if not fine:
            raise result
        if result is None:
            return
        yield result


def _surroundings() -> dict[str, str]:
    """What of its own surroundings the process may know."""
    settings = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    # One thread and the system's own allocator: else the limit of memory counts what nobody uses.
    return settings | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}


_PROGRAM = [sys.executable, "-m", "core.formats.uploads.apart"]
_OUT_OF_TIME = (9, 24)  # SIGKILL, SIGXCPU: how a process ends that has used its processor time up
_TOO_LARGE = (
    f"This file cannot be read: it needs more than the {MEMORY // 2**30} GB of memory that an import may take, or it "
    "is damaged in a way that breaks what reads it. Split it, or write it anew."
)


def _too_slow() -> str:
    return f"This file takes longer than {SECONDS} seconds to read. Split it."


def limit(memory: int, seconds: int, disk: int) -> None:
    """Let this process take so many bytes more, work for so many seconds, and write files of so many bytes."""
    pages = Path("/proc/self/statm")
    if pages.exists():  # elsewhere than on Linux nothing says what the program takes, and no such limit holds
        taken = int(pages.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + memory, taken + memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(reader: Callable[[Path], Any], folder: Path) -> tuple[bool, Any]:
    """True and what the reader makes of the folder, or False and why it refuses it: in a sentence that names no folder
    of the server's, and holds no more of the file than anybody reads.
    """
    try:
        return True, reader(folder)
    except FabulaError as error:
        message = str(error).replace(f"{folder}/", "").replace(str(folder), "the upload")
        return False, type(error)(message if len(message) <= LONGEST_SENTENCE else f"{message[:LONGEST_SENTENCE]} …")
    except MemoryError:
        return False, InputError(_TOO_LARGE)


def stream(reader: Callable[[Path], Iterator[Any]], path: Path, out: IO[bytes], *, upload: bool) -> None:
    """Write what the reader makes of the path, one pickle after the other, and None behind them, or why it refuses."""

    def given() -> Iterator[Any]:
        try:
            for item in reader(path):
                yield True, item
        except FabulaError as error:
            yield answer(partial(_raise, error), path) if upload else (False, error)
        except MemoryError:
            yield False, InputError(_TOO_LARGE)

    for item in given():
        pickle.dump(item, out, pickle.HIGHEST_PROTOCOL)
        out.flush()
    pickle.dump((True, None), out)


def _raise(error: Exception, _path: Path) -> None:
    raise error


def main() -> None:
    """Read what standard input names; see the module."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    use_all()
    reader, path, limits, streamed = pickle.load(sys.stdin.buffer)
    if limits is not None:
        limit(*limits)
    try:
        if streamed:
            stream(reader, path, out, upload=limits is not None)
        else:
            out.write(pickle.dumps(answer(reader, path)))
    except MemoryError:
        out.write(pickle.dumps((False, InputError(_TOO_LARGE))))
    except BrokenPipeError:
        os._exit(1)  # whoever asked is gone
    out.flush()
    os._exit(0)  # nothing is left to put away, and a large result takes long to


if __name__ == "__main__":
    main()
