"""`train language-model`: fine-tune a language model on human stories."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, Pairs, Where
from commands.training.corpora import read_corpora, training_bar
from commands.training.options import checked_name, put, working_folder
from core.checkpoints.kinds import RANK
from core.models.catalogue import Role, locate
from core.training.language_model.settings import LanguagePlan, recipe_of


def language_model(
    stories: Annotated[list[Path], typer.Option(help="A table of human stories; may be repeated, a corpus each.")],
    out: Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")],
    name: Annotated[str, typer.Option(help="The checkpoint's name; the folder's, if left out.")] = "",
    base: Annotated[str, typer.Option(help="A causal language model: a bundled one, a folder or a hub name.")] = "",
    rank: Annotated[int, typer.Option(help="Of the adapters: the more, the more is learnt, by heart too.")] = RANK,
    words: Annotated[int, typer.Option(help="Stories are cut within so many words; 0 for never.")] = 200,
    normalisation: Annotated[str, typer.Option(help="What is done to the stories first.")] = "recased",
    epochs: Annotated[int | None, typer.Option(help="How often each story is seen: 1.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="2e-3.")] = None,
    precision: Annotated[str, typer.Option(help="Of the base: float32, or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of what is held out and of the training.")] = 0,
    overlap_allowed: Annotated[
        bool, typer.Option("--overlap-allowed", help="Train on stories of rated studies too; the card says so.")
    ] = False,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Teach a language model what stories are like. Stopped, the same command goes on where it was."""
    from core.training.language_model.train import train_language_model

    name = checked_name(name, out)
    plan = LanguagePlan(normalisation, words, rank, recipe=recipe_of(epochs, learning_rate, precision, seed))
    corpora, seen = read_corpora(stories, mapping, where, overlap_allowed=overlap_allowed)
    source = locate(base, Role.LANGUAGE)
    folder = working_folder(out)
    with training_bar() as told:
        made, run = train_language_model(name, corpora, plan, source, folder, told, device, seen)
    put(made, folder, out, json_file, steps=len(run.steps), seconds=run.seconds)
