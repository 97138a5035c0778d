"""The command `judge`: the trial of a study's judges, of which it can ask one first."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from commands.analysis.judges import EachTarget
from commands.json.judges import Tried, trial_report
from commands.metrics.judging import EndpointModel, EndpointOption, EndpointSettings, judge_settings
from commands.metrics.scoring import Device, Models, Options, print_scores, run_settings, score_study
from commands.terminal import JsonFile, Seed, StudyName, console, print_sentences, print_table, show
from core.analysis.judges.biases import Biases, judge_biases
from core.analysis.judges.columns import judges_of
from core.analysis.judges.quotes import QuoteOverlap, overlaps
from core.analysis.judges.reported import reported
from core.analysis.judges.trial import JudgeTrial, put_on_trial
from core.analysis.verdict.few_stories import biases_if_claimed, quotes_if_claimed, trial_if_claimed
from core.annotation.studies import Study
from core.annotation.target import Target, on_target, target_of
from core.errors import InputError
from core.judges.halves import Half
from core.judges.template import Way
from core.metrics.judging.judge import Judge
from core.people import TERMINAL
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from db.judges.judged import judged_study
from db.ratings import evidence
from db.scores import tables
from db.studies import halves, studies

SHOWN = 3
"""Stories of greatest disagreement that are printed a judge; `--json` has more."""


def judge(
    study: StudyName,
    target: EachTarget = None,
    way: Annotated[
        Way | None, typer.Option(help="First run a judge of yours, asked in this way: in points, if nothing is said.")
    ] = None,
    model: Models = None,
    device: Device = "auto",
    option: Options = None,
    endpoint: EndpointOption = None,
    endpoint_model: EndpointModel = None,
    endpoint_setting: EndpointSettings = None,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws of whole prompts; 0 for none.")] = 1000,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """The trial of a study's judges, on a target or on every criterion: how far each agrees with people, on which
    stories it does not, and what biases it. Any option that says how or where a judge is asked first runs that judge
    on the stories that it has no score of. Judges in a wording of the study's own: on the held-out half alone.
    """
    found = studies.find(study)
    if found.scheme.unit.of_pairs:
        raise InputError(
            f"{found.name!r} asks which of two stories is better: `preferences --study {found.name}` holds its judges "
            "against people."
        )
    targets = [target_of(found.scheme, target)] if target else [Target((name,)) for name in found.scheme.names]
    at = judge_settings(endpoint, endpoint_model, endpoint_setting)
    run = None
    if way or model or option or at or device != "auto":
        criteria = dict.fromkeys(name for chosen in targets for name in chosen.criteria)
        asked_so = f"[way={way}]" if way else ""
        asked = run_settings([f"{Judge.name}:{name}{asked_so}" for name in criteria], model, option, device=device)
        run = score_study(found, asked | at)
    tried = _tried(found, targets, seed, resamples)
    if not tried:
        wanted = ", ".join(chosen.title for chosen in targets)
        raise InputError(
            f"{found.name!r} has no judge's ratings of {wanted}: import some with `import judges`, or run a judge on "
            "its stories with --way points."
        )

    def table() -> None:
        if run:
            print_scores(run)
        _tables(found, tried)

    show(trial_report(found, tried, run, seed, resamples), json_file, table)


def _tried(study: Study, targets: Sequence[Target], seed: int, resamples: int) -> dict[str, Tried]:
    kept: tables.Kept = {}
    held_out = halves.prompts(study.id, Half.HELD_OUT)
    tried: dict[str, Tried] = {}
    for chosen in targets:
        whole = tables.table(study.id, target=chosen, kept=kept)
        if judges_of(whole.columns, chosen.criteria):
            may = reported(whole, chosen.criteria, held_out)
            asked = on_target(study.scheme, chosen).main
            trial = put_on_trial(may.table, chosen.criteria, asked, seed=seed, resamples=resamples)
            biases = judge_biases(may.table, chosen.criteria, seed=seed, resamples=resamples)
            quotes = _quotes(study, chosen, may.table, seed, resamples)
            tried[chosen.title] = Tried(may, trial, biases, quotes)
    return tried


def _quotes(
    study: Study, target: Target, table: ScoreTable, seed: int, resamples: int
) -> Mapping[str, QuoteOverlap | str]:
    """What judges that were asked for errors quote beside what people marked; nothing where people marked nothing."""
    there = set(table.keys)
    marked = [story for story in evidence.marked(TERMINAL, study.id) if story.key in there]
    judges = judges_of(table.columns, target.criteria) if marked else ()
    return overlaps(judges, judged_study(study.id), marked, seed=seed, resamples=resamples)


def _tables(study: Study, tried: Mapping[str, Tried]) -> None:
    if study.demonstration:
        console.print("These ratings are demonstration data.")
    for target, of in tried.items():
        trial, (biases, _) = of.trial, biases_if_claimed(of.biases, of.reported.table)
        judges, too_few = trial_if_claimed(trial.judges, of.reported.table)
        print_sentences(of.reported.cautions)
        if not trial.judges:
            continue
        if caution := trial.limits["pearson"].caution:
            print_sentences([caution])
        print_table(
            f"{target}: agreement with people, Pearson's r",
            ["judge", "n", "stories", "within prompts", "systems", "same step", "kappa"],
            [_agreement(row) for row in judges],
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
            print_sentences([f"Over stories reach: {', '.join(said)}."])
        _print_disagreements(target, of.reported.table, trial.judges)
        _print_quotes(target, of.quotes)
        _print_biases(target, biases)
        print_sentences([too_few] if too_few else [])


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


def _print_quotes(target: str, quotes: Mapping[str, QuoteOverlap | str]) -> None:
    if rows := [_quoted(name, quotes_if_claimed(of)) for name, of in quotes.items() if not isinstance(of, str)]:
        columns = ["judge", "stories", "quotes", "right, by chance", "found, by chance", "kappa", "one annotator's"]
        print_table(f"{target}: errors quoted, and passages marked", columns, rows)
    for name, reason in quotes.items():
        if isinstance(reason, str):
            print_sentences([f"The quotes of {name} cannot be read again: {reason}."])


def _quoted(name: str, of: QuoteOverlap) -> list[Any]:
    return [
        name,
        of.stories,
        f"{of.quotes:,}, of which {of.located:,} stand there",
        _beside_chance(of.right, of.right_by_chance),
        _beside_chance(of.found, of.found_by_chance),
        of.kappa.text(to=" … "),
        of.one_person.text(to=" … "),
    ]


def _beside_chance(of: Estimate, by_chance: float | None) -> str:
    return of.text(to=" … ") + ("" if by_chance is None else f", {by_chance:.3f}")


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
        print_sentences([f"Between judges: {biases.between_judges.text(to=' … ')} points."])
