"""A study in which two people marked passages, and a judge that was asked for errors quoted some."""

import json
import re

from core.annotation.studies import Study
from core.judges.asking import Request
from core.judges.judge import judge
from core.metrics.base import Scores, Settings
from core.metrics.judging.judge import Judge
from core.metrics.judging.names import judge_of
from db.annotation import panel_submission
from db.judges.judged import judged_study
from db.ratings import ratings
from db.scores import scores
from tests.core.judges.scripted import ScriptedBackend
from tests.db.annotation.assignments import begin, rate, sources
from tests.db.conftest import make_annotator, make_study

ERROR = "chaotic scenes"
_TOLD = re.compile(r"<story>\n(The \w+ went)")


def quoting_study(name: str = "small", prompts: int = 3) -> Study:
    """Two people mark the first eight and the first twelve characters of every story, and find one of a prompt worse;
    the judge quotes a system's from its fifth on, up to `went`, and a horse that is in none.
    """
    study = make_study(name, prompts, wanted=2)
    for person, end in (("first", 8), ("second", 12)):
        annotator = make_annotator(study, person)
        for _ in range(prompts):
            panel = begin(annotator)
            rate(annotator, panel)
            for shown in panel.stories:
                ratings.mark(annotator, shown.token, ERROR, (0, end))
            where = sources(panel)
            worse = next(shown.token for shown in panel.stories if where[shown.token] == "system")
            ratings.save_value(annotator, worse, 2)
            panel_submission.submit(annotator, panel.token)
    judged = judged_study(study.id)
    metric = judge_of("judge:overall")
    assert metric is not None
    assert issubclass(metric, Judge)
    made = metric(Settings(options={"way": "deductions"}, judged=judged))
    signature_id = scores.begin_run(study.id, made.name, made.signature)
    waiting, _ = scores.pending(study.id, [signature_id], -1, 1_000)
    stories = [one.story for one in waiting]
    model = f"{made.source.at_revision} float32"
    given = Scores.collect(judge(made.question, ScriptedBackend(_quoting), model, judged.replies, stories))
    scores.store(study.id, signature_id, [one.content_hash for one in waiting], given)
    return study


def _quoting(request: Request) -> str:
    told = _TOLD.search(request.messages[1].text)
    assert told is not None
    error, points = (ERROR, 2) if told[1] == "The one went" else ("repetitive plots", 1)
    errors = [{"type": error, "points": points, "quote": quote} for quote in (told[1][4:], "a horse")]
    return json.dumps({"errors": errors})
