"""The check-up of a text, and of a corpus: is it fit to be judged by its tokens' probabilities?

The naturalness paper (section 3.3) says that repeated words and the like fool Fp.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.checks.boilerplate import Boilerplate, boilerplate, common_segments
from core.checks.findings import Finding, FindingKind, Span
from core.checks.language import ENGLISH, UNKNOWN, Language, language
from core.checks.repetition import Repetition, repetition, words
from core.checks.shape import shape
from core.stories import sentences


@dataclass(frozen=True)
class TextCheck:
    """What was looked at in a text, and what was found.

    `words`: how many there are. `expected`: the ISO code that the language was held against, None where any would do.
    """

    words: int
    repetition: Repetition
    boilerplate: Boilerplate
    language: Language
    expected: str | None
    findings: tuple[Finding, ...]

    @property
    def kinds(self) -> frozenset[FindingKind]:
        """The kinds of what was found: a text is excluded by one of them."""
        return frozenset(finding.kind for finding in self.findings)


def check_text(text: str, language: str | None = ENGLISH) -> TextCheck:
    """Check one text; `language` is the ISO code that it should be in, None where any will do."""
    return _held_against(language, _check(text, sentences(text), frozenset()))


def check_corpus(
    texts: Sequence[str], language: str | None = None, on_progress: Callable[[int], None] | None = None
) -> list[TextCheck]:
    """Check texts that belong together, in order; sentences that many of them share are boilerplate.

    `language`: the ISO code that they should be in; without one, that of most texts whose language is known.
    `on_progress` is called with the number of texts finished since the last call.
    """
    places = [sentences(text) for text in texts]
    common = common_segments(texts, places)
    checks = []
    for text, spans in zip(texts, places, strict=True):
        checks.append(_check(text, spans, common))
        if on_progress:
            on_progress(1)
    expected = language or _majority([check.language for check in checks])
    return [_held_against(expected, check) for check in checks]


def _majority(languages: Sequence[Language]) -> str | None:
    known = Counter(item.code for item in languages if item.code != UNKNOWN)
    return known.most_common(1)[0][0] if known else None


def _check(text: str, places: Sequence[Span], common: frozenset[str]) -> TextCheck:
    counted = words(text)
    repeated, framed = repetition(text, counted), boilerplate(text, common, places)
    findings = (*shape(text), *repeated.findings(), *framed.findings())
    return TextCheck(len(counted), repeated, framed, language(text), None, findings)


def _held_against(expected: str | None, check: TextCheck) -> TextCheck:
    return replace(check, expected=expected, findings=(*check.findings, *check.language.findings(expected)))
