"""The Negatives page: stories of a study and pasted ones, techniques, the lexicon, the set, links, hostile texts."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.people import TERMINAL, Role
from core.stories import Corpus, Source, StoryRecord
from db.people import people
from db.studies import studies
from db.transfer import imports
from db.transfer.demonstration import load_demonstration
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.pages.untrusted_names import MARKUP, read_as_markdown

STORY = "It was late. The old man slept. His dog ran home. They were glad."
ALL = "All of them"


def changed(page: AppTest) -> dict[str, str]:
    """Both texts as the component has them, by title; what is marked in brackets."""
    (shown,) = page.main.get("bidi_component")
    data = json.loads(shown.proto.json)
    return {
        side["title"]: "".join(
            f"[{part['text']}]" if part["inside"] or stretch["whole"] else part["text"]
            for stretch in side["stretches"]
            for part in stretch["parts"]
        )
        for side in data.values()
    }


def imported(*records: StoryRecord) -> None:
    imports.import_corpora(TERMINAL, "mine", [Corpus("mans", records)])


def test_what_is_missing_is_said(open_page: Open, owner: str) -> None:
    assert "There is no study yet" in words(open_page("negatives", owner))
    studies.create(TERMINAL, "empty")
    page = open_page("negatives", owner)
    assert "This study has no stories yet" in words(page)
    assert "Import" in [link.proto.label for link in page.get("page_link")]
    page.segmented_control(key="stories-of").set_value("Paste a story").run()
    assert "Paste a story above" in words(page)
    page.text_area(key="pasted-story").set_value("One sentence only.").run()
    assert "This story has no negative: it has one sentence" in words(page)
    page.pills(key="techniques").set_value([]).run()
    assert "Choose at least one technique" in words(page)


def test_a_pasted_story_and_its_seeds(open_page: Open, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("negatives", owner)
    page.segmented_control(key="stories-of").set_value("Paste a story").run()
    page.text_area(key="pasted-story").set_value(STORY).run()
    page.pills(key="techniques").set_value(["negation"]).run()
    result = set()
    for _ in range(6):
        result.add(changed(page)["Its negative"])
        assert "Negation: put in" in words(page).replace("*", "")
        next(button for button in page.button if button.label == "Another seed").click().run()
    assert page.number_input(key="seed").value == 6
    assert len(result) > 1
    assert all(text.startswith("It was late. ") for text in result)


def test_a_study_s_stories_one_after_another_and_all(open_page: Open, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("negatives", owner)
    first = changed(page)
    assert "Its prompt, which never changes" in words(page)
    assert page.selectbox(key="negative-story").value == "p01-human"
    next(button for button in page.button if button.label == "Previous").click().run()
    assert page.selectbox(key="negative-story").value == "p14-human"
    next(button for button in page.button if button.label == "Next").click().run()
    assert changed(page) == first
    page.selectbox(key="written-by").select("greedy").run()
    assert page.selectbox(key="negative-story").value == "p01-greedy"
    assert "UNION makes negatives of human stories" in words(page)

    page.session_state["negatives"] = ALL
    page.selectbox(key="written-by").select("human").run()
    assert not page.exception
    assert "14 negatives of 14 stories" in words(page).replace("*", "")
    numbers, techniques = (frame.value for frame in page.dataframe)
    assert list(numbers["Expected"]) == pytest.approx([0.5, 0.2, 0.2, 0.1])
    assert numbers["Stories"].sum() == 14
    assert list(techniques["Technique"]) == ["repetition", "substitution", "reordering", "negation"]
    assert len(page.get("plotly_chart")) == 2
    page.pills(key="techniques").set_value(["reordering"]).run()
    assert list(page.dataframe[1].value["Share"]) == [1.0]


def test_the_paper_s_mix(open_page: Open, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("negatives", owner)
    page.pills(key="techniques").set_value(["negation"]).run()
    assert "Negation: put in" in words(page).replace("*", "")
    page.segmented_control(key="mix").set_value("paper").run()
    assert not page.exception
    assert "Negation: in " in words(page).replace("*", "")
    page.session_state["negatives"] = ALL
    page.run()
    assert "14 negatives of 14 stories" in words(page).replace("*", "")
    linked = open_page("", owner)
    linked.query_params["mix"] = "Paper"
    linked.query_params["techniques"] = "Negation"
    linked.switch_page("negatives.py").run()
    assert linked.segmented_control(key="mix").value == "paper"
    assert "Negation: in " in words(linked).replace("*", "")


def test_stories_that_have_none_are_counted_and_the_set_has_its_limit(
    open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [STORY, "", "One.", STORY + " So it was."]
    imported(*(StoryRecord(str(i), str(i), "", text, Source.HUMAN) for i, text in enumerate(texts)))
    page = open_page("negatives", owner)
    page.session_state["negatives"] = ALL
    page.run()
    sentence = words(page)
    assert "2 could not be changed. 1: the story is empty; 1: it has one sentence" in sentence
    monkeypatch.setattr("pages.ui.shared.stories.negative_source.MOST", 3)
    page = open_page("negatives", owner)
    import streamlit as st

    st.cache_resource.clear()
    page.run()
    assert page.selectbox(key="negative-story").label == "Story (the first 3 of 4)"


def test_the_address_names_the_story(open_page: Open, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("", owner)
    page.query_params["story"] = "p05-human"
    page.switch_page("negatives.py").run()
    assert page.selectbox(key="negative-story").value == "p05-human"
    page = open_page("", owner)
    page.query_params["story"] = "<b>none</b>"
    page.switch_page("negatives.py").run()
    assert page.selectbox(key="negative-story").value == "p01-human"
    assert page.query_params["story"] in ("p01-human", ["p01-human"])


def test_conceptnet_is_for_owners(open_page: Open, owner: str, tmp_path: Path) -> None:
    imported(StoryRecord("1", "1", "", "It was. The old man.", Source.HUMAN))
    file = tmp_path / "antonyms.txt"
    file.write_text("old|||/r/Antonym|||blue\nman|||/r/Antonym|||sofa\n", encoding="utf-8")
    page = open_page("negatives", owner)
    page.pills(key="techniques").set_value(["substitution"]).run()
    page.text_input(key="lexicon").set_value(str(file)).run()
    assert changed(page)["Its negative"] in ("It was. The [blue] man.", "It was. The old [sofa].")
    page.text_input(key="lexicon").set_value(str(tmp_path / "none.txt")).run()
    assert "The ConceptNet file" in words(page)
    researcher = open_page(
        "", people.invite(TERMINAL, Role.RESEARCHER, runs=[summary.study.id for summary in studies.summaries(TERMINAL)])
    )
    researcher.query_params["lexicon"] = str(file)
    researcher.switch_page("negatives.py").run()
    assert not [box for box in researcher.text_input if box.key == "lexicon"]
    assert "which only owners use; this is WordNet" in words(researcher)
    assert "blue" not in changed(researcher)["Its negative"]


def test_texts_that_want_to_be_markup(open_page: Open, owner: str) -> None:
    text = f"It was {MARKUP} late. The man {MARKUP} slept. His dog ran home."
    imported(StoryRecord(f"k {MARKUP}"[:90], "1", f"Once {MARKUP}.", text, Source.HUMAN))
    page = open_page("negatives", owner)
    assert MARKUP in changed(page)["The story"]
    for sentence in read_as_markdown(page):
        assert MARKUP not in sentence
        assert "<i>" not in sentence
    page.session_state["negatives"] = ALL
    page.run()
    for sentence in read_as_markdown(page):
        assert MARKUP not in sentence
