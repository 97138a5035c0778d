"""What a report says of a checkpoint: what it was trained on, and its figures on what was held out."""

from dataclasses import replace

import pytest

from core.checkpoints.card import DataSet, Figure
from core.checkpoints.in_words import card_of, training_in_words, weights_in
from core.checkpoints.store import shipped_checkpoint
from tests.core.training.made_checkpoint import CARD

WEIGHTS = "7cca1981a492"


@pytest.mark.parametrize(
    ("signature", "weights"),
    [
        (f"union|checkpoint:{WEIGHTS}|v:1", WEIGHTS),
        (f"union|v:1|checkpoint:{WEIGHTS}", WEIGHTS),
        (f"union|checkpoint:{WEIGHTS}0|v:1", ""),
        ("bleu|v:1", ""),
    ],
)
def test_a_signature_names_the_weights(signature: str, weights: str) -> None:
    assert weights_in(signature) == weights
    card = replace(CARD, weights=WEIGHTS + "0" * 52)
    assert card_of(signature, [replace(CARD, weights="f" * 64), card]) == (card if weights else None)
    assert card_of(signature, [CARD]) is None


def test_one_set_of_stories_and_the_held_out_pairs() -> None:
    figures = (
        Figure("held-out pairs: auc", 0.75, 6),
        Figure("held-out pairs: ranked", 1.0, 6),
        Figure("held-out pairs, negation alone: ranked", 0.5, 2),
    )
    card = replace(CARD, data=(DataSet("my study", 60, "ab"),), figures=figures)
    assert training_in_words(card) == (
        "Its checkpoint was trained on 60 stories of my study. Held-out pairs (n = 6): AUC 0.750, in the right order "
        "1.000."
    )


def test_many_sets_of_stories_are_not_all_named() -> None:
    card = replace(CARD, data=tuple(DataSet(f"s{i}", 1000 + i, "ab") for i in range(7)), figures=())
    assert training_in_words(card) == (
        "Its checkpoint was trained on 7,021 stories: 1,000 of s0, 1,001 of s1, 1,002 of s2, 1,003 of s3, 1,004 of s4 "
        "and 2 more."
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("disscore", "5,271 stories of systems-roc. Cross-fitted AUC, people against systems (n = 5,271): 0.808."),
        ("perplexity-finetuned-wp", "; held-out stories, trained (n = 20): nll 3.484, perplexity 32.604."),
        ("union", "11,428 stories: 8,000 of roc, 2,326 of wp, 1,102 of tales. Held-out pairs (n = 1,143): AUC 0.878"),
    ],
)
def test_those_that_come_along(name: str, words: str) -> None:
    assert words in training_in_words(shipped_checkpoint(name).card)


def test_of_nothing_nothing_is_told() -> None:
    assert training_in_words(replace(CARD, data=(), figures=())) == ""
