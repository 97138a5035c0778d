"""Test sets in the database: kept whole or not at all, named once, found, struck out, deleted; and who may."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from core.errors import InputError, NotAllowed, NotFound
from core.formats.perturbed import read_cases, write_cases
from core.people import TERMINAL, Person, Role
from core.perturb.cases import Case, Of
from core.perturb.edits import Draft, Perturbed
from core.perturb.test_sets.aspects import Aspect, Change, Test
from core.perturb.test_sets.test_set import SetDescription, description_of_file
from core.trail import WORDS
from db.engine import reading
from db.people import people
from db.schema import event, test_case, test_set
from db.test_sets import case_search, test_sets
from db.test_sets.case_search import AspectCount, CaseQuery, Showing
from tests.db.conftest import make_annotator, make_study
from tests.db.crowd import at_once, failures

STORY = "It was late. The old man slept 😴. His dog ran home."


def good(key: str, aspect: str = Aspect.CHARACTER, text: str = STORY) -> Case:
    return Case(key, aspect, 1, "Once.", Perturbed(text, text, (), ()))


def bad(key: str, aspect: str = Aspect.CHARACTER, acceptable: float | None = None, text: str = STORY) -> Case:
    draft = Draft(text)
    draft.step("swap roles", "a way", [(0, 2, "He")])
    draft.step("deny", "another", [(3, 6, "wasn't"), (7, 11, "early")])
    return Case(key, aspect, 0, "Once.", draft.done(), "" if key.startswith("p") else "p9", Of.HUMAN, acceptable)


CASES = (
    *(good("p1"), bad("p1", acceptable=0.9), good("p2"), bad("p2", acceptable=0.2), bad("x")),
    *(bad("p1", Aspect.CAUSAL), bad("p3", "my *own*", 0.5)),
)


def add(cases: Sequence[Case] = CASES, name: str = "mine") -> int:
    return test_sets.add(TERMINAL, name, cases, replace(description_of_file(cases, "f"), stories=4).as_json())


def researcher() -> Person:
    person = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert person is not None
    return person


def rows(table: Any) -> int:
    with reading() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


@pytest.mark.both_databases
def test_what_is_kept_is_what_comes_back(database: str) -> None:
    by = researcher()
    number = test_sets.add(
        by, "  my   set ", CASES, SetDescription(4, ["a"], {"coherent": (1.5, 2.0)}, seed=3).as_json()
    )
    (kept,) = test_sets.listed(by)
    assert (kept.id, kept.name, kept.test, kept.cases, kept.struck) == (number, "my set", Test.DISCRIMINATION, 7, 0)
    assert kept.about["lengths"] == {"coherent": [1.5, 2.0]}
    assert kept.created_at.tzinfo is not None
    assert test_sets.find(by, "my set") == kept
    with pytest.raises(NotFound, match="no test set named 'other'; there are: my set"):
        test_sets.find(by, "other")
    assert tuple(case.case for case in test_sets.cases(by, number)) == CASES
    assert [case.case.id for case in test_sets.cases(by, number, Aspect.CAUSAL)] == ["p1"]
    changes = [Case(f"p{i}/{of}", Change.TYPOS, 1, "", good("p").perturbed, f"p{i}", of) for i in (1, 2) for of in Of]
    other = add(changes, "other")
    assert test_sets.find(by, "other").test is Test.INVARIANCE
    assert [case.case for case in test_sets.cases(by, other)] == changes
    assert [kept_set.name for kept_set in test_sets.listed(by)] == ["other", "my set"]


def test_more_cases_than_a_statement_takes(database: str) -> None:
    cases = [bad(f"p{i}") for i in range(2 * test_sets.AT_ONCE + 1)]
    assert [case.case for case in test_sets.cases(TERMINAL, add(cases))] == cases


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
cases_ = st.builds(
    lambda i, before, after, prompt, way, p, of: Case(
        f"k{i}", Aspect.CAUSAL, 0, prompt, _replaced(before, after, way), "human", of, p
    ),
    *(st.integers(0, 10**6), texts, texts, texts, texts),
    st.none() | st.floats(0, 1),
    st.sampled_from(Of),
)


def _replaced(before: str, after: str, way: str) -> Perturbed:
    draft = Draft(before)
    draft.step("technique", way, [(0, len(before), after)])
    return draft.done()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(cases=st.lists(cases_, min_size=1, max_size=5, unique_by=lambda case: case.id))
def test_export_and_import_give_the_same_cases(database: str, tmp_path: Path, cases: list[Case]) -> None:
    for kept_set in test_sets.listed(TERMINAL):
        test_sets.remove(TERMINAL, kept_set.id)
    kept = [case.case for case in test_sets.cases(TERMINAL, add(cases, "first"))]
    write_cases(kept, tmp_path / "set.jsonl")
    again = test_sets.cases(TERMINAL, add(read_cases(tmp_path / "set.jsonl"), "second"))
    assert [kept_case.case for kept_case in again] == kept == cases


def test_names(database: str) -> None:
    add()
    for name in ("", "  ", "x" * 201, "\n", "a\0b"):
        with pytest.raises(InputError, match="needs a name of at most 200 characters"):
            test_sets.check_name(TERMINAL, name)
    for taken in ("mine", " mine "):
        with pytest.raises(InputError, match="There is a test set named 'mine' already"):
            test_sets.check_name(TERMINAL, taken)
        with pytest.raises(InputError, match="There is a test set named 'mine' already"):
            add(name=taken)
    assert test_sets.check_name(TERMINAL, " a  *b* ") == "a *b*"
    with pytest.raises(InputError, match="no cases to keep"):
        add([], "empty")
    assert rows(test_set) == 1


def test_all_of_a_set_or_nothing(database: str) -> None:
    broken = replace(CASES[0], label=None)  # type: ignore[arg-type]
    cases = [*[bad(f"p{i}") for i in range(test_sets.AT_ONCE)], broken]
    with pytest.raises(IntegrityError, match="label"):  # and nothing is said of the name
        add(cases)
    assert (rows(test_set), rows(test_case), rows(event)) == (0, 0, 0)
    assert add() > 0


@pytest.mark.both_databases
def test_of_two_who_take_a_name_at_once_one_is_told(database: str) -> None:
    result = at_once(*[partial(add, CASES, "same")] * 2)
    (input_error,) = failures(result)
    assert isinstance(input_error, InputError)
    assert "There is a test set named 'same' already" in str(input_error)
    assert (rows(test_set), rows(test_case)) == (1, len(CASES))


@pytest.mark.both_databases
def test_struck_out_and_taken_in_again(database: str) -> None:
    by, number = researcher(), add()
    first = test_sets.version(by, number)
    kept_case = test_sets.cases(by, number)[1]
    test_sets.strike(by, number, kept_case.id, True)
    test_sets.strike(by, number, kept_case.id, True)  # a double click
    assert (test_sets.listed(by)[0].cases, test_sets.listed(by)[0].struck) == (6, 1)
    assert case_search.kept_case(by, number, kept_case.id) == replace(kept_case, struck=True)
    assert kept_case.id not in [kept.id for kept in test_sets.cases(by, number, struck=False)]
    assert [kept.id for kept in test_sets.cases(by, number, struck=True)] == [kept_case.id]
    second = test_sets.version(by, number)
    assert second != first
    test_sets.strike(by, number, kept_case.id, False)
    assert test_sets.version(by, number) == first
    with reading() as connection:
        kinds = connection.scalars(select(event.c.kind).order_by(event.c.id)).all()[-2:]
    assert kinds == ["test case struck out", "test case taken in again"]
    assert set(kinds) <= WORDS.keys()


@pytest.mark.both_databases
def test_counted_by_aspect(database: str) -> None:
    number = add()
    out = test_sets.cases(TERMINAL, number)[3]
    test_sets.strike(TERMINAL, number, out.id, True)
    assert case_search.counts(TERMINAL, number) == [
        AspectCount(Aspect.CHARACTER, Of.HUMAN, 2, 2, 2, 1, 0.5),
        AspectCount(Aspect.CAUSAL, Of.HUMAN, 0, 1, None, 0, 0.25),
        AspectCount("my *own*", Of.HUMAN, 0, 1, 1, 0, 0.25),
    ]
    test_sets.strike(TERMINAL, number, out.id, False)
    assert case_search.counts(TERMINAL, number)[0].passed == 2  # .9 and what nobody judged, not .2
    about = SetDescription(1, [Change.TYPOS, Change.SYNONYMS], {}).as_json()
    case = Case("p", Change.SYNONYMS, 0, "", bad("p").perturbed, "", Of.INCOHERENT)
    aspect_counts = case_search.counts(TERMINAL, test_sets.add(TERMINAL, "other", [case], about))
    assert [(row.aspect, row.of, row.changed, row.nothing) for row in aspect_counts] == [
        (Change.TYPOS, Of.HUMAN, 0, True),
        (Change.TYPOS, Of.INCOHERENT, 0, True),
        (Change.SYNONYMS, Of.HUMAN, 0, True),
        (Change.SYNONYMS, Of.INCOHERENT, 1, False),
    ]
    nameless = case_search.counts(TERMINAL, test_sets.add(TERMINAL, "bare", [case], {}))
    assert [row.share for row in nameless] == [None]


@pytest.mark.both_databases
def test_cases_are_found(database: str) -> None:
    number = add()
    ids = [case.id for case in test_sets.cases(TERMINAL, number)]
    test_sets.strike(TERMINAL, number, ids[4], True)

    def found(**wanted: Any) -> list[int]:
        return [ids.index(place) for place in case_search.places(TERMINAL, number, CaseQuery(**wanted))]

    assert found() == [1, 3, 4, 5, 6]
    assert found(aspect=Aspect.CHARACTER) == [1, 3, 4]
    assert found(showing=Showing.PASSING) == [1, 4, 5, 6]
    assert found(showing=Showing.FAILING) == [3]
    assert found(showing=Showing.STRUCK) == [4]
    assert found(showing=Showing.UNCHANGED) == [0, 2]
    assert found(words="EARLY") == [1, 3, 4, 5, 6]
    assert found(words="was late") == [1, 3, 4, 5, 6]  # what went is found too
    assert found(words="p9") == [4]
    assert found(words="p1", showing=Showing.UNCHANGED) == [0]
    assert found(words="100%_") == []
    other = add([bad("p7")], "other")
    assert not set(case_search.places(TERMINAL, other, CaseQuery())) & set(ids)


@pytest.mark.both_databases
def test_a_deleted_set_is_a_sentence(database: str) -> None:
    number = add()
    case = test_sets.cases(TERMINAL, number)[0].id
    test_sets.remove(TERMINAL, number)
    test_sets.remove(TERMINAL, number)  # in a second tab
    assert (rows(test_set), rows(test_case)) == (0, 0)
    asked: list[Callable[[], object]] = [
        lambda: test_sets.cases(TERMINAL, number),
        lambda: test_sets.strike(TERMINAL, number, case, True),
        lambda: test_sets.version(TERMINAL, number),
        lambda: case_search.counts(TERMINAL, number),
        lambda: case_search.places(TERMINAL, number, CaseQuery()),
        lambda: case_search.kept_case(TERMINAL, number, case),
    ]
    for ask in asked:
        with pytest.raises(NotFound, match="not there any more; choose another"):
            ask()
    assert add() > number  # its number is nobody else's, but a case's may be
    with pytest.raises(NotFound):
        test_sets.strike(TERMINAL, number, case, True)
    assert test_sets.listed(TERMINAL)[0].struck == 0
    with reading() as connection:
        assert connection.scalars(select(event.c.kind).order_by(event.c.id)).all() == [
            "test set added", "test set deleted", "test set added",
        ]  # fmt: skip


def test_annotators_may_nothing(database: str) -> None:
    number = add()
    case = test_sets.cases(TERMINAL, number)[0].id
    annotator = make_annotator(make_study())
    asked: list[Callable[[], object]] = [
        lambda: test_sets.check_name(annotator, "x"),
        lambda: test_sets.add(annotator, "x", CASES, {}),
        lambda: test_sets.listed(annotator),
        lambda: test_sets.find(annotator, "mine"),
        lambda: test_sets.cases(annotator, number),
        lambda: test_sets.strike(annotator, number, case, True),
        lambda: test_sets.version(annotator, number),
        lambda: test_sets.remove(annotator, number),
        lambda: case_search.counts(annotator, number),
        lambda: case_search.places(annotator, number, CaseQuery()),
        lambda: case_search.kept_case(annotator, number, case),
    ]
    for ask in asked:
        with pytest.raises(NotAllowed):
            ask()
    assert test_sets.find(TERMINAL, "mine").struck == 0
