"""A study whose human and systems' stories have an Fp by two discriminators, as if models had read them."""

from collections.abc import Sequence

import numpy as np

from core.annotation.studies import Study
from core.metrics.base import Scores
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, Source, Story, StoryRecord
from db.scores import scores
from db.transfer import imports

SMALL, LARGE = "small@1", "large@1"


def signature(model: str, first: str = "all") -> str:
    """What such a score is stored under."""
    return f"fp|model:{model}|dtype:float32|first:{first}|of:story-alone|v:1"


def natural_study(
    prompts: int = 20,
    systems: Sequence[str] = ("little", "big"),
    *,
    name: str = "natural",
    scheme: str = "likeliness",
    models: Sequence[str] = (SMALL, LARGE),
    rated: bool = True,
    human: bool = True,
    agreeing: bool = True,
) -> Study:
    """Fp rises from people over the first system to the last, more so by the larger model; ratings follow it.

    Two human stories have no Fp of the first 50 tokens. `agreeing`: all raters take people's stories for people's; else
    every rating is drawn by itself.
    """
    rng = np.random.default_rng(0)
    writers = [*([""] if human else []), *systems]
    records, ratings = [], []
    fp: dict[str, list[float]] = {}
    for p in range(prompts):
        for place, system in enumerate(writers):
            key = f"{p}-{system or 'person'}"
            source = Source.SYSTEM if system else Source.HUMAN
            text = f"Story {p} that {system or 'somebody'} told, of a fox and the {p}th hen of the yard."
            records.append(StoryRecord(key, str(p), f"Opening {p}.", text, source, system))
            level = place + (0 if human else 1)
            fp[key] = [0.3 + 0.05 * level * (1 + number) + rng.normal(0, 0.03) for number in range(len(models))]
            if rated:
                ratings += [
                    RatingRecord(key, f"rater {i}", float(1 if agreeing and not level else rng.integers(-1, 2)))
                    for i in (0, 1)
                ]
    study = imports.import_corpora(TERMINAL, name, [Corpus(scheme, tuple(records), tuple(ratings))], scheme=scheme)
    gold = {record.prompt_key: (record.text,) for record in records if record.source is Source.HUMAN}
    hashes = [Story(record.text, record.prompt, gold.get(record.prompt_key, ())).content_hash for record in records]
    for number, model in enumerate(models):
        values = -np.array([fp[record.key][number] for record in records])
        for first in ("all", "50"):
            kept = values.copy()
            reasons = {}
            if first == "50" and human:
                reasons = dict.fromkeys((0, len(writers)), "the story has fewer than 50 tokens")
                kept[list(reasons)] = np.nan
            text = signature(model, first)
            scores.store(study.id, scores.begin_run(study.id, "fp", text), hashes, Scores(kept, reasons))
    return study
