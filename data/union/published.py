"""Train UNION by the paper's recipe with and without reconstruction, over several seeds, and set both beside people.

    python data/union/published.py FOLDER [--stories N] [--steps N] [--seed N …]

FOLDER as for `build.py`. The bundled encoder, a small BERT, stands for BERT-base; all of it learns on stories of
ROCStories, in steps of ten, and what reconstruction names is any piece of the whole vocabulary. A seed is that of the
negatives, of what is held out and of the training, the same for both. The outcome stands in docs/union.md.
"""

import json
import shutil
import sys
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from scipy.stats import pearsonr

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.home import home
from core.models.catalogue import MINILM, Role, locate
from core.models.shape import last_of_encoder
from core.perturb.knowledge import shared_wordnet
from core.training.plan import LAMBDA, paper_plan
from core.training.scorer import Scorer
from core.training.train_union import train_union
from data.union.build import corpora

WEIGHTS = {"with": LAMBDA, "without": 0.0}


def rated(folder: Path) -> dict[str, tuple[list[str], list[float]]]:
    """Stories with their prompts and people's mean ratings, by judged set."""
    found: dict[str, tuple[list[str], list[float]]] = {}
    texts, means = [], []
    for record in json.loads((folder / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8")).values():
        for one in record["gen"].values():
            texts.append(f"{record['prompt']} {one['text']}")
            means.append(float(np.mean(one["score"])))
    found["mans-roc"] = texts, means
    for name in ("union-roc", "union-wp"):
        texts, means = [], []
        for line in (folder / name / "ant_data.txt").read_text(encoding="utf-8").splitlines():
            _, story, votes = line.split("|||")
            texts.append(story.strip())
            means.append(float(np.mean([float(vote) for vote in votes.split()])))
        found[name] = texts, means
    return found


def main(
    folder: Path,
    stories: Annotated[int, typer.Option()] = 1000,
    steps: Annotated[int, typer.Option()] = 300,
    seed: Annotated[list[int] | None, typer.Option()] = None,
) -> None:
    """Train both a seed, one after another, and print a row of each."""
    found, sets, base = corpora(folder, stories), rated(folder), locate(MINILM, Role.BASE)
    for number in seed or [0, 1, 2]:
        for name, weight in WEIGHTS.items():
            work = home() / "training" / f"published-{name}-{number}"
            shutil.rmtree(work, ignore_errors=True)
            plan = paper_plan(last_of_encoder(base), reconstruction=weight, steps=steps, seed=number)
            began = time.monotonic()
            made, _ = train_union(name, {"roc": found["roc"]}, plan, base, shared_wordnet(), work)
            minutes = (time.monotonic() - began) / 60
            scorer = Scorer(made, base)
            row = {one.what.removeprefix("held-out pairs: "): one.value for one in made.card.figures}
            row = {key: row[key] for key in ("auc", "ranked")}
            row |= {key: float(pearsonr(scorer.logits(texts), means)[0]) for key, (texts, means) in sets.items()}
            told = ", ".join(f"{key} {value:.4f}" for key, value in row.items())
            print(f"{name}, seed {number}, {steps} steps, {minutes:.1f} min: {told}", flush=True)
            shutil.rmtree(work)


if __name__ == "__main__":
    typer.run(main)
