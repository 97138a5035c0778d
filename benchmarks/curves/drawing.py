"""The picture of the curves: time and memory against the number of stories, all on logarithmic scales."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKS = "os^Dv<>"
LINES = {"": "-", "sqlite": "-", "postgresql": "--"}


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """One line a step: files above, what a study goes through below; PostgreSQL's are dashed."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, grid = pyplot.subplots(2, 2, figsize=(12, 10), layout="constrained", sharex=True)
    for axes, stored, title in (
        (grid[0], False, "Files, engine by engine"),
        (grid[1], True, "A study, solid on SQLite, dashed on PostgreSQL"),
    ):
        mine = [row for row in rows if bool(row["database"]) == stored]
        steps = [step for step in dict.fromkeys(row["step"] for row in mine) if _points(mine, step)]
        for axis, what, label in ((axes[0], "seconds", "seconds"), (axes[1], "megabytes", "memory at most (MB)")):
            for place, step in enumerate(steps):
                for database, style in LINES.items():
                    points = [row for row in _points(mine, step) if row["database"] == database]
                    axis.plot(
                        [row["stories"] for row in points],
                        [row[what] for row in points],
                        style,
                        color=COLOURS[place],
                        marker=MARKS[place],
                        markersize=5,
                        label=step if points and style == "-" else None,
                    )
            axis.set(xscale="log", yscale="log", ylabel=label, title=title)
            axis.grid(visible=True, which="major", alpha=0.3)
        axes[0].legend(fontsize=8)
    for axis in grid[1]:
        axis.set_xlabel("stories")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _points(rows: Sequence[dict[str, Any]], step: str) -> list[dict[str, Any]]:
    """Of a step that was measured with more than one number of stories."""
    points = [row for row in rows if row["step"] == step]
    return points if len({row["stories"] for row in points}) > 1 else []
