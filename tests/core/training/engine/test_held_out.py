"""How many stories are held out, as it is told before a training."""

import pytest

from core.training.bleurt.settings import BleurtSettings
from core.training.engine.held_out import held_out, held_out_of
from core.training.language_model.settings import MOST_HELD_OUT, LanguageModelSettings
from core.training.ruber.continuations import Continuations
from core.training.ruber.settings import RuberSettings
from core.training.union.settings import UnionSettings


@pytest.mark.parametrize("number", [1, 2, 10, 11, 31, 250])
@pytest.mark.parametrize("share", [0.05, 0.1, 0.25])
def test_as_many_are_told_as_are_held_out(number: int, share: float) -> None:
    texts = [f"Tale {place}." for place in range(number)]
    assert held_out_of(number, share) == held_out(texts, share, 3).sum()


def test_of_several_corpora_and_of_none() -> None:
    ruber = RuberSettings("mine")
    corpus = (0,) * 10 + (1,) * 41
    stories = Continuations(tuple(map(str, range(51))), tuple("rest" for _ in corpus), corpus)
    assert ruber.checked_on([10, 41]) == stories.held_out(ruber.held_out, 0).sum() == 2 + 5
    assert UnionSettings("mine").checked_on([10, 41]) == 6
    assert UnionSettings("mine").checked_on([]) == 0
    assert LanguageModelSettings("mine").checked_on([10**6]) == MOST_HELD_OUT
    assert BleurtSettings("mine").checked_on([72]) == 14  # of each of five models
