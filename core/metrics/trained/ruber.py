"""RUBER: does the story follow from its prompt, is it close to the human story, and both. Higher is better."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from core.checkpoints.card import CheckpointCard
from core.checkpoints.kinds import Embeddings
from core.errors import InputError
from core.metrics.base import Card, Kind, Need, Progress, Scores
from core.metrics.blend import Blend
from core.metrics.embedding import NOTHING_TO_EMBED
from core.metrics.pooling import BLIND_SPOTS, cosine, maxima_and_minima
from core.metrics.referenced import EMPTY_STORY, Pair, Referenced, compare_each
from core.metrics.trained.base import FIRST_WORDS, checkpoint_option
from core.metrics.trained.odds import OddsMetric, of_option
from core.models.catalogue import ModelRole
from core.stories import Story, without_prompt

NO_PROMPT = "there is no prompt that the story could follow from"
_OF = of_option("the story goes on from its prompt")


class RuberUnreferenced(OddsMetric):
    """P(the story goes on from its prompt), learnt from human stories with their own and with others' continuations."""

    kind = Kind.UNREFERENCED
    needs = frozenset({Need.PROMPT, Need.MODEL})
    trained = "ruber"
    called = "a RUBER"
    reads = ("words", "normalisation", "layers", "embeddings")
    embeddings: ClassVar[Embeddings]
    """What its checkpoints read."""

    @classmethod
    def how_to_train(cls) -> str:
        """The command."""
        return f"train ruber --embeddings {cls.embeddings} --stories FILE --out FOLDER"

    @classmethod
    def fits(cls, card: CheckpointCard) -> bool:
        """Whether a checkpoint is this metric's."""
        return super().fits(card) and card.options.get("embeddings") == cls.embeddings

    def check(self, card: CheckpointCard) -> None:
        """Contexts or words."""
        if not self.fits(card):
            other = RuberWords.name if self.name == RuberContext.name else RuberContext.name
            raise InputError(f"The checkpoint {card.name!r} reads other embeddings: it is for the metric {other}.")

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story, and without a prompt."""
        from core.metrics.trained.ruber_scorer import (
            ruber_scorer,  # torch: the pages import this file and must stay light
        )

        checkpoint = self.checkpoint
        scorer = ruber_scorer(
            checkpoint.folder, checkpoint.card.weights, self.source, self.settings.device, self.settings.precision
        )
        parted = [_parted(story) for story in stories]
        pairs = [part for part in parted if not isinstance(part, str)]
        if on_progress and len(pairs) < len(stories):
            on_progress(len(stories) - len(pairs))
        logits = iter(scorer.logits(pairs, on_progress, self.words).tolist())
        return Scores.collect(part if isinstance(part, str) else self.number(next(logits)) for part in parted)


def _parted(story: Story) -> tuple[str, str] | str:
    """The prompt and what follows it, or why there is no score."""
    prompt, rest = story.prompt.strip(), without_prompt(story.prompt, story.text)
    if not rest:
        return EMPTY_STORY
    return (prompt, rest) if prompt else NO_PROMPT


class RuberContext(RuberUnreferenced):
    """With the states of a frozen encoder; 0 to 1."""

    name = "ruber-u-bert"
    speed = 25_000
    embeddings = Embeddings.BERT
    options = {
        "checkpoint": checkpoint_option(
            ("ruber-u-bert", "ruber-u-bert-roc", "ruber-u-bert-wp"), "which trained RUBER (docs/methods/ruber.md)"
        ),
        "of": _OF,
        "first_words": FIRST_WORDS,
    }
    card = Card(
        measures="How likely it is that the story goes on from its prompt, to a classifier that learnt to tell the "
        "continuation of a human story from another story's: the unreferenced half of RUBER.",
        paper="Tao et al. 2018; with BERT, Ghazarian et al. 2019; UNION (2020), section 4.1.",
        blind_spots="It sees whether prompt and story are about the same thing. Repetition, contradiction and poor "
        "English pass, as long as the topic is kept.",
    )


class RuberWords(RuberUnreferenced):
    """With input embeddings under a small recurrent network; 0 to 1."""

    name = "ruber-u"
    speed = 25_000
    embeddings = Embeddings.WORDS
    options = {
        "checkpoint": checkpoint_option(("ruber-u",), "which trained RUBER (docs/methods/ruber.md)"),
        "of": _OF,
        "first_words": FIRST_WORDS,
    }
    card = Card(
        measures="As ruber-u-bert, from embeddings that know no context, read by a small recurrent network that was "
        "trained with it.",
        paper="Tao et al. 2018, section 3.2.",
        blind_spots="As ruber-u-bert; and a word has one meaning, whatever stands around it.",
    )


class RuberReferencedWords(Referenced):
    """Cosine of the concatenated maxima and minima of input embeddings; -1 to 1."""

    name = "ruber-r"
    needs = frozenset({Need.REFERENCE, Need.MODEL})
    role = ModelRole.ENCODER
    speed = 400_000
    card = Card(
        measures="How close the story's words, pooled, are to those of the human story: the referenced half of RUBER "
        "on embeddings that know no context.",
        paper="Tao et al. 2018, section 3.1.",
        blind_spots=BLIND_SPOTS,
    )

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """Return how alike each story and its reference are; each text is looked up once."""
        from core.models.runtime import encoder  # torch: the pages import this file and must stay light
        from core.models.static import embedded

        if not pairs:
            return []
        model = encoder(self.source, self.settings.device, self.settings.precision)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tensors = dict(zip(texts, embedded(model, texts), strict=True))
        pooled = {text: maxima_and_minima(tensor) for text, tensor in tensors.items() if len(tensor)}

        def compared(story: str, reference: str) -> float | str:
            for what, text in (("story", story), ("reference", reference)):
                if text not in pooled:
                    return NOTHING_TO_EMBED.format(what)
            return cosine(pooled[story], pooled[reference])

        return compare_each(compared, pairs, done)


class RuberBert(Blend):
    """RUBER with contextual embeddings; 0 to 1 over a study."""

    name = "ruber-bert"
    kind = Kind.HYBRID
    needs = frozenset({Need.PROMPT, Need.REFERENCE, Need.MODEL})
    parts = ("ruber-r-bert", "ruber-u-bert")
    card = Card(
        measures="Whether the story is near the human story and goes on from its prompt: ruber-r-bert and "
        "ruber-u-bert, each brought to 0 to 1 over the whole study, and averaged.",
        paper="Tao et al. 2018, section 3.3; with BERT, Ghazarian et al. 2019.",
        blind_spots="Those of both parts. It depends on the study's other stories, the best and the worst of each "
        "part above all: numbers of two studies do not compare.",
    )


class Ruber(Blend):
    """RUBER with static embeddings; 0 to 1 over a study."""

    name = "ruber"
    kind = Kind.HYBRID
    needs = RuberBert.needs
    parts = ("ruber-r", "ruber-u")
    card = Card(
        measures="As ruber-bert, of ruber-r and ruber-u: on embeddings that know no context.",
        paper="Tao et al. 2018.",
        blind_spots="Those of both parts; it depends on the other stories as ruber-bert does.",
    )
