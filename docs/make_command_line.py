"""Write docs/command-line.md anew: what the commands and their options are comes from the commands themselves.

    .venv/bin/python docs/make_command_line.py

The text between the comments `<!-- generated: … -->` and `<!-- end -->` is made here. All other text is written by hand
and stays, as does the order of the sections. A new command gets its section at the end of the page: move it to where it
belongs.
"""

import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_origin

import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
FILE = ROOT / "docs" / "command-line.md"
BLOCK = re.compile(r"^<!-- generated: (?P<name>[\w -]+) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
SUBJECT = re.compile(r"^## (.+)$", re.MULTILINE)
OVERVIEW = "all commands"
"""The name of the block that lists the commands."""
VALUES = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}
"""What stands for the value of an option without a word of its own."""
WIDTH = 120


def commands() -> dict[str, Any]:
    """The commands by the words that call them, such as `drift quality`."""
    import cli

    return dict(_within("", typer.main.get_command(cli.app)))


def _within(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if path and (inner is None or command.invoke_without_command):
        yield path, command
    for name, part in (inner or {}).items():
        yield from _within(f"{path} {name}".strip(), part)


def page(text: str, known: Mapping[str, Any]) -> str:
    """The page with all that is generated as it should be now. Raises SystemExit for a section of no command."""
    blocks = [block["name"] for block in BLOCK.finditer(text)]
    if strangers := set(blocks) - {OVERVIEW, *known}:
        raise SystemExit(f"{FILE.name} has a section of no command: {', '.join(sorted(strangers))}.")
    for name in known:
        if name not in blocks:
            text = f"{text.rstrip()}\n\n### {name}\n\n<!-- generated: {name} -->\n<!-- end -->\n"
    subjects = _subjects(text)

    def written(block: re.Match[str]) -> str:
        name = block["name"]
        body = _overview(known, subjects) if name == OVERVIEW else _section(known[name])
        return f"<!-- generated: {name} -->\n\n{body}\n\n<!-- end -->"

    return BLOCK.sub(written, text)


def _subjects(text: str) -> dict[str, str]:
    """The heading under which each command stands, in the order of the page."""
    headings = [(match.start(), match[1]) for match in SUBJECT.finditer(text)]
    return {
        block["name"]: next(title for place, title in reversed(headings) if place < block.start())
        for block in BLOCK.finditer(text)
        if block["name"] != OVERVIEW
    }


def _overview(known: Mapping[str, Any], subjects: Mapping[str, str]) -> str:
    rows = []
    last = ""
    for name, subject in subjects.items():
        required = [_name(parameter).removesuffix(" …") for parameter in _asked(known[name]) if parameter.required]
        shown = "" if subject == last else f"[{subject}](#{_anchor(subject)})"
        about = _cell(_escaped(_help(known[name])[0]))
        rows.append([shown, f"[`{_cell(' '.join([name, *required]))}`](#{_anchor(name)})", about])
        last = subject
    return _table(["subject", "command", "what it does"], rows)


def _section(command: Any) -> str:
    paragraphs = [textwrap.fill(_escaped(paragraph), WIDTH) for paragraph in _help(command)]
    rows = [
        [f"`{_cell(_name(parameter))}`", _cell(_escaped(_about(parameter))), _default(parameter)]
        for parameter in _asked(command)
    ]
    return "\n\n".join([*paragraphs, _table(["option", "what it says", "default"], rows)])


def _help(command: Any) -> list[str]:
    """Its help's paragraphs, a line each; of a group's own command, such as `studies`, what the function says."""
    text = command.callback.__doc__ if hasattr(command, "commands") else command.help
    return [" ".join(paragraph.split()) for paragraph in str(text).split("\n\n")]


def _asked(command: Any) -> list[Any]:
    """Its arguments and options: what is required comes first."""
    asked = [parameter for parameter in command.params if parameter.name != "help" and not parameter.hidden]
    return sorted(asked, key=lambda parameter: (parameter.param_type_name != "argument", not parameter.required))


def _name(parameter: Any) -> str:
    """As one writes it: `FORMAT`, `--once`, `--by system|error`, `--metric TEXT …` where it may be repeated."""
    if parameter.param_type_name == "argument":
        return parameter.metavar or parameter.name.upper()
    name = " / ".join([*parameter.opts, *parameter.secondary_opts])
    if parameter.is_flag:
        return name
    return f"{name} {parameter.metavar or _value(parameter)}{' …' if parameter.multiple else ''}"


def _value(parameter: Any) -> str:
    kind = parameter.type_descriptor.annotation
    if get_origin(kind) is list:
        (kind,) = get_args(kind)
    if not issubclass(kind, Enum):
        return VALUES[kind]
    return "|".join(f'"{choice.value}"' if " " in choice.value else choice.value for choice in kind)


def _about(parameter: Any) -> str:
    if not parameter.help:
        raise SystemExit(f"{_name(parameter)} has no help text.")
    least, most = parameter.min, parameter.max
    if most is not None:
        return f"{parameter.help} From {least} to {most:,}."
    return f"{parameter.help} At least {least}." if least else str(parameter.help)


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    value = parameter.default.value if isinstance(parameter.default, Enum) else parameter.default
    if parameter.param_type_name == "option" and parameter.is_flag:
        return f"`{parameter.opts[0]}`" if value else ""
    return "" if value in (None, "") else f"`{value}`"


def _table(columns: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in [columns, *rows]]
    return "\n".join([lines[0], f"|{'---|' * len(columns)}", *lines[1:]])


def _escaped(text: str) -> str:
    return re.sub(r"([*\[]|<(?=\w))", r"\\\1", text)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _anchor(heading: str) -> str:
    """The heading's own address on the page, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


if __name__ == "__main__":
    FILE.write_text(page(FILE.read_text(encoding="utf-8"), commands()), encoding="utf-8")
