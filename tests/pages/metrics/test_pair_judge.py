"""The page Run metrics in a study of pairs: the prompt with two stories, the run, its replies; what other pages say."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import worker
from core.annotation.studies import Study
from core.jobs import JobState
from core.judges.asking import Reply, Request
from core.metrics import build
from core.metrics.base import Settings
from core.metrics.judging.pairs import PairJudge
from core.people import TERMINAL
from db.jobs import jobs
from db.judges import consent, replies, templates
from db.judges.judged import judged_study
from db.scores import pair_verdicts
from tests.core.judges.scripted import ScriptedBackend
from tests.db.conftest import make_study
from tests.db.pairs import WORTH, compared_study, opened
from tests.judges.server import MODEL, JudgeServer
from tests.pages.conftest import Open
from tests.pages.pages import words

PAIRS = 3 * 6


def box(page: AppTest, label: str) -> "AppTest.selectbox":  # type: ignore[name-defined]
    (result,) = [item for item in page.selectbox if item.label == label]
    return result


def with_judge(open_page: Open, owner: str) -> AppTest:
    """The page Run metrics with the judge alone."""
    page = open_page("score", owner)
    for kind in ("referenced", "hybrid"):
        page.session_state[f"metrics-1-{kind}"] = []
    page.session_state["metrics-1-unreferenced"] = ["judge"]
    return page.run()


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label == label).click().run()


def run() -> None:
    job = jobs.claim("test")
    assert job is not None
    done = worker.run_job(job)
    assert done.state is JobState.DONE, done.message


def better(request: Request) -> str:
    """The story of the better system; of the two worst the first, whichever it is."""
    first, second = (request.messages[1].text.partition(f"<story_{side}>\n")[2].split()[0] for side in ("a", "b"))
    return "A" if WORTH[first] > WORTH[second] or {first, second} == {"poor", "awful"} else "B"


@pytest.fixture
def judged(served: None, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study of pairs whose judge has run."""
    monkeypatch.setattr(PairJudge, "backend", ScriptedBackend(better))
    study = compared_study(prompts=3, scored=False)
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["judge"]})
    run()
    return study


def test_a_judge_of_pairs_is_tried_on_pairs(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.ui.score.form.FEW", 5)
    compared_study(prompts=3, scored=False)
    page = with_judge(open_page, owner)
    next(toggle for toggle in page.toggle if toggle.label == "Try it on 5 pairs first").set_value(True).run()
    assert "Run on 5 pairs" in [button.label for button in page.button]


def test_a_judge_is_shown_two_stories_and_asked_which_is_better(open_page: Open, served: None, owner: str) -> None:
    study = compared_study(prompts=3, scored=False)
    page = with_judge(open_page, owner)
    assert box(page, "Way").value == "usual"
    said = words(page)
    assert f"{PAIRS} pairs to judge, each in both orders, roughly" in said
    shown = [block.value for block in page.code]
    assert any("Which of the two stories is better?" in text and "C: step 0" in text for text in shown)
    (asked,) = [text for text in shown if "<story_a>" in text and "Answer with the letter" in text]
    one, other = box(page, "Pair").options[0].split(" and ")
    assert f"<story_a>\n{one[2:]} goes on" in asked
    assert f"<story_b>\n{other[2:]} goes on" in asked
    assert "{first}" in said
    assert "{errors}" not in said
    page = press(page, "Run the metrics")
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["metrics"] == ["judge"]
    box(page, "Way").set_value("points").run()
    assert "How good is this story as a whole?" in "".join(block.value for block in page.code)
    assert "scores to compute" in words(page)
    assert study.scheme.unit.of_pairs


def test_a_template_of_pairs_is_saved_and_chosen(open_page: Open, served: None, owner: str) -> None:
    study = compared_study(prompts=1, scored=False)
    page = with_judge(open_page, owner)
    next(item for item in page.text_input if item.label == "Name").set_value("short")
    areas = {area.label: area for area in page.text_area}
    areas["Of one pair"].set_value("{first} {question}")
    page = press(page, "Save as a new version")
    assert "A template shows both stories once" in words(page)
    {area.label: area for area in page.text_area}["Of one pair"].set_value("{first} or {second}? {question}")
    page = press(page, "Save as a new version")
    assert [(template.title, template.way) for template in templates.templates(study.id)] == [("short.1", "pairs")]
    assert box(page, "Template").value == "short.1"


def test_replies_in_both_orders_stand_below_the_prompt(open_page: Open, served: None, owner: str) -> None:
    study = compared_study(prompts=1, scored=False)
    pairs = pair_verdicts.compared(study.id)
    (pair,) = pair_verdicts.read(pairs[:1])
    metric = build("judge", Settings(judged=judged_study(study.id)))
    assert isinstance(metric, PairJudge)
    for shown, reply in ((pair, Reply("", "A", {"A": 0.6, "C": 0.2})), (pair.swapped, Reply("", "Hm"))):
        request = metric.question.request("m@1", shown)
        replies.keep_reply("m@1", request, replace(reply, key=request.key))
    page = with_judge(open_page, owner)
    said = words(page)
    assert "In this order" in said
    assert "A is better 0.75, about equal 0.25, B is better 0" in said
    assert "With the two exchanged" in said
    assert "no answer: the reply is none of the answers A, B, C: 'Hm'" in said
    (table,) = [item.value for item in page.dataframe if "probability" in item.value.columns]
    assert table["answer"].tolist() == ["A", "C"]


def test_before_people_have_compared_anything(open_page: Open, served: None, owner: str) -> None:
    opened()
    said = words(with_judge(open_page, owner))
    assert "People have compared no stories here yet: a judge of pairs has nothing to judge." in said
    assert "they have compared none yet" in said


def test_single_stories_are_no_pairs(open_page: Open, served: None, owner: str) -> None:
    make_study()
    page = with_judge(open_page, owner)
    box(page, "Way").set_value("pairs").run()
    assert "here stories stand alone: make pairs of a study's ratings with" in words(page)
    assert next(button for button in page.button if button.label == "Run the metrics").disabled


def test_on_a_server(open_page: Open, served: None, owner: str, judge_server: JudgeServer) -> None:
    study = compared_study(prompts=3, scored=False)
    consent.give(TERMINAL, study.id, judge_server.address)
    page = with_judge(open_page, owner)
    page.segmented_control(key="judge-runs-on").set_value("a server").run()
    page.text_input(key="endpoint-address").set_value(judge_server.address)
    page.text_input(key="endpoint-model").set_value(MODEL)
    page.run()
    assert f"judge: {2 * PAIRS} requests to 127.0.0.1" in words(page)
    press(page, "Run the metrics")
    run()
    assert len(judge_server.asked) == 2 * PAIRS
    assert "All of this is stored already" in words(page.run())


def test_what_a_judge_says_stands_on_three_pages(open_page: Open, judged: Study, owner: str) -> None:
    page = open_page("score", owner)
    (table,) = [item.value for item in page.dataframe if "Pairs" in item.value.columns]
    assert table["Judge"].tolist() == ["judge:preference"]
    assert table["Pairs"].tolist() == [PAIRS]
    assert "How often do they agree with people?" in [link.proto.label for link in page.get("page_link")]

    page = open_page("preferences", owner)
    said = words(page)
    assert "Do judges mind which story stands first?" in said
    assert "Two raters choose alike in" in said
    metrics, judges = (frame.value for frame in page.dataframe[-2:])
    assert metrics["Metric"].tolist() == ["judge:preference"]
    assert metrics["Accuracy"][0] > 0.8
    assert judges["Changes its mind"][0] == pytest.approx(1 / 6)
    assert judges["For the first side"][0] > 0.5
    assert judges["Pairs"][0] == PAIRS

    page = open_page("judges", owner)
    said = words(page)
    assert "Two raters choose alike in" in said
    (judges,) = [frame.value for frame in page.dataframe]
    assert judges["Judge"].tolist() == ["judge:preference"]
    assert judges["Accuracy"][0] == metrics["Accuracy"][0]


def test_replies_of_a_study_that_was_judged_are_found(open_page: Open, judged: Study, owner: str) -> None:
    said = words(with_judge(open_page, owner))
    assert "In this order" in said
    assert "With the two exchanged" in said


def test_judges_says_first_what_a_judge_of_pairs_is_worth(
    open_page: Open, judged: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = "It is too early to say how often judge:preference orders two stories as people do: there are"
    assert few in words(open_page("judges", owner))
    monkeypatch.setattr(PairJudge, "backend", ScriptedBackend(lambda _: "A"))
    jobs.add(TERMINAL, "score", judged.id, {"metrics": ["judge"], "options": {"judge": {"seed": "1"}}})
    run()
    said = words(open_page("preferences", owner))
    assert "Of 2 judges" not in said  # one of them goes by the side, and the other has judged too little
    assert few in said
