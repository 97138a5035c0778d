"""Each how-to, followed to the letter in a copy of the project, gives what it promises, and its own tests pass."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import REAL_HOME
from tests.howto.follow import HOWTOS, ROOT, changes, follow

NAMES = sorted(page.stem for page in HOWTOS.glob("*.md"))
RULES = ("tests/test_docs.py", "tests/test_architecture.py")
LINKED = {"data", "images", ".fabula", "shared"}
"""Folders of files that no how-to changes."""
LEFT_OUT = {".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "browser"}
LEFT_OUT |= {".venv-tools", ".venv-docs", ".site", "site"}
MOST_NEW_FILES = 4
"""Code files that a how-to may ask for, its test and a package's `__init__` aside."""


@dataclass(frozen=True)
class Followed:
    """The copy of the project, the files that each how-to added to it, and by test file how its tests ended: the
    messages of those that failed.
    """

    tree: Path
    added: Mapping[str, list[Path]]
    failures: Mapping[str, list[str]]


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
        shutil.copy2(entry, target)  # of the same age, so that what was compiled of it serves there too


def python(tree: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in the copy."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PYTHONPATH": str(tree), "FABULA_HOME": str(REAL_HOME)}
    return subprocess.run(
        [sys.executable, *words], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


def outcomes(tree: Path, files: list[str]) -> dict[str, list[str]]:
    """Run test files in the copy, all in one process; the failures of each that ran."""
    report = tree.parent / "report.xml"
    done = python(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *files)
    assert report.exists(), done.stdout[-5000:] + done.stderr[-5000:]
    failures: dict[str, list[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.get("classname") or case.get("name") or ""  # of a file that cannot be imported the name
        file = name.replace(".", "/") + ".py"
        failures.setdefault(file, []).extend(
            f"{case.get('name')}: {problem.text}" for kind in ("failure", "error") for problem in case.findall(kind)
        )
    return failures


def own_tests(tree: Path, added: list[Path]) -> list[str]:
    return [str(file.relative_to(tree)) for file in added if file.name.startswith("test_")]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    """One copy in which all how-tos were followed, one after the other."""
    tree = tmp_path_factory.mktemp("howto") / "fabula"
    tree.mkdir()
    copy_project(tree)
    added = {name: follow(name, tree) for name in NAMES}
    files = [file for name in NAMES for file in own_tests(tree, added[name])]
    return Followed(tree, added, outcomes(tree, [*files, *RULES]))


@pytest.mark.parametrize("name", NAMES)
def test_its_own_tests_pass(followed: Followed, name: str) -> None:
    files = own_tests(followed.tree, followed.added[name])
    assert files, f"{name} ends without a test"
    for file in files:
        assert followed.failures[file] == []


@pytest.mark.parametrize("file", RULES)
def test_the_rules_of_the_project_hold(followed: Followed, file: str) -> None:
    assert followed.failures[file] == []


def test_the_code_of_how_tos_has_the_project_s_style(followed: Followed) -> None:
    files = [str(file) for files in followed.added.values() for file in files]
    for words in (("check", "--no-cache"), ("format", "--check", "--no-cache")):
        style = python(followed.tree, "-m", "ruff", *words, *files)
        assert style.returncode == 0, style.stdout[-5000:]


@pytest.mark.parametrize("name", NAMES)
def test_it_asks_for_few_files(name: str) -> None:
    new = [Path(change.path) for change in changes(name) if change.new]
    code = [path for path in new if path.parts[0] != "tests" and path.name != "__init__.py"]
    assert len(code) <= MOST_NEW_FILES, code
