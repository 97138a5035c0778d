"""Which language a text is in, by py3langid (a naive Bayes classifier over bytes; its model comes with the package)."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from core.checks.findings import Finding, FindingKind
from core.checks.languages import NAMES

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

ENGLISH = "en"
UNKNOWN = ""
FEWEST_LETTERS = 20
SURE = 0.5
SURE_OF_ANOTHER = 0.9
LONGEST = 1_000
"""Characters that are looked at, from the beginning: more tell nothing new about the whole."""
_LETTERS = re.compile(r"[^\W\d_]+")
_EASTERN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORTH = 1.5
"""So many letters more than other letters is a Chinese, Japanese or Korean character worth."""


@dataclass(frozen=True)
class Language:
    """`code`: ISO 639, "" where it is unknown. `probability`: of that language, in 0..1, or of the best guess."""

    code: str
    probability: float

    @property
    def name(self) -> str:
        """Return the language's English name, such as "German"; "unknown" where it is."""
        return name_of(self.code)

    def findings(self, expected: str | None) -> tuple[Finding, ...]:
        """One where the text is surely in another language than `expected` (None: any will do)."""
        if expected is None or self.code in (UNKNOWN, expected) or self.probability < SURE_OF_ANOTHER:
            return ()
        return (Finding(FindingKind.LANGUAGE, f"The text is in {self.name}, not in {name_of(expected)}."),)


def name_of(code: str) -> str:
    """The English name of an ISO code; the code itself where it is none of `NAMES`, "unknown" for ""."""
    return NAMES.get(code, code) or "unknown"


def language(text: str) -> Language:
    """The language of `text`, unknown where it has fewer than 20 letters or the classifier is not sure."""
    looked_at = text[:LONGEST]
    letters = "".join(_LETTERS.findall(looked_at))
    if len(letters) + _WORTH * len(_EASTERN.findall(letters)) < FEWEST_LETTERS:
        return Language(UNKNOWN, 0.0)
    code, probability = _identifier().classify(looked_at)
    return Language(code if probability >= SURE and code in NAMES else UNKNOWN, float(probability))


@lru_cache(maxsize=1)
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # the model takes two seconds to unpack

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
