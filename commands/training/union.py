"""`train …`: metrics that learn, from stories to a checkpoint."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, Pairs, Where
from commands.test_sets.negative_options import Lexicon, MixChoice, Without
from commands.training.bleurt import bleurt
from commands.training.corpora import read_corpora, training_bar
from commands.training.discriminator import discriminator
from commands.training.language_model import language_model
from commands.training.options import checked_name, put, working_folder
from commands.training.perception import perception
from commands.training.ruber import ruber
from core.checkpoints.kinds import Tuning
from core.english.knowledge import WORDNET, knowledge_named
from core.errors import InputError
from core.models.catalogue import MINILM, Role, locate
from core.models.shape import last_of_encoder, usual_layers
from core.perturb.negatives.sampler import Mix
from core.stories import NORMALISATIONS
from core.training.engine.recipe import PAPER_RATE, PAPER_STEPS, Way
from core.training.union.settings import USUAL_MIX, USUAL_NORMALISATION, Plan, paper_plan, recipe_of

app = typer.Typer(help="Train a metric of your own.", no_args_is_help=True)
app.command()(discriminator)
app.command()(bleurt)
app.command()(perception)
app.command()(ruber)
app.command("language-model")(language_model)


@app.command()
def union(
    stories: Annotated[list[Path], typer.Option(help="A table of human stories; may be repeated, a corpus each.")],
    out: Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")],
    name: Annotated[str, typer.Option(help="The checkpoint's name; the folder's, if left out.")] = "",
    base: Annotated[str, typer.Option(help="What it stands on: a bundled model, a folder or a hub name.")] = "",
    layer: Annotated[list[int] | None, typer.Option(help="A layer of the base to read; may be repeated.")] = None,
    reconstruction: Annotated[float, typer.Option(help="Lambda of the reconstruction's loss; 0 for none.")] = 0.1,
    mix: MixChoice | None = None,
    without: Without = None,
    knowledge: Lexicon = WORDNET,
    words: Annotated[int, typer.Option(help="Stories are cut within so many words; 0 for never.")] = 200,
    normalisation: Annotated[
        str | None,
        typer.Option(
            help=f"What is done to the stories first: {', '.join(NORMALISATIONS)}. recased, or delexicalised with "
            "--recipe paper."
        ),
    ] = None,
    recipe: Annotated[
        Way,
        typer.Option(
            help="fabula, or paper: UNION as published, over all of a BERT, in steps of ten stories, with the paper's "
            "mix and delexicalised stories unless --mix or --normalisation say otherwise."
        ),
    ] = Way.FABULA,
    steps: Annotated[
        int | None, typer.Option(help=f"With --recipe paper: how many steps; {PAPER_STEPS:,} as published.")
    ] = None,
    tuning: Annotated[
        str | None, typer.Option(help="What of the base learns: frozen (nothing, the default), adapter or full.")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="How often each story is seen: 8, or 2 where the base learns.")
    ] = None,
    learning_rate: Annotated[float | None, typer.Option(help="1e-3; 5e-4 with adapters, 5e-5 with all.")] = None,
    precision: Annotated[str, typer.Option(help="Of the base: float32, or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of negatives, of what is held out and of the training.")] = 0,
    overlap_allowed: Annotated[
        bool, typer.Option("--overlap-allowed", help="Train on stories of rated studies too; the card says so.")
    ] = False,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Teach UNION to tell human stories from negatives of them. Stopped, the same command goes on where it was."""
    from core.training.union.train import train_union

    name = checked_name(name, out)
    corpora, seen = read_corpora(stories, mapping, where, overlap_allowed=overlap_allowed)
    paper = recipe is Way.PAPER
    if paper and (layer or tuning or epochs):
        raise InputError(
            "--recipe paper reads the last layer of a base that learns as a whole, and counts steps: leave out "
            "--layer, --tuning and --epochs; --steps says how many."
        )
    if steps is not None and not paper:
        raise InputError("--steps goes with --recipe paper; else --epochs says how long to train.")
    what = tuning or Tuning.FROZEN.value
    if what not in list(Tuning):
        raise InputError(f"--tuning is one of {', '.join(Tuning)}, not {what!r}.")
    written = normalisation or USUAL_NORMALISATION[recipe]
    if written not in NORMALISATIONS:
        raise InputError(f"--normalisation is one of {', '.join(NORMALISATIONS)}, not {written!r}.")
    source = locate(base or (MINILM if paper else ""), Role.BASE)
    techniques = Mix(name=mix or USUAL_MIX[recipe]).without(*(without or []))
    if paper:
        rate = PAPER_RATE if learning_rate is None else learning_rate
        length = PAPER_STEPS if steps is None else steps
        top = last_of_encoder(source)
        plan = paper_plan(top, words, techniques, reconstruction, length, rate, precision, seed, written)
    else:
        plan = Plan(
            tuple(layer or usual_layers(source)),
            normalisation=written,
            words=words,
            mix=techniques,
            reconstruction=reconstruction,
            precision=precision,
            tuning=Tuning(what),
            recipe=recipe_of(Tuning(what), epochs, learning_rate, precision, seed),
        )
    folder = working_folder(out)
    with training_bar() as told:
        made, run = train_union(name, corpora, plan, source, knowledge_named(knowledge), folder, told, device, seen)
    put(made, folder, out, json_file, steps=len(run.steps), seconds=run.seconds)
