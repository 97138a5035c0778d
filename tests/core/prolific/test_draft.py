"""A draft's size, money and codes, by hand."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.panel import End
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study, StudyState
from core.errors import InputError
from core.prolific.draft import Draft, Numbers, codes_of, proposed
from core.recruitment import Recruitment
from db.audit import now

CODES = {end: f"CODE{number}" for number, end in enumerate(End)}
ENTRY = "https://rate.example.org/join/x?PROLIFIC_PID={{%PROLIFIC_PID%}}"


def study(**changes: Any) -> Study:
    made = Study(
        1, "roc-2026", "mans", QualityRules(), StudyState.OPEN, True, False, "1", now(),
        codes=CODES, recruitment=Recruitment("prolific", audience="rate.example.org"),
    )  # fmt: skip
    return replace(made, **changes)


NUMBERS = Numbers(left=50, a_person=10, most_at_once=5, minutes=2.5, hundredths=150)


@pytest.mark.parametrize(
    ("left", "a_person", "most", "places"),
    [
        (50, 10, 5, 5),  # ten prompts, five ratings each
        (50, 4, 5, 13),
        (5, 10, 5, 5),  # one prompt lacks five, which one person cannot give
        (0, 10, 0, 1),
        (0, 0, 0, 1),
    ],
)
def test_places(left: int, a_person: int, most: int, places: int) -> None:
    assert Numbers(left, a_person, most, None, None).places == places


@given(st.lists(st.integers(0, 6), min_size=1, max_size=8), st.integers(1, 8))
def test_so_many_people_are_enough_and_fewer_are_not(missing: list[int], limit: int) -> None:
    """People who give as much as they can, each to the prompts that lack most, no prompt twice."""
    a_person = min(limit, len(missing))
    places = Numbers(sum(missing), a_person, max(missing), None, None).places
    for number, enough in ((places, True), (places - 1, False)):
        left = list(missing)
        for _ in range(number):
            for prompt in sorted(range(len(left)), key=lambda place: -left[place])[:a_person]:
                left[prompt] = max(0, left[prompt] - 1)
        if sum(missing):
            assert (sum(left) == 0) is enough


def test_the_proposal_and_what_is_sent() -> None:
    draft = proposed(study(), NUMBERS, ENTRY, {"description": "Read <b>well</b> & rate.\n\nThen stop.", "name": None})
    assert (draft.places, draft.minutes, draft.reward) == (5, 25, 1_500)
    assert (draft.hourly, draft.rewards) == (3_600, 7_500)
    draft.check()
    body = draft.body()
    assert body["description"] == "<p>Read &lt;b&gt;well&lt;/b&gt; &amp; rate.</p><p>Then stop.</p>"
    assert body["external_study_url"] == ENTRY
    assert body["is_external_study_url_secure"] is True
    assert body["internal_name"] == "roc-2026"
    assert "roc-2026" not in body["name"]
    assert "project" not in body
    assert "is_external_study_url_secure" not in replace(draft, secured=False).body()
    assert replace(draft, project=" 7 ").body()["project"] == "7"


def test_every_end_has_a_code_and_an_action() -> None:
    actions = {code.end: code.action for code in codes_of(study())}
    reviewed = {End.COMPLETE, End.EXPIRED, End.NOT_QUALIFIED}  # people paused by rule have handed something in
    assert set(actions) == set(End)
    assert {end for end, action in actions.items() if action == "MANUALLY_REVIEW"} == reviewed
    without = {code.end: code.action for code in codes_of(study(rules=QualityRules(pause_after=0)))}
    assert without[End.NOT_QUALIFIED] == "REQUEST_RETURN"
    for code in codes_of(study()):
        (action,) = code.body()["actions"]
        assert bool(action.get("return_reason")) is (code.action == "REQUEST_RETURN")
        assert code.body()["code"] == CODES[code.end]


def test_what_nobody_has_said_is_asked_for() -> None:
    with pytest.raises(InputError, match="how many minutes"):
        proposed(study(), replace(NUMBERS, minutes=None), ENTRY, {})
    assert proposed(study(), replace(NUMBERS, minutes=None), ENTRY, {"minutes": 7}).minutes == 7
    with pytest.raises(InputError, match="what is paid"):
        proposed(study(), replace(NUMBERS, hundredths=None), ENTRY, {})
    with pytest.raises(InputError, match="nobody from Prolific"):
        proposed(study(recruitment=Recruitment("mturk")), NUMBERS, ENTRY, {})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"description": ""}, "description"),
        ({"places": 0}, "places"),
        ({"minutes": 1_441}, "minutes"),
        ({"reward": 0}, "reward"),
        ({"devices": ()}, "devices"),
        ({"devices": ("watch",)}, "devices"),
        ({"address": "http://rate.example.org/join/x"}, "FABULA_ADDRESS"),
        ({"address": "https://localhost/join/x"}, "FABULA_ADDRESS"),
    ],
)
def test_what_prolific_would_refuse(changes: dict[str, Any], says: str) -> None:
    draft: Draft = replace(proposed(study(), NUMBERS, ENTRY, {}), **changes)
    with pytest.raises(InputError, match=says):
        draft.check()
    if "address" in changes:
        draft.check(tried_out=True)
