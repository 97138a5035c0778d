"""What several tests of panels share."""

from collections.abc import Sequence

from sqlalchemy import select

from core.annotation.studies import Study
from core.people import Person
from db.annotation import panel_submission
from db.engine import reading
from db.schema import event
from tests.core.annotation.whole_panel import WholePanel
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator
from tests.db.slow import whole_panels


def hand_in(study: Study, name: str, human: int = 5, negative: int = 1) -> WholePanel:
    """A panel by a new annotator."""
    return hand_in_as(make_annotator(study, name), study, human, negative)


def hand_in_as(person: Person, study: Study, human: int = 5, negative: int = 1) -> WholePanel:
    """A panel by them."""
    panel = begin(person)
    rate(person, panel, human=human, negative=negative)
    panel_submission.submit(person, panel.token)
    return newest(study)


def newest(study: Study) -> WholePanel:
    return max(whole_panels(study.id), key=lambda panel: panel.id)


def events(kind: str) -> Sequence[dict[str, object]]:
    with reading() as connection:
        return connection.scalars(select(event.c.detail).where(event.c.kind == kind).order_by(event.c.id)).all()
