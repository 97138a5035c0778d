"""The picture of the curves: time and memory against the number of stories, both logarithmic."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
MARKS = "os^Dv<>P"


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """One line a step; PostgreSQL's are dashed."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(12, 5.2), layout="constrained")
    steps = list(dict.fromkeys(row["step"] for row in rows if row["step"] != "score with perplexity"))
    for axis, what, label in (
        (axes[0], "seconds", "seconds"),
        (axes[1], "megabytes", "memory at most (MB)"),
    ):
        for place, step in enumerate(steps):
            for database, style in (("sqlite", "-"), ("postgresql", "--")):
                mine = [row for row in rows if (row["step"], row["database"]) == (step, database)]
                if mine:
                    axis.plot(
                        [row["stories"] for row in mine],
                        [row[what] for row in mine],
                        style,
                        color=COLOURS[place % len(COLOURS)],
                        marker=MARKS[place % len(MARKS)],
                        markersize=5,
                        label=step if style == "-" else f"{step} (PostgreSQL)",
                    )
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("stories")
        axis.set_ylabel(label)
        axis.grid(visible=True, which="major", alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
