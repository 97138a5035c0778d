"""The commands that the guide shows, held against the commands, scripts, benches and files that there are."""

import re
import runpy
import shlex
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

from cli import expanded
from core.metrics import METRICS

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^ *```(?:sh|bash)?\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
ANY_BLOCK = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
OPTIONAL = re.compile(r"(?<=\s)\[(--[^\]]*)\]")
"""What may be left out, as in `report --out FILE [--seed 0]`."""
BETWEEN = {"&&", "||", "|", "&", ";", ">"}
ROOMS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
PYTHON = ".venv/bin/python"
INSTALLED = "/opt/fabula/"
"""Where the guide has Fabula on a server."""
PLACEHOLDER = re.compile(r"[A-Z][A-Z ]*|.*…|-")


@cache
def known() -> dict[str, Any]:
    """Every command by the words that call it."""
    return dict(runpy.run_path(str(ROOT / "docs" / "make_command_line.py"))["commands"]())


@cache
def groups() -> frozenset[str]:
    """What begins a command of several words, such as `drift`."""
    return frozenset(" ".join(name.split()[:-1]) for name in known())


def shown(text: str) -> Iterator[list[str]]:
    """The words of every command in a page's blocks."""
    for block in BLOCK.findall(text):
        for line in re.sub(r"\\\n", " ", block).splitlines():
            if re.search(r"cli\.py|\bmake |python |/opt/fabula", line):
                yield from _parted(shlex.split(OPTIONAL.sub(r"\1", line), comments=True))


def _parted(words: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for word in words:
        if word not in BETWEEN:
            part.append(word.strip("()").removesuffix(";") if word[0] == "(" or word[-1] in ";)" else word)
        if (word in BETWEEN or word.endswith(";")) and part:
            yield part
            part = []
    if part:
        yield part


def named(text: str) -> Iterator[list[str]]:
    """The words of every command in a page's running text: `cli.py export`, `score --metric judge`, `make docs`."""
    for code in INLINE.findall(ANY_BLOCK.sub("", text)):
        words = re.findall(r'(?:"[^"]*"|\S)+', code)
        if words and (words[0] in ("make", "cli.py") or words[0].endswith("python")):
            yield words
        elif words and "--" in code and words[0] in {name.split()[0] for name in known()}:
            yield ["cli.py", *words]


def complaint(words: Sequence[str], whole: bool = True) -> str:
    """What is wrong with a command, or nothing; with `whole` it has all that it needs."""
    if missing := [word for word in words if not _is_there(word)]:
        return f"no file {missing[0]}"
    for place, word in enumerate(words):
        rest = list(words[place + 1 :])
        if word == "make":
            return _of_make(rest)
        if word == "cli.py":
            wrong = _of_command(expanded(rest), whole)
            return wrong or ("call it as .venv/bin/python cli.py" if whole and words[place - 1] != PYTHON else "")
        if word.rpartition("/")[2] == "python" and rest[:1] == ["-m"]:
            return _of_module(rest[1], rest[2:])
        if word.endswith(".py") and place and words[place - 1].endswith("python"):
            return _of_file(ROOT / word, rest)
    return ""


def _is_there(word: str) -> bool:
    path = word.removeprefix(INSTALLED).split(":")[0]
    return path.split("/")[0] not in ROOMS or "/" not in path or any(ROOT.glob(path))


def _of_make(words: Sequence[str]) -> str:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    benches = (ROOT / "benchmarks" / "__main__.py").read_text(encoding="utf-8")
    for word in words:
        variable, is_set, value = word.partition("=")
        if is_set and not re.search(rf"\b{variable}\b", makefile):
            return f"the Makefile reads no {variable}"
        asked = shlex.split(value.strip('"')) if variable == "ONLY" else []
        if lost := [bench for bench in asked if f'"{bench}"' not in benches]:
            return f"no bench {lost[0]}"
        if not is_set and re.fullmatch(r"[a-z]+", word) and word not in targets:
            return f"no target {word}"
    return ""


def _of_module(module: str, words: Sequence[str]) -> str:
    path = ROOT / module.replace(".", "/")
    if module.split(".")[0] not in ROOMS:
        return ""  # pip, pytest
    files = [file for file in (path.with_suffix(".py"), path / "__main__.py") if file.is_file()]
    return _of_file(files[0], words) if files else f"no module {module}"


def _of_file(file: Path, words: Sequence[str]) -> str:
    if not file.is_file():
        return f"no file {file.name}"
    code = file.read_text(encoding="utf-8")
    asked = [word for word in words if word.startswith("--")]
    # argparse has the option as a string, Typer as a parameter.
    lost = [word for word in asked if f'"{word}"' not in code and f" {word[2:].replace('-', '_')}: " not in code]
    return f"{file.name} has no {lost[0]}" if lost else ""


def _of_command(words: list[str], whole: bool) -> str:
    if len(words) > 1 and "|" in words[1]:  # `perturb discrimination|invariance`
        each = [_of_command([words[0], second, *words[2:]], whole) for second in words[1].split("|")]
        return next(filter(None, each), "")
    name = next((path for end in (2, 1) if (path := " ".join(words[:end])) in known()), "")
    if not name:
        alone = all(word == "--help" or PLACEHOLDER.fullmatch(word) for word in words)
        return "" if alone or " ".join(words) in groups() else f"no command {' '.join(words[:2])}"
    params, rest = known()[name].params, words[len(name.split()) :]
    options = {opt: param for param in params for opt in (*param.opts, *param.secondary_opts)}
    given, free = [], 0
    while rest:
        word, *rest = rest
        option = options.get(word)
        if word.startswith("--") and option is None:
            return f"{name} has no {word}"
        if option is None:
            free += 1
            continue
        wanted = 0 if option.is_flag else option.nargs
        if len(rest) < wanted and (whole or rest):
            return f"{name}: {word} wants a value"
        if said := "".join(_of_value(option, value) for value in rest[:wanted]):
            return f"{name}: {word} {said}"
        given, rest = [*given, option], rest[wanted:]
    return _lacking(name, params, given, free) if whole else ""


def _lacking(name: str, params: Sequence[Any], given: Sequence[Any], free: int) -> str:
    arguments = [param for param in params if param.param_type_name == "argument"]
    if free > len(arguments) and not any(param.nargs == -1 for param in arguments):
        return f"{name} takes {len(arguments)} arguments"
    lost = [param for param in arguments if param.required][free:]
    lost += [param for param in params if param.param_type_name == "option" and param.required and param not in given]
    return f"{name} lacks {lost[0].name}" if lost else ""


def _of_value(option: Any, value: str) -> str:
    kind = option.type_descriptor.annotation
    if get_origin(kind) is not None:
        kind = get_args(kind)[0]
    if PLACEHOLDER.fullmatch(value):
        return ""
    if issubclass(kind, Enum):
        lost = set(value.split("|")) - {str(choice.value) for choice in kind}
        return f"takes no {min(lost)}" if lost else ""
    if kind in (int, float) and not re.fullmatch(r"-?\d*\.?\d+(e-?\d+)?", value):
        return f"takes a number, not {value}"
    metric = re.split(r"[:\[]", value)[0]
    ours = option.name != "metric" or "/" in value or "=" in value  # a metric of one's own, a column of a file
    return "" if ours or metric in METRICS else f"knows no metric {metric}"
