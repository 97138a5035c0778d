"""The figure of an explained score."""

from core.explanation.results import Explanation, ScoredSentence
from core.figures.explain import contributions
from core.figures.style import BLUE, ORANGE


def test_a_bar_a_sentence_that_was_left_out_and_no_markup_in_its_name() -> None:
    text = "It <i>was</i>. He ran. Unread."
    explanation = Explanation(
        0.5,
        (
            ScoredSentence(0, 14, True, 0.2),
            ScoredSentence(15, 22, False, 1.0, True, ("negation",), 0.9),
            ScoredSentence(23, 30, False, None),
        ),
        human=1.0,
    )
    figure = contributions(explanation, text)
    (bar,) = figure.data
    assert [round(value, 6) for value in bar.x] == [0.3, -0.5]
    assert list(bar.marker.color) == [BLUE, ORANGE]
    assert list(bar.marker.pattern.shape) == ["", "/"]
    assert list(bar.y) == ["1: It &lt;i&gt;was&lt;/i&gt;.", "2: He ran."]
    assert "Hatched: edited." in figure.layout.title.text.replace("<br>", " ")
