"""Two stories as a judge of pairs has them: what it may answer, how its words are read, and what both orders say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.annotation.criterion import Criterion
from core.judges.answers import read_object

A, B, EQUAL = "A", "B", "C"
"""What a judge of pairs answers: the story shown first is better, the other one is, or both are about equal."""
_AROUND = " \t\r\n.,;:!\"'“”‘’*_`()[]{}#>"
_LABELLED = re.compile(
    r"^[\s*_#>-]*(?:(?:final|overall|my|the)\s+)?(?:answer|verdict|choice|winner|preference|better story)[\s*_]*"
    r"(?::|=|\bis\b)(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_BRACKETED = re.compile(r"\[\[([^\[\]]{1,20})\]\]")
_STORY = re.compile(r"^(?:the\s+)?(?:story|option|text)\s+", re.IGNORECASE)
_TIES = frozenset({"tie", "a tie", "equal", "about equal", "equally good", "both are equal", "both are about equal"})
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class StoryPair:
    """Two stories of one opening, and the content hashes that what is said of them is kept under. `first`: the one that
    is shown first.
    """

    opening: str
    first: str
    second: str
    first_hash: str = ""
    second_hash: str = ""

    @property
    def swapped(self) -> "StoryPair":
        """The same two on the other sides."""
        return StoryPair(self.opening, self.second, self.first, self.second_hash, self.first_hash)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of two stories in either order: -1 the first one is better, 0 both are about equal, 1 the
    second one is. `forward`: with the first shown first; `backward`: with the second shown first. None where there is
    no answer, for the `reason`.
    """

    forward: int | None
    backward: int | None
    reason: str = ""

    @property
    def value(self) -> int | None:
        """What it comes to: a judge that says another thing in the other order has called both equal."""
        if self.forward is None or self.backward is None:
            return None
        return self.forward if self.forward == self.backward else 0


def choices(criterion: Criterion) -> dict[str, tuple[int, str]]:
    """By letter the answers about a pair: -1 (the first is better), 1, and 0 where the form has it; each with its label
    on the form, of degrees in words of their own, since a judge is asked which is better and not by how much.
    """
    labels = dict(criterion.scale) if criterion.highest == 1 else {-1: "A is better", 1: "B is better"}
    found = {A: (-1, labels[-1]), B: (1, labels[1])}
    return {**found, EQUAL: (0, criterion.label(0))} if 0 in criterion.steps else found


def is_letter(text: str, criterion: Criterion) -> bool:
    """Whether a reply is one of the letters and nothing else."""
    return text.strip(_AROUND) in choices(criterion)


def read_choice(text: str, criterion: Criterion) -> int | str:
    """What a reply says, or why that cannot be read: `A`, `Story B`, `Answer: A`, `[[C]]`, `{"answer": "B"}`, the label
    of an answer, or one of these on a line of its own. `A` within a sentence may be an article, and is no answer.
    """
    if not text.strip():
        return "the reply is empty"
    said = list(_said(text))
    found = {value for part in said if (value := _meant(part, criterion)) is not None}
    letters = ", ".join(choices(criterion))
    if len(found) > 1:
        return f"the reply names different answers of {letters}"
    if not found:
        return f"the reply is none of the answers {letters}: {text.strip()[:_SHOWN]!r}"
    value = found.pop()
    return value if value or 0 in criterion.steps else "the reply calls both equal, which is no answer here"


def _said(text: str) -> Iterator[str]:
    """The parts of a reply that may be its answer."""
    if "{" in text and not isinstance(read := read_object(text), str):
        yield from (value for value in read.values() if isinstance(value, str))
        return
    yield from (text, *text.splitlines(), *_LABELLED.findall(text), *_BRACKETED.findall(text))


def _meant(part: str, criterion: Criterion) -> int | None:
    said = part.strip(_AROUND)
    bare = _STORY.sub("", said)
    by_letter = {letter: value for letter, (value, _) in choices(criterion).items()}
    if bare in by_letter and (bare != EQUAL or said == bare):
        return by_letter[bare]
    labels = {label.strip(_AROUND).casefold(): value for value, label in choices(criterion).values()}
    usual = {f"{side.casefold()} is better": by_letter[side] for side in (A, B)} | dict.fromkeys(_TIES, 0)
    return (usual | labels).get(bare.casefold())
