"""Every importer, and files that it reads: what the fuzzing begins with."""

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from core.annotation.builtin import HANNA
from core.checkpoints.checkpoint import load
from core.formats.autos import pack_autos
from core.formats.checkpoint_zips import pack, unpacked
from core.formats.corpora.judges import JudgeChoice
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.package import zipped
from core.formats.perturbed import cases_jsonl
from core.formats.scores import MetricColumn
from core.formats.stories.choice import StoryChoice
from core.formats.tables import stories_of
from core.formats.uploads import uploaded
from core.people import TERMINAL
from db.engine import engine
from db.migrate import migrate
from db.transfer import exports
from db.transfer.demonstration import load_demonstration
from tests.core.conftest import FILES
from tests.core.formats import mturk
from tests.core.formats.autos import changed_case, kept_case
from tests.core.formats.gltr_file import small
from tests.core.training.made_checkpoint import made_checkpoint

FORMS = ("csv", "jsonl", "mans", "parquet")
Files = dict[str, bytes]
"""What is uploaded at once, by name."""
Seeds = Callable[[], Iterator[Files]]
Reader = Callable[[Path], Any]


@cache
def demonstration_exports() -> dict[str, bytes]:
    """Archives of the demonstration study by their form, made in this process's home."""
    migrate()
    study = load_demonstration(TERMINAL)
    made = {kind: b"".join(zipped(exports.files(TERMINAL, study.id, kind))) for kind in FORMS}
    engine().dispose()
    return made


def _unzipped(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _table(suffix: str) -> Iterator[Files]:
    rows = [
        {"id": f"{n}", "prompt": f"Once {n}.", "text": f"She «went» out, {n}.\tIt rained.", "system": "ab"[n % 2]}
        for n in range(6)
    ]
    names = list(rows[0])
    lines = {
        ".csv": "\n".join([",".join(names), *(",".join(f'"{row[name]}"' for name in names) for row in rows)]),
        ".tsv": "\n".join(["\t".join(names), *("\t".join(row[n].replace("\t", " ") for n in names) for row in rows)]),
        ".json": json.dumps(rows),
        ".jsonl": "\n".join(map(json.dumps, rows)),
    }
    yield {f"stories{suffix}": lines[suffix].encode()}


def _parquet() -> Iterator[Files]:
    import pyarrow as pa
    from pyarrow import parquet

    for compression in ("none", "zstd"):
        out = io.BytesIO()
        table = pa.table({"text": ["A door opened.", "Nobody."] * 5, "n": list(range(10)), "l": [["a", "b"]] * 10})
        parquet.write_table(table, out, compression=compression)
        yield {"stories.parquet": out.getvalue()}


def _from_export(kind: str, name: str = "") -> Iterator[Files]:
    content = demonstration_exports()[kind]
    if name:
        yield {name: _unzipped(content)[name]}
    else:
        yield {"export.zip": content}
        yield _unzipped(content)


def _scores() -> Iterator[Files]:
    yield {"bleu.txt": b"0.5\n1e-3\n-7\n"}
    yield {"scores.csv": b"id,bleu,other\na,0.5,1\nb,.25,2\nc,1,3\n"}
    nested = {"0": {"prompt": "p", "gen": {"sys": {"text": "t", "score": [1, 2], "metric": {"bleu": 0.5}}}}}
    yield {"scores.json": json.dumps(nested).encode()}


def _judges() -> Iterator[Files]:
    yield {"long.csv": b"story_id,judge,prompt_variant,coherence,empathy\na,m,1,4,2.5\nb,m,1,,3\n"}
    yield {"rows.jsonl": b'{"id": "a", "llm": "m", "criterion": "empathy", "rating": 2}\n'}
    yield {"wide.csv": b"id,gpt-4o coherence,gpt-4o empathy\na,4,2\nb,3,1\n"}


def _tests() -> Iterator[Files]:
    cases = [kept_case("She went out. It rained.", "typos"), changed_case("She went out. It rained.", "typos")]
    yield {"cases.jsonl": cases_jsonl(cases).encode()}
    yield {"roc.zip": pack_autos(cases, "roc")}


def _batch() -> Iterator[Files]:
    yield {"batch.csv": mturk.content(mturk.row(), mturk.row(worker="A3ZEXAMPLE12", code="x"))}


def _checkpoint() -> Iterator[Files]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pack(made_checkpoint(folder / "made"), folder / "one.zip")
        yield {"one.zip": (folder / "one.zip").read_bytes()}


def _load_checkpoint(folder: Path) -> None:
    with unpacked(next(folder.iterdir())) as inside:
        load(inside)


def _stories(folder: Path) -> None:
    uploaded.story_table(folder)
    list(uploaded.stories(folder, StoryChoice()))
    stories_of(uploaded.table(folder))


def _read_scores(folder: Path) -> None:
    uploaded.scores(folder, (MetricColumn("bleu"),), ("a", "b", "c"), None)


def _read_judges(folder: Path) -> None:
    uploaded.judges(folder, HANNA, ("a", "b"), ("c",), JudgeChoice())


def _of_corpus(name: str) -> Reader:
    return partial(uploaded.corpus, name=name)


def _union_folder() -> Iterator[Files]:
    yield {f"annotations/{name}": text.encode() for name, text in FILES.items()}


def _gltr() -> Iterator[Files]:
    yield {"tokens.json": json.dumps(small()).encode()}


IMPORTERS: dict[str, tuple[Seeds, Reader]] = {
    **{f"stories{suffix}": (partial(_table, suffix), _stories) for suffix in (".csv", ".tsv", ".json", ".jsonl")},
    "stories.parquet": (_parquet, _stories),
    "mans": (partial(_from_export, "mans", "mans.json"), _of_corpus("mans")),
    "union": (_union_folder, _of_corpus("union")),
    "export-csv": (partial(_from_export, "csv"), uploaded.export),
    "export-jsonl": (partial(_from_export, "jsonl"), uploaded.export),
    "export-parquet": (partial(_from_export, "parquet"), uploaded.export),
    "ratings": (partial(_from_export, "csv", "ratings.csv"), partial(uploaded.ratings, choice=ColumnChoice())),
    "scores": (_scores, _read_scores),
    "judges": (_judges, _read_judges),
    "gltr": (_gltr, uploaded.gltr),
    "test-sets": (_tests, uploaded.tests),
    "mturk": (_batch, uploaded.batch),
    "checkpoint": (_checkpoint, _load_checkpoint),
}
