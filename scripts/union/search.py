"""Compare what a UNION can stand on: bases, what of them learns, and the way in which stories are written.

    python scripts/union/search.py FOLDER [--stories N] [--corpus roc] [--only NAME …]

FOLDER as for `build.py`. Each candidate is trained on the same stories with the same seed; what tells is the AUC on
held-out pairs and Story Cloze. No human judgment is looked at. The outcome stands in docs/results/union.md; there the
last candidate, which takes hours on a CPU, was left out.
"""

import shutil
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.kinds import Tuning
from core.home import home
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, locate
from core.training.union.settings import USUAL, UnionSettings
from core.training.union.train import train_union
from scripts.union.build import SEED, cloze, corpora

LM, ENCODER = "smollm2-135m-instruct", "all-minilm-l6-v2"


@dataclass(frozen=True)
class Candidate:
    """Something to stand on."""

    base: str
    normalisation: str = "recased"
    tuning: Tuning = Tuning.FROZEN


CANDIDATES = {
    "lm": Candidate(LM),
    "lm-raw": Candidate(LM, "raw"),
    "lm-detokenised": Candidate(LM, "detokenised"),
    "lm-delexicalised": Candidate(LM, "delexicalised"),
    "encoder": Candidate(ENCODER),
    "encoder-raw": Candidate(ENCODER, "raw"),
    "encoder-adapter": Candidate(ENCODER, tuning=Tuning.ADAPTER),
    "encoder-full": Candidate(ENCODER, tuning=Tuning.FULL),
    "lm-adapter": Candidate(LM, tuning=Tuning.ADAPTER),
}


def try_out(name: str, stories: dict[str, list[str]], folder: Path) -> None:
    """Train one without reconstruction and print how it does."""
    candidate = CANDIDATES[name]
    base = locate(candidate.base, ModelRole.BASE)
    plan = UnionSettings(
        normalisation=candidate.normalisation,
        reconstruction=0.0,
        precision="bfloat16",
        tuning=candidate.tuning,
        loop=replace(USUAL[candidate.tuning], seed=SEED),
    )
    work, readings = home() / "training" / f"search-{name}", home() / "training" / "readings"
    shutil.rmtree(work, ignore_errors=True)
    began = time.monotonic()
    new_checkpoint, _ = train_union(name, stories, plan, base, work, readings=readings)
    minutes = (time.monotonic() - began) / 60
    frozen = candidate.tuning is Tuning.FROZEN
    scorer = Scorer(new_checkpoint, base, precision=plan.precision if frozen else "float32")
    figures = [*new_checkpoint.card.figures, cloze(scorer, folder, readings if frozen else work / "endings")]
    print(f"{name} ({minutes:.0f} min)", flush=True)
    for figure in figures:
        between = f", {figure.low:.3f} to {figure.high:.3f}" if figure.low is not None else ""
        print(f"  {figure.what}: {figure.value:.4f} (n = {figure.n:,}{between})", flush=True)
    shutil.rmtree(work)


def main(
    folder: Path,
    stories: Annotated[int, typer.Option()] = 3000,
    corpus: Annotated[str, typer.Option()] = "roc",
    only: Annotated[list[str] | None, typer.Option()] = None,
) -> None:
    """Train the candidates one after another; what has been read is read once."""
    result = corpora(folder, stories)
    for name in only or CANDIDATES:
        try_out(name, {corpus: result[corpus]}, folder)


if __name__ == "__main__":
    typer.run(main)
