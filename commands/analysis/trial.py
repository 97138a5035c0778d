"""The command `judge`: the trial of a study's judges."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from commands.analysis.judges import EachTarget
from commands.json.judges import Tried, trial_report
from commands.terminal import JsonFile, Seed, StudyName, console, print_table, show
from core.analysis.judges.biases import Biases, judge_biases
from core.analysis.judges.trial import JudgeTrial, put_on_trial
from core.annotation.studies import Study
from core.annotation.target import Target, on_target, target_of
from core.errors import InputError
from core.scores import ScoreTable
from db.scores import tables
from db.studies import studies

SHOWN = 3
"""Stories of greatest disagreement that are printed a judge; `--json` has more."""


def judge(
    study: StudyName,
    target: EachTarget = None,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws of whole prompts; 0 for none.")] = 1000,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """The trial of a study's judges, on a target or on every criterion: how far each agrees with people, on which
    stories it does not, and what biases it.
    """
    found = studies.find(study)
    if found.scheme.unit.of_pairs:
        raise InputError(
            f"{found.name!r} asks which of two stories is better: `preferences --study {found.name}` holds its judges "
            "against people."
        )
    targets = [target_of(found.scheme, target)] if target else [Target((name,)) for name in found.scheme.names]
    kept: tables.Kept = {}
    tried: dict[str, Tried] = {}
    for chosen in targets:
        table = tables.table(found.id, target=chosen, kept=kept)
        asked = on_target(found.scheme, chosen).main
        trial = put_on_trial(table, chosen.criteria, asked, seed=seed, resamples=resamples)
        if trial.judges:
            biases = judge_biases(table, chosen.criteria, seed=seed, resamples=resamples)
            tried[chosen.title] = table, trial, biases
    if not tried:
        wanted = ", ".join(chosen.title for chosen in targets)
        raise InputError(f"{found.name!r} has no judge's ratings of {wanted}: import some with `import judges`.")
    show(trial_report(found, tried, seed, resamples), json_file, lambda: _tables(found, tried))


def _tables(study: Study, tried: Mapping[str, Tried]) -> None:
    if study.demonstration:
        console.print("These ratings are demonstration data.")
    for target, (table, trial, biases) in tried.items():
        if caution := trial.limits["pearson"].caution:
            _say(caution)
        print_table(
            f"{target}: agreement with people, Pearson's r",
            ["judge", "n", "stories", "within prompts", "systems", "same step", "kappa"],
            [_agreement(row) for row in trial.judges],
        )
        limit = trial.limits["pearson"]
        said = [
            f"{name} {value:.3f}"
            for name, value in (
                ("one human rater", limit.one_rater),
                ("a perfect judge", limit.ceiling),
                ("the number of words alone", biases.words.value),
            )
            if value is not None
        ]
        if said:
            _say(f"Over stories reach: {', '.join(said)}.")
        _print_disagreements(target, table, trial.judges)
        _print_biases(target, biases)


def _agreement(row: JudgeTrial) -> list[Any]:
    levels = (row.pooled, row.prompt, row.system)
    return [
        row.judge.name,
        row.n,
        *(of.undefined or of.pearson.text(to=" … ") for of in levels),
        row.confusion.exact.text(".1%", to=" … "),
        row.confusion.kappa.text(to=" … "),
    ]


def _print_disagreements(target: str, table: ScoreTable, judges: tuple[JudgeTrial, ...]) -> None:
    rows = [
        [row.judge.name, table.keys[one.story], one.human, one.judge, one.apart]
        for row in judges
        for one in row.disagreements[:SHOWN]
    ]
    print_table(
        f"{target}: where judge and people are farthest apart", ["judge", "story", "people", "judge's", "SDs"], rows
    )


def _print_biases(target: str, biases: Biases) -> None:
    columns = ["judge", "lenient", "r", "r at equal length", "favours length", "own family", "between wordings"]
    print_table(
        f"{target}: biases",
        columns,
        [
            [
                row.judge.name,
                *(
                    figure.text(to=" … ")
                    for figure in (row.lenient, row.pooled, row.equal_length, row.longer, row.family, row.wordings)
                ),
            ]
            for row in biases.rows
        ],
    )
    if biases.between_judges.value is not None:
        _say(f"Between judges: {biases.between_judges.text(to=' … ')} points.")


def _say(sentence: str) -> None:
    console.print(sentence, markup=False, soft_wrap=True)
