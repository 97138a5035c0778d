"""Commands about people: personal links, who takes part, one person's data."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, console, print_table, show
from core.errors import InputError
from core.people import TERMINAL, Role
from db.monitor import personal_data, retention
from db.people import owner, people
from db.people.owner import served_address
from db.studies import studies

Number = Annotated[int, typer.Argument(metavar="PERSON", help="The person's number, as `people list` shows it.")]


def invite(
    role: Annotated[str, typer.Option(help="annotator, researcher or owner.")],
    study: Annotated[
        list[str] | None,
        typer.Option(help="For annotators: their study. For researchers: one that they run; repeat it."),
    ] = None,
    name: Annotated[str, typer.Option(help="A name to know them by.")] = "",
    email: Annotated[str, typer.Option(help="For researchers and owners who sign in instead of using a link.")] = "",
    address: Annotated[
        str | None, typer.Option(help="Where the app is served; where it was last, if left out.")
    ] = None,
) -> None:
    """Make a personal link. It is shown once."""
    if role not in set(Role):
        raise InputError(f"There is no role {role!r}; choose annotator, researcher or owner.")
    ids = [studies.find(known).id for known in study or []]
    if role == Role.ANNOTATOR and len(ids) > 1:
        raise InputError("An annotator is invited to one study; give --study once.")
    if role == Role.OWNER and ids:
        raise InputError(people.NOT_GIVEN)
    study_id = ids[0] if role == Role.ANNOTATOR and ids else None
    runs = ids if role == Role.RESEARCHER else ()
    token = people.invite(TERMINAL, Role(role), name=name, study_id=study_id, email=email, runs=runs)
    if email:
        console.print(f"{email} can sign in now, at {address or served_address()}.", markup=False)
        return
    print(f"{(address or served_address()).rstrip('/')}/enter/{token}")


def give_studies(
    person: Number,
    study: Annotated[list[str] | None, typer.Option(help="A study that they run from now on; repeat it.")] = None,
) -> None:
    """Say which studies a researcher runs; without any, only those that they will make."""
    people.set_studies(TERMINAL, person, [studies.find(name).id for name in study or []])
    console.print(f"Person {person} runs {', '.join(study) if study else 'no study of others'} now.", markup=False)


def new_link(person: Number) -> None:
    """Make somebody another link; the one that they had, and their sessions, end."""
    print(f"{served_address().rstrip('/')}/enter/{owner.renew(TERMINAL, person)}")


def list_people(
    study: Annotated[str | None, typer.Option(help="Only this study's annotators.")] = None,
    json_file: JsonFile = None,
) -> None:
    """List everybody with their number, role and state."""
    persons = people.listed(TERMINAL, studies.find(study).id if study else None)
    rows = [
        {
            "person": person.id,
            "name": person.name,
            "role": str(person.role),
            "study": person.study,
            "email": person.email,
            "state": person.state,
            "qualified": person.qualified,
            "invited": person.created_at.isoformat(),
            "until": person.expires_at.isoformat() if person.expires_at else None,
        }
        for person in persons
    ]

    def table() -> None:
        if not rows:
            console.print("There is nobody yet: `people invite` makes a link.")
            return
        shown = ("person", "name", "role", "study", "email", "state")
        print_table("", list(shown), [[row[name] for name in shown] for row in rows])

    show({"rows": rows}, json_file, table)


def export_data(
    person: Number,
    out: Annotated[Path, typer.Option(help="The JSON file to write; - for stdout.")],
) -> None:
    """Write everything that is kept about one person."""
    text = json.dumps(personal_data.exported(TERMINAL, person), ensure_ascii=False, indent=1)
    if str(out) == "-":
        print(text)
        return
    try:
        with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
            stream.write(text + "\n")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from error
    console.print(f"All that is kept about person {person} is in {out}.", markup=False)


def erase(
    person: Number,
    ratings: Annotated[str, typer.Option(help="keep: what they handed in stays, as that of nobody; delete: it goes.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Make a person unknown for good: their name, platform's id, notes and link go."""
    if ratings not in ("keep", "delete"):
        raise InputError(f"--ratings is keep or delete, not {ratings!r}.")
    if not yes:
        typer.confirm(f"Erase person {person} for good, and {ratings} their ratings?", abort=True)
    personal_data.erase(TERMINAL, person, keep_ratings=ratings == "keep")
    console.print(f"Person {person} is erased.", markup=False)


def set_retention(
    study: Annotated[str, typer.Argument(help="The study's name.")],
    days: Annotated[int, typer.Option(help="Days from when the study is closed; 0: until somebody erases them.")],
) -> None:
    """Say how long the personal data of a study's annotators are kept after it is closed."""
    study_id = studies.find(study).id
    retention.set_days(TERMINAL, study_id, days or None)
    standing = retention.standing(TERMINAL, study_id)
    until = f" until {standing.ends_at:%d %B %Y}" if standing.ends_at else ""
    period = f"{days} days after {study} is closed" if days else "until somebody erases them"
    console.print(f"Personal data are kept {period}; now those of {standing.people} annotators{until}.", markup=False)


def erase_annotators(
    study: Annotated[str, typer.Argument(help="The study's name.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase all annotators of a closed study, as `people erase` does; what they handed in stays."""
    study_id = studies.find(study).id
    standing = retention.standing(TERMINAL, study_id)
    if not yes:
        owed = f" {standing.unpaid} are not paid yet." if standing.unpaid else ""
        typer.confirm(f"Erase {standing.people} annotators of {study} for good?{owed}", abort=True)
    console.print(f"{retention.erase_annotators(TERMINAL, study_id)} annotators are erased.", markup=False)
