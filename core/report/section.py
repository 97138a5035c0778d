"""A part of a report: what an analysis is, and its figures and tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.analysis.verdict.sentences import Basis
from core.formats.results_csv import ResultRow


@dataclass(frozen=True)
class Drawn:
    """A figure; `key` names it on a page, `alt` says what it shows. `rows` makes its data, one row per story maybe."""

    key: str
    name: str
    figure: go.Figure
    rows: Callable[[], Sequence[ResultRow]]
    alt: str


@dataclass(frozen=True)
class Tabled:
    """A table under its name; `note` stands beneath it. `unshown`: the same rows with all of their numbers, where not
    every one is shown.
    """

    name: str
    rows: tuple[ResultRow, ...]
    note: str = ""
    unshown: tuple[ResultRow, ...] = ()

    @property
    def data(self) -> tuple[ResultRow, ...]:
        """The rows as a file of them has them."""
        return self.unshown or self.rows


@dataclass(frozen=True)
class Section:
    """One analysis: what it is, in a sentence, and what it shows. `undefined`: why it shows nothing."""

    about: Basis
    title: str
    words: str
    figures: tuple[Drawn, ...] = ()
    tables: tuple[Tabled, ...] = ()
    undefined: str | None = None
