"""The halves of a study's prompts, as its database knows them."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from core.judges.halves import Half, halves
from core.people import TERMINAL
from db.engine import reading
from db.schema import prompt
from db.scores import scores
from db.studies import halves as stored
from db.studies import lifecycle
from db.transfer import imports
from tests.db.conftest import SYSTEMS, small_corpus

pytestmark = pytest.mark.both_databases


def test_a_half_s_stories_are_counted_and_read_alone(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "some", [small_corpus(7)])
    own = stored.prompts(study.id, Half.DEVELOPMENT)
    other = stored.prompts(study.id, Half.HELD_OUT)
    assert own | other == {str(number) for number in range(7)}
    assert not own & other
    of = dict(zip("0123456", halves(list("0123456")), strict=True))
    assert own == {key for key, half in of.items() if half is Half.DEVELOPMENT}
    number = len(own) * len(SYSTEMS)
    assert scores.count_stories(study.id, half=Half.DEVELOPMENT) == number
    page, _ = scores.pending(study.id, [0], -1, 1000, half=Half.DEVELOPMENT)
    assert len(page) == number
    assert {item.story.prompt for item in page} == {f"Opening {key}." for key in own}
    (whole,) = scores.count_pending(study.id, [[]])
    by_half = [scores.count_pending(study.id, [[]], half=half)[0] for half in Half]
    assert by_half[list(Half).index(Half.DEVELOPMENT)].texts == number
    assert whole.characters == sum(part.characters for part in by_half)


def test_of_one_prompt_a_half_is_empty(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "one", [small_corpus(1)])
    assert sorted(scores.count_stories(study.id, half=half) for half in Half) == [0, len(SYSTEMS)]
    assert sorted(len(scores.pending(study.id, [0], -1, 9, half=half)[0]) for half in Half) == [0, len(SYSTEMS)]


def test_more_prompts_move_none_and_a_copy_has_the_same(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "some", [small_corpus(5)])
    before = stored.prompts(study.id, Half.DEVELOPMENT)
    later = replace(small_corpus(9), stories=small_corpus(9).stories[len(small_corpus(5).stories) :])
    imports.import_corpora(TERMINAL, "some", [later])
    assert stored.prompts(study.id, Half.DEVELOPMENT) & {str(n) for n in range(5)} == before
    copy = lifecycle.clone(TERMINAL, study.id, "copy")
    assert stored.prompts(copy.id, Half.DEVELOPMENT) == stored.prompts(study.id, Half.DEVELOPMENT)
    with reading() as connection:
        ids = stored.prompt_ids(connection, study.id, Half.HELD_OUT)
        keys = connection.scalars(select(prompt.c.key).where(prompt.c.id.in_(ids)))
        assert set(keys) == stored.prompts(study.id, Half.HELD_OUT)
