"""Who may call whom: `app, worker, cli, pages -> db -> core`, and nothing points back."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = {
    "core": {"core"},
    "db": {"core", "db"},
    "pages": {"core", "db", "pages"},
    "routes": {"core", "db", "routes"},
    "work": {"core", "db", "work"},
}
OURS = {"core", "db", "pages", "app", "cli", "commands", "routes", "work", "worker", "tests", "benchmarks"}
LONGEST = {"pages": 150, "app.py": 80}


def python_files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Top-level names of everything a file imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where things come from"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("room", list(ALLOWED))
def test_imports_point_one_way(room: str) -> None:
    assert python_files(room)
    for path in python_files(room):
        ours = {name.split(".")[0] for name in imports(path)} & OURS
        assert ours <= ALLOWED[room], f"{path.relative_to(ROOT)} imports {ours - ALLOWED[room]}"


def test_core_knows_no_page_and_no_database() -> None:
    for path in python_files("core"):
        outside = {name.split(".")[0] for name in imports(path)} & {
            "streamlit",
            "sqlalchemy",
            "alembic",
            "typer",
            "rich",
        }
        assert not outside, f"{path.relative_to(ROOT)} imports {outside}"


def test_db_knows_no_page() -> None:
    for path in python_files("db"):
        assert "streamlit" not in {name.split(".")[0] for name in imports(path)}, path


def test_pages_hold_no_sql_and_no_models() -> None:
    for path in python_files("pages"):
        outside = {name.split(".")[0] for name in imports(path)} & {"sqlalchemy", "sqlite3", "torch", "transformers"}
        assert not outside, f"{path.relative_to(ROOT)} imports {outside}"


def test_no_untrusted_html() -> None:
    for path in [*python_files("pages"), *python_files("routes"), ROOT / "app.py"]:
        assert "unsafe_allow_html" not in path.read_text(encoding="utf-8"), path


def test_every_page_begins_with_who_is_looking() -> None:
    for path in (ROOT / "pages").glob("*.py"):
        if path.name in ("__init__.py", "table.py"):
            continue
        assert "require(Role." in path.read_text(encoding="utf-8"), path


def test_pages_stay_short() -> None:
    for path in [*python_files("pages"), ROOT / "app.py"]:
        limit = LONGEST.get(path.name, LONGEST["pages"])
        assert len(path.read_text(encoding="utf-8").splitlines()) <= limit, path


def test_importing_the_pages_rooms_loads_no_torch() -> None:
    import subprocess
    import sys

    code = (
        "import sys, core.metrics, core.figures.correlation, db.demonstration, db.jobs; print('torch' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
