"""A study on Prolific and its participants, as several tests need them."""

from collections import Counter
from typing import Any

from sqlalchemy import select

from core.annotation.studies import Study
from core.people import TERMINAL, Person
from core.recruitment import Recruitment
from db.annotation import panel_submission, recruitment
from db.engine import reading
from db.monitor import payments
from db.schema import event
from db.studies import studies
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_study
from tests.db.slow import whole_panels

WHY = "Every story got the same rating within four seconds, although each has a hundred words and more to read."
REMOTE = "70" * 12
PIDS = tuple(f"{number:024x}" for number in range(16, 24))


def submission_of(pid: str) -> str:
    """The submission that a participant comes with."""
    return pid[::-1]


def on_prolific(name: str = "on prolific", prompts: int = 2, wanted: int = 3) -> Study:
    """An open study on Prolific that pays 1.50 GBP a panel."""
    study = make_study(name, prompts, wanted)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    payments.set_payment(TERMINAL, study.id, "1.50", "GBP")
    return studies.get(study.id)


def arrived(study: Study, pid: str, submission: str = "") -> Person:
    """Somebody who comes from Prolific."""
    return recruitment.admit(study.id, "prolific", pid, submission or submission_of(pid))


def work(who: Person, number: int = 1) -> list[int]:
    """Hand in so many panels; gives the ids of all of theirs."""
    for _ in range(number):
        panel = begin(who)
        rate(who, panel)
        panel_submission.submit(who, panel.token)
    return [panel.id for panel in whole_panels(who.study_id or 0) if panel.person_id == who.id]


def paid_states(study: Study) -> Counter[str]:
    """How many panels stand how."""
    return Counter(panel.payment for panel in whole_panels(study.id))


def events(study: Study, *kinds: str) -> list[tuple[str, dict[str, Any]]]:
    """What the log has of these kinds, the oldest first."""
    query = select(event.c.kind, event.c.detail).where(event.c.study_id == study.id, event.c.kind.in_(kinds))
    with reading() as connection:
        return [(row.kind, row.detail) for row in connection.execute(query.order_by(event.c.id))]
