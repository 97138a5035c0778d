"""Fabula from a terminal: the same work as the pages, as thin."""

from commands.interrupt import INTERRUPTED, STOPPED, once_loaded, while_loading

if __name__ == "__main__":
    while_loading()

import gc
import sys
from typing import Annotated, NoReturn

import typer

from commands import backups
from commands.analysis import (
    biases,
    capability,
    compare,
    correlation,
    differences,
    drift,
    judges,
    naturalness,
    plan,
    preferences,
    report,
    reproduce,
    systems,
    trial,
    wording,
)
from commands.metrics import checkpoints, explain, judging, score_deletion, scoring, tokens
from commands.studies import bundle, people, prolific, studies, transfer
from commands.terminal import JsonFile, print_table, show
from commands.test_sets import perturb
from commands.training import ablation, train
from core.errors import FabulaError, InputError
from core.formats.plain_json import plain
from core.serving.memory import share_freed
from db.migrate import migrate

app = typer.Typer(
    help="Fabula: rate stories, run metrics, see which metric deserves trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
scores_app = typer.Typer(help="A study's scores: from other programs, and away.", no_args_is_help=True)
gltr_app = typer.Typer(help="Files of GLTR's, in and out.", no_args_is_help=True)
people_app = typer.Typer(help="People: their links, and their data on request.", no_args_is_help=True)
checkpoints_app = typer.Typer(help="Checkpoints: metrics that were trained.", no_args_is_help=True)

app.add_typer(studies.app, name="studies")
app.command("import")(transfer.import_)
app.command("export")(transfer.export)
app.command("bundle")(bundle.bundle)
app.command("score")(scoring.score)
app.add_typer(judging.app, name="endpoint")
app.add_typer(scores_app, name="scores")
scores_app.command("import")(transfer.import_scores)
scores_app.command("delete")(score_deletion.delete_scores)
app.command("judgments")(correlation.judgments)
app.command("correlate")(correlation.correlate)
app.command("compare")(compare.compare)
app.add_typer(drift.app, name="drift")
app.command("differences")(differences.differences)
app.command("systems")(systems.systems)
app.command("preferences")(preferences.preferences)
app.command("judge")(trial.judge)
app.command("biases")(biases.biases)
app.command("alt-test")(judges.alt_test)
app.command("wording")(wording.wording)
app.add_typer(perturb.app, name="perturb")
app.command("capability")(capability.capability)
app.add_typer(train.app, name="train")
app.command("ablation")(ablation.ablation)
app.add_typer(explain.app, name="explain")
app.command("tokens")(tokens.tokens)
app.add_typer(gltr_app, name="gltr")
gltr_app.command("import")(tokens.import_gltr)
gltr_app.command("export")(tokens.export_gltr)
app.command("naturalness")(naturalness.naturalness_command)
app.command("plan")(plan.plan)
app.command("report")(report.report)
app.command("reproduce")(reproduce.reproduce)
app.command("metrics")(scoring.list_metrics)
app.command("models")(scoring.models)
app.add_typer(checkpoints_app, name="checkpoints")
checkpoints_app.command("list")(checkpoints.list_checkpoints)
checkpoints_app.command("import")(checkpoints.import_checkpoint)
checkpoints_app.command("export")(checkpoints.export_checkpoint)
checkpoints_app.command("delete")(checkpoints.delete_checkpoint)
app.add_typer(people_app, name="people")
app.add_typer(prolific.app, name="prolific")
people_app.command("invite")(people.invite)
people_app.command("list")(people.list_people)
people_app.command("studies")(people.give_studies)
people_app.command("new-link")(people.new_link)
people_app.command("export-data")(people.export_data)
people_app.command("erase")(people.erase)
people_app.command("retention")(people.set_retention)
people_app.command("erase-annotators")(people.erase_annotators)


app.command("backup")(backups.backup)
app.command("verify")(backups.verify)
app.command("restore")(backups.restore)


@app.callback()
def start(context: typer.Context) -> None:
    """Every command migrates first, but those that want an empty database, or none."""
    share_freed()
    gc.freeze()  # rows come and go by the million, each few thousand of which have all that is loaded looked through
    if context.invoked_subcommand not in ("restore", "verify"):
        migrate()


@app.command()
def doctor(
    json_file: JsonFile = None,
    public: Annotated[
        bool,
        typer.Option(
            "--public", help="Also what is missing before strangers may reach it; exit 1 if it may not be served so."
        ),
    ] = False,
) -> None:
    """What Fabula runs on, and what is missing."""
    from core.models.doctor import examine
    from core.serving.deployment import gaps
    from db.engine import address
    from db.migrate import newest, revision
    from routes.admission.deployed import deployed

    rows = [
        {"what": "database", "found": address(), "advice": ""},
        {"what": "database revision", "found": f"{revision()} (newest: {newest()})", "advice": ""},
        *(plain(finding) for finding in examine()),
    ]
    missing = gaps(deployed()) if public else ()
    rows += [{"what": "gap" if gap.refused else "to mend", "found": gap.what, "advice": gap.mend} for gap in missing]
    show({"rows": rows}, json_file, lambda: print_table("", list(rows[0]), [list(row.values()) for row in rows]))
    if any(gap.refused for gap in missing):
        raise SystemExit(1)


def expanded(words: list[str]) -> list[str]:
    """`--map a=b c=d` as `--map a=b --map c=d`: the options that take NAME=VALUE take several of them."""
    options: list[str] = []
    option = ""
    for word in words:
        if option and "=" in word and not word.startswith("-"):
            options += [option, word] if options[-1] != option else [word]
        else:
            option = word if word in ("--map", "--where", "--option", "--endpoint-setting") else ""
            options.append(word)
    return options


def _fail(message: str) -> NoReturn:
    print(f"fabula: {message}", file=sys.stderr)
    raise SystemExit(2)


def main() -> None:
    """Run a command; an error a user can understand is one line on stderr and exit status 2, Ctrl-C one and 130."""
    try:
        once_loaded()
        if any("\udc80" <= character <= "\udcff" for word in sys.argv for character in word):
            raise InputError("A word on the command line is not valid text in this terminal's encoding.")
        status = app(expanded(sys.argv[1:]), standalone_mode=False)
    except InputError as error:
        _fail(f"{error} {error.on_terminal}".strip())
    except FabulaError as error:
        _fail(str(error))
    except typer.TyperException as error:  # a wrong word on the command line
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        if not message:  # a group without a command has printed its help
            raise SystemExit(2) from None
        _fail(message)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except typer.Abort:  # a question that was answered with no
        raise SystemExit(INTERRUPTED) from None
    if status == INTERRUPTED:  # which Typer returns, too, of a command that Ctrl-C ended
        print(STOPPED, file=sys.stderr)
    if status:
        raise SystemExit(status)


if __name__ == "__main__":
    main()
