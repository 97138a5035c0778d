"""`perturb check` and `perturb validity`: what people say of a test set's cases."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, StudyName, console, print_table, show
from commands.test_sets.generation import read_tests
from core.people import TERMINAL
from db.scores import scores as stories
from db.studies import studies
from db.test_sets import human_checks

FIGURES = ("changed", "coherent", "grammatical", "valid")


def check(
    tests: Annotated[
        list[Path], typer.Option(help="A JSONL file of cases, or a folder of OpenMEVA's; may be repeated.")
    ],
    study: Annotated[str, typer.Option(help="The name of the study to make.")],
    cases: Annotated[int, typer.Option(min=1, help="At most so many cases, every aspect and both sides alike.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
) -> None:
    """Make a study of a sample of cases: does the story make sense, is the English good?"""
    new_study = human_checks.create(TERMINAL, study, read_tests(tests), cases, seed)
    number = stories.count_stories(new_study.id)
    console.print(
        f"{number:,} cases are the stories of the study {new_study.name!r}: open it, invite people, then ask "
        "`perturb validity`.",
        markup=False,
    )


def validity(study: StudyName, json_file: JsonFile = None) -> None:
    """Whether people find in changed cases the fault that was meant, or none where none was, and good English."""
    chosen_study = studies.find(study)
    rows = human_checks.aspect_results(TERMINAL, chosen_study.id)
    show(
        {"study": chosen_study.name, "n": rows[-1].cases, "rows": rows},
        json_file,
        lambda: print_table(
            "Share of cases, with its 95 % interval",
            ["aspect", "cases", *FIGURES],
            [[row.aspect, row.cases, *(getattr(row, figure).text() for figure in FIGURES)] for row in rows],
        ),
    )
