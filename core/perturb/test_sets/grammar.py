"""The grammaticality filter of test sets (OpenMEVA appendix B.2): a classifier trained on CoLA reads the changed text.

Human sentences are taken for grammatical, but where it reads as the paper's does. Typing errors are never filtered:
they would all go.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.models.acceptability.probability import acceptability, acceptability_by_lm
from core.models.acceptability.weights import ACCEPTED, LANGUAGE_WEIGHTS, revision
from core.models.catalogue import BUNDLED, MINILM, SMOLLM2, ModelRole, locate
from core.perturb.cases import Case
from core.perturb.test_sets.aspects import Change, Test, test_of
from core.stories import sentences, whole_story

OWN = "acceptability"
"""The classifier that Fabula brings along, in a set's recipe."""
SHIPPED, NONE = "shipped", "none"
"""What it is called where one is chosen, and no filter at all."""
LANGUAGE_MODEL = "language-model"
"""The bundled language model, taught with CoLA, where it is chosen and in a recipe."""


class Reads(StrEnum):
    """What the classifier is given of a case: the sentences that are new in it, one by one, or as the paper does the
    whole example at once, be it changed or a coherent one.
    """

    NEW = "new"
    PAPER = "paper"


class GrammarClassifier(Protocol):
    """`name`: goes into a set's recipe."""

    name: str

    def judge(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        """P(acceptable) of each sentence, 0..1, in input order; `done` counts sentences."""
        ...


class Shipped:
    """Fabula's own: the bundled encoder, taught with CoLA."""

    def __init__(self, device: str = "auto") -> None:
        """Raises ModelMissing where its weights are not there."""
        self.name = f"{OWN}@{revision()}"
        self._device = device

    def judge(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        """P(acceptable) of each sentence."""
        return acceptability(sentences, self._device, done=done)


class ByLanguageModel:
    """Fabula's other one, on the bundled language model, which perplexity, Fp and UNION read with."""

    def __init__(self, device: str = "auto") -> None:
        """Raises ModelMissing where its weights are not there."""
        self.name = f"{LANGUAGE_MODEL}@{revision(LANGUAGE_WEIGHTS)}"
        self._device = device

    def judge(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        """P(acceptable) of each sentence."""
        return acceptability_by_lm(sentences, self._device, done)


class Model:
    """A classifier of CoLA that the user names, such as the paper's (textattack/bert-base-uncased-CoLA)."""

    def __init__(self, name: str, device: str = "auto") -> None:
        """`name`: a folder or a hub name. Raises ModelMissing where it is none."""
        self._source = locate(name, ModelRole.CLASSIFIER)
        self.name = self._source.at_revision
        self._device = device

    def judge(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        """P(acceptable) of each sentence: of the classifier's second label, as CoLA's files number them."""
        from core.models.runtime import classifier  # torch: the pages import this file

        return classifier(self._source, self._device, "float32").probabilities(sentences, done)


def classifier_named(name: str, device: str = "auto") -> GrammarClassifier | None:
    """`shipped`, `language-model`, `none`, or a model. Raises ModelMissing."""
    if name == NONE:
        return None
    own: dict[str, Callable[[str], GrammarClassifier]] = {SHIPPED: Shipped, LANGUAGE_MODEL: ByLanguageModel}
    return own[name](device) if name in own else Model(name, device)


def passes(case: Case) -> bool:
    """Whether a case stays where the filter is on: nothing of it was judged, or what was is acceptable."""
    return case.acceptable is None or case.acceptable >= ACCEPTED


def shares_model(signature: str, filter_: str) -> bool:
    """Whether a metric with this signature reads with the model that a filter asks, so that what is left was chosen
    by its own lights. `filter_`: a classifier's name; "" where nobody knows, and Fabula's is taken for it.
    """
    own = {"": MINILM, OWN: MINILM, LANGUAGE_MODEL: SMOLLM2}
    bundled = own.get(filter_.split("@")[0])
    model = BUNDLED[bundled].at_revision if bundled else filter_
    return f"|model:{model}|" in signature


def new_sentences(case: Case) -> list[str]:
    """The sentences of the changed story that its original does not have; of typing errors none."""
    if case.label or case.aspect == Change.TYPOS:
        return []
    before = {case.perturbed.original[start:end] for start, end in sentences(case.perturbed.original)}
    text = case.perturbed.text
    return [text[start:end] for start, end in sentences(text) if text[start:end] not in before]


def whole_example(case: Case) -> list[str]:
    """The example from its first word to its last, its prompt included. Of invariance the originals are what human
    stories are there, and are left as they are; so are typing errors.
    """
    if case.aspect == Change.TYPOS or (case.label and test_of(case.aspect) is Test.INVARIANCE):
        return []
    return [whole_story(case.prompt, case.perturbed.text)]


def judge_cases(
    cases: Iterable[Case],
    classifier: GrammarClassifier,
    done: Callable[[int, int], None] | None = None,
    reads: Reads = Reads.NEW,
) -> tuple[Case, ...]:
    """The cases with the mean P(acceptable) of what is read of each: the sentences that are new in it, or all of it.

    The mean, since of dozens of changed sentences of a long story one or the other is always doubtful, of human ones
    too. Equal texts are judged once. `done` is told how many of how many are.
    """
    cases = list(cases)
    new = [new_sentences(case) if reads is Reads.NEW else whole_example(case) for case in cases]
    unique = list(dict.fromkeys(sentence for part in new for sentence in part))
    so_far = 0

    def report(number: int) -> None:
        nonlocal so_far
        so_far += number
        if done:
            done(so_far, len(unique))

    probability = dict(zip(unique, classifier.judge(unique, report).tolist(), strict=True))
    return tuple(
        replace(case, acceptable=math.fsum(probability[sentence] for sentence in part) / len(part)) if part else case
        for case, part in zip(cases, new, strict=True)
    )
