"""The Monitor page: empty, at work, decided on, and with names that want to be markup."""

import json
import math
import re
from dataclasses import replace

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.annotation import panel_submission, settings
from db.engine import reading
from db.monitor import monitor, panels, payments, personal_data
from db.people import people
from db.ratings import ratings
from db.schema import person as person_table
from db.studies import studies
from db.transfer import imports
from pages.ui.monitor import live_figures
from tests.db.annotation.assignments import begin, rate, sources
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.judged import judged_study
from tests.db.monitor.panels import hand_in_as
from tests.db.slow import whole_panels
from tests.pages.conftest import Open
from tests.pages.pages import monitor_tab, words

TABS = ("Progress", "People", "Panels", "Controls", "What if", "Payments", "Log")
HOSTILE = "**bold** <b>x</b> :material/home: [l](http://x) $y$"


def cells(page: AppTest) -> str:
    return "\n".join(frame.value.to_csv() for frame in page.dataframe)


def figures(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if re.match(label, button.label)).click().run()


@pytest.fixture
def at_work(served: None) -> Study:
    """One panel valid with a mark, one rejected with a note, one in hand."""
    study = make_study(prompts=2, wanted=2)
    good, careless, busy = (make_annotator(study, name) for name in (HOSTILE, "careless", "busy"))
    panel = begin(good)
    rate(good, panel)
    where = sources(panel)
    story = next(panel_story for panel_story in panel.stories if where[panel_story.token] == "system")
    ratings.mark(good, story.token, "unrelated events", (0, 7))
    panel_submission.submit(good, panel.token)
    panel = begin(careless)
    rate(careless, panel, human=1)
    panel_submission.submit(careless, panel.token)
    panel_submission.appeal(careless, HOSTILE)
    ratings.save_value(busy, begin(busy).stories[0].token, 3)
    return study


def test_every_tab_of_an_empty_study_stands(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("monitor", owner)
    assert figures(page)["Valid panels"] == "0 of 2 wanted"
    for name in TABS:
        assert not monitor_tab(page, name).exception, name
    assert "Say below what a panel is paid" in words(monitor_tab(page, "Payments"))


def test_progress_says_what_is_left_and_what_it_costs(
    open_page: Open, at_work: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.annotation.monitor.forecast.FEWEST", 2)  # two panels are what this test hands in
    page = open_page("monitor", owner)
    assert figures(page) == {
        "Valid panels": "1 of 4 wanted",
        "Still wanted": "3",
        "Rejected": "1 of 2 handed in",
        "Under way": "1",
        "Flagged": "2",
    }
    assert "Of each prompt 2 panels are wanted; further ones do not count here." in words(page)
    assert "1 of 2 panels handed in were rejected (50.0%)" in words(page)
    assert "came in with an import" not in words(page)
    assert "Begun and left" not in words(page)
    assert "1 of 7" in cells(page)
    assert "costs about" not in words(page)
    payments.set_payment(TERMINAL, at_work.id, "1.50", "EUR")
    page = open_page("monitor", owner)
    assert "At 1.50 EUR a panel, what is still to come costs about" in words(page)


def test_the_first_rejection_leads_to_the_control_that_was_failed(open_page: Open, at_work: Study, owner: str) -> None:
    page = open_page("monitor", owner)
    assert "1 panel rejected: read the control story that was failed, before you blame the person." in words(page)
    press(page, "Read the control$")
    assert page.session_state["monitor-tab"] == "Controls"
    told = words(page).replace("*", "")
    assert "1 of 1 did not find this human story good enough: rated 1, and the rule asks for 4 or more." in told
    assert "Read them before you blame the people: if a negative story is hardly worse" in told


def test_several_rejections_and_failed_controls_are_told_as_several(
    open_page: Open, at_work: Study, owner: str
) -> None:
    hand_in_as(make_annotator(at_work, "lenient"), at_work, negative=5)
    page = open_page("monitor", owner)
    assert "2 panels rejected: read the control stories that were failed, before you blame the people." in words(page)
    press(page, "Read the controls$")
    assert page.session_state["monitor-tab"] == "Controls"


def test_one_control_that_most_failed_is_told_as_one(open_page: Open, served: None, owner: str) -> None:
    study = make_study(prompts=1, wanted=5)
    for name in ("one", "two", "three"):
        hand_in_as(make_annotator(study, name), study, negative=3)
    page = open_page("monitor", owner)
    assert "1 control story was failed by most who rated it: perhaps it is to blame, not the people." in words(page)


def test_stories_that_are_rated_as_low_as_damaged_ones_are_told(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.annotation.monitor.weak_systems.ENOUGH_RATINGS", 2)  # two panels are handed in
    study = make_study(prompts=1, wanted=3)
    hand_in_as(make_annotator(study, "one"), study)
    panel = begin(lenient := make_annotator(study, "lenient"))
    rate(lenient, panel, negative=5)
    assert "as low as the damaged ones" not in words(open_page("monitor", owner))
    panel_submission.submit(lenient, panel.token)
    told = words(open_page("monitor", owner))
    assert (
        "and 2 other systems are rated as low as the damaged ones (3.0 against 3.0): the rule may reject careful people"
    ) in told


def test_a_note_is_told_read_and_decided_on(open_page: Open, at_work: Study, owner: str) -> None:
    assert "one note on a rejected panel waits for a decision on Monitor" in words(open_page("overview", owner))
    page = open_page("monitor", owner)
    assert "One annotator left a note on a rejected panel: read it, and decide." in words(page)
    press(page, "Read the note")
    assert page.session_state["monitor-tab"] == "Panels"
    refused = whole_panels(at_work.id)[-1]
    assert list(page.dataframe[0].value["Number"]) == [refused.id]
    assert page.dataframe[0].value["Remarks"][0].endswith("has a note, not decided on")
    page.session_state[f"open-panel-{at_work.id}"] = (refused.id,)
    page.run()
    page.text_input(key=f"why-{refused.id}").set_value("not read")
    press(page, "Keep it rejected")
    assert "Saved, and kept in the log." in words(page)
    assert (panels.panel(at_work.id, refused.id).valid, panels.panel(at_work.id, refused.id).overridden) == (
        False,
        True,
    )
    assert "left a note" not in words(page)
    assert "Keep it rejected" not in [button.label for button in page.button]
    assert page.dataframe[0].value["Remarks"][0].endswith("by hand; has a note")
    assert "waits for a decision" not in words(open_page("overview", owner))


def test_own_tries_are_told_and_not_counted(open_page: Open, at_work: Study, owner: str) -> None:
    viewer, other = people.by_token(owner), people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert viewer is not None
    assert other is not None
    assert "not counted" not in words(open_page("monitor", owner))
    hand_in_as(replace(viewer, study_id=at_work.id), at_work, human=1)
    page = open_page("monitor", owner)
    assert figures(page)["Rejected"] == "1 of 2 handed in"
    assert figures(page)["Flagged"] == "2"
    assert "Flagged, 2 panels: too fast (2)" in words(page)
    assert monitor_tab(page, "Panels").dataframe[0].value["Verdict"][0] == "own try, rejected"
    mine = panels.newest_by(viewer, at_work.id)
    assert mine is not None
    panels.override(viewer, mine.id, valid=False, reason="a try")
    page = open_page("monitor", owner)
    assert monitor_tab(page, "Panels").dataframe[0].value["Verdict"][0] == "own try, left out"
    assert "Your own try is not counted in rejections, flags and payments." in words(page)
    payments.set_payment(TERMINAL, at_work.id, "1.00", "EUR")
    assert figures(monitor_tab(open_page("monitor", owner), "Payments"))["Owed (2 panels)"] == "2.00 EUR"
    hand_in_as(replace(other, study_id=at_work.id), at_work)
    assert "2 tries by people who run studies, 1 of them your own, are not counted" in words(
        open_page("monitor", owner)
    )


def test_what_a_decision_rests_on_comes_first(open_page: Open, at_work: Study, owner: str) -> None:
    page = monitor_tab(open_page("monitor", owner), "People")
    columns = list(page.dataframe[0].value.columns)
    assert columns == [
        *("Annotator", "State", "Panels", "Rejected", "Flags", "Minutes", "Words/min", "Agreement", "Shared"),
        "Leniency",  # and nothing of money, where nobody is paid
    ]
    config = json.loads(page.dataframe[0].proto.columns)
    assert config["Annotator"]["pinned"]
    page.session_state[f"person-{at_work.id}"] = monitor.read(at_work.id).members[0].key
    page.run()
    press(page, "Close")
    assert page.session_state[f"person-{at_work.id}"] is None


def test_a_revoked_link_ends_what_was_under_way(open_page: Open, at_work: Study, owner: str) -> None:
    (held,) = monitor.in_hand(at_work.id)
    people.revoke(TERMINAL, held.person_id or 0)
    page = open_page("monitor", owner)
    assert figures(page)["Under way"] == "0"
    assert "Nobody is at work now." in words(page)
    assert "**Begun and left** (1): their places are free for others." in words(page)
    assert "no longer held: link revoked" in cells(page)
    assert list(monitor_tab(page, "People").dataframe[0].value["State"])[-1] == "link revoked"


def test_a_tab_makes_nothing_before_it_is_opened(
    open_page: Open, at_work: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("this was not opened")

    monkeypatch.setattr("db.monitor.monitor.ratings_of", never)
    monkeypatch.setattr("db.studies.event_log.page", never)
    page = open_page("monitor", owner)
    for name in ("Progress", "People", "Panels", "Controls", "Payments"):
        assert not monitor_tab(page, name).exception
    assert monitor_tab(page, "Log").exception


def test_people_are_listed_found_and_decided_on(open_page: Open, at_work: Study, owner: str) -> None:
    page = monitor_tab(open_page("monitor", owner), "People")
    table = page.dataframe[0].value
    assert list(table["State"]) == ["has begun", "has begun", "at work"]
    assert HOSTILE in table["Annotator"][0]
    assert HOSTILE not in words(page)
    page.text_input(key=f"find-{at_work.id}").set_value("CARE").run()
    assert list(page.dataframe[0].value["Rejected"]) == [100]
    careless = page.dataframe[0].value["Annotator"][0]
    number = int(re.findall(r"annotator (\d+)", careless)[0])
    page.session_state[f"person-{at_work.id}"] = number
    page.run()
    page.toggle(key=f"monitor-part-{number}").set_value(False).run()
    with reading() as connection:
        assert connection.scalar(select(person_table.c.qualified).where(person_table.c.id == number)) is False
    assert "may not take part" in words(page)
    press(page, "Save the bonus")
    assert "Say first what a panel is paid" in words(page)


def test_a_bonus_is_set_on_the_page(open_page: Open, at_work: Study, owner: str) -> None:
    payments.set_payment(TERMINAL, at_work.id, "1.50", "EUR")
    whole_panel = whole_panels(at_work.id)[0]
    page = open_page("monitor", owner)
    page.session_state[f"person-{at_work.id}"] = whole_panel.person_id
    monitor_tab(page, "People")
    page.text_input(key=f"bonus-amount-{whole_panel.person_id}-0").set_value("a lot")
    press(page, "Save the bonus")
    assert "The bonus is a number like 1.50" in words(page)
    page.text_input(key=f"bonus-amount-{whole_panel.person_id}-0").set_value("2.25")
    page.text_input(key=f"bonus-why-{whole_panel.person_id}-0").set_value("careful")
    press(page, "Save the bonus")
    assert figures(monitor_tab(page, "Payments"))["Bonuses"] == "2.25 EUR"


def test_a_panel_is_read_and_decided_on(open_page: Open, at_work: Study, owner: str) -> None:
    good, refused = whole_panels(at_work.id)
    page = open_page("monitor", owner)
    monitor_tab(page, "Panels")
    assert list(page.dataframe[0].value["Verdict"]) == ["rejected", "valid"]
    page.session_state[f"open-panel-{at_work.id}"] = (refused.id,)
    page.session_state[f"read-{refused.id}"] = page.session_state[f"log-{refused.id}"] = True
    page.run()
    assert "Note on a rejection" in cells(page)
    sentence = "\n".join(text.value for text in page.text)
    assert HOSTILE in sentence  # the note, as text
    assert "Reason: the human story was rated 1, below 4" in sentence
    assert "human. Rated 1." in sentence
    flagged = [caption.value for caption in page.caption if "Flagged: rated 1 with nothing deducted." in caption.value]
    assert flagged
    assert any("Panels are numbered across all studies" in caption.value for caption in page.caption)
    press(page, "Let this count")
    assert "Give a reason" in words(page)
    page.text_input(key=f"why-{refused.id}").set_value("poor story")
    press(page, "Let this count")
    assert "Saved, and kept in the log." in words(page)
    assert panels.panel(at_work.id, refused.id).overridden
    page.session_state[f"open-panel-{at_work.id}"] = (good.id,)
    page.session_state[f"read-{good.id}"] = True
    page.run()
    assert "Unrelated events: “" in "\n".join(text.value for text in page.text)
    press(page, "Close")
    assert not any(button.label == "Close" for button in page.button)


def test_several_panels_are_decided_on_at_once(open_page: Open, at_work: Study, owner: str) -> None:
    both = tuple(panel.id for panel in whole_panels(at_work.id))
    page = monitor_tab(open_page("monitor", owner), "Panels")
    page.session_state[f"open-panel-{at_work.id}"] = both
    page.run()
    assert "2 are chosen." in "\n".join(text.value for text in page.text)
    press(page, "Reject these 2")
    assert "Give a reason" in words(page)
    page.text_input(key=f"why-open-panel-{at_work.id}-{hash(both)}").set_value("a test run")
    press(page, "Reject these 2")
    assert "1 of 2 have changed: all 2 are rejected now." in words(page)
    assert [panel.valid for panel in whole_panels(at_work.id)] == [False, False]
    press(page, "Save the payment of these 2")
    assert "2 are marked as paid." in words(page)
    assert {panel.payment for panel in whole_panels(at_work.id)} == {Payment.PAID}
    press(page, "Close")
    assert not any(button.label == "Close" for button in page.button)


def test_rated_stories_are_told_apart_in_their_table(open_page: Open, served: None, owner: str) -> None:
    study = studies.create(TERMINAL, "votes", "union")
    imports.import_corpora(TERMINAL, study.name, [small_corpus(1)])
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=3))
    studies.open_study(TERMINAL, study.id)
    votes = [make_annotator(study, name) for name in ("one", "two")]
    for person in votes:
        token = begin(person).token
        ratings.save_value(person, token, 1)
        panel_submission.submit(person, token)
    newest, oldest = reversed(monitor.read(study.id).panels)
    panels.override(TERMINAL, newest.id, valid=False, reason="not read")
    page = open_page("monitor", owner)
    assert "Of each story 3 ratings are wanted; further ones do not count here." in words(page)
    table = monitor_tab(page, "Stories").dataframe[0].value
    stories = panels.stories_so_far([newest.unit[1] or 0, oldest.unit[1] or 0])
    assert list(table["Prompt"]) == ["Opening 0."] * 2
    assert list(table["System"]) == [stories[panel.unit[1] or 0].origin for panel in (newest, oldest)]
    assert list(table["Times rated"]) == [int(newest.unit == oldest.unit), 1]
    assert "not read; " in table["Remarks"][0]
    assert table["Remarks"][0].endswith("by hand")


@pytest.mark.parametrize(
    ("which", "verdicts"), [("flagged", 2), ("rejected", 1), ("with a note", 1), ("by hand", 0), ("surplus", 0)]
)
def test_the_table_is_filtered(open_page: Open, at_work: Study, owner: str, which: str, verdicts: int) -> None:
    page = monitor_tab(open_page("monitor", owner), "Panels")
    page.session_state[f"monitor-show-{at_work.id}"] = which
    page.run()
    if verdicts:
        assert len(page.dataframe[0].value) == verdicts
        assert page.dataframe[0].proto.row_height >= 55  # the remarks are longer than their column
    else:
        assert "No work of this kind was handed in." in words(page)


def test_everything_due_is_paid_with_one_press(open_page: Open, at_work: Study, owner: str) -> None:
    page = monitor_tab(open_page("monitor", owner), "Payments")
    page.text_input(key=f"rate-amount-{at_work.id}-0").set_value("1,500")
    page.text_input(key=f"rate-currency-{at_work.id}").set_value("EUR")
    press(page, "Save the amount")
    assert "The pay is a number like 1.50" in words(page)
    page.text_input(key=f"rate-amount-{at_work.id}-0").set_value("1,50")
    press(page, "Save the amount")
    assert figures(page)["Owed (2 panels)"] == "3.00 EUR"  # though they were handed in before
    assert "The first amount holds for every panel, also for what was handed in before it." in words(page)
    press(page, "Mark 2 panels as paid: 3.00 EUR")
    assert "Marked as paid: 3.00 EUR" in words(page)
    assert {panel.payment for panel in whole_panels(at_work.id)} == {Payment.PAID}
    assert "Nothing is due." in words(page)


def test_what_came_in_since_the_sum_was_shown_is_not_paid(
    open_page: Open, at_work: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_figures, "QUICK", math.inf)  # on a busy machine figures stand for some seconds
    payments.set_payment(TERMINAL, at_work.id, "1.50", "EUR")
    page = monitor_tab(open_page("monitor", owner), "Payments")
    whole_panel = whole_panels(at_work.id)[0]
    payments.set_bonus(TERMINAL, whole_panel.person_id or 0, "0.25", "good")
    press(page, "Mark 2 panels as paid: 3.00 EUR")
    assert "3.25 EUR is due now, not 3.00 EUR" in words(page)
    assert {panel.payment for panel in whole_panels(at_work.id)} == {Payment.DUE}
    press(page, "Mark 2 panels and bonuses as paid: 3.25 EUR")
    assert {panel.payment for panel in whole_panels(at_work.id)} == {Payment.PAID}


def test_whoever_was_erased_has_a_row_with_their_panels(open_page: Open, at_work: Study, owner: str) -> None:
    whole_panel = whole_panels(at_work.id)[0]
    personal_data.erase(TERMINAL, whole_panel.person_id or 0, keep_ratings=True)
    page = open_page("monitor", owner)
    page.session_state[f"person-{at_work.id}"] = f"erased {whole_panel.person_id}"
    monitor_tab(page, "People")
    assert f"erased {whole_panel.person_id}: erased" in words(page)
    assert [list(table.value["Number"]) for table in page.dataframe if "Number" in table.value] == [[whole_panel.id]]
    assert not any("bonus" in button.label for button in page.button)  # there is nobody to decide about


def test_the_log_is_paged_and_filtered(open_page: Open, at_work: Study, owner: str) -> None:
    page = monitor_tab(open_page("monitor", owner), "Log")
    newest = page.dataframe[0].value
    assert len(newest) <= 50
    assert "Panel handed in" in set(newest["What"])
    assert next(b for b in page.button if b.label == "Older").disabled is not None
    page.selectbox(key=f"log-kind-{at_work.id}").set_value("panel submitted").run()
    assert list(page.dataframe[0].value["What"]) == ["Panel handed in"] * 2
    assert HOSTILE not in words(page)


def test_what_if_is_offered_where_there_are_controls(open_page: Open, at_work: Study, owner: str) -> None:
    page = monitor_tab(open_page("monitor", owner), "What if")
    assert "1 of 2 (50.0%)" in cells(page)
    bare = studies.create(TERMINAL, "votes", "union")
    page = open_page("monitor", owner)
    page.selectbox(key="study_box").set_value(bare.id).run()
    assert "What if" not in [item.label for item in page.tabs]


def test_an_annotator_sees_nothing(open_cold: Open, at_work: Study) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=at_work.id)
    assert "Not for this link" in words(open_cold("monitor", token))
    assert "Open the personal link" in words(open_cold("monitor", None))


def test_who_came_with_the_ratings_is_not_called_revoked(open_page: Open, served: None, owner: str) -> None:
    judged_study(prompts=3)
    table = monitor_tab(open_page("monitor", owner), "People").dataframe[0].value
    assert set(table["State"]) == {"imported"}
    assert table["Flags"].isna().all()


def test_imported_ratings_are_told_from_those_handed_in(open_page: Open, served: None, owner: str) -> None:
    study = judged_study(prompts=3)
    page = open_page("monitor", owner)
    assert figures(page)["Imported rated stories"] == "36"
    assert figures(page)["Rejected"] == "0 of 0 handed in"
    assert "came in with an import, and the study is not open for annotation: nobody is asked for more." in words(page)
    assert "wanted" not in words(page) + " ".join(figures(page))
    studies.open_study(TERMINAL, study.id)
    page = open_page("monitor", owner)
    assert figures(page)["Valid rated stories"] == "27 of 27 wanted"
    assert "came in with an import; only those that are handed in here can be rejected." in words(page)
