"""Commands that run metrics: score, metrics, models."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from commands.jobs import run_here
from commands.json.results import by_metric
from commands.metrics.judging import EndpointModel, EndpointOption, EndpointSettings, judge_settings
from commands.terminal import JsonFile, Pairs, Where, console, pairs, print_signatures, print_table, show
from core.annotation.studies import Study
from core.arrays import Floats
from core.errors import InputError
from core.formats.plain_json import plain
from core.formats.tables import check_target, read_table, select_rows, texts_of, write_table
from core.judges.study import JudgedStudy
from db.judges import consent
from db.judges.judged import judged_study
from db.scores import scores as stored_scores
from db.studies import studies
from db.training import checkpoints

STORIES_AT_ONCE = 2048


def score(
    metric: Annotated[
        list[str],
        typer.Option(
            help="A metric's name, with a checkpoint in brackets where it has one, or path.py:Class; may be repeated."
        ),
    ],
    study: Annotated[str | None, typer.Option(help="The study whose stories are scored.")] = None,
    in_: Annotated[Path | None, typer.Option("--in", help="Score a file's stories instead of a study's.")] = None,
    out: Annotated[Path | None, typer.Option(help="With --in: the file to write, with one column per metric.")] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A bundled model, a folder or a hub name; ROLE=NAME where metrics need several."),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    precision: Annotated[str, typer.Option(help="float32, or bfloat16: faster, nearly the same order.")] = "float32",
    option: Annotated[list[str] | None, typer.Option(help="NAME.KEY=VALUE: an option of a metric.")] = None,
    endpoint: EndpointOption = None,
    endpoint_model: EndpointModel = None,
    endpoint_setting: EndpointSettings = None,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Run metrics; what is stored already is not computed again."""
    from core.metrics.run import models_by_role, with_parts

    wanted, options = named_metrics(metric, metric_options(option))
    metrics = with_parts(wanted)
    settings = {
        "metrics": metrics,
        "models": models_by_role(model or [], metrics),
        "device": device,
        "precision": precision,
        "options": options,
        **judge_settings(endpoint, endpoint_model, endpoint_setting),
    }
    if endpoint and in_ is not None:
        raise InputError("An endpoint judges the stories of a study, whose owner has agreed to it: give --study.")
    if in_ is None and out is not None:
        raise InputError("--out goes with --in: a study's scores stay with the study.")
    if study is not None and in_ is None:
        scored = studies.find(study)
        if endpoint:
            consent.check(scored.id, endpoint)
        result = _score_study(scored, checked_settings(settings, judged_study(scored.id)))
    elif in_ is not None and study is None:
        settings = checked_settings(settings)
        result = _score_file(in_, out, settings, pairs(mapping, "--map"), pairs(where, "--where"))
    else:
        raise InputError("Give either --study NAME or --in FILE.")
    rows = result["rows"]

    def table() -> None:
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

    show(result, json_file, table)


def named_metrics(
    metrics: list[str], options: dict[str, dict[str, str]]
) -> tuple[list[str], dict[str, dict[str, str]]]:
    """The metrics, and their options with those that stand in the metrics' names."""
    from core.metrics.naming import parse_name

    named: dict[str, dict[str, str]] = {}
    for name in metrics:
        metric, own = parse_name(name)
        if named.setdefault(metric, own) != own or any(options.get(metric, {}).get(k, v) != v for k, v in own.items()):
            raise InputError(f"{metric} is asked for with different options: a run of its own for each.")
    return list(named), {metric: {**options.get(metric, {}), **named.get(metric, {})} for metric in {*options, *named}}


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


def _score_study(study: Study, settings: dict[str, Any]) -> dict[str, Any]:
    result = run_here("score", study.id, settings)
    signatures = by_metric([(row["metric"], row["signature"]) for row in result["rows"]])
    rows = [{**row, "metric": name} for row, name in zip(result["rows"], signatures, strict=True)]
    number = stored_scores.count_stories(study.id, stored_scores.sources(study.id))
    about = {"study": study.name, "n": number, "signatures": signatures}
    return {**about, "rows": rows, "notices": result["notices"], "check_up": _check_up(study.id, signatures)}


def _check_up(study_id: int, signatures: dict[str, str]) -> list[dict[str, Any]]:
    """Check a study's stories for repetition and for what is no text; for blends an analysis does so."""
    from core.metrics.naming import unique_names
    from db.scores import tables

    table = tables.table(study_id, signatures.values())
    names = unique_names([(column.metric, column.signature) for column in table.columns])
    columns = [(name, column.signature, column.values) for name, column in zip(names, table.columns, strict=True)]
    return _degenerate(columns, table.human, table.prompts, table.texts)


def _degenerate(
    columns: Sequence[tuple[str, str, Floats]], human: Floats, prompts: Sequence[str], texts: Sequence[str]
) -> list[dict[str, Any]]:
    """What each metric makes of stories that repeat themselves or are no text; `columns`: name, signature, scores."""
    from core.analysis.verdict.degenerate import check_up
    from core.checks.degenerate import degenerate

    kinds = [degenerate(text) for text in texts]
    return [
        {"metric": name, "signature": signature, "check_up": check_up(values, human, prompts, kinds)}
        for name, signature, values in columns
    ]


def _score_file(
    path: Path, out: Path | None, settings: dict[str, Any], mapping: dict[str, str], where: dict[str, str]
) -> dict[str, Any]:
    from core.metrics import build
    from core.metrics.batches import score_in_turns
    from core.metrics.naming import unique_names
    from core.metrics.run import parts_of, settings_of
    from core.notices import collecting

    if out is None:
        raise InputError("Name the file to write with --out.")
    for name in settings["metrics"]:
        if made_of := parts_of(name):
            raise InputError(f"{name} depends on a study's other stories: score {' and '.join(made_of)} of a file.")
    table = select_rows(read_table(path), where)
    stories = texts_of(table, mapping)
    references = list(dict.fromkeys(text for story in stories for text in story.references))
    judged = JudgedStudy()
    metrics = [build(name, settings_of(settings, name, lambda: references, judged)) for name in settings["metrics"]]
    names = unique_names([(metric.name, metric.signature) for metric in metrics])
    check_target(table, names, out)
    columns: list[tuple[str, str, Floats]] = []
    rows = []
    numbered = list(enumerate(stories))
    with collecting() as notices:
        for name, metric in zip(names, metrics, strict=True):
            values, reasons, seconds = np.empty(len(stories)), Counter[str](), 0.0
            rounds = ([numbered[i : i + STORIES_AT_ONCE]] for i in range(0, len(numbered), STORIES_AT_ONCE))
            for turn in score_in_turns([metric], rounds):
                values[list(turn.keys)] = turn.scores.values
                reasons.update(turn.scores.reasons.values())
                seconds += turn.seconds
            columns.append((name, metric.signature, values))
            row = {"metric": name, "signature": metric.signature, "scored": len(values), "reused": 0}
            counts = {"undefined": int(np.isnan(values).sum()), "reasons": dict(reasons.most_common())}
            rows.append({**row, **counts, "seconds": round(seconds, 3)})
    write_table(table, {name: values.tolist() for name, _, values in columns}, out)
    unrated = np.full(len(stories), np.nan)
    texts, prompts = [story.text for story in stories], [story.prompt for story in stories]
    return {"rows": rows, "notices": notices, "check_up": _degenerate(columns, unrated, prompts, texts)}


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
    from core.models.catalogue import BUNDLED, locate, ready

    if prepare:
        for name, model in BUNDLED.items():
            locate(name, model.role)
    rows = [
        {"name": m.name, "role": m.role, "revision": m.version, "ready": ready(m), "description": m.description}
        for m in BUNDLED.values()
    ]
    show({"rows": rows}, json_file, lambda: print_table("", list(rows[0]), [list(row.values()) for row in rows]))
