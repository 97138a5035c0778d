"""Fabula from a terminal: the same work as the pages, as thin."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import Progress

from core.analysis.correlation import Coefficient, correlate_table
from core.analysis.judgments import summarise
from core.errors import FabulaError, InputError
from core.formats.mans import read_mans
from core.formats.ratings import EXPORTS, write_ratings
from core.formats.scores import read_scores
from core.formats.tables import check_target, read_stories, read_table, select_rows, texts_of, write_table
from core.formats.union import read_union
from core.jobs import JobState
from core.people import TERMINAL, Role
from core.published.reproduce import reproduce_mans, reproduce_union
from core.report import by_metric, correlate_report, judgments_report, plain
from core.stories import Corpus
from core.studies import Study
from db import imports, jobs, people, ratings, studies
from db import scores as stored_scores
from db.migrate import migrate
from db.owner import served_address
from terminal import console, pairs, print_table, show

app = typer.Typer(
    help="Fabula: rate stories, run metrics, see which metric deserves trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
scores_app = typer.Typer(help="Scores that other programs made.", no_args_is_help=True)
people_app = typer.Typer(help="Personal links.", no_args_is_help=True)
app.add_typer(scores_app, name="scores")
app.add_typer(people_app, name="people")

StudyName = Annotated[str, typer.Option("--study", help="The study's name.")]
JsonFile = Annotated[str | None, typer.Option("--json", help="Write the result as JSON to this file; - for stdout.")]
Seed = Annotated[int, typer.Option(help="Seed of the bootstrap.")]
Pairs = Annotated[list[str] | None, typer.Option("--map", help="FIELD=COLUMN: text, prompt, system, reference, id, …")]
Where = Annotated[list[str] | None, typer.Option("--where", help="COLUMN=VALUE: only these rows.")]


@app.callback()
def start() -> None:
    """Every command migrates first."""
    migrate()


@app.command("studies")
def list_studies(json_file: JsonFile = None) -> None:
    """List the studies."""
    found = studies.summaries()
    rows = [
        {
            "name": s.study.name,
            "scheme": s.study.scheme_key,
            "state": s.study.state,
            "demonstration": s.study.demonstration,
            "prompts": s.prompts,
            "stories": s.stories,
            "references": s.references,
            "ratings": s.ratings,
            "metrics": s.metrics,
        }
        for s in found
    ]

    def table() -> None:
        if not rows:
            console.print("There are no studies yet: `import` one, or open the page and load the demonstration.")
            return
        print_table("", list(rows[0]), [list(row.values()) for row in rows])

    show({"rows": rows}, json_file, table)


@app.command("import")
def import_(
    kind: Annotated[str, typer.Argument(metavar="FORMAT", help="union, mans or stories.")],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…")],
    study: StudyName,
    mapping: Pairs = None,
    where: Where = None,
) -> None:
    """Import stories, with their ratings and scores where the format has them; makes the study if it is missing."""
    if kind not in ("union", "mans", "stories"):
        raise InputError(f"There is no import format {kind!r}; choose union, mans or stories.")
    if kind != "stories" and (mapping or where):
        raise InputError(f"--map and --where are for stories; the {kind} format has fixed fields.")
    corpora = [_read(kind, path, pairs(mapping, "--map"), pairs(where, "--where")) for path in paths]
    found = imports.import_corpora(TERMINAL, study, corpora)
    summary = next(s for s in studies.summaries() if s.study.id == found.id)
    console.print(
        f"{found.name}: {summary.stories:,} stories, {summary.references:,} references, {summary.ratings:,} ratings, "
        f"scores of {summary.metrics} metrics.",
        markup=False,
    )
    for notice in dict.fromkeys(n for corpus in corpora for n in corpus.notices):
        console.print(f"Note: {notice}", markup=False)


def _read(kind: str, path: Path, mapping: dict[str, str], where: dict[str, str]) -> Corpus:
    if kind == "union":
        return read_union(path)
    return read_mans(path) if kind == "mans" else read_stories(path, mapping, where)


@app.command()
def export(
    study: StudyName,
    out: Annotated[Path, typer.Option(help="The file to write; - for stdout.")],
    format_: Annotated[str, typer.Option("--format", help="csv or jsonl.")] = "csv",
) -> None:
    """Export every rating, one a row."""
    found = studies.find(study)
    if format_ not in EXPORTS:
        raise InputError(f"There is no export format {format_!r}; choose {' or '.join(EXPORTS)}.")
    if str(out) == "-":
        write_ratings(ratings.exported(TERMINAL, found.id), sys.stdout, format_)
        return
    partial = out.with_name(out.name + ".part")
    try:
        with partial.open("w", encoding="utf-8", newline="") as stream:
            number = write_ratings(ratings.exported(TERMINAL, found.id), stream, format_)
        partial.replace(out)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"{out} cannot be written: {error.strerror}.") from error
    console.print(f"{number:,} ratings written to {out}.", markup=False)


@app.command()
def score(
    metric: Annotated[list[str], typer.Option(help="A metric's name; may be repeated.")],
    study: Annotated[str | None, typer.Option(help="The study whose stories are scored.")] = None,
    in_: Annotated[Path | None, typer.Option("--in", help="Score a file's stories instead of a study's.")] = None,
    out: Annotated[Path | None, typer.Option(help="With --in: the file to write, with a column a metric.")] = None,
    model: Annotated[str | None, typer.Option(help="A bundled model, a folder or a hub name.")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    option: Annotated[list[str] | None, typer.Option(help="NAME.KEY=VALUE: an option of a metric.")] = None,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Run metrics; what is stored already is not computed again."""
    from core.models.runtime import resolve_device

    resolve_device(device)
    settings = {"metrics": list(dict.fromkeys(metric)), "model": model, "device": device, "options": _options(option)}
    if study is not None and in_ is None:
        result = _score_study(studies.find(study), settings)
    elif in_ is not None and study is None:
        result = _score_file(in_, out, settings, pairs(mapping, "--map"), pairs(where, "--where"))
    else:
        raise InputError("Give either --study NAME or --in FILE.")
    rows = result["rows"]
    show(result, json_file, lambda: print_table("", list(rows[0]), [list(row.values()) for row in rows]))


def _options(given: list[str] | None) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name, value in pairs(given, "--option").items():
        metric, separator, key = name.partition(".")
        if not separator:
            raise InputError(f"--option takes NAME.KEY=VALUE, not {name}={value}.")
        found.setdefault(metric, {})[key] = value
    return found


def _score_study(found: Study, settings: dict[str, Any]) -> dict[str, Any]:
    import worker
    from core.metrics import build

    for name in settings["metrics"]:  # a wrong name or option must not leave a job behind
        build(name, worker.metric_settings(settings, name))
    own = jobs.add(TERMINAL, "score", found.id, settings, runner=f"terminal {os.getpid()}")
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("preparing", total=None)
        ended = worker.run_job(
            own, lambda done, total, what: bar.update(task, description=what, completed=done, total=total)
        )
    if ended.state is not JobState.DONE or ended.result is None:
        raise FabulaError(f"The run is {ended.state}: {ended.message}")
    rows = ended.result["rows"]
    signatures = by_metric([(row["metric"], row["signature"]) for row in rows])
    return {"study": found.name, "n": stored_scores.count_stories(found.id), "signatures": signatures, "rows": rows}


def _score_file(
    path: Path, out: Path | None, settings: dict[str, Any], mapping: dict[str, str], where: dict[str, str]
) -> dict[str, Any]:
    import numpy as np

    import worker
    from core.metrics import build

    if out is None:
        raise InputError("Name the file to write with --out.")
    table = select_rows(read_table(path), where)
    stories = texts_of(table, mapping)
    check_target(table, settings["metrics"], out)
    added, rows = {}, []
    for name in settings["metrics"]:
        metric = build(name, worker.metric_settings(settings, name))
        begun = time.perf_counter()
        values = metric.score(stories).values
        seconds = round(time.perf_counter() - begun, 3)
        added[name] = values.tolist()
        undefined = int(np.isnan(values).sum())
        row = {"metric": name, "signature": metric.signature, "scored": len(values), "reused": 0}
        rows.append({**row, "undefined": undefined, "seconds": seconds})
    write_table(table, added, out)
    return {"rows": rows}


@scores_app.command("import")
def import_scores(
    file: Path,
    study: StudyName,
    metric: Annotated[str, typer.Option(help="The metric's name.")],
    negate: Annotated[bool, typer.Option(help="For scores that are lower for better stories.")] = False,
    mapping: Annotated[list[str] | None, typer.Option("--map", help="id=COLUMN and score=COLUMN.")] = None,
) -> None:
    """Import a metric's scores: a number a line in the stories' order, or a table with their ids."""
    found = studies.find(study)
    columns = pairs(mapping, "--map")
    unknown = set(columns) - {"id", "score"}
    if unknown:
        raise InputError(f"--map takes id=COLUMN and score=COLUMN here, not {', '.join(sorted(unknown))}.")
    column = read_scores(
        file,
        metric,
        stored_scores.story_keys(found.id),
        id_column=columns.get("id"),
        score_column=columns.get("score"),
        negate=negate,
    )
    stored_scores.import_scores(TERMINAL, found.id, column)
    console.print(f"{len(column.values):,} scores of {metric} imported as {column.signature}.", markup=False)


@app.command()
def judgments(study: StudyName, seed: Seed = 0, json_file: JsonFile = None) -> None:
    """What people said: means, agreement, error types."""
    found = studies.find(study)
    summary = summarise(
        ratings.judged_stories(found.id),
        found.scheme,
        annotators=ratings.annotators(found.id),
        raters_identified=found.raters_identified,
        seed=seed,
    )
    report = judgments_report(found, summary, seed)

    def table() -> None:
        if found.demonstration:
            console.print("These ratings are demonstration data.")
        single = ("stories", "ratings", "annotators", "mean", "one_rater", "ceiling")
        print_table("", ["", found.name], [[name, report[name]] for name in single])
        alpha = report["alpha"]
        print_table("Krippendorff's alpha", list(alpha), [list(alpha.values())])
        print_table(
            "By system", ["system", "n", "mean", "sd"], [[k, *v.values()] for k, v in report["by_system"].items()]
        )
        if report["error_types"]:
            types = [[k, *v.values()] for k, v in report["error_types"].items()]
            print_table("Error types", ["type", "share", "alpha"], types)

    show(report, json_file, table)


@app.command()
def correlate(
    study: StudyName,
    metric: Annotated[list[str] | None, typer.Option(help="Only these metrics.")] = None,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws; 0 for none.")] = 1000,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """How far each metric agrees with people; * is p < 0.01."""
    found = studies.find(study)
    table_of_scores = stored_scores.table(found.id, metric)
    rows = correlate_table(table_of_scores, seed=seed, resamples=resamples)
    if not rows:
        raise InputError(f"The study {found.name!r} has no scores yet; run `score` or import some.")

    def table() -> None:
        if found.demonstration:
            console.print("These ratings are demonstration data.")
        lines = []
        for row in rows:
            c = row.correlation
            triple = [_starred(one) for one in (c.pearson, c.spearman, c.kendall)]
            interval = f"{c.pearson.low:.3f} … {c.pearson.high:.3f}" if c.pearson.low is not None else "–"
            lines.append([row.metric, c.n, *triple, interval, c.undefined or row.signature])
        print_table("", ["metric", "n", "Pearson", "Spearman", "Kendall", "95 % of Pearson", "signature"], lines)

    show(correlate_report(found, rows, seed), json_file, table)


def _starred(coefficient: Coefficient) -> str:
    return "–" if coefficient.value is None else f"{coefficient.value:.4f}{'*' if coefficient.starred else ''}"


@app.command()
def reproduce(
    paper: Annotated[str, typer.Argument(help="union or mans.")],
    data: Annotated[Path, typer.Option(help="The folder with the released data.")],
    json_file: JsonFile = None,
) -> None:
    """Published numbers beside ours, and which agree."""
    if paper not in ("union", "mans"):
        raise InputError(f"There is nothing published under {paper!r} here; choose union or mans.")
    rows = reproduce_union(data) if paper == "union" else reproduce_mans(data)

    def table() -> None:
        lines = [[r.table, r.row, r.column, r.published, r.ours, "yes" if r.agrees else "NO"] for r in rows]
        print_table("", ["table", "row", "column", "published", "ours", "agrees"], lines)
        console.print(f"{sum(r.agrees for r in rows)} of {len(rows)} agree.")

    show({"rows": rows}, json_file, table)


@app.command("metrics")
def list_metrics(json_file: JsonFile = None) -> None:
    """List the metrics, what they need and their options."""
    from core.metrics import METRICS

    rows = [
        {
            "name": name,
            "kind": metric.kind,
            "needs": sorted(metric.needs),
            "options": {key: list(option.values) for key, option in metric.options.items()},
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

    show({"rows": rows}, json_file, table)


@app.command()
def models(
    prepare: Annotated[
        bool, typer.Option(help="Convert the bundled models now, so that their first use is quick.")
    ] = False,
    json_file: JsonFile = None,
) -> None:
    """List the bundled models."""
    from core.models.catalogue import BUNDLED, converted_folder, locate

    if prepare:
        for name in BUNDLED:
            locate(name)
    rows = [
        {"name": m.name, "revision": m.version, "ready": converted_folder(m).is_dir(), "description": m.description}
        for m in BUNDLED.values()
    ]
    show({"rows": rows}, json_file, lambda: print_table("", list(rows[0]), [list(row.values()) for row in rows]))


@people_app.command()
def invite(
    role: Annotated[str, typer.Option(help="annotator, researcher or owner.")],
    study: Annotated[str | None, typer.Option(help="For annotators: their study.")] = None,
    name: Annotated[str, typer.Option(help="A name to know them by.")] = "",
    address: Annotated[
        str | None, typer.Option(help="Where the app is served; where it was last, if left out.")
    ] = None,
) -> None:
    """Make a personal link. It is shown once."""
    if role not in set(Role):
        raise InputError(f"There is no role {role!r}; choose annotator, researcher or owner.")
    study_id = studies.find(study).id if study else None
    token = people.invite(TERMINAL, Role(role), name=name, study_id=study_id)
    print(f"{(address or served_address()).rstrip('/')}/enter/{token}")


@app.command()
def doctor(json_file: JsonFile = None) -> None:
    """What Fabula runs on, and what is missing."""
    from core.doctor import examine
    from db.engine import address
    from db.migrate import newest, revision

    rows = [
        {"what": "database", "found": address(), "advice": ""},
        {"what": "database revision", "found": f"{revision()} (newest: {newest()})", "advice": ""},
        *(plain(finding) for finding in examine()),
    ]
    show({"rows": rows}, json_file, lambda: print_table("", list(rows[0]), [list(row.values()) for row in rows]))


def expanded(words: list[str]) -> list[str]:
    """`--map a=b c=d` as `--map a=b --map c=d`: the options that take NAME=VALUE take several of them."""
    found: list[str] = []
    option = ""
    for word in words:
        if option and "=" in word and not word.startswith("-"):
            found += [option, word] if found[-1] != option else [word]
        else:
            option = word if word in ("--map", "--where", "--option") else ""
            found.append(word)
    return found


def _fail(message: str) -> NoReturn:
    print(f"fabula: {message}", file=sys.stderr)
    raise SystemExit(2)


def main() -> None:
    """Run a command; an error a user can understand is one line on stderr and exit status 2."""
    try:
        if any("\udc80" <= character <= "\udcff" for word in sys.argv for character in word):
            raise InputError("A word on the command line is not valid text in this terminal's encoding.")
        app(expanded(sys.argv[1:]), standalone_mode=False)
    except FabulaError as error:
        _fail(str(error))
    except typer.TyperException as error:  # a wrong word on the command line
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        if not message:  # a group without a command has printed its help
            raise SystemExit(2) from None
        _fail(message)
    except (KeyboardInterrupt, typer.Abort):
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
