"""Make the fine-tuned language models that Fabula brings along, in `data/checkpoints`.

    python scripts/language_model/build.py FOLDER [--only NAME …]

FOLDER holds the same stories as for `scripts/union/build.py`, which leaves out those that begin like what people have
judged. The bundled language model gets adapters; no human judgment is looked at here. Stopped, the same command goes
on where it was.
"""

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.store import SHIPPED
from core.home import home
from core.models.catalogue import ModelRole, locate
from core.training.language_model.settings import USUAL, LanguageModelSettings
from core.training.language_model.train import train_language_model
from scripts.union.build import SEED, corpora

CHECKPOINTS: Mapping[str, Mapping[str, int]] = {
    "perplexity-finetuned-roc": {"roc": 2_500},
    "perplexity-finetuned": {"roc": 1_200, "wp": 120, "tales": 60},
    "perplexity-finetuned-wp": {"wp": 400},
}
"""Each with how many stories it takes of a corpus: about as many pieces in all."""


def build(name: str, stories: Mapping[str, Sequence[str]]) -> Checkpoint:
    """Train one, and put it into its place."""
    plan = LanguageModelSettings(
        loop=replace(USUAL, precision="bfloat16", seed=SEED, evaluate_every=50, checkpoint_every=25)
    )
    work = home() / "training" / name
    shutil.rmtree(work / "checkpoint", ignore_errors=True)

    def say(what: str, done: int, whole: int) -> None:
        print(f"{name}: {what}, {done} of {whole}", flush=True)

    new_checkpoint, _ = train_language_model(
        name,
        stories,
        plan,
        locate(None, ModelRole.LANGUAGE),
        work,
        say,
        overlap="Stories that begin like one of UNION's or MANS's judged stories or references were left out.",
    )
    shutil.rmtree(SHIPPED / name, ignore_errors=True)
    SHIPPED.mkdir(parents=True, exist_ok=True)
    texts = [story for some in stories.values() for story in some]
    kept = save(SHIPPED / name, replace(new_checkpoint.card, weights=""), new_checkpoint.weights(), texts)
    shutil.rmtree(work)
    for figure in kept.card.figures:
        print(f"  {figure.what}: {figure.value:.4f} (n = {figure.n:,})", flush=True)
    return kept


def main(folder: Path, only: Annotated[list[str] | None, typer.Option()] = None) -> None:
    """Train all, or those that are named, one after another."""
    result = corpora(folder, None)
    for name in only or CHECKPOINTS:
        build(name, {corpus: result[corpus][:most] for corpus, most in CHECKPOINTS[name].items()})


if __name__ == "__main__":
    typer.run(main)
