"""Widgets of different pages that share a key share their state: none may find what another one meant otherwise."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from core.home import ROOT


def keyed() -> Iterator[tuple[str, str, dict[str, str]]]:
    """The key of each widget that has a fixed one, what makes it, and its other arguments as they are written."""
    for page in (ROOT / "pages").rglob("*.py"):
        for call in ast.walk(ast.parse(page.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                given = {argument.arg: argument.value for argument in call.keywords if argument.arg}
                if isinstance(key := given.get("key"), ast.Constant):
                    yield key.value, call.func.attr, {name: ast.unparse(value) for name, value in given.items()}


def test_no_button_has_the_key_of_another_kind_of_widget() -> None:
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for key, made_by, _ in keyed():
        kinds[key].add(made_by)
    assert len(kinds) > 100
    shared = {key: sorted(used) for key, used in kinds.items() if "button" in used and len(used) > 1}
    assert not shared


def test_widgets_that_share_a_key_begin_alike() -> None:
    """What one page begins with would be chosen on the other, as if the viewer had chosen it."""
    begins: defaultdict[str, set[str]] = defaultdict(set)
    for key, made_by, given in keyed():
        if made_by in ("segmented_control", "pills"):
            begins[key].add(given.get("default", ""))
    assert len(begins) > 5
    assert not {key: sorted(begun) for key, begun in begins.items() if len(begun) > 1}
