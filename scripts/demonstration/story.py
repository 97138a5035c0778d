"""The whole story on demonstration data, in a home folder of its own: `make demo` runs this and then serves it.

Stories, people who rate them, metrics, a report and the findings as a folder. The people are simulated, and
the ratings say nothing about any metric. What is done already is not done again; delete the folder to begin anew.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.pages.crowd import HUMAN, NEGATIVE, crowd, fill, words
from core.annotation.studies import Study
from core.formats.exports.rows import ExportedStory
from core.home import ROOT
from core.people import TERMINAL, Person, Role
from core.stories import Source
from db.migrate import migrate
from db.people import people
from db.scores import tables
from db.studies import studies
from db.transfer import exports
from db.transfer.demonstration import NAME, load_demonstration

HOME, USUAL_HOME = ROOT / ".fabula-demo", ROOT / ".fabula"
METRICS = ("bleu", "rouge-l", "meteor", "bertscore-f1", "perplexity")
"""Of every kind: overlap, embeddings, and how likely a language model finds a story."""
CROWD, CARELESS = 6, 1
"""Simulated annotators, and how many of these rate at random."""


def main() -> None:
    """Tell it, a step after the other."""
    os.environ["FABULA_HOME"] = str(HOME)
    os.environ.pop("DATABASE_URL", None)  # whatever database its user has, this is not for it
    HOME.mkdir(mode=0o700, exist_ok=True)
    _borrow_models()
    migrate()
    step("The study: 70 stories of five systems, with made-up ratings")
    study = next((summary.study for summary in studies.summaries(TERMINAL) if summary.study.name == NAME), None)
    study = study or load_demonstration(TERMINAL)
    step(f"People: {CROWD} simulated annotators rate what is still wanted, {CARELESS} of them carelessly")
    _rated_by_a_crowd(study)
    step("Metrics: " + ", ".join(METRICS))
    command("score", "--study", NAME, *(word for metric in METRICS for word in ("--metric", metric)))
    step("A language model as a judge is left out: the bundled one takes minutes on a processor. Later, if you like:")
    print(f"$ FABULA_HOME={HOME} python cli.py score --study {NAME} --metric judge", flush=True)
    step("Which metric deserves trust")
    command("correlate", "--study", NAME)
    step("The report of the metric that agrees best, and all findings as a folder")
    best = json.loads(output("correlate", "--study", NAME, "--json", "-"))["rows"][0]["metric"]
    command("report", "--study", NAME, "--metric", best, "--out", str(HOME / "report.html"))
    command("bundle", "--study", NAME, "--out", str(_new_folder(HOME / "findings")), "--with-data", "--with-texts")


def step(title: str) -> None:
    """Say what comes."""
    print(f"\n[{time.monotonic() - BEGAN:4.0f} s] {title}", flush=True)


def command(*given: str) -> None:
    """Run a command of Fabula's, which is shown as one would type it; whatever it refuses ends the story."""
    shown = " ".join(f"'{word}'" if " " in word or "[" in word else word for word in given)
    print(f"$ python cli.py {shown}", flush=True)
    if code := subprocess.run([sys.executable, "cli.py", *given], cwd=ROOT).returncode:
        sys.exit(code)


def output(*given: str) -> str:
    """What a command writes to stdout."""
    return subprocess.run(
        [sys.executable, "cli.py", *given], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout.decode()


def _borrow_models() -> None:
    """Those that `make setup` has unpacked, half a gigabyte."""
    mine, unpacked = HOME / "models", USUAL_HOME / "models"
    if unpacked.is_dir() and not mine.exists():
        mine.symlink_to(unpacked)


def _rated_by_a_crowd(study: Study) -> None:
    """Rate through the functions that the pages call, until nobody is needed any more."""
    table = tables.table(study.id)
    quality = {words(text): float(mean) for text, mean in zip(table.texts, table.human, strict=True)}
    with exports.opened(TERMINAL, study.id) as data:
        controls = [row for row in data.tables["stories"] if isinstance(row, ExportedStory) and not row.system]
    quality |= {words(row.story): HUMAN if row.source == Source.HUMAN else NEGATIVE for row in controls}
    annotators = crowd(CROWD, CARELESS)
    persons = [_annotator(study, f"simulated {number}") for number in range(1, CROWD + 1)]
    handed_in = fill(list(zip(persons, annotators, strict=True)), quality, threads=1, scheme=study.scheme)
    print(f"{handed_in} panels handed in; a panel whose controls are rated wrongly is rejected.", flush=True)


def _annotator(study: Study, name: str) -> Person:
    token = people.invite(TERMINAL, Role.ANNOTATOR, name=name, study_id=study.id)
    person = people.by_token(token)
    if person is None:
        raise RuntimeError(f"{name} has been invited and is not there.")
    return person


def _new_folder(folder: Path) -> Path:
    """The folder, or one with a number where it has files in it: findings are never written over."""
    number = 1
    while (numbered := folder if number == 1 else folder.with_name(f"{folder.name}-{number}")).exists():
        number += 1
    return numbered


BEGAN = time.monotonic()
if __name__ == "__main__":
    main()
