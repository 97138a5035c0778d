"""The demonstration study, loaded from the files that the project brings."""

import json
from dataclasses import replace

import numpy as np
from sqlalchemy import select

from core.annotation.studies import Study
from core.errors import InputError
from core.formats.tables import read_stories
from core.home import ROOT
from core.judges.asking import Reply, Request
from core.metrics.base import Scores
from core.metrics.judging.asked import Asked, asked_of
from core.people import TERMINAL, Person
from core.stories import Corpus, RatingRecord, Source, Story
from core.text_files import read_lines
from db.engine import reading, writing
from db.judges import replies
from db.judges.judged import judged_study
from db.schema import prompt, story
from db.scores import scores
from db.studies import studies
from db.transfer import imports

FOLDER = ROOT / "data" / "demonstration"
NEGATIVES = FOLDER / "negatives.jsonl"
"""The damaged stories that opening the study would make, by `scripts/demonstration/negatives.py`: reading WordNet for
them would take most of the time that loading takes.
"""
SCORES = FOLDER / "scores.json"
"""Of the systems' stories, by `scripts/demonstration/scores.py`."""
REPLIES = FOLDER / "replies.json"
"""What the judge among them replied about each story, by the same script."""
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
    corpus = demonstration()
    corpus = replace(corpus, stories=(*corpus.stories, *read_stories(NEGATIVES).stories))
    return complete(by, imports.import_corpora(by, NAME, [corpus], demonstration=True).id)


def complete(by: Person, study_id: int) -> Study:
    """Score and open a demonstration study that has been imported, and perhaps no more than that."""
    _keep_scores(study_id)
    _keep_replies(study_id)
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


def _keep_replies(study_id: int) -> None:
    """Keep what the judge said of these texts, as its run would have."""
    for signature, said in json.loads(REPLIES.read_text(encoding="utf-8")).items():
        model, requests = judge_requests(study_id, signature)
        answered = [(request, Reply(request.key, **said[key])) for key, request in requests.items()]
        replies.keep_replies(model, answered)


def judge_requests(study_id: int, signature: str) -> tuple[str, dict[str, Request]]:
    """The judge's model, and by each system's story's key what the judge with this `signature` is asked about it."""
    asked = asked_of(signature, judged_study(study_id))
    if not isinstance(asked, Asked):
        raise InputError(f"The demonstration's judge cannot be asked: {asked}.")
    query = (
        select(story.c.key, story.c.text, prompt.c.text.label("prompt"))
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id, story.c.source == Source.SYSTEM)
    )
    with reading() as connection:
        rows = connection.execute(query).all()
    return asked.model, {row.key: asked.question.request(asked.model, Story(row.text, row.prompt)) for row in rows}
