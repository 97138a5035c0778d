"""Sentences on what is left of one metric's agreement with people at equal systems and equal length."""

from core.analysis.correlation.partial import Held, Partial
from core.analysis.verdict.sentences import About, Sentence, cited, number, settled, within

HELD = {
    "within_systems": "within systems",
    "equal_length": "at equal length",
    "both": "within systems at equal length",
}


def on_partial(found: Partial) -> tuple[Sentence, ...]:
    """Pearson's r with systems, length and both held equal, beside the pooled one; and beside the number of words."""
    known = [(HELD[name], getattr(found, name)) for name in HELD if getattr(found, name).undefined is None]
    if not known:
        return ()
    (name, first), *rest = known
    listed = [f"{name[0].upper()}{name[1:]} Pearson's r is {_r(first)}", *(f"{name} {_r(one)}" for name, one in rest)]
    said = ", ".join(listed[:-1]) + (", and " if len(listed) > 1 else "") + listed[-1]
    numbers = [pair for name, one in known for pair in cited(one.r, f"r {name}", f"low {name}", f"high {name}")]
    sentences = [Sentence(f"{said}.", tuple(numbers), About.PARTIAL)]
    lost = settled(found.pooled.r) and found.equal_length.undefined is None and not settled(found.equal_length.r)
    if lost:
        text = (
            "At equal length nothing is sure to be left of it: the interval there holds 0 "
            f"({_ends(found.equal_length)})."
        )
        sentences.append(Sentence(text, _cited_ends(found.equal_length), About.PARTIAL, caution=True))
    return (*sentences, *_against_words(found))


def _against_words(found: Partial) -> tuple[Sentence, ...]:
    """Whether the metric agrees with people more than the number of words does, in either direction."""
    if found.words.undefined is not None or found.beyond_words.value is None:
        return ()
    own = f"the number of words alone has r = {_r(found.words)}"
    difference = f"and in size it differs from that by {number(found.beyond_words.value)}"
    difference += within(found.beyond_words.low, found.beyond_words.high, "95 % interval")
    outcome = {
        1: f"It agrees with people more than length does: {own}, {difference}.",
        -1: f"Length agrees with people more than it does: {own}, {difference}.",
        0: f"It cannot be told to agree with people more than length does: {own}, {difference}.",
    }[settled(found.beyond_words)]
    numbers = (
        *cited(found.words.r, "r of words", "low of words", "high of words"),
        *cited(found.beyond_words, "beyond words", "low beyond", "high beyond"),
    )
    return (Sentence(outcome, numbers, About.PARTIAL, caution=settled(found.beyond_words) <= 0),)


def _r(one: Held) -> str:
    ends = "" if one.r.low is None else f" ({_ends(one)})"
    return f"{number(one.r.value)}{ends}"


def _ends(one: Held) -> str:
    return f"{number(one.r.low)} to {number(one.r.high)}"


def _cited_ends(one: Held) -> tuple[tuple[str, float], ...]:
    return tuple((name, end) for name, end in (("low", one.r.low), ("high", one.r.high)) if end is not None)
