"""The judges among a study's metrics: imported ones, and those that were asked here or on a server."""

import numpy as np

from core.analysis.judges.columns import judges_of
from core.judges.backends.endpoint import Endpoint
from core.judges.study import JudgedStudy
from core.metrics import build
from core.metrics.base import Settings
from core.metrics.naming import place_of, unique_names
from core.scores import IMPORTED, ScoreColumn


def test_imported_judges_and_those_on_a_server_stand_side_by_side() -> None:
    """Whatever the model is called, each is one judge of its criteria, under a name that finds it."""
    at = Endpoint("http://localhost:11434/v1", "llama3:8b")
    file = f"{IMPORTED}1a2b"
    pairs = [(f"llama3:8b{variant}:{name}", file) for variant in ("", "/2") for name in ("coherence", "overall")]
    for name in ("coherence", "overall"):
        pairs += [(f"judge:{name}", build(f"judge:{name}", Settings(endpoint=where, judged=JudgedStudy())).signature)
                  for where in (None, at)]  # fmt: skip
    columns = [ScoreColumn(metric, signature, np.zeros(1), {}) for metric, signature in pairs]
    judges = judges_of(columns, ["coherence", "overall"])
    assert [judge.name for judge in judges] == ["llama3:8b", "llama3:8b/2", "judge", "judge[llama3:8b]"]
    assert [judge.judge for judge in judges] == ["llama3:8b", "llama3:8b", "smollm2-135m-instruct", "llama3:8b"]
    assert judges[3].metrics == ("judge:coherence[llama3:8b]", "judge:overall[llama3:8b]")
    assert [place_of(name, pairs) for name in unique_names(pairs)] == list(range(len(pairs)))


def test_a_name_that_holds_its_criterion() -> None:
    column = ScoreColumn("m:coherence-tuned:coherence", IMPORTED, np.zeros(1), {})
    assert [judge.name for judge in judges_of([column], ["coherence"])] == ["m:coherence-tuned:coherence"]
    both = [column, ScoreColumn("m:coherence-tuned:overall", IMPORTED, np.zeros(1), {})]
    assert [judge.name for judge in judges_of(both, ["coherence"])] == ["m:coherence-tuned"]


def test_models_are_no_wordings_of_one_judge() -> None:
    """What is asked in other words is the same judge; another model is another one."""
    at = Endpoint("http://localhost:11434/v1", "org/llama3:8b")
    settings = [Settings(), Settings(endpoint=at), Settings(endpoint=at, options={"way": "criteria"})]
    columns = [ScoreColumn("judge:overall", build("judge:overall", one).signature, np.zeros(1), {}) for one in settings]
    judges = judges_of(columns, ["overall"])
    assert [judge.judge for judge in judges] == ["smollm2-135m-instruct", "org/llama3:8b", "org/llama3:8b"]
    assert len({judge.name for judge in judges}) == 3
