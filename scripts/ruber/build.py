"""Make the RUBER checkpoints that Fabula brings along, in `data/checkpoints`.

    python scripts/ruber/build.py FOLDER [--only NAME …] [--stories N]

FOLDER as for `scripts/union/build.py`, whose stories these are: none that people have judged. The bundled encoder stays
as it is, and reads a text once. No human judgment is looked at here; how the recipe was chosen stands in
docs/results/ruber.md.
"""

import csv
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.card import Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import Embeddings
from core.checkpoints.store import SHIPPED
from core.home import home
from core.metrics.trained.ruber_scorer import RuberScorer
from core.models.catalogue import MINILM, ModelRole, locate
from core.training.ruber.settings import RuberSettings
from core.training.ruber.train import train_ruber
from scripts.union.build import SEED, corpora, proportion

LAYERS = (6,)
WORDS, EPOCHS = 40, 2
"""Of continuations, for the recurrent network, which learns slowly without a GPU."""
ALL = ("roc", "wp", "tales")
CHECKPOINTS: dict[str, tuple[Sequence[str], Embeddings]] = {
    "ruber-u-bert": (ALL, Embeddings.BERT),
    "ruber-u-bert-roc": (("roc",), Embeddings.BERT),
    "ruber-u-bert-wp": (("wp",), Embeddings.BERT),
    "ruber-u": (ALL, Embeddings.WORDS),
}
"""Each with its corpora and what it reads."""


def cloze(scorer: RuberScorer, folder: Path) -> Figure:
    """Story Cloze (Mostafazadeh et al. 2016): how often the right ending is above the wrong one, behind the same four
    sentences, of which the first is the context.
    """
    with (folder / "cloze" / "cloze_val_spring2016.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    pairs = []
    for row in rows:
        begin = " ".join(row[f"InputSentence{i}"] for i in range(2, 5))
        right = int(row["AnswerRightEnding"])
        pairs += [(row["InputSentence1"], f"{begin} {row[f'RandomFifthSentenceQuiz{i}']}") for i in (right, 3 - right)]
    logits = scorer.logits(pairs)
    return proportion("Story Cloze, spring 2016 validation: right ending on top", logits[::2] > logits[1::2])


def build(name: str, stories: dict[str, list[str]], folder: Path) -> Checkpoint:
    """Train one, measure it, and put it into its place."""
    chosen, embeddings = CHECKPOINTS[name]
    layers = LAYERS if embeddings is Embeddings.BERT else ()
    plan = RuberSettings(
        layers=layers, embeddings=embeddings, seed=SEED, **RuberSettings.usual({"embeddings": embeddings})
    )
    if embeddings is Embeddings.WORDS:
        plan = replace(plan, words=WORDS, epochs=EPOCHS)
    base = locate(MINILM, ModelRole.BASE)
    work, readings = home() / "training" / name, home() / "training" / "readings"
    shutil.rmtree(work / "checkpoint", ignore_errors=True)
    printed = ""

    def say(what: str, done: int, whole: int) -> None:
        nonlocal printed
        now = f"{name}: {what.split(':')[0]} {10 * done // max(1, whole) * 10} %"
        if now != printed:
            printed = now
            print(now, flush=True)

    new_checkpoint, _ = train_ruber(
        name,
        {corpus: stories[corpus] for corpus in chosen},
        plan,
        base,
        work,
        say,
        overlap="Stories that begin like one of UNION's or MANS's judged stories or references were left out.",
        readings=readings,
    )
    card = replace(
        new_checkpoint.card,
        weights="",
        figures=(*new_checkpoint.card.figures, cloze(RuberScorer(new_checkpoint, base), folder)),
    )
    shutil.rmtree(SHIPPED / name, ignore_errors=True)
    texts = [story for corpus in chosen for story in stories[corpus]]
    kept = save(SHIPPED / name, card, new_checkpoint.weights(), texts)
    shutil.rmtree(work)
    for figure in kept.card.figures:
        print(f"  {figure.what}: {figure.value:.4f} (n = {figure.n:,})", flush=True)
    return kept


def main(
    folder: Path,
    only: Annotated[list[str] | None, typer.Option()] = None,
    stories: Annotated[int | None, typer.Option()] = None,
) -> None:
    """Train them one after another; what has been read is read once, also after an interruption."""
    result = corpora(folder, stories)
    for name in only or CHECKPOINTS:
        build(name, result, folder)


if __name__ == "__main__":
    typer.run(main)
