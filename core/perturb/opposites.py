"""Connectives, cause words and time words, and what turns each into its opposite (OpenMEVA Tables 1 and 12)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.perturb.negation import apart
from core.perturb.reading import SUBJECTS, Made, Sentence, is_clause
from core.perturb.words import Word, like


@dataclass(frozen=True, slots=True)
class Opposite:
    """What a word becomes. `tags`: beginnings of Penn tags that it must have ("" is any); `before`: words that must
    not stand before it, `after`: nor after it; `clause`: whether a clause must follow it, and a subject stand before
    it. `opening`: what it becomes instead where it opens a sentence, before a comma.
    """

    new: str
    tags: tuple[str, ...] = ("",)
    before: Collection[str] = ()
    after: Collection[str] = ()
    clause: bool = False
    opening: str = ""


_NO_TIME = {"look", "looked", "looking", "looks", "named", "ask", "asked", "take", "takes", "took", "run", "ran", "go"}
_DAILY = {
    "school",
    "work",
    "class",
    "classes",
    "church",
    "breakfast",
    "lunch",
    "dinner",
    "practice",
    "noon",
    "midnight",
    "bed",
}
"""What one may as well do something before as after."""
CAUSES: Mapping[str, Opposite] = {
    "because of": Opposite("despite"),
    "because": Opposite("so", clause=True, before={"just", "only", "simply", "partly", "not", "probably", "maybe"}),
    "so": Opposite(
        "because",
        ("IN", "RB", "CC"),
        clause=True,
        before={"and", "or", "if"},
        after={"much", "many"},
        opening="in spite of that",
    ),
    "therefore": Opposite("nevertheless"),
    "thus": Opposite("nevertheless"),
    "consequently": Opposite("nevertheless"),
    "as a result of": Opposite("despite"),
    "as a result": Opposite("in spite of that"),
    "due to": Opposite("despite", before={"is", "was", "were", "are", "be"}),
    "thanks to": Opposite("despite"),
    "reason": Opposite("result", ("NN",), after={"with"}, before={"some", "any", "no", "whatever"}),
    "reasons": Opposite("results", ("NNS",)),
    "result": Opposite("reason", ("NN",), before={"a"}),
    "results": Opposite("reasons", ("NNS",)),
    "cause": Opposite("effect", ("NN",)),
    "effect": Opposite("cause", ("NN",)),
    "effects": Opposite("causes", ("NNS",)),
    "consequence": Opposite("cause", ("NN",)),
    "consequences": Opposite("causes", ("NNS",)),
    "caused": Opposite("prevented", ("VBD", "VBN"), after={"by"}),
    "causes": Opposite("prevents", ("VBZ",)),
    "causing": Opposite("preventing", ("VBG",)),
    "led to": Opposite("prevented"),
    "resulted in": Opposite("resulted from"),
    "made sure": Opposite("was not sure", after={"to"}),
}
CAUSE_WORDS = {
    *("because", "therefore", "why", "cause", "causes", "caused", "causing", "causal", "reason", "reasons", "result"),
    *("results", "resulted", "effect", "effects", "purpose", "purposes", "aim", "aims", "sake", "consequence"),
    *("consequences", "consequently", "thus", "hence"),
}
"""Words that make a story one of causes (Table 12); "so" and "since" only before a clause."""
TIMES: Mapping[str, Opposite] = {
    "before long": Opposite("after long"),
    "after": Opposite("before", ("IN",), before=_NO_TIME, after={"all", *_DAILY}),
    "before": Opposite("after", ("IN", "RB"), before={"than", "as", "ever", "never"}, after=_DAILY),
    "until": Opposite("after", ("IN",), before={"not", "n't", "up", "never"}),
    "afterwards": Opposite("beforehand"),
    "afterward": Opposite("beforehand"),
    "beforehand": Opposite("afterwards"),
    "later": Opposite("earlier", ("RB", "JJ"), before={"sooner"}),
    "earlier": Opposite("later", ("RB", "JJ")),
    "early": Opposite("late", ("RB", "JJ"), before={"his", "her", "their", "my"}),
    "late": Opposite("early", ("RB", "JJ"), before={"his", "her", "their", "my", "too"}),
    "ago": Opposite("from now"),
    "always": Opposite("never", before={"as", "almost", "not", "n't"}),
    "never": Opposite("always", before={"almost", "had", "has", "have", "'ve", "'d"}),
    "often": Opposite("rarely", before={"how", "as", "so", "very", "more"}),
    "usually": Opposite("rarely", before={"as", "than"}),
    "frequently": Opposite("rarely", before={"more"}),
    "rarely": Opposite("often"),
    "seldom": Opposite("often"),
    "finally": Opposite("at first"),
    "eventually": Opposite("at first"),
    "at first": Opposite("in the end"),
    "at last": Opposite("at first"),
    "in the end": Opposite("in the beginning"),
    "at the end": Opposite("at the beginning"),
    "for the first time": Opposite("for the last time"),
    "the first time": Opposite("the last time", after={"since"}),
    "the last time": Opposite("the first time"),
    "the beginning": Opposite("the end"),
    "the end": Opposite("the beginning"),
    "yesterday": Opposite("tomorrow"),
    "tomorrow": Opposite("yesterday"),
    "the past": Opposite("the future"),
    "the future": Opposite("the past"),
    "previously": Opposite("subsequently"),
    "previous": Opposite("next", ("JJ",)),
    "lately": Opposite("long ago"),
    "recently": Opposite("long ago"),
    "in the afternoon": Opposite("at dawn"),
    "temporary": Opposite("permanent"),
    "temporarily": Opposite("permanently"),
    "forever": Opposite("for a moment", before={"took", "take", "takes"}),
    "still": Opposite("no longer", ("RB",), before={"stood", "stand", "sat", "sit", "stay", "stayed", "held", "lay"}),
    "no longer": Opposite("still"),
} | {
    f"{which} {what}": Opposite(f"{new} {what}")
    for which, new in (("next", "previous"), ("following", "previous"), ("previous", "next"))
    for what in ("day", "days", "morning", "night", "week", "month", "year", "evening", "hour", "afternoon")
}
TIME_WORDS = {
    *("after", "before", "previously", "simultaneously", "currently", "meanwhile", "then", "now", "ever", "again"),
    *("once", "anytime", "when", "while", "never", "always", "usually", "often", "sometimes", "early", "lately"),
    *("already", "forever", "ago", "yesterday", "today", "tomorrow", "ending", "beginning", "previous", "current"),
    *("temporary", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "month", "months"),
    *("year", "years", "century", "past", "future", "present", "delay", "night", "evening", "morning", "afternoon"),
    *("noon", "later", "earlier", "until", "soon", "finally", "eventually", "afterwards", "late", "next", "week"),
}
"""Words that make a story one of times (Table 12, and their like)."""


def opposed(sentence: Sentence, table: Mapping[str, Opposite]) -> Iterator[tuple[str, Made]]:
    """Each word, or words, of a sentence that the table turns into an opposite; of two at one place the longer."""
    body = sentence.body
    for place in range(len(body)):
        for size in (4, 3, 2, 1):
            there = body[place : place + size]
            said = " ".join(word.lower for word in there)
            found = table.get(said) if len(there) == size else None
            new = _becomes(found, sentence, place, size) if found else None
            if new:
                made = Made(f"“{said}” became “{new}”", ((there[0].start, there[-1].end, _written(there, new)),))
                yield said, made
                break


def _becomes(found: Opposite, sentence: Sentence, place: int, size: int) -> str | None:
    body = sentence.body
    if not body[place].tag.startswith(found.tags) or (place and body[place - 1].lower in found.before):
        return None
    rest = body[place + size :]
    if rest and rest[0].lower in found.after:
        return None
    if not place and found.opening:
        comma = " ," if apart(sentence.text) else ","
        told = rest[1:] if rest and rest[0].text == "," else rest
        return found.opening + (comma if told == rest else "") if told and told[0].tag in SUBJECTS - {"JJ"} else None
    if not found.clause:
        return found.new
    clause = is_clause(rest) and rest[0].tag in SUBJECTS - {"JJ"}
    return found.new if clause and any(word.tag in SUBJECTS for word in body[:place]) else None


def _written(there: Sequence[Word], new: str) -> str:
    """In the capitals of what stood there."""
    loud = len(there[0].text) > 1 and all(word.text.isupper() for word in there)
    return new.upper() if loud else like(there[0].text, new)
