"""Going from one study to another: nothing of the one shows under the other."""

import pytest

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.stories import Corpus, RatingRecord, ScoreRecord, StoryRecord
from db.people import people
from db.scores import scores
from db.studies import lifecycle
from db.transfer import exports, imports
from pages.ui.score.form import AT_FIRST, AT_FIRST_ALONE, KINDS
from pages.ui.shared.stories.wanted_stories import TWO_METRICS
from pages.ui.studies import moved
from tests.db.conftest import make_study
from tests.pages.conftest import Open
from tests.pages.pages import opened, words
from tests.rated import rated_study


def test_the_chosen_metric_belongs_to_its_study(open_page: Open, served: None, owner: str) -> None:
    first = rated_study(metrics=("first-metric",))
    second = rated_study(metrics=("second-metric",), name="other")
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Scatter"
    page.run()
    for study, metric in ((first, "first-metric"), (second, "second-metric"), (first, "first-metric")):
        page.selectbox(key="study_box").set_value(study.id).run()
        assert words(page)
        assert page.selectbox(key="metric").value == metric


def test_metrics_that_were_chosen_to_be_run_stay_chosen_in_another_study(
    open_page: Open, served: None, owner: str
) -> None:
    first, second = make_study(), make_study("other")
    alone = tuple(StoryRecord(str(n), str(n), "Opening.", f"Story {n}.") for n in range(2))
    third = imports.import_corpora(TERMINAL, "alone", [Corpus("mans", alone)])

    def chosen(study: Study) -> list[str]:
        return [name for kind in KINDS for name in page.button_group(key=f"metrics-{study.id}-{kind}").value]

    page = opened(open_page, owner, "score", {"study": str(first.id)})
    assert chosen(first) == list(AT_FIRST)
    page.selectbox(key="study_box").set_value(third.id).run()
    assert chosen(third) == list(AT_FIRST_ALONE)  # nothing was chosen yet
    page.selectbox(key="study_box").set_value(first.id).run()
    page.button_group(key=f"metrics-{first.id}-referenced").set_value(["bleu"]).run()
    page.button_group(key=f"metrics-{first.id}-unreferenced").set_value(["judge"]).run()
    page.selectbox(key="study_box").set_value(second.id).run()
    assert chosen(second) == ["bleu", "judge"]
    page.button_group(key=f"metrics-{second.id}-unreferenced").set_value(["words"]).run()
    page.selectbox(key="study_box").set_value(first.id).run()
    assert chosen(first) == ["bleu", "judge"]  # what is chosen there stays
    page.selectbox(key="study_box").set_value(third.id).run()
    assert chosen(third) == ["judge"]  # it has no references
    assert not page.exception


def test_the_definition_of_error_types_goes_back_to_the_usual_one_of_another_scheme(
    open_page: Open, served: None, owner: str
) -> None:
    studies = {}
    for scheme, ratings, error_type in (("mans", (1.0, 5.0), "chaotic scenes"), ("union", (0.0, 1.0), "chaotic scene")):
        stories = tuple(StoryRecord(str(n), str(n), "Opening.", f"Story {n}.") for n in range(6))
        given = tuple(
            RatingRecord(story.key, "1", ratings[n % 2], () if n % 2 else ((error_type, 0),))
            for n, story in enumerate(stories)
        )
        scores = (ScoreRecord("m", "file:1", {story.key: float(n) for n, story in enumerate(stories)}),)
        studies[scheme] = imports.import_corpora(TERMINAL, scheme, [Corpus(scheme, stories, given, scores)]).id
    page = open_page("correlation", owner)
    page.session_state["tab"] = "By error type"
    for scheme, other in (("mans", "union"), ("union", "mans"), ("mans", "union")):
        page.selectbox(key="study_box").set_value(studies[scheme]).run()
        assert not page.exception
        assert page.segmented_control(key="definition").value == scheme
        page.segmented_control(key="definition").set_value(other).run()
        assert page.run().segmented_control(key="definition").value == other  # it stays with the study


def test_form_and_rules_begins_at_its_first_tab_in_another_study(open_page: Open, study: Study, owner: str) -> None:
    other = make_study("other")
    page = open_page("", owner)
    page.query_params["study"], page.query_params["form-tab"] = str(study.id), "Plan"
    page.switch_page("form.py").run()
    assert page.session_state["form-tab"] == "Plan"  # as the address says
    page.selectbox(key="study_box").set_value(other.id).run()
    assert page.session_state["form-tab"] == "Form"
    assert not page.exception


@pytest.mark.parametrize("page_name", ["correlation", "drift", "difference", "systems", "report", "monitor"])
@pytest.mark.parametrize("asked", ["99", "x y"])
def test_an_address_without_a_study_says_so_once(
    open_page: Open, study: Study, owner: str, page_name: str, asked: str
) -> None:
    page = open_page("", owner)
    page.query_params["study"] = asked
    page.switch_page(f"{page_name}.py").run()
    assert f"There is no study {asked} here, or it was archived or deleted; this is small." in words(page)
    assert "There is no study" not in words(page.run())
    assert page.query_params["study"] in (str(study.id), [str(study.id)])


def test_a_metric_or_a_judgment_that_is_not_there_leaves_the_address(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = open_page("", owner)
    page.query_params["metric"] = "<b>nonsense</b>"
    page.query_params["judgment"] = "m1"
    page.switch_page("systems.py").run()
    sentence = words(page)
    assert "The address names the metric <b>nonsense</b>, which these stories have no scores of." in sentence
    assert "This study's ratings have no share m1; this is their mean." in sentence
    assert "judgment" not in page.query_params
    assert page.query_params["metric"] in ("all", ["all"])
    page.run()
    assert "nonsense" not in words(page)


def test_unsaved_rules_stay_with_their_study(open_page: Open, study: Study, owner: str) -> None:
    other = make_study("other")
    page = open_page("form", owner)
    box = next(b for b in page.selectbox if b.label == "Study")
    box.set_value(study.id).run()
    next(n for n in page.number_input if "wanted" in n.label).set_value(9)
    next(b for b in page.selectbox if b.label == "Study").set_value(other.id).run()
    assert next(b for b in page.selectbox if b.label == "Study").value == other.id
    assert next(n for n in page.number_input if "wanted" in n.label).value == other.rules.ratings_wanted


def test_a_link_a_reload_and_a_new_study_move_the_box(open_page: Open, study: Study, owner: str) -> None:
    other = make_study("other")
    page = open_page("studies", owner)
    for wanted in (study.id, other.id, study.id):
        next(b for b in page.selectbox if b.label == "Study").set_value(wanted).run()
        assert next(b for b in page.selectbox if b.label == "Study").value == wanted
        assert page.query_params["study"] in (str(wanted), [str(wanted)])
    page.text_input[0].set_value("newest")
    next(b for b in page.button if b.label == "Make the study").click().run()
    newest = next(b for b in page.selectbox if b.label == "Study").value
    assert newest not in (study.id, other.id)
    assert "**Stories**: none yet" in words(page)  # the Overview
    page.query_params["study"] = str(other.id)
    page.run()
    assert next(b for b in page.selectbox if b.label == "Study").value == other.id


def test_the_next_visit_goes_on_in_the_study_of_the_last(open_page: Open, study: Study, owner: str) -> None:
    newest = make_study("other")

    def study_of(token: str) -> int:
        return int(open_page("overview", token).selectbox(key="study_box").value)

    assert study_of(owner) == newest.id
    open_page("overview", owner).selectbox(key="study_box").set_value(study.id).run()
    assert study_of(owner) == study.id  # in a new session
    assert study_of(people.invite(TERMINAL, Role.OWNER)) == newest.id  # another person's
    lifecycle.archive(TERMINAL, study.id)
    assert study_of(owner) == newest.id


@pytest.mark.parametrize("tab", list(moved.TABS))
def test_addresses_of_before_lead_on(open_page: Open, study: Study, owner: str, tab: str) -> None:
    other = make_study("other")
    page = open_page("", owner)
    page.query_params["studies-tab"] = tab
    page.query_params["study"] = str(study.id)
    page.switch_page("studies.py").run()
    titles = {"form.py": "Form and rules", "annotators.py": "People", "export.py": "Export"}
    assert page.title[0].value == titles[moved.TABS[tab][0]]
    assert page.selectbox(key="study_box").value == study.id != other.id


def test_a_study_that_is_not_there_is_said(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("", owner)
    page.query_params["study"] = "99"
    page.switch_page("form.py").run()
    assert f"There is no study 99 here, or it was archived or deleted; this is {study.name}." in words(page)
    assert page.query_params["study"] in (str(study.id), [str(study.id)])
    page.run()
    assert "There is no study 99" not in words(page)


def test_a_link_to_what_is_usual_there_holds_whatever_was_chosen_before(
    open_page: Open, served: None, owner: str
) -> None:
    study = rated_study(metrics=("a", "b", "c"))
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Systems and length"
    page.run()
    page.switch_page("score.py").run()
    page.session_state["score-tab"] = TWO_METRICS
    usual = page.run().selectbox(key="first-metric").value
    other, third = (name for name in ("a", "b", "c") if name != usual)
    page.selectbox(key="first-metric").set_value(other).run()
    for file, query in (
        ("correlation.py", {"tab": "Table"}),
        ("score.py", {"score-tab": TWO_METRICS, "first-metric": usual, "second-metric": third}),
    ):
        page.switch_page("overview.py").run()
        page.query_params["study"] = str(study.id)
        for key, value in query.items():
            page.query_params[key] = value
        page.switch_page(file).run()
        assert {key: page.session_state[key] for key in query} == query


def test_the_metric_of_an_address_goes_on_to_the_next_page(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("a", "b"))
    page = open_page("report", owner)
    usual = page.selectbox(key="metric").value
    other = "b" if usual == "a" else "a"
    page.switch_page("overview.py").run()
    page.query_params["metric"] = other
    page.switch_page("correlation.py").run()  # its first tab asks for no metric
    del page.query_params["metric"]
    page.switch_page("report.py").run()
    assert page.selectbox(key="metric").value == other


def test_an_analysis_opens_at_its_first_tab_unless_the_address_names_another(
    open_page: Open, served: None, owner: str
) -> None:
    rated_study()
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Scatter"
    page.run()
    assert page.session_state["tab"] == "Scatter"
    page.switch_page("overview.py").run()
    page.switch_page("correlation.py").run()
    assert page.session_state["tab"] == "Table"
    page.switch_page("overview.py").run()
    page.query_params["tab"] = "Scatter"
    page.switch_page("correlation.py").run()
    assert page.session_state["tab"] == "Scatter"


def test_the_overview_leads_to_judges_where_there_are_any(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(metrics=("m",))

    def ways() -> list[str]:
        return [link.proto.label for link in open_page("overview", owner).get("page_link")]

    assert not [label for label in ways() if "trust" in label]
    scored = {story.key: 3.0 for story in exports.stories_with_ratings(TERMINAL, study.id)[1].stories}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("judge:overall", "file:j", scored))
    assert "Does the judge deserve trust?" in ways()
    scores.import_scores(TERMINAL, study.id, ScoreRecord("other:overall", "file:o", scored))
    assert "Which judge deserves trust?" in ways()
