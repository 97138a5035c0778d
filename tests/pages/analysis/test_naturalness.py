"""The Naturalness page: empty states, both sides, all tabs, exclusions, hostile names, a measurement queued."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.jobs import jobs
from db.studies import studies
from db.transfer import imports
from tests.natural import LARGE, SMALL, natural_study
from tests.pages.conftest import Open
from tests.pages.pages import cells, findings, words
from tests.pages.untrusted_names import MARKUP, read_as_markdown

TABS = ("Distributions", "Tables", "Thresholds", "Hypotheses", "Check-ups")


def tab(page: AppTest, name: str) -> AppTest:
    page.session_state["naturalness"] = name
    page.run()
    assert not page.exception
    return page


def stories(human: bool, systems: tuple[str, ...] = ("a",)) -> None:
    rows = [
        StoryRecord(f"{p}-{name}", str(p), f"Opening {p}.", f"Story {p} of {name}.", Source.SYSTEM, name)
        for p in range(3)
        for name in systems
    ]
    if human:
        rows += [StoryRecord(f"{p}-h", str(p), f"Opening {p}.", f"A true story {p}.", Source.HUMAN) for p in range(3)]
    imports.import_corpora(TERMINAL, "bare", [Corpus("mans", tuple(rows))])


def test_what_is_missing_is_said(open_page: Open, served: None, owner: str) -> None:
    assert "There is no study yet" in words(open_page("naturalness", owner))
    studies.create(TERMINAL, "empty")
    assert "no stories of systems yet" in words(open_page("naturalness", owner))


def test_no_human_text(open_page: Open, served: None, owner: str) -> None:
    stories(human=False)
    page = open_page("naturalness", owner)
    assert "There is no human text to compare with" in words(page)
    assert "Import human stories" in [link.proto.label for link in page.get("page_link")]


def test_a_measurement_is_an_ordinary_run_of_both_sides(open_page: Open, served: None, owner: str) -> None:
    stories(human=True)
    page = open_page("naturalness", owner)
    assert "No language model has read these texts yet" in words(page)
    assert (
        "fp is one of the study's metrics then: minus Fp, as in every metric more is better. It is compared"
        in words(page).replace("`", "")
    )
    page.selectbox(key="measure-first").set_value("100")
    page.button(key="measure").click().run()
    assert not page.exception
    (job,) = jobs.of_study(studies.find("bare").id, most=5)
    assert job.settings["metrics"] == ["fp"]
    assert job.settings["sources"] == ["system", "human"]
    assert job.settings["options"]["fp"] == {"of": "story-alone", "first": "100"}


def test_an_annotator_is_turned_away(open_page: Open, study: object, annotator: str) -> None:
    assert "Human texts" not in words(open_page("naturalness", annotator))


def test_every_tab(open_page: Open, served: None, owner: str) -> None:
    natural_study()
    page = open_page("naturalness", owner)
    assert not page.exception
    page.selectbox(key="tokens").select("all").run()
    assert len(page.get("plotly_chart")) == 2
    (opening,) = findings(page)
    assert "too early to say whether machine texts look other than human ones" in opening
    tab(page, "Tables")
    assert "too early to say whether machine texts have another Fp" in findings(page)[0]
    (first, second) = [frame.value for frame in page.dataframe]
    assert list(first["Texts of"]) == ["human", "little", "big"] * 2
    assert list(first["n"]) == [20] * 6
    assert list(second["Pairs"]) == [20] * 4
    assert (second["Difference"] > 0).all()
    tab(page, "Thresholds")
    assert "people's h" in cells(page)
    assert "Do people see it too?" in words(page)
    page.segmented_control(key="cuts").set_value("2").run()
    assert "accuracy on the decided" in words(page)
    assert findings(page)[0].startswith("It is too early to say how well")
    assert "The AUC is of fewer than 30 texts on a side" in words(page)
    page.segmented_control(key="rule").set_value("moments").run()
    assert not page.exception
    tab(page, "Hypotheses")
    page.selectbox(key="bigger-generator").select("big").run()
    page.selectbox(key="smaller-generator").select("little").run()
    assert findings(page)[0].startswith(
        "By permutation tests, that a bigger generator differs more from human text holds"
    )
    sentence = words(page)
    assert "H1 holds here: big differs more from human text than little" in sentence
    page.selectbox(key="smaller-generator").select("big").run()
    assert "Choose two different generators" in words(page)
    tab(page, "Check-ups")
    assert "that fools Fp was found in" in findings(page)[0]
    assert "Texts with findings" in words(page) or "repetition" in cells(page)
    page.multiselect(key="without").select("language").run()
    assert not page.exception


def test_people_who_do_not_agree_are_announced_before_their_shares(open_page: Open, served: None, owner: str) -> None:
    sentence = "Nothing shows that the ratings of these stories agree"
    natural_study()
    page = tab(open_page("naturalness", owner), "Thresholds")
    assert sentence not in words(page)
    natural_study(name="random", agreeing=False)
    page = open_page("", owner)
    page.query_params["study"] = str(studies.find("random").id)
    page.switch_page("naturalness.py").run()
    tab(page, "Thresholds")
    warned = [item.value for item in page.warning]
    assert sum(name.startswith(sentence) for name in warned) == 1
    natural_study(name="mans", scheme="mans", agreeing=False, rated=False)
    page.query_params["study"] = str(studies.find("mans").id)
    assert sentence not in words(tab(page.run(), "Thresholds"))


def test_fewer_tokens_than_asked_for_are_counted(open_page: Open, served: None, owner: str) -> None:
    natural_study(models=(SMALL,))
    page = open_page("naturalness", owner)
    page.selectbox(key="tokens").select("50").run()
    tab(page, "Tables")
    assert "the story has fewer than 50 tokens" in cells(page)
    assert list(page.dataframe[0].value["n"]) == [18, 20, 20]
    tab(page, "Hypotheses")
    assert "measure another" in words(page)


def test_another_study_s_people_have_no_pairs(open_page: Open, served: None, owner: str) -> None:
    natural_study(name="people", systems=("other",), models=(LARGE,), rated=False)
    mine = natural_study(name="machines", human=False, scheme="mans", models=(LARGE,), rated=False)
    page = open_page("naturalness", owner)
    page.selectbox(key="study_box").select(mine.id).run()
    page.selectbox(key="human").select("human stories of people").run()
    tab(page, "Tables")
    assert list(page.dataframe[1].value["Pairs"]) == [0, 0]
    assert page.dataframe[1].value["p, Welch"].notna().all()
    page.selectbox(key="human").select("system little").run()
    assert list(page.dataframe[1].value["Pairs"]) == [20]
    tab(page, "Thresholds")
    assert "People have not judged who wrote these texts" in words(page)


@pytest.mark.parametrize("name", TABS)
def test_names_that_want_to_be_markup(open_page: Open, served: None, owner: str, name: str) -> None:
    natural_study(systems=("plain", f"s {MARKUP}"), models=(f"m {MARKUP}".replace("|", ""), SMALL))
    page = tab(open_page("naturalness", owner), name)
    for text in read_as_markdown(page):
        assert MARKUP not in text
        assert "<i>" not in text
    for drawn in page.get("plotly_chart"):
        labels = json.dumps(json.loads(drawn.proto.spec), ensure_ascii=False)
        assert "<i>" not in labels
        assert "$y$" not in labels
