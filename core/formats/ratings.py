"""Ratings out of Fabula: one row a rating, as CSV or JSONL."""

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, TextIO

from core.errors import InputError

EXPORTS = ("csv", "jsonl")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class ExportedRating:
    """One rating with all that a later analysis may ask for; times are UTC in ISO 8601."""

    study: str
    scheme: str
    demonstration: bool
    prompt_id: str
    prompt: str
    story_id: str
    source: str
    system: str
    story: str
    annotator: str
    position: int | None
    overall: float
    deductions: dict[str, int]
    implied: int | None
    state: str
    valid: bool | None
    reason: str
    overridden: bool
    payment: str
    payment_reason: str
    appeal: str
    started_at: str
    submitted_at: str
    guideline_version: str
    app_version: str


def write_ratings(rows: Iterable[ExportedRating], out: TextIO, export: str) -> int:
    """Write the rows; returns how many. In CSV a cell that a spreadsheet would run as a formula starts with `'`."""
    if export not in EXPORTS:
        raise InputError(f"There is no export format {export!r}; choose {' or '.join(EXPORTS)}.")
    names = [field.name for field in fields(ExportedRating)]
    writer = csv.DictWriter(out, names, lineterminator="\r\n") if export == "csv" else None
    if writer:
        writer.writeheader()
    number = 0
    for row in rows:
        number += 1
        record = asdict(row)
        if writer:
            writer.writerow({name: _cell(value) for name, value in record.items()})
        else:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    return number


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return value
