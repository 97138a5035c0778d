"""What all trained metrics share: a checkpoint, its backbone, and how it reads stories."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar

from core.checkpoints.backbone import base_of, check_kind, in_a_folder
from core.checkpoints.card import CheckpointCard
from core.checkpoints.checkpoint import Checkpoint
from core.checkpoints.in_words import card_of
from core.checkpoints.store import find
from core.errors import InputError, ModelMissing
from core.metrics.base import TEXT_OPTIONS, Metric, Need, Option
from core.models.catalogue import ModelRole, ModelSource
from core.stories import read_as
from core.windows import Long

NONE = ""
"""Instead of a checkpoint, where none comes along."""
FIRST_WORDS = Option(
    ("trained", *TEXT_OPTIONS["first_words"].values),
    "stories are cut at the last sentence end within so many words, as those were that the checkpoint was trained on",
    TEXT_OPTIONS["first_words"].pattern,
    TEXT_OPTIONS["first_words"].further,
)

LONG = Option(
    tuple(long.value for long in Long),
    "a story of more words is read in windows of whole sentences, so many words each, and its logit is the mean of "
    "theirs; that takes as long as the whole story is. Or cut: its first words alone, as UNION's and OpenMEVA's "
    "authors have it",
    title="Long stories",
)


def checkpoint_option(shipped: tuple[str, ...], which: str) -> Option:
    """`shipped`: names of those that come with Fabula and fit; the first is the default. None: the user names one."""
    return Option(shipped or (NONE,), which, ".+", "the name of one that was trained or imported, or its folder")


class TrainedMetric(Metric):
    """A metric that a checkpoint of one kind computes; its option `checkpoint` says which."""

    needs = frozenset({Need.MODEL})
    role = ModelRole.BASE
    trained: ClassVar[str]
    """The kind of its checkpoints, as their cards name it."""
    called: ClassVar[str]
    """The same in a sentence: a UNION."""
    reads: ClassVar[Sequence[str]] = ("words", "normalisation")
    """Options that a card must have."""

    @classmethod
    def fits(cls, card: CheckpointCard) -> bool:
        """Whether a checkpoint is this metric's."""
        return card.kind == cls.trained

    @classmethod
    @abstractmethod
    def how_to_train(cls) -> str:
        """The command that makes a checkpoint."""

    @cached_property
    def checkpoint(self) -> Checkpoint:
        """Found once. Raises ModelMissing, and InputError for one that is not this metric's."""
        if not (named := self.chosen["checkpoint"]):
            raise ModelMissing(
                f"The metric {self.name} needs {self.called} that was trained: make one with `{self.how_to_train()}` "
                "or on the Train page, and choose it as its checkpoint."
            )
        result = find(named)
        card = result.card
        check_kind(card, self.trained, self.called)
        self.check(card)
        if missing := sorted(set(self.reads) - card.options.keys()):
            raise InputError(f"The card of the checkpoint {card.name!r} does not say its {missing[0]}: train it again.")
        return result

    def check(self, card: CheckpointCard) -> None:
        """Raises InputError where a checkpoint of the kind is for another metric."""

    @cached_property
    def source(self) -> ModelSource:
        """The base that the checkpoint names; the run's model says where it is."""
        return base_of(self.checkpoint.card, self.settings.model)

    def option_parts(self) -> dict[str, str]:
        """The checkpoint by its weights' hash, for names change, and how it reads."""
        card = self.checkpoint.card
        result = {**super().option_parts(), "checkpoint": card.weights[:12]}
        for option, trained in (("normalisation", "normalisation"), ("first_words", "words")):
            if self.chosen.get(option, "trained") == "trained":
                result[option] = read_as(str(card.options[trained] or "all"))
        return result

    @property
    def words(self) -> int | None:
        """Within how many words a story is cut: 0 for not at all, None for as in the training."""
        chosen = self.chosen["first_words"]
        return None if chosen == "trained" else 0 if chosen == "all" else int(chosen)


def trained_runs(metrics: Iterable[type[Metric]], cards: Iterable[CheckpointCard]) -> list[dict[str, Any]]:
    """The settings of a run for each checkpoint and each of these metrics that it is for, by the checkpoint's name.

    Those that stand on a model in a folder are left out: somebody has to say where that is.
    """
    fit = [card for card in cards if not in_a_folder(card)]
    return [
        {"metrics": [metric.name], "options": {metric.name: {"checkpoint": card.name}}}
        for metric in metrics
        if issubclass(metric, TrainedMetric)
        for card in fit
        if metric.fits(card)
    ]


def trained_on(signature: str, cards: Iterable[CheckpointCard]) -> str:
    """Names of the corpora that the checkpoint of a signature learnt from; "" for one without, or unknown here."""
    card = card_of(signature, cards)
    return "" if card is None else ", ".join(data_set.name for data_set in card.data)
