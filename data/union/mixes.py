"""What UNION's mix of negatives is worth: the same stories and seeds, Fabula's mix beside the paper's.

    python data/union/mixes.py FOLDER [--stories 3000] [--seed 8 --seed 9] [--cloze N]

FOLDER as for `build.py`; the recipe is that of the shipped `union-roc`. Every checkpoint meets the held-out pairs of
both mixes, Story Cloze, and what people have judged. A difference (paper less fabula) is the mean over the seeds, with
the 95 % interval of the bootstrap over stories. The outcome stands in docs/negatives.md.
"""

import csv
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
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
from core.metrics.union import probability
from core.models.catalogue import Role, locate
from core.perturb.knowledge import shared_wordnet
from core.perturb.negatives import Mix, MixName, Sampler
from core.stories import Corpus, Source, whole_story
from core.training.pairs import make_pairs
from core.training.plan import USUAL, Plan, Tuning
from core.training.readings import read_all
from core.training.scorer import Scorer
from core.training.train_union import train_union
from core.training.union import auc
from data.union.build import CHECKPOINTS, LAYERS, corpora

Floats = NDArray[np.float64]
DRAWS = 2_000
PRECISION = "bfloat16"


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
    given: dict[str, list[float]] = {}
    for rating in corpus.ratings:
        given.setdefault(rating.story_key, []).append(rating.overall)
    asked = [one for one in corpus.stories if one.source is not Source.HUMAN]
    return [whole_story(one.prompt, one.text) for one in asked], np.array([np.mean(given[one.key]) for one in asked])


def pairs_held_out(stories: list[str], plan: Plan) -> dict[MixName, list[str]]:
    """Of each mix, human and negative in turn, of the stories that are held out under both."""
    found = {}
    for name in MixName:
        made, _ = make_pairs(
            stories, Sampler(stories, shared_wordnet(), Mix(name=name)), plan.recipe.seed, lambda done: None
        )
        held = made.held_out(plan.held_out, plan.recipe.seed)
        found[name] = {made.texts[2 * i]: made.texts[2 * i + 1] for i in np.flatnonzero(held)}
    both = [story for story in found[MixName.FABULA] if story in found[MixName.PAPER]]
    return {name: [text for story in both for text in (story, one[story])] for name, one in found.items()}


def trained(name: MixName, stories: list[str], plan: Plan, readings: Path) -> Scorer:
    """One UNION of this mix."""
    base = locate(None, Role.BASE)
    work = home() / "training" / f"mix-{name}-{plan.recipe.seed}"
    shutil.rmtree(work / "checkpoint", ignore_errors=True)
    told = ""

    def say(what: str, done: int, whole: int) -> None:
        nonlocal told
        now = f"{name}, seed {plan.recipe.seed}: {what.split(':')[0]} {10 * done // max(1, whole) * 10} %"
        if now != told:
            told = now
            print(now, file=sys.stderr, flush=True)

    mixed = replace(plan, mix=Mix(name=name))
    made, _ = train_union(f"mix-{name}", {"roc": stories}, mixed, base, shared_wordnet(), work, say, readings=readings)
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
    stories: Annotated[int, typer.Option()] = 3000,
    seed: Annotated[list[int] | None, typer.Option()] = None,
    cloze: Annotated[int | None, typer.Option()] = None,
) -> None:
    """Train both mixes on every seed; after each, the table of those so far."""
    seeds, readings = seed or [8, 9], home() / "training" / "readings"
    sets = {
        "mans-roc": judged(read_mans(folder / "mans-roc" / "mans_roc.json")),
        "union-roc": judged(read_union(folder / "union-roc")),
        "union-wp": judged(read_union(folder / "union-wp")),
    }
    asked = {"Story Cloze": endings(folder, cloze), **{name: texts for name, (texts, _) in sets.items()}}
    found: dict[tuple[MixName, int], dict[str, Floats]] = {}
    how: dict[str, Callable[[Floats, NDArray[np.int64]], float]] = {
        **{f"held-out pairs of {name}": over_pairs for name in MixName},
        "Story Cloze": on_top,
        **{name: with_people(people) for name, (_, people) in sets.items()},
    }
    of_roc = corpora(folder, stories)["roc"]
    for number, one in enumerate(seeds, start=1):
        plan = Plan(
            LAYERS,
            reconstruction=CHECKPOINTS["union-roc"][1],
            precision=PRECISION,
            recipe=replace(USUAL[Tuning.FROZEN], seed=one, evaluate_every=200),
        )
        held = pairs_held_out([plan.prepared(story) for story in of_roc], plan)
        for name in MixName:
            scorer = trained(name, of_roc, plan, readings)
            own = {f"held-out pairs of {other}": texts for other, texts in held.items()}
            found[name, one] = measured(scorer, {**own, **asked}, readings)
        print(f"seeds {seeds[:number]}", flush=True)
        for what, value in how.items():
            _line(what, value, found, seeds[:number], of_pairs=value in (over_pairs, on_top))


def _line(
    what: str,
    value: Callable[[Floats, NDArray[np.int64]], float],
    found: Mapping[tuple[MixName, int], Mapping[str, Floats]],
    seeds: list[int],
    *,
    of_pairs: bool,
) -> None:
    n = [len(found[MixName.FABULA, one][what]) // (2 if of_pairs else 1) for one in seeds]
    each = {
        name: [value(found[name, one][what], np.arange(k)) for one, k in zip(seeds, n, strict=True)] for name in MixName
    }
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        rows = rng.integers(n[0], size=n[0])
        per = []
        for one, k in zip(seeds, n, strict=True):
            drawn = rows if k == n[0] else rng.integers(k, size=k)
            of = {name: value(found[name, one][what], drawn) for name in MixName}
            per.append(of[MixName.PAPER] - of[MixName.FABULA])
        draws.append(np.mean(per))
    low, high = np.quantile(draws, [0.025, 0.975])
    difference = np.mean(each[MixName.PAPER]) - np.mean(each[MixName.FABULA])
    said = "; ".join(
        f"{name} {np.mean(values):.4f} ({', '.join(f'{v:.4f}' for v in values)})" for name, values in each.items()
    )
    print(f"{what} (n = {n[0]:,}): {said}; difference {difference:+.4f} ({low:+.4f} to {high:+.4f})", flush=True)


if __name__ == "__main__":
    typer.run(main)
