"""The Judgments page: empty, imported, live, rejected, and with names that want to be markup."""

from streamlit.testing.v1 import AppTest

from core.people import TERMINAL, Person
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from core.studies import Study
from db import handing, imports, studies
from tests.db.conftest import make_annotator, make_study
from tests.db.test_assignments import begin, rate
from tests.pages.conftest import Open
from tests.pages.test_pages import words

HOSTILE = "**bold** <b>x</b> :material/home: [l](http://x) $y$"


def hand_in(person: Person, panels: int = 1, **given: int) -> None:
    for _ in range(panels):
        panel = begin(person)
        rate(person, panel, **given)
        handing.submit(person, panel.token)


def cells(page: AppTest) -> str:
    """All that the tables say."""
    return "\n".join(frame.value.to_csv() for frame in page.dataframe)


def figures(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def test_what_to_do_next(open_page: Open, study: Study, owner: str) -> None:
    assert "No panel has been handed in yet" in words(open_page("judgments", owner))
    studies.close_study(TERMINAL, study.id)
    assert "Nobody has rated these stories yet" in words(open_page("judgments", owner))
    studies.open_study(TERMINAL, study.id)
    hand_in(make_annotator(study), human=1)
    assert "All 1 panels handed in so far were rejected" in words(open_page("judgments", owner))


def test_a_study_without_stories(open_page: Open, served: None, owner: str) -> None:
    studies.create(TERMINAL, "bare")
    assert "no stories yet" in words(open_page("judgments", owner))


def test_ratings_as_they_arrive(open_page: Open, owner: str) -> None:
    study = make_study("live", prompts=3, wanted=2)
    hand_in(make_annotator(study, "first"), panels=3)
    page = open_page("judgments", owner)
    assert figures(page)["Ratings"] == "15"
    assert "No alpha: no story has two ratings" in words(page)
    hand_in(make_annotator(study, "careless"), human=2)
    hand_in(make_annotator(study, "second"), panels=2, system=4)
    page.run()
    assert figures(page)["Ratings"] == "25"
    assert figures(page)["Annotators"] == "2"
    said = words(page)
    assert "Agreement is not good" in said
    assert "Valid panels still wanted: 1." in said
    assert "1 of 6 panels were rejected (16.7%)" in said
    assert "how often positions shuffled" in said
    table = cells(page)
    assert "Kendall's W" in table
    assert "they rated every story the same" in table
    assert "annotator" in table
    assert {"human", "negative", "one"} <= set(page.dataframe[0].value["System"])


def test_an_import_hides_who_rated(open_page: Open, owner: str) -> None:
    stories, given = [], []
    for prompt in range(4):
        for system in (HOSTILE, "human"):
            key = f"{prompt}-{system}"
            stories.append(StoryRecord(key, str(prompt), f"Opening {prompt}.", "It rained.", Source.SYSTEM, system))
            for rater in range(3):
                types = (("chaotic scenes", 2),) if rater == prompt % 2 else ()
                given.append(RatingRecord(key, f"rater {rater}", float(1 + (prompt + rater) % 5), types))
    imports.import_corpora(TERMINAL, "imported", [Corpus("mans", tuple(stories), tuple(given))])
    page = open_page("judgments", owner)
    said = words(page)
    assert figures(page)["Annotators"] == "hidden"
    assert "Annotators cannot be compared: the data hides who rated" in said
    assert "The effect of position cannot be shown" in said
    assert HOSTILE not in said  # only in tables, which show text as text
    assert set(page.dataframe[0].value["System"]) == {HOSTILE, "system human"}
    assert "chaotic scenes" in cells(page)
