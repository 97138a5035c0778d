"""Which metrics count as a study's: those with scores of its stories, and none that was only begun."""

import pytest

from core.metrics import build
from core.metrics.base import Scores
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.engine import reading
from db.schema import story
from db.scores import scores
from db.studies import lifecycle, studies
from db.studies.scored import scored_metrics
from tests.db.conftest import make_study


@pytest.mark.both_databases
def test_a_metric_counts_with_its_first_score(database: str) -> None:
    study = make_study("s", prompts=3)
    values = dict.fromkeys(scores.story_keys(study.id), 1.0)
    scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:1", values))
    metric = build("words")
    begun = scores.begin_run(study.id, metric.name, metric.signature)
    judge = scores.begin_run(study.id, "judge:coherence", "judge:coherence|v:1")
    assert scored_metrics(study.id) == {"m"}
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.metrics, summary.judges) == (1, 0)
    with reading() as connection:
        (text, *_) = connection.scalars(story.select().with_only_columns(story.c.content_hash)).all()
    for signature in (begun, judge):
        scores.store(study.id, signature, [text], Scores.collect([3.0]))
    assert scored_metrics(study.id) == {"m", "words", "judge:coherence"}
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.metrics, summary.judges) == (3, 1)
    assert scored_metrics(lifecycle.clone(TERMINAL, study.id, "t").id) == set()
