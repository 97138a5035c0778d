"""What a large study's stories are called, and their texts, is read for all that a page shows at once, not one by one:
a figure of thousands of points would wait for as many queries.
"""

import pytest

from core.people import TERMINAL
from db.studies import story_texts
from db.transfer.demonstration import load_demonstration
from tests.pages.conftest import Open
from tests.pages.pages import opened

MOST = 20
"""Queries for names or texts that a page needs at most; the demonstration has hundreds of stories."""
PLACES = (
    *(("correlation", {"tab": tab}) for tab in ("Table", "Scatter", "By system", "By error type", "Within prompts")),
    ("correlation", {"tab": "Scatter", "coefficient": "Spearman's ρ"}),
    *(("score", {"score-tab": tab}) for tab in ("Summary", "One or two metrics", "Between metrics")),
    *(("drift", {"drift": tab}) for tab in ("Quality", "System")),
    ("drift", {"rated": "2,3"}),
    ("difference", {"pair": "9,2"}),
    *(("judgments", {"judgments_tab": tab}) for tab in ("Agreement", "Error types", "Texts", "Order")),
    *(("judges", {"tab": tab}) for tab in ("Agreement", "Confusion", "Disagreements", "Biases")),
    ("stories", {}),
    ("report", {}),
    ("systems", {}),
)


@pytest.mark.slow
def test_no_page_asks_for_stories_one_by_one(open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_texts, "LARGE", 1)
    study = load_demonstration(TERMINAL)
    read, asked = story_texts._strings_of, []

    def strings_of(column: object, ids: list[int]) -> list[str]:
        asked.append(len(ids))
        return read(column, ids)  # type: ignore[arg-type]

    monkeypatch.setattr(story_texts, "_strings_of", strings_of)
    queries = {}
    for name, parts in PLACES:
        asked.clear()
        page = opened(open_page, owner, name, {"study": str(study.id), **parts})
        assert not page.exception, (name, parts)
        queries[name, *parts.items()] = len(asked)
    assert {place: number for place, number in queries.items() if number > MOST} == {}
    assert any(queries.values())
