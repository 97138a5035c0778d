"""The practice past the browser: what the owner's table may hold, and what an annotator's page may not."""

from dataclasses import replace

import pandas as pd
import pytest

from core.annotation.builtin import LIKELINESS, MANS, TURING, UNION
from core.annotation.onboarding import Practice
from core.annotation.onboarding_items import MANS_ITEMS, built_in_items
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.errors import InputError
from core.people import TERMINAL
from db.annotation import onboarding, settings
from pages.ui.form.onboarding_editor import items_of, rows_of
from tests.pages.conftest import Open
from tests.pages.pages import words


@pytest.mark.parametrize("scheme", [MANS, UNION, TURING, LIKELINESS], ids=lambda scheme: scheme.key)
def test_the_table_holds_the_items_and_gives_them_back(scheme: Scheme) -> None:
    items = built_in_items(scheme)
    assert items_of(scheme, pd.DataFrame(rows_of(scheme, items), dtype=object)) == items


def test_what_the_browser_would_not_have_offered_is_refused() -> None:
    rows = rows_of(MANS, MANS_ITEMS)
    rows[1]["Right"] = ["7 Splendid"]
    with pytest.raises(InputError, match="Example 2: '7 Splendid' is no rating"):
        items_of(MANS, pd.DataFrame(rows, dtype=object))
    rows[1] |= {"Right": ["1 Very poor"], "Needed": ["boring"]}
    with pytest.raises(InputError, match="Example 2: There is no error type 'boring'"):
        Practice(items_of(MANS, pd.DataFrame(rows, dtype=object))).check(MANS)


def test_empty_rows_and_cells_are_as_the_table_leaves_them() -> None:
    rows = rows_of(MANS, MANS_ITEMS[:1])
    rows[0] |= {"Needed": None, "Wrong": float("nan"), "Explanation": " Because. "}
    empty = dict.fromkeys(rows[0])
    (item,) = items_of(MANS, pd.DataFrame([empty, *rows, empty], dtype=object))
    assert (item.needed, item.forbidden, item.explanation) == ((), (), "Because.")


def test_a_form_of_ones_own_begins_with_an_empty_table(open_page: Open, study: Study, owner: str) -> None:
    settings.set_form(
        TERMINAL, study.id, replace(study.scheme, criteria=(replace(study.scheme.main, question="How funny is it?"),))
    )
    page = open_page("form", owner)
    choice = page.radio(key=f"practice-{study.id}")
    assert choice.options == ["None", "My own examples"]
    choice.set_value("My own examples").run()
    next(b for b in page.button if b.label == "Save the practice").click().run()
    assert "Practice has 1 to 20 examples" in words(page)


def test_signs_of_markup_stay_signs(open_page: Open, study: Study, annotator: str) -> None:
    item = replace(MANS_ITEMS[0], explanation="It costs $5 and $10 :red[today] <b>now</b>.")
    onboarding.set_practice(TERMINAL, study.id, Practice((item,), 1))
    page = open_page("", annotator)
    next(b for b in page.button if b.label == "Begin the practice").click().run()
    assert item.explanation not in words(page)
    page.button_group[0].set_value(1).run()
    next(b for b in page.button if b.label == "Check my answer").click().run()
    assert item.explanation in words(page)
    assert r"\:red\[today\]" in page.warning[0].value


def test_a_researcher_tries_it_and_may_forget_it(open_page: Open, study: Study, owner: str) -> None:
    onboarding.set_practice(TERMINAL, study.id, Practice(MANS_ITEMS[:2], 1))
    page = open_page("annotate", owner)
    next(b for b in page.button if b.label == "Begin the practice").click().run()
    page.button_group[0].set_value(5).run()
    next(b for b in page.button if b.label == "Check my answer").click().run()
    assert "Right." in words(page)
    assert "Practice 1 of 2" in words(open_page("annotate", owner))  # the answer again, not the beginning
    page = open_page("form", owner)
    assert "You have tried it yourself" in words(page)
    next(b for b in page.button if b.label == "Forget my own answers").click().run()
    assert "You have tried it yourself" not in words(page)
    assert "First, some practice" in words(open_page("annotate", owner))
