"""A crowd that compares pairs: exactly what was wanted comes in, the planted order, and the careless are out."""

import random
from collections import Counter
from itertools import combinations

import pytest
from sqlalchemy import select

from core.annotation.pair_design import PairRules
from core.annotation.panel import End
from core.errors import InputError
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.annotation import assignments, panel_submission, slots
from db.engine import reading
from db.monitor import monitor
from db.ratings import ratings
from db.schema import assignment, pair, rating, story
from db.scores import tables
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import at_once, make_annotator
from tests.db.pairs import CARELESS, PLANTED, PROMPTS, WANTED, opened, work

pytestmark = pytest.mark.both_databases


@pytest.mark.slow
def test_a_crowd_fills_what_was_wanted_and_the_careless_are_out(database: str) -> None:
    study = opened(wanted=WANTED)
    people = [make_annotator(study, name) for name in (*CARELESS, *(f"careful {n}" for n in range(6)))]
    at_once(work, people)
    at_once(work, people[len(CARELESS) :])  # a place that a rejected panel has left is open again
    with reading() as connection:
        panels = connection.execute(select(assignment)).all()
        rows = connection.execute(select(rating)).all()
        about = {row.id: row for row in connection.execute(select(story))}
        designed = connection.execute(select(pair)).all()
    named = {who.id: who.name for who in people}
    rejected = Counter(named[row.person_id] for row in panels if row.valid is False)
    assert set(CARELESS) <= set(rejected)
    assert not any(row.valid and named[row.person_id] in CARELESS for row in panels)
    assert all("the damaged story was found" in row.reason for row in panels if row.valid is False)
    # Every pair of the design has as many judgments as were wanted, and every two systems' stories are in it once.
    counted = {row.id for row in panels if row.valid and row.state == "submitted"}
    judged = Counter((row.assignment_id, row.place) for row in rows if row.assignment_id in counted)
    assert set(judged.values()) == {1}
    each = Counter(frozenset((row.story_id, row.against_id)) for row in rows if row.assignment_id in counted)
    wanted = Counter(frozenset((row.first_id, row.second_id)) for row in designed)
    assert each == {both: WANTED * times for both, times in wanted.items()}
    rated = [both for both in wanted if all(about[s].source == Source.SYSTEM for s in both)]
    assert len(rated) == PROMPTS * len(list(combinations(PLANTED, 2)))
    # Nobody saw a panel twice, and each was seen from both sides.
    assert max(Counter((row.person_id, row.pair_panel_id) for row in panels).values()) == 1
    lefts = Counter((row.story_id, row.against_id) for row in rows if row.assignment_id in counted)
    assert all(lefts[one, other] == lefts[other, one] for one, other in lefts)
    progress = slots.progress(study.id)
    assert (progress.left, progress.valid) == (0, progress.wanted)
    table = tables.table(study.id)
    means = {
        name: table.human[[i for i, system in enumerate(table.systems) if system == name]].mean() for name in PLANTED
    }
    assert sorted(means, key=lambda name: -means[name]) == list(PLANTED)
    assert set(table.behind.tolist()) == {WANTED * (len(PLANTED) - 1)}
    assert assignments.turn(make_annotator(study, "late"), claim=True).end is End.FULL


def test_what_the_browser_gets_tells_nothing(database: str) -> None:
    study = opened()
    panel = assignments.turn(make_annotator(study), claim=True).panel
    assert panel is not None
    assert panel.prompt == ""
    assert len(panel.pairs) == 4 + 2 + 1  # controls and the pair that is shown again look like any other
    sent = repr(panel)
    assert not any(f"'{word}'" in sent for word in (*PLANTED, "human", "negative", "control", "repeat"))
    assert len({story.token for story in panel.stories}) == 2 * len(panel.pairs)
    assert {story.letter for story in panel.stories} == {"A", "B"}


def test_flags_ask_to_look_at_who_contradicts_themselves_or_always_says_the_same(database: str) -> None:
    study = opened(wanted=3)
    for name in ("turner", "left"):
        person = make_annotator(study, name)
        panel = assignments.turn(person, claim=True).panel
        assert panel is not None
        for shown in panel.pairs:
            words = [story.text.split()[0] for story in shown.stories]
            side = -1 if "negative" not in words or words[1] == "negative" or name == "left" else 1
            ratings.save_value(person, shown.token, side, "preference")
        panel_submission.submit(person, panel.token)
    turner, left = monitor.read(study.id).panels
    assert turner.turned
    assert turner.valid
    assert left.lowest == left.highest == 1
    assert left.answers == 7
    assert not left.valid


def test_the_human_story_can_be_one_side_of_every_pair(database: str) -> None:
    study = opened(PairRules(a_panel=3, against_human=True, repeat=False))
    panel = assignments.turn(make_annotator(study), claim=True).panel
    assert panel is not None
    for shown in panel.pairs:
        words = {story.text.split()[0] for story in shown.stories}
        assert "human" in words
        assert len(words) == 2


def test_what_cannot_be_compared_is_refused(database: str) -> None:
    apart = [
        StoryRecord(f"{p}-{name}", f"p{p}", "Opening.", f"{name} went out. It rained.", system=name)
        for p, names in enumerate((("a", "b"), ("c", "d")))
        for name in names
    ]
    study = imports.import_corpora(TERMINAL, "apart", [Corpus("", tuple(apart))], scheme="preferences")
    with pytest.raises(InputError, match="no prompt in common"):
        studies.open_study(TERMINAL, study.id)
    alone = imports.import_corpora(TERMINAL, "alone", [Corpus("", tuple(apart[:1]))], scheme="preferences")
    with pytest.raises(InputError, match="stories of two systems"):
        studies.open_study(TERMINAL, alone.id)


def test_stories_that_come_later_make_panels_of_their_own(database: str) -> None:
    study = opened(wanted=1)
    work(make_annotator(study, "careful"), random.Random(1))
    with reading() as connection:
        before = connection.execute(select(pair)).all()
    studies.close_study(TERMINAL, study.id)
    later = Corpus("", (StoryRecord("0-new", "p0", "Opening 0.", "new goes on 0.", system="new"),))
    imports.import_corpora(TERMINAL, study.name, [later])
    studies.open_study(TERMINAL, study.id)
    with reading() as connection:
        after = connection.execute(select(pair)).all()
        new = connection.scalar(select(story.c.id).where(story.c.key == "0-new"))
    assert set(before) <= set(after)
    added = set(after) - set(before)
    assert sum(new in (row.first_id, row.second_id) for row in added) >= len(PLANTED)
    assert slots.progress(study.id).left > 0
