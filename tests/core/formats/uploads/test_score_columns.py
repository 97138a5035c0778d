"""Which columns a table of scores offers, in which order, which of them by default, and what is said of the others."""

from pathlib import Path

from core.formats.tables import read_table
from core.formats.uploads.score_columns import OfferedScores, offered_scores


def offered(folder: Path, *lines: str) -> OfferedScores:
    file = folder / "s.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return offered_scores(read_table(file))


def test_judges_and_metrics_come_first_and_peoples_ratings_last_and_unchosen(tmp_path: Path) -> None:
    found = offered(
        tmp_path,
        "id,text,human_rating,ann_01,ann_02,mine,gpt4_judge,Rouge 1,Rouge 2,words",
        "a,One.,3,4,4,0.5,5,1,2,7",
        "b,Two.,,3,,0.25,,3,4,8",
    )
    assert found.columns == {
        "gpt4_judge": 1, "Rouge 1": 2, "Rouge 2": 2, "mine": 2, "words": 2, "human_rating": 1, "ann_01": 2, "ann_02": 1,
    }  # fmt: skip
    assert found.people == ("human_rating", "ann_01", "ann_02")
    assert found.usual == ["gpt4_judge", "Rouge 1", "Rouge 2", "mine", "words"]
    assert found.refused == ()


def test_numbered_columns_of_fractions_are_no_ratings(tmp_path: Path) -> None:
    assert offered(tmp_path, "id,m1,m2", "a,0.5,1", "b,1,2").usual == ["m1", "m2"]


def test_a_column_that_one_cell_keeps_from_being_offered_is_said(tmp_path: Path) -> None:
    found = offered(tmp_path, "id,note,mine,empty", "a,good,1,", "b,2,n/a,", "c,bad,3,")
    assert found.columns == {}
    assert found.refused == ("s.csv, line 3, column 'mine': 'n/a' is not a number.",)
