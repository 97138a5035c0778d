"""The manifest of an export: its study, form and rules, how many rows, and the hash of every file."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from core.annotation.builtin import SCHEMES, TURING
from core.annotation.pair_design import PairRules
from core.annotation.scheme import QualityRules, Scheme, scheme_from
from core.annotation.unit import Unit
from core.errors import InputError
from core.text_files import check_key, parse_json

NAME = "manifest.json"
VERSION = 2
SINGLE_PAIRS = 1
"""The version whose studies of the Turing scheme hold a system's story beside the human one an assignment."""
LONGEST = 5_000_000
"""Bytes of a manifest: a form has at most a few pages."""
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class StudyHead:
    """The settings that a study's ratings were made under. `form`: its own scheme, None for the built-in one."""

    name: str
    scheme_key: str
    form: Scheme | None
    rules: QualityRules
    state: str
    guideline_version: str
    raters_identified: bool
    demonstration: bool

    @property
    def scheme(self) -> Scheme:
        """The form, or the built-in scheme."""
        return self.form or SCHEMES[self.scheme_key]


@dataclass(frozen=True)
class FileEntry:
    """One file of an export. `table`: stories, panels or ratings; "" for a file of another format."""

    table: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """`format`: csv, jsonl, parquet, mans or union. `counts`: rows by table, and by source or state."""

    format: str
    study: StudyHead
    counts: Mapping[str, Mapping[str, int]]
    files: Mapping[str, FileEntry]
    app_version: str
    exported_at: datetime
    version: int = VERSION

    @property
    def single_pairs(self) -> bool:
        """Whether an assignment is for a system's story, which was shown beside the human one and rated against it."""
        return self.version == SINGLE_PAIRS and self.study.scheme_key == TURING.key

    def as_json(self) -> str:
        """The file's text."""
        head = {**asdict(self.study), "scheme": self.study.scheme_key}
        del head["scheme_key"]
        data = {
            "fabula": VERSION,
            "format": self.format,
            "exported_at": self.exported_at.isoformat(),
            "app_version": self.app_version,
            "raw_ids_included": False,
            "study": head,
            "counts": self.counts,
            "files": {name: asdict(entry) for name, entry in self.files.items()},
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def manifest_from(text: str) -> Manifest:
    """Read what `as_json` wrote; raises InputError naming the field that cannot be used."""
    data = parse_json(text, NAME)
    if not isinstance(data, dict) or data.get("fabula") not in (SINGLE_PAIRS, VERSION):
        raise InputError(
            f"{NAME}: this is not the manifest of an export, or of a newer Fabula (version {VERSION} here)."
        )
    version = data["fabula"]
    study = _taken("study", lambda: _head(data["study"], version))
    return Manifest(
        format=_taken("format", lambda: str(data["format"])),
        study=study,
        counts=_taken(
            "counts", lambda: {str(t): {str(k): int(n) for k, n in c.items()} for t, c in data["counts"].items()}
        ),
        files=_taken("files", lambda: {check_key(name, NAME): _entry(e) for name, e in data["files"].items()}),
        app_version=_taken("app_version", lambda: str(data["app_version"])),
        exported_at=_taken("exported_at", lambda: datetime.fromisoformat(data["exported_at"])),
        version=version,
    )


def _taken(field: str, read: Callable[[], _Value]) -> _Value:
    """What `read` gives; a field that is missing or of another shape is named."""
    try:
        return read()
    except InputError as error:
        raise InputError(f"{NAME}, field {field!r}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        raise InputError(f"{NAME}: the field {field!r} is missing or not as an export writes it.") from None


def _head(stored: Mapping[str, Any], version: int) -> StudyHead:
    if version == SINGLE_PAIRS and stored["scheme"] == TURING.key:
        form: Scheme | None = _single_pair(stored["form"])
    else:
        form = scheme_from(stored["form"]) if stored["form"] is not None else None
    if stored["scheme"] not in SCHEMES or (form is not None and form.key != stored["scheme"]):
        raise ValueError
    head = StudyHead(
        name=_text(stored["name"]),
        scheme_key=stored["scheme"],
        form=form,
        rules=QualityRules(**stored["rules"]),
        state=_text(stored["state"]),
        guideline_version=_number(stored["guideline_version"]),
        raters_identified=_yes(stored["raters_identified"]),
        demonstration=_yes(stored["demonstration"]),
    )
    head.rules.check(head.scheme)
    return head


def _single_pair(stored: Mapping[str, Any] | None) -> Scheme:
    """The form of a study that set one system's story beside the human one, as panels of a single pair."""
    rules = PairRules(a_panel=1, against_human=True, repeat=False)
    asked = replace(TURING, controls=False, pairs=rules)
    if stored is None:
        return asked
    before = scheme_from({**stored, "unit": Unit.STORY})
    return replace(
        asked,
        criteria=(replace(TURING.main, question=before.question),),
        shows_prompt=before.shows_prompt,
        prompt_kind=before.prompt_kind,
        closing_question=before.closing_question,
    )


def _entry(stored: Mapping[str, Any]) -> FileEntry:
    return FileEntry(_text(stored["table"]), int(stored["rows"]), int(stored["bytes"]), _text(stored["sha256"]))


def _text(value: Any, most: int = 200) -> str:
    if not isinstance(value, str) or len(value) > most or "\0" in value:
        raise ValueError
    return value


def _number(value: Any) -> str:
    """A count as text: one is added to it when the form is changed."""
    text = _text(value, 9)
    if not (text.isascii() and text.isdigit()):
        raise ValueError
    return text


def _yes(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value
