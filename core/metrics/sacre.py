"""Sentence BLEU as the package sacrebleu computes it (Post 2018): a score that others can compare with theirs."""

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

from core.metrics.base import Card, Option
from core.metrics.referenced import REFERENCE_OPTIONS, Pair, Referenced, one_by_one

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


class SacreBleu(Referenced):
    """sacrebleu's sentence BLEU: its tokenizers, effective order, exponential smoothing; one reference at a time."""

    name = "sacrebleu"
    options = {
        **REFERENCE_OPTIONS,
        "tokenize": Option(
            ("13a", "intl", "char", "none"),
            "sacrebleu's way to part words: that of WMT, of all scripts' punctuation, characters, or spaces only",
        ),
        "lowercase": Option(("no", "yes"), "whether capitals count as small letters"),
    }
    card = Card(
        measures="BLEU of a story against a human story of the same prompt, as the package sacrebleu defines it.",
        paper="Papineni et al. 2002; Post 2018, by the package sacrebleu (sentence BLEU, effective order, smoothing "
        "exp), divided by 100. OpenMEVA's Table 11 has another BLEU: that is bleu.",
        blind_spots="A good story need not share a word with the reference. It does not see order beyond four words, "
        "nor meaning, nor logic; a story that shares only a word or two still gets more than nothing by its smoothing.",
    )

    @cached_property
    def _bleu(self) -> "BLEU":
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(tokenize=self.chosen["tokenize"], lowercase=self.chosen["lowercase"] == "yes", effective_order=True)

    def option_parts(self) -> dict[str, str]:
        """With the package's version, which its numbers depend on."""
        return {**super().option_parts(), "sacrebleu": version("sacrebleu")}

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """0..1."""
        bleu = self._bleu
        scores = one_by_one(lambda story, reference: bleu.sentence_score(story, [reference]).score / 100, pairs, done)
        _forget(bleu.tokenizer)
        return scores


def _forget(tokenizer: object) -> None:
    """Let go of the texts: sacrebleu's tokenizers keep 65,536 of them, of whatever length."""
    for one in (tokenizer, getattr(tokenizer, "_post_tokenizer", None)):
        clear = getattr(type(one).__call__, "cache_clear", None)
        if clear:
            clear()
