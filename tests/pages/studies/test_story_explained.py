"""In a story's drawer: why two metrics disagree about it, and its tokens in a language model's colours."""

import re
import threading
import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.judgments.evidence import EvidenceMark
from core.analysis.stories.view import GivenDeduction, StoryRating, StoryView
from core.jobs import JobState
from core.metrics.base import Scores
from core.models.tokens.settings import TokenRequest
from core.people import TERMINAL
from core.stories import Source
from db.jobs import jobs, token_tables
from db.jobs.lanes import Lane
from db.scores import scores
from db.stories.view import story_view
from db.transfer.demonstration import load_demonstration
from pages.ui.shared.stories import inside_story, story_tokens
from tests.core.made_tokens import made_table
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker runs here: nothing is worth waiting for."""
    monkeypatch.setattr("pages.ui.shared.jobs.awaited_job.PATIENCE", 0.0)


def opened(open_page: Open, owner: str, **parts: str) -> AppTest:
    page = open_page("", owner)
    for part, value in parts.items():
        page.query_params[part] = value
    return page.switch_page("stories.py").run()


def store_rising(study_id: int, metric: str, signature: str, sign: float = 1.0) -> None:
    """Scores of the study's nine stories that rise, or with -1 fall, in its order."""
    run = scores.begin_run(study_id, metric, signature)
    lacking, _ = scores.pending(study_id, [run], -1, 100)
    scores.store(study_id, run, [story.content_hash for story in lacking], Scores.collect([sign * i for i in range(9)]))


def test_both_ranks_beside_peoples_and_what_each_metric_looks_at(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=3, metrics=("all", "half"))
    store_rising(study.id, "words", "words|v:1")
    page = opened(open_page, owner, story="0-0")
    assert "words puts it 9th of 9" in words(page) or ", words 9th" in words(page)
    both = ("One metric", "Another")
    first, second = (next(box for box in page.selectbox if box.label == label) for label in both)
    assert "words" in (first.value, second.value)  # 0-0 is the shortest by far
    assert first.value != second.value
    assert "words: A sentinel: how many words a story has" in words(page).replace("*", "")
    assert "its scores came from a file" in words(page)
    first.set_value("all").run()
    second = next(box for box in page.selectbox if box.label == "Another")
    second.set_value("half").run()
    assert "all puts it" in words(page)
    assert words(page).count("So far half has scored 3 stories: its rank is among these.") == 2  # beside all ranks, too
    page.button(key="story-next").click().run()  # the choice stays
    assert [box.value for box in page.selectbox if box.label in both] == ["all", "half"]


def test_the_two_of_the_address_come_first(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=4, metrics=("all", "half", "coarse"))
    parts = {"story": "0-1", "first-metric": "coarse", "second-metric": "all", "score-tab": "One or two metrics"}
    page = open_page("", owner)
    for part, value in parts.items():
        page.query_params[part] = value
    page.switch_page("score.py").run()
    assert next(box for box in page.selectbox if box.label == "One metric").value == "coarse"
    assert next(box for box in page.selectbox if box.label == "Another").value == "all"
    assert "coarse puts it" in words(page)


def test_whether_the_two_rank_all_stories_alike(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=12, metrics=("all", "coarse"))
    page = opened(open_page, owner, story="0-0")
    assert "The two put the 36 stories that both have scored in" in words(page)
    few = rated_study(name="Few", prompts=3, metrics=("all", "coarse"))
    page = opened(open_page, owner, study=str(few.id), story="0-0")
    assert "puts it" in words(page)
    assert "the two rank" not in words(page)  # nothing is claimed of nine


def test_a_story_that_repeats_itself_is_said_to(open_page: Open, served: None, owner: str) -> None:
    load_demonstration(TERMINAL)
    repeats, likely = "This story repeats itself.", "A language model finds repeated words likely."
    page = opened(open_page, owner, story="p03-beam-4")
    for names, told in ((("perplexity", "rouge-l"), True), (("bleu", "rouge-l"), False)):
        for label, name in zip(("One metric", "Another"), names, strict=True):
            next(box for box in page.selectbox if box.label == label).set_value(name).run()
        assert repeats in words(page)
        assert (likely in words(page)) is told
    assert repeats not in words(opened(open_page, owner, story="p03-hot-1.5"))


def test_a_metric_of_meaning_has_a_reason_in_its_own_terms(open_page: Open, served: None, owner: str) -> None:
    """How many words are shared says nothing of it: where the story stands among the others does."""
    study = load_demonstration(TERMINAL)
    keys = scores.story_keys(study.id)
    page = open_page("", owner)
    page.query_params |= {
        "story": keys[-1], "first-metric": "bertscore-f1", "second-metric": "rouge-l", "score-tab": "One or two metrics"
    }  # fmt: skip
    said = words(page.switch_page("score.py").run()).replace("*", "")
    assert "bertscore-f1: by the vectors of a model the story is closer in meaning to what a person wrote" in said
    assert "than most are: 0.481, where the middle of all stories is 0.449." in said
    assert "rouge-l: " in said
    assert (
        len(re.findall(r"a person wrote \d+ different words for the prompt, the story has \d+; \d+ are in both", said))
        == 1
    )


def test_what_lifts_or_lowers_two_metrics_is_read_on_demand(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=3, metrics=())
    for name in ("acceptability", "perplexity"):
        store_rising(study.id, name, f"{name}|v:1")
    story = story_view(TERMINAL, study.id, "0-1")
    page = opened(open_page, owner, story="0-1")
    assert jobs.claim("test", lane=Lane.QUICK) is None  # nobody has asked
    page.toggle(key=inside_story.WANTED).set_value(True).run()
    assert "perplexity: a language model is reading the story." not in words(page)  # one is awaited after the other
    asked = jobs.claim("test", lane=Lane.QUICK)
    assert asked is not None
    assert asked.settings == {"story": story.id}
    assert jobs.claim("test", lane=Lane.QUICK) is None
    jobs.finish(asked.id, JobState.DONE, "", result={"acceptable": [0.25]})
    assert "perplexity: a language model is reading the story." in words(page.run())
    assert jobs.claim("test", lane=Lane.QUICK) is not None
    token_tables.store(TokenRequest(story.text).signature(), made_table(story.text))
    page.run()
    shown = words(page).replace("*", "")
    assert "the story is a single sentence, which scores 0.25." in shown
    assert "perplexity: unlikely words lower it. Least likely to made" in shown
    assert "Of the 4 words these make up 100% of its surprise" in shown


def test_a_model_reads_what_it_read_for_the_score(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=3, metrics=())
    for name, of in (("perplexity", "story-given-prompt"), ("fp", "story-alone")):
        store_rising(study.id, name, f"{name}|of:{of}|v:1")
    story = story_view(TERMINAL, study.id, "2-1")
    page = opened(open_page, owner, story="2-1")
    page.toggle(key=inside_story.WANTED).set_value(True).run()
    behind = TokenRequest(story.text, story=story.id, prompt=story.prompt)
    asked = [job.settings for _ in range(2) if (job := jobs.claim("test", lane=Lane.QUICK)) is not None]
    assert behind.settings() in asked
    assert TokenRequest("", story=story.id).settings() in asked
    token_tables.store(behind.signature(), made_table(story.text))
    shown = words(page.run())
    assert shown.count("It has read the prompt first, as for the score") == 1
    assert "fp: a language model is reading the story." in shown.replace("*", "")


def test_what_is_read_is_there_without_opening_the_drawer_anew(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = rated_study(prompts=3, metrics=())
    for name in ("perplexity", "fp"):
        store_rising(study.id, name, f"{name}|v:1")
    story = story_view(TERMINAL, study.id, "0-1")
    page = opened(open_page, owner, story="0-1")
    monkeypatch.setattr("pages.ui.shared.jobs.awaited_job.PATIENCE", 1.0)

    def read() -> None:
        """What a worker does, once the page has begun to wait in sight."""
        time.sleep(1.5)
        job = jobs.claim("test", lane=Lane.QUICK)
        assert job is not None
        signature = TokenRequest(story.text).signature()
        token_tables.store(signature, made_table(story.text))
        jobs.finish(job.id, JobState.DONE, "", result={"signature": signature})

    worker = threading.Thread(target=read)
    worker.start()
    shown = words(page.toggle(key=inside_story.WANTED).set_value(True).run())
    worker.join()
    assert "Least likely to made" in shown
    assert "is reading the story" not in shown


@pytest.mark.parametrize(
    ("story", "perplexity", "naturalness"),
    [("0-1", "unlikely words lower", "likely words lower"), ("2-1", "likely words lift", "unlikely words lift")],
)
def test_a_high_rank_is_explained_by_what_lifts_it(
    open_page: Open, served: None, owner: str, story: str, perplexity: str, naturalness: str
) -> None:
    study = rated_study(prompts=3, metrics=())
    for name in ("perplexity", "fp"):
        store_rising(study.id, name, f"{name}|v:1")
    text = story_view(TERMINAL, study.id, story).text
    token_tables.store(TokenRequest(text).signature(), made_table(text))
    page = opened(open_page, owner, story=story)
    page.toggle(key=inside_story.WANTED).set_value(True).run()
    shown = words(page).replace("*", "")
    assert f"perplexity: {perplexity} it." in shown
    assert f"fp: {naturalness} it." in shown  # likely words look machine-made to it


def test_colours_are_read_on_demand_and_kept(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=2)
    story = story_view(TERMINAL, study.id, "0-1")
    page = opened(open_page, owner, story="0-1")
    assert jobs.claim("test", lane=Lane.QUICK) is None  # nobody has asked
    page.toggle(key=story_tokens.SWITCH).set_value(True).run()
    assert "Story 0-1 is told." in words(page)  # it is there while it is read
    assert table_of(page, "Rater")
    job = jobs.claim("test", lane=Lane.QUICK)
    assert job is not None
    assert job.settings["story"] == story.id
    token_tables.store(TokenRequest(story.text).signature(), made_table(story.text))
    page.run()
    assert "Story 0-1 is told." not in words(page)  # but its tokens are
    assert opened(open_page, owner, story="0-1", **{story_tokens.SWITCH: "true"}).toggle(key=story_tokens.SWITCH).value
    assert jobs.claim("test", lane=Lane.QUICK) is None


def table_of(page: AppTest, column: str) -> bool:
    return any(column in frame.value.columns for frame in page.dataframe)


def test_tokens_of_passages() -> None:
    text = "The fox went home and slept."
    given = GivenDeduction("plot", 1, ((4, 7), (13, 16)))
    rating = StoryRating("r", True, {}, (given,))
    view = StoryView(1, "k", Source.SYSTEM, "s", "p", "", text, (), 0, (rating,))
    assert [mark.start for mark in view.marked.marks] == [4, 13]
    assert isinstance(view.marked.marks[0], EvidenceMark)
    table = made_table(text, rank=[0, 9, 3, 800, 2, 40])
    assert story_tokens.passages(view, table).tolist() == [False, True, False, True, False, False]
    assert not np.any(story_tokens.passages(StoryView(1, "k", Source.SYSTEM, "s", "p", "", text, (), 0), table))


def test_two_metrics_that_the_same_words_decide_have_one_list(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(prompts=3, metrics=())
    for name, sign in (("perplexity", 1.0), ("fp", -1.0)):
        store_rising(study.id, name, f"{name}|v:1", sign)
    text = story_view(TERMINAL, study.id, "0-0").text
    token_tables.store(TokenRequest(text).signature(), made_table(text))
    page = opened(open_page, owner, story="0-0")
    page.toggle(key=inside_story.WANTED).set_value(True).run()
    shown = words(page).replace("*", "")
    assert "perplexity: unlikely words lower it." in shown
    assert "fp: unlikely words lift it." in shown
    assert shown.count("Least likely to made") == 1
