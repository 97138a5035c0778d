"""The demonstration study, loaded from the files that the project brings."""

import json

import numpy as np
from sqlalchemy import select

from core.annotation.studies import Study
from core.errors import InputError
from core.formats.tables import read_stories
from core.home import ROOT
from core.metrics.base import Scores
from core.people import TERMINAL, Person
from core.stories import Corpus, RatingRecord
from core.text_files import read_lines
from db.engine import writing
from db.schema import story
from db.scores import scores
from db.studies import studies
from db.transfer import imports

FOLDER = ROOT / "data" / "demonstration"
SCORES = FOLDER / "scores.json"
"""Of the systems' stories, by `scripts/demonstration/scores.py`."""
NAME = "Demonstration"


def demonstration() -> Corpus:
    """Stories and made-up ratings of the demonstration study."""
    stories = read_stories(FOLDER / "stories.jsonl")
    ratings = [json.loads(line) for line in read_lines(FOLDER / "ratings.jsonl")]
    return Corpus(
        "mans",
        stories.stories,
        tuple(
            RatingRecord(r["story"], r["rater"], float(r["overall"]), tuple(r["deductions"].items())) for r in ratings
        ),
        raters_identified=True,
    )


def load_demonstration(by: Person) -> Study:
    """Make the demonstration study, scored, and open it; raises InputError if it is there already."""
    if any(summary.study.name == NAME for summary in studies.summaries(TERMINAL)):
        raise InputError(f"There is already a study named {NAME!r}.")
    return complete(by, imports.import_corpora(by, NAME, [demonstration()], demonstration=True).id)


def complete(by: Person, study_id: int) -> Study:
    """Score and open a demonstration study that has been imported, and perhaps no more than that."""
    _keep_scores(study_id)
    studies.open_study(by, study_id)
    return studies.get(study_id)


def _keep_scores(study_id: int) -> None:
    """Keep what the metrics gave these texts, under the signatures of the runs: a run finds them done."""
    with writing() as connection:
        query = select(story.c.key, story.c.content_hash).where(story.c.study_id == study_id)
        hashes = {row.key: row.content_hash for row in connection.execute(query)}
        for column in json.loads(SCORES.read_text(encoding="utf-8")):
            number = scores.begin_in(connection, study_id, column["metric"], column["signature"])
            values = np.array(list(column["values"].values()), dtype=np.float64)
            scores.keep(connection, number, [hashes[key] for key in column["values"]], Scores(values, {}))
