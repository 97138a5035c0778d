"""A study of pairs with a planted order, and people who compare in it."""

import random
from dataclasses import replace

from core.annotation.builtin import PREFERENCES
from core.annotation.pair_design import PairRules
from core.annotation.panel import Panel, PanelPair
from core.annotation.studies import Study
from core.people import TERMINAL, Person
from core.stories import Corpus, Source, StoryRecord
from db.annotation import assignments, panel_submission, settings
from db.ratings import ratings
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import make_annotator

WANTED, PROMPTS = 2, 9
PLANTED = {"good": 3.0, "fair": 2.0, "poor": 1.0, "awful": 0.0}
WORTH = {**PLANTED, "human": 4.0, "negative": -4.0}
CARELESS = ("left", "equal")


def corpus(prompts: int = PROMPTS) -> Corpus:
    stories = []
    for p in range(prompts):
        for name in PLANTED:
            stories.append(StoryRecord(f"{p}-{name}", f"p{p}", f"Opening {p}.", f"{name} goes on {p}.", system=name))
        for source in (Source.HUMAN, Source.NEGATIVE):
            stories.append(StoryRecord(f"{p}-{source}", f"p{p}", f"Opening {p}.", f"{source} goes on {p}.", source))
    return Corpus("", tuple(stories))


def opened(rules: PairRules | None = None, *, wanted: int = WANTED, comments: bool = False) -> Study:
    study = studies.create(TERMINAL, "pairs", "preferences")
    settings.set_form(TERMINAL, study.id, replace(PREFERENCES, pairs=rules or PairRules(a_panel=4), comments=comments))
    imports.import_corpora(TERMINAL, study.name, [corpus()])
    settings.set_rules(TERMINAL, study.id, replace(studies.get(study.id).rules, ratings_wanted=wanted))
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


def answer(person: Person, panel: Panel, *, control: float = 1, other: int = 0) -> None:
    """Answer every pair of a panel: a control by how much its undamaged story is better, the others with a side."""
    for shown in panel.pairs:
        damaged = [story.text.startswith("negative") for story in shown.stories]
        side = other if not any(damaged) else int(control if damaged[0] else -control)
        ratings.save_value(person, shown.token, side, "preference")


def hand_in(study: Study, name: str, *, control: float = 1, other: int = 0) -> Person:
    """Somebody new who answers one panel so."""
    person = make_annotator(study, name)
    panel = assignments.turn(person, claim=True).panel
    assert panel is not None
    answer(person, panel, control=control, other=other)
    panel_submission.submit(person, panel.token)
    return person


def side_of(shown: PanelPair, person: Person, draw: random.Random) -> int:
    if person.name in CARELESS:
        return -1 if person.name == "left" else 0
    left, right = (WORTH[story.text.split()[0]] + draw.gauss(0, 0.6) for story in shown.stories)
    return 0 if abs(left - right) < 0.2 else -1 if left > right else 1


def work(person: Person, draw: random.Random) -> None:
    """Compare until there is nothing more; a careless person always says the same."""
    while (panel := assignments.turn(person, claim=True).panel) is not None:
        for shown in panel.pairs:
            token = draw.choice(shown.stories).token  # either side's is as good
            side = side_of(shown, person, draw)
            answer = ratings.save_value(person, token, side, "preference")
            assert answer.values == {"preference": side}
        again = assignments.turn(person).panel
        assert again is not None
        assert all("preference" in shown.answer.values for shown in again.pairs)
        panel_submission.submit(person, panel.token)
