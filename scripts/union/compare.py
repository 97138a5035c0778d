"""What one of the paper's ways is worth to UNION: the same stories and seeds, Fabula's way beside the paper's.

    python scripts/union/compare.py FOLDER [--what mix|normalisation] [--stories 3000] [--seed 8 --seed 9] [--cloze N]

FOLDER as for `build.py`; the recipe is that of the shipped `union-roc`, but for the mix of negatives or how stories are
written (names as placeholders or the other way round). Every checkpoint meets the held-out pairs of both, Story Cloze,
and what people have judged, each text written as it learnt them. A difference (paper less fabula) is the mean over the
seeds, with the 95 % interval of the bootstrap over stories. The outcome stands in docs/papers.md.
"""

import csv
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from core.arrays import Floats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.kinds import Tuning
from core.english.knowledge import shared_wordnet
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.home import home
from core.metrics.trained.odds import probability
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, locate
from core.perturb.negatives.sampler import Sampler
from core.stories import Corpus, whole_story
from core.training.engine.hidden_states import read_all
from core.training.engine.recipe import Way
from core.training.union.pairs import make_pairs
from core.training.union.settings import USUAL, USUAL_MIX, USUAL_NORMALISATION, UnionSettings
from core.training.union.train import train_union
from scripts.compared import Value, first_against_rest, line, on_top, rated, with_people
from scripts.union.build import CHECKPOINTS, LAYERS, corpora

PRECISION = "bfloat16"


class What(StrEnum):
    """What differs."""

    MIX = "mix"
    NORMALISATION = "normalisation"


def plan_of(what: What, way: Way, seed: int) -> UnionSettings:
    """The shipped recipe, with one thing done in this way."""
    plan = UnionSettings(
        layers=LAYERS,
        reconstruction=CHECKPOINTS["union-roc"][1],
        precision=PRECISION,
        loop=replace(USUAL[Tuning.FROZEN], seed=seed, evaluate_every=200),
    )
    if what is What.MIX:
        return replace(plan, mix=USUAL_MIX[way])
    return replace(plan, normalisation=USUAL_NORMALISATION[way])


def endings(folder: Path, most: int | None) -> list[str]:
    """The first stories of Story Cloze: each with its right ending, then with the wrong one."""
    texts = []
    with (folder / "cloze" / "cloze_val_spring2016.tsv").open(encoding="utf-8", newline="") as file:
        for row in islice(csv.DictReader(file, delimiter="\t"), most):
            begin = " ".join(row[f"InputSentence{i}"] for i in range(1, 5))
            right = int(row["AnswerRightEnding"])
            texts += [f"{begin} {row[f'RandomFifthSentenceQuiz{i}']}" for i in (right, 3 - right)]
    return texts


def judged(corpus: Corpus) -> tuple[list[str], Floats]:
    """The systems' stories with their prompts, and the mean of each one's ratings."""
    asked, means = rated(corpus)
    return [whole_story(record.prompt, record.text) for record in asked], means


def pairs_held_out(stories: list[str], plans: Mapping[Way, UnionSettings]) -> dict[Way, list[str]]:
    """Of each way, human and negative in turn, of the stories that are held out under both."""
    result: dict[Way, dict[str, tuple[str, str]]] = {}
    for way, plan in plans.items():
        written = {plan.prepared(story): story for story in stories}
        sampler = Sampler(list(written), shared_wordnet(), plan.negatives)
        new_pairs, _ = make_pairs(list(written), sampler, plan.schedule.seed, lambda done: None)
        held = np.flatnonzero(new_pairs.held_out(plan.held_out, plan.schedule.seed))
        pairs = [(new_pairs.texts[2 * i], new_pairs.texts[2 * i + 1]) for i in held]
        result[way] = {written[pair[0]]: pair for pair in pairs}
    both = [story for story in result[Way.FABULA] if story in result[Way.PAPER]]
    return {way: [text for story in both for text in item[story]] for way, item in result.items()}


def trained(name: str, stories: list[str], plan: UnionSettings, readings: Path) -> Scorer:
    """One UNION of this plan."""
    base = locate(None, ModelRole.BASE)
    work = home() / "training" / f"{name}-{plan.schedule.seed}"
    shutil.rmtree(work / "checkpoint", ignore_errors=True)
    printed = ""

    def say(what: str, done: int, whole: int) -> None:
        nonlocal printed
        now = f"{name}, seed {plan.schedule.seed}: {what.split(':')[0]} {10 * done // max(1, whole) * 10} %"
        if now != printed:
            printed = now
            print(now, file=sys.stderr, flush=True)

    new_checkpoint, _ = train_union(name, {"roc": stories}, plan, base, work, say, readings=readings)
    return Scorer(new_checkpoint, base, precision=PRECISION)


def measured(scorer: Scorer, sets: Mapping[str, list[str]], readings: Path) -> dict[str, Floats]:
    """P(human) of the texts of each set."""
    result = {}
    for what, texts in sets.items():
        read = read_all(scorer.trunk, [scorer.prepared(text) for text in texts], readings)
        result[what] = np.array([probability(scorer.logit(read.reading(i))) for i in range(len(read))])
    return result


def main(
    folder: Path,
    what: Annotated[What, typer.Option()] = What.MIX,
    stories: Annotated[int, typer.Option()] = 3000,
    seed: Annotated[list[int] | None, typer.Option()] = None,
    cloze: Annotated[int | None, typer.Option()] = None,
) -> None:
    """Train both ways on every seed; after each, the table of those so far."""
    seeds, readings = seed or [8, 9], home() / "training" / "readings"
    sets = {
        "mans-roc": judged(read_mans(folder / "mans-roc" / "mans_roc.json")),
        "union-roc": judged(read_union(folder / "union-roc")),
        "union-wp": judged(read_union(folder / "union-wp")),
    }
    asked = {"Story Cloze": endings(folder, cloze), **{name: texts for name, (texts, _) in sets.items()}}
    result: dict[tuple[Way, int], dict[str, Floats]] = {}
    how: dict[str, Value] = {
        **{f"held-out pairs of {way}": first_against_rest for way in Way},
        "Story Cloze": on_top,
        **{name: with_people(people) for name, (_, people) in sets.items()},
    }
    of_roc = corpora(folder, stories)["roc"]
    for number, place in enumerate(seeds, start=1):
        plans = {way: plan_of(what, way, place) for way in Way}
        held = pairs_held_out(of_roc, plans)
        for way, plan in plans.items():
            scorer = trained(f"{what}-{way}", of_roc, plan, readings)
            own = {f"held-out pairs of {other}": texts for other, texts in held.items()}
            result[way, place] = measured(scorer, {**own, **asked}, readings)
        print(f"seeds {seeds[:number]}", flush=True)
        for of, value in how.items():
            line(of, value, result, seeds[:number], texts=2 if value in (first_against_rest, on_top) else 1)


if __name__ == "__main__":
    typer.run(main)
