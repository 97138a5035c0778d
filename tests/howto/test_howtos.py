"""Each how-to, followed to the letter in a copy of the project, gives what it promises, and its own tests pass."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import REAL_HOME
from tests.howto.follow import HOWTOS, ROOT, changes, follow

NAMES = sorted(page.stem for page in HOWTOS.glob("*.md"))
LINKED = {"data", "images", ".fabula", "shared"}
"""Folders of files that no how-to changes."""
LEFT_OUT = {".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "browser"}
MOST_NEW_FILES = 4
"""Code files that a how-to may ask for, its test aside."""


def copy_project(target: Path) -> None:
    """The project's own files; large folders are links."""
    for entry in ROOT.iterdir():
        copy_entry(entry, target / entry.name)


def copy_entry(entry: Path, target: Path) -> None:
    if entry.name in LEFT_OUT:
        return
    if entry.is_dir() and entry.name not in LINKED:
        target.mkdir()
        for inner in entry.iterdir():
            copy_entry(inner, target / inner.name)
    elif entry.is_dir():
        target.symlink_to(entry)
    else:
        shutil.copyfile(entry, target)


def python(tree: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in the copy."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PYTHONPATH": str(tree), "FABULA_HOME": str(REAL_HOME)}
    return subprocess.run(
        [sys.executable, *words], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, list[Path]]]:
    """One copy in which all how-tos were followed, one after the other, and the files that each added."""
    tree = tmp_path_factory.mktemp("howto") / "fabula"
    tree.mkdir()
    copy_project(tree)
    return tree, {name: follow(name, tree) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_its_own_tests_pass(built: tuple[Path, Mapping[str, list[Path]]], name: str) -> None:
    tree, added = built
    tests = [str(file.relative_to(tree)) for file in added[name] if file.name.startswith("test_")]
    assert tests, f"{name} ends without a test"
    done = python(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert done.returncode == 0, done.stdout[-5000:]


def test_the_rules_of_the_project_hold(built: tuple[Path, Mapping[str, list[Path]]]) -> None:
    tree, added = built
    rules = python(
        tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_docs.py", "tests/test_architecture.py"
    )
    assert rules.returncode == 0, rules.stdout[-5000:]
    files = [str(file) for files in added.values() for file in files]
    for words in (("check", "--no-cache"), ("format", "--check", "--no-cache")):
        style = python(tree, "-m", "ruff", *words, *files)
        assert style.returncode == 0, style.stdout[-5000:]


@pytest.mark.parametrize("name", NAMES)
def test_it_asks_for_few_files(name: str) -> None:
    code = [change.path for change in changes(name) if change.new and not change.path.startswith("tests/")]
    assert len(code) <= MOST_NEW_FILES, code
