"""The demonstration study, loaded from the files that the project brings."""

import json

from core.annotation.studies import Study
from core.errors import InputError
from core.formats.tables import read_stories
from core.home import ROOT
from core.people import TERMINAL, Person
from core.stories import Corpus, RatingRecord
from core.text_files import read_lines
from db.studies import studies
from db.transfer import imports

FOLDER = ROOT / "data" / "demonstration"
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
        raters_identified=False,
    )


def load_demonstration(by: Person) -> Study:
    """Make the demonstration study and open it; raises InputError if it is there already."""
    if any(summary.study.name == NAME for summary in studies.summaries(TERMINAL)):
        raise InputError(f"There is already a study named {NAME!r}.")
    study = imports.import_corpora(by, NAME, [demonstration()], demonstration=True)
    studies.open_study(by, study.id)
    return studies.get(study.id)
