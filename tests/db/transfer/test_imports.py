"""All of a file, or nothing."""

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.errors import InputError, NotAllowed
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.formats.tables import Table, stories_of
from core.people import TERMINAL, Person, Role
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, Story, StoryRecord
from db.engine import engine, reading
from db.migrate import migrate
from db.ratings import ratings
from db.schema import assignment, deduction, event, prompt, rating, score, story, study
from db.scores import scores, tables
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import small_corpus

TABLES = (study, prompt, story, assignment, rating, deduction, score, event)


def pending(study_id: int) -> dict[str, Story]:
    """Every story of a system, by its content hash."""
    return {item.content_hash: item.story for item in scores.pending(study_id, [0], -1, 1000)[0]}


def counts() -> list[int | None]:
    with reading() as connection:
        return [connection.scalar(select(func.count()).select_from(table)) for table in TABLES]


def test_union_comes_in_whole(database: str, shared: Path) -> None:
    new_study = imports.import_corpora(TERMINAL, "union-roc", [read_union(shared / "union-roc")])
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.stories, summary.references, summary.ratings, summary.metrics) == (400, 400, 2800, 10)
    table = tables.table(new_study.id)
    assert [c.metric for c in table.columns] == [
        "bleu", "bleurt", "dis", "moverscore", "ppl", "ruber", "ruber_ref", "ruber_unref", "union", "union_recon",
    ]  # fmt: skip
    assert all(column.scored == 400 for column in table.columns)
    assert new_study.scheme_key == "union"
    assert ratings.annotators(new_study.id) is None


def test_mans_comes_in_whole(database: str, shared: Path) -> None:
    imports.import_corpora(TERMINAL, "mans-roc", [read_mans(shared / "mans-roc" / "mans_roc.json")])
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.prompts, summary.stories, summary.references, summary.ratings) == (200, 1000, 200, 5000)


def test_the_same_file_twice_is_refused_and_changes_nothing(database: str) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    before = counts()
    with pytest.raises(InputError, match="already; nothing was imported"):
        imports.import_corpora(TERMINAL, "s", [small_corpus()])
    assert counts() == before


def test_a_bad_second_file_takes_back_the_first_and_the_study(database: str) -> None:
    bad = Corpus("mans", small_corpus(1).stories, (RatingRecord("nobody", "r", 3.0),))
    before = counts()
    with pytest.raises(InputError, match="nobody"):
        imports.import_corpora(
            TERMINAL, "s", [dataclasses.replace(small_corpus(3), stories=small_corpus(3).stories[6:]), bad]
        )
    assert counts() == before


def test_ratings_of_another_scheme_are_refused(database: str) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    with pytest.raises(InputError, match="UNION scheme; import it into a study of its own"):
        imports.import_corpora(TERMINAL, "s", [Corpus("union", (StoryRecord("x", "x", "", "t"),))])


def test_two_ratings_by_one_rater_are_refused(database: str) -> None:
    double = (RatingRecord("0-one", "r", 3.0), RatingRecord("0-one", "r", 4.0))
    with pytest.raises(InputError, match="two ratings"):
        imports.import_corpora(TERMINAL, "s", [dataclasses.replace(small_corpus(), scheme="mans", ratings=double)])


def test_a_prompt_cannot_change_its_text(database: str) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    with pytest.raises(InputError, match="another text"):
        imports.import_corpora(TERMINAL, "s", [Corpus("", (StoryRecord("new", "0", "Another opening.", "t"),))])


@pytest.mark.both_databases
def test_a_later_reference_changes_what_scores_are_kept_under(database: str) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    with reading() as connection:
        before = dict(iter(connection.execute(select(story.c.key, story.c.content_hash))))
    another = StoryRecord("late", "0", "Opening 0.", "A second human story.", Source.HUMAN)
    imports.import_corpora(TERMINAL, "s", [Corpus("", (another,))])
    with reading() as connection:
        after = dict(iter(connection.execute(select(story.c.key, story.c.content_hash))))
    assert before["0-one"] != after["0-one"]
    assert before["1-one"] == after["1-one"]
    assert len(pending(new_study.id)[after["0-one"]].references) == 2


def test_hostile_text_is_kept_as_it_is(database: str) -> None:
    texts = ["<script>alert(1)</script>", "$x$ and :red[x]", "=1+1", "שלום עולם", "👩‍👩‍👧 é", "a\u202eb"]
    records = tuple(StoryRecord(f"k{i}", f"p{i}", t, t, Source.SYSTEM, t) for i, t in enumerate(texts))
    new_study = imports.import_corpora(TERMINAL, "<b>$name$</b>", [Corpus("", records)])
    table = tables.table(new_study.id)
    assert list(table.texts) == texts
    assert list(table.systems) == texts
    assert studies.find("<b>$name$</b>").id == new_study.id


def test_equal_texts_keep_their_own_imported_scores(database: str) -> None:
    twins = tuple(StoryRecord(k, "p", "Opening.", "The same text.", Source.SYSTEM, k) for k in ("a", "b"))
    column = ScoreRecord("chatty", "file:1", {"a": 1.0, "b": 2.0})
    new_study = imports.import_corpora(TERMINAL, "s", [Corpus("", twins, scores=(column,))])
    assert tables.table(new_study.id).columns[0].values.tolist() == [1.0, 2.0]


def test_an_annotator_may_not_import(database: str) -> None:
    with pytest.raises(NotAllowed):
        imports.import_corpora(Person(1, "a", Role.ANNOTATOR, 1), "s", [small_corpus()])


@pytest.mark.both_databases
def test_deleting_needs_the_name_and_takes_everything(database: str) -> None:
    column = ScoreRecord("m", "file:1", {"0-one": 1.0})
    corpus = dataclasses.replace(
        small_corpus(),
        scheme="mans",
        ratings=(RatingRecord("0-one", "r", 3.0, (("unrelated events", 2),)),),
        scores=(column,),
    )
    new_study = imports.import_corpora(TERMINAL, "gone", [corpus])
    with pytest.raises(InputError, match="type the study's name"):
        studies.remove(TERMINAL, new_study.id, "gon")
    assert counts()[:7] == [1, 2, 12, 1, 1, 1, 1]
    studies.remove(TERMINAL, new_study.id, "gone")
    assert counts()[:7] == [0] * 7


@pytest.mark.both_databases
def test_later_stories_of_a_known_prompt_are_kept_under_its_own_references(database: str) -> None:
    """Scores must not leak from a study whose prompt has another reference."""

    def study_of(name: str, reference: str) -> int:
        human = StoryRecord("h", "p", "Go.", reference, Source.HUMAN)
        new_study = imports.import_corpora(TERMINAL, name, [Corpus("", (human,))])
        imports.import_corpora(TERMINAL, name, [Corpus("", (StoryRecord("late", "p", "Go.", "It rained all day."),))])
        return new_study.id

    first, second = study_of("first", "It rained all day."), study_of("second", "Nothing else.")
    (text,), (other,) = pending(first), pending(second)
    assert text != other
    with reading() as connection:
        for row in connection.execute(select(story.c.content_hash, story.c.study_id, story.c.key)):
            if row.key == "late":
                assert row.content_hash == pending(row.study_id)[row.content_hash].content_hash


def test_a_second_file_with_the_same_reference_is_fine(database: str) -> None:
    def corpus(name: str, text: str) -> Corpus:
        row = {"prompt": "Go.", "text": text, "reference": "They went."}
        return stories_of(Table(name, tuple(row), (row,)))

    new_study = imports.import_corpora(TERMINAL, "s", [corpus("a.csv", "One."), corpus("b.csv", "Two.")])
    assert scores.story_keys(new_study.id) == ["a-1", "b-1"]
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.stories, summary.references) == (2, 1)


def test_a_new_study_takes_the_scheme_that_is_asked_for_and_keeps_it(database: str) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()], scheme="likeliness")
    assert studies.find("s").scheme_key == new_study.scheme_key == "likeliness"
    late = Corpus("", (StoryRecord("late", "0", "Opening 0.", "t"),))
    with pytest.raises(InputError, match="uses the Human likeliness scheme, not turing"):
        imports.import_corpora(TERMINAL, "s", [late], scheme="turing")
    imports.import_corpora(TERMINAL, "s", [late])
    with pytest.raises(InputError, match="There is no annotation scheme 'x'"):
        imports.import_corpora(TERMINAL, "other", [small_corpus()], scheme="x")
    with pytest.raises(InputError, match="but this file the UNION scheme"):
        imports.import_corpora(TERMINAL, "other", [dataclasses.replace(small_corpus(), scheme="union")], scheme="mans")
    assert imports.import_corpora(TERMINAL, "none", [small_corpus()]).scheme_key == "mans"
    assert {summary.study.name for summary in studies.summaries(TERMINAL)} == {"s", "none"}


def test_an_open_study_takes_no_stories(database: str) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    studies.open_study(TERMINAL, new_study.id)
    with pytest.raises(InputError, match="close it before"):
        imports.import_corpora(TERMINAL, "s", [Corpus("", (StoryRecord("late", "0", "Opening 0.", "t"),))])


@pytest.mark.both_databases
def test_a_story_named_like_a_negative_is_no_obstacle(database: str) -> None:
    late = StoryRecord("0-negative", "0", "Opening 0.", "A story. With two sentences.")
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus(), Corpus("", (late,))])
    studies.open_study(TERMINAL, new_study.id)
    with reading() as connection:
        keys = set(connection.scalars(select(story.c.key).where(story.c.source == "negative")))
    assert keys == {"0-negative-2", "1-negative"}


@pytest.mark.both_databases
def test_short_human_stories_do_not_stop_a_study(database: str) -> None:
    short = [
        dataclasses.replace(record, text="One sentence.") if record.source is Source.HUMAN else record
        for record in small_corpus().stories
    ]
    new_study = imports.import_corpora(TERMINAL, "s", [Corpus("", tuple(short))])
    studies.open_study(TERMINAL, new_study.id)
    with reading() as connection:
        texts = list(connection.scalars(select(story.c.text).where(story.c.source == "negative")))
    assert len(texts) == 2
    assert all(text.count(".") == 3 for text in texts)  # made from systems' stories of three sentences
    every = [dataclasses.replace(record, text="One sentence.") for record in short]
    other = imports.import_corpora(TERMINAL, "other", [Corpus("", tuple(every))])
    with pytest.raises(InputError, match="Import longer human stories, or negative stories of your own"):
        studies.open_study(TERMINAL, other.id)


@pytest.mark.slow
def test_many_prompts_get_their_negatives_at_once(home: Path) -> None:
    migrate()
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus(3000)])
    studies.open_study(TERMINAL, new_study.id)
    with reading() as connection:
        rows = connection.execute(
            select(story.c.text, prompt.c.key).join(prompt).where(story.c.source == "negative")
        ).all()
    assert len(rows) == 3000
    assert not any(f"prompt {row.key}." in row.text for row in rows)  # never from the prompt's own story
    engine().dispose()


@pytest.mark.both_databases
def test_two_presses_at_once_import_once(database: str) -> None:
    """Two tabs, or a press that arrives while the first still works: one import, and a refusal."""
    corpus = dataclasses.replace(small_corpus(20), scores=(ScoreRecord("m", "file:1", {"0-one": 1.0}),))
    start = threading.Barrier(4)

    def press(_: int) -> str:
        start.wait()
        try:
            imports.import_corpora(TERMINAL, "s", [corpus])
        except InputError as error:
            return str(error)
        return "imported"

    with ThreadPoolExecutor(4) as pool:
        lines = list(pool.map(press, range(4)))
    assert lines.count("imported") == 1
    assert all(name == "imported" or "nothing was imported" in name or "try again" in name for name in lines), lines
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.prompts, summary.stories, summary.references, summary.metrics) == (20, 100, 20, 1)
