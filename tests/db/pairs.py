"""Studies of pairs: systems of a planted order, and people who compare their stories."""

import random
from dataclasses import replace

from core.annotation.builtin import PREFERENCES
from core.annotation.pair_design import PairRules
from core.annotation.panel import Panel, PanelPair
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.people import TERMINAL, Person
from core.stories import Corpus, ScoreRecord, Source, StoryRecord
from db.annotation import assignments, panel_submission, settings
from db.ratings import ratings
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import make_annotator

WANTED, PROMPTS = 2, 9
PLANTED = {"good": 3.0, "fair": 2.0, "poor": 1.0, "awful": 0.0}
WORTH = {**PLANTED, "human": 4.0, "negative": -4.0}
CARELESS = ("left", "equal")


def corpus(prompts: int = PROMPTS, scores: tuple[ScoreRecord, ...] = ()) -> Corpus:
    """A story of every system for each prompt, a human one and a damaged one; its first word says whose it is."""
    stories = []
    for p in range(prompts):
        for name in PLANTED:
            stories.append(StoryRecord(f"{p}-{name}", f"p{p}", f"Opening {p}.", f"{name} goes on {p}.", system=name))
        for source in (Source.HUMAN, Source.NEGATIVE):
            stories.append(StoryRecord(f"{p}-{source}", f"p{p}", f"Opening {p}.", f"{source} goes on {p}.", source))
    return Corpus("", tuple(stories), (), scores)


def opened(
    rules: PairRules | None = None,
    *,
    wanted: int = WANTED,
    scheme: Scheme = PREFERENCES,
    given: Corpus | None = None,
    name: str = "pairs",
    comments: bool = False,
) -> Study:
    """A study of pairs that gives out work: panels of four pairs of the corpus above, unless told otherwise."""
    study = studies.create(TERMINAL, name, "preferences")
    settings.set_form(TERMINAL, study.id, replace(scheme, pairs=rules or PairRules(a_panel=4), comments=comments))
    imports.import_corpora(TERMINAL, study.name, [given or corpus()])
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


def side_of(shown: PanelPair, person: Person, draw: random.Random, strongest: int = 1) -> int:
    """Which story this person finds better, and by how much: below 0 the first, 0 neither, above 0 the second."""
    if person.name in CARELESS:
        return -1 if person.name == "left" else 0
    left, right = (WORTH[story.text.split()[0]] + draw.gauss(0, 0.6) for story in shown.stories)
    size = min(strongest, 1 + int(abs(left - right) / 1.5))
    return 0 if abs(left - right) < 0.2 else -size if left > right else size


def work(person: Person, draw: random.Random, strongest: int = 1) -> None:
    """Compare until there is nothing more; a careless person always says the same."""
    while (panel := assignments.turn(person, claim=True).panel) is not None:
        for shown in panel.pairs:
            token = draw.choice(shown.stories).token  # either side's is as good
            side = side_of(shown, person, draw, strongest)
            answer = ratings.save_value(person, token, side, "preference")
            assert answer.values == {"preference": side}
        again = assignments.turn(person).panel
        assert again is not None
        assert all("preference" in shown.answer.values for shown in again.pairs)
        panel_submission.submit(person, panel.token)


def scores(prompts: int = PROMPTS) -> tuple[ScoreRecord, ...]:
    """Metrics: `knows` the planted order, with noise; `against`, the other way round; `flat`, which is constant."""
    draw = random.Random(0)
    names = {f"{p}-{name}": worth for p in range(prompts) for name, worth in PLANTED.items()}
    knows = {key: worth + draw.gauss(0, 0.5) for key, worth in names.items()}
    against = {key: -value for key, value in knows.items()}
    made = {"knows": knows, "against": against, "flat": dict.fromkeys(names, 1.0)}
    return tuple(ScoreRecord(name, f"file:{i:012x}", values) for i, (name, values) in enumerate(made.items()))


def compared_study(
    *, prompts: int = PROMPTS, raters: int = 2, scored: bool = True, strongest: int = 1, name: str = "pairs"
) -> Study:
    """A study of pairs in which so many careful people have judged everything; with the metrics above.

    `strongest`: in how many degrees a story can be better.
    """
    scale = tuple((step, f"step {step}") for step in range(-strongest, strongest + 1))
    given = corpus(prompts, scores(prompts) if scored else ())
    study = opened(wanted=raters, scheme=PREFERENCES.with_scale(scale), given=given, name=name)
    for number in range(raters):
        work(make_annotator(study, f"careful {number}"), random.Random(number), strongest)
    return studies.get(study.id)
