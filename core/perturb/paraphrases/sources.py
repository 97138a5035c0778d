"""Paraphrases of sentences, from a file or by translating there and back, and which of them are good enough.

OpenMEVA (2021, appendix B.1) takes those that mean much the same in other words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.english.words import PLACEHOLDER
from core.errors import InputError
from core.files import path_of
from core.models.catalogue import ModelRole, locate
from core.perturb.paraphrases.similarity import PARAPHRASE, bleu_1, similar
from core.stories import normalise
from core.text_files import check_text, parse_json, read_text

MOST_OVERLAP = 0.6
"""BLEU-1 of a paraphrase with its sentence is less (OpenMEVA appendix B.1): words are words with any encoder."""
BEAMS = (1, 4)
"""Of a translation: the likeliest word after word, or four translations pursued at a time, in three times the time."""
_LINES = (".jsonl", ".ndjson")
_SHOWN = 60
"""Characters of a sentence that an error names."""
_GLUED_INSIDE = re.compile(r"(?<=\w)([,;:])(?=\s)")
_CLITIC = re.compile(r"(?<=\w)(n't|['’](?:s|re|ve|ll|d|m))\b", re.IGNORECASE)
_GLUED_END = re.compile(r"(?<=\w)(?<!\.\w)([.,!?;:…]+)$")  # the full stop of "p.m." is a part of it


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A paraphrase, how alike it is to its sentence in meaning (-1..1) and how much it repeats its words (0..1)."""

    text: str
    similarity: float
    bleu_1: float


class Paraphrases(Protocol):
    """Where paraphrases come from; `name` says which, for signatures and reports."""

    name: str

    def of(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> dict[str, str]:
        """The paraphrase of each sentence that has one, under the sentence as it was asked; `done` counts sentences."""
        ...


class PairsFile:
    """Pairs of sentence and paraphrase from a file: OpenMEVA's `story_bt.json`, or JSON lines.

    The former is an object `{sentence: {"trans": paraphrase}}`, or a list of such, and what else an entry has, its
    score for one, is not read. The latter has `{"sentence": …, "paraphrase": …}` in each line.
    """

    def __init__(self, path: str | Path) -> None:
        """Read the file, whose name is its own at the hash of what is in it; raises InputError naming the entry."""
        file = path_of(str(path), "file of paraphrases")
        text = read_text(file)
        self.name = f"{file.name}@{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        read = _json_lines if file.suffix.lower() in _LINES else _openmeva
        self._exact: dict[str, str] = {}
        self._alike: dict[str, str] = {}
        for sentence, paraphrase in read(text, file.name):
            if sentence and paraphrase:
                # Of several paraphrases the first: sentences that differ in a capital alone may have one each.
                self._exact.setdefault(sentence, paraphrase)
                self._alike.setdefault(_key(sentence), paraphrase)
        if not self._exact:
            raise InputError(f"{file.name} holds no pair of a sentence and its paraphrase.")

    def of(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> dict[str, str]:
        """The sentence itself is looked up, then one that differs in capitals and in spaces; written as it is."""
        result = {}
        for sentence in sentences:
            paraphrase = self._exact.get(sentence.strip()) or self._alike.get(_key(sentence))
            if paraphrase:
                result[sentence] = in_style(sentence, paraphrase)
        if done:
            done(len(sentences))
        return result


class Translated:
    """Back translation by two models that the user names: into another language, and back."""

    def __init__(self, forth: str, back: str, device: str = "auto", beams: int = BEAMS[0]) -> None:
        """Find both models, which may fetch them; raises ModelMissing, or InputError for a number of beams."""
        if beams not in BEAMS:
            raise InputError(f"A translation has {' or '.join(map(str, BEAMS))} beams, not {beams}.")
        self._sources = [locate(name, ModelRole.TRANSLATION) for name in (forth, back)]
        self._device, self._beams = device, beams
        self.name = f"{' then '.join(source.at_revision for source in self._sources)}, beams {beams}"

    def of(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> dict[str, str]:
        """Each different sentence once, read as ordinary text and given back in its own style.

        Raises ModelMissing where a model cannot be loaded.
        """
        from core.models.runtime import translator  # torch: the pages import this file

        asked = list(dict.fromkeys(sentences))
        if not asked:
            return {}
        texts = [normalise(sentence, "detokenised") for sentence in asked]
        for source in self._sources:
            model = translator(source, self._device, "float32")
            texts = model.translate(texts, self._beams, done if source is self._sources[-1] else None)
        if done and len(asked) < len(sentences):
            done(len(sentences) - len(asked))
        return {sentence: in_style(sentence, text) for sentence, text in zip(asked, texts, strict=True) if text}


def accepted(
    source: Paraphrases, sentences: Sequence[str], done: Callable[[int], None] | None = None, device: str = "auto"
) -> dict[str, Paraphrase]:
    """The paraphrases that say about the same (similarity over `PARAPHRASE`) in other words (BLEU-1 under
    `MOST_OVERLAP`, which the sentence itself is not), by sentence. Raises as the source does, and as `similar`.
    """
    overlaps = {
        (paraphrase, sentence): overlap
        for sentence, paraphrase in source.of(sentences, done).items()
        if (overlap := bleu_1(paraphrase, sentence)) < MOST_OVERLAP
    }
    pairs = list(overlaps)
    return {
        pair[1]: Paraphrase(pair[0], float(similarity), overlaps[pair])
        for pair, similarity in zip(pairs, similar(pairs, device), strict=True)
        if similarity > PARAPHRASE
    }


def in_style(sentence: str, paraphrase: str) -> str:
    """`paraphrase` as `sentence` is written: tokenised or not, all in small letters or with a capital to begin with.

    Capitals and spaces alone change what metrics say, and would pass for an effect of the other words.
    """
    text = _tokenised(paraphrase) if _is_tokenised(sentence) else normalise(paraphrase, "detokenised")
    written = PLACEHOLDER.sub("", sentence)
    if written == written.lower():
        parts = re.split(f"({PLACEHOLDER.pattern})", text)
        return "".join(part if i % 2 else part.lower() for i, part in enumerate(parts))
    return text[:1].upper() + text[1:] if sentence.lstrip()[:1].isupper() else text


def _is_tokenised(sentence: str) -> bool:
    """Whether its marks stand apart from its words."""
    return _key(sentence) != " ".join(sentence.split()).lower()


def _tokenised(text: str) -> str:
    return _CLITIC.sub(r" \1", _GLUED_END.sub(r" \1", _GLUED_INSIDE.sub(r" \1", text.strip())))


def _key(sentence: str) -> str:
    return normalise(sentence, "detokenised").lower()


def _openmeva(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Pairs of `{sentence: {"trans": paraphrase}}`, or of a list of such."""
    found = parse_json(text, name)
    for number, entry in enumerate(found if isinstance(found, list) else [found], start=1):
        if not isinstance(entry, dict):
            raise InputError(f"{name}, entry {number}: this is no object of sentences and their paraphrases.")
        for sentence, item in entry.items():
            where = f"{name}, entry {number}, {sentence[:_SHOWN]!r}"
            yield check_text(sentence, where).strip(), _text_of(item, "trans", where)


def _json_lines(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Pairs of `{"sentence": …, "paraphrase": …}`, one a line; empty lines hold none."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where, item = f"{name}, line {number}", parse_json(line, name, number)
            yield _text_of(item, "sentence", where), _text_of(item, "paraphrase", where)


def _text_of(item: object, field: str, where: str) -> str:
    result = item.get(field) if isinstance(item, dict) else None
    if not isinstance(result, str):
        raise InputError(f"{where}: there is no text under {field!r}.")
    return check_text(result, where).strip()
