"""Who rated what, person by person: repeats as their mean, rejected work and hidden raters left out."""

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import update

from core.annotation.target import Target
from core.errors import NotAllowed
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from db.engine import writing
from db.ratings import raters
from db.schema import assignment, rating
from db.scores import tables
from db.transfer import rating_imports
from tests.db.conftest import make_annotator
from tests.rated import rated_study

ROWS = """annotator,panel,story_id,prompt_id,story,system,coherence,empathy
A,1,1,p,One.,s,5,2
A,2,1,p,One.,s,4,2
B,3,1,p,One.,s,3,
A,4,2,q,Two.,s,1,5
C,5,2,q,Two.,s,2,4
"""


def test_each_person_s_ratings_by_story(database: str, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text(ROWS, encoding="utf-8")
    study = rating_imports.import_ratings(TERMINAL, "s", read_export(file))
    keys = tables.table(study.id).keys
    assert keys == ("1", "2")
    found = raters.by_person(TERMINAL, study.id, Target(("coherence",)), keys)
    assert [name.split()[0] for name in found.names] == ["A", "B", "C"]
    assert np.array_equal(found.values, [[4.5, 1], [3, np.nan], [np.nan, 2]], equal_nan=True)
    assert raters.unknown(study.id) is None
    both = raters.by_person(TERMINAL, study.id, Target(("coherence", "empathy")), ("2", "1", "x"))
    assert [name.split()[0] for name in both.names] == ["A", "C"]  # B gave no empathy
    assert np.array_equal(both.values[0], [3, 3.25, np.nan], equal_nan=True)
    with writing() as connection:
        connection.execute(update(assignment).values(valid=False))
    none = raters.by_person(TERMINAL, study.id, Target(("coherence",)), keys)
    assert (none.names, none.undefined) == ((), "no single rating by a known person counts yet")
    assert raters.unknown(study.id) is None  # nothing counts: somebody may rate yet
    with writing() as connection:
        connection.execute(update(assignment).values(valid=True))
        connection.execute(update(rating).values(raters=3))
    assert raters.unknown(study.id) == none.undefined


def test_hidden_raters_stay_hidden_and_annotators_see_nobody(database: str) -> None:
    study = rated_study(3)
    found = raters.by_person(TERMINAL, study.id, Target(("overall",)), ("0-0",))
    assert found.values.shape == (0, 1)
    assert found.undefined is not None
    assert "hides who rated" in found.undefined
    assert raters.unknown(study.id) == found.undefined
    with pytest.raises(NotAllowed):
        raters.by_person(make_annotator(study), study.id, Target(("overall",)), ("0-0",))
