"""A small study to work on."""

import random
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.people import TERMINAL, Person, Role
from core.stories import Corpus, Source, StoryRecord
from db import audit
from db.annotation import settings
from db.people import people
from db.studies import studies
from db.transfer import imports

SYSTEMS = ("one", "two", "three", "four", "five")


def small_corpus(prompts: int = 2) -> Corpus:
    """Prompts with five systems' stories and a human one each."""
    stories = []
    for p in range(prompts):
        opening = f"Opening {p}."
        for system in SYSTEMS:
            text = f"The {system} went out. It rained on the {system}. Then prompt {p} was over."
            stories.append(StoryRecord(f"{p}-{system}", str(p), opening, text, Source.SYSTEM, system))
        text = f"A person wrote this for prompt {p}. It has a middle. It has an end."
        stories.append(StoryRecord(f"{p}-human", str(p), opening, text, Source.HUMAN))
    return Corpus("", tuple(stories))


def make_study(name: str = "small", prompts: int = 2, wanted: int = 1) -> Study:
    """An open study of that corpus."""
    new_study = imports.import_corpora(TERMINAL, name, [small_corpus(prompts)])
    settings.set_rules(TERMINAL, new_study.id, QualityRules(ratings_wanted=wanted))
    studies.open_study(TERMINAL, new_study.id)
    return studies.get(new_study.id)


def make_annotator(study: Study, name: str = "ann") -> Person:
    """An annotator by a real invitation."""
    person = people.by_token(people.invite(TERMINAL, Role.ANNOTATOR, name=name, study_id=study.id))
    assert person is not None
    return person


def at_once(work: Callable[[Person, random.Random], None], people: Sequence[Person]) -> None:
    """Let all of them work at the same time, each in a thread and with luck of their own, until all are done."""
    threads = [threading.Thread(target=work, args=(who, random.Random(n))) for n, who in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)


@pytest.fixture
def study(database: str) -> Study:
    """An open study of two prompts that wants one rating a story."""
    return make_study()


@pytest.fixture
def annotator(study: Study) -> Person:
    """Somebody invited to it."""
    return make_annotator(study)


class Clock:
    """A clock in the test's hand; every look at it is a millisecond later than the last."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC)

    def __call__(self) -> datetime:
        self.move(minutes=1 / 60_000)
        return self.time

    def move(self, minutes: float) -> None:
        """On, or back."""
        self.time += timedelta(minutes=minutes)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of everything that asks for the time."""
    new_clock = Clock()
    real = audit.now
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "db" and getattr(module, "now", None) is real:
            monkeypatch.setattr(module, "now", new_clock)
    return new_clock
