"""Widgets of different pages that share a key share their state: a button must never find another widget's value."""

import ast
from collections import defaultdict

from core.home import ROOT


def test_no_button_has_the_key_of_another_kind_of_widget() -> None:
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for page in (ROOT / "pages").rglob("*.py"):
        for call in ast.walk(ast.parse(page.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                for given in call.keywords:
                    if given.arg == "key" and isinstance(given.value, ast.Constant):
                        kinds[given.value.value].add(call.func.attr)
    assert len(kinds) > 100
    shared = {key: sorted(used) for key, used in kinds.items() if "button" in used and len(used) > 1}
    assert not shared
