"""Example files: what each import takes, small and of the demonstration's stories, to be looked at or imported."""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.annotation.scheme import Scheme
from core.home import ROOT

FOLDER = ROOT / "data" / "examples"
FILES = {
    "stories": "stories.csv",
    "ratings": "ratings.csv",
    "preferences": "preferences.csv",
    "mans": "mans.json",
    "union": "union",
    "test set": "test-set.jsonl",
    "human stories": "human-stories.csv",
    "tokens": "gltr.json",
    "mturk": "mturk-batch.csv",
}
"""What an example is of -> its file in `FOLDER`; a folder is given as a zip."""
SHOWN = 20
"""Stories in an example that is made for a study."""
_WHEN = (1980, 1, 1, 0, 0, 0)
"""Of the files in a zip, so that it is the same every time: the first date that zips know."""


@dataclass(frozen=True)
class Example:
    """A file to download."""

    name: str
    content: bytes


def kept_example(of: str) -> Example:
    """The example of one of `FILES`; a corpus by its format's name."""
    path = FOLDER / FILES[of]
    return Example(f"{path.name}.zip", _zipped(path.name)) if path.is_dir() else Example(path.name, path.read_bytes())


def _zipped(folder: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in (FOLDER / folder).rglob("*") if path.is_file()):
            archive.writestr(zipfile.ZipInfo(file.relative_to(FOLDER).as_posix(), _WHEN), file.read_bytes())
    return out.getvalue()


def scores_example(keys: Sequence[str]) -> Example:
    """Made-up scores of a study's first stories by two metrics; `keys`: the ids of its stories."""
    rows = ((key, round(number % 7 / 7, 3), 10 + number % 5) for number, key in enumerate(keys[:SHOWN]))
    return _table("scores.csv", ("id", "example-metric", "another-example"), rows)


def judges_example(keys: Sequence[str], scheme: Scheme) -> Example:
    """Made-up ratings of a study's first stories by two judges on each of its criteria."""
    rows = (
        (key, judge, *(criterion.steps[(number + shift) % len(criterion.steps)] for criterion in scheme.criteria))
        for shift, judge in enumerate(("example-judge", "another-judge"))
        for number, key in enumerate(keys[:SHOWN])
    )
    return _table("judges.csv", ("story_id", "judge", *(criterion.name for criterion in scheme.criteria)), rows)


def _table(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Example:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return Example(name, out.getvalue().encode())
