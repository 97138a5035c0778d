"""The command `alt-test`: may a judge stand in for one of the people?"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.json.judges import alternative_report
from commands.terminal import JsonFile, console, print_sentences, print_table, show
from core.analysis.judges.alternative import Alignment, Annotators, alternative_test
from core.analysis.judges.replacement import (
    JudgeTest,
    Standard,
    alignment_of,
    alternative_tests,
    in_a_word,
    standard,
)
from core.analysis.judges.reported import Reported, reported, reported_metric
from core.analysis.judgments.reliability import reliability
from core.annotation.studies import Study
from core.annotation.target import Target, on_target, target_of
from core.errors import InputError
from core.formats.corpora.alttest import annotation_files, read_annotations
from core.judges.halves import Half
from core.metrics.naming import place_of
from core.people import TERMINAL
from db.ratings import raters
from db.scores import tables
from db.studies import halves, studies

MOST_BESIDE = 8
"""Judges whose comparisons with each person are printed side by side; `--json` has them of any number."""
EachTarget = Annotated[
    str | None,
    typer.Option("--target", metavar="TARGET", help="overall, a criterion, or mean:A,B; else every criterion in turn."),
]
Tests = Mapping[str, Sequence[JudgeTest]]
"""By target, in words."""


def alt_test(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="With human_annotations.json and llm_annotations.json, for no study."),
    ] = None,
    study: Annotated[str | None, typer.Option("--study", metavar="NAME", help="The study's name.")] = None,
    target: EachTarget = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Also this metric, brought to the scale by what other prompts say.")
    ] = None,
    human: Annotated[Path | None, typer.Option(help="A file of people's annotations, for no study.")] = None,
    judges: Annotated[Path | None, typer.Option(help="A file of judges' annotations of the same instances.")] = None,
    annotators: Annotated[
        Annotators | None, typer.Option(help="Who the people are, which sets epsilon: 0.2, 0.15 or 0.1; else crowd.")
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option(min=0, max=1, help="How much more often a person may be nearer, instead.")
    ] = None,
    scoring: Annotated[
        Alignment | None, typer.Option(help="Values compared by equality, or by difference; else as they are.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the parts of prompts that bring metrics to the scale.")] = 0,
    json_file: JsonFile = None,
) -> None:
    """May a judge stand in for one of the people? The alternative annotator test of a study's judges, on a target or on
    every criterion; or of a folder's. Judges in a wording of the study's own: on the held-out half alone.
    """
    if annotators is not None and epsilon is not None:
        raise InputError("--annotators sets epsilon; give one of the two.")
    held_to = standard(annotators, epsilon)
    files = human, judges
    if folder is not None and files == (None, None):
        files = annotation_files(folder)
    elif folder is not None or (human is None) != (judges is None):
        raise InputError("Give a folder, or both --human and --judges.")
    if (study is None) == (files[0] is None):
        raise InputError("Give a study with --study, or a folder or files of annotations; not both.")
    if study is None and (target or metric):
        raise InputError("--target and --metric are for a study.")
    if files[0] is not None and files[1] is not None:
        tests, alignment = _of_files(files[0], files[1], held_to, scoring)
        _show(None, tests, held_to, alignment, seed, {}, (), json_file)
    else:
        found = studies.find(str(study))
        tests, alignment, may, disagreed = _of_study(found, target, metric or [], held_to, scoring, seed)
        _show(found, tests, held_to, alignment, seed, may, disagreed, json_file)


def _of_files(human: Path, judges: Path, held_to: Standard, scoring: Alignment | None) -> tuple[Tests, Alignment]:
    given = read_annotations(human, judges, scoring)
    return {
        "": [
            JudgeTest(
                judge,
                alternative_test(given.values, own, given.people, alignment=given.alignment, epsilon=held_to.epsilon),
            )
            for judge, own in zip(given.judges, given.judged, strict=True)
        ]
    }, given.alignment


def _of_study(
    study: Study, target: str | None, metrics: Sequence[str], held_to: Standard, scoring: Alignment | None, seed: int
) -> tuple[Tests, Alignment, dict[str, Reported], list[str]]:
    """The tests, how values are compared, what may be reported, and the targets on which nothing shows that the ratings
    agree.
    """
    names = study.scheme.names
    targets = [target_of(study.scheme, target)] if target else [Target((name,)) for name in names]
    if study.scheme.unit.of_pairs:
        raise InputError(f"{study.name!r} asks which of two stories is better; the test is of ratings of single ones.")
    tests: dict[str, Sequence[JudgeTest]] = {}
    may: dict[str, Reported] = {}
    disagreed: list[str] = []
    held_out = halves.prompts(study.id, Half.HELD_OUT)
    for chosen in targets:
        whole = tables.table(study.id, target=chosen)
        if reliability(whole, seed=seed).disagree:
            disagreed.append(chosen.title)
        called = [(column.metric, column.signature) for column in whole.columns]
        for name in metrics:  # refuses one that was tuned here and has no scores on the held-out half
            reported_metric(whole, whole.columns[place_of(name, called)], held_out)
        may[chosen.title] = reported(whole, chosen.criteria, held_out)
        table = may[chosen.title].table
        people = raters.by_person(TERMINAL, study.id, chosen, table.keys)
        if people.undefined is not None:
            raise InputError(f"{study.name!r} cannot be put to this test: {people.undefined}.")
        scheme = on_target(study.scheme, chosen)
        alignment = scoring or alignment_of(scheme)
        tests[chosen.title] = alternative_tests(
            table, people, chosen.criteria, scheme, standard=held_to, alignment=alignment, metrics=metrics, seed=seed
        )
    waiting = {caution: None for of in may.values() if of.waiting for caution in of.cautions}
    if not any(tests.values()) and waiting:
        raise InputError(" ".join(waiting))
    if not any(tests.values()):
        raise InputError(
            f"{study.name!r} has no judge's ratings of {', '.join(tests)}: import some with `import judges`, or name a "
            "metric with --metric."
        )
    return tests, alignment, may, disagreed


def _show(
    study: Study | None,
    tests: Tests,
    held_to: Standard,
    alignment: Alignment,
    seed: int,
    may: Mapping[str, Reported],
    disagreed: Collection[str],
    json_file: str | None,
) -> None:
    report = alternative_report(study, tests, held_to, alignment, seed, may, disagreed)

    def printed() -> None:
        if study is not None and study.demonstration:
            console.print("These ratings are demonstration data.")
        print_sentences(dict.fromkeys(caution for of in may.values() for caution in of.cautions))
        _table(tests, held_to, report["verdicts"], disagreed)

    show(report, json_file, printed)


def _table(tests: Tests, held_to: Standard, verdicts: Mapping[str, Any], disagreed: Collection[str]) -> None:
    for target, of in tests.items():
        rows = [
            [
                row.judge + (" (brought to the scale)" if row.calibrated else ""),
                f"{sum(one.won for one in row.test.people)} of {len(row.test.counted)}",
                row.test.instances,
                row.test.winning_rate,
                row.test.advantage_probability,
                row.test.undefined or in_a_word(row.test, disagree=target in disagreed, alike=row.alike),
            ]
            for row in of
        ]
        title = f"{target}, epsilon {held_to.epsilon:g}" if target else f"Epsilon {held_to.epsilon:g}"
        print_table(title, ["judge", "people won", "instances", "winning rate", "advantage", "may stand in"], rows)
        _print_people(target, of)
    print_sentences(dict.fromkeys(caution for of in tests.values() for row in of for caution in row.test.cautions()))
    print_sentences(verdicts.values())


def _print_people(target: str, of: Sequence[JudgeTest]) -> None:
    """Each person's comparison, where so many judges fit beside one another."""
    people = list(dict.fromkeys(one.person for row in of for one in row.test.people))
    if not people or len(of) > MOST_BESIDE:
        return
    cells = [{one.person: one for one in row.test.people} for row in of]
    about = f"{target}: nearer to the others than each person" if target else "Nearer to the others than each person"
    print_table(
        f"{about} (share of instances; * the judge wins)",
        ["person", "instances", *(row.judge for row in of)],
        [
            [
                person,
                max(own[person].n for own in cells if person in own),
                *(
                    f"{own[person].judge:.3f}{'*' if own[person].won else ''}"
                    if person in own and own[person].judge is not None
                    else None
                    for own in cells
                ),
            ]
            for person in people
        ],
    )
