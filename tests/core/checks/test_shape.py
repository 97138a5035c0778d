import pytest

from core.checks.findings import FindingKind
from core.checks.shape import shape


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The text is empty."),
        (" \n\t ", "The text is empty."),
        ("12 + 30 = 42 !", "The text has no words."),
        ("a" * 30, "One character makes up 100 % of the text."),
        ("Boat 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9", "81 % of the text is neither letters nor white space."),
        ("The boat\x00 was gone.", "The text holds 1 control or broken character: was it read in the wrong encoding?"),
        ("The\ufffd\ufffd boat", "The text holds 2 control or broken characters: was it read in the wrong encoding?"),
    ],
)
def test_what_is_no_text(text: str, sentence: str) -> None:
    (finding,) = shape(text)
    assert finding.sentence == sentence
    assert finding.kind is FindingKind.NOT_TEXT


@pytest.mark.parametrize(
    "text",
    [
        "The boat was gone.\r\nSo was the dog.\tNobody knew.",
        "सौ साल पहले एक बूढ़ा आदमी समुद्र के किनारे रहता था।",
        "นานมาแล้วมีชายชราคนหนึ่งอาศัยอยู่ริมทะเล",
        "می‌خواهم به بندر بروم",
        "zzz",
    ],
)
def test_a_text_in_any_script_is_one(text: str) -> None:
    assert shape(text) == ()


def test_control_characters_are_marked() -> None:
    (finding,) = shape("The\x00\x01 boat\x7f")
    assert finding.spans == ((3, 5), (10, 11))
