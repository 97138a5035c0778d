"""Fuzz importers, each in a process of its own: `python -m tests.fuzz.run NUMBER FIRST [NAME …]`, or all of them.

It prints what went wrong by importer, as JSON. An importer may read a damaged file or refuse it in a sentence, within
the limits of an import; nothing else. Parquet's library may end its process, which the pages survive: there each file
has one.
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType

from core.formats.uploads.apart import DISK, LONGEST_SENTENCE, MEMORY, answer, limit
from tests.fuzz.importers import IMPORTERS, Files, Reader, demonstration_exports
from tests.fuzz.mutations import damaged

SECONDS = 10
"""How long a small file may take."""
MOST_SAID = LONGEST_SENTENCE + 2


def fuzz(name: str, number: int, first: int) -> list[dict[str, object]]:
    """The failures among so many damaged files; each comes again from its own number."""
    seeds, reader = IMPORTERS[name]
    files = list(seeds())
    for whole in files:
        problem = attempt(reader, whole)
        if problem:
            return [{"input": "undamaged", "problem": problem}]
    failures: list[dict[str, object]] = []
    for index in range(first, first + number):
        dice = random.Random(f"{name} {index}")
        wounded = damaged(dice.choice(files), dice)
        attempted = partial(attempt, reader, wounded)
        problem = said_apart(attempted) if "parquet" in name else attempted()
        if problem:
            failures.append({"input": index, "problem": problem})
    return failures


def attempt(reader: Reader, files: Files) -> str:
    """What is wrong with how the reader takes these files; "" if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        began = time.monotonic()
        try:
            fine, result = answer(reader, Path(folder))
            if not fine and (len(str(result)) > MOST_SAID or "Traceback" in str(result) or folder in str(result)):
                return f"no sentence for a user: {str(result)[:300]}"
        except TimeoutError:
            return f"still busy after {time.monotonic() - began:.0f} s"
        except BaseException:  # whatever it is, the user would see a traceback
            return traceback.format_exc()[-1_500:]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def said_apart(what: Callable[[], str]) -> str:
    """What it returns in a child, which may die of it: then nothing."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(there, "w") as end:
            end.write(what())
        os._exit(0)
    os.close(there)
    with os.fdopen(here, "r", errors="replace") as end:
        said = end.read()
    os.waitpid(child, 0)
    return said


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _limited(name: str, number: int, first: int) -> str:
    with tempfile.TemporaryDirectory() as home:
        os.environ["FABULA_HOME"] = home
        signal.signal(signal.SIGALRM, _stop)
        limit(MEMORY, 3_600, DISK)
        return json.dumps(fuzz(name, number, first))


def main() -> None:
    warnings.simplefilter("ignore")
    number, first, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        os.environ["FABULA_HOME"] = home
        demonstration_exports()  # once: importers begin with what this process has
    said = {name: said_apart(partial(_limited, name, int(number), int(first))) for name in names or IMPORTERS}
    ended = [{"input": None, "problem": "its process ended"}]
    print(json.dumps({name: json.loads(text) if text else ended for name, text in said.items()}))


if __name__ == "__main__":
    main()
