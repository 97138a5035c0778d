"""`scores delete`: a metric's scores leave a study."""

from typing import Annotated

import typer

from commands.terminal import StudyName, console
from core.errors import InputError
from core.metrics.naming import place_of
from core.people import TERMINAL
from db.scores import deletion
from db.studies import studies


def delete_scores(
    study: StudyName,
    metric: Annotated[str, typer.Option(help="Its name, as `correlate` prints it, or its signature.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a metric's scores from a study, such as those of an old signature or checkpoint. Other studies keep
    theirs, and so do test sets that the metric has read.
    """
    study_id = studies.find(study).id
    stored = deletion.stored(TERMINAL, study_id)
    if not stored:
        raise InputError(f"{study} has no scores.")
    name, signature = stored[place_of(metric, stored)]
    if not yes:
        typer.confirm(f"Delete {study}'s scores of {name} under {signature} for good?", abort=True)
    deletion.remove(TERMINAL, study_id, signature)
    console.print(f"{study} has no scores of {name} under {signature} any more.", markup=False, soft_wrap=True)
