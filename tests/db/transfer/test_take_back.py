"""An import is taken back: exactly what it brought goes, unless people's work would go with it."""

import csv
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select

from core.annotation.past_imports import SCORES, Origin
from core.annotation.scheme import QualityRules
from core.errors import InputError, NotAllowed, NotFound
from core.formats.exports.package import write_folder
from core.formats.exports.preferences import read_preferences
from core.formats.exports.reading import read_export
from core.formats.stories.blocks import brought, stories_from
from core.formats.stories.choice import StoryChoice
from core.judges.template import Template, Way
from core.metrics.base import Scores
from core.people import TERMINAL, Person, Role
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.annotation import assignments, panel_submission, settings
from db.engine import reading
from db.judges import templates
from db.people import people
from db.ratings import ratings
from db.schema import assignment, event, metadata, rating, story, study_import
from db.scores import scores, tables
from db.stories import notes, selections
from db.studies import event_log, past_imports, story_texts, studies
from db.transfer import exports, imports, rating_imports, story_imports
from db.transfer.take_back import take_back, taking_back
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator

Import = Callable[[str, Path], object]
LATER = {"event", "study_import"}
"""Tables that say what was done."""
TIMES = {"updated_at", "taken_back"}
"""Columns by which pages see that something has changed."""


def corpus_of(name: str, prompts: tuple[int, ...], *, rated: bool = True, human: bool = True) -> Corpus:
    """Stories of some prompts by a system of this name, with people's stories, ratings and scores."""
    stories = [
        StoryRecord(f"{name}-{p}", str(p), f"Opening {p}.", f"{name} wrote {p}. It ends.", Source.SYSTEM, name)
        for p in prompts
    ]
    given = [
        RatingRecord(one.key, rater, 3.0, (("repetitive plots", 1),)) for one in stories for rater in ("Ann", name)
    ]
    column = ScoreRecord(f"m-{name}", f"file:{name}.csv", {one.key: 0.5 for one in stories})
    if human:
        stories += [
            StoryRecord(f"{name}-h{p}", str(p), f"Opening {p}.", f"A person of {name}, {p}.", Source.HUMAN)
            for p in prompts
        ]
    return Corpus("mans" if rated else "", tuple(stories), tuple(given) if rated else (), (column,), True)


def as_corpus(name: str, prompts: tuple[int, ...], **kind: bool) -> Import:
    return lambda study, _: imports.import_corpora(TERMINAL, study, [corpus_of(name, prompts, **kind)])


def as_nobodys(name: str, prompts: tuple[int, ...]) -> Import:
    corpus = replace(corpus_of(name, prompts), raters_identified=False)
    return lambda study, _: imports.import_corpora(TERMINAL, study, [corpus])


def as_table(name: str, prompts: tuple[int, ...]) -> Import:
    def work(study: str, folder: Path) -> object:
        file = folder / f"{name}.csv"
        rows = [f"{name}-{p},{p},Opening {p}.,{name} says {p}.,{name},A person {p} {name}.\n" for p in prompts]
        file.write_text(f"id,prompt_id,prompt,text,system,reference\n{''.join(rows)}")
        table = brought(stories_from(file, StoryChoice()), lambda surveyed: None)
        return story_imports.import_tables(TERMINAL, study, [table])

    return work


def as_ratings(name: str, keys: tuple[str, ...], rater: str = "Zoe") -> Import:
    def work(study: str, folder: Path) -> object:
        file = folder / f"{name}.csv"
        with file.open("w", newline="") as stream:
            csv.writer(stream).writerows([("story_id", "annotator", "overall"), *((key, rater, 2) for key in keys)])
        return rating_imports.import_ratings(TERMINAL, study, read_export(file))

    return work


def as_rated_stories(name: str) -> Import:
    def work(study: str, folder: Path) -> object:
        file = folder / f"{name}.csv"
        if all(summary.study.name != study for summary in studies.summaries(TERMINAL)):
            studies.create(TERMINAL, study)
        rows = [
            f"Opening {p}.,{name} tells {p}. Yes.,{name},{rater}-{name},{4 - p}\n" for p in (0, 1) for rater in "xy"
        ]
        file.write_text(f"prompt,story,system,annotator,overall\n{''.join(rows)}")
        return rating_imports.import_ratings(TERMINAL, study, read_export(file))

    return work


def as_scores(name: str) -> Import:
    def work(study: str, _: Path) -> object:
        study_id = studies.find(study).id
        column = ScoreRecord(name, f"file:{name}", dict.fromkeys(scores.story_keys(study_id), 0.25))
        return scores.import_scores(TERMINAL, study_id, column, origin=Origin(SCORES, (f"{name}.csv",)))

    return work


FIRST: dict[str, Import] = {
    "a table": as_table("a", (0, 1)),
    "a corpus": as_corpus("a", (0, 1)),
    "rated stories": as_rated_stories("a"),
}
SECOND: dict[str, Import] = {
    "a table": as_table("b", (1, 2)),
    "a corpus": as_corpus("b", (1, 2)),
    "ratings by nobody known": as_nobodys("b", (1, 2)),
    "stories alone": as_corpus("b", (1, 2), rated=False, human=False),
    "rated stories": as_rated_stories("b"),
    "scores": as_scores("b"),
}


def score_all(study_id: int) -> None:
    """Scores of a metric that computed them."""
    number = scores.begin_run(study_id, "m", "m|v:1")
    lacking, _ = scores.pending(study_id, [number], -1, 1000)
    scores.store(study_id, number, [one.content_hash for one in lacking], Scores(np.full(len(lacking), 0.5), {}))


def rows() -> dict[str, list[dict[str, Any]]]:
    """All that is kept, but for what only says that there was a change."""
    with reading() as connection:
        return {
            table.name: sorted(
                (
                    {name: value for name, value in row._mapping.items() if name not in TIMES}
                    for row in connection.execute(select(table))
                ),
                key=repr,
            )
            for table in metadata.sorted_tables
            if table.name not in LATER and table.name != "signature"
        }


def last_import(study: str = "s") -> int:
    return past_imports.listed(TERMINAL, studies.find(study).id)[0].id


@pytest.mark.both_databases
@pytest.mark.parametrize("second", SECOND)
@pytest.mark.parametrize("first", FIRST)
def test_the_study_is_as_it_was(database: str, tmp_path: Path, first: str, second: str) -> None:
    FIRST[first]("s", tmp_path)
    study_id = studies.find("s").id
    score_all(study_id)
    before, versions = rows(), (ratings.version(study_id), story_texts.version(study_id))
    SECOND[second]("s", tmp_path)
    assert rows() != before
    if second != "scores":
        assert last_import() != past_imports.listed(TERMINAL, study_id)[-1].id
    take_back(TERMINAL, study_id, last_import())
    assert rows() == before
    assert ratings.version(study_id) != versions[0], "pages would show what is gone"
    assert story_texts.version(study_id) != versions[1]
    SECOND[second]("s", tmp_path)
    take_back(TERMINAL, study_id, last_import())
    assert rows() == before


@pytest.mark.both_databases
@pytest.mark.parametrize("first", FIRST)
def test_what_came_afterwards_stays(database: str, tmp_path: Path, first: str) -> None:
    FIRST[first]("s", tmp_path)
    study_id, number = studies.find("s").id, last_import()
    as_corpus("b", (1, 2))("s", tmp_path)
    take_back(TERMINAL, study_id, number)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.prompts, summary.stories, summary.references, summary.ratings) == (2, 2, 2, 4)
    as_table("c", (0, 5))("s", tmp_path)
    with reading() as connection:
        positions = connection.scalars(select(story.c.position).order_by(story.c.position)).all()
        assert len(set(positions)) == len(positions), "two stories would stand at one place"
    table = tables.table(study_id)
    assert sorted(table.keys) == ["b-1", "b-2", "c-0", "c-5"]
    take_back(TERMINAL, study_id, past_imports.listed(TERMINAL, study_id)[1].id)
    assert sorted(tables.table(study_id).keys) == ["c-0", "c-5"]
    take_back(TERMINAL, study_id, last_import())
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.prompts, summary.stories, summary.references, summary.ratings, summary.metrics) == (0,) * 5
    assert people.listed(TERMINAL, study_id) == []
    assert past_imports.listed(TERMINAL, study_id) == []


@pytest.mark.both_databases
def test_what_hangs_on_the_stories_goes_and_is_said(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0, 1))("s", tmp_path)
    study_id = studies.find("s").id
    as_corpus("b", (1, 2))("s", tmp_path)
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER, name="Olga"))
    assert owner is not None
    kept = selections.save_keys(owner, study_id, "both", ["a-0", "b-1"])
    with reading() as connection:
        noted = connection.scalar(select(story.c.id).where(story.c.key == "b-1")) or 0
    notes.save_note(owner, study_id, noted, "Look at this.")
    goes = taking_back(TERMINAL, study_id, last_import())
    assert goes.sentence == (
        "This removes 2 stories, 2 human references and 4 ratings, with the stories' scores; 1 note."
    )
    assert take_back(owner, study_id, last_import()).brought == goes.brought
    assert selections.keys_of(owner, study_id, kept.id) == {"a-0"}
    entry = event_log.page(TERMINAL, study_id)[0]
    assert (entry.kind, entry.who, entry.words) == (
        "import taken back",
        f"Olga (owner {owner.id})",
        "Import taken back",
    )
    assert (entry.detail["stories"], entry.detail["ratings"]) == (4, 4)


@pytest.mark.both_databases
def test_a_form_that_came_with_it_goes_with_it(database: str, tmp_path: Path) -> None:
    study = studies.create(TERMINAL, "s")
    before = rows()
    file = tmp_path / "criteria.csv"
    file.write_text("story,annotator,coherence,relevance\nOne story.,x,1,4\nAnother.,x,2,3\n")
    rating_imports.import_ratings(TERMINAL, "s", read_export(file))
    assert studies.get(study.id).scheme.names == ("coherence", "relevance")
    take_back(TERMINAL, study.id, last_import())
    assert rows() == before
    assert studies.get(study.id).scheme == study.scheme


@pytest.mark.both_databases
def test_an_export_goes_whole(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0, 1))("there", tmp_path)
    write_folder(exports.files(TERMINAL, studies.find("there").id, "jsonl"), tmp_path / "out")
    study = studies.create(TERMINAL, "s")
    before = rows()
    rating_imports.import_ratings(TERMINAL, "s", read_export(tmp_path / "out"))
    assert past_imports.listed(TERMINAL, study.id)[0].name == "there"
    take_back(TERMINAL, study.id, last_import())
    assert rows() == before


@pytest.mark.both_databases
def test_pairs_and_their_panels_go(database: str, tmp_path: Path) -> None:
    def preferences(name: str, number: int) -> None:
        file = tmp_path / f"{name}.csv"
        lines = "".join(f"Opening {p}.,{name} good {p}.,{name} bad {p}.,{name}\n" for p in range(number))
        file.write_text(f"prompt,chosen,rejected,annotator\n{lines}")
        rating_imports.import_ratings(TERMINAL, "s", read_preferences(file))

    preferences("a", 3)
    study_id, before = studies.find("s").id, rows()
    preferences("b", 2)
    assert past_imports.listed(TERMINAL, study_id)[0].origin.kind == "Preferences"
    take_back(TERMINAL, study_id, last_import())
    assert rows() == before


@pytest.mark.both_databases
def test_what_people_were_shown_or_a_later_file_rates_stays(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0, 1), rated=False)("s", tmp_path)
    study_id, number = studies.find("s").id, last_import()
    as_ratings("late", ("a-0",))("s", tmp_path)
    before = rows()
    with pytest.raises(InputError, match=r"The later import of late.csv has ratings of its stories; take that one"):
        take_back(TERMINAL, study_id, number)
    assert rows() == before
    take_back(TERMINAL, study_id, last_import())
    studies.open_study(TERMINAL, study_id)
    with pytest.raises(InputError, match="is open for annotation; close it"):
        take_back(TERMINAL, study_id, number)
    annotator = make_annotator(studies.get(study_id))
    panel = assignments.turn(annotator, claim=True).panel
    assert panel is not None
    studies.close_study(TERMINAL, study_id)
    as_corpus("b", (7,), rated=False)("s", tmp_path)
    before = rows()
    with pytest.raises(InputError, match="People have been given panels here that show its stories"):
        take_back(TERMINAL, study_id, number)
    assert rows() == before
    for shown in panel.stories:
        ratings.save_value(annotator, shown.token, 3)
    before = rows()
    with pytest.raises(InputError, match="what they say of them would be lost"):
        take_back(TERMINAL, study_id, number)
    assert rows() == before
    take_back(TERMINAL, study_id, last_import())  # which came later, and nobody was shown
    assert sorted(tables.table(study_id).keys) == ["a-0", "a-1"]


@pytest.mark.both_databases
def test_work_that_had_no_place_beside_it_counts_again(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0,), rated=False)("s", tmp_path)
    study_id = studies.find("s").id
    settings.set_rules(TERMINAL, study_id, QualityRules(ratings_wanted=1))
    studies.open_study(TERMINAL, study_id)
    annotator = make_annotator(studies.get(study_id))
    panel = begin(annotator)
    studies.close_study(TERMINAL, study_id)
    as_ratings("late", ("a-0",))("s", tmp_path)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)

    def states() -> list[str]:
        with reading() as connection:
            return sorted(connection.scalars(select(assignment.c.state)))

    assert states() == ["imported", "surplus"]
    take_back(TERMINAL, study_id, last_import())
    assert states() == ["submitted"]


@pytest.mark.both_databases
def test_negative_stories_that_were_made_go_with_their_prompts(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0, 1), rated=False)("s", tmp_path)
    study_id = studies.find("s").id
    as_corpus("b", (1, 2), rated=False)("s", tmp_path)
    studies.open_study(TERMINAL, study_id)
    studies.close_study(TERMINAL, study_id)
    goes = taking_back(TERMINAL, study_id, last_import())
    assert "1 negative story that Fabula made for its prompts" in goes.sentence
    take_back(TERMINAL, study_id, last_import())
    with reading() as connection:
        query = select(story.c.key).where(story.c.source == Source.NEGATIVE).order_by(story.c.key)
        assert connection.scalars(query).all() == ["0-negative", "1-negative"]


def test_no_prompt_changes_halves_once_wordings_were_tried(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0,))("s", tmp_path)
    as_corpus("b", (1, 2, 3))("s", tmp_path)
    study_id = studies.find("s").id
    newest, oldest = past_imports.listed(TERMINAL, study_id)
    assert not taking_back(TERMINAL, study_id, oldest.id).refusal
    templates.save(TERMINAL, study_id, Template("mine", Way.POINTS, "", "{story}"))
    with pytest.raises(InputError, match="would change halves"):
        take_back(TERMINAL, study_id, oldest.id)
    take_back(TERMINAL, study_id, newest.id)
    take_back(TERMINAL, study_id, oldest.id)


@pytest.mark.both_databases
def test_only_who_runs_the_study_may(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0,))("s", tmp_path)
    study_id, number = studies.find("s").id, last_import()
    stranger = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="Rae"))
    annotator = make_annotator(studies.get(study_id))
    assert stranger is not None
    for who in (stranger, annotator):
        for what in (take_back, taking_back):
            with pytest.raises(NotAllowed):
                what(who, study_id, number)
        with pytest.raises(NotAllowed):
            past_imports.listed(who, study_id)
    studies.create(TERMINAL, "other")
    with pytest.raises(NotFound, match="remembers no such import"):
        take_back(TERMINAL, studies.find("other").id, number)
    take_back(TERMINAL, study_id, number)
    with pytest.raises(NotFound, match="perhaps it was taken back already"):
        take_back(TERMINAL, study_id, number)


@pytest.mark.both_databases
def test_what_was_imported_before_imports_were_remembered_stays(database: str, tmp_path: Path) -> None:
    imports.import_corpora(TERMINAL, "s", [corpus_of("a", (0, 1))], demonstration=True)
    study_id = studies.find("s").id
    assert past_imports.listed(TERMINAL, study_id) == []
    before = rows()
    as_corpus("b", (0, 1))("s", tmp_path)
    take_back(TERMINAL, study_id, last_import())
    assert rows() == before


@pytest.mark.both_databases
def test_scores_that_are_gone_are_no_import_any_more(database: str, tmp_path: Path) -> None:
    as_corpus("a", (0, 1))("s", tmp_path)
    study_id = studies.find("s").id
    as_scores("b")("s", tmp_path)
    as_scores("b")("s", tmp_path)
    assert [one.name for one in past_imports.listed(TERMINAL, study_id)] == ["b.csv", "b.csv", "Stories"]
    assert taking_back(TERMINAL, study_id, last_import()).sentence == "This removes scores of b."
    take_back(TERMINAL, study_id, last_import())
    assert [one.name for one in past_imports.listed(TERMINAL, study_id)] == ["Stories"]


def _begin(annotator: Person, study_id: int, turns: threading.Barrier, outcomes: list[str]) -> None:
    turns.wait()
    try:
        studies.open_study(TERMINAL, study_id)
    except InputError:  # there is nothing to rate any more
        outcomes.append("empty")
    else:
        outcomes.append("panel" if assignments.turn(annotator, claim=True).panel else "none")


def _remove(study_id: int, number: int, turns: threading.Barrier, outcomes: list[str]) -> None:
    turns.wait()
    try:
        take_back(TERMINAL, study_id, number)
    except (InputError, NotFound):
        outcomes.append("refused")
    else:
        outcomes.append("taken back")


@pytest.mark.both_databases
def test_a_panel_that_is_begun_at_the_same_moment_is_whole_or_not_there(database: str, tmp_path: Path) -> None:
    for attempt in range(4):
        as_corpus("a", (0, 1), rated=False)(f"s{attempt}", tmp_path)
        study = studies.find(f"s{attempt}")
        number, annotator = last_import(study.name), make_annotator(study)
        turns, outcomes = threading.Barrier(3), list[str]()
        threads = [threading.Thread(target=_begin, args=(annotator, study.id, turns, outcomes))]
        threads += [threading.Thread(target=_remove, args=(study.id, number, turns, outcomes)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(outcomes) in (["empty", "refused", "taken back"], ["panel", "refused", "refused"])
        with reading() as connection:
            stories = connection.scalar(select(func.count()).where(story.c.study_id == study.id))
        assert bool(stories) is ("panel" in outcomes)


def test_ids_that_are_given_again_show_nothing_of_before(home: Path, database: str, tmp_path: Path) -> None:
    """On SQLite other stories get the ids of those that are gone."""
    as_table("a", (0, 1))("s", tmp_path)
    study_id = studies.find("s").id
    first = tables.table(study_id)
    assert [len(text) for text in first.texts] == [len("a says 0.")] * 2
    version = story_texts.version(study_id)
    take_back(TERMINAL, study_id, last_import())
    as_table("longer", (0, 1))("s", tmp_path)
    assert story_texts.version(study_id) != version
    assert list(tables.table(study_id).keys) == ["longer-0", "longer-1"]
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(rating)) == 0
        assert connection.scalar(select(func.count()).select_from(study_import)) == 1
        assert connection.scalar(select(func.count()).where(event.c.kind == "import taken back")) == 1
    assert replace(past_imports.listed(TERMINAL, study_id)[0].origin, kind="").files == ("longer.csv",)
