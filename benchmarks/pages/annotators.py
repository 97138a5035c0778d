"""Annotators at once in the real app: time from an action to "Saved", and whether anything is lost or counted twice.

`python -m benchmarks.pages.annotators --annotators 50 --seconds 180 --database sqlite --form pairs`, each option but
`--seconds` as often as wished.
"""

import argparse
from collections.abc import Iterator
from itertools import product

from benchmarks.pages import load
from benchmarks.pages.crowd import FORMS
from benchmarks.pages.stored import DATABASES, stored

LOADS = {1: 30, 10: 60, 25: 60, 50: 180, 100: 60}
"""Annotators at once, and for how many seconds they work."""
INTERVAL = 2.0


def run(
    loads: dict[int, float] | None = None,
    databases: tuple[str, ...] = DATABASES,
    processes: int = 1,
    forms: tuple[str, ...] = ("mans",),
) -> Iterator[str]:
    """The table's header, then one row per load as it ends, and below a row the errors there were."""
    yield load.HEADER
    for form, database, (annotators, seconds) in product(forms, databases, (loads or LOADS).items()):
        with stored(database) as storage:
            result = load.run(database, storage, annotators, seconds, INTERVAL, processes, form)
        yield str(result)
        yield from (f"  error: {error}" for error in result.report.errors)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotators", type=int, action="append", metavar="N", help="annotators at once")
    parser.add_argument("--seconds", type=float, help="how long they work (default: 180 for fifty, less for others)")
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--form", choices=list(FORMS), action="append", help="what they answer (default: mans)")
    parser.add_argument("--processes", type=int, default=1, help="of the server; several stand behind Caddy")
    options = parser.parse_args()
    chosen = options.annotators or list(LOADS)
    loads = {n: options.seconds or LOADS.get(n, 60) for n in chosen}
    for line in run(loads, tuple(options.database or DATABASES), options.processes, tuple(options.form or ["mans"])):
        print(line, flush=True)
