"""Inverse document frequency over a named corpus: BERTScore's and MoverScore's weights of word pieces.

The table is fitted once, on the unique references of the study or on a file, and its hash is in the signature: a
score never changes because other stories were added.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.errors import FabulaError, InputError
from core.files import text_of
from core.metrics.base import Option
from core.metrics.embedding import EmbeddingMetric
from core.stories import read_as

if TYPE_CHECKING:
    from core.models.encoder import Embedding, Encoder

TEXTS_AT_ONCE = 1000


def idf_option(default: str) -> Option:
    """The option `idf` of a metric; `default` is `references` or `no`."""
    return Option(
        (default, "no" if default == "references" else "references"),
        "whether rare word pieces weigh more, and the corpus whose frequencies say which are rare",
        "file:.+",
        "file:PATH, a text file with one text per line",
    )


class Fingerprint:
    """Hash of a set of different texts, whatever their order, in constant memory."""

    def __init__(self) -> None:
        self._total = self._count = 0

    def reading(self, texts: Iterable[str]) -> Iterator[str]:
        """Pass the texts on, and take them in."""
        for text in texts:
            self._total += int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
            self._count += 1
            yield text

    def __str__(self) -> str:
        """Twelve hexadecimal digits."""
        return hashlib.sha256(f"{self._count} {self._total % 2**256}".encode()).hexdigest()[:12]


def fingerprint(texts: Iterable[str]) -> str:
    """The fingerprint of a corpus."""
    fingerprint_result = Fingerprint()
    for _ in fingerprint_result.reading(texts):
        pass
    return str(fingerprint_result)


def lines_of(name: str) -> list[str]:
    """The different texts of a file, one text per line; raises InputError where it cannot be read."""
    lines = text_of(name, "file of texts").splitlines()
    result = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not result:
        raise InputError(f"The file of texts {name} has no text in it.")
    return result


def fit(texts: Iterable[str], model: "Encoder") -> NDArray[np.float64]:
    """ln((N + 1) / (n + 1)) by piece: N texts, n of them with the piece (the form that bert-score has)."""
    frequency = np.zeros(len(model.tokenizer))
    total, source = 0, iter(texts)
    while block := list(islice(source, TEXTS_AT_ONCE)):
        for ids in model.pieces(block):
            frequency[np.unique(ids)] += 1
        total += len(block)
    return np.asarray(np.log((total + 1) / (frequency + 1)))


class WeightedMetric(EmbeddingMetric):
    """A metric whose pieces may weigh by their inverse document frequency; special pieces weigh nothing."""

    _table: NDArray[np.float64] | None = None

    def option_parts(self) -> dict[str, str]:
        """The options, with the fingerprint of the corpus behind `idf`."""
        parts = super().option_parts()
        if self.chosen["idf"] != "no":
            parts["idf"] = f"{self.chosen['idf'].partition(':')[0]}@{self.fingerprint}"
        return parts

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the corpus that the table is fitted on."""
        return fingerprint(self._corpus())

    def _corpus(self) -> Iterator[str]:
        return iter(self._lines if self.chosen["idf"].startswith("file:") else self.settings.corpus())

    @cached_property
    def _lines(self) -> list[str]:
        return lines_of(self.chosen["idf"].partition(":")[2])

    def prepare(self, model: "Encoder") -> None:
        """Fit the table, unless the model remembers it."""
        if self.chosen["idf"] == "no" or self._table is not None:
            return
        key = "|".join([self.fingerprint, read_as(self.chosen["normalisation"]), self.chosen["first_words"]])
        self._table = model.frequencies.get(key)
        if self._table is None:
            read = Fingerprint()
            self._table = fit((self.text(text).strip() for text in read.reading(self._corpus())), model)
            if str(read) != self.fingerprint:  # the signature would name another corpus than the numbers come from
                raise FabulaError("The references of the study changed while it was being scored: run it again.")
            model.frequencies.put(key, self._table)

    def fitted(self) -> tuple[str, NDArray[np.float64]] | None:
        """The corpus's fingerprint and the table."""
        if self.chosen["idf"] == "no":
            return None
        from core.models.runtime import encoder  # torch: see EmbeddingMetric

        self.prepare(encoder(self.source, self.settings.device, self.settings.precision))
        if self._table is None:
            raise FabulaError(f"{self.name} has fitted no table.")
        return self.fingerprint, self._table

    def use_fitted(self, fitted: tuple[str, NDArray[np.float64]] | None) -> None:
        """Take both."""
        if fitted is not None:
            self.fingerprint, self._table = fitted

    def weights(self, item: "Embedding") -> NDArray[np.float64]:
        """The weight of each piece."""
        table = self._table
        return np.where(item.content, 1.0 if table is None else table[item.ids], 0.0)
