"""A metric of the user's own, from a Python file: `path.py:Class`. See docs/tasks/own-metric.md."""

import ast
import hashlib
import inspect
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from core.errors import InputError
from core.files import path_of, text_of
from core.home import own_metrics
from core.metrics.base import Card, Kind, Metric, Need

_NAMED = re.compile(r"(?P<path>.+\.py):(?P<metric>[A-Za-z_]\w*)")
_FILE = "file:"
"""How the part of a signature begins that says which content the file had."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


def is_own(name: str) -> bool:
    """Whether a metric is named by a Python file and not by its registered name."""
    return _NAMED.fullmatch(name) is not None


def class_of(name: str) -> str:
    """What a metric of one's own is called without its path: by its class, for which no file is run."""
    return name.rpartition(":")[2]


def needs_no_model(metric: type[Metric]) -> bool:
    """Whether a metric of one's own says that it needs no model."""
    return metric.role is None and Need.MODEL not in metric.needs


def offered() -> dict[str, dict[str, str]]:
    """The Python files in `own_metrics`, and the metrics in each: classes that give themselves a name, each with that
    name, or with the class's where it is not plainly written. No file is run; one that cannot be read as Python has
    none.
    """
    return {path.name: _named_classes(path) for path in sorted(own_metrics().glob("*.py"))}


def _named_classes(path: Path) -> dict[str, str]:
    try:
        body = ast.parse(text_of(str(path), "metric file")).body
    except (InputError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    values = {node.name: _assigned(node).get("name") for node in body if isinstance(node, ast.ClassDef)}
    return {
        called: str(value.value) if isinstance(value, ast.Constant) else called
        for called, value in values.items()
        if value is not None
    }


def _assigned(node: ast.ClassDef) -> dict[str, ast.expr]:
    """What the body of a class gives values to, and these."""
    pairs = [(target, line.value) for line in node.body if isinstance(line, ast.Assign) for target in line.targets]
    pairs += [(line.target, line.value) for line in node.body if isinstance(line, ast.AnnAssign) and line.value]
    return {target.id: value for target, value in pairs if isinstance(target, ast.Name)}


def described(signature: str, named: Iterable[str]) -> str | None:
    """What a metric of one's own measures, by its card, for whoever reads its scores: its file is read and not run.
    `named`: where it may be besides `own_metrics`, as `path.py:Class`. "" where its card is no plain text, None where
    no file is there any more as it was when it gave these scores.
    """
    name, digest = signature.split("|")[:2]
    matches = filter(None, map(_NAMED.fullmatch, named))
    for path in {*own_metrics().glob("*.py"), *(Path(match["path"]).expanduser() for match in matches)}:
        try:
            content = path.read_bytes()
        except OSError:
            continue
        if f"{_FILE}{_digest(content)}" == digest:
            return _measures(ast.parse(content), name)
    return None


def is_of_own(signature: str) -> bool:
    """Whether scores of this signature were computed here by a metric of one's own."""
    return signature.partition("|")[2].startswith(_FILE)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _measures(tree: ast.Module, name: str) -> str:
    for node in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        values = _assigned(node)
        called, card = values.get("name"), values.get("card")
        if isinstance(called, ast.Constant) and called.value == name and isinstance(card, ast.Call):
            words = [keyword.value for keyword in card.keywords if keyword.arg == "measures"] or card.args[:1]
            return str(words[0].value) if words and isinstance(words[0], ast.Constant) else ""
    return ""


def load(name: str) -> type[Metric]:
    """The class that `path.py:Class` names. Its file is executed: only the owner of this machine may name one.

    Raises InputError with one sentence that says what is wrong with the file or the class.
    """
    match = _NAMED.fullmatch(name)
    if match is None:
        raise InputError(f"{name!r} does not name a metric of your own; write path.py:Class.")
    path = path_of(match["path"], "metric file")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no metric file {path}.") from None
    except OSError as error:
        raise InputError(f"The metric file {match['path']} cannot be read: {error.strerror}.") from error
    return _load(path, match["metric"], content)


@lru_cache(maxsize=16)
def _load(path: Path, class_name: str, content: bytes) -> type[Metric]:
    digest = _digest(content)
    loader = SourceFileLoader(f"fabula_own_{digest}", str(path))
    spec = spec_from_loader(loader.name, loader)
    if spec is None:
        raise InputError(f"The metric file {path} cannot be loaded.")
    module = module_from_spec(spec)
    sys.modules[loader.name] = module  # dataclasses and pickles look their module up
    try:
        # Not by the loader: it would run the bytecode of a version of the same size and second.
        exec(compile(content, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[loader.name]
        raise InputError(f"The metric file {path} does not run: {type(error).__name__}: {error}.") from error
    # A class that the file imports is not its own: the file's hash would stick to it wherever else it is used.
    own = {
        name: member
        for name, member in vars(module).items()
        if inspect.isclass(member) and issubclass(member, Metric) and member.__module__ == module.__name__
    }
    result = own.get(class_name)
    if result is None:
        classes = f" It has {', '.join(own)}." if own else ""
        raise InputError(f"{path} has no class {class_name} that is derived from core.metrics.base.Metric.{classes}")
    _check(result)
    result.file_hash = digest
    return result


def _check(metric: type[Metric]) -> None:
    where = metric.__name__
    name = getattr(metric, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(f"The metric class {where} needs a name of small letters, digits and hyphens.")
    if not isinstance(getattr(metric, "kind", None), Kind):
        raise InputError(f"The metric class {where} needs a kind: one of Kind.{', Kind.'.join(k.name for k in Kind)}.")
    needs = getattr(metric, "needs", None)
    if not isinstance(needs, frozenset) or not all(isinstance(need, Need) for need in needs):
        raise InputError(f"The metric class {where} needs a frozenset of Need as its needs, which may be empty.")
    if not isinstance(getattr(metric, "card", None), Card):
        raise InputError(f"The metric class {where} needs a card: what it measures, its paper, its blind spots.")
    if inspect.isabstract(metric):
        raise InputError(f"The metric class {where} needs a method score(stories, on_progress).")
