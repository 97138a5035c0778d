"""What several tests of sets share."""

from streamlit.testing.v1 import AppTest

from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.transfer import imports
from tests.core.perturb.aspects import STORIES


def imported(number: int = 6, name: str = "mine") -> int:
    records = [StoryRecord(f"s{i}", str(i), "", text, Source.HUMAN) for i, text in enumerate(STORIES[:number])]
    records.append(StoryRecord("m", "m", "", "A machine wrote. It did not stop.", Source.SYSTEM, "gpt"))
    return imports.import_corpora(TERMINAL, name, [Corpus("", tuple(records))]).id


def on_tab(page: AppTest, tab: str) -> AppTest:
    page.session_state["test-sets"] = page.query_params["test-sets"] = tab
    return page.run()


def button(page: AppTest, label: str) -> "AppTest.button":  # type: ignore[name-defined]
    return next(item for item in page.button if item.label == label)
