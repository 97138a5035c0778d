"""The page Capability: what it says where there is nothing, its figures, its worst cases, comparisons and runs."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.jobs import JobState
from core.models.catalogue import MINILM, SMOLLM2, ModelRole, locate
from core.people import TERMINAL
from core.perturb.test_sets.test_set import description_of_file
from core.stories import ScoreRecord
from db.jobs import jobs
from db.scores import scores
from db.test_sets import test_sets
from pages.ui.capability.view import FILTERED
from tests.pages.analysis.report import rated_study
from tests.pages.conftest import Open
from tests.pages.pages import findings, words
from tests.tested import discrimination, invariance, keep, read

HOSTILE = "**bold** <b>x</b> :material/home: [l](http://x) $y$"


def two_sets(*metrics: str) -> tuple[int, int]:
    """One of either test, read by these metrics."""
    numbers = keep("wrong", discrimination()), keep("worded", invariance())
    for number in numbers:
        for metric in metrics:
            read(number, metric)
    return numbers


def at(open_page: Open, owner: str, tab: str = "") -> AppTest:
    page = open_page("capability", owner)
    if tab:
        page.session_state["look"] = tab
        page.run()
    assert not page.exception
    return page


def test_what_to_do_next(open_page: Open, owner: str) -> None:
    assert "There is no test set yet" in words(at(open_page, owner))
    keep("wrong", discrimination(4))
    page = at(open_page, owner)
    assert page.multiselect(key="sets").value == ["wrong"]
    chosen = page.button_group(key="tested_metrics")
    assert chosen.value == ["perplexity", "acceptability", "words"]
    chosen.set_value([]).run()
    assert "Choose at least one metric" in words(page)
    assert not page.tabs  # nothing to look at before a metric has read it
    page.multiselect(key="sets").set_value([]).run()
    assert "Choose a test set above" in words(page)


def test_both_tests_are_chosen_and_shown(open_page: Open, owner: str) -> None:
    two_sets("keen", "blind")
    page = at(open_page, owner)
    assert set(page.multiselect(key="sets").value) == {"wrong", "worded"}
    (table,) = [frame.value for frame in page.dataframe]
    assert list(table["Metric"].unique()) == ["keen", "blind"]  # what sees most stands first
    assert list(table["Aspect"].unique()) == ["consistency", "causal"]  # of wording there is another tab
    keen = table[table["Metric"] == "keen"]
    assert (keen["In order"] > 0.95).all()
    assert (keen["Changed"] == 24).all()  # a third does not pass the filter
    assert "OpenMEVA (2021) Table 6" in words(page)
    assert "the grammaticality filter rejects" in words(page)
    assert "mean r over the aspects of all cases, whichever are shown" in words(page)
    assert "lexicon: by hand" in words(page)
    assert "keen|v:1" in words(page)
    page.segmented_control(key="cases").set_value("All").run()
    (table,) = [frame.value for frame in page.dataframe]
    assert (table["Changed"] == 36).all()
    assert findings(page)[0].startswith("**keen**: of 2 aspects of coherence it sees 2")
    page.segmented_control(key="figure").set_value("ordered").run()
    assert not page.exception
    assert "Table 6, on" not in words(page)


def test_undefined_cells_say_why(open_page: Open, owner: str) -> None:
    number = keep("wrong", [case for case in discrimination() if not case.label])
    read(number, undefined="3 cats")
    page = at(open_page, owner)
    assert "Blank in consistency, causal: no coherent example has a score" in words(page)
    assert "it is <b>odd</b>" in words(page)
    page.segmented_control(key="figure").set_value("auc").run()
    assert not page.exception  # a figure without a number is not drawn


def test_wording(open_page: Open, owner: str) -> None:
    two_sets("keen", "blind")
    page = at(open_page, owner, "What they mind")
    (table,) = [frame.value for frame in page.dataframe]
    assert list(table["Originals"].unique()) == ["human", "incoherent", "all"]
    moved = table[(table["Metric"] == "keen") & (table["Originals"] == "all")]
    assert moved["|r|"].item() > 0.8
    assert moved["Mean change (SD)"].item() < -2
    assert "Table 7, of human originals" in words(page)
    page.segmented_control(key="originals").set_value("incoherent").run()
    assert "Table 7, of incoherent originals" in words(page)
    page.multiselect(key="sets").set_value(["wrong"]).run()
    assert "Choose one of invariance, too" in words(page)


def test_the_worst_cases_come_first(open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, str]] = []
    monkeypatch.setattr(
        "pages.ui.capability.worst_cases.changed_story",
        lambda result, titles, key: shown.append((result.original, result.text)),
    )
    two_sets("keen", "blind")
    page = at(open_page, owner, "Cases")
    page.selectbox(key="metric").set_value("blind").run()
    shown.clear()
    page.selectbox(key="aspect").set_value("causal").run()
    changes = [float(item.replace("−", "-")) for item in re.findall(r"([+−][\d.]+) SD", words(page))]
    assert len(changes) == len(shown) == 5
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0
    assert all(text == f"{original.removesuffix('glad')}red" for original, text in shown)
    page.selectbox(key="so_many").set_value(3).run()
    assert len(re.findall("SD", words(page))) == 3
    assert "A change below 0 is right after all" in words(page)
    assert findings(page) == ["It is too early to say: 24 cases have a score, and a claim takes 30."]
    page.selectbox(key="aspect").set_value("typos").run()
    assert "whose score moved most, either way" in words(page)
    page.multiselect(key="sets").set_value(["worded"]).run()  # it has no causal cases
    assert not page.exception


def test_two_metrics(open_page: Open, owner: str) -> None:
    numbers = two_sets("keen")
    page = at(open_page, owner, "Two metrics")
    assert "A comparison needs the scores of two metrics" in words(page)
    for number in numbers:
        read(number, "blind")
    page = at(open_page, owner, "Two metrics")
    assert page.selectbox(key="other").value == "blind"
    assert "are told apart in 3 of 3 aspects" in findings(page)[0]
    (table,) = [frame.value for frame in page.dataframe]
    assert (table["Difference"] > 0.5).all()
    assert (table["p, Holm"] < 0.05).all()
    page.selectbox(key="metric").set_value("blind").run()
    assert page.selectbox(key="other").value == "keen"
    assert not page.exception


def test_the_filters_own_classifier_is_warned_of(open_page: Open, owner: str) -> None:
    """And of whatever reads with the same model; not of a set that was filtered by another one."""
    number, _ = two_sets("keen")
    encoder = locate(MINILM, ModelRole.ENCODER).at_revision
    read(number, "ruber-u", f"ruber-u|model:{encoder}|v:1")
    page = at(open_page, owner)
    assert "The grammaticality filter asks a classifier that reads with the same model as ruber-u:" in words(page)
    assert "For these choose *All* above." in words(page)
    assert "grammaticality filter" in page.segmented_control(key="cases").value
    page.segmented_control(key="cases").set_value("All").run()
    assert "reads with the same model" not in words(page)
    language = locate(SMOLLM2, ModelRole.LANGUAGE).at_revision
    with_lm = test_sets.add(
        TERMINAL, "with lm", discrimination(), {"seed": 4, "made_with": {"filter": "language-model@1"}}
    )
    read(with_lm, "ruber-u", f"ruber-u|model:{encoder}|v:1")
    read(with_lm, "union", f"union|model:{language}|v:1")
    read(number, "union", f"union|model:{language}|v:1")
    page.segmented_control(key="cases").set_value(FILTERED).run()
    assert "reads with the same model as ruber-u:" in words(page)
    page.multiselect(key="sets").set_value(["with lm"]).run()
    warned = next(line for line in words(page).splitlines() if "reads with the same model" in line)
    assert "ruber-u" not in warned
    assert "union" in warned
    about = {"seed": 4, "made_with": {"filter": "somebody/else@1"}}
    elsewhere = test_sets.add(TERMINAL, "elsewhere", discrimination(), about)
    read(elsewhere, "ruber-u", f"ruber-u|model:{encoder}|v:1")
    page.multiselect(key="sets").set_value(["elsewhere"]).run()
    page.segmented_control(key="cases").set_value(FILTERED).run()
    assert "reads with the same model" not in words(page)


def test_a_run_is_a_job_a_set(open_page: Open, owner: str) -> None:
    numbers = two_sets()
    page = at(open_page, owner)
    assert "sacrebleu" in words(page)
    assert "its own reference" in words(page)
    page.session_state["tested_metrics"] = ["acceptability"]
    page.run()
    assert "scores to compute, roughly" in words(page)
    next(item for item in page.button if item.label == "Run the metrics").click().run()
    assert not page.exception
    queued = [job.settings for job in reversed(jobs.of_kind("capability"))]
    assert sorted(item["test_set"] for item in queued) == sorted(numbers)
    assert all(item["metrics"] == ["acceptability"] and item["device"] == "auto" for item in queued)
    assert "wrong: acceptability" in words(page)
    jobs.cancel(TERMINAL, jobs.of_kind("capability")[0].id)
    assert not at(open_page, owner).exception


def test_a_run_that_is_done_leads_to_what_metrics_see(open_page: Open, owner: str) -> None:
    kept = two_sets("keen")[0]
    jobs.add(TERMINAL, "capability", None, {"test_set": kept, "name": "wrong", "metrics": ["keen"]})
    done = jobs.claim("test")
    assert done is not None
    jobs.finish(done.id, JobState.DONE, "done", {"rows": [], "texts": 0})
    page = at(open_page, owner, "Run metrics")
    page.button(key=f"sees-{done.id}").click().run()
    assert page.session_state["look"] == "What they see"
    assert page.multiselect(key="sets").value == ["wrong"]


def test_of_more_runs_than_are_looked_at_the_one_at_work_is_shown(open_page: Open, owner: str) -> None:
    keep("wrong", discrimination(4))
    for number in range(7):
        jobs.add(TERMINAL, "capability", None, {"test_set": 1, "name": f"set {number}", "metrics": ["fp"]})
    running = jobs.claim("worker")
    assert running is not None
    jobs.beat(running.id, done=1, total=4, message="fp: 2 texts a second")
    page = at(open_page, owner)
    assert "set 0: fp\nFp: 2 texts a second" in words(page)
    cancels = [item for item in page.button if item.label == "Cancel"]
    assert len(cancels) == 7
    cancels[0].click().run()
    assert jobs.get(running.id).cancel_requested


def test_of_an_imported_set_no_seed_is_told(open_page: Open, owner: str) -> None:
    cases = discrimination(4)
    read(test_sets.add(TERMINAL, "theirs", cases, description_of_file(cases, "theirs.jsonl").as_json()))
    sentence = words(at(open_page, owner))
    assert "of theirs.jsonl" in sentence
    assert "seed None" not in sentence
    read(keep("mine", discrimination(4)))
    assert "of Fabula's demonstration; seed 4; lexicon: by hand" in words(at(open_page, owner))


def test_hostile_names_are_text(open_page: Open, owner: str) -> None:
    number = keep(HOSTILE, discrimination(8))
    read(number, HOSTILE)
    read(number, "other")
    for tab in ("What they see", "What they mind", "Cases", "Two metrics", "Run metrics"):
        page = at(open_page, owner, tab)
        assert "<b>x</b>" not in "".join(str(item.value) for item in page.markdown if not item.value.count("\\<"))


def test_a_deleted_set_is_no_error(open_page: Open, owner: str) -> None:
    first, _ = two_sets("keen")
    page = at(open_page, owner)
    test_sets.remove(TERMINAL, first)
    page.run()
    assert not page.exception
    assert page.multiselect(key="sets").value == ["worded"]


def test_the_report_says_what_a_metric_sees(open_page: Open, owner: str) -> None:
    study = rated_study("small", metrics=("good",))
    number = keep("wrong", discrimination())
    values = dict.fromkeys(scores.story_keys(study.id), 1.0) | {scores.story_keys(study.id)[0]: 2.0}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("keen", "file:keen", values))
    page = open_page("report", owner)
    page.selectbox(key="metric").set_value("keen").run()
    assert "What it sees" not in words(page)  # imported: Fabula cannot run it on a set
    read(number, "keen", "file:keen")
    page.run()
    assert not page.exception
    assert "Human stories changed in one aspect each, of the test sets wrong" in words(page)
    test_sets.remove(TERMINAL, number)
    page.run()
    assert "Human stories changed in one aspect each" not in words(page)


def test_the_report_leads_on_where_no_set_was_read(
    open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.ui.report.sections.can_be_tested", lambda _metric, _signature: True)
    rated_study("small")
    page = open_page("report", owner)
    assert "Run it on one, on the page Capability" in words(page)
