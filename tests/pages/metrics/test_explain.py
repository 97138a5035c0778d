"""The Explain page: typed stories, a study's, negatives; what is missing; links; hostile texts."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import worker
from core.jobs import Job, JobState
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord, whole_story
from db.jobs import jobs
from db.studies import story_list
from db.training import checkpoints
from db.transfer import imports
from db.transfer.demonstration import load_demonstration
from tests.core.training.made_union import made_union
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.pages.untrusted_names import MARKUP, read_as_markdown

STORY = "It was late. The old man slept. His dog ran home. They were glad."
EDITED = "What was edited"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No worker runs here, and no checkpoint comes along: nothing is worth waiting for."""
    monkeypatch.setattr("pages.ui.shared.jobs.awaited_job.PATIENCE", 0.0)
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    monkeypatch.setattr("core.checkpoints.store.SHIPPED", shipped)


@pytest.fixture
def kept(served: None, tmp_path: Path) -> str:
    """The place of a checkpoint."""
    return checkpoints.add(TERMINAL, made_union(tmp_path / "made")).place


def press(page: AppTest, label: str = "Explain the score") -> AppTest:
    return next(b for b in page.button if b.label == label).click().run()


def worked() -> Job:
    """What the worker makes of what was asked."""
    job = jobs.claim("test")
    assert job is not None
    return worker.run_job(job)


def typed(page: AppTest, text: str, prompt: str = "") -> AppTest:
    page.text_input(key="explain-prompt").set_value(prompt)
    return page.text_area(key="explain-text").set_value(text).run()


def choose(page: AppTest, kind: str) -> AppTest:
    return page.segmented_control(key="explain-of").set_value(kind).run()


def parts(page: AppTest, key: str) -> list[dict[str, Any]]:
    """What the component of this label shows."""
    shown = [json.loads(item.proto.json) for item in page.main.get("bidi_component")]
    return next(item["parts"] for item in shown if item.get("label", "").startswith(key))


def test_without_a_checkpoint_it_says_how_to_make_one(open_page: Open, owner: str, tmp_path: Path) -> None:
    assert "There is no trained UNION here yet" in words(open_page("explain", owner))


def test_a_typed_story_is_asked_for_explained_and_found_again(open_page: Open, owner: str, kept: str) -> None:
    page = press(open_page("explain", owner))
    assert "There is no story to explain" in words(page)
    press(typed(page, STORY))
    assert len(page.get("progress")) == 1
    job = worked()
    assert job.state is JobState.DONE, job.message
    assert (job.settings["checkpoint"], job.settings["text"]) == (kept, STORY)
    page.run()
    assert {metric.label for metric in page.metric} == {"P(a person's story)", "Logit"}
    shown = parts(page, "The story, shaded")
    assert "".join(part["text"] for part in shown) == STORY
    assert [part["text"] for part in shown if part["note"]] == [
        "It was late.", "The old man slept.", "His dog ran home.", "They were glad.",
    ]  # fmt: skip
    assert max(abs(part["shade"]) for part in shown) == 1
    assert "It would keep" in words(page)
    contributions = page.dataframe[0].value
    assert list(contributions["Sentence"]) == [1, 2, 3, 4]
    assert contributions["Contribution"].notna().all()
    assert EDITED not in words(page)

    again = open_page("", owner)
    again.query_params["explained"] = str(job.id)
    again.switch_page("explain.py").run()
    assert again.text_area(key="explain-text").value == STORY
    assert again.metric
    typed(again, f"{STORY} So it was.")
    assert not again.metric


def test_a_negative_is_explained_beside_its_edits(open_page: Open, owner: str, kept: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("", owner)
    for name, value in {"explain-of": "A known negative", "seed": "4", "story": "p02-human"}.items():
        page.query_params[name] = value
    page.switch_page("explain.py").run()
    press(page)
    job = worked()
    assert job.state is JobState.DONE, job.message
    assert "text" not in job.settings
    page.run()
    sentence = words(page)
    assert EDITED in sentence
    assert "by chance" in sentence or "Every sentence that may change" in sentence
    assert "put back" in sentence
    assert "of the human story it was made of" in sentence
    assert any(part["edited"] for part in parts(page, "The story, shaded"))
    assert {"Edited by", "Put back"} <= set(page.dataframe[0].value.columns)
    press(page, "Another seed")
    assert EDITED not in words(page)
    assert not page.metric

    page.segmented_control(key="stories-of").set_value("Paste a story").run()
    page.text_area(key="pasted-story").set_value(STORY).run()
    press(page)
    assert worked().state is JobState.DONE
    assert EDITED in words(page.run())


def test_a_story_of_a_study_by_its_address(open_page: Open, owner: str, kept: str) -> None:
    study = load_demonstration(TERMINAL)
    (story,) = story_list.stories(TERMINAL, study.id, None, "p03-greedy")[0]
    page = open_page("", owner)
    page.query_params["explain-of"] = "A story of a study"
    page.query_params["story"] = str(story.id)
    page.switch_page("explain.py").run()
    press(page)
    job = worked()
    assert job.settings["story"] == story.id
    assert "text" not in job.settings
    shown = parts(page.run(), "The story, shaded")
    listed_story = story_list.story_opening(TERMINAL, story.id)
    assert "".join(part["text"] for part in shown) == whole_story(listed_story.prompt, listed_story.opening)


def test_one_sentence_and_no_second_head(open_page: Open, owner: str, served: None, tmp_path: Path) -> None:
    checkpoints.add(TERMINAL, made_union(tmp_path / "made", "other", reconstruction=0))
    page = press(typed(open_page("explain", owner), "Only this."))
    worked()
    sentence = words(page.run())
    assert "there is nothing to leave out" in sentence
    assert "trained without reconstruction" in sentence
    assert page.metric
    assert not page.dataframe


def test_what_cannot_be_is_one_sentence(open_page: Open, owner: str, kept: str, tmp_path: Path) -> None:
    page = typed(open_page("explain", owner), "Word. " * 20_000)
    assert "at most 100,000 are explained" in words(page)
    checkpoints.add(TERMINAL, made_union(tmp_path / "far", "far", base="far@sha256:0123456789ab"))
    page = open_page("explain", owner)
    page.selectbox(key="checkpoint").select("far").run()
    press(typed(page, STORY))
    worked()
    assert "name that folder as its base" in words(page.run())
    page.text_input(key="base").set_value("all-minilm-l6-v2").run()
    press(page)
    worked()
    assert "was trained on far@" in words(page.run())
    imports.import_corpora(TERMINAL, "e", [Corpus("mans", (StoryRecord("1", "1", "", " ", Source.HUMAN),))])
    assert "This story is empty" in words(choose(page, "A story of a study"))
    page = open_page("", owner)
    page.query_params["explained"] = "9" * 30
    page.query_params["checkpoint"] = "<b>none</b>"
    page.switch_page("explain.py").run()
    assert "Choose a story above" in words(page)


def test_texts_that_want_to_be_markup(open_page: Open, owner: str, kept: str) -> None:
    text = f"It was {MARKUP} late. The man {MARKUP} slept. His dog ran home."
    page = press(typed(open_page("explain", owner), text, f"Once {MARKUP}."))
    assert worked().state is JobState.DONE
    page.run()
    assert "".join(part["text"] for part in parts(page, "The story, shaded")) == f"Once {MARKUP}. {text}"
    for sentence in read_as_markdown(page):
        assert MARKUP not in sentence
        assert "<i>" not in sentence
    drawn = json.dumps([json.loads(item.proto.spec)["data"] for item in page.get("plotly_chart")])
    assert "<i>" not in drawn
