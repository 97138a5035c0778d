"""Who may do what."""

import pytest

from core.errors import FabulaError, NotAllowed
from core.people import TERMINAL, Person, Role


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (Role.ANNOTATOR, {Role.ANNOTATOR}),
        (Role.RESEARCHER, {Role.ANNOTATOR, Role.RESEARCHER}),
        (Role.OWNER, {Role.ANNOTATOR, Role.RESEARCHER, Role.OWNER}),
    ],
)
def test_a_role_includes_those_below_it(role: Role, allowed: set[Role]) -> None:
    person = Person(1, "someone", role)
    assert {wanted for wanted in Role if person.may(wanted)} == allowed
    for wanted in allowed:
        person.must_be(wanted)


def test_must_be_says_which_role_is_needed() -> None:
    with pytest.raises(NotAllowed, match="needs a link with the role owner; yours is annotator") as caught:
        Person(1, "someone", Role.ANNOTATOR).must_be(Role.OWNER)
    assert isinstance(caught.value, FabulaError)


def test_the_terminal_is_the_owner() -> None:
    assert TERMINAL.id is None
    assert TERMINAL.may(Role.OWNER)
