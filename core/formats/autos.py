"""OpenMEVA's test sets (AUTOS, thu-coai/OpenMEVA): a folder per corpus, `id|||input|||story|||type`, a case a line."""

import io
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path, PurePosixPath

from core.errors import InputError
from core.files import making
from core.formats.zips import opened, unpack
from core.perturb.cases import Case, Of
from core.perturb.edits import Draft, Perturbed
from core.perturb.test_sets.aspects import Aspect, Change, Test, test_of
from core.stories import begins_with_prompt, sentences, without_prompt
from core.text_files import check_key, check_text, read_lines

SEPARATOR = "|||"
FOLDERS = ("discrimination_test", "invariance_test")
SAMPLE = "negative_sample"
CHANGED = "perturb"
NAMES: dict[str, str] = {
    Aspect.LEXICAL_REPETITION: "lexical_rept",
    Aspect.SEMANTIC_REPETITION: "semantic_rept",
    Aspect.CHARACTER: "character",
    Aspect.COMMON_SENSE: "commonsense",
    Aspect.CONSISTENCY: "consistency",
    Aspect.RELATEDNESS: "coherence",
    Aspect.CAUSAL: "cause",
    Aspect.TEMPORAL: "time",
    Change.SYNONYMS: "synonym_substitute",
    Change.PARAPHRASES: "semantic_substitute",
    Change.PUNCTUATION: "delete_punct",
    Change.CONTRACTION: "contraction",
    Change.TYPOS: "typos",
}
"""Aspect -> what OpenMEVA's files call it; the paper's name of `coherence` is read too."""
_ASPECTS = {name: aspect for aspect, name in NAMES.items()} | {"relatedness": str(Aspect.RELATEDNESS)}
_FILE = re.compile(rf"(.+?)_({SAMPLE}_)?({'|'.join(_ASPECTS)})(_{CHANGED})?\.txt")
_WORD = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")


@dataclass(frozen=True)
class _Line:
    """A line of a test. `where`: file and line, for what is said of it."""

    where: str
    id: int
    prompt: str
    text: str
    technique: str = ""


@dataclass(frozen=True)
class _Original:
    """What a changed story was. `prompt`: None where it is not known."""

    prompt: str | None
    text: str


def read_autos(folder: Path) -> tuple[Case, ...]:
    """All tests of a folder. An invariance test has its originals as cases of label 1, each once.

    Edits are those of a diff by words; their technique is the line's type. A story whose input was changed too is read
    whole, without a prompt. Where a file has no capital its originals are lower-cased, as OpenMEVA did before it
    changed WritingPrompts. Raises InputError naming file and line, or the file that is missing.
    """
    cases: list[Case] = []
    for place in FOLDERS:
        for path in sorted((folder / place).glob("*.txt")):
            match = _FILE.fullmatch(path.name)
            if match and (place == FOLDERS[0] or match[4]):
                corpus, sample, name, changed = match.groups()
                if place == FOLDERS[1]:
                    cases += _invariance(path, corpus, name, bool(sample))
                else:
                    cases += _discrimination(path, corpus, name) if changed else _coherent(path, corpus, name)
    if not cases:
        raise InputError(
            f"{folder.name} holds no test of OpenMEVA's: give a corpus's folder, the one with {' or '.join(FOLDERS)}."
        )
    return tuple(cases)


def _coherent(path: Path, corpus: str, name: str) -> Iterator[Case]:
    for number, line in enumerate(_lines(path), start=1):
        source = _source(corpus, line.id, line.where)
        yield _unchanged(f"{source}/{name}/{number}", name, line.prompt, line.text, source)


def _discrimination(path: Path, corpus: str, name: str) -> Iterator[Case]:
    humans = _humans(path, corpus)
    coherent = path.with_name(f"{corpus}_{name}.txt")
    known = {line.id: line for line in _lines(coherent)} if not humans and coherent.is_file() else {}
    lines = list(_lines(path))
    lowered = _lowered(lines)
    for number, line in enumerate(lines, start=1):
        source = _source(corpus, line.id, line.where)
        if humans:
            original = _of_line(humans, line, f"{corpus}_test_opt.txt")
        elif line.id in known:
            original = _Original(known[line.id].prompt, known[line.id].text)
        else:
            raise InputError(
                f"{line.where}: the original is not known, for {coherent.name} has no story {line.id} and "
                f"{corpus}_test_opt.txt, which has them all, is missing."
            )
        yield _case(f"{source}/{name}/{number}", name, line, original, lowered, source)


def _invariance(path: Path, corpus: str, name: str, of_sample: bool) -> Iterator[Case]:
    sample = list(_lines(path.with_name(f"{corpus}_{SAMPLE}.txt"))) if of_sample else []
    humans = [_Original(item.prompt, item.text) for item in sample] if of_sample else _humans(path, corpus)
    if not humans:
        raise InputError(
            f"{path.name}: the humans are not known, for {corpus}_test_opt.txt is neither in "
            f"{path.parent.parent.name} nor one level up."
        )
    of, file = (Of.INCOHERENT, f"{corpus}_{SAMPLE}.txt") if of_sample else (Of.HUMAN, f"{corpus}_test_opt.txt")
    shown: set[str] = set()
    lines = list(_lines(path))
    lowered = _lowered(lines)
    for number, line in enumerate(lines, start=1):
        original = _of_line(humans, line, file)
        source = _source(corpus, sample[line.id].id if of_sample else line.id, line.where)
        key = f"{source}/{SAMPLE}/{line.id}" if of_sample else source
        case = _case(f"{key}/{name}/{number}", name, line, original, lowered, source, of)
        if key not in shown:
            shown.add(key)
            yield _unchanged(key, name, case.prompt, case.perturbed.original, source, of)
        yield case


def _lowered(lines: list[_Line]) -> bool:
    return all(part == part.lower() for line in lines for part in (line.prompt, line.text))


def _source(corpus: str, number: int, where: str) -> str:
    """The human story's id."""
    return check_key(f"{corpus}-{number}", where)


def _unchanged(key: str, name: str, prompt: str, text: str, source: str, of: Of = Of.HUMAN) -> Case:
    return Case(key, _ASPECTS[name], 1, prompt, Perturbed(text, text, (), ()), "" if key == source else source, of)


def _case(key: str, name: str, line: _Line, original: _Original, lowered: bool, source: str, of: Of = Of.HUMAN) -> Case:
    prompt, text, before = line.prompt, line.text, original.text
    if original.prompt is not None and prompt.casefold().split() != original.prompt.casefold().split():
        prompt, text, before = "", f"{prompt} {text}".strip(), f"{original.prompt} {before}".strip()
    before = before.lower() if lowered else before
    draft = Draft(before)
    draft.step(line.technique, "", _changes(before, text))
    return Case(key, _ASPECTS[name], 0, prompt, draft.done(), source, of)


def _changes(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """What turns one text into the other, by words with the space before them."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    starts = [0]
    for word in old:
        starts.append(starts[-1] + len(word))
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield starts[a], starts[b], "".join(new[c:d])


def _lines(path: Path) -> Iterator[_Line]:
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path.name}, line {number}"
        fields = [field.strip() for field in line.split(SEPARATOR)]
        if len(fields) not in (3, 4):
            raise InputError(f"{where}: expected `id|||input|||story|||type`, found {len(fields)} part(s).")
        if not fields[0].isdecimal() or len(fields[0]) > 9:
            raise InputError(f"{where}: the id {fields[0][:20]!r} is not a whole number.")
        prompt, text, *technique = (check_text(field, where) for field in fields[1:])
        yield _Line(where, int(fields[0]), prompt, text, *technique)


def _humans(path: Path, corpus: str) -> list[_Original]:
    """The human stories behind a file of a test, in the corpus's folder or one level up; none where nobody has them."""
    folder = path.parent.parent
    texts = next((t for place in (folder, folder.parent) if (t := place / f"{corpus}_test_opt.txt").is_file()), None)
    if texts is None:
        return []
    stories = _plain(texts)
    inputs = texts.with_name(f"{corpus}_test_ipt.txt")
    if not inputs.is_file():
        return [_Original(None, story) for story in stories]
    prompts = _plain(inputs)
    if len(prompts) != len(stories):
        raise InputError(f"{inputs.name} has {len(prompts):,} lines, but {texts.name} has {len(stories):,}.")
    return [_Original(prompt, story) for prompt, story in zip(prompts, stories, strict=True)]


def _plain(path: Path) -> list[str]:
    return [
        check_text(line.strip(), f"{path.name}, line {number}") for number, line in enumerate(read_lines(path), start=1)
    ]


def _of_line(originals: list[_Original], line: _Line, name: str) -> _Original:
    if line.id >= len(originals):
        raise InputError(f"{line.where}: there is no story {line.id} in {name} (0 to {len(originals) - 1}).")
    return originals[line.id]


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
    result = _Folder(corpus)
    for case in cases:
        result.add(case)
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in result.all_files().items()}


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
        result = dict(self.files)
        for number, parts in self.sample:
            lines = result.setdefault(f"{FOLDERS[1]}/{self.corpus}_{SAMPLE}.txt", [])
            lines.append(SEPARATOR.join([str(number), *parts, Of.INCOHERENT]))
        stories = [self.humans.get(source, ("", "")) for source in self.numbers]
        for name, texts in (("ipt", [prompt for prompt, _ in stories]), ("opt", [text for _, text in stories])):
            if any(texts):
                result[f"{self.corpus}_test_{name}.txt"] = texts
        return result


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


LARGEST = 2**30
"""Bytes that a zip may unpack to: the paper's larger corpus takes a third of it."""
MOST_FILES = 1_000
"""Files that a zip may hold; both corpora of the paper have fewer than a hundred."""
LONGEST_NAME = 60


def corpus_of(name: str) -> str:
    """What a corpus is called in files, of a test set's name."""
    return re.sub(r"[\W_]+", "-", name)[:LONGEST_NAME].strip("-").lower() or "stories"


def pack_autos(cases: Sequence[Case], corpus: str) -> bytes:
    """The folder as a zip; the same cases give the same bytes. Raises InputError for what the format cannot hold."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in autos_files(cases, corpus).items():
            entry = zipfile.ZipInfo(f"{corpus}/{name}")  # of 1980
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return buffer.getvalue()


def read_packed_autos(path: Path) -> tuple[Case, ...]:
    """The tests of the one corpus in a zip.

    Raises InputError where the zip is damaged, unpacks to far more than tests do, holds tests of no corpus or of
    several, or a file of them is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="fabula-tests-") as name:
        folder = Path(name) / corpus_of(path.stem)
        folder.mkdir()
        with opened(path, name) as archive:
            _unpack_all(path, archive, folder)
        corpora = sorted({match.parent for place in FOLDERS for match in folder.rglob(place) if match.is_dir()})
        if not corpora:
            raise InputError(
                f"{path.name} holds no test of OpenMEVA's: zip a corpus's folder, the one with {' or '.join(FOLDERS)}."
            )
        if len(corpora) > 1:
            names = ", ".join(corpus.name[:LONGEST_NAME] for corpus in corpora)
            raise InputError(f"{path.name} holds tests of several corpora ({names}): give one at a time.")
        try:
            return read_autos(corpora[0])
        except InputError as error:  # a file is where it stands in the zip
            raise InputError(str(error).replace(f"{name}/", "")) from error


def _unpack_all(path: Path, archive: zipfile.ZipFile, folder: Path) -> None:
    """The texts alone, none of them outside the folder; what a zip says of its sizes is not believed."""
    files = [(info, PurePosixPath(info.filename.replace("\\", "/"))) for info in archive.infolist()]
    files = [(info, inside) for info, inside in files if inside.suffix == ".txt" and "__MACOSX" not in inside.parts]
    if len(files) > MOST_FILES:
        raise InputError(f"{path.name} holds {len(files):,} texts; a test set of OpenMEVA's has far fewer.")
    left, refusal = LARGEST, f"{path.name} unpacks to more than {LARGEST // 2**20:,} MB; no test set does."
    for info, inside in files:
        if not (info.is_dir() or inside.is_absolute() or ".." in inside.parts):
            left = unpack(archive, info, folder / inside, left, refusal)
