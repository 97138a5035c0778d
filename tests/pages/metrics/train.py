"""What several tests of train share."""

from streamlit.testing.v1 import AppTest

from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.transfer import imports
from tests.core.training.union.task import STORIES


def imported(name: str = "mine", number: int = 20) -> int:
    records = [StoryRecord(str(i), str(i), "", text, Source.HUMAN) for i, text in enumerate(STORIES[:number])]
    return imports.import_corpora(TERMINAL, name, [Corpus("", tuple(records))]).id


def start(page: AppTest) -> "AppTest.button":  # type: ignore[name-defined]
    return next(item for item in page.button if item.label == "Start training")
