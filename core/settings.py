"""A setting is written once: as a field of a frozen dataclass with its default, bounds and help.

Commands make their options of such fields, pages their widgets, and jobs their JSON.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

_KEY = "setting"
_Settings = TypeVar("_Settings")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a field carries besides its type and default.

    `help`: "" where no command asks for it. `label`: of a page's widget. `least`, `most`: bounds of a page's number.
    `depends`: the usual value depends on other settings, so that a command leaves it open. `later`: came after jobs
    had been kept without it, so that a job keeps it only where it is not the default.
    """

    help: str = ""
    label: str = ""
    least: float | None = None
    most: float | None = None
    choices: Sequence[str] = ()
    depends: bool = False
    later: bool = False


def setting(default: Any, help: str = "", **more: Any) -> Any:
    """A field of a settings class; `more`: see `Setting`."""
    return field(default=default, metadata={_KEY: Setting(help, **more)})


def like(kind: type, name: str, help: str, default: Any = MISSING, **more: Any) -> Any:
    """A field of a subclass that has its parent's setting in other words, or with another default."""
    about, _, usual = described(kind)[name]
    return field(default=usual if default is MISSING else default, metadata={_KEY: replace(about, help=help, **more)})


def described(kind: type) -> dict[str, tuple[Setting, Any, Any]]:
    """The settings of a class by name, each with its type and its default, in the order of the fields."""
    types = get_type_hints(kind)
    return {
        item.name: (item.metadata[_KEY], types[item.name], item.default)
        for item in fields(kind)
        if _KEY in item.metadata
    }


def as_json(settings: Any) -> dict[str, Any]:
    """As a job keeps it, ready for JSON; `from_json` makes equal settings of it."""
    values = asdict(settings, dict_factory=lambda pairs: {name: _plain(value) for name, value in pairs})
    for item in fields(settings):
        about = item.metadata.get(_KEY)
        if about and about.later and item.default is not MISSING and getattr(settings, item.name) == item.default:
            del values[item.name]
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value


def from_json(kind: type[_Settings], values: Mapping[str, Any]) -> _Settings:
    """The settings of a class that a job keeps; those that it leaves out are as usual."""
    types = get_type_hints(kind)
    return kind(**{name: _typed(types.get(name), value) for name, value in values.items()})


def _typed(kind: Any, value: Any) -> Any:
    """A value of JSON as a value of this type."""
    if isinstance(value, list) and get_origin(kind) is tuple:
        return tuple(_typed(get_args(kind)[0], part) for part in value)
    if isinstance(value, Mapping) and is_dataclass(kind) and isinstance(kind, type):
        return from_json(kind, value)
    return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value
