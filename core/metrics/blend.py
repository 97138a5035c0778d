"""Blends: metrics computed from other metrics' scores over a whole study, and so dependent on the stories shown.

They are never stored: an analysis makes them of the raw scores that are.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, islice, product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, blocks, room
from core.errors import InputError
from core.metrics.base import Metric, Option, Progress, Scores, Settings
from core.scores import IMPORTED, NOT_YET, ScoreColumn
from core.stories import Story

MOST = 4
"""Blends of one name and option: of a part that was scored in several ways, the latest ways are taken."""
HOW = Option(
    ("mean", "min", "max", "geometric"),
    "how the parts become one number, each brought to 0 to 1 over the whole study first (Tao et al. 2018, section 3.3)",
    title="Parts become one by",
)


class Blend(Metric):
    """A metric of others. `parts`: their registered names, each of which is scored and stored by itself."""

    parts: ClassVar[tuple[str, ...]]
    options = {"how": HOW}

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Raises InputError: there is no number of a story alone."""
        raise InputError(
            f"{self.name} depends on a study's other stories: score {' and '.join(self.parts)} in a study, and it "
            "stands beside them in every analysis."
        )

    def combine(self, parts: Sequence[Floats]) -> tuple[Floats, dict[int, str]]:
        """One number per story (n), 0 to 1, from each part's over the whole study (n each, NaN where there is none);
        and why a story has none, by its number.

        A part that is the same for all stories tells nothing, and leaves all undefined.
        """
        result: Floats = room(len(parts[0]))
        ends = [_ends(values) for values in parts]
        for name, (low, high) in zip(self.parts, ends, strict=True):
            if low == high:
                result[:] = np.nan
                return result, dict.fromkeys(range(len(result)), f"{name} is the same for all stories")
        for block in blocks(len(result)):
            scaled = [(values[block] - low) / (high - low) for values, (low, high) in zip(parts, ends, strict=True)]
            result[block] = _HOWS[self.chosen["how"]](np.stack(scaled))
        return result, {}

    def signature_of(self, parts: Sequence[str]) -> str:
        """All that the numbers depend on besides the stories: how they are made, and the signatures of the parts."""
        options = [f"{key}:{value}" for key, value in sorted(self.option_parts().items())]
        made_of = ",".join(f"({part})" for part in parts)
        return "|".join([self.name, *options, f"parts:{made_of}", f"v:{self.version}"])

    def column(self, parts: Sequence[ScoreColumn]) -> ScoreColumn:
        """The blend of these columns, which hold all stories of a study."""
        values, reasons = self.combine([part.values for part in parts])
        gaps = (block.start + np.flatnonzero(np.isnan(values[block])) for block in blocks(len(values)))
        for place in chain.from_iterable(mine.tolist() for mine in gaps):
            if place not in reasons:
                lacking = next(part for part in parts if np.isnan(part.values[place]))
                reasons[place] = f"{lacking.metric}: {lacking.reasons.get(place, NOT_YET)}"
        return ScoreColumn(self.name, self.signature_of([part.signature for part in parts]), values, reasons)


def _ends(values: Floats) -> tuple[float, float]:
    """The lowest and the highest number; 0 and 1 where there is none."""
    low, high = np.inf, -np.inf
    for block in blocks(len(values)):
        numbers = values[block][np.isfinite(values[block])]
        low, high = numbers.min(initial=low), numbers.max(initial=high)
    return (float(low), float(high)) if low <= high else (0.0, 1.0)


def _geometric(scaled: Floats) -> Floats:
    result: NDArray[np.float64] = scaled.prod(0) ** (1 / len(scaled))
    return result


_HOWS: Mapping[str, Callable[[Floats], Floats]] = {
    "mean": lambda scaled: scaled.mean(0),
    "min": lambda scaled: scaled.min(0),
    "max": lambda scaled: scaled.max(0),
    "geometric": _geometric,
}


def ways(metrics: Iterable[type[Metric]], signatures: Collection[str]) -> list[Blend]:
    """The blends among these metrics, each in its usual way and in those ways whose signature is among these."""
    result = []
    for metric in metrics:
        if issubclass(metric, Blend):
            every = [metric(Settings(options={"how": how})) for how in metric.options["how"].values]
            result += [every[0], *(blend for blend in every[1:] if blend.signature in signatures)]
    return result


def blended(blends: Sequence[Blend], columns: Sequence[ScoreColumn]) -> list[ScoreColumn]:
    """What can be blended of a study's columns, the latest first: for each blend every way in which its parts were
    scored, but 4 at most. Imported scores are left out: they carry their own blends.
    """
    by: dict[str, list[ScoreColumn]] = {}
    for column in columns:
        if not column.signature.startswith(IMPORTED):
            by.setdefault(column.metric, []).append(column)
    return [
        blend.column(parts)
        for blend in blends
        for parts in islice(product(*(by.get(name, []) for name in blend.parts)), MOST)
    ]
