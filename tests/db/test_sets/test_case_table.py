"""Kept sets as columns: taken together, without what stands twice, with what their scores were when asked."""

import numpy as np
import pytest

from core.errors import NotAllowed, NotFound
from core.people import TERMINAL
from db.test_sets import case_table, test_sets
from db.test_sets.set_scores import read_by
from tests.db.conftest import make_annotator, make_study
from tests.tested import case, discrimination, invariance, keep, read


def test_sets_taken_together(database: str) -> None:
    first, second = keep("a", discrimination(5)), keep("b", invariance(5))
    again = keep("c", [*discrimination(5)[:3], case(90, "causal", 0, "red")])
    read(first)
    read(second, "blind")
    table = case_table.together(TERMINAL, [first, second, again])
    assert [test_set.name for test_set in table.sets] == ["a", "b", "c"]
    assert (len(table.kept), table.twice) == (20 + 10 + 1, 3)
    assert list(dict.fromkeys(table.cases.aspects)) == ["consistency", "causal", "typos"]  # as the papers have them
    assert len(set(table.cases.sources)) == 6  # one human story in all sets
    assert [column.metric for column in table.columns] == ["keen", "blind"]
    keen, blind = table.columns
    places = [number for number, item in enumerate(table.kept) if item.aspect == "causal" and item.id != "s90"]
    assert np.isfinite(keen.texts[places]).all()
    assert np.isnan(keen.texts[table.cases.rows("typos", 0, False)]).all()  # it has not read that text
    assert np.isfinite(blind.texts[table.cases.rows("typos", 0, False)]).all()
    assert table.changed == (10 + 10 + 1, 4)
    lacking, characters = table.left(["keen|v:1"])
    assert lacking == 5 * 2 + 2  # five stories mistyped twice, and the case of the third set with its original
    assert characters > 12 * 20
    assert table.left([])[0] == 0


def test_stories_of_other_studies_are_others(database: str) -> None:
    cases = [case(number, "causal", 0, "red") for number in range(3)]
    numbers = [keep("a", cases, of="study"), keep("b", [case(number, "causal", 1) for number in range(3)], of="other")]
    assert len(set(case_table.together(TERMINAL, numbers).cases.sources)) == 6


def test_stories_of_other_files_are_others(database: str) -> None:
    def sources(**about: str) -> int:
        """Human stories in all, with a set that has the ids of all the others."""
        numbers.append(
            test_sets.add(TERMINAL, f"set {len(numbers)}", [case(1, f"own {len(numbers)}", 0, "red")], about)
        )
        return len(set(case_table.together(TERMINAL, numbers).cases.sources))

    numbers: list[int] = []
    assert sources(file="a.jsonl") == 1
    assert sources(file="a.jsonl") == 1  # the same file again
    assert sources(file="b.jsonl") == 2
    assert sources() == 3  # the demonstration
    assert sources(of="a.jsonl") == 4  # a study of that name
    assert sources(of="", file="") == 4


@pytest.mark.both_databases
def test_struck_cases_do_not_count_and_the_version_knows(database: str) -> None:
    number = keep("a", discrimination(4))
    read(number, undefined="3 cats")
    before = case_table.version(TERMINAL, [number])
    assert case_table.version(TERMINAL, [number]) == before
    table = case_table.together(TERMINAL, [number])
    assert table.undefined["keen|v:1"] == {"it is <b>odd</b>": 3}
    assert table.left(["keen|v:1"]) == (0, 0)  # undefined is answered, too
    test_sets.strike(TERMINAL, number, test_sets.cases(TERMINAL, number)[0].id, True)
    struck = case_table.version(TERMINAL, [number])
    assert struck != before
    assert len(case_table.together(TERMINAL, [number]).kept) == len(table.kept) - 1
    read(number, "blind")
    assert case_table.version(TERMINAL, [number]) != struck


@pytest.mark.both_databases
def test_the_newest_set_of_either_test_with_the_same_signature(database: str) -> None:
    old, new, other = keep("old", discrimination(4)), keep("new", discrimination(5)), keep("inv", invariance(4))
    for number in (old, new, other):
        read(number)
    read(new, "keen", "keen|v:2")
    assert case_table.newest_read_by(TERMINAL, "keen", "keen|v:1") == [new, other]
    assert case_table.newest_read_by(TERMINAL, "keen", "keen|v:2") == [new]
    assert case_table.newest_read_by(TERMINAL, "blind", "blind|v:1") == []
    assert len(read_by(TERMINAL, new)) == 2
    capability_in_report = case_table.sees(TERMINAL, "keen", "keen|v:1", seed=1, resamples=50)
    assert capability_in_report is not None
    assert capability_in_report.sets == ("new", "inv")
    assert {row.signature for row in capability_in_report.found.rows} == {"keen|v:1"}
    assert case_table.sees(TERMINAL, "blind", "blind|v:1", seed=1, resamples=50) is None
    assert case_table.newest_version(TERMINAL, "blind", "blind|v:1") == ()


def test_a_deleted_set_and_an_annotator(database: str) -> None:
    number = keep("a", discrimination(4))
    rater = make_annotator(make_study(), "Ada")
    with pytest.raises(NotAllowed):
        case_table.together(rater, [number])
    with pytest.raises(NotAllowed):
        case_table.newest_read_by(rater, "keen", "keen|v:1")
    test_sets.remove(TERMINAL, number)
    with pytest.raises(NotFound):
        case_table.version(TERMINAL, [number])
    with pytest.raises(NotFound):
        case_table.together(TERMINAL, [number])
