"""Going from one study to another: nothing of the one shows under the other."""

from core.people import TERMINAL
from core.stories import ScoreRecord
from core.studies import Study
from db import scores
from tests.db.conftest import make_study
from tests.pages.conftest import Open
from tests.pages.test_pages import words


def test_the_chosen_metric_belongs_to_its_study(open_page: Open, study: Study, owner: str) -> None:
    other = make_study("other")
    for made, metric in ((study, "first-metric"), (other, "second-metric")):
        keys = scores.story_keys(made.id)
        scores.import_scores(TERMINAL, made.id, ScoreRecord(metric, f"file:{metric}", dict.fromkeys(keys, 1.0)))
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Scatter"
    page.run()
    for made, metric in ((study, "first-metric"), (other, "second-metric"), (study, "first-metric")):
        page.selectbox[0].set_value(made.id).run()
        assert words(page)
        assert page.selectbox[-1].value == metric


def test_unsaved_rules_stay_with_their_study(open_page: Open, study: Study, owner: str) -> None:
    other = make_study("other")
    page = open_page("studies", owner)
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
    page.query_params["study"] = str(other.id)
    page.run()
    assert next(b for b in page.selectbox if b.label == "Study").value == other.id
