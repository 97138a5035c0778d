"""OpenMEVA's words of cause and of time (Table 12), and what each becomes.

The table names the words. Of opposites the paper prints "reason" and "result", and "after" and "before"; the others are
ours, and words that have none ("why", "purpose", "again") only select coherent examples.
"""

from __future__ import annotations

from collections.abc import Mapping

CAUSE_WORDS = {"so", "because", "since", "therefore", "why"} | {
    *("cause", "reason", "result", "effect", "purpose", "aim", "sake", "consequence", "causal"),
}
TIME_WORDS = {
    *("after", "before", "previously", "simultaneously", "currently", "meanwhile", "then", "now", "ever", "again"),
    *("once", "anytime", "when", "while", "never", "always", "usually", "often", "sometimes", "early", "lately"),
    *("already", "forever", "ago", "yesterday", "today", "tomorrow", "ending", "beginning", "previous"),
    *("simultaneous", "current", "temporary", "contemporary", "temporal", "second", "minute", "hour", "day", "month"),
    *("year", "century", "past", "future", "present", "delay", "night", "evening", "morning", "afternoon", "noon"),
}
_NOUN, _VERB, _ADVERB, _ADJECTIVE = ("NN",), ("VB",), ("RB",), ("JJ",)
_ANY_OF_TIME = ("RB", "JJ", "NN")
Opposites = Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
"""By base form: beginnings of the Penn tags that it must have, and what it becomes in the same form."""
CAUSES: Opposites = {
    "so": ((("IN",), "because"),),  # not "so tired"
    "because": ((("IN",), "so"),),
    "since": ((("IN",), "so"),),
    "therefore": ((("RB", "IN"), "because"),),
    "cause": ((_NOUN, "effect"), (_VERB, "prevent")),
    "reason": ((_NOUN, "result"),),
    "result": ((_NOUN, "reason"),),
    "effect": ((_NOUN, "cause"),),
    "consequence": ((_NOUN, "cause"),),
}
TIMES: Opposites = {
    "after": ((("IN",), "before"),),
    "before": ((("IN", "RB"), "after"),),
    "previously": ((_ADVERB, "later"),),
    "simultaneously": ((_ADVERB, "separately"),),
    "currently": ((_ADVERB, "formerly"),),
    "then": ((_ADVERB, "now"),),
    "now": ((_ADVERB, "then"),),
    "ever": ((_ADVERB, "never"),),
    "never": ((_ADVERB, "always"),),
    "always": ((_ADVERB, "never"),),
    "usually": ((_ADVERB, "rarely"),),
    "often": ((_ADVERB, "rarely"),),
    "sometimes": ((_ADVERB, "always"),),
    "early": ((_ANY_OF_TIME, "late"),),
    "forever": ((_ADVERB, "briefly"),),
    "yesterday": ((_NOUN, "tomorrow"),),
    "today": ((_NOUN, "tomorrow"),),
    "tomorrow": ((_NOUN, "yesterday"),),
    "ending": ((_NOUN, "beginning"),),
    "beginning": ((_NOUN, "ending"),),
    "previous": ((_ADJECTIVE, "next"),),
    "simultaneous": ((_ADJECTIVE, "separate"),),
    "current": ((_ADJECTIVE, "former"),),
    "temporary": ((_ADJECTIVE, "permanent"),),
    "contemporary": ((_ADJECTIVE, "ancient"),),
    "second": ((_NOUN, "hour"),),
    "minute": ((_NOUN, "hour"),),
    "hour": ((_NOUN, "minute"),),
    "day": ((_NOUN, "night"),),
    "night": ((_NOUN, "day"),),
    "month": ((_NOUN, "year"),),
    "year": ((_NOUN, "month"),),
    "century": ((_NOUN, "year"),),
    "past": ((("NN", "JJ"), "future"),),
    "future": ((("NN", "JJ"), "past"),),
    "present": ((_NOUN, "past"),),
    "evening": ((_NOUN, "morning"),),
    "morning": ((_NOUN, "evening"),),
    "afternoon": ((_NOUN, "morning"),),
    "noon": ((_NOUN, "midnight"),),
}
CAUSAL, CAUSAL_OPENINGS = {"so", "because", "since", "therefore"}, {"so", "therefore"}
"""Conjunctions between cause and effect, and what opens the second of two sentences."""
TEMPORAL, TEMPORAL_OPENINGS = {"after", "before", "then", "when", "while", "once"}, {"then", "now", "previously"}
NO_DEGREE = {"so", "since"}
"""Words of cause only as conjunctions: not "so tired", nor "since May" where the tagger tells."""
