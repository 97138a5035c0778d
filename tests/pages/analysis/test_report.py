"""The page of a metric's report: empty, by a link, with names that want to be markup."""

import gzip
from urllib.parse import parse_qsl

import pytest

from core.analysis.criteria.heat_map import Level
from core.people import TERMINAL
from db.findings import report_links
from db.jobs import jobs
from db.scores import deletion
from db.studies import studies
from tests.db.judged import judged_study, unlike_on_coherence
from tests.db.pairs import compared_study
from tests.pages.analysis.report import rated_study
from tests.pages.conftest import Open
from tests.pages.pages import findings, opened, words

HOSTILE = "**bold** <b>x</b> :material/home: [l](http://x) $y$"


def test_what_to_do_next(open_page: Open, owner: str) -> None:
    assert "There is no study yet" in words(open_page("report", owner))
    studies.create(TERMINAL, "bare")
    assert "This study has no scores yet" in words(open_page("report", owner))


def test_every_part_is_there(open_page: Open, owner: str) -> None:
    rated_study(HOSTILE)
    page = open_page("report", owner)
    assert not page.exception
    sentence = words(page)
    for part in ("Evidence:", "The metric's scores rise with human judgments", "Imported", "By system", "Quality drift",
                 "Differences between sets"):  # fmt: skip
        assert part in sentence, part
    page.selectbox(key="metric").set_value("weak").run()
    assert not page.exception
    assert "number 2 of 2 metrics" in words(page)


def test_of_the_best_metric_too_a_difference_has_its_interval_beside_it(open_page: Open, owner: str) -> None:
    rated_study("a")
    page = open_page("report", owner)
    beside = next(list(frame.value.columns) for frame in page.dataframe if "Higher by" in frame.value)
    assert beside[beside.index("Higher by") + 1] == "95 % of Higher by"


def test_a_p_that_no_draw_lies_beyond_is_marked(open_page: Open, owner: str) -> None:
    rated_study("a")
    page = open_page("report", owner)
    by_prompt = [list(frame.value["p by prompt"]) for frame in page.dataframe if "p by prompt" in frame.value]
    assert by_prompt[0][0] == "≤ 0.002"
    assert all(isinstance(p, str) for p in by_prompt[0])


def test_a_link_is_made_listed_and_ended(open_page: Open, owner: str) -> None:
    study = rated_study(HOSTILE)
    page = open_page("report", owner)
    page.button(key="share-report").click().run()
    (link,) = report_links.links(TERMINAL, study.id)
    assert [code.value for code in page.code if link.address in code.value] == [f"None{link.address}"]  # no browser
    assert "It is up to date: neither ratings nor scores came since." in words(page)
    page.selectbox(key="metric").set_value("weak" if link.metric == "good" else "good").run()
    assert not [code for code in page.code if link.address in code.value]  # that metric has none
    export = open_page("export", owner)
    assert "1 link to reports" in [item.label for item in export.expander]
    assert f"made on {link.made:%Y-%m-%d %H:%M} UTC" in words(export)
    export.button(key=f"end-report-{link.id}").click().run()
    assert not export.exception
    assert [item.value for item in export.toast] == ["The link is ended; nobody can read that report by it any more."]
    assert report_links.links(TERMINAL, study.id) == []
    assert not [item for item in export.expander if "to reports" in item.label]


def test_links_to_reports_whose_scores_are_gone_are_listed_beside_any_report(open_page: Open, owner: str) -> None:
    study = rated_study("a")
    page = open_page("report", owner)
    page.button(key="share-report").click().run()
    (link,) = report_links.links(TERMINAL, study.id)
    deleted, kept = ("good", "weak") if link.metric == "good" else ("weak", "good")
    page.selectbox(key="metric").set_value(kept).run()
    assert link.address not in "".join(code.value for code in page.code)
    (text,) = [text for metric, text in deletion.stored(TERMINAL, study.id) if metric == deleted]
    deletion.remove(TERMINAL, study.id, text)
    page.run()
    assert link.address in "".join(code.value for code in page.code)
    assert "The scores of this metric were deleted from the study since" in words(page)
    shown = report_links.page(f"{link.id}-{link.token}")
    assert shown is not None
    body = gzip.decompress(shown).decode().partition("<body>")[2].lstrip()
    assert body.startswith(f'<p class="demonstration" role="alert">The scores of {deleted} were deleted from the study')
    ((_, text),) = deletion.stored(TERMINAL, study.id)
    deletion.remove(TERMINAL, study.id, text)
    page.run()
    assert "This study has no scores yet." in words(page)
    assert link.address in "".join(code.value for code in page.code)


@pytest.mark.parametrize("waiting", [False, True])
def test_a_report_that_is_shared_while_scores_are_still_to_come_says_so(
    open_page: Open, owner: str, waiting: bool
) -> None:
    study = rated_study("a")
    if waiting:
        jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu", "union"]})
    open_page("report", owner).button(key="share-report").click().run()
    (link,) = report_links.links(TERMINAL, study.id)
    made = report_links.page(f"{link.id}-{link.token}")
    assert made is not None
    assert (b"Made while bleu and union were being scored" in gzip.decompress(made)) is waiting


def test_that_a_link_leads_to_this_machine_only_is_told_before_it_is_made(
    open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.ui.shared.server_address.server_address", lambda: "http://localhost:8501")
    rated_study("a")
    page = open_page("report", owner)
    for _ in range(2):  # before and after, once each time
        assert sum("lead to this machine only" in warning.value for warning in page.warning) == 1
        page.button(key="share-report").click().run()


def test_another_study_may_lack_the_metric(open_page: Open, owner: str) -> None:
    other = rated_study("b", metrics=("another",))
    rated_study("a")
    page = open_page("report", owner)
    page.selectbox(key="metric").set_value("weak").run()
    page.selectbox(key="study_box").set_value(other.id).run()
    assert not page.exception
    assert page.selectbox(key="metric").value == "another"


def test_a_link_names_its_metric_whatever_was_looked_at_before(open_page: Open, owner: str) -> None:
    rated_study("a")
    page = open_page("report", owner)
    best = page.selectbox(key="metric").value
    page.selectbox(key="metric").set_value("weak").run()
    page.switch_page("difference.py").run()
    assert page.selectbox(key="metric").value == "weak"
    page.switch_page("report.py")
    page.query_params["metric"] = best
    assert page.run().selectbox(key="metric").value == best != "weak"


def test_imported_scores_are_not_explained_as_ours(open_page: Open, owner: str) -> None:
    rated_study("a", metrics=("bleu",))
    assert open_page("report", owner).selectbox(key="metric").help == r"Signature\: file\:bleu"


def test_the_overview_grades_the_finding_as_the_report_does(open_page: Open, owner: str) -> None:
    rated_study("a")
    (graded,) = [said for said in findings(open_page("report", owner)) if "Evidence" in said]
    overview = open_page("overview", owner)
    (found,) = findings(overview)
    badge = graded.split("]")[0] + "]"
    assert found.startswith(f"{badge} **good** agrees best with people")
    for page in (overview, open_page("correlation", owner)):
        (why,) = [
            item for item in page.caption if f" evidence: {graded.split(': ', 2)[2]}" in item.value.replace("\\", "")
        ]
        assert "What could make it stronger" in why.value
        helps = [item.help for item in page.markdown if "-badge[Evidence" in item.value]
        assert "**Moderate**: it agrees with people within systems too" in helps[0]
        assert why.value in helps[0]
    assert [button.label for button in overview.main.button][-2:] == ["Read the report", "Open for annotation"]


def test_criteria_and_pairs_have_sentences_of_their_own(open_page: Open, owner: str) -> None:
    judged_study()
    said = words(open_page("report", owner))
    assert "Of 2 criteria it serves" in said
    assert "By criterion" in said
    paired = compared_study()
    page = open_page("report", owner)
    page.selectbox(key="study_box").set_value(paired.id).run()
    assert "People compared these stories in pairs" in words(page)
    assert "Two raters of the same two stories choose alike in" in words(page)
    assert "It is too early to say how often knows orders two stories as people do" in words(page)
    assert "on Preferences" not in words(page)  # who reads a report by its link has no other page
    page.multiselect(key="systems").set_value(["good", "fair"]).run()
    assert "How far people agree on pairs, what one rater" in words(page)
    assert "on Preferences" not in words(page)


def test_a_criterion_whose_ratings_do_not_agree_is_served_by_no_metric(open_page: Open, owner: str) -> None:
    unlike_on_coherence()
    said = words(opened(open_page, owner, "report", {"metric": "m", "target": "empathy"}))
    assert "nothing can be said of coherence, as nothing shows that the ratings agree with one another" in said
    assert "Of 2 criteria it serves empathy" in said


def test_from_criteria_to_the_same_numbers_on_correlation(open_page: Open, served: None, owner: str) -> None:
    judged_study()
    page = open_page("report", owner)
    (shown,) = [frame.value for frame in page.dataframe if "Criterion" in frame.value.columns]
    (link,) = [item.proto for item in page.get("page_link") if "tab=By+criterion" in item.proto.query_string]
    there = opened(open_page, owner, "correlation", dict(parse_qsl(link.query_string)))
    assert there.segmented_control(key="level").value is Level.STORY
    frame = there.dataframe[0].value.set_index("Metric")
    name = "".join(there.query_params["metric"])
    for _, row in shown.iterrows():
        assert frame.loc[name, f"r, {row['Criterion']}"] == row["r"]
        assert frame.loc[name, f"95 % of r, {row['Criterion']}"] == row["95 % of r"]
