"""A preview from its first screen to its last, on the very forms that annotators have; and not a row stored."""

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.annotation.onboarding import Practice
from core.annotation.onboarding_items import built_in_items
from core.annotation.panel import End
from core.annotation.rehearsal import RehearsalStep, RehearsedPanel
from core.annotation.studies import Study
from core.formats.exports.reading import read_export
from core.people import TERMINAL, Role
from core.stories import Source
from db.annotation import onboarding, settings
from db.people import people
from db.studies import studies
from db.transfer import imports, rating_imports
from tests.db.annotation.ends import ask_consent
from tests.db.annotation.previews import rows
from tests.db.conftest import small_corpus
from tests.pages.conftest import Open
from tests.pages.pages import words


def press(page: AppTest, label: str) -> AppTest:
    return next(b for b in page.button if b.label.startswith(label)).click().run()


def go_to(page: AppTest, part: RehearsalStep) -> AppTest:
    return next(g for g in page.button_group if g.label == "Go to").set_value(part).run()


def held(page: AppTest) -> RehearsedPanel:
    box = next(g.key for g in page.button_group if g.label == "Go to")
    kept = page.session_state[(box or "").removesuffix("step") + "rehearsal"]
    panel: RehearsedPanel | None = kept.held
    assert panel is not None
    return panel


def rate(page: AppTest, human: int, negative: int = 1) -> None:
    panel = held(page)
    worth = {Source.SYSTEM: 4, Source.HUMAN: human, Source.NEGATIVE: negative}
    for story in panel.panel.stories:
        if worth[panel.sources[story.token]] == 1:  # a 1 with nothing deducted would be asked about
            page.button_group(key=f"chaotic scenes-{story.token}").set_value(2).run()
        page.button_group(key=f"overall-{story.token}").set_value(worth[panel.sources[story.token]]).run()


def test_the_whole_way_and_nothing_is_stored(open_page: Open, study: Study, owner: str) -> None:
    ask_consent(study, "Do you agree to this?")
    onboarding.set_practice(TERMINAL, study.id, Practice(built_in_items(study.scheme)[:1], 1, 1))
    before = rows()
    page = open_page("preview", owner)
    assert "Nothing that you do here is stored" in words(page)
    assert "Do you agree to this?" in words(page)
    press(page, "I agree")
    press(page, "Begin the practice")
    next(g for g in page.button_group if g.key and g.key.endswith("-overall")).set_value(5).run()
    press(page, "Check my answer")
    assert "**Right.**" in words(page)
    assert "Preview: not stored" in words(page)
    assert "is kept once you check it" not in words(page)
    press(page, "See the result")
    press(page, "Begin")
    assert "saved as you give it" not in words(page)
    assert "Panel 1 of 2" in words(page)
    press(page, "Hand in this panel")
    assert "stories A, B, C, D, E, F and G first" in words(page)
    rate(page, human=3)
    assert "Saved at" not in words(page)
    press(page, "Hand in this panel")
    assert "This panel would be rejected" in words(page)
    assert "the human story was rated 3, below 4" in words(page)
    assert page.title[1].value == "Panel 1 was not accepted"
    assert "Your last panel could not be accepted" in words(page)
    page.text_area[0].set_value("I liked it less.")
    press(page, "Send the note")
    assert "I liked it less." in words(page)
    press(page, "Begin the next panel")
    assert "Panel 2 of 2" in words(page)
    assert "would be rejected" not in words(page)
    rate(page, human=5)
    press(page, "Hand in this panel")
    assert "This panel would count" in words(page)
    assert "You are done" in words(page)
    assert study.codes[End.COMPLETE] in [code.value for code in page.code]
    assert rows() == before


def test_the_button_answers_the_question_above_it(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("preview", owner)
    press(page, "Begin")
    for story in held(page).panel.stories:
        page.button_group(key=f"overall-{story.token}").set_value(1).run()
    press(page, "Hand in this panel")
    assert "Is this what you mean?" in words(page)
    assert "Hand in this panel" not in [button.label for button in page.button]
    press(page, "Hand in as it is")
    assert "Is this what you mean?" not in words(page)
    assert "That can happen to careful readers too" in words(page)


def test_nothing_that_was_tried_follows_to_the_real_form(open_page: Open, study: Study, owner: str) -> None:
    before = rows()
    page = open_page("preview", owner)
    press(page, "Begin")
    rate(page, human=5)
    press(page, "Hand in this panel")
    page.switch_page("annotate.py").run()
    assert "Panel 1 of" not in words(page)
    assert "would count" not in words(page)
    assert any(b.label == "Begin" for b in page.button)
    assert rows() == before


def test_every_part_and_every_end_can_be_gone_to(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("preview", owner)
    ask_consent(study, "Do you agree to this?")
    go_to(page.run(), RehearsalStep.INSTRUCTIONS)
    assert "Rate stories" in words(page)
    go_to(page, RehearsalStep.PANEL)
    first = held(page).panel.prompt
    press(page, "Another panel")
    assert held(page).panel.prompt != first
    go_to(page, RehearsalStep.END)
    for end in End:
        page.selectbox(key=next(b.key for b in page.selectbox if b.label == "Which end")).set_value(end).run()
        assert not page.exception
        assert study.codes[end] in [code.value for code in page.code]
    go_to(page, RehearsalStep.CONSENT)
    press(page, "I do not agree")
    assert "You did not agree" in words(page)
    press(page, "I want to read it again")
    assert "Do you agree to this?" in words(page)


def test_a_draft_without_stories_says_what_to_do_next(open_page: Open, owner: str) -> None:
    studies.create(TERMINAL, "empty")
    page = open_page("preview", owner)
    assert "no stories to rate yet. Import some" in words(page)
    assert "A panel" not in next(g for g in page.button_group if g.label == "Go to").options
    press(page, "Begin")
    assert "No place is free" in words(page)


def test_a_draft_and_a_closed_study_are_seen_by_a_researcher(open_page: Open, served: None) -> None:
    draft = imports.import_corpora(TERMINAL, "draft", [small_corpus()])
    researcher = people.invite(TERMINAL, Role.RESEARCHER, runs=[draft.id])
    before = rows()
    page = open_page("preview", researcher)
    press(page, "Begin")
    assert "Story G" in words(page)
    assert rows() == before
    studies.open_study(TERMINAL, draft.id)
    studies.close_study(TERMINAL, draft.id)
    page = open_page("preview", researcher)
    press(page, "Begin")
    assert "Story G" in words(page)


def test_a_study_changed_meanwhile_is_begun_anew(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("preview", owner)
    press(page, "Begin")
    settings.set_ends(TERMINAL, study.id, "A new text.", study.codes)
    assert "A new text." in words(page.run())


def test_the_other_schemes(open_page: Open, owner: str) -> None:
    for scheme, answer, unit in (("union", 1, "story"), ("likeliness", 0, "story")):
        study = studies.create(TERMINAL, scheme, scheme)
        imports.import_corpora(TERMINAL, scheme, [small_corpus()])
        before = rows()
        page = open_page("preview", owner)
        page.selectbox(key="study_box").set_value(study.id).run()
        press(page, "Begin")
        next(g for g in page.button_group if g.key and g.key.startswith("overall-")).set_value(answer).run()
        press(page, "Hand in")
        assert f"The last {unit} would count" in words(page)
        assert rows() == before


def test_a_panel_of_pairs_is_light_and_tells_nothing_of_its_stories(open_page: Open, owner: str) -> None:
    study = studies.create(TERMINAL, "pairs", "preferences")
    imports.import_corpora(TERMINAL, study.name, [small_corpus(3)])
    page = open_page("preview", owner)
    page.selectbox(key="study_box").set_value(study.id).run()
    press(page, "Begin")
    panel = held(page)
    pairs = panel.panel.pairs
    given = [json.loads(item.proto.json) for item in page.main.get("bidi_component")]
    (shown,) = [data["pairs"] for data in given if "pairs" in data]  # all texts are one message
    assert [pair["token"] for pair in shown] == [pair.token for pair in pairs]
    assert [[story["text"] for story in pair["stories"]] for pair in shown] == [
        [story.text for story in pair.stories] for pair in pairs
    ]
    assert [pair["heading"] for pair in shown] == [f"Pair {n} of {len(pairs)}" for n in range(1, len(pairs) + 1)]
    assert {tuple(pair) for pair in shown} == {("token", "heading", "prompt", "stories")}
    assert {tuple(story) for pair in shown for story in pair["stories"]} == {("name", "text")}
    states = [data for data in given if "stored" in data]
    assert [state["stored"] for state in states] == [[-1]] * len(pairs)
    assert {state["text"] for state in states} == {"Preview: not stored · not compared yet"}
    for pair in pairs:
        worse = [panel.sources[story.token] is Source.NEGATIVE for story in pair.stories]
        page.button_group(key=f"preference-{pair.token}").set_value(1 if worse[0] else -1 if worse[1] else 0).run()
    press(page, "Hand in")
    assert "**This panel would count**" in words(page)


def test_a_panel_of_pairs_begins_at_the_first_that_is_left(open_page: Open, owner: str) -> None:
    study = studies.create(TERMINAL, "pairs", "preferences")
    imports.import_corpora(TERMINAL, study.name, [small_corpus(3)])
    page = open_page("preview", owner)
    page.selectbox(key="study_box").set_value(study.id).run()
    press(page, "Begin")

    def start() -> object:
        (bar,) = [d for item in page.main.get("bidi_component") if "start" in (d := json.loads(item.proto.json))]
        assert (bar["single"], bar["words"]["rated"]) == (True, "compared")
        return bar["start"]

    assert start() == 0
    for place, first in ((0, 1), (2, 1), (1, 3)):
        page.button_group(key=f"preference-{held(page).panel.pairs[place].token}").set_value(0).run()
        assert start() == first


def test_the_ends_of_a_scale_that_came_with_ratings_have_words(
    open_page: Open, served: None, owner: str, tmp_path: Path
) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("annotator,id,prompt,system,story,rating\nann,1,Once,a,A fox slept.,2\nann,2,Once,b,A fox ran.,5\n")
    rating_imports.import_ratings(TERMINAL, "rated elsewhere", read_export(file))
    page = go_to(open_page("preview", owner), RehearsalStep.PANEL)
    (label,) = (group.label for group in page.button_group if group.label != "Go to")
    assert str(label).replace("\\", "").endswith("1 (worst) to 5 (best)")
