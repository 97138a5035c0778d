"""What several tests of sentences share."""

import re

from core.analysis.verdict.sentences import VerdictSentence


def cites(sentence: VerdictSentence) -> bool:
    """Whether every number that it rests on stands in its text, and there is one."""
    text = sentence.text.replace("−", "-").replace(",", "")
    written = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]
    shares = [float(one) / 100 for one in re.findall(r"(\d+)%", text)]
    return bool(sentence.numbers) and all(
        any(abs(value - one) <= 0.0005 + 0.05 * min(abs(value), 0.01) for one in written)
        or any(abs(value - one) <= 0.005 for one in shares)
        or any(round(value) == one for one in written)
        for _, value in sentence.numbers
    )


def text(*sentences: VerdictSentence) -> str:
    assert all(cites(one) for one in sentences), [one for one in sentences if not cites(one)]
    return " ".join(one.text for one in sentences)
