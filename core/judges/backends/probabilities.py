"""Probabilities of the answers on a scale, from the alternatives that an endpoint tells for each token it wrote."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MARKS = " \t\r\n\"'“”‘’*_`([{#:>"
"""What a reply may begin with before its answer: blanks, quotation, Markdown."""
MOST_TOKENS = 24
"""Tokens of a reply that are looked at: an answer stands at its beginning."""


@dataclass(frozen=True)
class WrittenToken:
    """A token that was written, and what might have stood in its place, itself included: probability by text."""

    text: str
    alternatives: Mapping[str, float]


def scale_probabilities(tokens: Sequence[WrittenToken], scale: Sequence[str]) -> dict[str, float]:
    """How probable each answer on the scale was as the reply's beginning; they add up to 1 at most.

    An answer of several tokens is found along the tokens that were written, each alternative at its place. A token that
    was not written and begins a longer answer is left out with all the answers that it could have become: nothing tells
    how it would have gone on. So are answers that are among no alternatives.
    """
    found: defaultdict[str, float] = defaultdict(float)
    unknown: set[str] = set()
    begun, weight = "", 1.0
    for token in tokens[:MOST_TOKENS]:
        step = _Step.at(token, begun, scale)
        for answer, probability in step.whole.items():
            found[answer] += weight * probability
        unknown |= step.unknown
        if begun in scale:  # whatever does not go on with a longer answer ends this one
            found[begun] += weight * max(0.0, 1.0 - step.going_on)
        if step.written is None:
            break
        begun, weight = step.written, weight * step.weight
    else:
        unknown |= {answer for answer in scale if begun and answer.startswith(begun)}
    return {answer: found[answer] for answer in scale if answer in found and answer not in unknown}


@dataclass(frozen=True)
class _Step:
    """What may stand at one place. `whole`: answers that are complete with it; `unknown`: those that nothing more is
    told of; `going_on`: how probable it is that a longer answer goes on here; `written`: what has been written with
    this place and is no answer yet, of the probability `weight`, or None.
    """

    whole: Mapping[str, float]
    unknown: frozenset[str]
    going_on: float
    written: str | None
    weight: float

    @classmethod
    def at(cls, token: WrittenToken, begun: str, scale: Sequence[str]) -> "_Step":
        """Of the place of `token`, after `begun` has been written."""
        texts = {text: begun + text if begun else text.lstrip(_MARKS) for text in token.alternatives}
        complete = set(texts.values()) & set(scale)  # so they are tokens of their own: no shorter one becomes them
        whole: defaultdict[str, float] = defaultdict(float)
        unknown: set[str] = set()
        going_on, written, weight = 0.0, None, 0.0
        for text, probability in token.alternatives.items():
            reached = texts[text]
            longer = {answer for answer in scale if answer.startswith(reached) and answer not in complete}
            if reached and (longer or reached in scale):
                going_on += probability
            if text == token.text and (longer or not reached):
                written, weight = reached, probability
            elif reached and longer:
                unknown |= longer | ({reached} & set(scale))
            elif reached in scale:
                whole[reached] += probability
            elif not begun and reached.rstrip() in scale:
                whole[reached.rstrip()] += probability
        return cls(whole, frozenset(unknown), going_on, written, weight)


def as_probability(log_probability: float) -> float:
    """Of a natural logarithm, which some servers round to a little above 0."""
    return math.exp(min(0.0, log_probability))
