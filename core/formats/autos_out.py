"""Test sets in OpenMEVA's layout (see `autos`), which its own scripts and `read_autos` read."""

import re
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.files import making
from core.formats.autos import CHANGED, FOLDERS, NAMES, SAMPLE, SEPARATOR
from core.perturb.aspects import Test, test_of
from core.perturb.sets import Case, Of
from core.stories import begins_with_prompt, sentences, without_prompt

_CORPUS = re.compile(r"[\w-]{1,60}")
Parts = tuple[str, str]
"""The input and the story after it."""


def write_autos(cases: Sequence[Case], folder: Path, corpus: str) -> None:
    """Write all cases as the folder of a corpus, or nothing; human stories are numbered as they first appear.

    A text that begins with its prompt is written without it; without a prompt, its first sentence is the input, unless
    it is all there is. Line breaks become spaces. Of edits, only the techniques' names are kept, and nothing of
    `acceptable`. Raises InputError for what the format cannot hold, and for a target that is there and not empty;
    StorageError where the disk fails.
    """
    if not _CORPUS.fullmatch(corpus):
        raise InputError(f"A corpus is named by letters, digits, - and _, not {corpus[:60]!r}.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already: name a new folder, or empty it.")
    files = autos_files(cases, corpus)
    with making(folder) as partial:
        for name, text in files.items():
            (partial / name).parent.mkdir(exist_ok=True)
            (partial / name).write_text(text, encoding="utf-8", newline="\n")


def autos_files(cases: Sequence[Case], corpus: str) -> dict[str, str]:
    """The texts of such a folder by file name; raises InputError for what the format cannot hold."""
    found = _Folder(corpus)
    for case in cases:
        found.add(case)
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in found.all_files().items()}


class _Folder:
    """Lines by file; human stories by number and, where they are known, as text; incoherent originals by number."""

    def __init__(self, corpus: str) -> None:
        self.corpus = corpus
        self.files: dict[str, list[str]] = {}
        self.numbers: dict[str, int] = {}
        self.humans: dict[str, Parts] = {}
        self.sample: dict[tuple[int, Parts], int] = {}

    def add(self, case: Case) -> None:
        """A line of the case, and its original where that has a place of its own."""
        if case.aspect not in NAMES:
            raise InputError(
                f"OpenMEVA's format has no place for the aspect {case.aspect[:60]!r}; it has {', '.join(NAMES)}."
            )
        number = self.numbers.setdefault(case.source, len(self.numbers))
        original, parts = _parts(case)
        kind = SEPARATOR.join(["", _flat(case, "+".join(step.technique for step in case.perturbed.steps))])
        name = NAMES[case.aspect]
        if test_of(case.aspect) is Test.DISCRIMINATION:
            if case.of is Of.INCOHERENT:
                raise InputError(f"{_named(case)}: OpenMEVA's discrimination tests are made of human stories only.")
            self._human(case, original)
            name, kind = (name, "") if case.label else (f"{name}_{CHANGED}", kind)
            self._line(FOLDERS[0], name, number, parts, kind)
            return
        if case.of is Of.HUMAN:
            self._human(case, original)
        else:
            name = f"{SAMPLE}_{name}"
            number = self.sample.setdefault((number, original), len(self.sample))
        if not case.label:
            self._line(FOLDERS[1], f"{name}_{CHANGED}", number, parts, kind)

    def _human(self, case: Case, original: Parts) -> None:
        if self.humans.setdefault(case.source, original) != original:
            raise InputError(
                f"{_named(case)}: OpenMEVA's format holds one human story of each id, and another original of "
                f"{case.source[:60]!r} came before."
            )

    def _line(self, folder: str, name: str, number: int, parts: Parts, kind: str) -> None:
        file = f"{folder}/{self.corpus}_{name}.txt"
        self.files.setdefault(file, []).append(SEPARATOR.join([str(number), *parts]) + kind)

    def all_files(self) -> dict[str, list[str]]:
        """With the human stories, a blank line where one is not known, and the incoherent originals."""
        found = dict(self.files)
        for number, parts in self.sample:
            lines = found.setdefault(f"{FOLDERS[1]}/{self.corpus}_{SAMPLE}.txt", [])
            lines.append(SEPARATOR.join([str(number), *parts, Of.INCOHERENT]))
        stories = [self.humans.get(source, ("", "")) for source in self.numbers]
        for name, texts in (("ipt", [prompt for prompt, _ in stories]), ("opt", [text for _, text in stories])):
            if any(texts):
                found[f"{self.corpus}_test_{name}.txt"] = texts
        return found


def _parts(case: Case) -> tuple[Parts, Parts]:
    """Of the original and of the text; whether both begin with the prompt is seen in what nobody has changed."""
    original, text, prompt = case.perturbed.original, case.perturbed.text, case.prompt
    if not prompt.strip():
        return _split(case, original), _split(case, text)
    if begins_with_prompt(prompt, original):
        original, text = without_prompt(prompt, original), without_prompt(prompt, text)
    return (_flat(case, prompt), _flat(case, original)), (_flat(case, prompt), _flat(case, text))


def _split(case: Case, text: str) -> Parts:
    spans = sentences(text)
    if len(spans) < 2:
        return "", _flat(case, text)
    start, end = spans[0]
    return _flat(case, text[start:end]), _flat(case, text[end:])


def _flat(case: Case, text: str) -> str:
    text = re.sub(r"[\r\n]+", " ", text).strip()
    if SEPARATOR in text or text.startswith("|") or text.endswith("|"):
        raise InputError(
            f"{_named(case)}: OpenMEVA's format parts its fields with |||, which a text of it would break."
        )
    return text


def _named(case: Case) -> str:
    return f"The case {case.id[:60]!r} of {case.aspect}"
