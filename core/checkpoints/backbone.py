"""Finds the model that a trained metric stands on."""

from core.checkpoints.card import CheckpointCard
from core.errors import InputError, ModelMissing
from core.models.catalogue import BUNDLED, ModelRole, ModelSource, locate


def base_of(card: CheckpointCard, named: str | None = None) -> ModelSource:
    """The base that a card speaks of; `named`: where it is, which only a folder's has to be told.

    Raises ModelMissing where it cannot be found, InputError where what is found is another one.
    """
    name = card.base.rpartition("@")[0]
    if not named and in_a_folder(card):
        raise ModelMissing(
            f"The checkpoint {card.name!r} stands on {name}, a model from a folder: name that folder as its base."
        )
    result = locate(named or name, ModelRole.BASE)
    check_base(card, result)
    return result


def in_a_folder(card: CheckpointCard) -> bool:
    """Whether somebody has to say where the base is."""
    name, _, revision = card.base.rpartition("@")
    return name not in BUNDLED and revision.startswith("sha256:")


def check_kind(card: CheckpointCard, kind: str, called: str) -> None:
    """Raises InputError where a card is of another kind; `called`: what one of this kind is, with its article."""
    if card.kind != kind:
        raise InputError(f"The checkpoint {card.name!r} is a {card.kind}, not {called}: choose another one.")


def check_base(card: CheckpointCard, base: ModelSource) -> None:
    """Raises InputError where a base is not the one that a card speaks of."""
    if base.at_revision != card.base:
        raise InputError(
            f"The checkpoint {card.name!r} was trained on {card.base} and knows nothing of {base.name}@"
            f"{base.revision}: name its own base, or train one on yours."
        )
