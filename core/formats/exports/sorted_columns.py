"""Columns of ratings that somebody has sorted in each row: no such column can be one person's."""

from collections import defaultdict
from collections.abc import Sequence

from core.formats.exports.restored import RestoredPanel, RestoredRating

FEWEST_UNEQUAL = 20
"""Stories with unequal ratings that stand in order: two raters' do so by chance in one file of a million."""


def sorted_in_each_row(panels: Sequence[RestoredPanel], ratings: Sequence[RestoredRating]) -> bool:
    """Whether each story's ratings on a criterion rise, or are equal, from one column to the next in all rows, or fall
    in all. `panels`: of a file with a column a rater, in the order of the columns.
    """
    names = dict.fromkeys(panel.annotator for panel in panels)
    columns = {annotator: place for place, annotator in enumerate(names)}
    seen: defaultdict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    unequal: set[str] = set()
    rising = falling = True
    for rating in ratings:
        place = columns[panels[rating.panel].annotator]
        for criterion, value in rating.values.items():
            others = seen[rating.story_key, criterion]
            for other, its in others:
                if value != its:
                    unequal.add(rating.story_key)
                    if (value > its) == (place > other):
                        falling = False
                    else:
                        rising = False
            others.append((place, value))
        if not (rising or falling):
            return False
    return len(unequal) >= FEWEST_UNEQUAL
