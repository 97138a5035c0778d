"""What is said of a metric that was trained on stories which it is judged by."""

from core.analysis.verdict.training import on_training, training_caution
from tests.core.analysis.verdict.sentences import text


def test_it_is_a_caution_with_its_number() -> None:
    (sentence,) = on_training(14)
    assert sentence.caution
    assert text(sentence).startswith("It was trained on 14 stories of this study: its agreement")
    assert on_training(0) == ()


def test_several_are_named_together() -> None:
    said = training_caution({"union[mine]": 1, "ruber": 1200})
    assert said.startswith("Trained on stories of this study: union[mine] on 1 story, ruber on 1,200 stories. ")
    assert training_caution({}) == ""
