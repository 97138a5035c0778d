"""Follows a how-to to the letter: its code blocks become files and edits of a copy of the project."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOWTOS = ROOT / "docs" / "howto"
_BLOCK = re.compile(r'^```(\w+) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Change:
    """What a how-to says about a file: `new`: its whole text; `script`: what writes it; `source`: what it is a copy of;
    else lines to find, and what they become.
    """

    path: str
    before: str
    after: str
    new: bool
    script: str = ""
    source: str = ""


def changes(name: str) -> list[Change]:
    """All that a how-to tells its reader to write, in order."""
    text = (HOWTOS / f"{name}.md").read_text(encoding="utf-8")
    return [_change(kind, path, body) for kind, path, body in _BLOCK.findall(text)]


def _change(kind: str, path: str, body: str) -> Change:
    if kind == "sh" and (copied := re.fullmatch(rf"cp (\S+) {re.escape(path)}\n", body)):
        return Change(path, "", "", new=False, source=copied[1])
    if kind == "sh":
        (script,) = re.findall(r"^\.venv/bin/python (\S+)$", body, re.MULTILINE)
        return Change(path, "", "", new=False, script=script)
    if kind != "diff":
        return Change(path, "", body, new=True)
    lines = body.splitlines(keepends=True)
    assert all(line[0] in " +-" for line in lines), f"{path}: a line of a diff begins with a blank, + or -"
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    return Change(path, before, after, new=False)


def follow(name: str, tree: Path) -> list[Path]:
    """Make a how-to's changes in a copy of the project; returns the files that it adds."""
    added = []
    for change in changes(name):
        file = tree / change.path
        if change.script:
            subprocess.run([sys.executable, change.script], cwd=tree, check=True)
        elif change.source:
            shutil.copyfile(tree / change.source, file)
        elif change.new:
            assert not file.exists(), f"{name}: {change.path} exists already"
            file.parent.mkdir(exist_ok=True)
            file.write_text(change.after, encoding="utf-8")
            added.append(file)
        elif change.before:
            text = file.read_text(encoding="utf-8")
            assert text.count(change.before) == 1, (
                f"{name}: {change.path} does not have these lines once:\n{change.before}"
            )
            file.write_text(text.replace(change.before, change.after), encoding="utf-8")
    return added
