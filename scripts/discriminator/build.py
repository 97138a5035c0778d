"""Make the DisScore that Fabula brings along, in `data/checkpoints`.

    python scripts/discriminator/build.py FOLDER

FOLDER holds `systems/roc`, one file per system and `human.txt` (a line: context ||| story), with the two files of
people's ratings of some; and, for leaving out what people have judged, `union-roc` and `mans-roc`. Contexts of which a
story is judged in any of these are left out. The bundled language model stays as it is, and reads a story once. No
human judgment is looked at: docs/methods/learned.md says how the recipe was chosen.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.overlap import plain
from core.checkpoints.store import SHIPPED
from core.home import home
from core.models.catalogue import ModelRole, locate
from core.stories import Source, StoryRecord
from core.training.disscore.settings import DiscriminatorSettings
from core.training.disscore.train import train_discriminator

NAME, SEED = "disscore", 9
SEPARATOR = "|||"


def judged(folder: Path) -> tuple[str, ...]:
    """What people have judged, as it is compared: texts with their prompts, or prompts alone."""
    result = [
        line.split(SEPARATOR)[1]
        for line in (folder / "union-roc" / "ant_data.txt").read_text(encoding="utf-8").splitlines()
    ]
    mans = json.loads((folder / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8"))
    result += [record["prompt"] for record in mans.values()]
    for file in ("human_crowdsource_roc.json", "human_inhouse_roc.json"):
        rated = json.loads((folder / "systems" / "roc" / file).read_text(encoding="utf-8"))
        result += [record["condition"] for record in rated]
    return tuple(map(plain, result))


def stories(folder: Path) -> Iterator[StoryRecord]:
    """Those of people and of systems, without the contexts of judged ones."""
    seen = judged(folder)
    for file in sorted((folder / "systems" / "roc").glob("*.txt")):
        human = file.stem == "human"
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            context, _, text = (part.strip() for part in line.partition(SEPARATOR))
            if not any(name.startswith(plain(context)) for name in seen):
                source, system = (Source.HUMAN, "") if human else (Source.SYSTEM, file.stem)
                yield StoryRecord(f"{file.stem}-{number}", context, context, text, source, system)


def main(folder: Path, precision: Annotated[str, typer.Option()] = "bfloat16") -> None:
    """Train it and put it into its place; what has been read is read once, also after an interruption."""
    records = list(stories(folder))
    print(f"{len(records):,} stories after {len({record.prompt for record in records}):,} contexts", flush=True)
    base = locate(None, ModelRole.BASE)
    plan = DiscriminatorSettings(precision=precision, seed=SEED)
    work, readings = home() / "training" / NAME, home() / "training" / "readings"
    shutil.rmtree(work / "checkpoint", ignore_errors=True)
    printed = ""

    def say(what: str, done: int, whole: int) -> None:
        nonlocal printed
        now = f"{what.split(':')[0]} {10 * done // max(1, whole) * 10} %"
        if now != printed:
            printed = now
            print(now, flush=True)

    new_checkpoint, _ = train_discriminator(NAME, {"systems-roc": records}, plan, base, work, say, readings=readings)
    shutil.rmtree(SHIPPED / NAME, ignore_errors=True)
    shutil.move(new_checkpoint.folder, SHIPPED / NAME)
    shutil.rmtree(work)
    for figure in new_checkpoint.card.figures:
        print(f"  {figure.what}: {figure.value:.4f} (n = {figure.n:,})", flush=True)


if __name__ == "__main__":
    typer.run(main)
