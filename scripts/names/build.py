"""Make the lists of first names that the normalisation `delexicalised` reads, in `data/names`.

    python scripts/names/build.py FOLDER

FOLDER holds the first names of the United States' census of 1990, `dist.male.first` and `dist.female.first`, works
of the government and so in the public domain; the package `names` 0.3.0 (MIT) carries them. Which of them are
words as well is counted in the novels of Project Gutenberg that the bundled package carries.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.english.wordnet import bundle, wordnet
from core.errors import ModelMissing
from core.names import FILES, SHIPPED

CLEAR = 0.9
"""Of the people of a name, so many are of one sex; else it is neutral."""
RARE_SMALL = 0.1
"""A name is a word too if it stands in small letters more often than that, within sentences."""
SEEN = 5
"""Fewer occurrences tell nothing: then a name is a word too if WordNet knows it in small letters."""
_WITHIN = re.compile(r"(?<=[a-z,] )([A-Za-z]+)")


def shares(file: Path) -> dict[str, float]:
    """Per cent of the people of a sex, by name in lower case."""
    rows = (line.split() for line in file.read_text(encoding="ascii").splitlines())
    return {row[0].lower(): float(row[1]) for row in rows if len(row[0]) > 1}


def words(names: set[str], novels: Path) -> set[str]:
    """The names that are words as well."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for novel in sorted(novels.glob("*.txt")):
        for word in _WITHIN.findall(novel.read_text(encoding="latin-1")):
            if word.lower() in names:
                (small if word.islower() else capital)[word.lower()] += 1
    result = set()
    for name in names:
        seen = small[name] + capital[name]
        known = any(name in synset.lemma_names() for synset in wordnet().synsets(name))
        if small[name] / seen > RARE_SMALL if seen >= SEEN else known:
            result.add(name)
    return result


def main(folder: Path) -> None:
    """Write one file per placeholder, and one of the names that are words as well."""
    male, female = shares(folder / "dist.male.first"), shares(folder / "dist.female.first")
    kinds: dict[str, list[str]] = {"[MALE]": [], "[FEMALE]": [], "[NEUTRAL]": []}
    for name in sorted(male.keys() | female.keys()):
        of_men = male.get(name, 0.0) / (male.get(name, 0.0) + female.get(name, 0.0) or 1.0)
        kinds["[MALE]" if of_men >= CLEAR else "[FEMALE]" if of_men <= 1 - CLEAR else "[NEUTRAL]"].append(name)
    SHIPPED.mkdir(parents=True, exist_ok=True)
    for placeholder, name_kind in kinds.items():
        (SHIPPED / FILES[placeholder]).write_text("".join(f"{name}\n" for name in name_kind), encoding="utf-8")
    if (bundled := bundle()) is None:
        raise ModelMissing("The bundled package with the novels is not installed: run make setup.")
    also = words(male.keys() | female.keys(), bundled / "corpora" / "gutenberg")
    (SHIPPED / FILES["words"]).write_text("".join(f"{name}\n" for name in sorted(also)), encoding="utf-8")
    print({kind: len(result) for kind, result in kinds.items()}, "words as well:", len(also))


if __name__ == "__main__":
    typer.run(main)
