"""What training commands read, and how they report their progress."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from commands.terminal import pairs, row_filter
from core.checkpoints.overlap import judged_among, overlap_text
from core.errors import InputError
from core.formats.stories.trained_rows import table_stories
from core.formats.tables import choose_columns, read_table, select_rows
from core.people import TERMINAL
from db.training import overlap

CORPORA_HELP = "Human stories: a table, or a .txt with one a line; may be repeated, a corpus each."


def read_corpora(
    paths: Sequence[Path],
    mapping: list[str] | None,
    where: list[str] | None,
    *,
    overlap_allowed: bool,
    negatives: bool,
) -> tuple[dict[str, tuple[str, ...]], str]:
    """The human stories of each table, whole, and what a card says of those that people have rated here. Rows that are
    left out are named on stderr; `negatives`: whether each story needs one.

    Raises InputError where there are rated stories and they are not allowed.
    """
    columns, rows = pairs(mapping, "--map"), row_filter(where)
    corpora = {}
    for path in paths:
        table = select_rows(read_table(path), rows)
        stories = table_stories(table, choose_columns(table, columns))
        if sentence := stories.left_out_sentence(stories.of_one_sentence if negatives else ()):
            typer.echo(sentence, err=True)
        corpora[path.stem] = stories.texts
    result = judged_among((text for some in corpora.values() for text in some), overlap.judged_stories(TERMINAL))
    if result and not overlap_allowed:
        raise InputError(
            f"{overlap_text(result)} Take these stories out, or insist with --overlap-allowed, which the card will say."
        )
    return corpora, overlap_text(result)


@contextmanager
def training_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Progress on stderr: what is going on, how far it is, how long it will take."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        phase = ""

        def report(what: str, done: int, whole: int) -> None:
            nonlocal phase
            if (now := what.split(":")[0]) != phase:
                phase = now
                bar.reset(task)
            bar.update(task, description=what, completed=done, total=whole)

        yield report
