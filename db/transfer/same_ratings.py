"""Ratings that come in a second time, by raters who are called otherwise or not at all: their numbers tell it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from sqlalchemy import Connection, select

from core.annotation.studies import Study
from core.errors import InputError
from core.formats.exports.encoding import blocks
from core.wording import so_many
from db.plain_rows import rows_of
from db.schema import assignment, rating, rating_value
from db.studies import past_imports
from db.transfer.placed_ratings import PlacedRatings

LOOKED_AT = 1_000
"""Stories whose ratings are compared: a file comes in whole, so where these are there all are."""
ENOUGH = 10
"""Ratings in common that are hardly all alike by chance."""
Key = tuple[int, str]
"""A story's id, and a criterion."""


@dataclass
class _Numbers:
    """What was rated of each story and criterion, by raters who are all `people` or not."""

    values: dict[Key, list[float]] = field(default_factory=lambda: defaultdict(list))
    people: bool = True

    def same_in(self, other: "_Numbers") -> set[int]:
        """The stories that both have ratings of, where these are the same numbers throughout; none where they differ,
        are too few or too much alike to tell, or where two people may merely agree.
        """
        common = self.values.keys() & other.values.keys()
        mine = {key: tuple(sorted(self.values[key])) for key in common}
        if any(own != tuple(sorted(other.values[key])) for key, own in mine.items()):
            return set()
        one_each = all(len(own) == 1 for own in mine.values())
        if sum(map(len, mine.values())) < ENOUGH or len(set(mine.values())) == 1:
            return set()
        return set() if one_each and self.people and other.people else {story_id for story_id, _ in common}


def refuse_same_ratings(connection: Connection, loaded_study: Study, ratings: PlacedRatings) -> None:
    """Raise InputError where an earlier import has brought the same ratings of the same stories, whoever gave them."""
    stories = set(islice(_rated_before(connection, loaded_study, ratings), LOOKED_AT))
    if not stories:
        return
    brought = _brought(ratings, stories)
    for number, there in _imported(connection, stories).items():
        if same := brought.same_in(there):
            name = past_imports.past_import(past_imports.stored(connection, loaded_study, number)).name
            columns = "annotator" not in ratings.brought.sheet.named
            way = ", with each column the same person in every row" if columns else ""
            does = (
                "only who gave them would be new. Take that import back (Last imports on the Import page, or "
                f"studies take-back in a terminal), then import this file again as now{way}."
                if brought.people and not there.people
                else "a second time they would count double."
            )
            raise InputError(
                f"The study {loaded_study.name!r} has these ratings already: the import of {name} brought exactly the "
                f"same numbers for {_counted(len(same))}, so {does} Nothing was imported."
            )


def _counted(stories: int) -> str:
    return "all stories that were compared" if stories == LOOKED_AT else so_many(stories, "story", "stories")


def _rated_before(connection: Connection, loaded_study: Study, ratings: PlacedRatings) -> Iterator[int]:
    """The stories rated in the file of which imports have brought ratings before."""
    imported = select(rating.c.story_id).join(assignment, assignment.c.id == rating.c.assignment_id)
    imported = imported.where(assignment.c.import_id.is_not(None))
    if connection.execute(imported.where(assignment.c.study_id == loaded_study.id).limit(1)).first() is None:
        return
    for block in blocks(ratings.stories, LOOKED_AT):  # without the study, by which SQLite goes through all its panels
        yield from connection.scalars(imported.where(rating.c.story_id.in_(set(block))).distinct())


def _brought(ratings: PlacedRatings, stories: set[int]) -> _Numbers:
    result = _Numbers()
    for place, story_id in enumerate(ratings.stories):
        if story_id in stories:
            given = ratings.check.called(ratings.brought.ratings[place])
            panel = ratings.brought.panels[given.panel]
            result.people = result.people and panel.person and bool(panel.annotator)
            for criterion, value in given.values.items():
                result.values[story_id, criterion].append(value)
    return result


def _imported(connection: Connection, stories: set[int]) -> Mapping[int, _Numbers]:
    """What each import has brought of these stories, by its number, the last first."""
    query = (
        select(assignment.c.import_id, assignment.c.person_id, rating.c.story_id)
        .add_columns(rating_value.c.criterion, rating_value.c.value)
        .join(rating, rating.c.assignment_id == assignment.c.id)
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .where(assignment.c.import_id.is_not(None), rating.c.story_id.in_(stories))
    )
    result: dict[int, _Numbers] = defaultdict(_Numbers)
    for number, person_id, story_id, criterion, value in rows_of(connection, query):
        numbers = result[number]
        numbers.people = numbers.people and person_id is not None
        numbers.values[story_id, criterion].append(value)
    return dict(sorted(result.items(), reverse=True))
