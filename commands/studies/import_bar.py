"""How far an import is, on the standard error: rows, how many a second, and how long it still takes."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from core.formats.stories.survey import Surveyed


class ImportBar:
    """One bar, which a phase after the other fills."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None
        self._doing = ""

    def looked(self, name: str, surveyed: Surveyed) -> None:
        """Rows of a file that were looked at; how many there are is told by how far the file is read."""
        about = int(surveyed.rows / surveyed.share) if surveyed.share else None
        self.tell(surveyed.rows, about or 0, f"Looking through {name}")

    def stored(self, done: int, total: int) -> None:
        """Rows that are stored."""
        self.tell(done, total, "Storing")

    def tell(self, done: int, total: int, doing: str) -> None:
        """So many of so many (0: nobody knows) of what is being done."""
        if self._task is None or doing != self._doing:
            if self._task is not None:
                self._progress.remove_task(self._task)
            self._task, self._doing = self._progress.add_task(doing, total=None, rate=""), doing
        self._progress.update(self._task, completed=done, total=total or None, rate=self._rate(done))

    def _rate(self, done: int) -> str:
        task = next(task for task in self._progress.tasks if task.id == self._task)
        return f"{done / task.elapsed:,.0f} rows/s" if task.elapsed else ""


@contextmanager
def import_bar() -> Iterator[ImportBar]:
    """A bar while the block runs; none where nobody looks."""
    stderr = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f} rows"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr, transient=True, disable=not stderr.is_terminal) as progress:
        yield ImportBar(progress)
