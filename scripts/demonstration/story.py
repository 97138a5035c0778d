"""The whole story on demonstration data, in a home folder of its own: `make demo` runs this and then serves it.

Stories, people who rate them, metrics, a language model as a judge, a report and the findings as a folder. The people
are simulated, and the ratings say nothing about any metric. What is done already is not done again, and a story that
was stopped goes on where it was; delete the folder to begin anew.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.pages.crowd import HUMAN, NEGATIVE, crowd, fill, words
from core.annotation.studies import Study, StudyState
from core.errors import FabulaError
from core.formats.exports.rows import ExportedStory
from core.home import ROOT
from core.people import TERMINAL, Person, Role
from core.report.files.bundle import INDEX
from core.stories import Source
from db.annotation import slots
from db.migrate import migrate
from db.people import people
from db.scores import tables
from db.studies import studies
from db.transfer import exports
from db.transfer.demonstration import NAME, complete, load_demonstration

HOME, USUAL_HOME = ROOT / ".fabula-demo", ROOT / ".fabula"
METRICS = ("rouge-2", "bertscore-p", "prompt-only")
"""Besides the nine whose scores the study brings: of words, of embeddings, and one that no good metric should fail to
beat."""
CROWD, CARELESS = 6, 1
"""Simulated annotators, and how many of these rate at random."""
TOLD = "told"
"""The file that says of which ratings and metrics the report and the findings are."""
INTERRUPTED = 130
"""The exit status of what was stopped by Ctrl-C."""


class Refused(Exception):
    """A command has failed, and said why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def main() -> int:
    """Tell the story; returns an exit status."""
    os.environ["FABULA_HOME"] = str(HOME)
    os.environ.pop("DATABASE_URL", None)  # whatever database its user has, this is not for it
    try:
        tell()
    except KeyboardInterrupt:
        return _stopped()
    except FabulaError as error:
        print(f"fabula: {error}", file=sys.stderr)
        return 2
    except Refused as error:
        return _stopped() if error.status == INTERRUPTED else error.status
    return 0


def _stopped() -> int:
    print("\nStopped. What is done is kept; make demo goes on from there.", file=sys.stderr)
    return INTERRUPTED


def tell() -> None:
    """A step after the other; raises Refused where one fails."""
    HOME.mkdir(mode=0o700, exist_ok=True)
    _borrow_models()
    migrate()
    step("The study: 70 stories of five systems, with made-up ratings, and the scores of nine metrics and a judge")
    study = loaded()
    step(f"People: {CROWD} simulated annotators rate what is still wanted, {CARELESS} of them carelessly")
    print(rated_by_a_crowd(study), flush=True)
    report, findings, told = HOME / "report.html", HOME / "findings", HOME / TOLD
    if all(path.exists() for path in (report, findings, told)) and told.read_text() == holds():
        _end(report, findings, "Nothing is new since the last time")
        return
    step(f"Metrics: three more, {', '.join(METRICS)}")
    command("score", "--study", NAME, *(word for metric in METRICS for word in ("--metric", metric)))
    step("A judge: the bundled language model, asked what people are asked, is held against them")
    command("judge", "--study", NAME, "--way", "points")
    step("Which metric deserves trust")
    command("correlate", "--study", NAME)
    step("The report of the metric that agrees best, and all findings as a folder")
    command("report", "--study", NAME, "--metric", best(), "--out", str(report))
    if findings.exists():
        shutil.rmtree(findings)  # of the last time
    command("bundle", "--study", NAME, "--out", str(findings), "--with-data", "--with-texts")
    told.write_text(holds())
    _end(report, findings, "That is all of it")


def holds() -> str:
    """What the study holds, in numbers: where they are others, the report and the findings are not of it any more."""
    summary = next(summary for summary in studies.summaries(TERMINAL) if summary.study.name == NAME)
    return f"{summary.ratings} ratings, {summary.metrics} metrics"


def _end(report: Path, findings: Path, title: str) -> None:
    step(title)
    print(f"Report:   {report}\nFindings: {findings / INDEX}\nTo begin anew, delete {HOME}\n", flush=True)


def step(title: str) -> None:
    """Say what comes, and how long the story has taken so far."""
    print(f"\n[{time.monotonic() - BEGAN:4.0f} s] {title}", flush=True)


def command(*given: str) -> None:
    """Run a command of Fabula's, which is shown as one would type it; raises Refused where it fails."""
    shown = " ".join(f"'{word}'" if " " in word or "[" in word else word for word in given)
    print(f"$ python cli.py {shown}", flush=True)
    # Ctrl-C reaches the command as well, which then ends in its own time: nothing that it writes is left half done.
    usual = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        status = subprocess.run([sys.executable, "cli.py", *given], cwd=ROOT).returncode
    finally:
        signal.signal(signal.SIGINT, usual)
    if status:
        raise Refused(INTERRUPTED if status == -signal.SIGINT else status)


def best() -> str:
    """The name of the metric that agrees best."""
    asked = [sys.executable, "cli.py", "correlate", "--study", NAME, "--json", "-"]
    answer = subprocess.run(asked, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    return str(json.loads(answer)["rows"][0]["metric"])


def _borrow_models() -> None:
    """Those that `make setup` has unpacked, half a gigabyte."""
    mine, unpacked = HOME / "models", USUAL_HOME / "models"
    if unpacked.is_dir() and not mine.exists():
        mine.symlink_to(unpacked)


def loaded() -> Study:
    """The demonstration study, open, whatever there was of it."""
    found = next((summary.study for summary in studies.summaries(TERMINAL) if summary.study.name == NAME), None)
    if found is None:
        return load_demonstration(TERMINAL)
    return complete(TERMINAL, found.id) if found.state is StudyState.DRAFT else found


def rated_by_a_crowd(study: Study) -> str:
    """Rate through the functions that the pages call, until nobody is needed any more; what came of it, in a sentence.

    Annotators of a story that was stopped go on with the panels that they had in hand.
    """
    if not slots.progress(study.id).left:
        return "Nobody is needed any more: all ratings are there."
    table = tables.table(study.id)
    quality = {words(text): float(mean) for text, mean in zip(table.texts, table.human, strict=True)}
    with exports.opened(TERMINAL, study.id) as data:
        controls = [row for row in data.tables["stories"] if isinstance(row, ExportedStory) and not row.system]
    quality |= {words(row.story): HUMAN if row.source == Source.HUMAN else NEGATIVE for row in controls}
    handed_in = fill(
        list(zip(_annotators(study), crowd(CROWD, CARELESS), strict=True)), quality, threads=1, scheme=study.scheme
    )
    refused = slots.progress(study.id).rejected
    return f"{handed_in} panels handed in; {refused} rejected, as their control stories were rated wrongly."


def _annotators(study: Study) -> list[Person]:
    """The simulated ones of this study, invited where they are not there yet."""
    names = [f"simulated {number}" for number in range(1, CROWD + 1)]
    there = {someone.name for someone in people.listed(TERMINAL, study.id)}
    if missing := [name for name in names if name not in there]:
        people.invite_many(TERMINAL, missing, study.id)
    by_name = {
        someone.name: Person(someone.id, someone.name, Role.ANNOTATOR, study.id, someone.qualified)
        for someone in people.listed(TERMINAL, study.id)
    }
    return [by_name[name] for name in names]


BEGAN = time.monotonic()
if __name__ == "__main__":
    sys.exit(main())
