"""Commands that bring data in and out: studies, import, export, scores import."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, Pairs, StudyName, Where, console, pairs, print_table, show
from core.errors import InputError
from core.formats.mans import read_mans
from core.formats.ratings import EXPORTS, write_ratings
from core.formats.scores import read_scores
from core.formats.tables import read_stories
from core.formats.union import read_union
from core.people import TERMINAL
from core.stories import Corpus
from db import imports, ratings, studies
from db import scores as stored_scores


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
    partial = out.with_name(f"{out.name}.{os.getpid()}.part")  # two exports at once do not share it
    try:
        with partial.open("w", encoding="utf-8", newline="") as stream:
            number = write_ratings(ratings.exported(TERMINAL, found.id), stream, format_)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)
    console.print(f"{number:,} ratings written to {out}.", markup=False)


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
