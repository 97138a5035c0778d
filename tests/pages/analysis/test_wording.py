"""The loop of a judge's wording on the Judges page: tried, compared, changed, run, and reported on the other half."""

import pytest
from streamlit.testing.v1 import AppTest

import worker
from core.annotation.studies import Study
from core.judges.asking import Reply
from core.judges.halves import Half
from core.metrics.judging.judge import Judge
from db.jobs import jobs
from db.judges import templates
from tests.core.judges.scripted import ScriptedBackend
from tests.db.judged import judged_study, unlike_on_coherence
from tests.db.worded import ask, save_wording
from tests.pages.conftest import Open
from tests.pages.pages import findings, words
from tests.rated import rated_study

TABS = ("Agreement", "May it replace a person?", "Confusion", "Disagreements", "Biases")


@pytest.fixture
def worded(served: None) -> Study:
    """A study whose judge has two versions of a wording, the second of them on both halves."""
    study = judged_study()
    save_wording(study, "You judge.\nBe fair.")
    save_wording(study, "You judge.\nBe stern.")
    ask(study, "standard", 2.5)
    ask(study, "mine.1", 1.5, Half.DEVELOPMENT)
    ask(study, "mine.2", 0.3)
    return study


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ScriptedBackend:
    """In the model's place: it rates a story by its number of words."""

    def script(request: object) -> Reply:
        number = str(request).count("word")
        return Reply("", "", {str(1 + number % 5): 1.0})

    scripted = ScriptedBackend(script)
    monkeypatch.setattr(Judge, "backend", scripted)
    return scripted


def opened(open_page: Open, owner: str, tab: str = "Wording") -> AppTest:
    page = open_page("judges", owner)
    page.session_state["tab"] = tab
    page.run()
    assert not page.exception
    return page


def frame(page: AppTest, column: str):  # type: ignore[no-untyped-def]
    return next(item.value for item in page.dataframe if column in item.value.columns)


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label.replace("\\", "") == label).click().run()
    assert not page.exception
    return page


def work() -> None:
    job = jobs.claim("test")
    assert job is not None
    worker.run_job(job)


def test_what_was_tried_and_two_of_it_compared(open_page: Open, worded: Study, owner: str) -> None:
    page = opened(open_page, owner)
    assert "agrees best with people on the development half, r " in findings(page)[0]
    tried = frame(page, "Held out")
    assert list(tried["Wording"]) == ["standard", "mine.1", "mine.2"]
    assert list(tried["n"]) == [30, 30, 30]
    assert list(tried["Held out"]) == [30, 0, 30]
    said = words(page)
    assert "2 versions of the wording were tried, over 30 rated stories." in said
    pair = frame(page, "Against")
    assert list(pair["Wording"]) == ["judge:coherence[template=mine.2]"]
    assert list(pair["Against"]) == ["judge:coherence[template=mine.1]"]
    assert pair["Difference"][0] > 0
    assert any("-Be fair.\n+Be stern." in block.value for block in page.code)
    next(box for box in page.selectbox if box.label == "Against").set_value("judge:coherence").run()
    assert not page.exception
    assert "2 versions of the wording were tried on the development half, 1 of them has been run here." in words(page)


def test_two_have_no_p_where_the_ratings_do_not_agree(open_page: Open, served: None, owner: str) -> None:
    study = unlike_on_coherence()
    save_wording(study, "You judge.")
    for title in ("standard", "mine.1"):
        ask(study, title, 0.5)
    page = opened(open_page, owner)
    pair = frame(page, "Against")
    assert pair["Difference"].notna().all()
    assert pair[["p (permutation)", "p (Williams)"]].isna().all(axis=None)
    assert "There is no star, no p and no test, as nothing shows that the ratings agree" in words(page)


@pytest.mark.parametrize("tab", TABS)
def test_no_tab_reports_on_what_was_tuned_on(open_page: Open, worded: Study, owner: str, tab: str) -> None:
    page = opened(open_page, owner, tab)
    said = words(page)
    assert (
        "judge:coherence[template=mine.2]: the wording is this study's own, and 2 versions of the wording were tried"
        in said
    )
    assert "judge:coherence[template=mine.1]: not reported." in said
    assert "Run it there: on the Judges page under Wording" in said
    for shown in page.dataframe:
        assert "judge:coherence[template=mine.1]" not in list(shown.value.get("Judge", []))
    if tab == "Agreement":
        rows = frame(page, "r, prompts").set_index("Judge")["n"]
        assert (rows["judge:coherence[template=mine.2]"], rows["judge:coherence"]) == (30, 60)


def test_where_nothing_may_be_reported_the_page_says_what_to_do(open_page: Open, served: None, owner: str) -> None:
    study = rated_study()
    page = opened(open_page, owner)
    assert "No judge that Fabula asks has rated stories of the development half yet" in words(page)
    assert [button.label for button in page.button if button.label.startswith("Run")] == ["Run standard on all stories"]
    save_wording(study, "You judge.")
    ask(study, "mine.1", 0.5, Half.DEVELOPMENT, "overall")
    for tab in TABS:
        page = opened(open_page, owner, tab)
        assert "judge:overall[template=mine.1]: not reported." in words(page)
        assert not page.dataframe
        assert not page.get("plotly_chart")


def test_change_run_compare_report(open_page: Open, worded: Study, owner: str, backend: ScriptedBackend) -> None:
    page = opened(open_page, owner)
    page.selectbox(key="wording-begin").set_value("mine.2 (points)").run()
    next(area for area in page.text_area if area.label == "The same for every story").set_value("You judge mildly.")
    page = press(page, "Save as a new version")
    assert templates.templates(worded.id)[0].title == "mine.3"
    assert page.selectbox(key="wording-begin").value == "mine.3 (points)"
    page = press(page, "Run mine.3 on the development half")
    work()
    first = len(backend.asked)
    assert 25 < first <= 30  # some of a prompt's stories are alike
    assert jobs.of_study(worded.id)[0].settings["half"] == "development"
    page = opened(open_page, owner)
    assert list(frame(page, "Held out")["Wording"])[-1] == "mine.3"
    assert "3 versions of the wording were tried" in words(page)
    assert next(box for box in page.selectbox if box.label == "Wording").value.endswith("template=mine.3]")
    assert not [item for item in page.metric if "held out" in item.label]
    page = press(page, "Run mine.3 on the held-out half")
    work()
    assert first + 25 < len(backend.asked) <= first + 30
    page = opened(open_page, owner)
    assert [item.label for item in page.metric] == ["Pearson's r, held out", "Spearman's ρ, held out", "Stories"]
    assert page.metric[2].value == "30"


def test_other_pages_say_what_was_tuned_on_their_stories(open_page: Open, worded: Study, owner: str) -> None:
    page = open_page("correlation", owner)
    assert "judge:coherence[template=mine.1], judge:coherence[template=mine.2]: tuned on this" in words(page) or (
        "judge:coherence[template=mine.2], judge:coherence[template=mine.1]: tuned on this" in words(page)
    )
    page = open_page("report", owner)
    page.selectbox(key="metric").set_value("judge:coherence[template=mine.2]").run()
    assert "The figures are of the held-out half alone." in words(page)
    page.selectbox(key="metric").set_value("judge:coherence[template=mine.1]").run()
    assert "not reported" in words(page)
    page.selectbox(key="metric").set_value("judge:coherence").run()
    assert "held-out half" not in words(page)
