"""What is said in words of preferences; names of systems and metrics stand in it as they are."""

from collections.abc import Sequence

from core.analysis.preferences.metrics import MetricPreferences
from core.analysis.preferences.ranking import Ranking
from core.judges.asking import AGAIN
from core.scores import IMPORTED, NOT_YET, OWN_REFERENCE

OFTEN = 0.025
"""The share of draws from which on they can be the end of an interval."""
NAMED, SAID = 5, 5
"""Metrics that a sentence names, and sentences about judgments without scores."""


def groups_sentence(ranking: Ranking) -> str:
    """Which systems cannot be told apart; nothing where that could not be tested."""
    if not ranking.groups:
        return ""
    if len(ranking.groups) == 1:
        return "No test tells any two of these systems apart, which does not show that they are equal."
    listed = "; ".join(", ".join(group) for group in ranking.groups)
    if all(len(group) == 1 for group in ranking.groups):
        return f"Tests tell each system from the next: {listed}."
    return (
        f"Groups, the strongest first: {listed}. No test tells apart the systems of one group, which does not show "
        "that they are equal."
    )


def remarks(ranking: Ranking, judgments: int) -> tuple[str, ...]:
    """Why there is no ranking, or what to know before reading it: a sentence or two each; `judgments`: all there are,
    those of stories that name no system among them.
    """
    result = []
    if nameless := judgments - ranking.judgments:
        result.append(
            f"{nameless:,} of {judgments:,} judgments are of stories that name no system: they say nothing of systems, "
            "and are left out of the ranking."
        )
    if not ranking.judgments:
        return tuple(result)
    if ranking.undefined:
        return (*result, f"{_capital(ranking.undefined)}.{_next(ranking)}")
    if ranking.penalised:
        alone = " A system whose strength only the prior keeps finite has a rank, but no interval."
        result.append(f"{_capital(ranking.penalised)}.{alone if any(row.extreme for row in ranking.rows) else ''}")
    if ranking.prompts == 1:
        result.append(
            "All judgments are of one prompt: there are no intervals, no tests and no groups. Have stories of other "
            "prompts compared."
        )
    elif not ranking.penalised and ranking.draws_penalised > OFTEN * ranking.draws:
        result.append(
            f"{ranking.draws_penalised:,} of the {ranking.draws:,} draws of prompts needed a weak prior, as a system "
            "had won or lost everything in them: the ends of intervals lean on it. More judgments would help."
        )
    if ranking.draws_apart:
        result.append(
            f"{ranking.draws_apart:,} of the {ranking.draws:,} draws of prompts fall into parts that no judgment joins "
            "and are left out. More judgments would help."
        )
    return (*result, *_side(ranking))


def missing(metrics: MetricPreferences, names: Sequence[str]) -> tuple[str, ...]:
    """How many decided judgments do not count for which metrics, and why, the most frequent first; `names`: of the
    rows.
    """
    found: dict[tuple[int, str], list[str]] = {}
    for name, row in zip(names, metrics.rows, strict=True):
        for reason, number in row.reasons.items():
            found.setdefault((number, reason), []).append(name)
    lines = sorted(found.items(), key=lambda line: line[0][0], reverse=True)
    result = []
    for (number, reason), lacking in lines[:SAID]:
        judgments = "decided judgment does" if number == 1 else "decided judgments do"
        whose = ", ".join(lacking[:NAMED]) + (f" and {more:,} more" if (more := len(lacking) - NAMED) > 0 else "")
        whose = "any metric" if len(lacking) == len(names) > 1 else whose
        result.append(f"{number:,} {judgments} not count for {whose}: {_why(reason).rstrip('.')}.")
    return tuple(result)


def unscored(metrics: MetricPreferences, *, imported: bool) -> bool:
    """Whether judgments lack scores that another run may give, of metrics that were `imported`, or of the others."""
    rows = [row for row in metrics.rows if row.signature.startswith(IMPORTED) is imported]
    return any(reason.endswith((NOT_YET, AGAIN)) for row in rows for reason in row.reasons)


def _why(reason: str) -> str:
    """The reason, with what a person's story has to do with it."""
    if reason.endswith(OWN_REFERENCE):
        return f"{reason}, as every person's is where a metric compares with people's stories"
    return reason


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _next(ranking: Ranking) -> str:
    if len(ranking.parts) > 1:
        return " Have stories of one part compared with stories of another."
    return ""


def _side(ranking: Ranking) -> tuple[str, ...]:
    """That people favour a side, where they do."""
    first = ranking.first
    if first.low is None or first.high is None or first.low <= 0.5 <= first.high:
        return ()
    return (
        f"The story shown first has won {first.text('.1%')} of the decided judgments: people favour a side. Where each "
        "pair stands on either side equally often, strengths do not suffer.",
    )
