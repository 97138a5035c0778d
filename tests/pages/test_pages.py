"""Every page: as nobody, as an annotator, as the owner, empty and full; and no exception anywhere."""

import re

import numpy as np
import pytest

import worker
from core.annotation.studies import Study, StudyState
from core.errors import StorageError
from core.people import TERMINAL, Role
from core.stories import Corpus, RatingRecord, ScoreRecord, StoryRecord
from db.jobs import jobs
from db.people import people
from db.scores import scores, tables
from db.studies import studies
from db.transfer import imports
from pages.ui.shared.analysis.degenerate_note import RULE
from tests.pages.conftest import ROOT, Open
from tests.pages.pages import blocks, findings, words

OWNERS_PAGES = (
    *("overview", "form", "annotators", "export", "studies", "import_data", "stories", "monitor", "judgments", "score"),
    *("correlation", "drift", "difference", "systems", "preferences", "judges", "report", "published", "tokens"),
    *("negatives", "test_sets", "train", "explain", "capability", "preview"),
)


@pytest.mark.parametrize("name", [*OWNERS_PAGES, "annotate"])
def test_nobody_is_turned_away(open_cold: Open, study: Study, name: str) -> None:
    page = open_cold(name, None)
    assert "Open the personal link" in words(page)
    assert study.name not in words(page)
    assert not page.button


@pytest.mark.parametrize("name", OWNERS_PAGES)
def test_an_annotator_is_turned_away(open_cold: Open, study: Study, annotator: str, name: str) -> None:
    page = open_cold(name, annotator)
    assert "Not for this link" in words(page)
    assert not page.button


def test_no_page_that_speaks_of_control_stories_is_in_the_list_that_an_annotators_browser_gets(
    open_page: Open, annotator: str, owner: str
) -> None:
    page, owners = open_page("", annotator), ("capability", "negatives", "test_sets", "train", "explain")
    for name in owners:
        with pytest.raises(ValueError, match=rf"navigation page for .*{name}\.py"):
            page.switch_page(f"{name}.py")
    page = open_page("", owner)
    for name in owners:
        page.switch_page(f"{name}.py")


@pytest.mark.parametrize("token", ["", "x", "a" * 10_000, "'; DROP TABLE person; --"])
def test_a_forged_token_is_nobody(open_page: Open, token: str) -> None:
    assert "Open the personal link" in words(open_page("", token))


@pytest.mark.parametrize("name", [*OWNERS_PAGES, "annotate"])
def test_an_empty_fabula_says_what_to_do(open_page: Open, owner: str, name: str) -> None:
    page = open_page(name, owner)
    hints = {
        "overview": "Try it within a minute",
        "studies": "Try it within a minute",
        "import_data": "One row per story",
        "tokens": "Choose a text above, or try the example",
        "explain": "Choose a story above, or try the example",
        "test_sets": "All 14 stories. Give the set a name",
        "train": "Choose stories to train on",
        "capability": "There is no test set yet",
        "published": "This study gives no number of this table. Import",
    }
    assert hints.get(name, "There is no study yet") in words(page)


@pytest.mark.parametrize("name", [*OWNERS_PAGES, "annotate"])
def test_every_page_stands_with_a_study(open_page: Open, study: Study, owner: str, name: str) -> None:
    assert words(open_page(name, owner))


IN_A_MENU = re.findall(r'st\.Page\(\s*"(\w+)\.py", *(?!.*hidden)', (ROOT / "pages" / "table.py").read_text())
ASKS_NOTHING = {"overview"}
"""It opens with what is found."""


def test_the_pages_of_the_menus_are_known() -> None:
    assert {"overview", "stories", "score", "correlation", "tokens", "train", "people"} <= set(IN_A_MENU)
    assert not {"annotate", "preview", "guide"} & set(IN_A_MENU)


@pytest.mark.parametrize("name", sorted({*IN_A_MENU} - ASKS_NOTHING))
def test_every_page_says_in_a_line_which_question_it_answers(
    open_page: Open, study: Study, owner: str, name: str
) -> None:
    page = open_page(name, owner)
    assert not page.exception
    (line,) = blocks(page.main, "head")
    assert [title.value for title in line.title]
    assert line.caption[0].value.endswith("?")


def test_the_demonstration_is_one_click(open_page: Open, owner: str) -> None:
    page = open_page("", owner)
    next(b for b in page.button if "demonstration" in b.label).click().run()
    page = open_page("overview", owner)
    assert "agrees best with people" in words(page)
    assert "Demonstration data" in words(page)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.prompts, summary.stories, summary.references) == (14, 70, 14)
    assert summary.study.demonstration
    assert summary.study.state is StudyState.OPEN
    for name in ("overview", "judgments", "score", "correlation", "annotate"):
        assert "Demonstration data" in words(open_page(name, owner)), name
    assert not any("demonstration" in b.label for b in open_page("studies", owner).button)


def test_make_a_study_and_name_it_twice(open_page: Open, owner: str) -> None:
    page = open_page("studies", owner)
    page.text_input[0].set_value("$new$ <b>")
    next(b for b in page.button if b.label == "Make the study").click().run()
    assert studies.find("$new$ <b>").state is StudyState.DRAFT
    page = open_page("studies", owner)
    page.text_input[0].set_value("$new$ <b>")
    next(b for b in page.button if b.label == "Make the study").click().run()
    assert "already a study named" in words(page)


def test_metrics_and_judges_are_counted_alike_in_the_list_and_the_overview(
    open_page: Open, study: Study, owner: str
) -> None:
    values = dict.fromkeys(scores.story_keys(study.id), 1.0)
    for metric in ("m", "n", "gpt:overall"):
        scores.import_scores(TERMINAL, study.id, ScoreRecord(metric, "file:1", values))
    assert "0 ratings, 2 metrics and 1 judge" in words(open_page("studies", owner))
    assert "**Metrics**: 2 metrics and 1 judge" in words(open_page("overview", owner))


@pytest.mark.parametrize("grave", [True, False])
def test_what_a_check_up_finds_gravest_is_on_the_overview(open_page: Open, owner: str, grave: bool) -> None:
    rng = np.random.default_rng(0)
    stories, ratings, values = [], [], {}
    for i in range(60):
        circle = i % 5 == 0
        text = "He went home. " * 12 if circle else f"Day {i} was long. It rained on all {i} of them."
        stories.append(StoryRecord(f"s{i}", f"p{i // 3}", f"Opening {i // 3}.", text, system="one"))
        worth = 1 if circle else int(rng.integers(2, 6))
        ratings += [RatingRecord(f"s{i}", f"rater {who}", float(worth)) for who in range(3)]
        values[f"s{i}"] = 6.0 if circle and grave else worth + rng.normal(0, 0.3)
    metric = ScoreRecord("<b>m</b>", "file:m", values)
    imports.import_corpora(TERMINAL, "circles", [Corpus("mans", tuple(stories), tuple(ratings), (metric,))])
    page = open_page("overview", owner)
    (sentence,) = findings(page)
    ways = [link.proto.label for link in page.main.get("page_link")]
    assert ("Which stories these are" in ways) is grave
    rule = RULE.format("the 12 stories that repeat themselves")
    assert (rule in [item.value for item in page.caption]) is grave
    assert ("But without the 12 stories that repeat themselves" in sentence) is grave
    assert not [item for item in page.warning if "repeat themselves" in item.value]  # it is said once


def test_an_empty_study_leads_to_its_stories(open_page: Open, owner: str) -> None:
    studies.create(TERMINAL, "empty")
    page = open_page("overview", owner)
    assert "**Stories**: none yet" in words(page)
    assert "Open for annotation" not in [b.label for b in page.button]
    assert "Import stories" in [b.label for b in page.button]
    assert "Import" not in [link.proto.label for link in page.main.get("page_link")]  # one way to it is enough


def test_a_panel_is_rated_saved_and_resumed(open_page: Open, study: Study, annotator: str) -> None:
    page = open_page("", annotator)
    assert "Chaotic scenes" in words(page)
    page.button[0].click().run()
    assert "Story G" in words(page)
    rating = next(g for g in page.button_group if "Story A overall" in g.label)
    rating.set_value(4).run()
    assert "Saved" in words(page)
    again = open_page("", annotator)
    assert next(g for g in again.button_group if "Story A overall" in g.label).value == 4
    next(b for b in again.button if b.label == "Hand in this panel").click().run()
    assert "stories B, C, D, E, F and G first" in words(again).replace("\\", "")


def test_a_failed_save_goes_back_to_what_is_stored_and_says_so(
    open_page: Open, study: Study, annotator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StorageError("The disk is full.")

    page = open_page("", annotator)
    page.button[0].click().run()
    overall = next(g for g in page.button_group if "Story A overall" in g.label)
    overall.set_value(2).run()
    with monkeypatch.context() as broken:
        broken.setattr("db.ratings.ratings.save_value", fail)
        next(g for g in page.button_group if "Story A overall" in g.label).set_value(5).run()
    assert "was **not** saved" in words(page)
    assert "The disk is full." in words(page)
    assert next(g for g in page.button_group if "Story A overall" in g.label).value == 2
    page.run()
    assert "was **not** saved" in words(page)  # it does not turn into "Saved" by itself
    next(g for g in page.button_group if "Story A overall" in g.label).set_value(4).run()
    assert "not** saved" not in words(page)


def test_a_second_tab_shows_and_keeps_what_the_first_saved(open_page: Open, study: Study, annotator: str) -> None:
    stale = open_page("", annotator)
    stale.button[0].click().run()
    fresh = open_page("", annotator)
    next(g for g in fresh.button_group if "Story A overall" in g.label).set_value(4).run()
    stale.button_group[1].set_value(2).run()  # the stale tab ticks a deduction of story A
    assert next(g for g in stale.button_group if "Story A overall" in g.label).value == 4
    again = open_page("", annotator)
    assert next(g for g in again.button_group if "Story A overall" in g.label).value == 4
    assert again.button_group[1].value == 2


def test_a_revoked_annotator_is_nobody(open_page: Open, study: Study, annotator: str) -> None:
    person = people.by_token(annotator)
    assert person is not None
    assert person.id is not None
    people.revoke(TERMINAL, person.id)
    assert "Open the personal link" in words(open_page("", annotator))


def test_a_score_run_is_queued_and_shown(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("score", owner)
    assert "10 scores to compute, roughly a second" not in words(page)  # 30: three metrics are chosen at first
    page.session_state["metrics-1-referenced"] = ["bleu"]
    page.run()
    assert "10 scores to compute, roughly a second" in words(page)
    next(b for b in page.button if b.label == "Run the metrics").click().run()
    assert "Waiting: it is the next. It begins by itself. You may leave this page" in words(page)
    assert "bleu: waiting for its turn" in words(page)
    assert len(page.main.get("progress")) == 1
    queued = jobs.claim("test")
    assert queued is not None
    worker.run_job(queued)
    page.run()
    assert "Done: 10 scores by *bleu*." in words(page)  # beside the button, as long as the session that began it
    page = open_page("score", owner)
    assert "Done: 10 scores" not in words(page)
    assert "bleu: 10 scores computed in" in words(page)
    page.session_state["metrics-1-referenced"] = ["bleu"]
    assert "All of this is stored already" in words(page.run())
    assert tables.table(study.id).columns[0].scored == 10
    assert "No story here has a valid rating yet" in words(open_page("correlation", owner))


def test_a_failed_run_says_why_and_offers_to_resume(open_page: Open, study: Study, owner: str) -> None:
    settings = {"metrics": ["perplexity"], "models": {"language": "nobody/<b>nothing</b>"}}
    worker.run_job(jobs.add(TERMINAL, "score", study.id, settings, runner="test"))
    page = open_page("score", owner)
    assert "**Failed**" in words(page)
    assert "nobody/<b>nothing</b>" in words(page)
    assert [b.label for b in page.button if b.label == "Resume"] == ["Resume"]


def test_a_researcher_may_not_delete(open_page: Open, study: Study) -> None:
    token = people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id])
    assert "Only an owner can delete" in words(open_page("studies", token))


def test_an_unusable_database_is_one_sentence(open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:////proc/no/such/place.db")
    assert "cannot be opened" in words(open_page("", owner)).replace("\\", "")


def test_who_came_by_anothers_link_is_told_who_they_are(open_page: Open, study: Study) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, name="Ann", study_id=study.id)
    page = open_page("", token)
    assert "Somebody else was known" not in words(page)
    page.query_params["link"] = "switched"
    assert "From now on you are here as Ann" in words(page.run())
