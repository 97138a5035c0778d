"""Cards side by side."""

from dataclasses import replace

from core.checkpoints.card import Figure
from core.checkpoints.comparison import figures, settings
from tests.core.training.made_checkpoint import CARD


def test_what_differs_is_told() -> None:
    other = replace(CARD, base="another@1", recipe={**CARD.recipe, "seed": 7, "techniques": {"negation": 0.2}})
    compared_settings = {setting.name: setting for setting in settings([CARD, other])}
    assert {name for name, compared_setting in compared_settings.items() if compared_setting.differs} == {
        "base",
        "seed",
        "techniques: negation",
    }
    assert compared_settings["techniques: negation"].values == ("", "0.2")
    assert compared_settings["kind"].values == ("union", "union")
    assert not any(setting.differs for setting in settings([CARD]))


def test_figures_stand_in_rows_by_what_they_are() -> None:
    other = replace(CARD, figures=(Figure("Pearson's r", 0.5, 9), Figure("new", 1.0, 2)))
    assert figures([CARD, other]) == [
        ("accuracy, held out", (CARD.figures[0], None)),
        ("Pearson's r", (CARD.figures[1], other.figures[0])),
        ("new", (None, other.figures[1])),
    ]
