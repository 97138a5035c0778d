"""Reading text, and the limits that every format keeps."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.cells import parse_number
from core.stories import LONGEST_STORY
from core.text_files import check_text, empty_notice, read_lines, read_text


def test_lines_end_with_a_line_feed(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeffone\r\ntwo\u2028\u0085still\n\nfour".encode())
    assert read_text(file) == "one\r\ntwo\u2028\u0085still\n\nfour"
    assert read_lines(file) == ["one", "two\u2028\u0085still", "", "four"]
    file.write_bytes(b"one\n\n")
    assert read_lines(file) == ["one", ""]


def test_utf_16_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("one".encode("utf-16"))
    with pytest.raises(InputError, match=r"^a\.txt, line 1: this is not UTF-8 text; save the file as UTF-8: in Excel"):
        read_text(file)


def test_what_german_excel_writes_is_refused_with_the_entry_to_take(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_bytes("id;overall\nMärchen;3\n".encode("cp1252"))
    with pytest.raises(InputError) as caught:
        read_text(file)
    assert str(caught.value) == (
        "ratings.csv, line 2: this is not UTF-8 text; save the file as UTF-8: in Excel, Save as, "
        '"CSV UTF-8 (Comma delimited)".'
    )


@pytest.mark.parametrize("text", ["", "a" * LONGEST_STORY, "<script>", "😀 é ש\u200f", "\x01"])
def test_check_text_returns_what_it_was_given(text: str) -> None:
    assert check_text(text, "here") is text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\0b", r"^file, line 3: the text holds a NUL byte; remove it\.$"),
        ("a" * (LONGEST_STORY + 1), "^file, line 3: the text has 100,001 characters and the most is 100,000; check"),
        ("a\ud800", r"^file, line 3: the text holds half of a character \(a lone surrogate\); repair it\.$"),
    ],
)
def test_check_text_refuses(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_text(text, "file, line 3")


@pytest.mark.parametrize(("value", "number"), [("1", 1.0), (" -2.5e3 ", -2500.0), (3, 3.0), (0.1, 0.1), ("+4\r", 4.0)])
def test_numbers(value: object, number: float) -> None:
    assert parse_number(value, "here") == number


@pytest.mark.parametrize("value", ["", "one", "1,5", None, True, [], "0x10", "1 2"])
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(InputError, match=r"^file, line 3: '.*' is not a number\.$"):
        parse_number(value, "file, line 3")


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity", float("nan"), "1e999"])
def test_what_is_not_finite(value: object) -> None:
    with pytest.raises(InputError, match=r"^file, line 3: .* is not a finite number\.$"):
        parse_number(value, "file, line 3")


def test_empty_notice() -> None:
    assert empty_notice(["a", "b"]) == ()
    assert empty_notice(["a", " \n"]) == ("1 story is empty: metrics leave such stories undefined.",)
    assert empty_notice(["", ""]) == ("2 stories are empty: metrics leave such stories undefined.",)
