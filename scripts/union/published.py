"""Train UNION by the paper's recipe with and without reconstruction, and by Fabula's on the same stories, over several
seeds, and set all beside people.

    python scripts/union/published.py FOLDER [--recipe paper|fabula] [--stories N] [--steps N] [--seed N …]

FOLDER as for `build.py`. The bundled encoder, a small BERT, stands for BERT-base; all of it learns on stories of
ROCStories, in steps of ten, and what reconstruction names is any piece of the whole vocabulary. A seed is that of the
negatives, of what is held out and of the training. Fabula's recipe is that of `train union` where nothing is said, over
the same encoder and over the language model; its held-out pairs are of its own mix. The outcome stands in
docs/papers.md.
"""

import json
import shutil
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from scipy.stats import pearsonr

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.home import home
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import MINILM, ModelRole, ModelSource, locate
from core.training.engine.recipe import Way
from core.training.union.settings import LAMBDA, UnionSettings
from core.training.union.train import train_union
from scripts.union.build import corpora


def plans(way: Way, steps: int, seed: int) -> Iterator[tuple[str, ModelSource, UnionSettings]]:
    """What is trained, by name, with its base."""
    encoder = locate(MINILM, ModelRole.BASE)
    if way is Way.PAPER:
        usual = {name: UnionSettings.usual({"recipe": way})[name] for name in ("mix", "normalisation")}
        for name, weight in (("with", LAMBDA), ("without", 0.0)):
            yield name, encoder, UnionSettings(recipe=Way.PAPER, reconstruction=weight, steps=steps, seed=seed, **usual)
        return
    for base in (encoder, locate(None, ModelRole.BASE)):
        yield f"fabula-{base.name}", base, UnionSettings(seed=seed)


def rated(folder: Path) -> dict[str, tuple[list[str], list[float]]]:
    """Stories with their prompts and people's mean ratings, by judged set."""
    result: dict[str, tuple[list[str], list[float]]] = {}
    texts, means = [], []
    for record in json.loads((folder / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8")).values():
        for item in record["gen"].values():
            texts.append(f"{record['prompt']} {item['text']}")
            means.append(float(np.mean(item["score"])))
    result["mans-roc"] = texts, means
    for name in ("union-roc", "union-wp"):
        texts, means = [], []
        for line in (folder / name / "ant_data.txt").read_text(encoding="utf-8").splitlines():
            _, story, votes = line.split("|||")
            texts.append(story.strip())
            means.append(float(np.mean([float(vote) for vote in votes.split()])))
        result[name] = texts, means
    return result


def main(
    folder: Path,
    recipe: Annotated[list[Way] | None, typer.Option()] = None,
    stories: Annotated[int, typer.Option()] = 1000,
    steps: Annotated[int, typer.Option()] = 300,
    seed: Annotated[list[int] | None, typer.Option()] = None,
) -> None:
    """Train all a seed, one after another, and print a row of each."""
    result, sets = corpora(folder, stories), rated(folder)
    for number in seed or [0, 1, 2]:
        for name, base, plan in chain.from_iterable(plans(way, steps, number) for way in recipe or list(Way)):
            work = home() / "training" / f"published-{name}-{number}"
            shutil.rmtree(work, ignore_errors=True)
            began = time.monotonic()
            new_checkpoint, _ = train_union(name, {"roc": result["roc"]}, plan, base, work)
            minutes = (time.monotonic() - began) / 60
            scorer = Scorer(new_checkpoint, base)
            row = {figure.what.removeprefix("held-out pairs: "): figure.value for figure in new_checkpoint.card.figures}
            row = {key: row[key] for key in ("auc", "ranked")}
            row |= {key: float(pearsonr(scorer.logits(texts), means)[0]) for key, (texts, means) in sets.items()}
            message = ", ".join(f"{key} {value:.4f}" for key, value in row.items())
            print(f"{name}, seed {number}, {minutes:.1f} min: {message}", flush=True)
            shutil.rmtree(work)


if __name__ == "__main__":
    typer.run(main)
