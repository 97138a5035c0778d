"""Templates: what they must hold, and how they are found."""

from dataclasses import replace

import pytest

from core.annotation.unit import PromptKind
from core.errors import InputError
from core.judges.template import BUILT_IN, BUILT_IN_OF_TASKS, PLACEHOLDERS, Template, Way, filled, template_of

OWN = Template("my own", Way.POINTS, "You judge.", "{opening} {story} {question}", 2)
OF_PAIRS = Template("my own", Way.PAIRS, "You compare.", "{opening} {first} {second} {question} {scale}", 1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"user": "{question}"}, "shows the story once"),
        ({"user": "{story} {story}"}, "shows the story once"),
        ({"system": "{story}"}, "shows the story once"),
        ({"system": "{opening}"}, "prompt is not the same"),
        ({"user": "{story} {sclae}"}, "no placeholder {sclae}; there are {story}"),
        ({"user": "{story}\0"}, "no NUL byte"),
        ({"user": "{story}" + "x" * 20_000}, "at most 20,000"),
        ({"name": "standard"}, "comes with Fabula"),
        ({"name": "a.1"}, "letters, digits"),
        ({"name": ""}, "letters, digits"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused(change: dict[str, str], sentence: str) -> None:
    OWN.check()
    with pytest.raises(InputError) as raised:
        replace(OWN, **change).check()
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"user": "{first} {question}"}, "shows both stories once, in what is asked of one pair: write {first} and"),
        ({"user": "{first} {second} {second}"}, "shows both stories once"),
        ({"system": "{second}"}, "shows both stories once"),
        ({"user": "{first} {second} {story}"}, "of the way pairs has no placeholder {story}; there are {first}"),
        ({"user": "{first} {second} {errors}"}, "of the way pairs has no placeholder {errors}"),
        ({"way": Way.POINTS}, "of the way points has no placeholder {first}; there are {story}"),
    ],
)
def test_a_template_of_pairs_shows_both_stories_once(change: dict[str, str], sentence: str) -> None:
    OF_PAIRS.check()
    with pytest.raises(InputError) as raised:
        replace(OF_PAIRS, **change).check()
    assert sentence in str(raised.value)


@pytest.mark.parametrize("way", Way)
def test_those_for_tasks_say_nothing_of_an_opening(way: Way) -> None:
    of_tasks = template_of("standard", way, PromptKind.TASK)
    assert of_tasks is BUILT_IN_OF_TASKS[way]
    replace(of_tasks, name="copy").check()
    said = of_tasks.system + of_tasks.user
    assert "opening" not in said.replace("{opening}", "")
    assert "written for" in of_tasks.system
    assert said.count("<prompt>") == said.count("</prompt>") == 2
    assert of_tasks.of_tasks
    assert not BUILT_IN[way].of_tasks


@pytest.mark.parametrize("way", Way)
def test_those_that_come_along_are_whole(way: Way) -> None:
    replace(BUILT_IN[way], name="copy").check()
    assert template_of("standard", way, PromptKind.OPENING) is BUILT_IN[way]


def test_a_json_example_is_no_placeholder() -> None:
    replace(OWN, user='{story} {"rating": 4} {}').check()


def test_what_is_put_in_is_not_read_again() -> None:
    assert filled("{story} {opening} {other}", {"story": "{opening}", "opening": "{story}"}) == (
        "{opening} {story} {other}"
    )


def test_a_template_is_found_by_name_or_version() -> None:
    older, other = replace(OWN, version=1), replace(OWN, way=Way.CRITERIA)
    own = (older, other, OWN)
    assert template_of("my own", Way.POINTS, PromptKind.OPENING, own) is OWN
    assert template_of("my own.1", Way.POINTS, PromptKind.OPENING, own) is older
    assert template_of("my own", Way.CRITERIA, PromptKind.OPENING, own) is other
    with pytest.raises(InputError, match=r"no template 'mine' .*there are standard, my own.2, my own.1"):
        template_of("mine", Way.POINTS, PromptKind.OPENING, own)


def test_the_hash_is_of_what_it_says() -> None:
    assert replace(OWN, name="b", version=9).text_hash == OWN.text_hash
    assert replace(OWN, system="You are strict.").text_hash != OWN.text_hash


def test_every_placeholder_is_explained() -> None:
    said = "".join(template.system + template.user for template in BUILT_IN.values())
    assert all(f"{{{name}}}" in said for name in PLACEHOLDERS if name != "criterion")
