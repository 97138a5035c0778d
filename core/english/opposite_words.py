"""Cause words and time words, and what turns each into its opposite (OpenMEVA Tables 1 and 12)."""

from __future__ import annotations

from collections.abc import Mapping

from core.english.opposites import Opposite

_IS = {"is", "was", "were", "are", "be", "been", "'s"}
_OWN = {"his", "her", "their", "my"}
_PARTS = {"morning", "afternoon", "evening", "night", "spring", "summer", "winter", "autumn", "fall"}
"""Of which the early one comes as well as the late one."""
_NOT_FOR = {"not", "n't", "of", "spend", "spends", "spent", "spending", "take", "takes", "took"}
"""Before a span of time, and not before "for"."""
_NOT_PAST = {"is", "are", "am", "will", "'s", "'re", "'m", "'ll"}
_DENIED = {"not", "n't", "never", "no", "nothing", "nobody"}
_WHOM = {"me", "you", "him", "her", "it", "us", "them"}
"""Whom something is caused; nobody is prevented something."""
CAUSES: Mapping[str, Opposite] = {
    "because of": Opposite("despite", before=_IS),
    "because": Opposite(
        "so", clause=True, before={"just", "only", "simply", "partly", "not", "probably", "maybe", *_IS}
    ),
    # Within a sentence "because" in its place reads as well as not: there the clauses are swapped instead.
    "so": Opposite("", ("IN", "RB", "CC"), after={"much", "many"}, opening="in spite of that"),
    "therefore": Opposite("nevertheless"),
    "thus": Opposite("nevertheless"),
    "consequently": Opposite("nevertheless"),
    "as a result of": Opposite("despite"),
    "as a result": Opposite("in spite of that"),
    "due to": Opposite("despite", before=_IS),
    "thanks to": Opposite("despite"),
    "the reason was": Opposite("the result was"),
    "the reason is": Opposite("the result is"),
    "result": Opposite("reason", ("NN",), before={"a", "test", "end"}),
    "cause": Opposite("effect", ("NN",), before={"good", "great", "worthy", "lost"}),
    "effect": Opposite("cause", ("NN",), before={"in", "into", "side", "special", "take", "took"}),
    "effects": Opposite("causes", ("NNS",), before={"side", "special", "sound"}),
    "consequence": Opposite("cause", ("NN",)),
    "consequences": Opposite("causes", ("NNS",)),
    "caused": Opposite("prevented", ("VBD", "VBN"), after={"by", *_WHOM}, elsewhere={"to"}),
    "causes": Opposite("prevents", ("VBZ",), after=_WHOM, elsewhere={"to"}),
    "causing": Opposite("preventing", ("VBG",), after=_WHOM, elsewhere={"to"}),
    "led to": Opposite("prevented", before=_IS),
    "resulted in": Opposite("resulted from"),
}
CONCLUSIONS = {"so", "therefore", "thus", "consequently", "as a result"}
"""Words that say what follows from the sentence before them."""
CAUSE_WORDS = {
    *("because", "therefore", "why", "cause", "causes", "caused", "causing", "causal", "reason", "reasons", "result"),
    *("results", "resulted", "effect", "effects", "purpose", "purposes", "aim", "aims", "sake", "consequence"),
    *("consequences", "consequently", "thus", "hence"),
}
"""Words that make a story one of causes (Table 12); "so" and "since" only before a clause."""
TIMES: Mapping[str, Opposite] = {
    "before long": Opposite("after a very long time"),
    "until": Opposite(
        "after", ("IN",), before={"not", "n't", "up", "never", "wait", "waited", "waiting"}, after={"now", "then"}
    ),
    "later": Opposite("earlier", ("RB", "JJ"), before={"sooner", "or", "a"}),
    "earlier": Opposite("later", ("RB", "JJ"), before={"an"}, after={"version", "versions"}),
    "late": Opposite("early", ("RB",), before={"a", "of", "too", *_OWN}, after=_PARTS),
    "ago": Opposite("from now", before={"long"}),
    "often": Opposite("rarely", before={"how", "as", "so", "very", "more", "less", "too", "that", "not", "n't"}),
    "usually": Opposite("rarely", before={"as", "than"}),
    "frequently": Opposite("rarely", before={"more", "less"}),
    "rarely": Opposite("often"),
    "seldom": Opposite("often"),
    "finally": Opposite("at first", before={"to"}),
    "eventually": Opposite("at first", before={"to"}),
    "at first": Opposite("in the end", after={"sight", "glance", "light"}),
    "at last": Opposite("at first"),
    "in the end": Opposite("in the beginning", ends=True),
    "at the end": Opposite("at the beginning", ends=True, elsewhere={"will", "'ll", "'re", "are", "is"}),
    "the beginning": Opposite("the end", ends=True),
    "the end": Opposite("the beginning", ends=True),
    "yesterday": Opposite("tomorrow"),
    "tomorrow": Opposite("yesterday"),
    "today": Opposite("tomorrow", before={"of", "for"}, elsewhere=_NOT_PAST),
    "the past": Opposite("the future", ends=True),
    "the future": Opposite("the past", ends=True),
    "previously": Opposite("subsequently"),
    "lately": Opposite("long ago", elsewhere={"have", "has", "'ve", "'s"}),
    "recently": Opposite(
        "long ago", before={"just", "only", "more", "most", "until"}, elsewhere={"have", "has", "'ve", "'s"}
    ),
    "in the afternoon": Opposite("at dawn", before={*map(str, range(1, 13)), "o'clock"}),
    "temporary": Opposite("permanent"),
    "temporarily": Opposite("permanently"),
    "last night": Opposite("tomorrow night", before={"the", "his", "her", "their", "our", "my", "its"}),
    "this morning": Opposite("tomorrow morning", elsewhere=_NOT_PAST),
    "this afternoon": Opposite("tomorrow afternoon", elsewhere=_NOT_PAST),
    "this evening": Opposite("tomorrow evening", elsewhere=_NOT_PAST),
    "right away": Opposite("years later"),
    "immediately": Opposite("", opening="years later"),
    "as soon as": Opposite("long before", before=_DENIED),
} | {
    f"for {number} {unit}": Opposite("for a second", before={"except", "but"}, elsewhere=_DENIED | {"once"})
    for number in ("many", "several", "some", "a few", "two", "three", "four", "five", "six", *map(str, range(2, 13)))
    for unit in ("hours", "days", "weeks", "months", "years")
} | {
    f"for {span}": Opposite("for a second", after={"or"}, elsewhere=_DENIED | {"once"})
    for span in ("hours", "days", "weeks", "months", "years", "a long time", "an hour", "a week", "a month", "a year")
} | {
    f"all {span}": Opposite("for a second", before=_NOT_FOR, after={"long", "of", "in"}, elsewhere=_DENIED)
    for span in ("day", "night", "week", "month", "summer", "winter", "afternoon", "morning", "weekend")
} | {
    f"every {span}": Opposite("only once", before={"", ",", "almost", "nearly", "in", "of"}, elsewhere=_DENIED)
    for span in ("day", "night", "week", "month", "year", "summer", "morning", "weekend", "evening")
} | {
    f"the {which} {what}": Opposite(f"the {new} {what}")
    for which, new in (("next", "previous"), ("following", "previous"), ("previous", "next"))
    for what in ("day", "days", "morning", "night", "week", "month", "year", "evening", "hour", "afternoon")
} | {
    f"{which} {what}": Opposite(f"{new} {what}", before={"the", "very", "every", "this", "that", "all", *_OWN})
    for which, new in (("next", "last"), ("last", "next"))
    for what in ("week", "month", "year", "spring", "summer", "fall", "winter", "weekend")
}  # fmt: skip
MILD_TIMES = {"until", "often", "usually", "recently"}
"""Words whose opposite often fits as well: others come first."""
LAST_TIMES = {"eventually", "finally", "at last"}
"""Words of what comes last; where more follows, their opposite fits as well."""
TIME_WORDS = {
    *("after", "before", "previously", "simultaneously", "currently", "meanwhile", "then", "now", "ever", "again"),
    *("once", "anytime", "when", "while", "never", "always", "usually", "often", "sometimes", "early", "lately"),
    *("already", "forever", "ago", "yesterday", "today", "tomorrow", "ending", "beginning", "previous", "current"),
    *("temporary", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "month", "months"),
    *("year", "years", "century", "past", "future", "present", "delay", "night", "evening", "morning", "afternoon"),
    *("noon", "later", "earlier", "until", "soon", "finally", "eventually", "afterwards", "late", "next", "week"),
}
"""Words that make a story one of times (Table 12, and their like)."""
