"""Inverse document frequency over a named corpus: BERTScore's and MoverScore's weights of word pieces.

The table is fitted once, on the unique references of the study or on a file, and its hash is in the signature: a
score never changes because other stories were added.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.metrics.base import Option
from core.metrics.embedding import EmbeddingMetric

if TYPE_CHECKING:
    from core.models.encoder import Embedding, Encoder

TEXTS_AT_ONCE = 1000


def idf_option(default: str) -> Option:
    """The option `idf` of a metric; `default` is `references` or `no`."""
    return Option(
        (default, "no" if default == "references" else "references"),
        "whether rare word pieces weigh more, and the corpus whose frequencies say which are rare",
        "file:.+",
        "file:PATH, a text file with a text a line",
    )


def fingerprint(texts: Iterable[str]) -> str:
    """Hash of a set of different texts, whatever their order, in constant memory."""
    total, count = 0, 0
    for text in texts:
        total += int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        count += 1
    return hashlib.sha256(f"{count} {total % 2**256}".encode()).hexdigest()[:12]


def lines_of(name: str) -> list[str]:
    """The different texts of a file, a text a line; raises InputError where it cannot be read."""
    try:
        text = Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The file of texts {name} cannot be read; name a text file in UTF-8.") from error
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


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
        kind, _, name = self.chosen["idf"].partition(":")
        return iter(lines_of(name) if kind == "file" else self.settings.corpus())

    def prepare(self, model: "Encoder") -> None:
        """Fit the table, unless the model remembers it."""
        if self.chosen["idf"] == "no":
            return
        key = "|".join([self.fingerprint, self.chosen["normalisation"], self.chosen["first_words"]])
        self._table = model.frequencies.get(key)
        if self._table is None:
            self._table = fit(map(self.text, self._corpus()), model)
            model.frequencies.put(key, self._table)

    def weights(self, one: "Embedding") -> NDArray[np.float64]:
        """The weight of each piece."""
        table = self._table
        return np.where(one.content, 1.0 if table is None else table[one.ids], 0.0)
