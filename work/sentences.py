"""Scores a story's sentences one by one, for its drawer: which of them pull the metric `acceptability` down."""

from typing import Any

from core.errors import InputError
from core.jobs import Job
from core.models.acceptability.probability import acceptability
from core.stories import sentences
from db.studies import story_list
from work.watch import ProgressWriter, Watch


def score_sentences(job: Job, watch: Watch) -> dict[str, Any]:
    """P(acceptable) of each sentence of the job's story, in their order.

    Raises Cancelled when somebody stops it, and FabulaError where the story or the model cannot be read.
    """
    text = story_list.text_of(job.settings["story"])
    parts = [text[start:end] for start, end in sentences(text)]
    if not parts:
        raise InputError("The story is empty.")
    ProgressWriter(job.id, 0, watch).say(lambda: "Scoring its sentences", now=True)
    return {"acceptable": acceptability(parts).tolist(), "notices": []}
