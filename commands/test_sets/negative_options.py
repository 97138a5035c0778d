"""The options of commands that make negatives, written once."""

from typing import Annotated

import typer

from core.perturb.negatives.sampler import MixName, Technique

MixChoice = Annotated[
    MixName, typer.Option("--mix", help="How much a technique does: fabula, or paper, as UNION's authors have it.")
]
Without = Annotated[list[Technique] | None, typer.Option(help="Leave a technique out; may be repeated.")]
Lexicon = Annotated[
    str,
    typer.Option(
        "--knowledge",
        help="wordnet, or ConceptNet: its assertions, conceptnet_antonym.txt, or the folder of UNION's authors.",
    ),
]
