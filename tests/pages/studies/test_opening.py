"""A study opened on its Overview."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from core.annotation.studies import StudyState
from core.people import TERMINAL, Role
from core.perturb.negatives.controls import sharing
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from db.annotation import previews, settings
from db.people import people
from db.studies import studies
from db.transfer import imports
from tests.db.annotation.assignments import begin
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.monitor.panels import hand_in
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study


@pytest.mark.parametrize(("prompts", "few"), [(9, True), (10, False)])
def test_too_few_stories_for_a_claim_are_told_of_before_people_are_invited(
    open_page: Open, served: None, owner: str, prompts: int, few: bool
) -> None:
    study = imports.import_corpora(TERMINAL, "pilot", [small_corpus(prompts)])
    for _ in range(2):  # as a draft, and once it is open
        page = open_page("overview", owner)
        assert ("too few for any claim on a metric, whatever people rate" in words(page)) == few
        assert ("Plan how many it takes" in [link.proto.label for link in page.get("page_link")]) == few
        studies.open_study(TERMINAL, study.id)


def test_how_many_people_it_takes_stands_where_they_are_invited(open_page: Open, served: None, owner: str) -> None:
    study = studies.create(TERMINAL, "single", "likeliness")
    caption = "One person gets at most"
    assert caption not in words(open_page("annotators", owner))  # nothing is to be rated yet
    imports.import_corpora(TERMINAL, study.name, [small_corpus(9)])
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=3))
    stories = 6 if Source.HUMAN in study.scheme.sources else 5
    sentence = (
        f"{caption} 9 stories, never two of the same prompt, so the {27 * stories} ratings wanted take at least "
        f"{3 * stories} people."
    )
    assert sentence in words(open_page("annotators", owner))
    studies.open_study(TERMINAL, study.id)
    assert sentence in words(open_page("annotators", owner))
    studies.close_study(TERMINAL, study.id)
    assert caption not in words(open_page("annotators", owner))


@pytest.mark.parametrize("where", ["overview", "annotators"])
def test_without_references_it_opens_only_when_confirmed(open_page: Open, served: None, owner: str, where: str) -> None:
    alone = Corpus("", tuple(story for story in small_corpus().stories if story.source is Source.SYSTEM))
    study = imports.import_corpora(TERMINAL, "bare", [alone])
    page = open_page(where, owner)

    def button(label: str) -> Button:
        return next(button for button in page.button if button.label == label)

    shown = words(page)
    assert "a damaged (*negative*) story that Fabula makes, its only control: no prompt has a human reference." in shown
    assert "A panel is the stories of one prompt, which one person rates together." in shown
    assert "All ratings of a panel are rejected if the damaged story is rated above **2**." in shown
    assert "the human reference is rated below" not in shown
    button("Open for annotation").click().run()
    told = words(page)
    assert "No prompt has a human reference, which is one of the two controls. The other one stays: each panel" in told
    assert "Who rates that too high has all ratings of the panel rejected; nobody is rejected for rating a" in told
    assert not [button for button in page.button if button.label == "Open for annotation"]  # the question stands there
    assert studies.get(study.id).state is StudyState.DRAFT
    assert button("Open without them").disabled
    next(box for box in page.checkbox if box.label.startswith("I want to collect ratings without")).check().run()
    button("Open without them").click().run()
    assert "The study is open now: whoever follows a link can rate." in words(page)
    assert "The study is open now" in words(page.run())  # a page draws itself anew at any time
    studies.close_study(TERMINAL, study.id)
    assert "The study is open now" not in words(page.run())
    studies.open_study(TERMINAL, study.id, confirmed=True)
    assert studies.get(study.id).state is StudyState.OPEN


@pytest.mark.parametrize(
    ("scheme", "told"),
    [
        (
            "mans",
            "All ratings of a panel are rejected if the human reference is rated below **4** or the damaged story "
            "above **2**. Read some damaged stories first: if the study's own are hardly better, this rule also "
            "rejects people who rate carefully. Then allow the damaged story a higher rating. Once the highest of the "
            "scale is allowed, nobody is rejected for how they rate it.",
        ),
        (
            "turing",
            "All ratings of a panel are rejected if the damaged story is found better or as good. Read some damaged "
            "stories first: if the study's own are hardly better, this rule also rejects people who rate carefully. "
            "Then lower by how much better the undamaged story must be found.",
        ),
        ("union", ""),
    ],
)
@pytest.mark.parametrize("where", ["overview", "annotators"])
def test_what_rejects_a_panel_is_said_before_it_opens(
    open_page: Open, served: None, owner: str, where: str, scheme: str, told: str
) -> None:
    study = imports.import_corpora(TERMINAL, "bare", [small_corpus()], scheme=scheme)
    page = open_page(where, owner)
    assert told in words(page)
    links = [link.proto.label for link in page.get("page_link")]
    assert ("Quality rules" in links) is bool(told)
    studies.open_study(TERMINAL, study.id)
    still = bool(told) and where == "overview"  # until somebody is invited
    assert ("All ratings of a panel are rejected if" in words(open_page(where, owner))) is still
    people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    assert "All ratings of a panel are rejected if" not in words(open_page(where, owner))


def test_prompts_without_a_human_story_are_counted_before_it_opens(open_page: Open, served: None, owner: str) -> None:
    stories = small_corpus(3).stories
    some = Corpus("", tuple(s for s in stories if s.source is Source.SYSTEM or s.prompt_key != "1"))
    imports.import_corpora(TERMINAL, "some", [some])
    told = words(open_page("overview", owner))
    assert (
        "and, where its prompt has one, a human reference: 1 of 3 prompts has none. All ratings of a panel are "
        "rejected if the human" in told
    )


@pytest.mark.parametrize("where", ["overview", "annotators", "form"])
@pytest.mark.parametrize("opened", [False, True])
def test_the_damaged_stories_are_read_before_anybody_is_rejected_by_them(
    open_page: Open, served: None, owner: str, where: str, opened: bool
) -> None:
    study = imports.import_corpora(TERMINAL, "bare", [small_corpus(7)])
    viewer = people.by_token(owner)
    assert viewer is not None
    first, prompts = previews.damaged(viewer, study.id, 0, 5)
    last, _ = previews.damaged(viewer, study.id, 5, 5)
    assert (prompts, len(first), len(last)) == (7, 5, 2)
    if opened:
        studies.open_study(TERMINAL, study.id)  # makes the very stories that were shown before
        assert previews.damaged(viewer, study.id, 0, 7)[0] == [*first, *last]
        if where == "annotators":
            return
    page = open_page(where, owner)
    if where == "form":
        page.session_state["form-tab"] = "Quality rules"
    assert first[0].text not in words(page.run())
    assert "people who rate carefully. Then allow the damaged story a higher rating" in words(page)
    told = words(page.button(key=f"damaged-{study.id}").click().run())
    assert all(text in told for shown in first for text in (shown.text, shown.own))
    assert [text.value for text in page.text if text.value.startswith(("Damaged", "Not damaged"))] == [
        heading for shown in first for heading in ("Damaged", f"Not damaged, by {shown.system}")
    ]
    assert last[0].text not in told
    assert last[0].own not in told
    stories = {(s.prompt, s.system): s.text for s in small_corpus(7).stories if s.source is Source.SYSTEM}
    assert [stories[shown.prompt, shown.system] for shown in [*first, *last]] == [s.own for s in [*first, *last]]
    assert len({shown.system for shown in first}) == 5  # each of the systems in turn


@pytest.mark.parametrize("where", ["overview", "form"])
def test_damaged_stories_that_are_alike_are_counted_while_more_human_ones_help(
    open_page: Open, served: None, owner: str, where: str
) -> None:
    study = imports.import_corpora(TERMINAL, "bare", [small_corpus(7)])
    viewer = people.by_token(owner)
    assert viewer is not None
    alike = sharing([shown.text for shown in previews.damaged(viewer, study.id, 0, 7)[0]])
    assert 2 <= alike <= 7
    said = f"{alike} of 7 damaged stories share a sentence with another, as only 7 human stories lend all sentences"
    page = open_page(where, owner)
    if where == "form":
        page.session_state["form-tab"] = "Quality rules"
    assert said in words(page.run())
    assert words(page.button(key=f"damaged-{study.id}").click().run()).count(said) == 2
    others = small_corpus(20).stories[len(small_corpus(7).stories) :]
    imports.import_corpora(TERMINAL, "bare", [Corpus("", others)])
    assert "share a sentence" not in words(page.run())


@pytest.mark.parametrize("mask", ["[MALE]", "[NAME]"])
def test_names_by_which_damaged_stories_are_known_are_told(
    open_page: Open, served: None, owner: str, mask: str
) -> None:
    stories = small_corpus(25).stories
    masked = [replace(s, text=f"{mask} said: {s.text}") if s.source is Source.SYSTEM else s for s in stories]
    imports.import_corpora(TERMINAL, "masked", [Corpus("", tuple(s for s in masked if s.source is Source.SYSTEM))])
    page = open_page("overview", owner)
    replace_names = "replace the names in the file of human stories by the same placeholders"
    assert f"The stories to rate have {mask} or the like where a name would stand: {replace_names}" in words(page)
    assert "Import human stories" in [link.proto.label for link in page.get("page_link")]
    assert "can be opened all the same" not in words(page)
    imports.import_corpora(TERMINAL, "masked", [Corpus("", tuple(s for s in masked if s.source is Source.HUMAN))])
    page = open_page("overview", owner)
    told = words(page)
    assert "can be opened all the same" in told
    assert f"The stories to rate have {mask} where a name would stand, and the human stories that lend" in told
    ticked = ("Then import its file again, and tick *Write names as [MALE], [FEMALE] and [NEUTRAL]*",)
    replaced = ("Then replace the names", "Then import it again")
    steps = ("first take the import of those human stories back", *(ticked if mask == "[MALE]" else replaced))
    assert sorted(steps, key=told.index) == list(steps)
    assert "damaged stories share sentences is the smaller evil" in told
    assert replace_names not in told
    human = [
        replace(s, key=f"{s.key}-masked", text=f"{mask} said: {s.text}") for s in stories if s.source is Source.HUMAN
    ]
    imports.import_corpora(TERMINAL, "masked", [Corpus("", tuple(human))])
    assert "where a name would stand" not in words(page.run())


def test_more_human_stories_are_asked_for_with_the_placeholders_that_they_need(
    open_page: Open, served: None, owner: str
) -> None:
    masked = [replace(s, text=f"[MALE] said: {s.text}") for s in small_corpus(7).stories]
    imports.import_corpora(TERMINAL, "masked", [Corpus("", tuple(masked))])
    told = words(open_page("overview", owner))
    assert told.index("Import more human stories") < told.index("have [MALE] or the like where a name would stand")


@pytest.mark.parametrize(("plain", "told"), [(0, "None of 25 human stories is"), (2, "Only 2 of 27 human stories are")])
def test_human_stories_that_are_written_otherwise_are_named_until_enough_are_written_alike(
    open_page: Open, served: None, owner: str, plain: int, told: str
) -> None:
    def to_rate(text: str) -> str:
        return text.lower().replace(".", " .")

    normal = small_corpus(25).stories
    systems = tuple(replace(s, text=to_rate(s.text)) for s in normal if s.source is Source.SYSTEM)
    human = [story for story in normal if story.source is Source.HUMAN]
    alike = [replace(story, key=f"{story.key}-alike", text=to_rate(story.text)) for story in human]
    study = imports.import_corpora(TERMINAL, "mixed", [Corpus("", (*systems, *human, *alike[:plain]))])
    page = open_page("overview", owner)
    warning = (
        f"{told} written as the stories to rate, most of which are without capital letters and with a space before "
        "full stops: annotators may know a damaged story by that"
    )
    assert warning in words(page)
    assert warning in words(page.button(key=f"damaged-{study.id}").click().run())
    imports.import_corpora(TERMINAL, "mixed", [Corpus("", tuple(alike[plain:]))])
    assert "written as the stories to rate" not in words(page.run())
    viewer = people.by_token(owner)
    assert viewer is not None
    assert all(shown.text == shown.text.lower() for shown in previews.damaged(viewer, study.id, 0, 25)[0])


def test_damaged_stories_that_are_alike_are_still_named_where_people_are_invited(
    open_page: Open, served: None, owner: str
) -> None:
    study = imports.import_corpora(TERMINAL, "bare", [small_corpus(7)])
    said = "share a sentence with another: whoever rates several panels may know the damaged story by it. They stay"

    def folded(page: AppTest) -> list[str]:
        return [item.label for item in page.expander if item.label == "Some damaged stories are alike"]

    assert not folded(open_page("annotators", owner))  # there the way to open it says so
    studies.open_study(TERMINAL, study.id)
    page = open_page("annotators", owner)
    assert folded(page)
    assert said in words(page)
    studies.close_study(TERMINAL, study.id)
    assert folded(page.run())
    several = imports.import_corpora(TERMINAL, "several", [small_corpus(20)])
    studies.open_study(TERMINAL, several.id)
    page.query_params["study"] = str(several.id)
    assert not folded(page.run())


def test_agreement_is_named(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    (agreement,) = (metric for metric in open_page("overview", owner).metric if "Agreement" in metric.label)
    assert agreement.label == "Agreement (interval alpha)"
    assert agreement.proto.help.startswith("Krippendorff's alpha, for ratings in equal steps (interval).")


@pytest.mark.parametrize(
    ("far", "said"),
    [
        (0, "good (above 0.8 on Krippendorff's scale)"),
        (1, "not good (below 0.67 on Krippendorff's scale)"),
        (2, "not surely better than chance: its interval holds 0"),
        (9, "no better than chance (0 or below)"),
        (6, "too few prompts to say"),
    ],
)
def test_agreement_is_read_under_its_number(far: int, said: str, open_page: Open, served: None, owner: str) -> None:
    """Of two raters a story, who are `far` steps apart on average or, at 9, at the two ends; at 6 they agree on the
    stories of so many prompts.
    """
    given = {0: ((1, 1), (5, 5)), 1: ((1, 3), (5, 5)), 2: ((1, 3), (3, 5)), 9: ((1, 5), (5, 1)), 6: ((1, 1), (5, 5))}[
        far
    ]
    plain = small_corpus(6 if far == 6 else 12)
    stories = [story for story in plain.stories if story.source is Source.SYSTEM]
    ratings = tuple(
        RatingRecord(story.key, f"r{rater}", float(value))
        for number, story in enumerate(stories)
        for rater, value in enumerate(given[number % 2])
    )
    imports.import_corpora(TERMINAL, "s", [replace(plain, scheme="mans", ratings=ratings)])
    (agreement,) = (metric for metric in open_page("overview", owner).metric if "Agreement" in metric.label)
    assert agreement.delta == said
    assert f"Here it is {said}." in agreement.proto.help


CIRCLES = "They walked the long way home in the evening. "


@pytest.mark.parametrize("page", ["overview", "form"])
@pytest.mark.parametrize(
    ("plain", "circling", "told"),
    [
        (50, 0, ""),
        (50, 1, ""),
        (49, 1, "1 of 50 stories by systems repeats itself"),
        (50, 2, "2 of 52 stories by systems repeat themselves"),
    ],
)
def test_stories_that_repeat_themselves_may_be_no_better_than_a_control(
    open_page: Open, served: None, owner: str, page: str, plain: int, circling: int, told: str
) -> None:
    written = [story for story in small_corpus(10).stories if story.source is Source.SYSTEM][:plain]
    again = [
        StoryRecord(f"again-{n}", "0", "Opening 0.", f"Part {n}. {CIRCLES * 2}", Source.SYSTEM, "circles")
        for n in range(circling)
    ]
    imports.import_corpora(TERMINAL, "circles", [Corpus("", (*written, *again))])
    shown = words(open_page(page, owner))
    assert ("A damaged story may be no worse" in shown) is bool(told)
    assert told in shown


@pytest.mark.parametrize(
    ("without", "said"),
    [(0, ""), (1, "human reference: 2 of 3 have one."), (3, "human reference: this study has none.")],
)
def test_for_which_prompts_the_rule_of_the_human_reference_counts(
    open_page: Open, served: None, owner: str, without: int, said: str
) -> None:
    kept = [s for s in small_corpus(3).stories if s.source is Source.SYSTEM or int(s.prompt_key) >= without]
    imports.import_corpora(TERMINAL, "some", [Corpus("", tuple(kept))])
    page = open_page("form", owner)
    page.session_state["form-tab"] = "Quality rules"
    told = words(page.run())
    assert "rejects none for the human reference." in told
    assert ("It counts only for prompts with a human reference" in told) is bool(said)
    assert said in told


def test_what_is_next_has_the_place_of_a_finding_until_there_is_one(open_page: Open, served: None, owner: str) -> None:
    """So that it is in sight, on the left of a screen and on top of a phone's."""
    imports.import_corpora(TERMINAL, "bare", [small_corpus()])
    page = open_page("overview", owner)
    left, right = page.columns[:2]
    assert "Open for annotation" in [button.label for button in left.button]
    assert not right.button
    assert [figure.label for figure in right.metric] == ["Stories", "Ratings", "Agreement (interval alpha)"]


def test_what_is_next_stands_beside_a_finding(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=12, metrics=("zeta",))
    left, right = open_page("overview", owner).columns[:2]
    assert not left.button
    assert right.button


def test_after_the_first_panels_people_are_what_is_lacking_most(open_page: Open, served: None, owner: str) -> None:
    study = make_study(wanted=5)
    hand_in(study, "Ada")
    hand_in(study, "Bo", human=1)
    page = open_page("overview", owner)
    told = words(page)
    assert "1 panel valid, 1 rejected, 9 more panels wanted" in told
    assert "no metric has scored the stories yet, and the study still lacks most of its ratings." in told
    assert page.button(key="next").label == "Invite people"


def test_a_form_that_can_no_longer_change_says_why(open_page: Open, served: None, owner: str) -> None:
    corpus = small_corpus()
    given = tuple(RatingRecord(s.key, "Ada", 3.0) for s in corpus.stories if s.source is Source.SYSTEM)
    study = imports.import_corpora(TERMINAL, "rated", [replace(corpus, ratings=given)])
    page = open_page("form", owner)
    assert "Ratings have been imported, so it can no longer change." in words(page)
    studies.open_study(TERMINAL, study.id, confirmed=True)
    begin(make_annotator(study))
    assert "Somebody has begun to answer it, so it can no longer change." in words(page.run())
