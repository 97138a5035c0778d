"""Every result of core is a frozen dataclass."""

import importlib
import inspect
import pkgutil
from dataclasses import is_dataclass

import core


def test_dataclasses_are_frozen() -> None:
    names = [module.name for module in pkgutil.walk_packages(core.__path__, "core.")]
    modules = [importlib.import_module(name) for name in names if not name.startswith("core.models.")]
    result = {
        member
        for module in modules
        for _, member in inspect.getmembers(module, inspect.isclass)
        if is_dataclass(member) and member.__module__.startswith("core.")
    }
    assert len(result) > 25
    assert [member.__qualname__ for member in result if not member.__dataclass_params__.frozen] == []
