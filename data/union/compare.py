"""What one of the paper's ways is worth to UNION: the same stories and seeds, Fabula's way beside the paper's.

    python data/union/compare.py FOLDER [--what mix|normalisation] [--stories 3000] [--seed 8 --seed 9] [--cloze N]

FOLDER as for `build.py`; the recipe is that of the shipped `union-roc`, but for the mix of negatives or how stories are
written (names as placeholders or the other way round). Every checkpoint meets the held-out pairs of both, Story Cloze,
and what people have judged, each text written as it learnt them. A difference (paper less fabula) is the mean over the
seeds, with the 95 % interval of the bootstrap over stories. The outcome stands in docs/papers.md.
"""

import csv
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.stats import pearsonr

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.formats.mans import read_mans
from core.formats.union import read_union
from core.home import home
from core.metrics.odds import probability
from core.models.catalogue import Role, locate
from core.perturb.knowledge import shared_wordnet
from core.perturb.negatives import Mix, Sampler
from core.stories import Corpus, Source, StoryRecord, whole_story
from core.training.pairs import make_pairs
from core.training.plan import USUAL, USUAL_MIX, USUAL_NORMALISATION, Plan, Tuning, Way
from core.training.readings import read_all
from core.training.scorer import Scorer
from core.training.train_union import train_union
from core.training.union import auc
from data.union.build import CHECKPOINTS, LAYERS, corpora

Floats = NDArray[np.float64]
DRAWS = 2_000
PRECISION = "bfloat16"


class What(StrEnum):
    """What differs."""

    MIX = "mix"
    NORMALISATION = "normalisation"


def plan_of(what: What, way: Way, seed: int) -> Plan:
    """The shipped recipe, with one thing done in this way."""
    plan = Plan(
        LAYERS,
        reconstruction=CHECKPOINTS["union-roc"][1],
        precision=PRECISION,
        recipe=replace(USUAL[Tuning.FROZEN], seed=seed, evaluate_every=200),
    )
    if what is What.MIX:
        return replace(plan, mix=Mix(name=USUAL_MIX[way]))
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


def rated(corpus: Corpus) -> tuple[list[StoryRecord], Floats]:
    """The systems' stories, and the mean of each one's ratings."""
    given: dict[str, list[float]] = {}
    for rating in corpus.ratings:
        given.setdefault(rating.story_key, []).append(rating.overall)
    asked = [one for one in corpus.stories if one.source is not Source.HUMAN]
    return asked, np.array([np.mean(given[one.key]) for one in asked])


def judged(corpus: Corpus) -> tuple[list[str], Floats]:
    """The systems' stories with their prompts, and the mean of each one's ratings."""
    asked, means = rated(corpus)
    return [whole_story(one.prompt, one.text) for one in asked], means


def pairs_held_out(stories: list[str], plans: Mapping[Way, Plan]) -> dict[Way, list[str]]:
    """Of each way, human and negative in turn, of the stories that are held out under both."""
    found: dict[Way, dict[str, tuple[str, str]]] = {}
    for way, plan in plans.items():
        written = {plan.prepared(story): story for story in stories}
        sampler = Sampler(list(written), shared_wordnet(), plan.mix)
        made, _ = make_pairs(list(written), sampler, plan.recipe.seed, lambda done: None)
        held = np.flatnonzero(made.held_out(plan.held_out, plan.recipe.seed))
        pairs = [(made.texts[2 * i], made.texts[2 * i + 1]) for i in held]
        found[way] = {written[pair[0]]: pair for pair in pairs}
    both = [story for story in found[Way.FABULA] if story in found[Way.PAPER]]
    return {way: [text for story in both for text in one[story]] for way, one in found.items()}


def trained(name: str, stories: list[str], plan: Plan, readings: Path) -> Scorer:
    """One UNION of this plan."""
    base = locate(None, Role.BASE)
    work = home() / "training" / f"{name}-{plan.recipe.seed}"
    shutil.rmtree(work / "checkpoint", ignore_errors=True)
    told = ""

    def say(what: str, done: int, whole: int) -> None:
        nonlocal told
        now = f"{name}, seed {plan.recipe.seed}: {what.split(':')[0]} {10 * done // max(1, whole) * 10} %"
        if now != told:
            told = now
            print(now, file=sys.stderr, flush=True)

    made, _ = train_union(name, {"roc": stories}, plan, base, shared_wordnet(), work, say, readings=readings)
    return Scorer(made, base, precision=PRECISION)


def measured(scorer: Scorer, sets: Mapping[str, list[str]], readings: Path) -> dict[str, Floats]:
    """P(human) of the texts of each set."""
    found = {}
    for what, texts in sets.items():
        read = read_all(scorer.trunk, [scorer.prepared(text) for text in texts], readings)
        found[what] = np.array([probability(scorer.logit(read.reading(i))) for i in range(len(read))])
    return found


def over_pairs(scores: Floats, rows: NDArray[np.int64]) -> float:
    """AUC of the pairs in these rows."""
    pairs = scores.reshape(-1, 2)[rows]
    return auc(pairs[:, 0], pairs[:, 1])


def on_top(scores: Floats, rows: NDArray[np.int64]) -> float:
    """Share of the pairs in these rows with the first text on top."""
    pairs = scores.reshape(-1, 2)[rows]
    return float((pairs[:, 0] > pairs[:, 1]).mean())


def with_people(people: Floats) -> Callable[[Floats, NDArray[np.int64]], float]:
    """Pearson's r over the stories in these rows."""
    return lambda scores, rows: float(pearsonr(scores[rows], people[rows])[0])


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
    found: dict[tuple[Way, int], dict[str, Floats]] = {}
    how: dict[str, Callable[[Floats, NDArray[np.int64]], float]] = {
        **{f"held-out pairs of {way}": over_pairs for way in Way},
        "Story Cloze": on_top,
        **{name: with_people(people) for name, (_, people) in sets.items()},
    }
    of_roc = corpora(folder, stories)["roc"]
    for number, one in enumerate(seeds, start=1):
        plans = {way: plan_of(what, way, one) for way in Way}
        held = pairs_held_out(of_roc, plans)
        for way, plan in plans.items():
            scorer = trained(f"{what}-{way}", of_roc, plan, readings)
            own = {f"held-out pairs of {other}": texts for other, texts in held.items()}
            found[way, one] = measured(scorer, {**own, **asked}, readings)
        print(f"seeds {seeds[:number]}", flush=True)
        for of, value in how.items():
            line(of, value, found, seeds[:number], of_pairs=value in (over_pairs, on_top))


def line(
    what: str,
    value: Callable[[Floats, NDArray[np.int64]], float],
    found: Mapping[tuple[Way, int], Mapping[str, Floats]],
    seeds: list[int],
    *,
    of_pairs: bool,
) -> None:
    """Print both ways' mean over the seeds and their difference with its interval."""
    n = [len(found[Way.FABULA, one][what]) // (2 if of_pairs else 1) for one in seeds]
    each = {way: [value(found[way, one][what], np.arange(k)) for one, k in zip(seeds, n, strict=True)] for way in Way}
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        rows = rng.integers(n[0], size=n[0])
        per = []
        for one, k in zip(seeds, n, strict=True):
            drawn = rows if k == n[0] else rng.integers(k, size=k)
            of = {way: value(found[way, one][what], drawn) for way in Way}
            per.append(of[Way.PAPER] - of[Way.FABULA])
        draws.append(np.mean(per))
    low, high = np.quantile(draws, [0.025, 0.975])
    difference = np.mean(each[Way.PAPER]) - np.mean(each[Way.FABULA])
    said = "; ".join(
        f"{way} {np.mean(values):.4f} ({', '.join(f'{v:.4f}' for v in values)})" for way, values in each.items()
    )
    print(f"{what} (n = {n[0]:,}): {said}; difference {difference:+.4f} ({low:+.4f} to {high:+.4f})", flush=True)


if __name__ == "__main__":
    typer.run(main)
