"""A study's templates have versions, and a version never changes."""

import pytest

from core.annotation.studies import Study
from core.errors import NotAllowed
from core.judges.template import Template, Way
from core.people import TERMINAL, Person
from db.judges import templates
from db.studies import event_log

pytestmark = pytest.mark.both_databases
FIRST = Template("mine", Way.POINTS, "You judge.", "Story: {story}")


def test_saving_makes_versions(study: Study) -> None:
    assert templates.templates(study.id) == []
    first = templates.save(TERMINAL, study.id, FIRST)
    assert (first.version, first.user) == (1, FIRST.user)
    assert templates.save(TERMINAL, study.id, FIRST) == first  # nothing was changed
    second = templates.save(TERMINAL, study.id, Template("mine", Way.POINTS, "", "{story}"))
    other = templates.save(TERMINAL, study.id, Template("another", Way.POINTS, "", "{story}"))
    assert (second.version, other.version) == (2, 1)
    assert templates.templates(study.id) == [other, second, first]
    saved = [entry for entry in event_log.exported(TERMINAL, study.id) if entry.kind == "judge template saved"]
    assert len(saved) == 3


def test_annotators_save_none(study: Study, annotator: Person) -> None:
    with pytest.raises(NotAllowed):
        templates.save(annotator, study.id, FIRST)
