"""`ablation`: what each part of UNION contributes to its agreement with people."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from commands.json.ablation import ablation_report
from commands.terminal import JsonFile, Pairs, StudyName, Where, console, print_table, show
from commands.test_sets.negative_options import Lexicon, MixChoice
from commands.training.corpora import CORPORA_HELP, read_corpora, training_bar
from core.analysis.correlation.subsets import by_error, definition_for
from core.english.knowledge import WORDNET
from core.home import home
from core.metrics.trained.odds import probability
from core.models.catalogue import ModelRole, locate
from core.models.shape import usual_layers
from core.people import TERMINAL
from core.perturb.negatives.sampler import MixName
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import correlate_table
from core.stories import whole_story
from core.training.union.ablation import variants
from core.training.union.settings import LAMBDA, UnionSettings
from db.scores import tables
from db.studies import story_texts, studies


def ablation(
    study: StudyName,
    stories: Annotated[list[Path], typer.Option(help=CORPORA_HELP)],
    base: Annotated[str, typer.Option(help="What it stands on: a bundled model, a folder or a hub name.")] = "",
    layer: Annotated[list[int] | None, typer.Option(help="A layer of the base to read; may be repeated.")] = None,
    reconstruction: Annotated[float, typer.Option(help="Lambda of the reconstruction's loss; 0 for none.")] = LAMBDA,
    mix: MixChoice = MixName.FABULA,
    knowledge: Lexicon = WORDNET,
    precision: Annotated[str, typer.Option(help="Of the base: float32, or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of negatives, of what is held out, of training and bootstrap.")] = 0,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws; 0 for none.")] = 1000,
    overlap_allowed: Annotated[
        bool, typer.Option("--overlap-allowed", help="Train on stories of rated studies too.")
    ] = False,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Train UNION whole, without each technique and without reconstruction, and correlate each with people's ratings:
    of all stories, and of the reasonable ones with those of one error type (UNION 2020, Table 7).
    """
    from core.metrics.trained.union_scorer import Scorer
    from core.training.union.train import train_union

    chosen_study = studies.find(study)
    judged, asked = _judged(chosen_study.id)
    corpora, seen = read_corpora(stories, mapping, where, overlap_allowed=overlap_allowed, negatives=True)
    source = locate(base, ModelRole.BASE)
    settings = UnionSettings(
        layers=tuple(layer or usual_layers(source)),
        mix=mix,
        reconstruction=reconstruction,
        precision=precision,
        seed=seed,
        knowledge=knowledge,
    )
    of = [repr(settings), source.name, source.revision, json.dumps(corpora)]
    folder = home() / "training" / f"ablation-{hashlib.sha256(json.dumps(of).encode()).hexdigest()[:12]}"
    cards, columns = {}, []
    with training_bar() as advance:
        for name, variant in variants(settings).items():

            def say(what: str, done: int, all_of_it: int, name: str = name) -> None:
                advance(f"{name}: {what}", done, all_of_it)

            place = folder / name
            shutil.rmtree(place / "checkpoint", ignore_errors=True)  # of a run that was stopped later on
            checkpoint, _ = train_union(
                name, corpora, variant, source, place, say, device, seen, readings=folder / "readings"
            )
            logits = Scorer(checkpoint, source, device, precision).logits(asked)
            scores = [probability(logit) for logit in logits.tolist()]
            cards[name] = checkpoint.card
            columns.append(ScoreColumn(name, checkpoint.card.weights, np.array(scores), {}))
    shutil.rmtree(folder)
    table = replace(judged, columns=tuple(columns))
    scale = (chosen_study.scheme.lowest, chosen_study.scheme.highest)
    sets = definition_for(scale)
    rows = [
        *correlate_table(table, seed=seed, resamples=resamples),
        *by_error(table, sets, scale, seed=seed, resamples=resamples),
    ]
    report = ablation_report(chosen_study, cards, rows, seed, resamples, sets.name)
    show(report, json_file, lambda: _print(report))


def _judged(study_id: int) -> tuple[ScoreTable, list[str]]:
    """The study's judgments, and its systems' stories with their prompts, in one order."""
    judged = tables.table(study_id)
    prompts, _ = story_texts.of_study(TERMINAL, study_id)
    pairs = zip(judged.texts, judged.prompts, strict=True)
    return judged, [whole_story(prompts[prompt], text) for text, prompt in pairs]


def _print(report: dict[str, Any]) -> None:
    if report["demonstration"]:
        console.print("These ratings are demonstration data.")
    heads = [f"{item['set'].removeprefix('error:')} ({item['n']:,})" for item in report["sets"]]
    lines = [[row["variant"], *(_cell(value) for value in row["values"])] for row in report["rows"]]
    print_table("", ["Pearson's r", *heads], lines)
    console.print("In brackets: the change from the first row. * is p < 0.01.")


def _cell(value: dict[str, Any]) -> str:
    if value["value"] is None:
        return "–"
    star = "*" if value["p"] is not None and value["p"] < 0.01 else ""
    change = "" if value["change"] in (None, 0.0) else f" ({value['change']:+.0%})"
    return f"{value['value']:.4f}{star}{change}"
