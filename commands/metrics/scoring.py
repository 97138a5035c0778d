"""Commands that run metrics: score, metrics, models."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from commands.jobs import run_here
from commands.json.results import by_metric
from commands.metrics.files import score_file
from commands.metrics.judging import EndpointModel, EndpointOption, EndpointSettings, judge_settings
from commands.terminal import JsonFile, Pairs, Where, console, pairs, print_signatures, print_table, row_filter, show
from core.annotation.studies import Study
from core.durations import duration
from core.engines.settings import EngineKind, EngineSettings
from core.errors import InputError
from core.formats.plain_json import plain
from core.home import home
from core.judges.halves import Half
from core.judges.study import JudgedStudy
from core.settings import described
from core.streams.run import ROWS_A_PARTITION
from db.judges import consent
from db.judges.judged import judged_study
from db.scores import scores as stored_scores
from db.studies import halves, studies
from db.training import checkpoints

_ENGINE = {name: about.help for name, (about, _, _) in described(EngineSettings).items()}
EngineOption = Annotated[EngineKind, typer.Option("--engine", help=_ENGINE["kind"])]
AddressOption = Annotated[str, typer.Option("--address", help=_ENGINE["address"])]
WorkersOption = Annotated[int, typer.Option("--workers", help=_ENGINE["workers"])]
GpusOption = Annotated[float, typer.Option("--gpus", help=_ENGINE["gpus"])]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="A bundled model, a folder or a hub name; ROLE=NAME where metrics need several, vllm:NAME for vLLM.",
    ),
]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
Options = Annotated[
    list[str] | None, typer.Option(help="NAME.KEY=VALUE: an option of a metric; judge.KEY of all judges.")
]


def score(
    metric: Annotated[
        list[str],
        typer.Option(
            help="A metric's name, with a checkpoint in brackets where it has one, or path.py:Class; may be repeated."
        ),
    ],
    study: Annotated[str | None, typer.Option(help="The study whose stories are scored.")] = None,
    in_: Annotated[
        list[str] | None,
        typer.Option(
            "--in",
            metavar="PATH",
            help="Score files' stories instead of a study's: a file, a folder, a pattern or s3://…; may be repeated.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="With --in: the file to write, with one column per metric, or a folder of Parquet files."),
    ] = None,
    partition: Annotated[
        int, typer.Option(min=1, help="With --in: so many rows are stored at a time; a run that stopped goes on there.")
    ] = ROWS_A_PARTITION,
    engine: EngineOption = EngineKind.LOCAL,
    address: AddressOption = "",
    workers: WorkersOption = 0,
    gpus: GpusOption = 0.0,
    model: Models = None,
    device: Device = "auto",
    precision: Annotated[str, typer.Option(help="float32, or bfloat16: faster, nearly the same order.")] = "float32",
    option: Options = None,
    endpoint: EndpointOption = None,
    endpoint_model: EndpointModel = None,
    endpoint_setting: EndpointSettings = None,
    half: Annotated[
        Half | None,
        typer.Option(help="Judges with a template of the study's own score this half of the prompts alone."),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="So many of the study's stories at most that lack a score, of as many prompts as can be: a trial.",
        ),
    ] = None,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Run metrics; what is stored already is not computed again."""
    at = judge_settings(endpoint, endpoint_model, endpoint_setting)
    settings = run_settings(metric, model, option, device=device, precision=precision) | at
    if half:
        settings["half"] = half.value
    if most:
        settings["most"] = most
    at_work = EngineSettings(engine, address, workers, gpus)
    if half and in_:
        raise InputError("--half is of a study's prompts: give --study.")
    if most and in_:
        raise InputError("--most is of a study's stories: give --study.")
    if endpoint and in_:
        raise InputError("An endpoint reads the stories of a study, whose owner has agreed to it: give --study.")
    if not in_ and out is not None:
        raise InputError("--out goes with --in: a study's scores stay with the study.")
    if study is not None and not in_:
        result = score_study(studies.find(study), settings | at_work.kept)
    elif in_ and study is None:
        columns, values = pairs(mapping, "--map"), row_filter(where)
        settings = checked_settings(settings)
        result = score_file(in_, out, settings, at_work, mapping=columns, where=values, rows=partition)
    else:
        raise InputError("Give either --study NAME or --in FILE.")
    show(result, json_file, lambda: print_scores(result))


def run_settings(
    metrics: list[str],
    models: list[str] | None,
    options: list[str] | None,
    *,
    device: str,
    precision: str = "float32",
) -> dict[str, Any]:
    """A run of these metrics on this machine, as a job keeps it."""
    from core.metrics.run import models_by_role, with_parts

    wanted, chosen = named_metrics(metrics, metric_options(options))
    asked = with_parts(wanted)
    return {
        "metrics": asked,
        "models": models_by_role(models or [], asked),
        "device": device,
        "precision": precision,
        "options": chosen,
    }


def score_study(study: Study, settings: dict[str, Any]) -> dict[str, Any]:
    """Run it on a study's stories; what `score --json` prints. Raises FabulaError where it cannot be run."""
    from core.metrics.run import endpoint_of

    if endpoint := endpoint_of(settings):
        consent.check(study.id, endpoint.address)
    result = run_here("score", study.id, checked_settings(settings, judged_study(study.id)))
    signatures = by_metric([(row["metric"], row["signature"]) for row in result["rows"]])
    rows = [{**row, "metric": name} for row, name in zip(result["rows"], signatures, strict=True)]
    number = stored_scores.count_stories(study.id, stored_scores.sources(study.id))
    about = {"study": study.name, "n": number, "signatures": signatures}
    of_stories = {row["metric"]: row["signature"] for row in rows if row["unit"] == "stories"}
    checked_up = _check_up(study.id, of_stories) if of_stories else []
    return {**about, "rows": rows, "notices": result["notices"], "check_up": checked_up}


def print_scores(result: dict[str, Any]) -> None:
    """A row a metric, why it is undefined where it is, and what else the run has to say."""
    rows = result["rows"]
    columns = [name for name in rows[0] if name not in ("signature", "reasons")]
    print_table("", columns, [[row[name] for name in columns] for row in rows])
    print_signatures({row["metric"]: row["signature"] for row in rows})
    for row in rows:
        for reason, count in row["reasons"].items():
            console.print(f"{row['metric']} is undefined for {count:,}: {reason}", markup=False)
    for text in result["notices"]:
        console.print(text, markup=False)
    for item in result["check_up"]:
        if item["check_up"].degenerate:
            console.print(f"{item['check_up'].counted}: {item['check_up'].rated(item['metric'])}.", markup=False)


def named_metrics(
    metrics: list[str], options: dict[str, dict[str, str]]
) -> tuple[list[str], dict[str, dict[str, str]]]:
    """The metrics, and their options with those that stand in the metrics' names, and those of all judges."""
    from core.metrics import family_of
    from core.metrics.naming import parse_name

    named: dict[str, dict[str, str]] = {}
    for name in metrics:
        metric, own = parse_name(name)
        given = {**options.get(family_of(metric), {}), **options.get(metric, {})}
        if named.setdefault(metric, own) != own or any(given.get(key, value) != value for key, value in own.items()):
            raise InputError(f"{metric} is asked for with different options: a run of its own for each.")
    families = {family_of(metric) for metric in named}
    others = {name: given for name, given in options.items() if name not in families}
    return list(named), others | {
        metric: {**options.get(family_of(metric), {}), **options.get(metric, {}), **own}
        for metric, own in named.items()
    }


def metric_options(given: list[str] | None) -> dict[str, dict[str, str]]:
    """`NAME.KEY=VALUE` by metric and key."""
    result: dict[str, dict[str, str]] = {}
    for name, value in pairs(given, "--option").items():
        metric, separator, key = name.rpartition(".")
        if not separator:
            raise InputError(f"--option takes NAME.KEY=VALUE, not {name}={value}.")
        result.setdefault(metric, {})[key] = value
    return result


def checked_settings(settings: dict[str, Any], judged: JudgedStudy | None = None) -> dict[str, Any]:
    """A wrong name, option or device must not leave a job behind. `judged`: the study, where there is one."""
    from core.metrics import find
    from core.metrics.run import checked

    settings = checked(checkpoints.placed(settings), judged)
    if any(find(name).role for name in settings["metrics"]):
        from core.models.network import resolve_device

        resolve_device(settings["device"])
    return settings


def _check_up(study_id: int, signatures: dict[str, str]) -> list[dict[str, Any]]:
    """Check a study's stories for repetition and for what is no text; for blends an analysis does so."""
    from core.analysis.judges.reported import held_out_alone
    from core.analysis.verdict.degenerate import RunningCheckUp
    from core.checks.degenerate import degenerate
    from core.judges.naming import is_own
    from db.scores import tables

    names = {signature: name for name, signature in signatures.items()}
    held_out = halves.prompts(study_id, Half.HELD_OUT) if any(map(is_own, names)) else frozenset()
    found: dict[str, RunningCheckUp] = {}
    for part in tables.tables_in_parts(study_id, names):
        table = held_out_alone(part, held_out)
        kinds = [degenerate(text) for text in table.texts]
        for column in table.columns:
            found.setdefault(column.signature, RunningCheckUp()).add(column.values, table.human, kinds)
    return [
        {"metric": names[signature], "signature": signature, "check_up": checked.result()}
        for signature, checked in found.items()
    ]


def list_metrics(json_file: JsonFile = None) -> None:
    """List the metrics, what they need and their options."""
    from core.metrics import METRICS

    rows = [
        {
            "name": name,
            "kind": metric.kind,
            "needs": sorted(metric.needs),
            "options": {
                key: [*option.values, *([option.further] if option.further else [])]
                for key, option in metric.options.items()
            },
            **plain(metric.card),
        }
        for name, metric in METRICS.items()
    ]

    def table() -> None:
        lines = [
            [
                r["name"],
                r["kind"],
                ", ".join(r["needs"]),
                "; ".join(f"{k}: {' | '.join(v)}" for k, v in r["options"].items()),
            ]
            for r in rows
        ]
        print_table("", ["metric", "kind", "needs", "options (the first is the default)"], lines)
        for row in rows:
            console.print(f"\n{row['name']}: {row['measures']}\n  Blind spots: {row['blind_spots']}\n  {row['paper']}")

    show({"rows": rows}, json_file, table)


def models(
    prepare: Annotated[
        bool, typer.Option(help="Convert the bundled models now, so that their first use is quick.")
    ] = False,
    json_file: JsonFile = None,
) -> None:
    """List the bundled models."""
    from core.models.catalogue import BUNDLED, ready

    if prepare:
        _prepare_models()
    rows = [
        {"name": m.name, "role": m.role, "revision": m.version, "ready": ready(m), "description": m.description}
        for m in BUNDLED.values()
    ]
    show({"rows": rows}, json_file, lambda: print_table("", list(rows[0]), [list(row.values()) for row in rows]))


def _prepare_models() -> None:
    """Unpack what is not there yet; on stderr, as the result may be JSON on stdout."""
    from core.models.catalogue import BUNDLED, locate, ready

    said = Console(stderr=True, highlight=False)
    for name, model in BUNDLED.items():
        if ready(model):
            continue
        began = time.monotonic()
        said.print(f"Unpacking the model {name} (once, about 15 s)", markup=False, soft_wrap=True)
        locate(name, model.role)
        said.print(f"  {name}: {duration(time.monotonic() - began)}", markup=False, soft_wrap=True)
    said.print(f"Database and models are ready in {home()}", markup=False, soft_wrap=True)
