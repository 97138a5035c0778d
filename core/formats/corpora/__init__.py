"""Formats of other programs that hold a study's stories, with ratings and scores where they have some: one registry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.formats.corpora.mans import mans_text, read_mans
from core.formats.corpora.union import read_union, union_files
from core.stories import Corpus


@dataclass(frozen=True)
class CorpusFormat:
    """A format with fixed fields, which the Import page, `import`, the Export tab and `export` offer by its entry here.

    `name`: its name in commands and addresses; `title`: in sentences. `label` and `ask`: what the Import page calls it
    and asks for. `suffixes`: of its file, without the dot; `marker`: of a folder of files, one that is always in it.
    `scheme`: of the studies that it can hold, "" for any. `write`: the texts of a study's files by name; None where
    Fabula only reads the format. `about`: what its export is and holds.
    """

    name: str
    title: str
    label: str
    ask: str
    read: Callable[[Path], Corpus]
    suffixes: tuple[str, ...] = ()
    marker: str = ""
    scheme: str = ""
    write: Callable[[Corpus], Mapping[str, str]] | None = None
    about: tuple[str, str] = ("", "")

    def uploaded(self, folder: Path) -> Corpus:
        """The corpus of what was uploaded into a folder: its only file, or the folder of the marker below it."""
        if self.marker:
            return self.read(next(folder.rglob(self.marker), folder / self.marker).parent)
        return self.read(next(folder.iterdir()))


def _mans_files(corpus: Corpus) -> dict[str, str]:
    return {"mans.json": mans_text(corpus)}


REGISTERED: tuple[CorpusFormat, ...] = (
    CorpusFormat(
        name="union",
        title="UNION",
        label="UNION's annotation folder",
        ask="The folder with ant_data.txt, reference_ipt.txt, reference_opt.txt and metric_output",
        read=read_union,
        marker="ant_data.txt",
        scheme="union",
        write=union_files,
        about=(
            "UNION folder",
            "Votes, error types, references and the scores of complete metrics, each a text file.",
        ),
    ),
    CorpusFormat(
        name="mans",
        title="MANS",
        label="MANS (OpenMEVA)",
        ask="The MANS file, or the zip of its export",
        read=read_mans,
        suffixes=("json", "zip"),
        scheme="mans",
        write=_mans_files,
        about=("MANS file", "OpenMEVA's JSON: prompts, stories and the ratings that count; no deductions."),
    ),
)
CORPUS_FORMATS: dict[str, CorpusFormat] = {entry.name: entry for entry in REGISTERED}
