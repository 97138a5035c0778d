"""The command `reproduce`: every cell of the papers' tables, and which of them the released files give."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, console, print_table, show
from core.published import reproduce as published
from core.published.reasons import Why
from core.statistics.intervals import Estimate

MOST_NAMED = 6
"""Cells that are named before one reason."""


def reproduce(
    paper: Annotated[str, typer.Argument(help="union, mans (OpenMEVA), perception, naturalness, hanna or all.")],
    data: Annotated[
        Path | None, typer.Option(help="The folder with the released data; union, mans and hanna need it.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Every cell of a paper's tables beside ours: agreeing, differing, or why it cannot be compared."""
    rows = published.reproduce(paper, data)
    tables = published.summary_lines(paper, rows)
    agreeing = sum(r.agrees for r in rows)
    compared = sum(r.ours is not None for r in rows)

    def table() -> None:
        lines = [
            [r.table, r.row, r.column, r.n, r.printed, _ours(r), "yes" if r.agrees else "NO"]
            for r in rows
            if r.ours is not None
        ]
        print_table("", ["table", "row", "column", "n", "published", "ours", "agrees"], lines)
        kinds = [[t.table, t.cells, t.agrees, t.differs, *t.reasons.values()] for t in tables]
        print_table("", ["table", "cells", "agree", "differ", *Why], kinds)
        console.print(f"{agreeing} of {compared} that are compared agree; {len(rows)} cells in all.")
        for reason in _reasons(rows):
            console.print(reason, markup=False)

    show({"paper": paper, "agreeing": agreeing, "compared": compared, "tables": tables, "rows": rows}, json_file, table)


def _ours(row: published.Reproduced) -> str | None:
    return None if row.ours is None else Estimate(row.ours, row.low, row.high).text(".6g", ".4g", to=" … ")


def _reasons(rows: Sequence[published.Reproduced]) -> Iterator[str]:
    """A line for the cells of a table that have one reason, beginning with its kind."""
    cells: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        if row.reason:
            cells.setdefault((row.table, row.kind or "", row.reason), []).append(f"{row.row}, {row.column}")
    for (of, kind, why), named in cells.items():
        more = f"; and {len(named) - MOST_NAMED:,} more" if len(named) > MOST_NAMED else ""
        yield f"{of}, {'; '.join(named[:MOST_NAMED])}{more}: {kind}{': ' if kind else ''}{why}"
