"""Which stories were trained on, recognised without their texts, so that nobody tests a metric on its own training
data.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

_OTHERS = re.compile(r"[\W_]+")
BYTES = 8
"""Of a text's SHA-256: among a million stories two alike are a matter of one in 37 million."""


def fingerprints(texts: Iterable[str]) -> NDArray[np.uint8]:
    """The texts' (n × 8) in order, each once; case, spaces and punctuation do not count, nor do texts without a letter.

    A digit counts as a letter.
    """
    result = {
        hashlib.sha256(plain.encode("utf-8", "surrogatepass")).digest()[:BYTES] for plain in map(plain, texts) if plain
    }
    return np.frombuffer(b"".join(sorted(result)), np.uint8).reshape(-1, BYTES)


def count_known(seen: NDArray[np.uint8], texts: Iterable[str]) -> int:
    """How many of the texts are among `seen` (n × 8); a text that is given twice counts twice."""
    before = {row.tobytes() for row in seen}
    return sum(fingerprint.tobytes() in before for text in texts for fingerprint in fingerprints([text]))


def judged_among(training: Iterable[str], judged: Iterable[tuple[str, str]]) -> dict[str, int]:
    """How many texts of each study, (its name, a text), are among the training stories; studies with none left out."""
    before = {row.tobytes() for row in fingerprints(training)}
    result: dict[str, int] = {}
    for study, text in judged:
        if any(fingerprint.tobytes() in before for fingerprint in fingerprints([text])):
            result[study] = result.get(study, 0) + 1
    return result


def rated_among(training: Iterable[str], judged: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The training stories that are among those of each study, (its name, a text); studies that have none left out."""
    own: dict[bytes, list[str]] = {}
    for text in dict.fromkeys(training):
        for fingerprint in fingerprints([text]):
            own.setdefault(fingerprint.tobytes(), []).append(text)
    found: dict[str, dict[str, None]] = {}
    for study, text in judged:
        for fingerprint in fingerprints([text]):
            if stories := own.get(fingerprint.tobytes()):
                found.setdefault(study, {}).update(dict.fromkeys(stories))
    return {study: list(stories) for study, stories in found.items()}


def overlap_text(counts: Mapping[str, int]) -> str:
    """What a card says of it."""
    if not counts:
        return "None of the stories trained on was in a study that people had rated here."
    each = ", ".join(f"{count:,} of {study}" for study, count in sorted(counts.items()))
    return f"Trained also on stories of rated studies: {each}. Its scores there are no evidence."


def plain(text: str) -> str:
    """A text as it is compared with others: its letters and digits, in lower case."""
    return _OTHERS.sub("", text.casefold())
