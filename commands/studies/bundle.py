"""`bundle`: a study's findings as a folder that opens without a server."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import Seed, StudyName, TargetName, console
from core.formats.exports.package import write_file, write_folder, zipped
from core.people import TERMINAL
from db.studies import studies


def bundle(
    study: StudyName,
    out: Annotated[Path, typer.Option(help="The folder to make, or a .zip of it.")],
    metric: Annotated[list[str] | None, typer.Option(help="Only these metrics.")] = None,
    target: TargetName = None,
    with_data: Annotated[
        bool, typer.Option("--with-data", help="Also scores and mean ratings by story key, as CSV.")
    ] = False,
    with_texts: Annotated[bool, typer.Option("--with-texts", help="Also the stories themselves, as CSV.")] = False,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap draws.")] = 1000,
    seed: Seed = 0,
) -> None:
    """A study's findings as a read-only folder to put beside a paper: judgments, agreement, correlations, a report a
    metric. It opens in a browser without a server.
    """
    from core.report.files.bundle import INDEX, BundleChoice  # plotly: other commands should not wait for it
    from core.report.files.bundle_folder import bundle_files
    from core.report.files.html import DEMONSTRATION
    from db.findings import bundles

    chosen_study = studies.find(study)
    choice = BundleChoice(with_data, with_texts, seed, resamples)
    made = bundles.bundle(TERMINAL, chosen_study.id, choice, metrics=metric, target=target)
    packed = out.suffix.lower() == ".zip"
    if packed:
        write_file(zipped(bundle_files(made)), out)
    else:
        write_folder(bundle_files(made), out)
    if chosen_study.demonstration:
        console.print(DEMONSTRATION)
    for caution in (*made.missing, *made.cautions):
        console.print(caution, markup=False, soft_wrap=True)
    where = out if packed else out / INDEX
    console.print(f"The findings of {chosen_study.name}: {where}", markup=False, soft_wrap=True)
