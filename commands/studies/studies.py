"""`studies`: list, rename, copy, archive, delete and restore them; take back what was imported into one."""

from typing import Annotated

import typer

from commands.terminal import JsonFile, StudyName, console, print_table, show
from core.annotation.studies import Study
from core.errors import InputError, NotFound
from core.people import TERMINAL
from db.studies import lifecycle, past_imports, studies
from db.transfer import take_back

app = typer.Typer(help="List the studies, or rename, copy, archive, delete and restore one; take an import back.")
Name = Annotated[str, typer.Option("--name", help="The new name.")]


@app.callback(invoke_without_command=True)
def list_studies(
    context: typer.Context,
    archived: Annotated[bool, typer.Option("--archived", help="Those that are archived.")] = False,
    json_file: JsonFile = None,
) -> None:
    """List the studies."""
    if context.invoked_subcommand is not None:
        return
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
        for s in studies.summaries(TERMINAL, archived=archived)
    ]

    def table() -> None:
        if rows:
            print_table("", list(rows[0]), [list(row.values()) for row in rows])
        elif archived:
            console.print("No study is archived.")
        else:
            console.print("There are no studies yet: `import` one, or open the page and load the demonstration.")

    show({"rows": rows}, json_file, table)


@app.command("rename")
def rename(study: StudyName, name: Name) -> None:
    """Give a study another name."""
    before = lifecycle.rename(TERMINAL, studies.find(study).id, name)
    console.print(f"{before} is now called {name.strip()}.", markup=False)


@app.command("copy")
def copy(study: StudyName, name: Name) -> None:
    """A draft with the study's settings and stories, and no ratings."""
    new_study = lifecycle.clone(TERMINAL, studies.find(study).id, name)
    console.print(f"{new_study.name} has the settings and stories of {study}, and no ratings.", markup=False)


@app.command("archive")
def archive(study: StudyName) -> None:
    """Take a study out of the lists; nothing of it goes."""
    lifecycle.archive(TERMINAL, studies.find(study).id)
    console.print(f"{study} is archived; `studies restore` brings it back.", markup=False)


@app.command("delete")
def delete(study: StudyName) -> None:
    """Delete a study; for 30 days `studies restore` brings it back."""
    name = lifecycle.discard(TERMINAL, studies.find(study).id)
    console.print(f"{name} is deleted; for {lifecycle.KEPT.days} days `studies restore` brings it back.", markup=False)


@app.command("restore")
def restore(study: StudyName) -> None:
    """Bring back a study that is archived or was deleted, the one deleted last where several had the name."""
    loaded_study = _archived(study)
    if loaded_study is not None:
        lifecycle.bring_back(TERMINAL, loaded_study.id)
    else:
        gone = next((deleted for deleted in lifecycle.deleted(TERMINAL) if deleted.name == study), None)
        if gone is None:
            raise NotFound(f"No study {study!r} is archived, or was deleted in the last {lifecycle.KEPT.days} days.")
        lifecycle.restore(TERMINAL, gone.id)
    console.print(f"{study} is back.", markup=False)


def _archived(name: str) -> Study | None:
    return next(
        (summary.study for summary in studies.summaries(TERMINAL, archived=True) if summary.study.name == name), None
    )


@app.command("imports")
def list_imports(study: StudyName, json_file: JsonFile = None) -> None:
    """List what was imported into a study, the newest first, with the numbers by which `studies take-back` knows it."""
    rows = [
        {
            "import": past.id,
            "at": f"{past.at:%Y-%m-%d %H:%M} UTC",
            "by": past.who,
            "kind": past.origin.kind,
            "files": ", ".join(past.origin.files),
            "brought": past.brought.words,
            "left_out": " ".join(one.sentence for one in past.left_out),
        }
        for past in past_imports.listed(TERMINAL, studies.find(study).id)
    ]

    def table() -> None:
        if rows:
            print_table("", list(rows[0]), [list(row.values()) for row in rows])
        else:
            console.print(f"{study} has no import that could be taken back.", markup=False)

    show({"rows": rows}, json_file, table)


@app.command("take-back")
def take_import_back(
    study: StudyName,
    number: Annotated[int, typer.Option("--import", help="Its number, as `studies imports` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take an import back: its stories, ratings and scores leave the study, unless people have rated them here or a
    later import needs them.
    """
    study_id = studies.find(study).id
    goes = take_back.taking_back(TERMINAL, study_id, number)
    if goes.refusal:
        raise InputError(goes.refusal)
    if not yes:
        typer.confirm(f"{goes.sentence} Take import {number} of {study} back for good?", abort=True)
    past = take_back.take_back(TERMINAL, study_id, number)
    console.print(f"The import of {past.name} is taken back from {study}.", markup=False, soft_wrap=True)
