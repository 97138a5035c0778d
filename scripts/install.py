"""Install lists of packages, and say how far it is: `python scripts/install.py WHAT OPTION…`, the options pip's.

They go into the environment of the Python that runs this. What pip says is kept back, and shown where it fails.
"""

import re
import subprocess
import sys
import sysconfig
import threading
import time
from itertools import pairwise
from pathlib import Path

PIP = [sys.executable, "-m", "pip", "install", "--no-compile", "--disable-pip-version-check", "--progress-bar", "off"]
"""Python compiles what it imports; pip would compile all, most of it for nothing."""
PINNED, INCLUDED = re.compile(r"(?m)^[A-Za-z0-9][^=\s]*=="), re.compile(r"(?m)^-r (\S+)")
FOUND = re.compile(r"\s*(?:Collecting|Requirement already satisfied:) ([A-Za-z0-9._-]+)")
DOWNLOADED = re.compile(r"\s*Downloading (?:\S*/)?([A-Za-z0-9_.]+)-\S+ \((.+)\)")
TOLD, LOOKED = 15.0, 0.5
"""Seconds after which a log gets a line, and after which the packages that are there are counted again."""
LAST = 25
"""Lines of pip's that are shown where it fails."""


def pinned(list_file: Path) -> int:
    """How many packages a list names, those of the lists that it includes as well."""
    text = list_file.read_text(encoding="utf-8")
    return len(PINNED.findall(text)) + sum(pinned(list_file.parent / name) for name in INCLUDED.findall(text))


def installed() -> int:
    """How many packages this Python's environment has."""
    return sum(1 for _ in Path(sysconfig.get_path("purelib")).glob("*.dist-info"))


class Told:
    """How far it is: on a terminal a line that changes, in a log a line now and then."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = self._last = time.monotonic()
        self._live = sys.stdout.isatty()

    def so_far(self, words: str) -> None:
        """Say it, where it is time to."""
        moment = time.monotonic()
        if self._live:
            print(f"\r  {self._what}: {words}"[:110].ljust(110), end="", flush=True)
        elif moment - self._last >= TOLD:
            self._last = moment
            print(f"  {self._what}: {words}", flush=True)

    def at_the_end(self, words: str) -> None:
        """Say how it ended, and after how long."""
        line = f"  {self._what}: {words}, {time.monotonic() - self._began:.0f} s"
        print(f"\r{line.ljust(112)}" if self._live else line, flush=True)


def install(what: str, options: list[str]) -> int:
    """Run pip; returns its exit status."""
    told = Told(what)
    wanted = sum(pinned(Path(list_file)) for option, list_file in pairwise(options) if option == "-r")
    lines: list[str] = []
    found: set[str] = set()
    ended = threading.Event()
    with subprocess.Popen(
        [*PIP, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    ) as pip:
        for line in pip.stdout or ():
            lines.append(line)
            if match := FOUND.match(line):
                found.add(match[1].lower())
                told.so_far(f"{len(found)} of {wanted} found, {match[1]}")
            elif match := DOWNLOADED.match(line):
                told.so_far(f"{len(found)} of {wanted} found, fetching {match[1]} ({match[2]})")
            elif line.startswith("Installing collected packages:"):
                number = line.count(",") + 1
                threading.Thread(target=_count, args=(told, installed(), number, ended), daemon=True).start()
    ended.set()
    if pip.returncode:
        told.at_the_end("pip could not do it; its last words")
        sys.stderr.writelines(lines[-LAST:])
    else:
        told.at_the_end(f"{wanted} packages")
    return pip.returncode


def _count(told: Told, before: int, number: int, ended: threading.Event) -> None:
    """Say how many of the packages are put in place."""
    while not ended.wait(LOOKED):
        told.so_far(f"{min(number, max(0, installed() - before))} of {number} put in place")


if __name__ == "__main__":
    sys.exit(install(sys.argv[1], sys.argv[2:]))
