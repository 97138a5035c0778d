"""Cards of trained metrics side by side: what each says of a setting, and which settings differ."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.checkpoints.card import CheckpointCard, Figure


@dataclass(frozen=True)
class ComparedSetting:
    """What each card says of it, "" where it says nothing."""

    name: str
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether the cards disagree."""
        return len(set(self.values)) > 1


def settings(cards: Sequence[CheckpointCard]) -> list[ComparedSetting]:
    """All that the metrics depend on: base, data, options and recipe, in the order of the first card that says it."""
    entries = [_said(card) for card in cards]
    names = dict.fromkeys(name for item in entries for name in item)
    return [ComparedSetting(name, tuple(item.get(name, "") for item in entries)) for name in names]


def figures(cards: Sequence[CheckpointCard]) -> list[tuple[str, tuple[Figure | None, ...]]]:
    """What was measured, by what it is, of each card."""
    of = [{figure.what: figure for figure in card.figures} for card in cards]
    names = dict.fromkeys(name for item in of for name in item)
    return [(name, tuple(item.get(name) for item in of)) for name in names]


def _said(card: CheckpointCard) -> dict[str, str]:
    result = {"kind": card.kind, "base": card.base}
    result |= {f"data: {data_set.name}": f"{data_set.size:,} stories, {data_set.hash[:12]}" for data_set in card.data}
    return result | _flat(card.options) | _flat(card.recipe)


def _flat(given: Mapping[str, object], before: str = "") -> dict[str, str]:
    result: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            result |= _flat(value, f"{before}{name}: ")
        elif value is not None:
            text = value if isinstance(value, str) else json.dumps(value)
            result[f"{before}{name}".replace("_", " ")] = text
    return result
