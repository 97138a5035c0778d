"""Files of ratings alone, ours and others'."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core.errors import InputError
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.encoding import encoded
from core.formats.exports.package import write_file
from core.formats.exports.reading import read_export
from core.formats.exports.rows import TABLES
from core.formats.stories.blocks import survey_of
from core.formats.stories.choice import StoryChoice
from core.stories import Source, StoryRecord
from tests.core.formats.exports.conftest import KIM, PANELS, RATINGS, rated_in


def file_of(folder: Path, rows: list[dict[str, object]], suffix: str = "csv") -> Path:
    """A file that somebody else made with the usual tools."""
    path = folder / f"theirs.{suffix}"
    if suffix == "csv":
        names = list(dict.fromkeys(name for row in rows for name in row))
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            writer.writerows(rows)
    elif suffix == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        pd.DataFrame(rows).to_parquet(path)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_export(path)
    return str(caught.value)


def test_our_own_ratings_without_the_manifest(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"ratings.{kind}"
    write_file(encoded(RATINGS, TABLES["ratings"], kind), path)
    restored = read_export(path)
    assert (restored.manifest, restored.scheme_key, restored.raters_identified) == (None, "mans", False)
    assert {story.key for story in restored.stories} == {"p1/a", "p1/h", "p1/n"}  # the fourth is empty
    assert [(p.annotator, p.state, p.valid, p.reason, p.appeal) for p in restored.panels] == [
        (p.annotator, p.state, p.valid, p.reason, p.appeal) for p in PANELS
    ]
    assert [p.person for p in restored.panels] == [True, True, False, True]
    assert rated_in(restored, 0) == ("p1/n", "p1/a", "p1/h")
    assert [r.overall for r in restored.ratings] == [1.0, 2.0, 5.0, 1.0, 2.5, 3.0]
    assert restored.ratings[1].evidence == RATINGS[1].evidence


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_story_and_a_number_are_enough(tmp_path: Path, suffix: str) -> None:
    given = (("a", 1), ("b", 4), ("a", 5))
    rows: list[dict[str, object]] = [{"story_id": key, "overall": value} for key, value in given]
    restored = read_export(file_of(tmp_path, rows, suffix))
    assert (restored.scheme_key, restored.stories, restored.raters_identified) == ("", (), False)
    assert [(panel.annotator, panel.person) for panel in restored.panels] == [("rater 1", False), ("rater 2", False)]
    assert [rated_in(restored, place) for place in (0, 1)] == [("a", "b"), ("a",)]
    assert [(r.panel, r.story_key, r.overall) for r in restored.ratings] == [
        (0, "a", 1.0),
        (0, "b", 4.0),
        (1, "a", 5.0),
    ]
    assert all(panel.valid and panel.state == "imported" for panel in restored.panels)


def test_named_annotators_and_texts(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"story_id": "a", "prompt": "Go.", "story": "One.", "system": "s", "annotator": "Ann", "overall": 3},
        {"story_id": "b", "prompt": "Go.", "story": "Two.", "system": "t", "annotator": "Ann", "overall": 4},
        {"story_id": "c", "prompt": "", "story": "Three.", "system": "t", "annotator": "Ann", "overall": 5},
    ]
    rows[0]["deductions"] = json.dumps({"chaotic scenes": 2})
    rows[1]["mood"] = "fine"
    restored = read_export(file_of(tmp_path, rows))
    assert restored.stories[0] == StoryRecord("a", "Go.", "Go.", "One.", Source.SYSTEM, "s")
    assert [(panel.prompt_key, panel.person) for panel in restored.panels] == [("Go.", True), ("c", True)]
    assert [rated_in(restored, place) for place in (0, 1)] == [("a", "b"), ("c",)]
    assert restored.ratings[0].deductions == {"chaotic scenes": 2}
    assert restored.raters_identified
    assert restored.notices == ("Columns that are not used: mood.",)


def test_panels_are_cut_by_the_prompts_of_the_study(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"story_id": key, "annotator": who, "overall": 3} for who in ("Ann", "Bo") for key in ("a", "b", "c")
    ]
    restored = read_export(file_of(tmp_path, rows)).placed({"a": "p", "b": "q", "c": "p", "d": "q"})
    assert [(panel.annotator, panel.prompt_key) for panel in restored.panels] == [
        ("Ann", "p"),
        ("Ann", "q"),
        ("Bo", "p"),
        ("Bo", "q"),
    ]
    assert [rated_in(restored, place) for place in range(4)] == [("a", "c"), ("b",)] * 2
    assert [rating.panel for rating in restored.ratings] == [0, 1, 0, 2, 3, 2]
    with pytest.raises(InputError, match=r"theirs.csv, line 3, column 'story_id': there is no story 'b'; import the"):
        read_export(file_of(tmp_path, rows)).placed({"a": "p"})
    for row in rows:
        row["prompt_id"] = "p"
    with pytest.raises(InputError, match=r"line 3, column 'prompt_id': the story 'b' belongs to the prompt 'q'"):
        read_export(file_of(tmp_path, rows)).placed({"a": "p", "b": "q", "c": "p"})


BASE = {"story_id": "a", "story": "One.", "prompt": "Go.", "prompt_id": "p", "annotator": "Ann", "overall": "3"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "column 'story_id': 'Ann' rates 'a' twice; if in two panels, name the column of their ids (panel)."),
        ({"overall": ""}, "column 'overall': there is no rating."),
        ({"overall": "good"}, "column 'overall': 'good' is not a number."),
        ({"overall": "inf"}, "column 'overall': inf is not a finite number."),
        ({"overall": "1_0"}, "column 'overall': '1_0' is not a number."),
        ({"story_id": ""}, "column 'story_id': there is no id of a story."),
        ({"story_id": "x" * 201}, "column 'story_id': an id or name has at most 200 characters."),
        ({"annotator": "x" * 201}, "column 'annotator': there are more than 200 characters."),
        ({"story": "Two."}, "column 'story_id': 'a' has another text, prompt, source or system further up."),
        ({"story_id": "b", "prompt": "Stay."}, "column 'prompt': the prompt 'p' has another text further up."),
        ({"source": "dog"}, "column 'source': a source is human, system or negative, not 'dog'."),
        ({"scheme": "stars"}, "column 'scheme': there is one scheme a file, of mans, union"),
        ({"story_id": "b", "state": "open"}, "column 'state': line 2 says '' of the same panel."),
        ({"story_id": "b", "reason": "no"}, "column 'reason': line 2 says '' of the same panel."),
        ({"deductions": "[1]"}, "column 'deductions': expected an object from error type to points"),
        ({"deductions": '{"chaotic scenes": "2"}'}, "column 'deductions': expected an object"),
        ({"position": "first"}, "column 'position': 'first' is not a number."),
        ({"position": "1e300"}, "column 'position': '1e300' is not a whole number."),
        ({"started_at": "2026-13-01"}, "column 'started_at': '2026-13-01' is not a time"),
    ],
    ids=str,
)
def test_what_cannot_be_is_named(tmp_path: Path, change: dict[str, str], words: str) -> None:
    names = dict.fromkeys([*BASE, *change], "")
    rows: list[dict[str, object]] = [{**names, **BASE}, {**names, **BASE, **change}]
    sentence = refusal(file_of(tmp_path, rows))
    assert sentence.startswith("theirs.csv, line 3, column")
    assert words in sentence


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    for content, words in (
        (b"", "r.csv is empty"),
        (b"story_id,overall\n", "r.csv holds no ratings."),
        (
            b"story_id,stars\na,1\n",
            "r.csv has no column 'overall'; say which one holds it, or name the columns of "
            "criteria. Its columns are: story_id,",
        ),
        (b"story_id,story_id\na,1\n", "r.csv, line 1: a column's name stands twice."),
        (b"story_id,overall\na,1,2\n", "r.csv, line 2: 3 fields, but the first line names 2"),
        (b'story_id,overall\na,"1\nb,2\n', "r.csv, line 2: this is not a table (unexpected end of data)."),
        (b"story_id,overall\na,1\nb\xff,2\n", "r.csv, line 3: this is not UTF-8 text"),
    ):
        path.write_bytes(content)
        assert words in refusal(path), content
    other = tmp_path / "r.jsonl"
    for text, words in (
        ('{"story_id": "a", "overall": 1}\n[]\n', "r.jsonl, line 2: expected an object with named fields."),
        ('{"story_id": "a", "overall": 1}\n{\n', "r.jsonl, line 2: this is not JSON"),
        ('{"story_id": "a"}\n', "r.jsonl has no column 'overall'"),
        (
            '{"story_id": "a", "overall": 1}\n{"story_id": "b"}\n',
            "r.jsonl, line 2, column 'overall': there is no",
        ),
    ):
        other.write_text(text)
        assert words in refusal(other), text
    (tmp_path / "r.parquet").write_bytes(b"PAR1")
    assert "not a Parquet file" in refusal(tmp_path / "r.parquet")


def test_cells_and_times_of_other_tools(tmp_path: Path) -> None:
    row = {"story_id": "'=1", "overall": "'-1", "annotator": KIM, "saved_at": "2026-01-02 03:04:05", "valid": "TRUE"}
    restored = read_export(file_of(tmp_path, [row]))
    assert (restored.ratings[0].story_key, restored.ratings[0].overall) == ("=1", -1.0)
    assert restored.ratings[0].saved_at is not None
    assert restored.ratings[0].saved_at.isoformat() == "2026-01-02T03:04:05+00:00"
    precise = pd.to_datetime(["2026-01-02T03:04:05.123456789"])
    frame = pd.DataFrame({"story_id": ["a"], "overall": [2], "saved_at": precise})
    frame.to_parquet(tmp_path / "r.parquet")
    (rating,) = read_export(tmp_path / "r.parquet").ratings
    assert rating.saved_at is not None
    assert rating.saved_at.isoformat() == "2026-01-02T03:04:05.123456+00:00"


def test_ratings_of_empty_stories_are_left_out_and_named(tmp_path: Path) -> None:
    texts = ("He ran.", "", "She sat.")
    path = file_of(tmp_path, [{"story": text, "overall": 3} for text in texts], "csv")
    restored = read_export(path)
    assert (len(restored.ratings), restored.nameless.named) == (2, "line 3")
    with pytest.raises(InputError, match="line 3 has neither a story nor its id"):
        restored.check_named()
    left = read_export(path, choice=ColumnChoice(without_empty=True))
    left.check_named()
    assert left.empty.left_sentence() == "1 row with 1 rating left out, as the story is empty: line 3."
    (tmp_path / "ids").mkdir()
    rows: list[dict[str, object]] = [{"story_id": text or "x", "story": text, "overall": 3} for text in texts]
    path = file_of(tmp_path / "ids", rows, "csv")
    assert [given.story_key for given in read_export(path).ratings] == ["He ran.", "x", "She sat."]
    assert len(read_export(path, choice=ColumnChoice(without_empty=True)).ratings) == 2


def test_blanks_are_an_empty_story_and_rows_are_counted_with_their_ratings(tmp_path: Path) -> None:
    path = tmp_path / "lab.csv"
    path.write_text('story,Ann,Ben,Caro\n"He\nran.",1,2,3\n,1,2,3\n"  ",1,,3\nShe sat.,1,2,3\n')
    choice = ColumnChoice(criteria=(("overall", "Ann+Ben+Caro"),))
    restored = read_export(path, choice=choice)
    assert (len(restored.ratings), [story.text for story in restored.stories]) == (6, ["He\nran.", "She sat."])
    assert (restored.nameless.named, restored.nameless.counted) == ("lines 3 and 4", "2 rows with 5 ratings")
    assert not any("empty" in notice for notice in restored.notices)
    left = read_export(path, choice=replace(choice, without_empty=True))
    assert (len(left.ratings), left.stories) == (6, restored.stories)
    assert left.empty.left_sentence() == "2 rows with 5 ratings left out, as the story is empty: lines 3 and 4."
    of_stories = survey_of(path, StoryChoice((("text", "story"),), defaults=False)).empty
    assert of_stories.named == left.empty.named


def test_a_cell_that_is_no_number_says_what_to_do(tmp_path: Path) -> None:
    path = file_of(tmp_path, [{"story_id": "a", "overall": "good"}], "csv")
    assert refusal(path).endswith(
        "column 'overall': 'good' is not a number. A rating is a number, or yes or no (true or false). Correct it in "
        "the file and import it again."
    )
    path.write_text("story,Ann,Ben\nHe ran.,1,good\n")
    with pytest.raises(InputError) as caught:
        read_export(path, choice=ColumnChoice(criteria=(("overall", "Ann+Ben"),)))
    assert str(caught.value).endswith(
        "line 2, column 'Ben': 'good' is not a number. A rating is a number, or yes or no (true or false). Correct it "
        "in the file, or leave the cell empty, and import it again."
    )
    path.write_text("story,Ann,Ben\nHe ran.,1,good\nShe ran.,poor,\nThey ran.,2,\n")
    with pytest.raises(InputError) as caught:
        read_export(path, choice=ColumnChoice(criteria=(("overall", "Ann+Ben"),)))
    assert "'good' is not a number. 2 cells are not numbers. A rating is a number, or" in str(caught.value)


def test_decimal_commas_are_read_and_said(tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text("story;system;overall\nHe ran, fast.;a;4,5\nShe ran.;b;3\nThey ran.;a;1,5\n")
    brought = read_export(path)
    assert [rating.values["overall"] for rating in brought.ratings] == [4.5, 3, 1.5]
    assert "Decimal commas were read in 2 numbers: 4,5 as 4.5." in brought.notices
    path.write_text('story,system,overall\nHe ran.,a,"1,000"\n')
    assert "'1,000' may be 1000 or 1.000: write it without the comma." in refusal(path)


def test_ratings_of_nothing_but_empty_stories_are_refused(tmp_path: Path) -> None:
    path = file_of(tmp_path, [{"story": "", "overall": 3}], "csv")
    assert refusal(path) == "theirs.csv holds no ratings of a story that is not empty."


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("words", [("Yes", "no "), (True, False), ("TRUE", "false")])
def test_votes_in_words_are_ratings_of_1_and_0(tmp_path: Path, kind: str, words: tuple[object, object]) -> None:
    rows: list[dict[str, object]] = [
        {"story": f"Story {number}.", "annotator": "Ann", "overall": words[number % 2]} for number in range(3)
    ]
    restored = read_export(file_of(tmp_path, rows, kind))
    assert [rating.values["overall"] for rating in restored.ratings] == [1, 0, 1]
    assert restored.scale == ((0, "No"), (1, "Yes"))
    assert "3 ratings in words: yes (or true) was read as 1, no (or false) as 0." in restored.notices


def test_a_vote_among_other_ratings_is_refused_and_so_is_a_word_that_is_none(tmp_path: Path) -> None:
    def rows(*ratings: object) -> Path:
        return file_of(tmp_path, [{"story": f"Story {place}.", "overall": it} for place, it in enumerate(ratings)])

    assert refusal(rows("yes", 4, 5)).endswith(
        "line 4, column 'overall': a rating of 5 stands among others in words: write all of them as numbers."
    )
    assert refusal(rows("good", 4)) == (
        "theirs.csv, line 2, column 'overall': 'good' is not a number. A rating is a number, or yes or no (true or "
        "false). Correct it in the file and import it again."
    )
    assert [rating.values["overall"] for rating in read_export(rows("yes", 0, 1)).ratings] == [1, 0, 1]
