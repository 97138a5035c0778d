"""`train ruber`: RUBER's unreferenced half, from stories to a checkpoint."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, Pairs, Where
from commands.training.corpora import read_corpora, training_bar
from commands.training.options import checked_name, put, working_folder
from core.checkpoints.kinds import Embeddings
from core.errors import InputError
from core.models.catalogue import MINILM, Role, locate
from core.models.shape import usual_layers
from core.training.engine.recipe import Way
from core.training.ruber.settings import BATCH, RuberPlan, ruber_recipe


def ruber(
    stories: Annotated[list[Path], typer.Option(help="A table of human stories; may be repeated, a corpus each.")],
    out: Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")],
    name: Annotated[str, typer.Option(help="The checkpoint's name; the folder's, if left out.")] = "",
    embeddings: Annotated[
        str, typer.Option(help="bert (states of the base, for ruber-u-bert) or words (its input embeddings: ruber-u).")
    ] = "bert",
    recipe: Annotated[
        Way,
        typer.Option(
            help="fabula, or paper: RUBER as published, with a whole matrix M; of words under a recurrent network of "
            "its own for contexts and for continuations, by a hinge; of states by their maxima."
        ),
    ] = Way.FABULA,
    base: Annotated[str, typer.Option(help="What it stands on: a bundled model, a folder or a hub name.")] = MINILM,
    layer: Annotated[
        list[int] | None, typer.Option(help="A layer of the base to read, the last if left out; may be repeated.")
    ] = None,
    words: Annotated[int, typer.Option(help="Continuations are cut within so many words; 0 for never.")] = 200,
    epochs: Annotated[
        int | None, typer.Option(help="How often each story is seen: 12; 6 with words, 50 with --recipe paper.")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="1e-3; 2e-3 with words, 1e-4 with --recipe paper.")
    ] = None,
    precision: Annotated[str, typer.Option(help="Of the base: float32, or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of what is held out, of the continuations and of the training.")] = 0,
    overlap_allowed: Annotated[
        bool, typer.Option("--overlap-allowed", help="Train on stories of rated studies too; the card says so.")
    ] = False,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Teach RUBER to tell a story's continuation from another's. Stopped, the same command goes on where it was."""
    from core.training.ruber.train import train_ruber

    if embeddings not in list(Embeddings):
        raise InputError(f"--embeddings is one of {', '.join(Embeddings)}, not {embeddings!r}.")
    kind = Embeddings(embeddings)
    if kind is Embeddings.WORDS and layer:
        raise InputError("--layer goes with --embeddings bert: input embeddings stand below all layers.")
    name = checked_name(name, out)
    corpora, seen = read_corpora(stories, mapping, where, overlap_allowed=overlap_allowed)
    source = locate(base, Role.BASE)
    plan = RuberPlan(
        () if kind is Embeddings.WORDS else tuple(layer or usual_layers(source)[1:]),
        kind,
        words=words,
        batch=BATCH[recipe],
        precision=precision,
        recipe=ruber_recipe(kind, epochs, learning_rate, seed, recipe),
        way=recipe,
    )
    folder = working_folder(out)
    with training_bar() as told:
        made, run = train_ruber(name, corpora, plan, source, folder, told, device, seen)
    put(made, folder, out, json_file, steps=len(run.steps), seconds=run.seconds)
