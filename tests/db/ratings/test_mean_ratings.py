"""Ratings that come as means of several raters: what follows from means is the same as from single ratings, and what
does not is said to be unknown.
"""

import csv
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from core.analysis.correlation.limits import limits
from core.analysis.correlation.sample_size import extrapolation
from core.analysis.judgments.judgments import Judgments, summarise
from core.analysis.judgments.reliability import ONLY_MEANS, reliability
from core.annotation.studies import Study
from core.errors import InputError
from core.formats.exports.package import write_folder
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from core.statistics.correlation import correlate
from db.engine import reading
from db.migrate import migrate
from db.ratings import ratings
from db.scores import tables
from db.studies import studies
from db.training import rated_stories
from db.transfer import exports, rating_imports

RATERS = 5


def single() -> list[dict[str, object]]:
    """Five ratings of each of 36 stories of twelve prompts, half a step apart at most within systems."""
    rng = np.random.default_rng(3)
    return [
        {
            "story_id": f"{prompt}-{system}",
            "prompt": f"Opening {prompt}.",
            "story": f"Story {prompt} of {system}. " + "It went on. " * (prompt % 4 + place),
            "system": system,
            "overall": int(np.clip(2 + place + rng.integers(-1, 2), 1, 5)),
        }
        for prompt in range(12)
        for place, system in enumerate(("one", "two", "three"))
        for _ in range(RATERS)
    ]


def means() -> list[dict[str, object]]:
    """The same as a table of means."""
    result: dict[object, list[dict[str, object]]] = {}
    for row in single():
        result.setdefault(row["story_id"], []).append(row)
    return [
        {**rows[0], "overall": sum(float(str(row["overall"])) for row in rows) / RATERS, "raters": RATERS}
        for rows in result.values()
    ]


def brought(folder: Path, name: str, rows: list[dict[str, object]]) -> Study:
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return rating_imports.import_ratings(TERMINAL, name, read_export(path))


def judgments(study: Study) -> Judgments:
    return summarise(
        ratings.judged_stories(study.id),
        study.scheme,
        annotators=ratings.annotators(study.id),
        raters_identified=study.raters_identified,
    )


def test_what_follows_from_means_is_the_same(database: str, tmp_path: Path) -> None:
    item, other = brought(tmp_path, "single", single()), brought(tmp_path, "means", means())
    tables_of = tables.table(item.id), tables.table(other.id)
    np.testing.assert_allclose(tables_of[0].human, tables_of[1].human)
    assert tables_of[0].given == tables_of[1].given == 36 * RATERS
    length = [float(len(story)) for story in tables_of[0].texts]
    prompts = np.array(tables_of[0].prompts)
    by = [correlate(length, table.human, prompts).pearson for table in tables_of]
    assert by[0].value == pytest.approx(by[1].value)
    assert (by[0].low, by[0].high) == (pytest.approx(by[1].low), pytest.approx(by[1].high))
    result = judgments(item), judgments(other)
    assert result[0].mean == pytest.approx(result[1].mean)
    assert result[0].ratings == result[1].ratings == 36 * RATERS
    for system, summary in result[0].by_system.items():
        assert summary.mean == pytest.approx(result[1].by_system[system].mean)
    texts = [rated_stories.judged_texts(TERMINAL, study.id) for study in (item, other)]
    np.testing.assert_allclose(*[[story.judgment for story in stories] for stories in texts])
    counted = {summary.study.name: summary.ratings for summary in studies.summaries(TERMINAL)}
    assert counted == {"single": 36 * RATERS, "means": 36 * RATERS}


def test_what_rests_on_single_ratings_is_unknown_and_said(database: str, tmp_path: Path) -> None:
    study = brought(tmp_path, "means", means())
    table = tables.table(study.id)
    result = judgments(study)
    assert result.agreement["valid"].reliability.caution == reliability(table).caution == limits(table).caution
    caution = str(reliability(table).caution)
    assert caution.startswith("The ratings of 36 stories are means of several raters, 5 a story. Means hide")
    assert (result.one_rater, result.ceiling, result.reading) == (None, None, None)
    assert (limits(table).one_rater, limits(table).ceiling) == (None, None)
    valid = result.agreement["valid"]
    for estimate in (*valid.alpha.values(), valid.fleiss_kappa, valid.icc, valid.kendall_w, reliability(table).alpha):
        assert (estimate.value, estimate.undefined) == (None, ONLY_MEANS)
    assert {count for row in result.distribution.counts.values() for count in row} == {0}
    assert not reliability(table).disagree
    length = [float(len(story)) for story in table.texts]
    again = extrapolation(length, table.human, table.prompts, averaged=table.behind)
    assert (again.ratings, again.by_ratings) == (RATERS, ())
    assert str(again.no_ratings).startswith("judgments are means of several raters")
    assert [step.size for step in again.by_stories][-1] == 36 * 4


@pytest.mark.both_databases
def test_means_weigh_as_many_ratings_beside_single_ones(database: str, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"story_id": "a", "story": "One.", "overall": 4, "raters": 5},
        {"story_id": "a", "story": "One.", "overall": 2, "raters": 1},
        {"story_id": "b", "story": "Two.", "overall": 3, "raters": 1},
        {"story_id": "b", "story": "Two.", "overall": 2, "raters": 1},
    ]
    with pytest.raises(
        InputError, match="this is a single rating, and line 2 is a mean; give ratings and means a file"
    ):
        brought(tmp_path, "mixed", rows)
    brought(tmp_path, "mixed", rows[:1])
    study = brought(tmp_path, "mixed", rows[1:])
    assert tables.table(study.id).human.tolist() == [22 / 6, 2.5]
    assert [story.mean for story in ratings.judged_stories(study.id)] == [22 / 6, 2.5]
    assert [story.judgment for story in rated_stories.judged_texts(TERMINAL, study.id)] == [22 / 6, 2.5]
    valid = judgments(study).agreement["valid"]
    assert (valid.ratings, valid.paired, valid.averaged.stories, valid.averaged.raters) == (3, 1, 1, 5)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_means_go_out_and_come_back(database: str, tmp_path: Path, kind: str) -> None:
    study = brought(tmp_path, "means", means())
    write_folder(exports.files(TERMINAL, study.id, kind), tmp_path / "out")
    again = rating_imports.import_ratings(TERMINAL, "copy", read_export(tmp_path / "out"))
    assert ratings.judged_stories(again.id) == [
        *(judged_story for judged_story in ratings.judged_stories(again.id) if judged_story.behind == RATERS)
    ]
    np.testing.assert_array_equal(tables.table(again.id).human, tables.table(study.id).human)
    for other in ("mans", "union"):
        with pytest.raises(InputError, match="means of several raters, and the formats of MANS and UNION hold single"):
            list(exports.files(TERMINAL, study.id, other))


def test_an_export_from_before_there_were_means(database: str, tmp_path: Path) -> None:
    study = brought(tmp_path, "single", single())
    folder = tmp_path / "out"
    write_folder(exports.files(TERMINAL, study.id, "jsonl"), folder)
    path, manifest = folder / "ratings.jsonl", folder / "manifest.json"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("".join(json.dumps({k: v for k, v in row.items() if k != "raters"}) + "\n" for row in rows))
    message = json.loads(manifest.read_text(encoding="utf-8"))
    changed = {"bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    message["files"]["ratings.jsonl"] |= changed
    manifest.write_text(json.dumps(message))
    assert rating_imports.import_ratings(TERMINAL, "copy", read_export(folder)).name == "copy"
    assert {summary.ratings for summary in studies.summaries(TERMINAL)} == {36 * RATERS}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"raters": ""}, "line 2, column 'raters': there is no number of raters."),
        ({"raters": 0}, "line 2, column 'raters': a rating is of 1 to 1,000,000 raters, not 0."),
        ({"raters": 2.5}, "line 2, column 'raters': '2.5' is not a whole number."),
        ({"annotator": "Ann"}, "line 2, column 'annotator': a mean of 5 raters is of no single annotator;"),
        ({"deductions": '{"chaotic scenes": 2}'}, "line 2, column 'raters': a mean of 5 raters has no deductions"),
        ({"scheme": "likeliness"}, "line 2, column 'raters': the Human likeliness scheme counts answers, which a mean"),
    ],
)
def test_means_that_cannot_be(database: str, tmp_path: Path, change: dict[str, object], words: str) -> None:
    row: dict[str, object] = {"story_id": "a", "story": "One.", "overall": 1, "raters": 5}
    with pytest.raises(InputError) as caught:
        brought(tmp_path, "no", [{**row, **change}])
    assert words in str(caught.value)


def test_on_the_way_down_a_mean_is_one_rating(database: str, tmp_path: Path) -> None:
    brought(tmp_path, "means", means())
    migrate("0009")
    with reading() as connection:
        assert len(connection.execute(text("SELECT overall FROM rating")).all()) == 36
