"""OpenMEVA's test sets (AUTOS, thu-coai/OpenMEVA), a folder a corpus: `id|||input|||story|||type`, a case a line.

`discrimination_test/{corpus}_{name}.txt` holds coherent stories, `…_{name}_perturb.txt` incoherent ones; `id` is the
human story's. `invariance_test/{corpus}_{name}_perturb.txt` holds human stories in other words, and
`{corpus}_negative_sample_{name}_perturb.txt` incoherent ones, whose `id` is a line of `{corpus}_negative_sample.txt`.
`{corpus}_test_ipt.txt` and `{corpus}_test_opt.txt` have the human stories, in that folder or one level up. Ids are
numbers of lines from 0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from core.errors import InputError
from core.formats.text import check_key, check_text, read_lines
from core.perturb.aspects import Aspect, Change
from core.perturb.edits import Draft, Perturbed
from core.perturb.sets import Case, Of

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
            found = _FILE.fullmatch(path.name)
            if found and (place == FOLDERS[0] or found[4]):
                corpus, sample, name, changed = found.groups()
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
    there = [_Original(one.prompt, one.text) for one in sample] if of_sample else _humans(path, corpus)
    if not there:
        raise InputError(
            f"{path.name}: the originals are not known, for {corpus}_test_opt.txt is neither in "
            f"{path.parent.parent.name} nor one level up."
        )
    of, file = (Of.INCOHERENT, f"{corpus}_{SAMPLE}.txt") if of_sample else (Of.HUMAN, f"{corpus}_test_opt.txt")
    originals: set[str] = set()
    lines = list(_lines(path))
    lowered = _lowered(lines)
    for number, line in enumerate(lines, start=1):
        original = _of_line(there, line, file)
        source = _source(corpus, sample[line.id].id if of_sample else line.id, line.where)
        key = f"{source}/{SAMPLE}/{line.id}" if of_sample else source
        case = _case(f"{key}/{name}/{number}", name, line, original, lowered, source, of)
        if key not in originals:
            originals.add(key)
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
