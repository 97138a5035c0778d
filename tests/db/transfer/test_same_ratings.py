"""The same ratings do not come in twice, whatever their raters are called."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from db.studies import past_imports, studies
from db.transfer import rating_imports, take_back

STORIES = 6
Bring = Callable[..., int]
GIVEN = [[1 + (row * step) % 5 for step in (1, 2, 3)] for row in range(STORIES)]


@pytest.fixture
def bring(database: str, tmp_path: Path) -> Bring:
    """Imports a file with a column a rater into the study `lab`; returns how many ratings that has then."""

    def bring(given: Sequence[Sequence[int]], *, same: bool, raters: Sequence[str] = ("r1", "r2", "r3")) -> int:
        path = tmp_path / "lab.csv"
        rows = [f"{n},Go {n}.,m,It was {n},{','.join(map(str, numbers))}" for n, numbers in enumerate(given)]
        columns = [f"wit_{rater}" for rater in raters]
        path.write_text("\n".join([f"id,prompt,system,story,{','.join(columns)}", *rows]) + "\n", encoding="utf-8")
        choice = ColumnChoice(criteria=(("wit", "+".join(columns)),), same_raters=same)
        rating_imports.import_ratings(TERMINAL, "lab", read_export(path, choice=choice))
        return ratings()

    return bring


def ratings() -> int:
    (summary,) = studies.summaries(TERMINAL)
    return summary.ratings


def refused(bring: Bring, given: Sequence[Sequence[int]], *, same: bool, raters: Sequence[str]) -> str:
    before = ratings()
    with pytest.raises(InputError) as caught:
        bring(given, same=same, raters=raters)
    assert ratings() == before
    return str(caught.value)


@pytest.mark.both_databases
def test_ratings_whose_raters_alone_are_new_wait_until_the_others_are_taken_back(bring: Bring) -> None:
    raters = ("anna", "ben", "carla")
    assert bring(GIVEN, same=False) == 18
    turned = [numbers[::-1] for numbers in GIVEN]  # whoever gave them
    assert refused(bring, turned, same=True, raters=raters) == (
        "The study 'lab' has these ratings already: the import of lab.csv brought exactly the same numbers for 6 "
        "stories, so only who gave them would be new. Take that import back (Last imports on the Import page, or "
        "studies take-back in a terminal), then import this file again as now, with each column the same person in "
        "every row. Nothing was imported."
    )
    (summary,) = studies.summaries(TERMINAL)
    (past,) = past_imports.listed(TERMINAL, summary.study.id)
    take_back.take_back(TERMINAL, summary.study.id, past.id)
    assert bring(turned, same=True, raters=raters) == 18


def test_ratings_that_say_less_than_those_there_would_count_double(bring: Bring) -> None:
    bring(GIVEN, same=True, raters=("anna", "ben", "carla"))
    said = refused(bring, GIVEN[:5], same=False, raters=("r1", "r2", "r3"))
    assert "the same numbers for 5 stories, so a second time they would count double." in said
    assert "with each column" not in said


def test_other_ratings_of_the_same_stories_come_in(bring: Bring) -> None:
    bring(GIVEN, same=False)
    other = [*GIVEN[:-1], [5, 5, 5]]
    assert bring(other, same=True, raters=("anna", "ben", "carla")) == 36
    assert bring(GIVEN[:3], same=True, raters=("dora", "emil", "fay")) == 45  # too few to tell it from chance


def test_people_who_agree_are_two(database: str, tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        path = tmp_path / f"{name}.csv"
        rows = [f"{n},Go {n}.,m,It was {n},{name},{1 + n % 5}" for n in range(20)]
        path.write_text("\n".join(["id,prompt,system,story,annotator,overall", *rows]) + "\n", encoding="utf-8")
        rating_imports.import_ratings(TERMINAL, "lab", read_export(path))
    assert ratings() == 40


def test_equal_ratings_throughout_tell_nothing(bring: Bring) -> None:
    bring([[3, 3, 3]] * STORIES, same=False)
    assert bring([[3, 3, 3]] * STORIES, same=True, raters=("anna", "ben", "carla")) == 36
