"""The quick reading of a study's ratings gives what a plain one gives, rating by rating."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import or_, select

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.annotation.builtin import PREFERENCES
from core.annotation.studies import Study
from core.annotation.target import usual_target
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, Source, group_of
from db.annotation import panel_submission
from db.engine import reading
from db.rating_values import values_of
from db.ratings import ratings
from db.ratings.ratings import COUNTED, REJECTED
from db.schema import assignment, deduction, prompt, rating, story
from db.studies import studies
from db.transfer import imports
from tests.core.analysis.judgments.merging import slowly_merged
from tests.db.annotation.assignments import begin, rate, save, sources
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.pairs import hand_in as hand_in_pairs
from tests.db.pairs import opened
from tests.db.ratings.judged_stories import hand_in


def slowly(study: Study) -> list[JudgedStory]:
    """Story by story, with a query for each rating."""
    target = usual_target(study.scheme)
    on = values_of(target)
    result = []
    with reading() as connection:
        rows = connection.execute(
            select(story.c.id, story.c.source, story.c.system, prompt.c.key)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study.id)
            .order_by(story.c.position)
        ).all()
        for row in rows:
            given: dict[bool, list[Rating]] = {True: [], False: []}
            for item in connection.execute(
                select(rating.c.id, rating.c.story_id, rating.c.raters, on.c.value, assignment)
                .join(on, on.c.rating_id == rating.c.id)
                .join(assignment, assignment.c.id == rating.c.assignment_id)
                .where(on.c.story_id == row.id, assignment.c.study_id == study.id, or_(COUNTED, REJECTED))
                .order_by(rating.c.id)
            ):
                places = [] if item.state == "imported" else [shown for shown, _ in item.stories]
                position = places.index(row.id) + 1 if row.id in places else None
                if position and study.scheme.unit.of_pairs:
                    position = 1 if item.story_id == row.id else 2
                taken = connection.execute(
                    select(deduction.c.error_type, deduction.c.points)
                    .where(deduction.c.rating_id == item.id)
                    .order_by(deduction.c.error_type)
                ).all()
                given[item.valid].append(
                    Rating(
                        item.value,
                        frozenset(name for name, _ in taken),
                        item.person_id,
                        item.id_1,
                        position,
                        tuple((name, points) for name, points in taken if points),
                        raters=item.raters,
                    )
                )
            one = _share if target.is_preference else slowly_merged
            if given[True] or given[False]:
                result.append(
                    JudgedStory(
                        row.key,
                        group_of(row.source, row.system),
                        one(given[True]),
                        Source(row.source) not in study.scheme.sources,
                        one(given[False]),
                    )
                )
    return result


def _share(given: list[Rating]) -> tuple[Rating, ...]:
    if not given:
        return ()
    return (Rating(sum(item.overall for item in given) / len(given), raters=len(given), compared=True),)


def of_panels() -> Study:
    """Panels that count and one that is rejected, with deductions."""
    study = make_study(prompts=2, wanted=2)
    hand_in(make_annotator(study, "careless"), human=1)
    for name in ("first", "second"):
        person = make_annotator(study, name)
        panel = begin(person)
        rate(person, panel)
        where = sources(panel)
        first = next(shown.token for shown in panel.stories if where[shown.token] == "system")
        save(person, first, 4, {"conflicting logic": 1, "chaotic scenes": 2})
        panel_submission.submit(person, panel.token)
    return study


def imported() -> Study:
    """Ratings of raters who are not known, in no order, of some of the stories."""
    keys = ("1-two", "0-one", "1-two", "0-three")
    given = tuple(
        RatingRecord(key, f"rater {i}", 1.0 + i, (("chaotic scenes", 2),) if i % 2 else ())
        for i, key in enumerate(keys)
    )
    return imports.import_corpora(TERMINAL, "imported", [Corpus("mans", small_corpus().stories, given)])


def of_pairs() -> Study:
    """Preferences, where a panel shows its pairs to somebody."""
    study = opened(scheme=PREFERENCES)
    for number in range(2):
        hand_in_pairs(study, f"ann {number}")
    return studies.get(study.id)


@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.parametrize("make", [of_panels, imported, of_pairs])
def test_as_with_a_query_for_each_rating(database: str, make: Callable[[], Study]) -> None:
    study = make()
    expected = slowly(study)
    assert ratings.judged_stories(study.id) == expected
    assert any(item.ratings for item in expected)


def test_nothing_is_rated(database: str) -> None:
    table = ratings.rating_table(make_study().id)
    assert table.stories() == []
    assert replace(table).types == ()
