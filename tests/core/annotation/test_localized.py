"""A form in an annotator's language: what is ours is translated, what an owner wrote is not, and no code changes."""

from dataclasses import replace

import pytest

from core.annotation.builtin import MANS, SCHEMES, UNION
from core.annotation.builtin_criteria import HANNA
from core.annotation.localized import localized_scheme, localized_step
from core.annotation.onboarding import Practice, PracticeAnswer
from core.annotation.onboarding_items import built_in_items
from core.annotation.panel import Answer
from core.annotation.submission import check_complete
from core.errors import InputError
from core.languages.words import languages, sentence

LANGUAGES = languages()
GERMAN = LANGUAGES["de"]


@pytest.mark.parametrize("code", list(LANGUAGES))
@pytest.mark.parametrize("key", list(SCHEMES))
def test_what_is_stored_is_the_same_in_every_language(key: str, code: str) -> None:
    scheme, shown = SCHEMES[key], localized_scheme(SCHEMES[key], LANGUAGES[code])
    assert shown.names == scheme.names
    assert [e.name for e in shown.error_types] == [e.name for e in scheme.error_types]
    assert [c.steps for c in shown.criteria] == [c.steps for c in scheme.criteria]
    assert [e.points for e in shown.error_types] == [e.points for e in scheme.error_types]
    texts = [t for c in shown.criteria for t in (c.question, c.example, *(label for _, label in c.scale)) if t]
    before = [t for c in scheme.criteria for t in (c.question, c.example, *(label for _, label in c.scale)) if t]
    assert (texts == before) == (code == "en")
    for criterion in shown.criteria:  # two steps with one label could not be told apart
        assert len({label for _, label in criterion.scale}) == len(criterion.scale)
    assert len({LANGUAGES[code].ours(name) for name in (*scheme.names, *(e.name for e in scheme.error_types))}) == len(
        scheme.names
    ) + len(scheme.error_types)


def test_what_an_owner_wrote_stays() -> None:
    own = replace(MANS, criteria=(replace(MANS.main, question="Magst du sie?", example="Wie Oma."),))
    shown = localized_scheme(own, GERMAN)
    assert (shown.question, shown.main.example) == ("Magst du sie?", "Wie Oma.")
    assert shown.label(5) == "Sehr gut"


@pytest.mark.parametrize("code", list(LANGUAGES))
@pytest.mark.parametrize("key", [key for key, scheme in SCHEMES.items() if built_in_items(scheme)])
def test_practice_explains_in_the_language_and_keeps_its_stories(key: str, code: str) -> None:
    items = built_in_items(SCHEMES[key])
    practice = Practice(items)
    for place, item in enumerate(items):
        answers = [PracticeAnswer(1, number, 0) for number in range(place + 1)]
        step = localized_step(practice.step(answers), LANGUAGES[code])
        assert step.reviewed is not None
        assert step.reviewed.item.texts == item.texts
        assert (step.reviewed.item.explanation == item.explanation) == (code == "en")
    assert localized_step(practice.step([]), LANGUAGES[code]) == practice.step([])


def refused(scheme: object, given: dict[str, Answer], code: str) -> str:
    with pytest.raises(InputError) as caught:
        check_complete(scheme, given)  # type: ignore[arg-type]
    return sentence(LANGUAGES[code], caught.value)


def test_what_is_missing_is_said_in_the_language() -> None:
    bare = {letter: Answer() for letter in "ABC"}
    assert refused(MANS, bare, "en") == "Please give an overall rating to stories A, B and C first."
    assert refused(MANS, bare, "de") == "Bitte geben Sie zuerst ein Gesamturteil zu den Geschichten A, B und C ab."
    assert refused(MANS, {**bare, "A": Answer({"overall": 3}), "B": Answer({"overall": 3})}, "en") == (
        "Please give an overall rating to story C first."
    )
    assert refused(UNION, {"A": Answer({"overall": 0})}, "es") == "Por favor, diga qué está mal: elija un motivo."
    assert refused(UNION, {"A": Answer({"overall": 0}), "B": Answer({"overall": 0})}, "zh") == (
        "请说明故事 A和B 有什么问题：各选择一个原因。"
    )
    most = {name: 3 for name in HANNA.names if name != "empathy"}
    assert refused(HANNA, {"A": Answer(most)}, "en") == "Please rate empathy first."
    assert refused(HANNA, {"A": Answer(most)}, "de") == "Bitte bewerten Sie zuerst: Einfühlung."
    five = {letter: Answer(most) for letter in "ABCDE"}
    assert refused(HANNA, five, "en") == (
        "Please rate first: empathy of story A; empathy of story B; empathy of story C; empathy of story D; "
        "empathy of story E."
    )


def test_of_many_missing_answers_the_number_is_said_and_the_first_are_named() -> None:
    six = {letter: Answer({name: 3 for name in HANNA.names if name != "empathy"}) for letter in "ABCDEF"}
    assert refused(HANNA, six, "en") == (
        "6 answers are still missing. The first are: empathy of story A; empathy of story B; empathy of story C."
    )
    assert refused(HANNA, {"A": Answer()}, "en") == (
        "6 answers are still missing. The first are: relevance, coherence and empathy."
    )
    assert refused(HANNA, {"A": Answer(), "B": Answer()}, "de").startswith("Es fehlen noch 12 Antworten. Die ersten")
