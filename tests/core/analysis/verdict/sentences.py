"""What several tests of sentences share."""

import re

from core.analysis.verdict.sentences import VerdictSentence


def cites(sentence: VerdictSentence) -> bool:
    """Whether every number that it rests on stands in its text, and there is one."""
    text = sentence.text.replace("−", "-").replace(",", "")
    written = [float(item) for item in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]
    shares = [float(item) / 100 for item in re.findall(r"(\d+)%", text)]
    return bool(sentence.numbers) and all(
        any(abs(value - number) <= (0.005 if abs(value) < 10 else 0.0005) + 1e-9 for number in written)
        or any(abs(value - share) <= 0.005 for share in shares)
        or any(round(value) == number for number in written)
        for _, value in sentence.numbers
    )


def text(*sentences: VerdictSentence) -> str:
    assert all(cites(sentence) for sentence in sentences), [sentence for sentence in sentences if not cites(sentence)]
    return " ".join(sentence.text for sentence in sentences)
