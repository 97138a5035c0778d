"""The Monitor page of a study of pairs: panels pair by pair, controls with both texts, and words that fit pairs."""

import pytest

from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from db.annotation import assignments, panel_submission
from db.ratings import ratings
from tests.db import pairs
from tests.db.conftest import make_annotator
from tests.db.slow import whole_panels
from tests.pages.conftest import Open
from tests.pages.pages import monitor_tab, words

WHY = "**B** is :red[better] <b>by far</b>"


@pytest.fixture
def compared(served: None) -> Study:
    """One panel of nine pairs and its controls, which three people failed and one did not."""
    study = pairs.opened(PairRules(a_panel=9, a_prompt=1), wanted=9, comments=True)
    for name in ("one", "two", "three"):
        pairs.hand_in(study, name, control=-1)
    careful = make_annotator(study, "careful")
    panel = assignments.turn(careful, claim=True).panel
    assert panel is not None
    pairs.answer(careful, panel, other=1)
    ratings.save_comment(careful, panel.pairs[0].token, WHY)
    panel_submission.submit(careful, panel.token)
    return study


def test_a_control_pair_that_most_failed_is_shown_with_both_texts(open_page: Open, compared: Study, owner: str) -> None:
    page = monitor_tab(open_page("monitor", owner), "Controls")
    assert "2 control pairs were failed by most who rated them: perhaps they are to blame" in words(page)
    assert "Read the controls" in [button.label for button in page.button]
    assert "3 of 4 did not find the **undamaged** story of this pair better than the **damaged** one." in words(page)
    shown = [text.value for text in page.text]
    assert shown.count("Undamaged: human") == shown.count("Damaged") == 2
    assert sum(text.startswith("human goes on") for text in shown) == 2
    assert sum(text.startswith("negative goes on") for text in shown) == 2


def test_a_panel_is_read_pair_by_pair(open_page: Open, compared: Study, owner: str) -> None:
    page = open_page("monitor", owner)
    newest = whole_panels(compared.id)[-1].id
    page.session_state[f"open-panel-{compared.id}"] = (newest,)
    page.session_state[f"read-{newest}"] = True
    page = monitor_tab(page, "Panels")
    assert not page.exception
    shown = [text.value for text in page.text]
    assert sum(text.startswith("Pair ") for text in shown) == 9 + 2 + 1
    assert f"Pair 1. B was found better. In their words: “{WHY}”" in shown
    assert not any("Not rated" in text for text in shown)
    assert WHY not in "".join(text.value for text in page.markdown)


def test_words_are_of_pairs(open_page: Open, compared: Study, owner: str) -> None:
    page = open_page("monitor", owner)
    rows = monitor_tab(page, "What if").dataframe[0].value
    assert list(rows[""])[2:4] == ["Panels with all judgments", "Valid judgments a pair"]
    people = monitor_tab(page, "People").dataframe[0].value
    assert "Leniency" not in people
    assert "Shared" in people
    assert "answers about the same pairs" in words(page)
