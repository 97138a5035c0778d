"""Preferences into a study and out again: everything comes back equal, and the two shapes of files likewise."""

import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select

from core.annotation.studies import Study, StudyState
from core.errors import InputError
from core.formats.exports.package import write_folder
from core.formats.exports.preferences import (
    MeansCompared,
    PairsKept,
    PreferenceRow,
    optimisation_files,
    preference_files,
    read_preferences,
)
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.people import TERMINAL
from core.stories import Corpus, StoryRecord
from db.annotation import assignments, slots
from db.engine import reading
from db.ratings.preferences import preferences_of
from db.schema import assignment, rating
from db.studies import studies
from db.transfer import exports, imports, rating_imports
from db.transfer.preference_rows import pairs_kept, preference_rows
from tests.db.conftest import make_annotator
from tests.db.pairs import opened, work

ROWS = [
    {"prompt": "P.", "system_a": "x", "system_b": "y", "a": "One.", "b": "Two.", "winner": "a", "rater": "w1"},
    {"prompt": "P.", "system_a": "y", "system_b": "x", "a": "Two.", "b": "One.", "winner": "tie", "rater": "w2"},
    {"prompt": "P.", "system_a": "x", "system_b": "human", "a": "One.", "b": "Three.", "winner": "b", "rater": "w1"},
    {
        "prompt": "Q.",
        "system_a": "x",
        "system_b": "y",
        "a": "Four.",
        "b": "Five.",
        "winner": "b",
        "rater": "w1",
        "strength": 2,
    }
    | {"comment": "<b>Five</b> is\nbetter."},
]


def lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.both_databases
def test_a_file_makes_a_study_that_asks_about_pairs(database: str, tmp_path: Path) -> None:
    study = rating_imports.import_ratings(TERMINAL, "pairs", read_preferences(lines(tmp_path / "p.jsonl", ROWS)))
    assert study.scheme_key == "preferences"
    given = preferences_of(study.id)
    assert given.systems == ("human", "x", "y")
    won = {
        (given.systems[a], given.systems[b], choice)
        for a, b, choice in zip(given.first.tolist(), given.second.tolist(), given.choice.tolist(), strict=True)
    }
    assert won == {("x", "y", -1), ("y", "x", 0), ("x", "human", 1), ("x", "y", 2)}
    assert len(given.choice) == 4
    assert len(set(given.rater.tolist())) == 2
    assert not given.sides_known  # a file names one story first, whichever was shown so


def test_what_is_exported_as_preferences_comes_back_equal(database: str, tmp_path: Path) -> None:
    rating_imports.import_ratings(TERMINAL, "one", read_preferences(lines(tmp_path / "p.jsonl", ROWS)))
    _, rows = preference_rows(TERMINAL, studies.find("one").id)
    out = tmp_path / "out.jsonl"
    out.write_text(preference_files(rows)["preferences.jsonl"], encoding="utf-8")
    assert [row.comment for row in rows if row.comment] == ["<b>Five</b> is\nbetter."]
    rating_imports.import_ratings(TERMINAL, "two", read_preferences(out))
    assert [(row.choice, row.comment) for row in preference_rows(TERMINAL, studies.find("two").id)[1]] == [
        (row.choice, row.comment) for row in rows
    ]
    one, two = (preferences_of(studies.find(name).id) for name in ("one", "two"))
    for name in ("prompt", "first", "second", "choice"):
        assert getattr(one, name).tolist() == getattr(two, name).tolist()
    assert (one.systems, one.first_story, one.second_story) == (two.systems, two.first_story, two.second_story)
    assert (
        np.unique(one.rater, return_inverse=True)[1].tolist() == np.unique(two.rater, return_inverse=True)[1].tolist()
    )


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_study_of_pairs_comes_back_equal_and_goes_on(database: str, tmp_path: Path, kind: str) -> None:
    study = opened(wanted=2)
    work(make_annotator(study, "careful"), random.Random(1))
    holder = make_annotator(study, "holder")
    assert assignments.turn(holder, claim=True).panel is not None
    studies.close_study(TERMINAL, study.id)
    write_folder(exports.files(TERMINAL, study.id, kind), tmp_path / "out")
    again = rating_imports.import_ratings(TERMINAL, "again", read_export(tmp_path / "out"))
    write_folder(exports.files(TERMINAL, again.id, kind), tmp_path / "back")
    for table in ("stories", "panels", "ratings"):
        before, after = ((tmp_path / folder / f"{table}.{kind}").read_bytes() for folder in ("out", "back"))
        if kind != "parquet":
            assert after.replace(b"again", b"pairs") == before
    one, two = preferences_of(study.id), preferences_of(again.id)
    assert one.choice.tolist() == two.choice.tolist()
    assert one.first_story == two.first_story
    assert slots.progress(again.id).wanted == slots.progress(study.id).wanted
    studies.open_study(TERMINAL, again.id)
    assert studies.get(again.id).state is StudyState.OPEN
    before = slots.progress(again.id).left
    work(make_annotator(studies.get(again.id), "next"), random.Random(2))
    assert slots.progress(again.id).left < before


def test_stories_that_are_there_can_be_named(database: str, tmp_path: Path) -> None:
    stories = [StoryRecord(f"{p}{s}", p, f"{p}.", f"{s} in {p}.", system=s) for p in "pq" for s in "xy"]
    imports.import_corpora(TERMINAL, "pairs", [Corpus("", tuple(stories))], scheme="preferences")
    brought = read_preferences(lines(tmp_path / "p.jsonl", [{"a_id": "px", "b_id": "py", "winner": "b"}]))
    study = rating_imports.import_ratings(TERMINAL, "pairs", brought)
    assert preferences_of(study.id).choice.tolist() == [1]
    across = read_preferences(lines(tmp_path / "x.jsonl", [{"a_id": "px", "b_id": "qy", "winner": "b"}]))
    with pytest.raises(InputError, match="'px' and 'qy' are stories of two prompts"):
        rating_imports.import_ratings(TERMINAL, "pairs", across)
    nobody = read_preferences(lines(tmp_path / "n.jsonl", [{"a_id": "px", "b_id": "zz", "winner": "b"}]))
    with pytest.raises(InputError, match="there is no story 'zz'"):
        rating_imports.import_ratings(TERMINAL, "pairs", nobody)
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(rating)) == 1
        assert connection.scalar(select(func.count()).select_from(assignment)) == 1


def test_weaker_preferences_join_a_study_that_asks_for_stronger_ones(database: str, tmp_path: Path) -> None:
    def brought(name: str, prompt: str, strength: int) -> Restored:
        rows = [{**ROWS[0], "prompt": prompt, "strength": strength}]
        return read_preferences(lines(tmp_path / f"{name}.jsonl", rows))

    study = rating_imports.import_ratings(TERMINAL, "pairs", brought("far", "P.", 3))
    rating_imports.import_ratings(TERMINAL, "pairs", brought("much", "Q.", 2), brought("better", "R.", 1))
    assert sorted(preferences_of(study.id).choice.tolist()) == [-3, -2, -1]
    rating_imports.import_ratings(TERMINAL, "weak", brought("weak", "P.", 1))
    with pytest.raises(InputError, match="on a scale of -1 to 1, and these are on a scale of -2 to 2"):
        rating_imports.import_ratings(TERMINAL, "weak", brought("strong", "Q.", 2))


def test_a_study_of_another_scheme_takes_none(database: str, tmp_path: Path) -> None:
    studies.create(TERMINAL, "mans", "mans")
    with pytest.raises(InputError, match="of the scheme 'preferences'; import it into a study of its own"):
        rating_imports.import_ratings(TERMINAL, "mans", read_preferences(lines(tmp_path / "p.jsonl", ROWS)))


def rated(tmp_path: Path, given: dict[str, dict[str, Sequence[float]]]) -> Study:
    """A study of the ratings on a scale of 1 to 5 by prompt, system and rater."""
    ratings = [
        {"story_id": f"{p}{s}", "prompt": f"{p}.", "story": f"{s} in {p}.", "system": s, "overall": value}
        | {"rater": f"w{number}"}
        for p, by_system in given.items()
        for s, values in by_system.items()
        for number, value in enumerate(values)
    ]
    return rating_imports.import_ratings(TERMINAL, "rated", read_export(lines(tmp_path / "r.jsonl", ratings)))


@pytest.mark.both_databases
def test_mean_ratings_make_pairs(database: str, tmp_path: Path) -> None:
    study = rated(tmp_path, {"p": {"x": (5, 4), "y": (4, 5), "z": (1, 2, 2)}, "q": {"x": (2, 2), "y": (3, 3)}})
    _, rows = preference_rows(TERMINAL, study.id)
    assert {(row.a_id, row.b_id): (row.choice, row.means) for row in rows} == {
        ("px", "py"): (0, MeansCompared(0, 2, 2)),
        ("px", "pz"): (-1, MeansCompared(2.833333333, 2, 3)),
        ("py", "pz"): (-1, MeansCompared(2.833333333, 2, 3)),
        ("qx", "qy"): (1, MeansCompared(1, 2, 2)),
    }
    with pytest.raises(InputError, match="no criterion 'wit'"):
        preference_rows(TERMINAL, study.id, "wit")


def test_a_least_margin_keeps_the_pairs_that_are_as_far_apart(database: str, tmp_path: Path) -> None:
    draw = random.Random(7)
    given = {p: {s: [draw.randint(1, 5) for _ in range(draw.randint(1, 4))] for s in "vwxyz"} for p in "pqrst"}
    study = rated(tmp_path, given)
    _, every = preference_rows(TERMINAL, study.id)
    assert len(every) == 5 * 10
    differing = sum(row.choice != 0 for row in every)
    for margin in (0.1, 1 / 3, 0.1 + 0.2, 0.5, 1, 2.25, 4):
        _, rows = preference_rows(TERMINAL, study.id, margin=margin)
        assert all(row.choice and row.means and row.means.margin >= round(margin, 9) for row in rows)
        assert rows == [row for row in every if row.means and row.means.margin >= round(margin, 9)]
        assert pairs_kept(TERMINAL, study.id, "overall", margin) == PairsKept(len(rows), differing, 50 - differing)
    assert pairs_kept(TERMINAL, study.id, "overall", 0).kept == differing < 50


@pytest.mark.parametrize("write", [preference_files, optimisation_files])
def test_pairs_made_from_means_come_back_as_the_same_preferences(
    database: str, tmp_path: Path, write: Callable[[Sequence[PreferenceRow]], dict[str, str]]
) -> None:
    study = rated(tmp_path, {"p": {"x": (5, 4), "y": (3, 4), "z": (1, 2)}, "q": {"x": (2, 2), "y": (3, 3)}})
    _, rows = preference_rows(TERMINAL, study.id, margin=1)
    (text,) = write(rows).values()
    out = tmp_path / "out.jsonl"
    out.write_text(text, encoding="utf-8")
    rating_imports.import_ratings(TERMINAL, "again", read_preferences(out))
    _, again = preference_rows(TERMINAL, studies.find("again").id)

    def better(several: Sequence[PreferenceRow]) -> set[tuple[str, str]]:
        return {(row.a_id, row.b_id) if row.choice < 0 else (row.b_id, row.a_id) for row in several}

    assert better(again) == better(rows) == {("px", "py"), ("px", "pz"), ("py", "pz"), ("qy", "qx")}
    assert {(abs(row.choice), row.means) for row in again} == {(1, None)}


@pytest.mark.parametrize("margin", [-0.5, 4.5, float("nan"), float("inf")])
def test_a_margin_that_no_pair_can_have(database: str, tmp_path: Path, margin: float) -> None:
    study = rated(tmp_path, {"p": {"x": (5, 4), "y": (4, 5)}})
    for made in (partial(preference_rows, margin=margin), partial(pairs_kept, target="overall", margin=margin)):
        with pytest.raises(InputError, match="A least margin is from 0 to 4 points, the width of the scale, not"):
            made(TERMINAL, study.id)


def test_compared_pairs_have_no_margin(database: str, tmp_path: Path) -> None:
    study = rating_imports.import_ratings(TERMINAL, "pairs", read_preferences(lines(tmp_path / "p.jsonl", ROWS)))
    with pytest.raises(InputError, match="People compared pairs in this study"):
        preference_rows(TERMINAL, study.id, margin=1)
