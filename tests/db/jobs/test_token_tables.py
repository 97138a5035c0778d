"""What models thought of texts is kept for the newest texts, and stories are found to choose from."""

import pytest
from sqlalchemy import func, select

from core.annotation.studies import Study
from core.errors import NotAllowed, NotFound
from core.people import TERMINAL, Person
from core.stories import Source
from db.engine import reading
from db.jobs import jobs, token_tables
from db.jobs.lanes import Lane
from db.schema import token_text
from db.studies import story_list
from tests.core.made_tokens import equal, made_table


@pytest.mark.both_databases
def test_the_same_text_and_model_is_there_at_once(database: str) -> None:
    table = made_table("It went on, and \x00 then 🦊 it ended.")
    assert token_tables.find("m@1|causal", table.text) is None
    token_tables.store("m@1|causal", table)
    token_table = token_tables.find("m@1|causal", table.text)
    assert token_table is not None
    assert equal(token_table, table)
    assert token_tables.find("m@2|causal", table.text) is None
    assert token_tables.find("m@1|causal", table.text + " ") is None
    token_tables.store("m@1|causal", table)  # two readers at once
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(token_text)) == 1


def test_the_oldest_go(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_tables, "MOST", 3)
    texts = [f"Text number {number}." for number in range(5)]
    for text in texts:
        token_tables.store("m", made_table(text))
    token_tables.store("m", made_table(texts[2]))  # read anew, and so the newest
    token_tables.store("m", made_table("Another."))
    assert [token_tables.find("m", text) is not None for text in texts] == [False, False, True, False, True]


@pytest.mark.both_databases
def test_work_on_a_text_belongs_to_no_study_and_has_a_lane_of_its_own(database: str, study: Study) -> None:
    scoring = jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu"]})
    text = {"text": "Pasted \x00 text 🦊.", "model": "", "mode": "causal"}
    reading_ = jobs.add(TERMINAL, "tokens", None, text)
    assert reading_.study_id is None
    assert jobs.get(reading_.id).settings == text
    assert jobs.claim("w", lane=Lane.HEAVY) is None
    taken = jobs.claim("w", lane=Lane.QUICK)
    assert taken is not None
    assert taken.id == reading_.id
    assert jobs.claim("w", lane=Lane.QUICK) is None
    taken = jobs.claim("w", lane=Lane.LIGHT)
    assert taken is not None
    assert taken.id == scoring.id
    assert jobs.of_study(study.id) == [jobs.get(scoring.id)]


@pytest.mark.both_databases
def test_stories_are_listed_by_system_and_words(study: Study, annotator: Person) -> None:
    assert story_list.systems(TERMINAL, study.id) == ["five", "four", "human", "negative", "one", "three", "two"]
    every, number = story_list.stories(TERMINAL, study.id, None, most=3)
    assert (len(every), number) == (3, 14)
    last = story_list.stories(TERMINAL, study.id, None)[0][-1]
    again, _ = story_list.stories(TERMINAL, study.id, None, most=3, before=last.id)
    assert [listed_story.id for listed_story in again] == [last.id, every[0].id, every[1].id]
    humans, number = story_list.stories(TERMINAL, study.id, "human")
    assert [human.key for human in humans] == ["0-human", "1-human"]
    assert humans[0].opening.startswith("A person wrote this")
    listed_stories, number = story_list.stories(TERMINAL, study.id, None, "RAINED ON THE two")
    assert {listed_story.group for listed_story in listed_stories} >= {"two"}
    assert story_list.stories(TERMINAL, study.id, "one", "100%") == ([], 0)
    assert [listed_story.key for listed_story in story_list.stories(TERMINAL, study.id, None, "1-three")[0]] == [
        "1-three"
    ]
    whole = story_list.story_opening(TERMINAL, humans[0].id)
    assert whole.opening == story_list.text_of(humans[0].id)
    for gone in (lambda: story_list.story_opening(TERMINAL, 10**6), lambda: story_list.text_of(10**6)):
        with pytest.raises(NotFound):
            gone()
    for barred in (
        lambda: story_list.systems(annotator, study.id),
        lambda: story_list.stories(annotator, study.id, None),
        lambda: story_list.story_opening(annotator, humans[0].id),
    ):
        with pytest.raises(NotAllowed):
            barred()


@pytest.mark.both_databases
def test_whole_stories_of_a_group_with_their_prompts(study: Study, annotator: Person) -> None:
    humans, number = story_list.whole(TERMINAL, study.id, "human", most=1)
    assert number == 2
    (record,) = humans
    assert (record.key, record.prompt_key, record.source) == ("0-human", "0", Source.HUMAN)
    assert record.text.startswith("A person wrote this")
    assert record.prompt
    ones, _ = story_list.whole(TERMINAL, study.id, "one", most=9)
    assert [(story_record.key, story_record.system) for story_record in ones] == [("0-one", "one"), ("1-one", "one")]
    assert story_list.whole(TERMINAL, study.id, "nobody", most=9) == ([], 0)
    with pytest.raises(NotAllowed):
        story_list.whole(annotator, study.id, "human", most=1)
