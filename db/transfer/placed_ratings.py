"""Which story and which panel of a study each rating of an import is for, looked up and checked a block at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, groupby
from operator import itemgetter

from sqlalchemy import Connection

from core.annotation.studies import Study
from core.formats.exports.encoding import blocks
from core.formats.exports.rating_check import RatingCheck
from core.formats.exports.restored import Restored, RestoredPanel
from core.scratch.hash_table import HashTable
from core.scratch.number_list import NumberList
from core.scratch.temporary_tables import TemporaryTables
from db.transfer.brought_stories import BLOCK, stories_called, texts_of

RATED = "rated (place INTEGER PRIMARY KEY, panel INTEGER, position INTEGER, story INTEGER)"
"""The table that sorts them by their panels."""


@dataclass
class PlacedRatings:
    """The ratings of `brought`, in order: `panels` counts those that are stored, from 0; `stories` has ids, and so has
    `against` by the place of a rating whose story did not stand by itself. `check` calls criteria as the study does.

    `origins`: of every panel that is stored the one that it was cut from, with the id of its prompt in `prompts`; None
    where panels are stored as they were brought.
    """

    brought: Restored
    check: RatingCheck
    panels: NumberList = field(default_factory=NumberList)
    stories: NumberList = field(default_factory=NumberList)
    against: dict[int, int] = field(default_factory=dict)
    origins: NumberList | None = None
    prompts: NumberList = field(default_factory=NumberList)
    positions: NumberList = field(default_factory=NumberList)

    def cut_panels(self) -> Iterator[tuple[RestoredPanel, int, list[int], int]]:
        """Every panel that was cut: what it was cut from, its prompt's id, its stories' in the order shown, and the
        last of them that was rated.
        """
        if self.origins is None:
            raise ValueError("these panels are stored as they were brought")
        with TemporaryTables(RATED) as kept:
            for row in zip(count(), self.panels, self.positions, self.stories, strict=False):
                kept.add("rated", row)
            shown = kept.rows("SELECT panel, place, story FROM rated ORDER BY panel, position, place")
            # Every panel was cut for a rating, so that each comes here, in order.
            cut = zip(groupby(shown, itemgetter(0)), self.origins, self.prompts, strict=True)
            for (_, rated), origin, prompt_id in cut:
                rows = list(rated)
                _, _, last = max(rows, key=itemgetter(1))
                yield self.brought.panels[origin], prompt_id, [story_id for _, _, story_id in rows], last


def placed(connection: Connection, loaded_study: Study, brought: Restored, *, cut: bool) -> PlacedRatings:
    """Find the stories of all ratings, which are in the study by now, and with `cut` the panel of each story's prompt.

    Raises InputError, naming the line, for a rating that the study's form does not allow; with `cut` also for a story
    that is unknown, or of another prompt than the file says. An export was checked against its own form, which is the
    study's, when it was read.
    """
    result = PlacedRatings(brought, RatingCheck(brought, loaded_study.scheme), origins=NumberList() if cut else None)
    parts = HashTable()
    for block in blocks(brought.ratings, BLOCK):
        keys = {given.story_key for given in block} | {given.compared_with for given in block if given.compared_with}
        known = stories_called(connection, loaded_study.id, keys)
        if brought.manifest is None:
            quoted = texts_of(connection, loaded_study.id, {given.story_key for given in block if given.evidence})
            for given in block:
                panel, row = brought.panels[given.panel], known.get(given.story_key)
                if cut:
                    brought.check_prompt(given, panel, None if row is None else row[2])
                result.check.check(result.check.called(given), panel, quoted.__getitem__)
        for given in block:
            number, prompt_id, _ = known[given.story_key]
            place = given.panel
            if result.origins is not None:
                place = parts.setdefault(hash((given.panel, prompt_id)), len(result.origins))
                if place == len(result.origins):
                    result.origins.append(given.panel)
                    result.prompts.append(prompt_id)
                result.positions.append(given.position)
            if given.compared_with:
                result.against[len(result.panels)] = known[given.compared_with][0]
            result.panels.append(place)
            result.stories.append(number)
    return result
