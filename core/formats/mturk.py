"""An MTurk batch's results as CSV: read, filled in under Approve and Reject, and written back otherwise unchanged."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.errors import InputError
from core.formats.cells import cell_of

NEEDED = ("AssignmentId", "WorkerId", "Approve", "Reject")
ANSWER = "Answer."
APPROVED = "X"
LARGEST = 50_000_000
"""Bytes of a results file; a batch of 10,000 assignments has a few million."""
DECIDED = ("Approved", "Rejected")
"""States of an assignment that MTurk has paid for, or refused, already."""


@dataclass(frozen=True)
class Batch:
    """A results file: its columns, its rows with one cell per column, and how its lines ended."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    line_end: str = "\n"
    mark: bool = False
    """Whether the file began with a byte order mark."""

    @property
    def answers(self) -> tuple[str, ...]:
        """The columns of what workers filled in."""
        return tuple(name for name in self.columns if name.startswith(ANSWER))

    def cell(self, row: Sequence[str], column: str) -> str:
        """The cell of a row under a column, "" where the file has no such column."""
        return row[self.columns.index(column)] if column in self.columns else ""


@dataclass(frozen=True)
class RowDecision:
    """What becomes of a row: approved, rejected for this reason, or neither, and then what to do about it."""

    approve: bool = False
    reject: str = ""
    remark: str = ""


@dataclass(frozen=True)
class ReviewedFile:
    """The file filled in, how many rows that was, and what is left to a person: (line, worker, what and what to do)."""

    batch: Batch
    approved: int
    rejected: int
    before: int
    """Rows that had been decided on before."""
    left: tuple[tuple[int, str, str], ...]


def read_batch(content: bytes) -> Batch:
    """Read a results file as MTurk's site gives it; raises InputError naming the line or column that is wrong."""
    if len(content) > LARGEST:
        raise InputError(f"The file has more than {LARGEST:,} bytes; a batch's results are smaller.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("The file is not UTF-8 text; upload the CSV as MTurk gave it, not as a spreadsheet.") from None
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = tuple(next(lines, ()))
        _check_columns(columns)
        rows = tuple(_padded(cells, columns, lines.line_num) for cells in lines if cells)
    except csv.Error as error:
        raise InputError(f"Line {lines.line_num}: {error}; upload the CSV as MTurk gave it.") from None
    if not rows:
        raise InputError("The file has no assignments below its first line; download the results again.")
    first = text.splitlines(keepends=True)[0]
    return Batch(columns, rows, "\r\n" if first.endswith("\r\n") else "\n", content.startswith(b"\xef\xbb\xbf"))


def _check_columns(columns: tuple[str, ...]) -> None:
    if missing := [name for name in NEEDED if name not in columns]:
        raise InputError(
            f"Line 1 has no column {', '.join(missing)}: this is not a batch's results; use Download CSV on MTurk's "
            "Review Results page."
        )
    if len(set(columns)) < len(columns):
        raise InputError("Line 1 has a column twice; download the results again.")
    if not any(name.startswith(ANSWER) for name in columns):
        raise InputError(f"Line 1 has no column that begins with {ANSWER}: the HIT asked for no completion code.")


def _padded(cells: list[str], columns: tuple[str, ...], line: int) -> tuple[str, ...]:
    """A row with a cell for every column: MTurk leaves out the last ones where they are empty."""
    missing = len(columns) - len(cells)
    if missing < 0 or not set(columns[len(cells) :]) <= {"Approve", "Reject"}:
        raise InputError(f"Line {line} has {len(cells)} cells and line 1 {len(columns)}; download the results again.")
    return (*cells, *[""] * missing)


def review(batch: Batch, column: str, verdict_of: Callable[[str, str, str], RowDecision]) -> ReviewedFile:
    """Fill in what `verdict_of(worker id, assignment id, code)` says of each row; `column` holds the codes.

    A row that has been decided on, in the file or on MTurk, stays as it is; so does one with a remark. Of a worker's
    second row with the same code only the first is decided. All other cells stay as they are. Raises InputError for a
    column that is not there.
    """
    if column not in batch.answers:
        raise InputError(f"There is no column {column!r}; choose one of {', '.join(batch.answers)}.")
    rows, left, seen = [], [], set()
    approved = rejected = before = 0
    for number, row in enumerate(batch.rows, 2):
        worker, code = batch.cell(row, "WorkerId").strip(), batch.cell(row, column).strip()
        if _is_decided(batch, row):
            before += 1
            seen.add((worker, code))
            rows.append(row)
            continue
        verdict = verdict_of(worker, batch.cell(row, "AssignmentId").strip(), code)
        if (worker, code) in seen and not verdict.remark:
            verdict = RowDecision(remark="The same worker and code stand further up; decide on this row yourself.")
        if verdict.remark:
            left.append((number, worker, verdict.remark))
        else:
            seen.add((worker, code))
        approved += verdict.approve and not verdict.remark
        rejected += bool(verdict.reject) and not verdict.remark
        rows.append(_filled(batch, row, verdict))
    return ReviewedFile(replace(batch, rows=tuple(rows)), approved, rejected, before, tuple(left))


def _is_decided(batch: Batch, row: Sequence[str]) -> bool:
    filled = any(batch.cell(row, name).strip() for name in ("Approve", "Reject"))
    return filled or batch.cell(row, "AssignmentStatus").strip() in DECIDED


def _filled(batch: Batch, row: tuple[str, ...], verdict: RowDecision) -> tuple[str, ...]:
    if verdict.remark:
        return row
    cells = list(row)
    if verdict.approve:
        cells[batch.columns.index("Approve")] = APPROVED
    elif verdict.reject:
        cells[batch.columns.index("Reject")] = cell_of(verdict.reject)
    return tuple(cells)


def as_csv(batch: Batch) -> bytes:
    """The file again, every cell quoted as MTurk quotes them."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator=batch.line_end)
    writer.writerow(batch.columns)
    writer.writerows(batch.rows)
    return out.getvalue().encode("utf-8-sig" if batch.mark else "utf-8")
