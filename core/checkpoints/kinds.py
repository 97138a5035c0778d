"""The kinds of trained metrics, and what a checkpoint's card says of one: light, so that pages and scorers share it."""

from enum import StrEnum

UNION, RUBER, LANGUAGE_MODEL, DISSCORE, BLEURT = "union", "ruber", "language-model", "discriminator", "bleurt"
"""As cards and jobs keep them."""
CROSS_FITTED = (DISSCORE, BLEURT)
"""Each story is scored by a model that has not seen its prompt: see `core.checkpoints.folds`."""


class Tuning(StrEnum):
    """What of the base learns: nothing, low-rank adapters in its attention, or all of it up to the highest layer."""

    FROZEN = "frozen"
    ADAPTER = "adapter"
    FULL = "full"


RANK = 8
"""Of adapters."""


class Embeddings(StrEnum):
    """What stands for a token in RUBER: the frozen base's hidden state in its context (Ghazarian et al. 2019), or its
    input embedding, which knows no context, under a small recurrent network (Tao et al. 2018).
    """

    BERT = "bert"
    WORDS = "words"
