"""Scores from files, and tables of scores out."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core.errors import InputError
from core.formats.corpora.mans import read_mans
from core.formats.scores import MetricColumn, numeric_columns, parse_wanted, read_score_table
from core.formats.scores import read_scores as read_several
from core.formats.tables import read_table
from core.stories import ScoreRecord, Source
from tests.core.formats.stories.whole import scores_beside

KEYS = ["a", "b", "c"]


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8", newline="")
    return file


def read_scores(
    file: Path,
    metric: str,
    keys: list[str],
    *,
    id_column: str | None = None,
    score_column: str | None = None,
    negate: bool = False,
) -> ScoreRecord:
    """Of one metric."""
    (score_record,) = read_several(
        file, [MetricColumn(metric, score_column, negate)], keys, id_column=id_column
    ).records
    return score_record


def refusal(file: Path, metric: str = "bleu", **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_scores(file, metric, KEYS, **options)
    return str(caught.value)


def test_a_number_a_line(tmp_path: Path) -> None:
    text = "0.25\n-3\r\n1e-2\n"
    score_record = read_scores(write(tmp_path, "bleu.txt", text), "bleu", KEYS)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert score_record == ScoreRecord("bleu", f"file:{digest}", {"a": 0.25, "b": -3.0, "c": 0.01})
    assert list(score_record.values) == KEYS


def test_negated(tmp_path: Path) -> None:
    file = write(tmp_path, "ppl.txt", "20\n-3\n0.5\n")
    score_record = read_scores(file, "ppl", KEYS, negate=True)
    assert score_record.values == {"a": -20.0, "b": 3.0, "c": -0.5}
    assert score_record.signature == read_scores(file, "ppl", KEYS).signature + "|negated"


@pytest.mark.parametrize("name", ["id", "story_id", "story"])
def test_a_table_with_ids_in_any_order(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, "s.csv", f"other,bleu,{name}\n9,3,c\n9,1,a\n")
    assert read_scores(file, "bleu", KEYS).values == {"c": 3.0, "a": 1.0}


def test_a_table_without_ids_follows_the_stories(tmp_path: Path) -> None:
    assert read_scores(write(tmp_path, "s.csv", "score\n1\n2\n3\n"), "bleu", KEYS).values == {"a": 1, "b": 2, "c": 3}
    assert refusal(write(tmp_path, "s.csv", "score\n1\n2\n")) == (
        "s.csv has 2 scores but the study has 3 stories; give a table with their ids."
    )


def test_columns_by_name(tmp_path: Path) -> None:
    file = write(tmp_path, "s.tsv", "key\tbleu\tscore\tmine\na\t1\t2\t3\n")
    assert read_scores(file, "bleu", KEYS, id_column="key").values == {"a": 1.0}
    assert read_scores(file, "other", KEYS, id_column="key").values == {"a": 2.0}
    assert read_scores(file, "bleu", KEYS, id_column="key", score_column="mine").values == {"a": 3.0}
    known = "its columns are: key, bleu, score, mine."
    assert refusal(file, id_column="nr") == f"s.tsv has no column 'nr'; {known}"
    assert refusal(file, id_column="key", score_column="x") == f"s.tsv has no column 'x'; {known}"
    other = write(tmp_path, "t.csv", "id,value\na,1\n")
    assert refusal(other) == "t.csv has no column 'bleu' or 'score'; its columns are: id, value."


def test_json_lines_and_parquet(tmp_path: Path) -> None:
    rows = [{"id": "b", "score": 0.1}, {"id": "a", "score": 2}]
    file = write(tmp_path, "s.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert read_scores(file, "bleu", KEYS).values == {"b": 0.1, "a": 2.0}
    pd.DataFrame(rows).to_parquet(tmp_path / "s.parquet")
    assert read_scores(tmp_path / "s.parquet", "bleu", KEYS).values == {"b": 0.1, "a": 2.0}
    numbers = write(tmp_path, "n.jsonl", '{"id": 7, "score": 1}\n')
    assert read_scores(numbers, "bleu", ["7"]).values == {"7": 1.0}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("s.txt", "1\n2\n", "s.txt has 2 scores but the study has 3 stories; give a table with their ids."),
        ("s.txt", "1\n2\n3\n4\n", "s.txt has 4 scores but the study has 3 stories; give a table with their ids."),
        ("s.txt", "1\nx\n3\n", "s.txt, line 2: 'x' is not a number."),
        ("s.txt", "1\n\n3\n", "s.txt, line 2: '' is not a number."),
        ("s.txt", "1\nnan\n3\n", "s.txt, line 2: nan is not a finite number."),
        ("s.txt", "1\n2\ninf\n", "s.txt, line 3: inf is not a finite number."),
        ("s.txt", "", "The file s.txt is empty."),
        (
            "s.csv",
            "id,score\nd,1\ne,2\n",
            "No row of s.csv is of a story of this study: the first is of 'd'; its first",
        ),
        ("s.csv", "id,score\na,1\nb,2\na,1\n", "s.csv, line 4: the story 'a' has a score on an earlier row too."),
        ("s.csv", "id,score\na,\n", "s.csv: the column 'score' has no score of a story of this study."),
        ("s.csv", "id,score\na,-Infinity\n", "s.csv, line 2, column 'score': -Infinity is not a finite number."),
        ("s.csv", "id,score\na,1\nb,n/a\n", "s.csv, line 3, column 'score': 'n/a' is not a number."),
        ("s.csv", "id,score\n", "s.csv has no rows."),
        ("s.doc", "1", "s.doc: files ending in .doc are not known"),
    ],
)
def test_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    assert refusal(write(tmp_path, name, text)).startswith(message)


def test_rows_of_human_stories_are_counted_apart(tmp_path: Path) -> None:
    file = write(tmp_path, "s.csv", "id,score\na,1\nh1,2\nh2,3\nz,4\n")
    brought = read_several(file, [MetricColumn("bleu")], KEYS, people=("h1", "h2"))
    assert (brought.left_out, brought.of_people) == (1, 2)
    assert brought.unscored_people == "2 rows are of human stories, which metrics do not score."
    one = read_several(file, [MetricColumn("bleu")], KEYS, people=("h1",))
    assert one.unscored_people == "1 row is of human stories, which metrics do not score."


@pytest.mark.parametrize(
    ("people", "which"),
    [
        (("h1", "h2"), "2 rows are of human stories."),
        (("h1",), "1 row is of human stories, the others of no story of this study."),
    ],
)
def test_a_file_of_human_stories_alone_is_refused_as_that(tmp_path: Path, people: tuple[str, ...], which: str) -> None:
    file = write(tmp_path, "s.csv", "id,score\nh1,2\nh2,3\n")
    with pytest.raises(InputError) as caught:
        read_several(file, [MetricColumn("bleu")], KEYS, people=people)
    assert str(caught.value) == f"No row of s.csv is of a story by a system: {which}"


def test_decimal_commas_are_read_counted_and_said(tmp_path: Path) -> None:
    file = write(tmp_path, "s.csv", "id;bleu;note\na;0,25;1,2,3\nb;-1,5;x\nc;2;y\n")
    assert numeric_columns(read_score_table(file)) == ("bleu",)
    brought = read_several(file, [MetricColumn("bleu")], KEYS)
    assert brought.records[0].values == {"a": 0.25, "b": -1.5, "c": 2.0}
    assert brought.notices == ("Decimal commas were read in 2 numbers: 0,25 as 0.25.",)
    with pytest.raises(
        InputError, match=r"line 2, column 'note': '1,2,3' is not a number\. 3 cells are not numbers\.$"
    ):
        read_several(file, [MetricColumn("note")], KEYS)


def test_columns_and_signs_of_one_file_have_signatures_of_their_own(tmp_path: Path) -> None:
    """A second metric of one table once replaced the first under the same signature."""
    file = write(tmp_path, "s.csv", "id,bleu,ppl\na,1,20\nb,2,30\nz,3,40\n")
    brought = read_several(
        file, [MetricColumn("bleu"), MetricColumn("ppl", "ppl", True), MetricColumn("raw", "ppl")], KEYS
    )
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    assert [record.signature for record in brought.records] == [
        f"file:{digest}|column:bleu", f"file:{digest}|column:ppl|negated", f"file:{digest}|column:ppl",
    ]  # fmt: skip
    assert [record.values for record in brought.records] == [{"a": 1, "b": 2}, {"a": -20, "b": -30}, {"a": 20, "b": 30}]
    assert brought.left_out == 1  # z, which the study lacks
    with pytest.raises(InputError, match="Two columns would be called 'x'"):
        read_several(file, [MetricColumn("x", "bleu"), MetricColumn("x", "ppl")], KEYS)


def test_the_columns_that_hold_numbers_alone_are_offered(tmp_path: Path) -> None:
    table = read_score_table(write(tmp_path, "s.csv", "id,bleu,text,gaps,ppl\n1,1,a,2,20\n2,2,b,,30\n"))
    assert numeric_columns(table) == ("bleu", "gaps", "ppl")
    assert numeric_columns(table, "ppl") == ("id", "bleu", "gaps")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.csv", "id,judge,bleu\na,4,1\nb, ,2\nc,2,3\n"),
        ("s.jsonl", '{"id":"a","judge":4,"bleu":1}\n{"id":"b","judge":null,"bleu":2}\n{"id":"c","judge":2,"bleu":3}\n'),
        ("s.jsonl", '{"id":"a","judge":4,"bleu":1}\n{"id":"b","judge":NaN,"bleu":2}\n{"id":"c","judge":2,"bleu":3}\n'),
        ("s.jsonl", '{"id":"a","judge":4,"bleu":1}\n{"id":"b","bleu":2}\n{"id":"c","judge":2,"bleu":3}\n'),
    ],
)
def test_an_empty_cell_is_no_score(tmp_path: Path, name: str, text: str) -> None:
    brought = read_several(write(tmp_path, name, text), [MetricColumn("judge"), MetricColumn("bleu")], KEYS)
    assert [record.values for record in brought.records] == [{"a": 4, "c": 2}, {"a": 1, "b": 2, "c": 3}]
    assert brought.notices == ("2 of 3 rows have a score of judge; the others are empty.",)


@pytest.mark.parametrize(
    ("text", "negate", "wanted"),
    [
        ("bleu", False, MetricColumn("bleu")),
        ("bleu", True, MetricColumn("bleu", None, True)),
        ("mine=b", False, MetricColumn("mine", "b")),
        ("ppl=-p", False, MetricColumn("ppl", "p", True)),
        ("ppl=-p", True, MetricColumn("ppl", "p", True)),
    ],
)
def test_a_metric_is_asked_for_with_its_column_and_sign(text: str, negate: bool, wanted: MetricColumn) -> None:
    assert parse_wanted(text, negate=negate) == wanted


@pytest.mark.parametrize("text", ["", "=b", "x=", "x=-"])
def test_a_metric_that_is_asked_for_badly(text: str) -> None:
    with pytest.raises(InputError, match="A metric is NAME"):
        parse_wanted(text)


def test_rows_of_people_are_counted_apart(tmp_path: Path) -> None:
    file = write(tmp_path, "scores.csv", "id,m\na,1\nh,2\nother,3\nb,4\n")
    brought = read_several(file, [MetricColumn("m")], ["a", "b"], people={"h", "i"})
    assert (brought.records[0].values, brought.left_out, brought.of_people) == ({"a": 1, "b": 4}, 1, 1)
    brought = read_several(file, [MetricColumn("m")], ["a", "b", "h"])
    assert (brought.records[0].values, brought.left_out, brought.of_people) == ({"a": 1, "h": 2, "b": 4}, 1, 0)


NESTED = [
    {"doc_id": "7", "prompt": "p", "gen": {"s2s": {"text": "t", "score": {"human": 2.2, "bleu": 0.1, "ppl": 9}}}},
    {"doc_id": "8", "prompt": "p", "gen": {"s2s": {"text": "t", "score": {"human": 3, "bleu": 0.2, "ppl": 8}}}},
]


@pytest.mark.parametrize("by_id", [False, True])
def test_openmevas_nested_file_is_a_table(tmp_path: Path, by_id: bool) -> None:
    data = {item["doc_id"]: {"gen": item["gen"]} for item in NESTED} if by_id else NESTED
    file = write(tmp_path, "scores.json", json.dumps(data))
    table = read_score_table(file)
    assert numeric_columns(table) == ("bleu", "ppl")
    brought = read_several(file, [MetricColumn("bleu"), MetricColumn("ppl", "ppl", True)], ["7/s2s", "8/s2s", "8/gpt"])
    assert [record.values for record in brought.records] == [{"7/s2s": 0.1, "8/s2s": 0.2}, {"7/s2s": -9, "8/s2s": -8}]
    broken = write(tmp_path, "broken.json", json.dumps([{"doc_id": "7", "gen": {"s2s": {"text": "t"}}}]))
    with pytest.raises(InputError, match="expected `score` with one number per metric"):
        read_score_table(broken)


def test_the_released_scores_of_openmeva_fit_the_released_stories(shared: Path) -> None:
    stories = read_mans(shared / "mans-roc" / "mans_roc.json").stories
    keys = [story.key for story in stories if story.source is Source.SYSTEM]
    file = shared / "mans-roc" / "openmeva_roc_metric_scores.json"
    columns = numeric_columns(read_score_table(file))
    assert len(columns) == 19
    brought = read_several(file, [MetricColumn(column, column) for column in columns], keys)
    assert {len(record.values) for record in brought.records} == {1000}
    assert brought.left_out == 0


def test_a_metric_needs_a_name(tmp_path: Path) -> None:
    assert refusal(write(tmp_path, "s.txt", "1\n2\n3\n"), " ") == "Give the metric a name."


def test_spaces_around_an_id_do_not_matter(tmp_path: Path) -> None:
    assert read_scores(write(tmp_path, "s.csv", "id,score\n a ,1\n"), "bleu", KEYS).values == {"a": 1.0}


def test_scores_that_stand_beside_the_stories(tmp_path: Path) -> None:
    file = tmp_path / "stories.csv"
    file.write_text("id,text,rater,bleu,ppl\na,One.,x,0.5,20\nb,Two.,x,0.25,30\nb,Two.,y,9,9\n")
    rows = read_table(file)
    columns = {"id": "id", "text": "text"}
    assert numeric_columns(rows, "id", ["text"]) == ("bleu", "ppl")
    bleu, ppl = scores_beside(file, rows, columns, [MetricColumn("bleu"), MetricColumn("ppl", "ppl", True)], {"a", "b"})
    assert bleu.values == {"a": 0.5, "b": 0.25}
    assert ppl.values == {"a": -20.0, "b": -30.0}
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    assert (bleu.signature, ppl.signature) == (f"file:{digest}|column:bleu", f"file:{digest}|column:ppl|negated")
    with pytest.raises(InputError, match="Two columns would be called 'bleu'"):
        scores_beside(file, rows, columns, [MetricColumn("bleu"), MetricColumn("bleu", "ppl")], {"a"})
