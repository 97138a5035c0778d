"""The score page shows what a judge is told, and a study's templates are made there."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.judges.asking import Reply
from core.judges.template import Template, Way
from core.metrics.base import Settings
from core.metrics.judging.judge import Judge
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, StoryRecord
from db.annotation import panel_submission
from db.jobs import jobs
from db.judges import replies, templates
from db.judges.judged import rated_by_each
from db.scores import scores
from db.studies import story_list, studies
from db.transfer import imports
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.judged import unlike_on_coherence
from tests.pages.conftest import Open
from tests.pages.pages import opened, words


def box(page: AppTest, label: str) -> "AppTest.selectbox":  # type: ignore[name-defined]
    (result,) = [item for item in page.selectbox if item.label == label]
    return result


def with_judge(open_page: Open, owner: str) -> AppTest:
    """The page with the judge alone."""
    page = open_page("score", owner)
    page.session_state["metrics-1-referenced"] = []
    page.session_state["metrics-1-unreferenced"] = ["judge"]
    return page.run()


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label == label).click().run()


def test_the_whole_prompt_is_shown_before_a_run(open_page: Open, study: Study, owner: str) -> None:
    page = with_judge(open_page, owner)
    assert not page.exception
    shown = [block.value for block in page.code]
    assert any("How good is this story as a whole?" in text and "5: Very good" in text for text in shown)
    assert any("<story>\nThe one went out." in text and "Opening 0." in text for text in shown)
    assert not page.warning
    assert "usual: points, or pairs where people compared pairs" in box(page, "Way").options
    assert "usual: 0, or 1 for several samples" in box(page, "Temperature").options
    box(page, "Way").set_value("deductions").run()
    assert "most replies that it writes cannot be read" in page.warning[0].value
    assert any("chaotic scenes (2 points)" in block.value for block in page.code)


def test_a_template_is_saved_chosen_and_run(open_page: Open, study: Study, owner: str) -> None:
    page = with_judge(open_page, owner)
    areas = {area.label: area for area in page.text_area}
    areas["Of one story"].set_value("{opening} {story} How good?")
    next(item for item in page.text_input if item.label == "Name").set_value("strict")
    page = press(page, "Save as a new version")
    assert not page.exception
    assert [template.title for template in templates.templates(study.id)] == ["strict.1"]
    assert box(page, "Template").value == "strict.1"
    assert any(block.value.endswith("How good?") and "The one went out." in block.value for block in page.code)
    page = press(page, "Run the metrics")
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["options"]["judge"]["template"] == "strict.1"


def test_a_template_of_the_study_s_own_is_tried_on_a_half(open_page: Open, study: Study, owner: str) -> None:
    templates.save(TERMINAL, study.id, Template("mine", Way.POINTS, "", "{story}"))
    page = with_judge(open_page, owner)
    assert not [item for item in page.segmented_control if item.key == "judge-half"]
    box(page, "Template").set_value("mine.1").run()
    half = page.segmented_control(key="judge-half")
    assert half.value == "development"
    assert "5 scores to compute" in words(page)  # the stories of one of two prompts
    press(page, "Run the metrics")
    assert jobs.of_study(study.id)[0].settings["half"] == "development"
    half.set_value("all prompts").run()
    assert "10 scores to compute" in words(page)


def test_a_template_without_the_story_is_refused(open_page: Open, study: Study, owner: str) -> None:
    page = with_judge(open_page, owner)
    next(item for item in page.text_input if item.label == "Name").set_value("blind")
    {area.label: area for area in page.text_area}["Of one story"].set_value("How good?")
    page = press(page, "Save as a new version")
    assert "A template shows the story once" in words(page)
    assert templates.templates(study.id) == []


def test_one_judge_a_criterion(open_page: Open, owner: str) -> None:
    studies.create(TERMINAL, "many", "hanna")
    imports.import_corpora(TERMINAL, "many", [small_corpus()])
    page = with_judge(open_page, owner)
    page.session_state["judge-criteria"] = ["relevance", "empathy"]
    page = press(page.run(), "Run the metrics")
    assert not page.exception
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["metrics"] == ["judge", "judge:empathy"]


def test_what_was_replied_stands_below_the_prompt(open_page: Open, study: Study, owner: str) -> None:
    (listed, *_), _ = story_list.stories(TERMINAL, study.id, None, most=1)
    (page_of_one, _) = scores.pending(study.id, [0], -1, 1)
    story = page_of_one[0].story
    assert story.text == story_list.read(listed.id).text
    question = Judge().question
    for model, reply in (("m@1", Reply("", "4", {"4": 0.5, "5": 0.5})), ("n@1", Reply("", "4 or 5"))):
        request = question.request(model, story)
        replies.keep_reply(model, request, replace(reply, key=request.key))
    errors = '{"errors": [{"type": "chaotic scenes", "quote": "went  out"}, {"type": "chaotic scenes", "quote": "x!"}]}'
    request = Judge(Settings(options={"way": "deductions"})).question.request("m@1", story)
    replies.keep_reply("m@1", request, Reply(request.key, errors))
    page = with_judge(open_page, owner)
    said = words(page)
    assert "m@1" in said
    assert "score 4.5" in said
    assert "no score: the reply holds different numbers: 4, 5" in said
    assert "or asked for once more: 1." in said
    box(page, "Way").set_value("deductions").run()
    assert "score 3" in words(page)
    (table,) = [item.value for item in page.dataframe if "quote" in item.value.columns]
    assert table["characters"].tolist() == ["8 to 16", "not in the story"]


def test_a_run_says_that_too_few_people_have_rated_for_a_verdict(open_page: Open, owner: str) -> None:
    study = make_study(prompts=8)
    annotator = make_annotator(study)
    rate(annotator, panel := begin(annotator))
    panel_submission.submit(annotator, panel.token)
    page = with_judge(open_page, owner)
    assert not page.exception
    said = words(page)
    assert "needs 3 people who have rated 30 of the scored stories each. Of all stories nobody has" in said
    assert "run the judge on all stories" not in said
    page.session_state[f"metrics-{study.id}-unreferenced"] = ["words"]
    assert "For its verdict" not in words(page.run())


def corpus_of_people(*, known: bool, agreed: bool = True) -> Corpus:
    """120 stories of 40 prompts, each rated by two of six people, of whom each has rated 40."""
    apart = 0 if agreed else 2
    stories = tuple(
        StoryRecord(str(n), str(n % 40), f"Opening {n % 40}.", f"Story {n}.", system=f"s{n // 40}") for n in range(120)
    )
    ratings = tuple(
        RatingRecord(str(n), f"r{n // 4 % 3 + half}", float((n + apart * (half > 0)) % 5 + 1))
        for n in range(120)
        for half in (0, 3)
    )
    return Corpus("mans", stories, ratings, (), raters_identified=known)


def test_a_trial_says_that_it_reaches_no_verdict_where_all_stories_would(open_page: Open, owner: str) -> None:
    study = imports.import_corpora(TERMINAL, "six", [corpus_of_people(known=True)])
    assert rated_by_each(study.id) == [40] * 6
    page = with_judge(open_page, owner)
    assert "For its verdict" not in words(page)
    page.toggle(key="score-few").set_value(True).run()
    assert not page.exception
    said = words(page)
    assert (
        "Of the 30 stories of a trial nobody has rated so many: for that verdict run the judge on all stories." in said
    )


def test_that_no_run_reaches_a_verdict_is_said_of_raters_who_are_hidden(open_page: Open, owner: str) -> None:
    imports.import_corpora(TERMINAL, "hidden", [corpus_of_people(known=False)])
    page = with_judge(open_page, owner)
    for few in (False, True):
        page.toggle(key="score-few").set_value(few).run()
        said = words(page)
        assert "cannot be answered with these ratings, whatever is run: the data hides" in said
        assert "*Each column is the same person in every row*" in said
        assert "run the judge on all stories" not in said
    page.session_state["metrics-1-unreferenced"] = ["words"]
    assert "cannot be answered" not in words(page.run())


def test_that_no_run_reaches_a_verdict_is_said_of_ratings_that_do_not_agree(open_page: Open, owner: str) -> None:
    imports.import_corpora(TERMINAL, "six", [corpus_of_people(known=True, agreed=False)])
    text = words(with_judge(open_page, owner))
    assert "cannot be answered with the ratings so far, whatever is run: nothing shows that they agree" in text
    assert "For its verdict" not in text


def test_a_judge_is_asked_about_the_judgment_that_was_looked_at_and_warned_of_by_that_alone(
    open_page: Open, served: None, owner: str
) -> None:
    unlike_on_coherence()
    page = opened(open_page, owner, "score", {"target": "empathy", "run": "judge"})
    assert page.button_group(key="judge-criteria").value == ["empathy"]
    assert "cannot be answered" not in words(page)
    page.button_group(key="judge-criteria").set_value(["coherence", "empathy"]).run()
    assert "cannot be answered on coherence with the ratings so far, whatever is run" in words(page)
