"""UNION's annotation folder: every bad input is refused with its file and line."""

import re
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.corpora.union import read_union
from core.stories import LONGEST_STORY
from core.text_files import NOT_UTF8

VOTES = "0 ||| it rained . wet . ||| 0 0 1\n"
CODES = "0 ||| it rained . wet . ||| 1 3 0\n"


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_union(folder)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("1 ||| the dog ran .", "ant_data.txt, line 2: expected `reference id ||| story ||| votes`, found 2 part(s)."),
        (
            "1 the dog ran . 0 0 1",
            "ant_data.txt, line 2: expected `reference id ||| story ||| votes`, found 1 part(s).",
        ),
        ("", "ant_data.txt, line 2: expected `reference id ||| story ||| votes`, found 1 part(s)."),
        ("1 ||| the dog ran . ||| 0 yes 1", "ant_data.txt, line 2: the votes '0 yes 1' are not whole numbers."),
        ("1 ||| the dog ran . ||| 0 0.5 1", "ant_data.txt, line 2: the votes '0 0.5 1' are not whole numbers."),
        ("1 ||| the dog ran . ||| 0 -1 1", "ant_data.txt, line 2: the votes '0 -1 1' are not whole numbers."),
        ("1 ||| the dog ran . ||| ", "ant_data.txt, line 2: the votes '' are not whole numbers."),
        ("1 ||| the dog ran . ||| 0 2 1", "ant_data.txt, line 2: a vote is 0 or 1, not 2."),
        ("1 ||| the dog ran . ||| 0 1", "ant_data.txt, line 2: 2 votes, but line 1 has 3."),
        ("1 ||| the dog ran . ||| 0 1 0 1", "ant_data.txt, line 2: 4 votes, but line 1 has 3."),
        ("2 ||| the dog ran . ||| 0 1 0", "ant_data.txt, line 2: reference 2 is not in reference_ipt.txt (0 to 1)."),
        ("-1 ||| the dog ran . ||| 0 1 0", "ant_data.txt, line 2: the reference id '-1' is not a whole number."),
        ("one ||| the dog ran . ||| 0 1 0", "ant_data.txt, line 2: the reference id 'one' is not a whole number."),
        ("² ||| the dog ran . ||| 0 1 0", "ant_data.txt, line 2: the reference id '²' is not a whole number."),
        ("1 ||| the \0 dog ran . ||| 0 1 0", "ant_data.txt, line 2: the text holds a NUL byte; remove it."),
    ],
)
def test_a_bad_line_of_votes(union_folder: Path, second: str, message: str) -> None:
    (union_folder / "ant_data_all.txt").unlink()
    (union_folder / "ant_data.txt").write_text(f"{VOTES}{second}\n{VOTES}", encoding="utf-8")
    assert refusal(union_folder) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CODES, "ant_data_all.txt has 1 lines but ant_data.txt has 2."),
        (CODES * 3, "ant_data_all.txt, line 3: this line does not belong to the same line of ant_data.txt."),
        (
            CODES + "1 ||| it rained . wet . ||| 1 3 0\n",
            "ant_data_all.txt, line 2: this line does not belong to the same line of ant_data.txt.",
        ),
        (
            CODES + "0 ||| it rained . wet . ||| 1 3\n",
            "ant_data_all.txt, line 2: this line does not belong to the same line of ant_data.txt.",
        ),
        (CODES + "0 ||| wet . ||| 1 6 0\n", "ant_data_all.txt, line 2: an error code is 0 to 5, not 6."),
        (CODES + "0 ||| wet . ||| 1 x 0\n", "ant_data_all.txt, line 2: the votes '1 x 0' are not whole numbers."),
        (CODES + "0 ||| wet .\n", "ant_data_all.txt, line 2: expected `reference id ||| story ||| votes`"),
        ("", "The file ant_data_all.txt is empty."),
    ],
)
def test_a_bad_file_of_codes(union_folder: Path, content: str, message: str) -> None:
    (union_folder / "ant_data.txt").write_text(VOTES * 2, encoding="utf-8")
    for file in (union_folder / "metric_output").iterdir():
        file.unlink()
    (union_folder / "ant_data_all.txt").write_text(CODES * 2, encoding="utf-8")
    assert len(read_union(union_folder).ratings) == 6
    (union_folder / "ant_data_all.txt").write_text(content, encoding="utf-8")
    assert refusal(union_folder).startswith(message)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "reference_opt.txt",
            "one line\n",
            "reference_ipt.txt has 2 lines but reference_opt.txt has 1; each prompt needs",
        ),
        (
            "reference_ipt.txt",
            "a\nb\nc\n",
            "reference_ipt.txt has 3 lines but reference_opt.txt has 2; each prompt needs",
        ),
        (
            "reference_ipt.txt",
            "it rained .\nthe \0\n",
            "reference_ipt.txt, line 2: the text holds a NUL byte; remove it.",
        ),
        ("reference_opt.txt", "\0\nfine\n", "reference_opt.txt, line 1: the text holds a NUL byte; remove it."),
        ("metric_output/bleu.txt", "0.1\n0.2\n", "bleu.txt has 2 scores but ant_data.txt has 3 stories."),
        ("metric_output/bleu.txt", "0.1\n0.2\n0.3\n\n", "bleu.txt has 4 scores but ant_data.txt has 3 stories."),
        ("metric_output/bleu.txt", "0.1\n0,2\n0.3\n", "bleu.txt, line 2: '0,2' is not a number."),
        ("metric_output/bleu.txt", "0.1\n\n0.3\n", "bleu.txt, line 2: '' is not a number."),
        ("metric_output/ppl.txt", "1\n2\nnan\n", "ppl.txt, line 3: nan is not a finite number."),
        ("metric_output/ppl.txt", "-inf\n2\n3\n", "ppl.txt, line 1: -inf is not a finite number."),
    ],
)
def test_other_bad_content(union_folder: Path, name: str, content: str, message: str) -> None:
    (union_folder / name).write_text(content, encoding="utf-8")
    assert refusal(union_folder).startswith(message)


NEEDED = ("ant_data.txt", "reference_ipt.txt", "reference_opt.txt")


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_file(union_folder: Path, name: str) -> None:
    (union_folder / name).unlink()
    assert re.fullmatch(rf"There is no file .*{re.escape(name)}\.", refusal(union_folder))


@pytest.mark.parametrize("content", [b"", b" \n\n"])
@pytest.mark.parametrize("name", [*NEEDED, "ant_data_all.txt", "metric_output/bleu.txt"])
def test_an_empty_file(union_folder: Path, name: str, content: bytes) -> None:
    (union_folder / name).write_bytes(content)
    assert refusal(union_folder) == f"The file {Path(name).name} is empty."


@pytest.mark.parametrize("name", [*NEEDED, "ant_data_all.txt", "metric_output/bleu.txt"])
def test_a_file_that_is_not_utf_8(union_folder: Path, name: str) -> None:
    file = union_folder / name
    lines = file.read_bytes().split(b"\n")
    lines[1] += " naïve".encode("latin-1")
    file.write_bytes(b"\n".join(lines))
    assert refusal(union_folder) == f"{file.name}, line 2: {NOT_UTF8}"


def test_a_file_in_the_place_of_the_folder(union_folder: Path) -> None:
    message = refusal(union_folder / "ant_data.txt")
    assert message.endswith("ant_data.txt is not a folder; give UNION's annotation folder, the one with ant_data.txt.")


def test_a_folder_in_the_place_of_a_file(union_folder: Path) -> None:
    (union_folder / "ant_data.txt").unlink()
    (union_folder / "ant_data.txt").mkdir()
    assert "ant_data.txt cannot be read: Is a directory" in refusal(union_folder)


def test_a_story_that_is_too_long(union_folder: Path) -> None:
    (union_folder / "ant_data_all.txt").unlink()
    long = "a" * (LONGEST_STORY + 1)
    (union_folder / "ant_data.txt").write_text(f"{VOTES}1 ||| {long} ||| 0 0 1\n{VOTES}", encoding="utf-8")
    assert refusal(union_folder).startswith(
        "ant_data.txt, line 2: the text has 100,001 characters and the most is 100,000; check that"
    )


def test_a_number_of_5000_digits(union_folder: Path) -> None:
    (union_folder / "ant_data.txt").write_text(f"{VOTES}{'9' * 5000} ||| dog ||| 0 0 1\n", encoding="utf-8")
    assert refusal(union_folder).startswith("ant_data.txt, line 2: ")
