"""What a trained metric learnt from, and how it did on what was held out, in a sentence or two for a report."""

import re
from collections.abc import Iterable

from core.checkpoints.card import CheckpointCard, Figure
from core.wording import so_many

_CHECKPOINT = re.compile(r"\|checkpoint:([0-9a-f]{12})(?=\||$)")
_HELD_OUT, _OF_ONE_TECHNIQUE = "held-out ", " alone"
"""How a card begins what was measured on stories that were left out, and ends what is of some of them."""
_CALLED = {"auc": "AUC", "ranked": "in the right order"}
MOST_NAMED = 5


def weights_in(signature: str) -> str:
    """How the hash of the weights begins of the checkpoint that a signature names; "" where it names none."""
    match = _CHECKPOINT.search(signature)
    return match[1] if match else ""


def card_of(signature: str, cards: Iterable[CheckpointCard]) -> CheckpointCard | None:
    """The card of the checkpoint that a signature names; None for one without, or whose checkpoint is not here."""
    weights = weights_in(signature)
    return next((card for card in cards if weights and card.weights.startswith(weights)), None)


def training_in_words(card: CheckpointCard) -> str:
    """From how many stories of what it learnt, and its figures on those that were held out."""
    return " ".join(filter(None, (_trained_on(card), _measured(card.figures))))


def _trained_on(card: CheckpointCard) -> str:
    named = [f"{data_set.size:,} of {data_set.name}" for data_set in card.data[:MOST_NAMED]]
    if not named:
        return ""
    total = so_many(sum(data_set.size for data_set in card.data), "story", "stories")
    if len(card.data) == 1:
        return f"Its checkpoint was trained on {total} of {card.data[0].name}."
    more = f" and {len(card.data) - MOST_NAMED} more" if len(card.data) > MOST_NAMED else ""
    return f"Its checkpoint was trained on {total}: {', '.join(named)}{more}."


def _measured(figures: Iterable[Figure]) -> str:
    """Those of all that was held out; of a metric that was fitted crosswise, the first one."""
    listed = list(figures)
    groups: dict[tuple[str, int], list[str]] = {}
    for figure in listed:
        on, _, what = figure.what.partition(": ")
        if on.startswith(_HELD_OUT) and not on.endswith(_OF_ONE_TECHNIQUE):
            groups.setdefault((on, figure.n), []).append(f"{_CALLED.get(what, what)} {_number(figure.value)}")
    parts = [f"{on} (n = {n:,}): {', '.join(values)}" for (on, n), values in groups.items()]
    if not parts:
        parts = [f"{figure.what} (n = {figure.n:,}): {_number(figure.value)}" for figure in listed[:1]]
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _number(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")
