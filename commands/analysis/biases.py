"""The command `biases`: what biases a study's judges, and the run that measures what their ratings cannot tell."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from commands.analysis.judges import EachTarget
from commands.jobs import run_here
from commands.json.biases import Found, bias_report
from commands.metrics.judging import EndpointModel, EndpointOption, EndpointSettings, judge_settings
from commands.metrics.scoring import checked_settings, metric_options, named_metrics
from commands.terminal import JsonFile, StudyName, print_sentences, print_table, show
from core.analysis.judges.bias_runs import check_run, rates_single
from core.analysis.judges.bias_table import BiasRow, bias_rows
from core.analysis.judges.biases import judge_biases
from core.analysis.judges.probed import NOT_RUN, probed_biases, with_probed
from core.analysis.judges.probes import STORIES
from core.analysis.judges.reported import reported
from core.analysis.verdict.few_stories import TOO_FEW, biases_if_claimed, probed_if_claimed
from core.annotation.studies import Study
from core.annotation.target import Target, target_of
from core.errors import InputError
from core.judges.halves import Half
from core.metrics.judging.base import NAME
from core.statistics.intervals import Estimate
from db.judges import consent, probes
from db.judges.judged import judged_study
from db.scores import tables
from db.studies import halves, studies

OF_A_RUN = ("metric", "model", "device", "precision", "option", "endpoint", "endpoint-model", "endpoint-setting")


def biases(
    study: StudyName,
    target: EachTarget = None,
    run: Annotated[
        bool, typer.Option("--run", help="First ask judges about a sample of the stories, changed and unchanged.")
    ] = False,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="With --run: judge, or judge:CRITERION; may be repeated. Else the main criterion's."),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="With --run: the bundled model, a folder or a hub name.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="With --run: auto, cpu or cuda; else auto.")] = None,
    precision: Annotated[str | None, typer.Option(help="With --run: float32 or bfloat16; else float32.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="With --run: NAME.KEY=VALUE, an option of a judge.")] = None,
    endpoint: EndpointOption = None,
    endpoint_model: EndpointModel = None,
    endpoint_setting: EndpointSettings = None,
    stories: Annotated[int | None, typer.Option(help="With --run: how many stories are drawn; else 50.")] = None,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws of whole prompts; 0 for none.")] = 1000,
    seed: Annotated[
        int, typer.Option(help="Seed of the bootstrap; with --run also of the stories drawn and their changes.")
    ] = 0,
    json_file: JsonFile = None,
) -> None:
    """What biases a study's judges, each bias with its interval: what their ratings tell, and with --run what it takes
    to ask them again. What was replied before is not asked again.
    """
    found = studies.find(study)
    rates_single(found.scheme)
    of_a_run = (metric, model, device, precision, option, endpoint, endpoint_model, endpoint_setting)
    given = [name for name, value in zip(OF_A_RUN, of_a_run, strict=True) if value is not None]
    if stories is not None:
        given.append("stories")
    result = None
    if run:
        named, options = named_metrics(metric or [NAME], metric_options(option))
        settings = {
            "metrics": named,
            "device": device or "auto",
            "precision": precision or "float32",
            "options": options,
            "stories": STORIES if stories is None else stories,
            "seed": seed,
            **judge_settings(endpoint, endpoint_model, endpoint_setting),
        }
        result = _measure(found, settings, model or [])
    elif given:
        raise InputError(f"--{given[0]} is of a run: give --run too.")
    tried = _found(found, target, seed, resamples)
    show(bias_report(found, tried, result, seed, resamples), json_file, lambda: _tables(found, tried, result))


def _measure(study: Study, settings: dict[str, Any], models: list[str]) -> dict[str, Any]:
    from core.metrics.run import models_by_role

    check_run(settings, study.scheme)
    if endpoint := settings.get("judge", {}).get("endpoint"):
        consent.check(study.id, endpoint["address"])
    settings["models"] = models_by_role(models, settings["metrics"])
    return run_here("biases", study.id, checked_settings(settings, judged_study(study.id)))


def _found(study: Study, target: str | None, seed: int, resamples: int) -> dict[str, Found]:
    """By target in words; targets that no judge rates are left out. Raises InputError where none is left."""
    names = study.scheme.names
    targets = [target_of(study.scheme, target)] if target else [Target((name,)) for name in names]
    probed, held_out = probes.probed(study.id), halves.prompts(study.id, Half.HELD_OUT)
    by_signature = {text: checks for (_, text), checks in probed.items()}
    kept: tables.Kept = {}
    tried: dict[str, Found] = {}
    for chosen in targets:
        may = reported(tables.table(study.id, target=chosen, kept=kept), chosen.criteria, held_out)
        table = with_probed(may.table, list(probed))
        every = judge_biases(table, chosen.criteria, seed=seed, resamples=resamples)
        if every.rows:
            measured = [probed_biases(row.judge, by_signature, seed=seed, resamples=resamples) for row in every.rows]
            tried[chosen.title] = Found(may, every, tuple(measured))
    if not tried:
        wanted = ", ".join(chosen.title for chosen in targets)
        raise InputError(
            f"{study.name!r} has no judge of {wanted}: run one with `score`, import ratings with `import judges`, or "
            "measure one with --run."
        )
    return tried


def _tables(study: Study, tried: Mapping[str, Found], result: Mapping[str, Any] | None) -> None:
    if study.demonstration:
        print_sentences(["These ratings are demonstration data."])
    for target, of in tried.items():
        every, too_few = biases_if_claimed(of.biases, of.reported.table)
        print_sentences(of.reported.cautions)
        for row, probed in zip(every.rows, of.probed, strict=True):
            measured = probed_if_claimed(probed)
            too_few = TOO_FEW if measured != probed else too_few
            rows = bias_rows(row, measured)
            about = f", {probed.stories:,} stories asked about" if probed.stories else ""
            print_table(
                f"{target}: biases of {row.judge.name}{about}",
                ["bias", "of", "unit", "figure", "share", "n"],
                [_cells(one) for one in rows],
            )
            for one in rows:
                if one.unread:
                    print_sentences(
                        [f"{one.bias}{f' ({one.variant})' if one.variant else ''}: {one.unread:,} without a rating."]
                    )
            if probed.undefined == NOT_RUN:
                print_sentences([f"{row.judge.name} was not asked again: `biases --run --metric NAME` does so."])
        if every.between_judges.value is not None:
            print_sentences([f"Between judges: {every.between_judges.text(to=' … ')} points."])
        if every.words.value is not None:
            print_sentences([f"The number of words alone reaches r {every.words.text(to=' … ')} with people."])
        print_sentences([too_few] if too_few else [])
    named = {row.bias: row.means for of in tried.values() for row in _rows(of)}
    for bias, means in named.items():
        print_sentences([f"{bias}: {means}."])
    for row in result["rows"] if result else ():
        print_sentences(
            [f"{row['metric']}: {row['questions']:,} questions about {row['stories']:,} stories in {row['seconds']} s."]
        )
    print_sentences(result["notices"] if result else ())


def _rows(of: Found) -> Iterator[BiasRow]:
    for row, probed in zip(of.biases.rows, of.probed, strict=True):
        yield from bias_rows(row, probed)


def _cells(row: BiasRow) -> list[Any]:
    share = "" if row.share is None or row.share.undefined else _text(row.share, ".1%")
    return [
        "" if row.variant else row.bias,
        row.variant or "all",
        row.unit,
        _text(row.figure, ".3f"),
        share,
        row.n,
    ]


def _text(figure: Estimate, how: str) -> str:
    return figure.undefined or figure.text(how, to=" … ")
