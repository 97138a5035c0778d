"""What becomes of a study: renamed, copied, archived, deleted and had back, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from core.annotation.pair_design import PairRules
from core.annotation.studies import StudyState
from core.errors import InputError, NotAllowed, NotFound
from core.people import TERMINAL, Role
from core.stories import ScoreRecord, Source
from db.annotation import assignments, settings, slots
from db.audit import now
from db.engine import reading, writing
from db.people import people
from db.ratings.preferences import preferences_of
from db.schema import pair, pair_panel, prompt, rating, story, study
from db.scores import scores, tables
from db.studies import lifecycle, studies
from db.transfer import imports
from tests.db import pairs
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study, small_corpus


def names(*, archived: bool = False) -> list[str]:
    return [summary.study.name for summary in studies.summaries(TERMINAL, archived=archived)]


@pytest.mark.both_databases
def test_a_name_changes_and_is_free_again(database: str) -> None:
    new_study = make_study("first")
    assert lifecycle.rename(TERMINAL, new_study.id, "  second ") == "first"
    assert studies.find("second").id == new_study.id
    studies.create(TERMINAL, "first")
    with pytest.raises(InputError, match="already a study named 'first'"):
        lifecycle.rename(TERMINAL, new_study.id, "first")
    with pytest.raises(InputError, match="1 to 200 characters"):
        lifecycle.rename(TERMINAL, new_study.id, " ")
    assert names() == ["first", "second"]


@pytest.mark.both_databases
def test_a_copy_has_settings_and_stories_and_nothing_that_people_did(database: str) -> None:
    new_study = make_study("s", prompts=3)
    who = make_annotator(new_study)
    rate(who, begin(who))
    settings.set_ends(TERMINAL, new_study.id, "I **agree**.", dict(new_study.codes))
    values = dict.fromkeys(scores.story_keys(new_study.id), 1.0)
    scores.import_scores(TERMINAL, new_study.id, ScoreRecord("m", "file:1", values))
    copy = lifecycle.clone(TERMINAL, new_study.id, "t")
    assert (copy.name, copy.state, copy.consent, copy.scheme, copy.rules) == (
        "t", StudyState.DRAFT, "I **agree**.", new_study.scheme, new_study.rules,
    )  # fmt: skip
    assert set(copy.codes) == set(new_study.codes)
    assert not set(copy.codes.values()) & set(new_study.codes.values())
    study_summary, two = (summary for summary in studies.summaries(TERMINAL))
    assert (study_summary.study.name, study_summary.ratings, study_summary.panels_open, study_summary.metrics) == (
        "t",
        0,
        0,
        0,
    )
    assert (study_summary.prompts, study_summary.stories, study_summary.references) == (
        two.prompts,
        two.stories,
        two.references,
    )
    kept = ("key", "position", "source", "system", "text", "sentences", "content_hash")
    with reading() as connection:
        rows = [
            connection.execute(
                select(*(story.c[column] for column in kept), prompt.c.key.label("prompt"), prompt.c.text.label("of"))
                .join(prompt, prompt.c.id == story.c.prompt_id)
                .where(story.c.study_id == each, prompt.c.study_id == each)
                .order_by(story.c.position)
            ).all()
            for each in (new_study.id, copy.id)
        ]
    assert rows[0] == rows[1]
    assert {row.source for row in rows[1]} == {Source.HUMAN, Source.SYSTEM, Source.NEGATIVE}
    with pytest.raises(InputError, match="already a study named 't'"):
        lifecycle.clone(TERMINAL, new_study.id, "t")
    studies.open_study(TERMINAL, copy.id)
    assert assignments.turn(make_annotator(copy)).consent == "I **agree**."


@pytest.mark.both_databases
def test_an_archived_study_is_in_no_list_and_closed_and_comes_back(database: str) -> None:
    new_study = make_study("s")
    who = make_annotator(new_study)
    lifecycle.archive(TERMINAL, new_study.id)
    assert names() == []
    assert names(archived=True) == ["s"]
    assert studies.find("s").archived
    assert assignments.turn(who).end is not None
    with pytest.raises(InputError, match="bring it back before"):
        studies.open_study(TERMINAL, new_study.id)
    lifecycle.bring_back(TERMINAL, new_study.id)
    assert names() == ["s"]
    assert studies.get(new_study.id).state is StudyState.CLOSED


@pytest.mark.both_databases
def test_a_deleted_study_is_nowhere_and_comes_back_with_every_rating(database: str) -> None:
    new_study = make_study("s")
    who = make_annotator(new_study)
    rate(who, begin(who))
    before = tables.table(new_study.id)
    assert lifecycle.discard(TERMINAL, new_study.id) == "s"
    assert names() == names(archived=True) == []
    for gone in (lambda: studies.find("s"), lambda: studies.get(new_study.id), lambda: assignments.turn(who)):
        with pytest.raises(NotFound):
            gone()
    assert [deleted.name for deleted in lifecycle.deleted(TERMINAL)] == ["s"]
    other = studies.create(TERMINAL, "s")  # the name is free meanwhile
    with pytest.raises(InputError, match="rename that one first"):
        lifecycle.restore(TERMINAL, new_study.id)
    lifecycle.rename(TERMINAL, other.id, "other")
    assert lifecycle.restore(TERMINAL, new_study.id) == "s"
    assert studies.find("s").id == new_study.id
    assert tables.table(new_study.id).keys == before.keys
    assert lifecycle.deleted(TERMINAL) == []
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(rating)) > 0


def pairs_asked() -> list[tuple[int, ...]]:
    with reading() as connection:
        query = select(pair_panel.c.study_id, pair_panel.c.position, pair.c.place, pair.c.first_id, pair.c.second_id)
        return [tuple(row) for row in connection.execute(query.join(pair).order_by(*query.selected_columns))]


@pytest.mark.both_databases
def test_a_study_of_pairs_is_deleted_had_back_copied_and_gone_for_good(database: str) -> None:
    new_study = pairs.opened(PairRules(a_panel=4, controls=1))
    pairs.hand_in(new_study, "one")
    held = begin(make_annotator(new_study, "two"))
    before, judged = pairs_asked(), preferences_of(new_study.id)
    lifecycle.discard(TERMINAL, new_study.id)
    lifecycle.restore(TERMINAL, new_study.id)
    assert pairs_asked() == before
    assert preferences_of(new_study.id).choice.tolist() == judged.choice.tolist()
    copy = lifecycle.clone(TERMINAL, new_study.id, "t")
    assert copy.scheme == new_study.scheme
    assert pairs_asked() == before  # a draft has no panels
    studies.open_study(TERMINAL, copy.id)
    assert slots.progress(copy.id).wanted == slots.progress(new_study.id).wanted
    assert len(begin(make_annotator(copy)).pairs) == len(held.pairs) == 4 + 1 + 1
    studies.remove(TERMINAL, copy.id, "t")
    assert pairs_asked() == before


@pytest.mark.both_databases
def test_after_thirty_days_or_at_once_it_goes_for_good(database: str) -> None:
    old, new, there = (imports.import_corpora(TERMINAL, name, [small_corpus(1)]) for name in ("old", "new", "there"))
    for item in (old, new):
        lifecycle.discard(TERMINAL, item.id)
    with writing() as connection:
        long_ago = now() - lifecycle.KEPT - timedelta(minutes=1)
        connection.execute(update(study).where(study.c.id == old.id).values(deleted_at=long_ago))
    assert lifecycle.erase_old() == 1
    assert [deleted.name for deleted in lifecycle.deleted(TERMINAL)] == ["new"]
    with pytest.raises(NotFound, match="not among the deleted ones"):
        lifecycle.erase(TERMINAL, there.id)
    lifecycle.erase(TERMINAL, new.id)
    with pytest.raises(NotFound):
        lifecycle.restore(TERMINAL, new.id)
    with reading() as connection:
        assert connection.scalars(select(study.c.id)).all() == [there.id]
        assert set(connection.scalars(select(story.c.study_id))) == {there.id}


def test_only_an_owner_deletes(database: str) -> None:
    new_study = make_study("s")
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, runs=[new_study.id]))
    assert researcher is not None
    for forbidden in (lifecycle.discard, lifecycle.restore, lifecycle.erase):
        with pytest.raises(NotAllowed):
            forbidden(researcher, new_study.id)
    lifecycle.rename(researcher, new_study.id, "t")
    lifecycle.archive(researcher, new_study.id)
