"""What pages say of ratings that do not agree, and behind a finding's question mark."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from streamlit.testing.v1 import AppTest

from core.formats.exports.reading import read_export
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.scores import scores
from db.transfer import rating_imports
from tests.db.judged import unlike_on_coherence
from tests.pages.conftest import Open
from tests.pages.pages import findings, opened, words


def test_all_that_no_test_tells_apart_stand_under_the_question_mark() -> None:
    def page() -> None:
        from core.analysis.verdict.finding import Finding
        from core.statistics.correlation import Coefficient
        from pages.ui.shared.analysis.finding import say_finding

        r, alike = Coefficient(0.5, low=0.4, high=0.6), ("a", "*b*", "c", "d")
        say_finding(Finding("m", r, 200, 40, ("m", *alike, "e"), alike, None, disagree=False))

    (said,) = AppTest.from_function(page).run().markdown
    assert "and 1 more" in said.value
    assert said.help == r"m cannot be told apart from a, \*b\*, c and d\."


@pytest.mark.parametrize("page", ["correlation", "judgments"])
def test_of_several_criteria_the_warning_says_which_one_it_is_of(
    open_page: Open, served: None, owner: str, page: str
) -> None:
    unlike_on_coherence()
    (warned,) = opened(open_page, owner, page, {"target": "coherence"}).warning
    assert "agree with one another on coherence by Krippendorff's interval alpha, " in warned.value
    assert not opened(open_page, owner, page, {"target": "empathy"}).warning


@pytest.mark.parametrize("strict", [True, False])
def test_strictness_explains_where_it_is_why_ratings_do_not_agree(
    open_page: Open, served: None, owner: str, strict: bool
) -> None:
    """Of three raters who see the same, but give 1 and 2, 2 and 3, 4 and 5; or of whom one sees the opposite."""
    lines, scored = ["annotator,story_id,prompt_id,prompt,system,story,overall"], {}
    for number in range(200):
        worth = number * 7 % 3 % 2
        given = (1 + worth, 2 + worth, 4 + worth) if strict else (3 + worth, 4 - worth, 3 + worth)
        lines += [
            f"P{rater},{number},{number // 3},Opening {number // 3}.,one,Story {number} is told.,{value}"
            for rater, value in enumerate(given)
        ]
        scored[str(number)] = float(worth)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "ratings.csv"
        file.write_text("\n".join(lines), encoding="utf-8")
        study = rating_imports.import_ratings(TERMINAL, "s", read_export(file))
    scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:m", scored))
    page = open_page("overview", owner)
    (found,) = findings(page)
    assert "No metric can be judged yet" in found
    assert "A metric can go with the mean of several raters although" in found
    assert ("here some are stricter than others" in found) is strict
    assert ("That some raters are stricter than others is not shown to explain it" in found) is not strict
    assert "Krippendorff's alpha is 1.00 once" in found if strict else "Krippendorff's alpha is −" in found
    assert "contradiction" not in words(page)
