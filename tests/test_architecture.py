"""Who may call whom: `app, worker, cli, pages -> db -> core`, core's packages downwards, and nothing points back."""

import ast
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = {
    "core": {"core"},
    "db": {"core", "db"},
    "pages": {"core", "db", "pages"},
    "routes": {"core", "db", "routes"},
    "work": {"core", "db", "work"},
}
OURS = {
    "scripts", "core", "db", "pages", "app", "cli", "commands", "routes", "work", "worker", "tests", "benchmarks",
    "fabula_notebook",
}  # fmt: skip
CORE = (
    "core",
    "scratch",
    "languages",
    "serving",
    "statistics",
    "checks",
    "annotation",
    "english",
    "models",
    "checkpoints",
    "judges",
    "metrics",
    "engines",
    "perturb",
    "training",
    "explanation",
    "analysis",
    "formats",
    "streams",
    "prolific",
    "published",
    "figures",
    "report",
)
"""The packages of core, the lowest first."""
MOST_FILES, LONGEST_FILE, LONGEST_FUNCTION = 22, 410, 60


def python_files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


class Parsed(NamedTuple):
    """What a file imports, wherever in the file it does, and the names and lines of its functions."""

    imports: list[ast.Import | ast.ImportFrom]
    functions: list[tuple[str, int]]


@cache
def parsed(path: Path) -> Parsed:
    """Several tests ask, and to parse takes long. A function's lines count from the first after the docstring."""
    result = Parsed([], [])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            result.imports.append(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = node.end_lineno - body[0].lineno + 1 if body and node.end_lineno else 0
            result.functions.append((node.name, lines))
    return result


def imports(path: Path) -> set[str]:
    """Full names of the modules that a file names."""
    result = set()
    for node in parsed(path).imports:
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{path}: relative imports hide where things come from"
            result.add(node.module or "")
    return result


@cache
def module_file(name: str) -> Path:
    """The file of a module of ours, or of the package of that name."""
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """The modules of ours that a file imports: of `from package import name`, the module of that name if it is one."""
    names = set()
    for node in parsed(path).imports:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inner if is_module(name)}
            names |= modules | ({node.module} if modules != inner else set())
    return frozenset(name for name in names if is_module(name))


@cache
def is_module(name: str) -> bool:
    """Whether it is a module of ours, and there."""
    return name.split(".")[0] in ALLOWED and module_file(name).exists()


def package_of(path: Path) -> str:
    """The package of core that a file lies in; "core" for those that lie in none."""
    parts = path.relative_to(ROOT / "core").parts
    return parts[0] if len(parts) > 1 else "core"


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


def test_core_s_packages_import_downwards() -> None:
    """Its modules outside any package are the ground, and each package imports only those named before it."""
    for path in python_files("core"):
        own = package_of(path)
        for name in imported_modules(path):
            if name.startswith("core."):
                below = package_of(module_file(name))
                assert CORE.index(below) <= CORE.index(own), f"{path.relative_to(ROOT)} imports {name} from above it"


def test_the_notebook_s_module_only_reads() -> None:
    ours = {name.split(".")[0] for name in imports(ROOT / "fabula_notebook.py")} & OURS
    assert ours == {"core", "db"}


@pytest.mark.slow
def test_no_circles_among_modules_and_folders() -> None:
    """Module by module, and folder by folder; a package's `__init__`, its face, may import what lies below it."""
    modules: dict[str, set[str]] = {}
    folders: dict[str, set[str]] = {}
    for path in [path for room in ALLOWED for path in python_files(room)]:
        own = str(path.relative_to(ROOT))
        targets = {str(module_file(name).relative_to(ROOT)) for name in imported_modules(path)} - {own}
        modules[own] = targets
        if path.name != "__init__.py":
            folder = str(Path(own).parent)
            folders.setdefault(folder, set()).update({str(Path(target).parent) for target in targets} - {folder})
    for graph in (modules, folders):
        with_edges = {node: {target for target in targets if target in graph} for node, targets in graph.items()}
        TopologicalSorter(with_edges).prepare()  # raises CycleError, which names the circle


def test_a_folder_holds_one_subject() -> None:
    """So many files at most; pages are one each, and migrations come one after another for good."""
    tracked = [path for room in (*ALLOWED, "commands", "tests", "scripts", "benchmarks") for path in python_files(room)]
    sizes = Counter(path.parent for path in tracked)
    assert {
        str(folder.relative_to(ROOT)): files
        for folder, files in sizes.items()
        if files > MOST_FILES and folder.name not in ("pages", "versions")
    } == {}


@pytest.mark.slow
def test_functions_stay_short() -> None:
    """Counted without the docstring and what is before it: options and parameters may be many."""
    for path in [path for room in (*ALLOWED, "commands") for path in python_files(room)]:
        if "migrations" in path.parts:
            continue
        for name, lines in parsed(path).functions:
            assert lines <= LONGEST_FUNCTION, f"{path.relative_to(ROOT)}: {name} has {lines} lines"


def test_files_hold_one_thought() -> None:
    for path in [*(path for room in ALLOWED for path in python_files(room)), ROOT / "app.py"]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE, path
    assert len((ROOT / "app.py").read_text(encoding="utf-8").splitlines()) <= 80


def test_the_registry_of_metrics_imports_nothing_of_training() -> None:
    code = "import sys, core.metrics; print([name for name in sys.modules if name.startswith('core.training')])"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


@pytest.mark.slow
def test_importing_the_pages_rooms_loads_no_torch() -> None:
    modules = "core.metrics, core.figures.correlation, db.transfer.demonstration, db.jobs.jobs"
    code = f"import sys, {modules}; print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


@pytest.mark.slow
def test_a_worker_that_scores_stories_loads_no_statistics_of_scipy() -> None:
    code = "import sys, worker, work.scoring; print({'pandas', 'scipy.stats', 'torch'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


def test_no_module_of_tests_is_imported() -> None:
    """What several share stands in `conftest.py` or in a module that is named for it."""
    for path in python_files("tests"):
        borrowed = {
            name for name in imports(path) if name.startswith("tests.") and name.split(".")[-1].startswith("test_")
        }
        assert not borrowed, f"{path.relative_to(ROOT)} imports {', '.join(sorted(borrowed))}"
