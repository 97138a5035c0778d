"""A study with judges in wordings of its own: their scores, as if they had been asked."""

import numpy as np

from core.annotation.studies import Study
from core.annotation.target import Target
from core.judges.halves import Half
from core.judges.template import Template, Way
from core.metrics import build
from core.metrics.base import Scores, Settings
from core.people import TERMINAL
from core.stories import Story
from db.judges import templates
from db.judges.judged import judged_study
from db.scores import scores, tables

CRITERION = "coherence"


def save_wording(study: Study, words: str, name: str = "mine") -> Template:
    """A version of a template that asks in these words."""
    return templates.save(TERMINAL, study.id, Template(name, Way.POINTS, words, "{opening} {story} How good?"))


def ask(study: Study, title: str, noise: float, half: Half | None = None, criterion: str = CRITERION) -> str:
    """People's mean with noise as the scores of the judge by this template; returns its signature."""
    settings = Settings(options={"template": title}, judged=judged_study(study.id))
    metric = build(f"judge:{criterion}", settings)
    table = tables.table(study.id, target=Target((criterion,)))
    stories = zip(table.texts, table.prompts, table.human, strict=True)
    mean = {Story(text, f"Opening {prompt}.").content_hash: value for text, prompt, value in stories}
    number = scores.begin_run(study.id, metric.name, metric.signature)
    page, _ = scores.pending(study.id, [number], -1, 1000, half=half)
    rng = np.random.default_rng(len(title))
    values = np.array([mean[item.content_hash] for item in page]) + rng.normal(0, noise, len(page))
    scores.store(study.id, number, [item.content_hash for item in page], Scores(np.clip(values, 1, 5), {}))
    return metric.signature
