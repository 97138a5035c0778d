"""What RUBER as published is worth: the same stories and seeds, Fabula's way beside the paper's.

    python scripts/ruber/compare.py FOLDER [--embeddings bert|words] [--stories 1500] [--seed 8 --seed 9] [--epochs N]

FOLDER as for `scripts/union/build.py`. Both stand on the bundled encoder, with continuations of 40 words at most;
`--epochs` says how often the paper's sees a story, 50 times if left out, and Fabula's does as it usually does. Every
checkpoint meets its held-out stories, each with its own continuation and with another one, and what people have judged.
A difference (paper less fabula) is the mean over the seeds, with the 95 % interval of the bootstrap over stories. The
outcome stands in docs/papers.md.
"""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from core.arrays import Floats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.kinds import Embeddings
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.home import home
from core.metrics.trained.odds import probability
from core.metrics.trained.ruber_scorer import RuberScorer
from core.models.catalogue import MINILM, ModelRole, locate
from core.stories import without_prompt
from core.training.engine.recipe import Way
from core.training.ruber.continuations import parted
from core.training.ruber.settings import RuberSettings
from core.training.ruber.train import train_ruber
from scripts.compared import Value, first_against_rest, line, rated, with_people
from scripts.ruber.build import LAYERS, WORDS
from scripts.union.build import corpora

HELD = "held-out stories"


def plan_of(way: Way, embeddings: Embeddings, seed: int, epochs: int | None) -> RuberSettings:
    """Of the shipped layers; `epochs` are the paper's."""
    given: dict[str, Any] = {"recipe": way, "embeddings": embeddings}
    usual = RuberSettings.usual(given)["epochs"]
    return RuberSettings(
        **given,
        layers=LAYERS if embeddings is Embeddings.BERT else (),
        words=WORDS,
        epochs=(epochs or usual) if way is Way.PAPER else usual,
        seed=seed,
    )


def held_out(stories: list[str], plan: RuberSettings) -> list[tuple[str, str]]:
    """Own continuation and another one in turn, of the stories that are not trained on: the same for both ways."""
    new_continuations = parted({"roc": stories}, plan)
    rows = np.flatnonzero(new_continuations.held_out(plan.held_out, plan.schedule.seed))
    others = new_continuations.others(rows, f"{plan.schedule.seed}/held out")
    pairs = zip(rows, others, strict=True)
    return [(new_continuations.contexts[i], new_continuations.rests[k]) for i, j in pairs for k in (i, j)]


def main(
    folder: Path,
    embeddings: Annotated[Embeddings, typer.Option()] = Embeddings.BERT,
    stories: Annotated[int, typer.Option()] = 1500,
    seed: Annotated[list[int] | None, typer.Option()] = None,
    epochs: Annotated[int | None, typer.Option()] = None,
) -> None:
    """Train both ways on every seed; after each, the table of those so far."""
    seeds, base = seed or [8, 9], locate(MINILM, ModelRole.BASE)
    sets = {
        "mans-roc": rated(read_mans(folder / "mans-roc" / "mans_roc.json")),
        "union-roc": rated(read_union(folder / "union-roc")),
        "union-wp": rated(read_union(folder / "union-wp")),
    }
    asked = {
        name: [(record.prompt, without_prompt(record.prompt, record.text)) for record in some]
        for name, (some, _) in sets.items()
    }
    how: dict[str, Value] = {
        HELD: first_against_rest,
        **{name: with_people(people) for name, (_, people) in sets.items()},
    }
    of_roc = corpora(folder, stories)["roc"]
    result: dict[tuple[Way, int], dict[str, Floats]] = {}
    for number, place in enumerate(seeds, start=1):
        for way in Way:
            plan = plan_of(way, embeddings, place, epochs)
            work = home() / "training" / f"ruber-{embeddings}-{way}-{place}"
            shutil.rmtree(work / "checkpoint", ignore_errors=True)
            readings = home() / "training" / "readings"
            new_checkpoint, run = train_ruber("compared", {"roc": of_roc}, plan, base, work, readings=readings)
            print(
                f"{embeddings}, {way}, seed {place}: {len(run.steps):,} steps in {run.seconds / 60:.1f} min", flush=True
            )
            scorer = RuberScorer(new_checkpoint, base)
            pairs = {HELD: held_out(of_roc, plan), **asked}
            result[way, place] = {
                what: np.array([probability(logit) for logit in scorer.logits(some)]) for what, some in pairs.items()
            }
        print(f"{embeddings}, seeds {seeds[:number]}", flush=True)
        for of, value in how.items():
            line(of, value, result, seeds[:number], texts=2 if value is first_against_rest else 1)


if __name__ == "__main__":
    typer.run(main)
