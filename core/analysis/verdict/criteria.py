"""Which of a study's criteria a metric serves, and which it does not."""

from collections.abc import Mapping, Sequence

from core.analysis.verdict.sentences import Basis, VerdictSentence, claimed, interval_text, number, settled
from core.statistics.correlation import Correlation

SETTLED = {1: "it serves", -1: "it falls as people's ratings rise on", 0: "nothing shows that it serves"}
"""What the sign that an interval settles means; 0: it settles none."""


def on_criteria(of: Mapping[str, Correlation], prompts: int) -> tuple[VerdictSentence, ...]:
    """A sentence that sorts the criteria by what the intervals of Pearson's r settle; none where there is one criterion
    or too little to claim anything.
    """
    known = {name: c for name, c in of.items() if c.pearson.value is not None and claimed(c.n, prompts)}
    if len(of) < 2 or not known:
        return ()
    by_r = sorted(known, key=lambda name: -(known[name].pearson.value or 0.0))
    signs = {name: settled(known[name].pearson) for name in by_r}
    parts = []
    for sign, words in SETTLED.items():
        mine = [name for name in by_r if signs[name] == sign]
        if mine:
            parts.append(f"{words} {_listed([_with_r(name, known[name]) for name in mine])}")
    left = [f"{name} ({of[name].undefined})" for name in of if of[name].undefined]
    if left:
        parts.append(f"undefined: {'; '.join(left)}")
    text = f"Of {len(of)} criteria {'; '.join(parts)}."
    numbers = tuple((name, known[name].pearson.value or 0.0) for name in by_r)
    return (VerdictSentence(text, numbers, Basis.CRITERIA),)


def _with_r(name: str, correlation: Correlation) -> str:
    r = correlation.pearson
    return f"{name} (r = {number(r.value)}{interval_text(r.low, r.high, '95 % interval')})"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
