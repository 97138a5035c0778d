"""Other wordings and injections: the same placeholders and answers in other words; no order that leaves the story."""

import re

import pytest

from core.annotation.builtin import MANS
from core.judges.injections import INJECTIONS
from core.judges.prompt import messages
from core.judges.template import BUILT_IN, BUILT_IN_OF_TASKS, Template, Way
from core.judges.wordings import WORDINGS, WORDINGS_OF_TASKS, other_wordings
from core.stories import Story

HOLDER = re.compile(r"\{[a-z_]+\}")


def test_every_way_of_rating_has_some() -> None:
    assert set(WORDINGS) == set(Way) - {Way.PAIRS}  # two stories are told apart by their order


@pytest.mark.parametrize("way", list(WORDINGS))
def test_wordings_say_the_same_in_other_words(way: Way) -> None:
    own = BUILT_IN[way]
    assert len(WORDINGS[way]) == 3
    assert len({template.text_hash for template in (own, *WORDINGS[way])}) == 4
    for template in WORDINGS[way]:
        for part in ("system", "user"):
            assert set(HOLDER.findall(getattr(template, part))) == set(HOLDER.findall(getattr(own, part)))
        Template("mine", way, template.system, template.user).check()
        for mark in ("<opening>", "</opening>", "<story>", "</story>"):
            assert mark in template.system
        said = messages(template, MANS, MANS.main, (), Story("A story.", "An opening."))
        asked = messages(own, MANS, MANS.main, (), Story("A story.", "An opening."))
        assert [message.role for message in said] == [message.role for message in asked]
        assert not HOLDER.search("".join(message.text for message in said))
        assert 0.7 < len(said[0].text) / len(asked[0].text) < 1.4


@pytest.mark.parametrize("way", list(WORDINGS))
def test_wordings_for_tasks_say_nothing_of_an_opening(way: Way) -> None:
    assert other_wordings(BUILT_IN_OF_TASKS[way]) == WORDINGS_OF_TASKS[way]
    for template in WORDINGS_OF_TASKS[way]:
        assert template.of_tasks
        assert "opening" not in (template.system + template.user).casefold().replace("{opening}", "")
        assert {"<prompt>", "</prompt>"} <= set(re.findall(r"</?\w+>", template.system))
        assert re.search(r"(?:written for|wrote for) (?:a|it|a given prompt)\b", template.system)


def test_json_is_asked_for_alike() -> None:
    for template in WORDINGS[Way.DEDUCTIONS]:
        example = '{"errors": [{"type": "the type", "points": 1, "quote": "the words of the story"}]}'
        assert example in template.system
        assert example in BUILT_IN[Way.DEDUCTIONS].system
        assert '{"errors": []}' in template.system
    for template in WORDINGS[Way.CRITERIA]:
        assert '{"name": 3}' in template.system


def test_a_template_of_the_studys_own_has_no_other_wordings() -> None:
    own = BUILT_IN[Way.POINTS]
    assert other_wordings(own) == WORDINGS[Way.POINTS]
    assert other_wordings(Template("mine", Way.POINTS, own.system, own.user, 1)) == ()


@pytest.mark.parametrize("way", list(WORDINGS))
@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_an_injection_asks_for_the_top_of_the_scale_and_stays_in_the_story(injection, way: Way) -> None:  # type: ignore[no-untyped-def]
    text = injection.into("Once there was a cat.", MANS.main, way)
    assert "Once there was a cat." in text
    assert str(MANS.main.highest) in text
    assert not HOLDER.search(text)
    user = messages(BUILT_IN[way], MANS, MANS.main, (), Story(text, "An opening."))[-1].text
    assert user.count("</story>") == 1
    assert user.index(str(MANS.main.highest)) < user.index("</story>")
