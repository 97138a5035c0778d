"""What the commands share: their common options, tables, JSON."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from core.analysis.judgments.reliability import Reliability
from core.errors import InputError
from core.formats.plain_json import plain
from core.formats.tables import RowFilter
from core.scores import ScoreColumn

console = Console(highlight=False)
OF_NAMES = ("metric", "judge", "name", "a", "b")
"""Columns that hold metrics' names: these are typed again, and so never break."""
NARROWEST = 7
"""Characters in which any other column can be read."""
FRAME = 3
"""Characters around a cell."""

StudyName = Annotated[str, typer.Option("--study", metavar="NAME", help="The study's name.")]
JsonFile = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON to this file; - for stdout.")
]
TargetName = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="The judgment: overall, a criterion, mean:A,B or preference; else what is usual under the study's scheme.",
    ),
]
ScoreFolders = Annotated[
    list[Path] | None,
    typer.Option(
        "--scores", metavar="FOLDER", help="Also the scores in this folder (of `score --in`); may be repeated."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the bootstrap.")]
Pairs = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="FIELD=COLUMN", help="Which column is text, prompt, system, reference, id, …"),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="COLUMN=VALUE",
        help="Only these rows; give a column several times for one of several values. Capitals and outer blanks do not "
        "matter.",
    ),
]


def pairs(values: list[str] | None, option: str) -> dict[str, str]:
    return dict(_pairs(values, option))


def row_filter(where: list[str] | None) -> RowFilter:
    """What `--where` says, in which a column may be given several times."""
    return RowFilter(_pairs(where, "--where"))


def _pairs(values: list[str] | None, option: str) -> tuple[tuple[str, str], ...]:
    result = []
    for value in values or []:
        name, separator, rest = value.partition("=")
        if not separator or not name:
            raise InputError(f"{option} takes NAME=VALUE, not {value!r}.")
        result.append((name, rest))
    return tuple(result)


def show(result: dict[str, Any], json_file: str | None, table: Callable[[], None]) -> None:
    """The JSON where it was asked for (on stdout: nothing else there), else a table."""
    text = json.dumps(plain(result), ensure_ascii=False, allow_nan=False, indent=1)
    if json_file == "-":
        print(text)
        return
    if json_file:
        try:
            Path(json_file).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{json_file} cannot be written: {error.strerror}.") from error
    table()


def print_table(title: str, columns: list[str], rows: list[list[Any]]) -> None:
    """A table in which no metric's name breaks; where the other columns would be too narrow then, a line a cell."""
    cells = [[_cell(value) for value in row] for row in rows]
    table = Table(title=escape(title) or None, title_justify="left")
    needed = 1
    for place, column in enumerate(columns):
        names = column in OF_NAMES
        table.add_column(escape(column), overflow="fold", no_wrap=names)
        width = max(cell_len(Text.from_markup(cell).plain) for cell in [escape(column), *(row[place] for row in cells)])
        needed += FRAME + (width if names else min(width, NARROWEST))
    if needed > console.width:
        table.collapse_padding = True
        needed -= len(columns) - 1
    if needed <= console.width:
        for row in cells:
            table.add_row(*row)
        console.print(table)
        return
    if title:
        console.print(title, markup=False)
    for row in cells:
        for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
            if cell:
                console.print(f"{'  ' if place else ''}{escape(column)}: {cell}", soft_wrap=True)


def print_sentences(sentences: Iterable[str]) -> None:
    """A line each, which the terminal breaks."""
    for sentence in sentences:
        console.print(sentence, markup=False, soft_wrap=True)


def print_caution(reliability: Reliability) -> None:
    """That the ratings do not agree, where they do not: it is said before any number."""
    if reliability.caution:
        console.print(reliability.caution, markup=False, soft_wrap=True)


def print_own_references(columns: Sequence[ScoreColumn]) -> None:
    """Which metrics leave out stories that are their own reference, and how many."""
    left_out = {column.metric: column.own_references for column in columns if column.own_references}
    if left_out:
        sentence = ", ".join(f"{number:,} by {metric}" for metric, number in left_out.items())
        console.print(f"Left out because a story is its own reference: {sentence}.", markup=False, soft_wrap=True)


def print_signatures(signatures: dict[str, str]) -> None:
    """What each metric's numbers depend on, a line each: in a table's cell they would fold into towers."""
    console.print("Signatures:")
    for signature in signatures.values():
        console.print(f"  {signature}", markup=False, soft_wrap=True)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else escape(str(value))
