"""What judges say of pairs beside what people say of them: both as preferences, and how often both choose alike."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judges.position import Position, position
from core.analysis.preferences.preferences import Preferences
from core.arrays import Floats, Ints
from core.scores import PairColumn
from core.statistics.intervals import Estimate, share_by_document

NOTHING_SAID = "it has said nothing of a judged pair"


@dataclass(frozen=True)
class PairTrial:
    """One judge beside people. Of the `n` judgments whose pair it has judged, `alike` is the share in which it chooses
    as the rater does: the same story, or a tie, which is what two raters are compared by too; with its 95 % interval by
    prompt. `tied`: the share of these judgments of whose pair it calls both stories equal, or in which it changes its
    mind.
    """

    metric: str
    signature: str
    n: int
    alike: Estimate
    tied: Estimate
    position: Position


def try_judges(columns: Sequence[PairColumn], preferences: Preferences) -> tuple[PairTrial, ...]:
    """Every judge of pairs, on these judgments."""
    return tuple(_tried(column, preferences) for column in columns)


def _tried(column: PairColumn, preferences: Preferences) -> PairTrial:
    _, verdicts = on_judgments(column, preferences)
    said = np.flatnonzero(np.isfinite(verdicts))
    hits = verdicts[said] == np.sign(preferences.choice[said]), verdicts[said] == 0
    alike, tied = (_share(hit.astype(np.float64), preferences.prompt[said]) for hit in hits)
    return PairTrial(column.metric, column.signature, len(said), alike, tied, position(column))


def _share(hits: Floats, prompts: Ints) -> Estimate:
    return share_by_document(hits, prompts) if len(hits) else Estimate(None, undefined=NOTHING_SAID)


def on_judgments(column: PairColumn, preferences: Preferences) -> tuple[Ints, Floats]:
    """Of each judgment the place of its pair in the column, -1 of one that it lacks, and the verdict on it from the
    judgment's side: below 0 the story shown first is better, NaN where there is none.
    """
    places = {keys: place for place, keys in enumerate(zip(column.first, column.second, strict=True))}
    shown = list(zip(preferences.first_story, preferences.second_story, strict=True))
    along = np.array([places.get(keys, -1) for keys in shown], dtype=np.intp)
    across = np.array([places.get(keys[::-1], -1) for keys in shown], dtype=np.intp)
    at, known = np.maximum(along, across), np.append(column.verdicts, np.nan)
    return at, np.where(along >= 0, known[at], -known[at])


def shares_won(column: PairColumn, preferences: Preferences) -> dict[str, float]:
    """Of each story, by its key, the share of the judge's verdicts that it has won, a tie half; each pair that people
    judged counts once.
    """
    at, verdicts = on_judgments(column, preferences)
    said = np.flatnonzero(np.isfinite(verdicts))
    won: dict[str, list[float]] = {}
    for row in said[np.unique(at[said], return_index=True)[1]].tolist():
        won.setdefault(preferences.first_story[row], []).append((1 - verdicts[row]) / 2)
        won.setdefault(preferences.second_story[row], []).append((1 + verdicts[row]) / 2)
    return {key: float(np.mean(hits)) for key, hits in won.items()}
