"""Ratings into a study: all of them or nothing, and nobody twice."""

import json
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select

from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.package import write_folder
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.metrics.base import Scores
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.annotation import panel_submission
from db.engine import reading
from db.ratings import ratings
from db.schema import assignment, deduction, event, person, prompt, rating, story, study
from db.scores import scores, tables
from db.studies import studies
from db.transfer import exports, imports, rating_imports
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study, small_corpus

TABLES = (study, prompt, story, person, assignment, rating, deduction, event)


def counts() -> list[int | None]:
    with reading() as connection:
        return [connection.scalar(select(func.count()).select_from(table)) for table in TABLES]


def theirs(folder: Path, rows: list[dict[str, object]]) -> Restored:
    """A file of ratings that somebody else made."""
    path = folder / "theirs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return read_export(path)


def refused(name: str, brought: Restored) -> str:
    """The reason, and that nothing has changed by it."""
    before = counts()
    with pytest.raises(InputError) as caught:
        rating_imports.import_ratings(TERMINAL, name, brought)
    assert counts() == before
    return str(caught.value)


@pytest.fixture
def rated(database: str, tmp_path: Path) -> tuple[Study, Restored]:
    """A closed study with a panel, and its export."""
    new_study = make_study("rated")
    who = make_annotator(new_study)
    panel = begin(who)
    rate(who, panel)
    panel_submission.submit(who, panel.token)
    studies.close_study(TERMINAL, new_study.id)
    write_folder(exports.files(TERMINAL, new_study.id, "jsonl"), tmp_path / "out")
    return studies.get(new_study.id), read_export(tmp_path / "out")


@pytest.mark.both_databases
def test_ids_in_the_column_of_texts_are_refused(database: str, tmp_path: Path) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    rows: list[dict[str, object]] = [{"story": key, "rater": "Ann", "overall": 3} for key in ("0-one", "1-two")]
    said = refused("s", theirs(tmp_path, rows))
    assert said.startswith("theirs.jsonl: the column 'story' holds ids of stories of 's' (0-one, 1-two, …), not texts")
    assert said.endswith("not texts; choose it as the story's id. Nothing was imported.")
    with pytest.raises(InputError) as caught:
        rating_imports.import_ratings(TERMINAL, "s", theirs(tmp_path, rows))
    assert caught.value.on_terminal == "Say so with --map story_id=story."
    as_told = read_export(tmp_path / "theirs.jsonl", choice=ColumnChoice((("story_id", "story"),)))
    rating_imports.import_ratings(TERMINAL, "s", as_told)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.stories, summary.ratings) == (10, 2)


@pytest.mark.both_databases
def test_ratings_alone_go_to_the_stories_that_are_there(database: str, tmp_path: Path) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    rows: list[dict[str, object]] = [
        {"story_id": f"{p}-{system}", "annotator": who, "overall": 3, "deductions": {"chaotic scenes": 2}}
        for who in ("Ann", "Bo")
        for p in (0, 1)
        for system in ("one", "two")
    ]
    rating_imports.import_ratings(TERMINAL, "s", theirs(tmp_path, rows))
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.stories, summary.ratings) == (10, 8)
    assert ratings.annotators(new_study.id) == 2
    sent = list(exports.ratings_of(TERMINAL, new_study.id))
    assert len({row.annotator for row in sent}) == 2
    assert not any(row.annotator in ("Ann", "Bo") for row in sent)
    assert {row.state for row in sent} == {"imported"}
    assert sent[0].deductions == {"chaotic scenes": 2}
    with reading() as connection:
        names = connection.scalars(select(person.c.name).order_by(person.c.id)).all()
    assert list(names) == ["Ann", "Bo"]
    more: list[dict[str, object]] = [{"story_id": "0-three", "annotator": "Cy", "overall": 5}]
    rating_imports.import_ratings(TERMINAL, "s", theirs(tmp_path, more))
    assert ratings.annotators(new_study.id) == 3


@pytest.mark.both_databases
def test_ratings_without_annotators_are_columns(database: str, tmp_path: Path) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    rows: list[dict[str, object]] = [{"story_id": "0-one", "overall": value} for value in (1, 5, 4)]
    rating_imports.import_ratings(TERMINAL, "s", theirs(tmp_path, rows))
    assert ratings.annotators(new_study.id) is None
    assert [row.annotator for row in exports.ratings_of(TERMINAL, new_study.id)] == ["rater 1", "rater 2", "rater 3"]


def test_ratings_with_their_stories_make_a_study(database: str, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"story_id": key, "story": f"It was {key}.", "prompt": "Go.", "system": key, "annotator": "Ann", "overall": 1}
        for key in ("a", "b")
    ]
    new_study = rating_imports.import_ratings(
        TERMINAL, "new", theirs(tmp_path, [{**row, "scheme": "union"} for row in rows])
    )
    assert new_study.scheme_key == "union"
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.prompts, summary.stories, summary.ratings) == (1, 2, 2)


def test_what_the_study_does_not_allow_is_named_by_its_line(database: str, tmp_path: Path) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    good = {"story_id": "0-one", "annotator": "Ann", "overall": 3}

    def bad(**change: object) -> str:
        return refused("s", theirs(tmp_path, [good, {**good, "story_id": "0-two", **change}]))

    assert bad(overall=6) == (
        "theirs.jsonl, line 2, column 'overall': A rating of 6 is outside the scale 1 to 5. "
        "Say which scale the ratings are on, such as 1-7."
    )
    assert "line 2, column 'story_id': there is no story 'x'; import the stories first." in bad(story_id="x")
    assert "line 2, column 'deductions': There is no error type 'dull'" in bad(deductions={"dull": 1})
    spans = {"chaotic scenes": [[0, 10_000]]}
    assert "line 2, column 'evidence': the passage from 0 to 10000 lies outside" in bad(
        deductions={"chaotic scenes": 2}, evidence=spans
    )
    assert "is in the study with another text" in bad(story="Another text.", prompt="Opening 0.", prompt_id="0")
    assert "of the scheme 'union'; import it into a study of its own" in bad(scheme="union")
    open_one = make_study("open")
    assert "is open for annotation; close it" in refused(open_one.name, theirs(tmp_path, [good]))
    assert "import the stories first" in refused("not there", theirs(tmp_path, [good]))


def test_nobody_rates_a_prompt_twice(database: str, tmp_path: Path) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    first: list[dict[str, object]] = [
        {"story_id": "0-one", "annotator": "Ann", "overall": 3},
        {"story_id": "0-two", "overall": 3},
    ]
    rating_imports.import_ratings(TERMINAL, "s", theirs(tmp_path, first))
    again: list[dict[str, object]] = [{"story_id": "0-two", "annotator": "Ann", "overall": 3}]
    assert "ratings of the prompt '0' by 'Ann' already" in refused("s", theirs(tmp_path, again))
    assert "ratings of the prompt '0' by 'rater 1' already" in refused(
        "s", theirs(tmp_path, [{"story_id": "0-three", "overall": 3}])
    )


def test_an_export_does_not_come_into_its_own_study(rated: tuple[Study, Restored], tmp_path: Path) -> None:
    """Neither whole nor as ratings alone: the people who rated are known by their pseudonyms."""
    new_study, brought = rated
    assert "is in the study already; nothing was imported." in refused(new_study.name, brought)
    alone = (tmp_path / "out" / "ratings.jsonl").rename(tmp_path / "alone.jsonl")
    assert "already; nothing was imported" in refused(new_study.name, read_export(alone))


def test_an_empty_study_takes_the_exports_settings(rated: tuple[Study, Restored]) -> None:
    _, brought = rated
    waiting = studies.create(TERMINAL, "waiting", "mans")
    assert brought.manifest is not None
    came = rating_imports.import_ratings(TERMINAL, "waiting", brought)
    assert came.id == waiting.id
    assert came.rules == brought.manifest.study.rules
    other = studies.create(TERMINAL, "other", "union")
    assert "uses the UNION scheme" in refused(other.name, brought)


@pytest.mark.both_databases
def test_the_people_who_came_along_have_no_way_in(rated: tuple[Study, Restored]) -> None:
    from db.people import people

    _, brought = rated
    came = rating_imports.import_ratings(TERMINAL, "again", brought)
    with reading() as connection:
        (row,) = connection.execute(select(person).where(person.c.study_id == came.id)).all()
    assert row.name.startswith("annotator-")
    assert row.token_hash == f"imported:{came.id}:{row.name}"
    for token in (row.token_hash, row.name, ""):
        assert people.by_token(token) is None


def test_progress_is_told_and_only_researchers_import(rated: tuple[Study, Restored]) -> None:
    new_study, brought = rated
    heard: list[tuple[int, int, str]] = []
    rating_imports.import_ratings(TERMINAL, "again", brought, on_progress=lambda *word: heard.append(word))
    assert heard == [(7, 7, "Storing")]
    with pytest.raises(NotAllowed):
        rating_imports.import_ratings(make_annotator(new_study), "mine", brought)


def test_the_log_says_that_something_came(rated: tuple[Study, Restored]) -> None:
    _, brought = rated
    came = rating_imports.import_ratings(TERMINAL, "again", brought)
    with reading() as connection:
        row = connection.execute(
            select(event.c.detail).where(event.c.study_id == came.id, event.c.kind == "imported")
        ).one()
    assert row.detail == {"stories": 14, "ratings": 7}


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_scores_come_back_equal_and_computed_ones_are_not_computed_again(
    database: str, tmp_path: Path, kind: str
) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    keys = scores.story_keys(new_study.id)
    imported = ScoreRecord("bleu", "file:0|column:b", {key: float(place) for place, key in enumerate(keys[:4])})
    scores.import_scores(TERMINAL, new_study.id, imported)
    signature = scores.begin_run(new_study.id, "perplexity", "perplexity|v:1")
    page, _ = scores.pending(new_study.id, [signature], -1, 100)
    result = Scores.collect([0.1 + place / 3 for place in range(len(page) - 1)] + ["the story is empty"])
    scores.store(new_study.id, signature, [pending.content_hash for pending in page], result)
    before = tables.table(new_study.id)
    write_folder(exports.files(TERMINAL, new_study.id, kind), tmp_path / "out")
    brought = read_export(tmp_path / "out")
    studies.remove(TERMINAL, new_study.id, "s")
    back = rating_imports.import_ratings(TERMINAL, "back", brought)
    after = tables.table(back.id)
    assert [(column.metric, column.signature) for column in after.columns] == [
        (column.metric, column.signature) for column in before.columns
    ]
    for old, new in zip(before.columns, after.columns, strict=True):
        np.testing.assert_array_equal(old.values, new.values)
        assert old.reasons == new.reasons
    assert scores.pending(back.id, [signature], -1, 100)[0] == []


@pytest.mark.both_databases
def test_a_score_that_is_kept_is_not_changed_by_an_export(database: str, tmp_path: Path) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    signature = scores.begin_run(new_study.id, "perplexity", "perplexity|v:1")
    page, _ = scores.pending(new_study.id, [signature], -1, 100)
    hashes = [pending.content_hash for pending in page]
    scores.store(new_study.id, signature, hashes, Scores.collect([1.0] * len(page)))
    write_folder(exports.files(TERMINAL, new_study.id, "csv"), tmp_path / "out")
    scores.store(new_study.id, signature, hashes, Scores.collect([2.0] * len(page)))
    back = rating_imports.import_ratings(TERMINAL, "back", read_export(tmp_path / "out"))
    assert set(tables.table(back.id).columns[0].values) == {2.0}


def on_scale(folder: Path, values: tuple[float, ...], scale: str, *, story: str = "") -> Restored:
    path = folder / "scaled.jsonl"
    rows = [{"story_id": "0-one", "annotator": f"A{i}", "overall": value} for i, value in enumerate(values)]
    path.write_text("".join(json.dumps({**row, **({"story": story} if story else {})}) + "\n" for row in rows))
    return read_export(path, choice=ColumnChoice(scale=scale))


def test_a_scale_is_carried_over_to_a_new_study(database: str, tmp_path: Path) -> None:
    new_study = rating_imports.import_ratings(TERMINAL, "new", on_scale(tmp_path, (0, 5, 2.5), "0-5", story="It was."))
    assert (new_study.scheme.lowest, new_study.scheme.highest, new_study.scheme_key) == (0, 5, "criteria")
    assert (new_study.scheme.names, new_study.scheme.error_types) == (("overall",), ())  # no more than the file tells
    assert ratings.judged_stories(new_study.id)[0].mean == 2.5
    same = rating_imports.import_ratings(TERMINAL, "same", on_scale(tmp_path, (1, 5), "1-5", story="It was."))
    assert list(same.scheme.main.steps) == [1, 2, 3, 4, 5]


def test_a_new_study_asks_no_more_than_its_file_tells(database: str, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("prompt,model,story,coherence_1,coherence_2\nA.,m,It was.,3,7\n")
    new_study = rating_imports.import_ratings(TERMINAL, "one", read_export(path, choice=ColumnChoice(scale="1-7")))
    assert new_study.scheme.names == ("coherence",)
    assert ratings.judged_stories(new_study.id)[0].mean == 5


def test_a_new_study_is_of_mans_where_its_file_has_deductions(database: str, tmp_path: Path) -> None:
    path = tmp_path / "deducted.csv"
    path.write_text('id,text,overall,deductions\na,It was.,3,"{""repetitive plots"": 1}"\n')
    assert rating_imports.import_ratings(TERMINAL, "deducted", read_export(path)).scheme_key == "mans"


def test_a_scale_is_carried_over_to_stories_that_nobody_has_rated(database: str, tmp_path: Path) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    new_study = rating_imports.import_ratings(TERMINAL, "s", on_scale(tmp_path, (0, 7), "0-7"))
    assert (new_study.scheme.lowest, new_study.scheme.highest) == (0, 7)
    sentence = refused("s", on_scale(tmp_path, (1, 5), "1-5"))
    assert sentence == (
        "The study 's' has ratings on a scale of 0 to 7, and these are on a scale of 1 to 5. Import the stories once "
        "more as a study of their own, and these ratings into that."
    )


def test_an_export_brings_its_own_scale(rated: tuple[Study, Restored], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="An export says itself what its columns hold and which scale it is on"):
        read_export(tmp_path / "out", choice=ColumnChoice(scale="0-5"))


def panels_of(folder: Path, *given: tuple[str, str, str, float]) -> Restored:
    """Ratings by panel, annotator and story."""
    names = ("panel", "annotator", "story_id", "overall")
    return theirs(folder, [dict(zip(names, part, strict=True)) for part in given])


def test_a_rater_may_have_several_panels_of_a_story(database: str, tmp_path: Path) -> None:
    new_study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    brought = panels_of(
        tmp_path,
        *[("HIT-1", "Ann", "0-one", 1), ("HIT-1", "Ann", "0-two", 4), ("HIT-2", "Ann", "0-one", 2)],
        *[("HIT-1", "Bo", "0-one", 3), ("HIT-1", "Bo", "0-two", 5), ("HIT-2", "Bo", "1-one", 2)],
    )
    rating_imports.import_ratings(TERMINAL, "s", brought)
    assert ratings.annotators(new_study.id) == 2
    judged_story, *_ = ratings.judged_stories(new_study.id)
    assert [(rating.overall, rating.times) for rating in judged_story.ratings] == [(1.5, 2), (3.0, 1)]
    table = tables.table(new_study.id)
    assert table.human[table.keys.index("0-one")] == judged_story.mean == 2.25
    assert table.given == 5
    assert "ratings of the prompt '0' by 'Ann' already" in refused("s", brought)
    write_folder(exports.files(TERMINAL, new_study.id, "csv"), tmp_path / "out")
    again = rating_imports.import_ratings(TERMINAL, "copy", read_export(tmp_path / "out"))
    assert [s.ratings[0].times for s in ratings.judged_stories(again.id)] == [2, 1, 1]


def test_a_new_study_asks_what_people_were_asked(database: str, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"story": f"It was {vote}.", "overall": vote} for vote in (True, False)]
    usual = rating_imports.import_ratings(TERMINAL, "usual", theirs(tmp_path, rows))
    assert (usual.scheme.main.question, usual.scheme.main.scale) == ("Is this a good story?", ((0, "No"), (1, "Yes")))
    asked = {"overall": "Is this story reasonable?"}
    worded = rating_imports.import_ratings(TERMINAL, "worded", theirs(tmp_path, rows), questions=asked)
    assert worded.scheme.main.question == "Is this story reasonable?"
    again = [{**row, "story": f"{row['story']} Again."} for row in rows]
    more = rating_imports.import_ratings(TERMINAL, "worded", theirs(tmp_path, again), questions={"overall": "Else?"})
    assert more.scheme.main.question == "Is this story reasonable?"
