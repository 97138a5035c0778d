"""Every layout of ratings leaves in the database what it has always left there."""

import json
from pathlib import Path

import pytest

from tests.db.transfer.rating_layouts import LAYOUTS, imported

GOLDEN = Path(__file__).parent / "layouts"


@pytest.mark.both_databases
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_leaves_the_same_rows(database: str, tmp_path: Path, layout: str) -> None:
    found = json.loads(json.dumps(imported(layout, tmp_path)))
    expected = json.loads((GOLDEN / f"{layout}.json").read_text(encoding="utf-8"))
    assert found == expected
