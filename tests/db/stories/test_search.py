"""Stories are found by what they hold, and listed with what people said of them."""

import numpy as np
import pytest

from core.analysis.stories.listing import StoryFilter
from core.errors import NotAllowed
from core.people import TERMINAL, Role
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from db.people import people
from db.scores import tables
from db.stories import search, selections
from db.transfer import imports
from tests.db.conftest import make_study
from tests.rated import rated_study

STORIES = (
    StoryRecord("a", "p1", "A dragon woke.", "It ate 100% of the sheep.", Source.SYSTEM, "one"),
    StoryRecord("b", "p1", "A dragon woke.", "ÉTÉ came. It slept on.", Source.SYSTEM, "two"),
    StoryRecord("c", "p1", "A dragon woke.", "Nobody was home.", Source.HUMAN),
    StoryRecord("d", "p2", "Rain_fell.", "It ate nothing.", Source.SYSTEM, "one"),
    StoryRecord("e", "p2", "Rain_fell.", "", Source.SYSTEM, ""),
)


def found(study_id: int, chosen: StoryFilter) -> str:
    ids = search.matching(TERMINAL, study_id, chosen)
    return "".join(row.key for row in search.listed(TERMINAL, study_id, ids.tolist()))


@pytest.mark.both_databases
def test_every_condition(database: str) -> None:
    faulted = (("chaotic scenes", 1), ("repetitive plots", 2))
    given = (
        RatingRecord("a", "r", 3.0, faulted),
        RatingRecord("d", "r", 2.0, faulted[:1]),
        RatingRecord("b", "r", 5.0),
    )
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", STORIES, given)])
    kept = selections.save_keys(TERMINAL, study.id, "kept", ["b", "d"])
    cases = [
        (StoryFilter(), "abcde"),
        (StoryFilter(groups=frozenset({"one"})), "ad"),
        (StoryFilter(groups=frozenset({"human", "unknown"})), "ce"),
        (StoryFilter(groups=frozenset({"nowhere"})), ""),
        (StoryFilter(prompt="DRAGON"), "abc"),
        (StoryFilter(prompt="n_f"), "de"),
        (StoryFilter(text="it ate"), "ad"),
        (StoryFilter(text="100%"), "a"),
        (StoryFilter(text="%"), "a"),
        (StoryFilter(text="c"), "bc"),
        (StoryFilter(text="' OR 1=1 --"), ""),
        (StoryFilter(selection=kept.id), "bd"),
        (StoryFilter(selection=kept.id, groups=frozenset({"one"}), text="nothing", prompt="rain"), "d"),
        (StoryFilter(selection=kept.id + 99), ""),
        (StoryFilter(error_types=frozenset({"chaotic scenes"})), "ad"),
        (StoryFilter(error_types=frozenset({"repetitive plots", "nothing"})), "a"),
        (StoryFilter(error_types=frozenset({"chaotic scenes"}), prompt="rain"), "d"),
        (StoryFilter(error_types=frozenset({"nothing"})), ""),
        (StoryFilter(error_types=frozenset({"chaotic scenes", "repetitive plots"})), "ad"),
        (StoryFilter(error_types=frozenset({"chaotic scenes", "repetitive plots"}), every_type=True), "a"),
        (StoryFilter(error_types=frozenset({"chaotic scenes", "nothing"}), every_type=True), ""),
    ]
    for chosen, wanted in cases:
        assert found(study.id, chosen) == wanted, chosen


@pytest.mark.both_databases
def test_what_a_row_says(database: str) -> None:
    study = rated_study(prompts=3)
    table = tables.table(study.id)
    index = search.index_of(TERMINAL, study.id)
    assert index.rows.tolist() == list(range(len(table.keys)))
    listed = search.listed(TERMINAL, study.id, [*reversed(index.ids.tolist()), 10**6])
    assert [row.key for row in listed] == list(reversed(table.keys))
    for row in listed:
        place = table.keys.index(row.key)
        assert row.mean == pytest.approx(table.human[place])
        assert (row.ratings, row.words, row.group) == (3, 4, table.systems[place])
        assert (row.prompt, row.opening) == (f"Opening {row.key.split('-')[0]}.", table.texts[place])


def test_rows_of_the_table_are_those_of_systems(database: str) -> None:
    study = make_study()
    index, table = search.index_of(TERMINAL, study.id), tables.table(study.id)
    listed = search.listed(TERMINAL, study.id, index.ids.tolist())
    rows = dict(zip([row.key for row in listed], index.rows.tolist(), strict=True))
    assert [key for key, row in rows.items() if row >= 0] == list(table.keys)
    assert all(table.keys[row] == key for key, row in rows.items() if row >= 0)
    assert np.count_nonzero(index.rows < 0) == 4  # two human stories and two negative ones


def test_who_may_not_look(database: str) -> None:
    study = make_study()
    for role, runs in ((Role.RESEARCHER, None), (Role.ANNOTATOR, study.id)):
        stranger = people.by_token(people.invite(TERMINAL, role, study_id=runs))
        assert stranger is not None
        with pytest.raises(NotAllowed):
            search.matching(stranger, study.id, StoryFilter())
        with pytest.raises(NotAllowed):
            search.index_of(stranger, study.id)
        with pytest.raises(NotAllowed):
            search.listed(stranger, study.id, [1])
