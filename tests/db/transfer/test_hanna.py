"""HANNA as it is published: every one of its 2,592 correlations, from one import."""

import csv
import json
from pathlib import Path

import pytest

from core.analysis.correlation.subsets import within_prompts
from core.analysis.preferences.ranking import rank
from core.analysis.preferences.remarks import groups_sentence
from core.analysis.systems.ranking import correlate_means
from core.annotation.builtin import HANNA
from core.annotation.studies import Study
from core.annotation.target import Target
from core.formats.corpora.judges import read_judges
from core.formats.exports.preferences import preference_files, read_preferences
from core.formats.exports.reading import read_export
from core.formats.scores import MetricColumn, numeric_columns, read_score_table, read_scores
from core.judges.naming import judge_column
from core.people import TERMINAL
from core.statistics.correlation import NAMES
from core.stories import Source
from db.ratings import ratings
from db.ratings.preferences import preferences_of
from db.scores import scores, tables
from db.studies import studies
from db.transfer import rating_imports
from db.transfer.preference_rows import preference_rows


@pytest.fixture
def hanna(database: str, shared: Path) -> tuple[Study, Path]:
    """The study as `import ratings` makes it, and the folder of its data."""
    folder = shared / "hanna"
    return rating_imports.import_ratings(TERMINAL, "HANNA", read_export(folder / "hanna.jsonl")), folder


@pytest.mark.slow
def test_every_published_correlation(hanna: tuple[Study, Path]) -> None:
    study, folder = hanna
    assert study.scheme == HANNA
    file = folder / "metric_scores.csv"
    wanted = [MetricColumn(column, column) for column in numeric_columns(read_score_table(file))]
    assert len(wanted) == 72
    scores.import_scores(TERMINAL, study.id, *read_scores(file, wanted, scores.story_keys(study.id)).records)
    found = {}
    for criterion in HANNA.names:
        table = tables.table(study.id, target=Target((criterion,)))
        for level, rows in (
            ("story", within_prompts(table, resamples=0)),
            ("system", correlate_means(table, resamples=0)),
        ):
            for row in rows:
                for name in NAMES:
                    found[row.metric, level, name, criterion] = getattr(row.correlation, name).value
    agree = 0
    with (folder / "golden.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            for criterion in HANNA.names:
                ours = found[row["metric"], row["level"], row["coefficient"], criterion]
                agree += abs(abs(ours) - abs(float(row[criterion]))) < 1e-6
    assert agree == len(found) == 2_592


@pytest.mark.slow
def test_every_correlation_of_the_judges(hanna: tuple[Study, Path]) -> None:
    """Five judges under four prompts, straight from the authors' file."""
    study, folder = hanna
    keys, every = (scores.story_keys(study.id, of) for of in ((Source.SYSTEM,), tuple(Source)))
    brought = read_judges(folder / "judge_ratings.csv", study.scheme, keys, others=every)
    assert (len(brought.judges), brought.criteria, len(brought.records)) == (20, HANNA.names, 120)
    assert (brought.left_out, brought.off_scale) == (20 * 96, 1_002)
    scores.import_scores(TERMINAL, study.id, *brought.records)
    found = {}
    for criterion in HANNA.names:
        mine = [record.metric for record in brought.records if record.metric.endswith(f":{criterion}")]
        table = tables.table(study.id, mine, target=Target((criterion,)))
        rows = {"story": within_prompts(table, resamples=0), "system": correlate_means(table, resamples=0, soft=False)}
        for level, of in rows.items():
            for row in of:
                column = judge_column(row.metric)
                assert column is not None
                for name in NAMES:
                    value = getattr(row.correlation, name).value
                    found[column.judge, column.variant, level, name, criterion] = value
    with (folder / "judge_golden.csv").open(encoding="utf-8") as stream:
        golden = {
            (row["judge"], row["prompt_variant"], row["level"], row["coefficient"], criterion): float(row[criterion])
            for row in csv.DictReader(stream)
            for criterion in HANNA.names
        }
    assert found == pytest.approx(golden, abs=1e-6)
    assert len(golden) == 720


@pytest.mark.slow
def test_the_csv_of_the_authors_is_the_same_study(hanna: tuple[Study, Path], tmp_path: Path) -> None:
    """Three rows a story, one a worker, with the human story of the prompt beside each."""
    study, folder = hanna
    stories = [json.loads(line) for line in (folder / "hanna.jsonl").read_text("utf-8").splitlines()]
    human = {story["prompt_id"]: story["story"] for story in stories if story["system"] == "Human"}
    path = tmp_path / "hanna_stories_annotations.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        criteria = [name.capitalize() for name in HANNA.names]
        after = ["Worker ID", "Assignment ID", "Work time in seconds", "Name"]
        writer.writerow(["Story ID", "Prompt", "Human", "Story", "Model", *criteria, *after])
        for story in stories:
            for number, given in enumerate(story["ratings"]):
                values = [given[name] for name in HANNA.names]
                about = [story["story_id"], story["prompt"], human[story["prompt_id"]], story["story"], story["system"]]
                writer.writerow([*about, *values, f"W{number}", f"A{story['story_id']}-{number}", 60, "x"])
    again = rating_imports.import_ratings(TERMINAL, "theirs", read_export(path))
    assert (again.scheme, again.raters_identified) == (HANNA, True)
    counts = {summary.study.name: summary for summary in studies.summaries(TERMINAL)}
    assert [
        (summary.prompts, summary.stories, summary.references, summary.ratings)
        for summary in (counts["HANNA"], counts["theirs"])
    ] == [(96, 960, 96, 3_168)] * 2
    for name in HANNA.names:
        target = Target((name,))
        assert (
            tables.table(study.id, target=target).human.tolist() == tables.table(again.id, target=target).human.tolist()
        )
    assert ratings.annotators(again.id) == 3


@pytest.mark.slow
def test_preferences_by_its_mean_ratings(hanna: tuple[Study, Path], tmp_path: Path) -> None:
    study, _ = hanna
    _, rows = preference_rows(TERMINAL, study.id, "coherence")
    file = tmp_path / "coherence.jsonl"
    file.write_text(preference_files(rows)["preferences.jsonl"], encoding="utf-8")
    again = rating_imports.import_ratings(TERMINAL, "Coherence", read_preferences(file))
    given = preferences_of(again.id)
    assert given.judgments == 5_280
    assert groups_sentence(rank(given, resamples=20)).startswith(
        "Groups, the strongest first: human; GPT-2, GPT-2 (tag)"
    )
