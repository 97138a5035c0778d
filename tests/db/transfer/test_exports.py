"""A study out and in again, equal; nobody else's eyes; memory that does not grow."""

import io
import threading
import tracemalloc
import zipfile
from dataclasses import asdict
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from core.annotation.builtin import MANS, UNION
from core.annotation.quality import Payment
from core.annotation.scheme import ErrorType, QualityRules
from core.annotation.scheme import scheme_from as form_from
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed, NotFound
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.formats.exports.package import write_file, write_folder, zipped
from core.formats.exports.reading import read_export
from core.formats.manifest import NAME
from core.people import TERMINAL, Role
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from db.annotation import panel_submission, settings
from db.audit import now
from db.engine import reading, writing
from db.monitor import panels
from db.people import people
from db.ratings import ratings
from db.schema import assignment, deduction, person, rating, rating_value, story, study
from db.studies import studies
from db.transfer import exports, imports, panel_imports, rating_imports
from tests.core.conftest import FILES
from tests.db.annotation.assignments import begin, overtaken, rate
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.slow import whole_panels

KINDS = ("csv", "jsonl", "parquet")
HOSTILE = ("=1+1", "'=1", "'tis", 'a,"b"\r\nc', "👩‍👩‍👧 é", "\u2028x", "<b>$x$</b>")


def a_life_of(study: Study) -> None:
    """Whatever can become of a panel: valid, rejected and appealed, overridden, surplus, unfinished, paid, withheld."""
    good, careless, slow, quick, late = (make_annotator(study, name) for name in ("Ann", "Bo", "Cy", "Di", "Ed"))
    panel = begin(good)
    rate(good, panel)
    ratings.save_deduction(good, panel.stories[0].token, "unrelated events", 2)
    ratings.mark(good, panel.stories[0].token, "unrelated events", (0, 3))
    ratings.mark(good, panel.stories[0].token, "unrelated events", (5, 9))
    ratings.save_deduction(good, panel.stories[0].token, "chaotic scenes", 2)
    panel_submission.submit(good, panel.token)
    panel = begin(careless)
    rate(careless, panel, human=1)
    panel_submission.submit(careless, panel.token)
    panel_submission.appeal(careless, "'=I read it\r\nall, truly.")
    first, second = (whole_panel.id for whole_panel in whole_panels(study.id))
    panels.override(TERMINAL, second, valid=True, reason="=read again")
    panels.pay(TERMINAL, first, Payment.PAID)
    left, taken = overtaken(slow, quick)
    rate(quick, taken)
    panel_submission.submit(quick, taken.token)
    panel_submission.submit(slow, left.token)
    panel = begin(late)
    ratings.save_value(late, panel.stories[0].token, 4)
    with writing() as connection:
        of_first = assignment.c.id == first
        connection.execute(update(assignment).where(of_first).values(asked_at=now()))


@pytest.fixture
def lived(database: str) -> Study:
    """A study in which all of that has happened."""
    new_study = make_study("lived", prompts=4, wanted=1)
    a_life_of(new_study)
    return studies.get(new_study.id)


def exported(study_id: int, kind: str, folder: Path) -> Path:
    write_folder(exports.files(TERMINAL, study_id, kind), folder)
    return folder


def renamed(study_id: int, name: str) -> None:
    """So that an export of another study may be compared byte for byte."""
    with writing() as connection:
        connection.execute(update(study).where(study.c.id == study_id).values(name=name))


def test_out_and_in_again_is_equal(lived: Study, tmp_path: Path) -> None:
    """Every file and every count, in every kind; and a third time out of the second."""
    before = lived
    for kind in KINDS:
        first = exported(before.id, kind, tmp_path / f"{kind}-1")
        restored = read_export(first)
        assert restored.manifest is not None
        assert set(restored.manifest.counts["panels"]) == {"open", "submitted", "surplus"}
        renamed(before.id, f"older than {kind}")
        again = rating_imports.import_ratings(TERMINAL, "lived", restored)
        second = exported(again.id, kind, tmp_path / f"{kind}-2")
        for name in (f"stories.{kind}", f"panels.{kind}", f"ratings.{kind}"):
            assert (first / name).read_bytes() == (second / name).read_bytes(), name
        other = read_export(second).manifest
        assert other is not None
        assert other.counts == restored.manifest.counts
        assert {**asdict(other.study), "state": ""} == {**asdict(restored.manifest.study), "state": ""}
        before = again
    assert list(exports.ratings_of(TERMINAL, before.id)) == list(exports.ratings_of(TERMINAL, before.id))


@pytest.mark.both_databases
def test_the_analyses_see_the_same(lived: Study, tmp_path: Path) -> None:
    again = rating_imports.import_ratings(TERMINAL, "again", read_export(exported(lived.id, "jsonl", tmp_path / "out")))
    assert ratings.annotators(again.id) == ratings.annotators(lived.id)

    def judged(study_id: int) -> list[object]:
        stories = ratings.judged_stories(study_id)
        names: dict[int | None, int] = {}
        return [
            (
                *(judged_story.prompt, judged_story.group, judged_story.control),
                [
                    (r.overall, r.error_types, r.position, r.points, names.setdefault(r.annotator, len(names)))
                    for r in (*judged_story.ratings, *judged_story.rejected)
                ],
            )
            for judged_story in stories
        ]

    assert judged(again.id) == judged(lived.id)
    assert [(p.valid, p.state, p.reason, p.payment) for p in whole_panels(again.id)] == [
        (p.valid, p.state, p.reason, p.payment) for p in whole_panels(lived.id)
    ]
    with reading() as connection:
        rows = connection.execute(
            select(person.c.name, person.c.role, person.c.revoked_at).where(person.c.study_id == again.id)
        ).all()
    assert len(rows) == 5
    assert all(row.role == "annotator" and row.revoked_at is not None and row.name != "Ann" for row in rows)
    assert {one.state for one in people.listed(TERMINAL, again.id)} == {"imported"}


def test_everything_a_rating_has(lived: Study) -> None:
    rows = list(exports.ratings_of(TERMINAL, lived.id))
    assert [row.panel for row in rows] == sorted(row.panel for row in rows)
    marked = next(row for row in rows if row.evidence)
    assert marked.evidence == {"unrelated events": [[0, 3], [5, 9]]}
    assert marked.evidence_text == {"unrelated events": [marked.story[0:3], marked.story[5:9]]}
    assert marked.deductions == {"unrelated events": 2, "chaotic scenes": 2}
    assert (marked.implied, marked.payment, marked.asked_at is not None) == (1, "paid", True)
    assert (marked.scheme, marked.guideline_version, marked.demonstration) == ("mans", "1", False)
    assert {row.state for row in rows} == {"submitted", "surplus", "open"}
    overridden = [row for row in rows if row.overridden]
    assert {(row.reason, row.appeal, row.valid) for row in overridden} == {
        ("=read again", "'=I read it\r\nall, truly.", True)
    }
    for row in rows:
        assert row.position is not None
        assert row.started_at is not None
        assert row.saved_at is not None
        assert row.started_at <= row.saved_at
        assert (row.submitted_at is None) == (row.state == "open")
    text = str(rows)
    assert not any(name in text for name in ("'Ann'", "'Bo'", "'Cy'"))
    assert len({row.annotator for row in rows}) == 5


def test_pseudonyms_differ_between_studies_and_stay_within_one(database: str) -> None:
    first, second = make_study("first"), make_study("second")
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER))
    assert owner is not None
    for new_study in (first, second):
        who = make_annotator(new_study)
        panel = begin(who)
        ratings.save_value(who, panel.stories[0].token, 3)
    (exported_rating,), (other,) = (list(exports.ratings_of(TERMINAL, made.id)) for made in (first, second))
    assert exported_rating.annotator != other.annotator
    assert [row.annotator for row in exports.ratings_of(TERMINAL, first.id)] == [exported_rating.annotator]


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_texts_come_back_exactly(database: str, tmp_path: Path, kind: str) -> None:
    stories = tuple(
        StoryRecord(f"{text}-{i}"[:60], f"p{i}", text, text, Source.SYSTEM, text) for i, text in enumerate(HOSTILE)
    )
    given = tuple(RatingRecord(record.key, record.text, 3.0) for record in stories)
    new_study = imports.import_corpora(TERMINAL, "=1 <b>", [Corpus("mans", stories, given)])
    first = exported(new_study.id, kind, tmp_path / "1")
    renamed(new_study.id, "older")
    again = rating_imports.import_ratings(TERMINAL, "=1 <b>", read_export(first))
    with reading() as connection:
        rows = connection.execute(select(story).where(story.c.study_id == again.id).order_by(story.c.position)).all()
    assert [row.text for row in rows] == [row.system for row in rows] == list(HOSTILE)
    assert (exported(again.id, kind, tmp_path / "2") / f"ratings.{kind}").read_bytes() == (
        first / f"ratings.{kind}"
    ).read_bytes()


def test_a_form_of_its_own_goes_along(database: str, tmp_path: Path) -> None:
    new_study = imports.import_corpora(TERMINAL, "own", [small_corpus()])
    own = MANS.as_dict() | {
        "criteria": [
            {
                "name": "overall",
                "question": "How funny is it?",
                "scale": [[0, "Not"], [1, "A little"], [2, "Very"]],
                "level": "interval",
            }
        ],
        "error_types": [asdict(ErrorType("too long", (3,), "", ""))],
    }
    settings.set_form(TERMINAL, new_study.id, form_from(own))
    settings.set_rules(TERMINAL, new_study.id, QualityRules(ratings_wanted=7, human_least=2, negative_most=0))
    again = rating_imports.import_ratings(
        TERMINAL, "again", read_export(exported(new_study.id, "csv", tmp_path / "out"))
    )
    old = studies.get(new_study.id)
    assert (again.form, again.rules, again.guideline_version) == (old.form, old.rules, "2")
    other = imports.import_corpora(TERMINAL, "other", [small_corpus()])
    with pytest.raises(InputError, match="has another form than this export"):
        rating_imports.import_ratings(TERMINAL, other.name, read_export(tmp_path / "out"))


@pytest.mark.both_databases
def test_one_state_of_the_data_whatever_is_written_meanwhile(lived: Study) -> None:
    """An export that has begun does not see what comes after, in any of its tables."""
    with reading() as connection:
        known = connection.scalar(select(func.count()).select_from(rating_value))
    files = exports.files(TERMINAL, lived.id, "jsonl")
    name, chunks = next(files)
    assert name == "stories.jsonl"
    assert b"".join(chunks)
    with writing() as connection:
        connection.execute(update(rating_value).values(value=2))
    result = {name: b"".join(chunks) for name, chunks in files}
    assert result["ratings.jsonl"].count(b"\n") == known
    assert b'"overall": 5.0' in result["ratings.jsonl"]
    assert NAME in result


def test_only_researchers_export(lived: Study) -> None:
    annotator = make_annotator(lived, "Gil")
    for kind in (*KINDS, "mans"):
        with pytest.raises(NotAllowed):
            exports.files(annotator, lived.id, kind)
    with pytest.raises(NotAllowed):
        next(exports.ratings_of(annotator, lived.id))
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, runs=[lived.id]))
    assert researcher is not None
    assert researcher.id is not None
    assert dict(exports.files(researcher, lived.id, "csv")).keys()
    people.revoke(TERMINAL, researcher.id)
    with pytest.raises(NotAllowed, match="withdrawn"):
        exports.files(researcher, lived.id, "csv")
    with pytest.raises(NotFound):
        exports.files(TERMINAL, lived.id + 99, "csv")
    with pytest.raises(InputError, match="no table format 'xml'"):
        exports.files(TERMINAL, lived.id, "xml")
    with pytest.raises(InputError, match="holds votes of the UNION scheme"):
        exports.files(TERMINAL, lived.id, "union")


def test_an_export_that_is_given_up_leaves_no_transaction(lived: Study) -> None:
    begun = zipped(exports.files(TERMINAL, lived.id, "csv"))
    assert next(begun)
    begun.close()
    done = threading.Event()

    def write() -> None:
        with writing() as connection:
            connection.execute(update(rating_value).values(value=3))
        done.set()

    threading.Thread(target=write, daemon=True).start()
    assert done.wait(20)


def many(study_id: int, panels_wanted: int) -> int:
    """Panels of all seven stories in bulk, one deduction a panel; returns how many ratings."""
    moment = studies.get(study_id).created_at
    mine = assignment.c.study_id == study_id
    with writing() as connection:
        members: dict[int, list[int]] = {}
        for row in connection.execute(select(story).where(story.c.study_id == study_id)):
            members.setdefault(row.prompt_id, []).append(row.id)
        prompts = list(members)
        held = {
            "study_id": study_id,
            "state": "submitted",
            "valid": True,
            "reason": "",
            "guideline_version": "1",
            "started_at": moment,
            "submitted_at": moment,
            "app_version": "1",
        }
        rows = []
        for number in range(panels_wanted):
            prompt_id = prompts[number % len(prompts)]
            shown = [[place, f"{number}-{place}"] for place in members[prompt_id]]
            rows.append({**held, "prompt_id": prompt_id, "rater": f"rater {number}", "stories": shown})
        before = connection.scalar(select(func.max(assignment.c.id)).where(mine)) or 0
        connection.execute(assignment.insert(), rows)
        made = select(assignment.c.id).where(mine, assignment.c.id > before).order_by(assignment.c.id)
        given = [
            {"assignment_id": panel_id, "story_id": place, "updated_at": moment}
            for panel_id, row in zip(connection.scalars(made).all(), rows, strict=True)
            for place in members[row["prompt_id"]]
        ]
        connection.execute(rating.insert(), given)
        every = select(rating.c.id).join(assignment).where(mine, assignment.c.id > before)
        values = [{"rating_id": i, "criterion": "overall", "value": 3} for i in connection.scalars(every)]
        connection.execute(rating_value.insert(), values)
        new = select(rating.c.id).join(assignment).where(mine, assignment.c.id > before, rating.c.id % 7 == 0)
        mark = {"error_type": "chaotic scenes", "points": 2, "spans": [[0, 4]]}
        connection.execute(deduction.insert(), [{**mark, "rating_id": i} for i in connection.scalars(new)])
    return len(given)


# Parquet's groups need more rows: see the test of its encoding.
@pytest.mark.slow
@pytest.mark.parametrize(("database", "kind"), [("sqlite", "csv"), ("postgresql", "jsonl")], indirect=["database"])
def test_memory_does_not_grow_with_the_study(database: str, kind: str) -> None:
    new_study = make_study("big", prompts=20)

    def most() -> int:
        tracemalloc.start()
        for _ in zipped(exports.files(TERMINAL, new_study.id, kind)):
            pass
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    assert many(new_study.id, 150) == 1_050
    most()
    small = most()
    many(new_study.id, 600)  # five times as many; when garbage is collected moves the peak by some tenths
    assert most() < 1.5 * small


@pytest.mark.slow
@pytest.mark.both_databases
def test_thousands_of_ratings_out_and_in(database: str, tmp_path: Path) -> None:
    """More than are read or written at once."""
    new_study = make_study("five", prompts=20)
    assert many(new_study.id, 715) == 5_005 > panel_imports.BLOCK
    for kind in KINDS:
        first = exported(new_study.id, kind, tmp_path / f"{kind}-1")
        renamed(new_study.id, f"older than {kind}")
        again = rating_imports.import_ratings(TERMINAL, "five", read_export(first))
        second = exported(again.id, kind, tmp_path / f"{kind}-2")
        for name in ("stories", "panels", "ratings", "scores"):
            assert (first / f"{name}.{kind}").read_bytes() == (second / f"{name}.{kind}").read_bytes(), name
        new_study = again


def test_union_out_and_in_again(database: str, tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    corpus = read_union(folder)
    new_study = imports.import_corpora(TERMINAL, "union", [corpus])
    out = exported(new_study.id, "union", tmp_path / "out")
    assert (out / "ant_data.txt").read_bytes() == (folder / "ant_data.txt").read_bytes()
    back = read_union(out)
    assert back.stories == corpus.stories
    assert back.ratings == corpus.ratings
    assert [(s.metric, s.values) for s in back.scores] == [(s.metric, s.values) for s in corpus.scores]
    assert UNION.key == back.scheme
    with pytest.raises(InputError, match="import it as union"):
        read_export(out)


def test_mans_out_of_a_live_study(lived: Study, tmp_path: Path) -> None:
    """Counted ratings alone; controls, rejected and unfinished work stay out."""
    out = exported(lived.id, "mans", tmp_path / "out")
    back = read_mans(out / "mans.json")
    counted = [
        row
        for row in exports.ratings_of(TERMINAL, lived.id)
        if row.valid and row.state == "submitted" and row.source == "system"
    ]
    key = {row.story_id: f"{row.prompt_id}/{row.system}" for row in counted}
    assert sorted((r.story_key, r.overall) for r in back.ratings) == sorted(
        (key[r.story_id], r.overall) for r in counted
    )
    assert sum(s.source is Source.HUMAN for s in back.stories) == 4
    assert len(back.stories) == 24


def test_a_zip_in_pieces_is_whole(lived: Study, tmp_path: Path) -> None:
    write_file(zipped(exports.files(TERMINAL, lived.id, "csv")), tmp_path / "out.zip")
    with zipfile.ZipFile(io.BytesIO((tmp_path / "out.zip").read_bytes())) as archive:
        assert archive.testzip() is None
        assert set(archive.namelist()) == {"stories.csv", "panels.csv", "ratings.csv", "scores.csv", NAME}
