"""Tables that cannot be read."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.tables import read_stories, read_table
from core.text_files import NOT_UTF8


def refusal(folder: Path, name: str, content: str | bytes) -> str:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_stories(file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"text": "One."}\n{"text": \n', "a.jsonl, line 2: this is not JSON (Expecting value)."),
        ("a.jsonl", '{"text": "One."}\n"Two."\n', "a.jsonl, line 2: expected an object with named fields."),
        ("a.json", '[\n{"text": "One."},\n{text: 1}]', "a.json, line 3: this is not JSON (Expecting property name"),
        ("a.json", '[{"text": "One."}, "Two."]', "a.json, item 2: expected an object with named fields."),
        ("a.json", '{"text": "One."}', "a.json: expected a list of objects, one a story."),
        (
            "a.json",
            "[]",
            "a.json has no column for the story's text; say which one holds it. Its columns are: none.",
        ),
        ("a.csv", "text,system\n", "a.csv has no rows."),
        ("a.csv", "text,system\nOne.,gpt\nTwo, three.,gpt\n", "a.csv, line 3: 3 fields, but the first line names 2"),
        ("a.csv", 'text,system\n"One.,gpt\n', "a.csv, line 2: this is not a table ("),
        ("a.csv", "", "The file a.csv is empty."),
        ("a.tsv", " \n\n", "The file a.tsv is empty."),
        ("a.json", "", "The file a.json is empty."),
        ("a.jsonl", b"\n", "The file a.jsonl is empty."),
        ("a.csv", b"text\nfine\nna\xefve\n", f"a.csv, line 3: {NOT_UTF8}"),
        ("a.jsonl", b'{"text": "na\xefve"}\n', f"a.jsonl, line 1: {NOT_UTF8}"),
        ("a.txt", " \n\n", "The file a.txt is empty."),
        ("a.txt", b"fine\nna\xefve\n", f"a.txt, line 2: {NOT_UTF8}"),
        ("a.txt", b"PK\x03\x04", "a.txt is an Excel file or another archive, not text"),
        ("a.txt", "One.\n\nT\0wo.\n", "a.txt, line 3: the text holds a NUL byte; remove it."),
        ("a.parquet", "", "a.parquet is not a Parquet file that can be read."),
        ("a.parquet", "text,system\nOne.,gpt\n", "a.parquet is not a Parquet file that can be read."),
        (
            "a.xlsx",
            "text",
            "a.xlsx: files ending in .xlsx are not known; use .csv, .tsv, .json, .jsonl, .parquet, .txt.",
        ),
        ("a", "text", "a: files ending in nothing are not known; use .csv"),
        ("a.json", '[{"text": "\\ud800"}]', "a.json, item 1: the text holds half of a character (a lone surrogate)"),
        ("a.csv", "text\nfine\na\0b\n", "a.csv, line 3: the text holds a NUL byte; remove it."),
    ],
)
def test_refused(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    assert refusal(tmp_path, name, content).startswith(message)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt"])
def test_a_missing_file(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"none{suffix}"
    with pytest.raises(InputError) as caught:
        read_table(file)
    assert str(caught.value) == f"There is no file {file}."


def test_suffixes_may_be_in_capitals(tmp_path: Path) -> None:
    file = tmp_path / "STORIES.CSV"
    file.write_text("\ufefftext\nOne.\n", encoding="utf-8")
    assert [story.text for story in read_stories(file).stories] == ["One."]


def test_a_short_row_is_named(tmp_path: Path) -> None:
    message = refusal(tmp_path, "a.csv", "system,text\ns2s,Two.\ngpt\n")
    assert message.startswith("a.csv, line 3: 1 fields, but the first line names 2")


def test_a_column_that_stands_twice_is_named(tmp_path: Path) -> None:
    assert "stands twice in the first line" in refusal(tmp_path, "a.csv", "text,text\na,b\n")


def test_unquoted_commas_on_every_row(tmp_path: Path) -> None:
    assert refusal(tmp_path, "a.csv", "text,system\nHe ran, fast,gpt\nShe sat, too,gpt\n").startswith("a.csv")


def test_quotation_marks_in_tsv_are_text(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text('text\tsystem\n"Go," he said.\tgpt\n', encoding="utf-8")
    assert read_stories(file).stories[0].text == '"Go," he said.'


@pytest.mark.parametrize("value", ['{"a": 1}', '[{"a": 1}]', "NaN"])
def test_a_text_that_is_none(tmp_path: Path, value: str) -> None:
    assert refusal(tmp_path, "a.jsonl", f'{{"text": {value}}}\n').startswith("a.jsonl, line 1: ")


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[{"text": ' + "9" * 5000),
        pytest.param("[" * 100_000),
    ],
    ids=["a number of 5000 digits", "100,000 brackets"],
)
def test_json_that_python_cannot_hold(tmp_path: Path, name: str, text: str) -> None:
    assert refusal(tmp_path, name, text).startswith(name)
