"""A study in a notebook: `study("NAME")` gives its stories, ratings and scores as tables of pandas.

It reads the database that the server reads, by FABULA_HOME and DATABASE_URL, and changes nothing there, its form
neither. The analyses in `core` take columns of these tables; docs/notebook.ipynb shows how.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.annotation.target import on_target, target_of
from core.errors import StorageError
from core.metrics.naming import unique_names
from core.people import TERMINAL
from db.engine import address
from db.migrate import is_empty, newest, revision
from db.scores import tables
from db.studies import story_texts, studies


@dataclass(frozen=True)
class StudyFrames:
    """The systems' stories of a study, in import order: the three tables have one index, the stories' keys.

    `stories`: prompt (its key), opening (its text), system, text, `rating` (the mean of its valid ratings, NaN where it
    has none) and `ratings` (how many these are). `ratings`: a story's single ratings from the left, a column each, NaN
    where it has fewer, as `core.statistics.agreement` takes them; which rater is which is not told. `scores`: a column
    a metric, called as on the pages, raw, NaN where it is undefined. `signatures`: by metric, what its numbers depend
    on. `scale`: the lowest and the highest rating.
    """

    stories: pd.DataFrame
    ratings: pd.DataFrame
    scores: pd.DataFrame
    signatures: Mapping[str, str]
    scale: tuple[int, int]


def study(name: str, *, target: str | None = None, metrics: Sequence[str] | None = None) -> StudyFrames:
    """Read a study. `target`: what ratings are of, where the form asks for several things (`overall`, a criterion,
    `mean:A,B`); `metrics`: only these, as `correlate` calls them.

    Raises NotFound or InputError for a name that there is not, and StorageError where there is no database, or one of
    an older or a newer Fabula.
    """
    _check_database()
    found = studies.find(name)
    judged = target_of(found.scheme, target)
    asked = on_target(found.scheme, judged)
    table = tables.table(found.id, metrics, target=judged)
    openings, _ = story_texts.of_study(TERMINAL, found.id)
    index = pd.Index(list(table.keys), name="story")
    called = unique_names([(column.metric, column.signature) for column in table.columns])
    stories = pd.DataFrame(
        {
            "prompt": table.prompts,
            "opening": [openings[key] for key in table.prompts],
            "system": table.systems,
            "text": list(table.texts),
            "rating": table.human,
            "ratings": table.behind if table.rated else np.zeros(len(index), dtype=np.intp),
        },
        index=index,
    )
    given = table.ratings if len(table.ratings) else np.empty((len(index), 0))
    return StudyFrames(
        stories,
        pd.DataFrame(given, index=index, columns=range(1, given.shape[1] + 1)),
        pd.DataFrame(dict(zip(called, (column.values for column in table.columns), strict=True)), index=index),
        dict(zip(called, (column.signature for column in table.columns), strict=True)),
        (asked.lowest, asked.highest),
    )


def _check_database() -> None:
    """Raise StorageError where there is nothing to read: commands and the server make it, or bring it up to date."""
    if is_empty():
        raise StorageError(
            f"There is no database at {address()} yet: set FABULA_HOME to your server's folder, or start it once."
        )
    if (mine := revision()) != newest():
        raise StorageError(
            f"The database at {address()} is of another Fabula (revision {mine}, here {newest()}); start the server or "
            "run a command, which bring an older one up to date, or update this Fabula."
        )
