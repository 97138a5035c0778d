"""The Stories page and the drawer of a story: found, put in order, opened, noted, kept as a selection."""

import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from core.judges.pair import Verdict
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.ratings import evidence
from db.scores import pair_verdicts, scores
from db.stories import selections
from db.stories.notes import save_note
from db.stories.view import story_view
from db.transfer import imports
from tests.db.pairs import compared_study
from tests.db.quoting import ERROR, quoting_study
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.pages.untrusted_names import MARKUP, read_as_markdown
from tests.rated import rated_study

ANALYSES = ("correlation", "drift", "difference", "systems", "judges", "report", "score", "stories")


def listed(page: AppTest) -> list[str]:
    (keys,) = [list(frame.value["Story"]) for frame in page.dataframe if "Begins" in frame.value.columns]
    return keys


def linked(open_page: Open, name: str, owner: str, parts: dict[str, str]) -> AppTest:
    """A page as a link opens it."""
    page = open_page("", owner)
    for part, value in parts.items():
        page.query_params[part] = value
    return page.switch_page(f"{name}.py").run()


def table(page: AppTest, column: str) -> dict[str, list[object]]:
    (frame,) = [frame.value for frame in page.dataframe if column in frame.value.columns]
    return {name: list(frame[name]) for name in frame.columns}


def test_filters_order_and_pages(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=40, metrics=("all", "half"))
    page = open_page("stories", owner)
    assert len(listed(page)) == 100
    assert "1 to 100 of 120 stories" in words(page)
    page.number_input(key="stories_page").set_value(2).run()
    assert len(listed(page)) == 20
    page.multiselect(key="system").set_value(["low"]).run()
    assert len(listed(page)) == 40
    page.text_input(key="prompt").set_value("opening 7").run()
    assert listed(page) == ["7-0"]
    page.text_input(key="prompt").set_value("").run()
    page.text_input(key="text").set_value("story 3").run()
    assert listed(page) == ["3-0", *(f"{p}-0" for p in range(30, 40))]
    page.selectbox(key="order").set_value("Mean rating").run()
    means = table(page, "Begins")["Mean rating"]
    assert means == sorted(means, reverse=True)
    page.toggle(key="greatest").set_value(False).run()
    assert table(page, "Begins")["Mean rating"] == sorted(means)
    page.text_input(key="text").set_value("nowhere").run()
    assert "No story of this study is so" in words(page)


def test_a_column_of_scores_has_one_number_of_decimals(open_page: Open, served: None, owner: str) -> None:
    stories = tuple(StoryRecord(f"s{i}", "p", "An opening.", f"Story {i}.", Source.SYSTEM, "one") for i in range(4))
    study = imports.import_corpora(TERMINAL, "scored", [Corpus("", stories)])
    given = {
        "ragged": (-1.06, -1.0, -0.784, 0.39),
        "whole": (-3.0, 12.0, 120.0, 4.0),
        "large": (-512.25, 3.0, 7.5, 1.0),
    }
    for metric, values in given.items():
        by_story = {f"s{i}": value for i, value in enumerate(values)}
        scores.import_scores(TERMINAL, study.id, ScoreRecord(metric, f"file:{metric}", by_story))
    (frame,) = open_page("stories", owner).dataframe
    shown = convert_arrow_bytes_to_pandas_df(frame.proto.arrow_data.styler.display_values)
    assert {metric: list(shown[metric]) for metric in given} == {
        "ragged": ["−1.060", "−1.000", "−0.784", "0.390"],
        "whole": ["−3", "12", "120", "4"],
        "large": ["−512.3", "3.0", "7.5", "1.0"],
    }


def test_the_address_brings_a_list_back(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=5)
    page = linked(open_page, "stories", owner, {"system": "high", "text": "story 3", "order": "all"})
    assert listed(page) == ["3-2"]
    assert page.selectbox(key="order").value == "all"


def test_stories_that_were_given_an_error_type(open_page: Open, served: None, owner: str) -> None:
    study = quoting_study()
    page = linked(open_page, "stories", owner, {"error_type": ERROR})
    assert listed(page) == [story.key for story in evidence.marked(TERMINAL, study.id)]
    page.multiselect(key="error_type").set_value(["repetitive plots"]).run()
    assert "No story of this study is so" in words(page)
    assert "error_type" not in linked(open_page, "stories", owner, {"error_type": MARKUP}).query_params


def test_an_address_with_nonsense_is_heeded_as_far_as_it_goes(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=5)
    nonsense = {"system": "nobody", "order": "nothing", "stories_page": "99", "selection": "none", "scores": "x"}
    page = linked(open_page, "stories", owner, nonsense)
    assert len(listed(page)) == 15


def test_a_story_with_all_that_is_known_of_it(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=3, metrics=("all", "flat"))
    page = linked(open_page, "stories", owner, {"story": "1-1"})
    said = words(page)
    assert "1-1, by middle" in said.replace("*", "")
    assert "Opening 1." in said
    assert "Story 1-1 is told." in said
    view = story_view(TERMINAL, study.id, "1-1")
    assert table(page, "Rater")["overall"] == [rating.values["overall"] for rating in view.ratings]
    standing = table(page, "By")
    assert standing["By"] == ["People", "all", "flat"]
    assert standing["of"] == [9, 9, 9]
    assert standing["Rank"][2] == 5


@pytest.mark.parametrize("name", ANALYSES)
def test_a_link_opens_a_story_on_every_page(open_page: Open, served: None, owner: str, name: str) -> None:
    rated_study()
    page = linked(open_page, name, owner, {"story": "3-1"})
    assert "Story 3-1 is told." in words(page)
    assert table(page, "By")["By"] == ["People", "all"]


def test_ranks_are_of_all_stories_whatever_the_filter(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = linked(open_page, "correlation", owner, {"story": "3-1", "systems": "middle"})
    assert table(page, "By")["of"] == [60, 60]


def test_previous_and_next(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=2)
    page = linked(open_page, "stories", owner, {"story": "0-0"})
    page.button(key="story-previous").click().run()
    assert page.query_params["story"] == "1-2"  # the last: no button is disabled under one's finger
    page.button(key="story-next").click().run()
    assert page.query_params["story"] == "0-0"
    page.button(key="story-next").click().run()
    assert page.query_params["story"] == "0-1"
    assert "Story 0-1 is told." in words(page)
    assert "2 of 6" in words(page)
    page.button(key="story-previous").click().run()
    assert page.query_params["story"] == "0-0"


def test_the_list_on_the_page_is_what_next_goes_through(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=3)
    page = linked(open_page, "stories", owner, {"story": "0-2", "system": "high"})
    page.button(key="story-next").click().run()
    assert page.query_params["story"] == "1-2"


def test_a_note_is_saved(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=2)
    view = story_view(TERMINAL, study.id, "0-1")
    save_note(TERMINAL, study.id, view.id, f"Others say {MARKUP}")
    page = linked(open_page, "stories", owner, {"story": "0-1"})
    assert f"Others say {MARKUP}" in [element.value for element in page.text]
    page.text_area(key=f"story-note-{view.id}").set_value("A strange end.").run()
    page.button(key="story-note-save").click().run()
    assert "Saved." in words(page)
    assert "A strange end." in [note.text for note in story_view(TERMINAL, study.id, "0-1").notes]
    table = page.dataframe[0].value.set_index("Story")["Note"]
    assert [key for key, mark in table.items() if mark] == ["0-1"]


def test_a_story_that_is_not_there(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=2)
    page = linked(open_page, "stories", owner, {"story": f"none {MARKUP}"})
    assert "There is no story" in words(page)
    assert len(listed(page)) == 6


def test_a_story_of_a_pair_and_what_its_judge_said(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = "pages.ui.shared.stories.story_sections.unique_names"
    monkeypatch.setattr(names, lambda signed: [name for name, _ in signed])  # the whole name takes the judge's model
    study = compared_study(prompts=3)
    pair, other = pair_verdicts.compared(study.id)[:2]
    number = scores.begin_run(study.id, "judge:preference", "judge:preference|model:m|v:1")
    said = {pair.contents: Verdict(-1, 0), other.contents: Verdict(None, None, "it cannot be read")}
    pair_verdicts.store(study.id, number, said)
    for key, beside, shown in zip(
        pair.keys, reversed(pair.keys), (("this one", "about equal"), ("about equal", "the other")), strict=True
    ):
        page = linked(open_page, "stories", owner, {"story": key})
        assert "Beside" in table(page, "Rater")
        judged = table(page, "Judge")
        place = judged["Beside"].index(beside)
        assert judged["Better"][place] == "about equal"
        assert (judged["Shown first"][place], judged["Shown second"][place]) == shown
    page = linked(open_page, "stories", owner, {"story": other.keys[0]})
    judged = table(page, "Judge")
    assert judged["Why none"][judged["Beside"].index(other.keys[1])] == "it cannot be read"


def test_judges_words(open_page: Open, served: None, owner: str) -> None:
    quoting_study()
    key = listed(open_page("stories", owner))[0]
    page = linked(open_page, "stories", owner, {"story": key})
    assert "What judges say" in words(page)
    assert page.code


def test_names_that_want_to_be_markup_are_text(open_page: Open, served: None, owner: str) -> None:
    key = f"key {MARKUP}"
    stories = (
        StoryRecord(key, "p", MARKUP, MARKUP, Source.SYSTEM, f"system {MARKUP}"),
        StoryRecord("b", "p", MARKUP, "plain", Source.SYSTEM, "other"),
    )
    ratings = tuple(RatingRecord(one, f"rater {MARKUP}", 3.0) for one in (key, "b"))
    scores = (ScoreRecord(f"metric {MARKUP}", "file:1", {key: 1.0, "b": 2.0}),)
    study = imports.import_corpora(TERMINAL, "hostile", [Corpus("mans", stories, ratings, scores)])
    selections.save_keys(TERMINAL, study.id, f"kept {MARKUP}", [key])
    for name in ("stories", "judges"):
        page = linked(open_page, name, owner, {"story": key, "selection": f"kept {MARKUP}"})
        assert not page.exception
        assert f"key {MARKUP}" in words(page).replace("\\_", "_")
        assert all("<i>" not in text and "$y$" not in text for text in read_as_markdown(page))


def test_a_selection_is_kept_used_and_deleted(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=20)
    page = open_page("stories", owner)
    page.multiselect(key="system").set_value(["high"]).run()
    page.text_input(key="keep-found-name").set_value("the best")
    next(button for button in page.button if button.label == "Keep").click().run()
    (kept,) = selections.selections(TERMINAL, study.id)
    assert (kept.name, kept.stories) == ("the best", 20)
    page = linked(open_page, "stories", owner, {"selection": "the best"})
    assert len(listed(page)) == 20
    analysed = linked(open_page, "correlation", owner, {"selection": "the best"})
    assert set(analysed.dataframe[0].value["n"]) == {20}
    assert "40" in words(analysed)
    assert "outside the selection the best" in words(analysed)
    page.button(key=f"selection-delete-{kept.id}").click().run()
    assert not page.exception
    assert selections.selections(TERMINAL, study.id) == []
    assert len(listed(page)) == 60
