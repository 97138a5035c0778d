"""What a training of UNION will cost, before it runs: pairs, time, and how large the checkpoint gets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.checkpoints.kinds import RANK, Tuning
from core.checkpoints.overlap import BYTES
from core.errors import InputError
from core.models.catalogue import DEFAULTS, Role
from core.models.shape import NARROW, Shape
from core.stories import sentences
from core.training.engine.cost import BASE_READING, NEGATIVES, READING, TRAINING, Work
from core.training.engine.recipe import Way
from core.training.union.order import UnionOrder
from core.training.union.pairs import FEWEST, too_few

LETTERS_A_WORD = 6
"""With the space after it."""
_GUESS = {NEGATIVES: 60_000, READING: BASE_READING, Tuning.FROZEN: 60_000, Tuning.ADAPTER: 1_200, Tuning.FULL: 900}
"""Characters a second on two cores, where this machine has not shown its speed yet."""
_HALF, _SINGLE = 2, 4
"""Bytes of a number of a matrix, and of any other."""


@dataclass(frozen=True, slots=True)
class Size:
    """Of a corpus: different stories, those that can have a negative, and their characters as far as they are read."""

    stories: int
    pairs: int
    characters: int


def size_of(texts: Sequence[str], words: int) -> Size:
    """A story of one sentence has no negative, and whether one of two has is seen only when it is made."""
    unique = list(dict.fromkeys(texts))
    fit = [text for text in unique if len(sentences(text)) > 1]
    most = words * LETTERS_A_WORD if words else max(map(len, fit), default=0)
    return Size(len(unique), len(fit), sum(min(len(text), most) for text in fit))


def check_sizes(sizes: Mapping[str, Size]) -> None:
    """Raises InputError for a corpus of too few stories, or for none."""
    if not sizes:
        raise InputError("Choose stories to train on: a study's human ones, or a table of your own.")
    for name, one in sizes.items():
        if one.pairs < FEWEST:
            raise InputError(f"{name}: {too_few(one.stories, one.pairs)}")


def works(order: UnionOrder, characters: int, pairs: int, top: int) -> list[Work]:
    """The phases of a training on so many human stories (`pairs`) of so many characters in all; `top`: the
    highest layer that is read.
    """
    where = f"{order.base or DEFAULTS[Role.BASE]} {top} {order.device} {order.precision}"
    found = [Work(NEGATIVES, "train negatives", characters, _GUESS[NEGATIVES])]
    paper = order.recipe is Way.PAPER
    tuning = Tuning.FULL if paper else order.tuning
    frozen = tuning is Tuning.FROZEN
    if frozen:
        found.append(Work(READING, f"train reading {where}", 2 * characters, _GUESS[READING]))
    heads = f"{order.recipe if paper else tuning} {'with' if order.reconstruction else 'without'} reconstruction"
    key = f"train {heads} {where}"
    return [*found, Work(TRAINING, key, round(2 * characters * order.passes(pairs)), _GUESS[tuning])]


def checkpoint_bytes(order: UnionOrder, shape: Shape, layers: Sequence[int], stories: int) -> int:
    """About: of the heads, of what the base learns, and of what tells the stories again."""
    width, features = shape.width, (len(layers) + 1) * shape.width
    heads = _HALF * (2 * NARROW * width + features + 2 * NARROW) + _SINGLE * (2 * features + 3 * width + NARROW)
    learnt, paper = 0, order.recipe is Way.PAPER
    if paper:
        rebuild = shape.vocabulary if order.reconstruction else 0
        heads = _HALF * (1 + rebuild) * width + _SINGLE * (1 + rebuild)
    if not paper and order.tuning is Tuning.ADAPTER:
        learnt = max(layers) * 2 * 2 * RANK * width
    elif paper or order.tuning is Tuning.FULL:
        wide = (3 if shape.causal else 2) * width * shape.inner
        learnt = shape.vocabulary * width + max(layers) * (4 * width * width + wide)
    return heads + _HALF * learnt + BYTES * stories
