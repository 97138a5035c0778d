"""The table of wordings: how its lines are read, and where each may stand."""

import pytest

from core.english.wordings import Wordings, shipped
from core.english.words import words
from core.errors import InputError


def said(table: str, sentence: str) -> list[str]:
    """The sentence with each wording in its place, one at a time."""
    body = words(sentence)
    result = []
    for start, stop, new in Wordings(table).spans(body):
        result.append(" ".join([*(w.text for w in body[:start]), *new, *(w.text for w in body[stop:])]))
    return result


def test_a_form_stays_the_form() -> None:
    table = "buy.v => purchase.v\nkid.n => child.n\nbig.a => large.a"
    assert said(table, "the kids bought bigger toys") == [
        "the children bought bigger toys",
        "the kids purchased bigger toys",
        "the kids bought larger toys",
    ]
    assert said("start.v V.ing => begin.v to V", "she started crying") == ["she began to cry"]
    assert said("want.v => wish.v", "he had wanted it") == ["he had wished it"]


def test_a_noun_is_no_verb() -> None:
    assert said("call.v => phone.v", "the call came late") == []
    assert said("call.n => shout.n", "she called him") == []


def test_phrases_are_taken_whole() -> None:
    table = "told NP that => let NP know that"
    assert said(table, "he told the old man that it rained") == ["he let the old man know that it rained"]
    assert said("gave PRON NP => handed NP to PRON", "she gave him the red book") == ["she handed the red book to him"]
    assert said("gave PRON NP => handed NP to PRON", "she gave the man the book") == []
    assert said("buy PRON NP => purchase NP for PRON", "she would buy it herself") == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("she decided to go", ["she made up her mind to go"]),
        ("they decided to go", ["they made up their mind to go"]),
        ("[MALE] decided to go", ["[MALE] made up his mind to go"]),
        ("Robin decided to go", []),  # his mind, or hers: nobody knows
        ("he said that she decided to go", ["he said that she made up her mind to go"]),
    ],
)
def test_whose_it_is_must_be_known(sentence: str, expected: list[str]) -> None:
    assert said("decide.v to > VB => make.v up HIS mind to", sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("we knew that", ["we were aware that"]),
        ("Robin knew that", ["Robin was aware that"]),
        ("the boys knew that", ["the boys were aware that"]),
        ("Robin and Sam knew that", []),
    ],
)
def test_whether_one_or_several_must_be_known(sentence: str, expected: list[str]) -> None:
    assert said("knew that => WAS aware that", sentence) == expected


def test_what_stands_around_it() -> None:
    assert said("^ then , => after that ,", "then , she left") == ["after that , she left"]
    assert said("^ then , => after that ,", "and then , she left") == []
    assert said("again > END => once more", "she sang again") == ["she sang once more"]
    assert said("again > END => once more", "again she sang") == []
    assert said("again > END {!never} => once more", "she never sang again") == []
    assert said("very > JJ {<was} => extremely", "it was very cold") == ["it was extremely cold"]
    assert said("very > JJ {<was} => extremely", "a very cold day") == []
    assert said("knew > SUBJ => realized that", "she knew the man lied") == ["she realized that the man lied"]
    assert said("knew > SUBJ => realized that", "she knew the man") == []


def test_a_second_verb_of_the_same_phrase_forbids_another_form() -> None:
    table = "was able to V => succeeded in V.ing"
    assert said(table, "she was able to stay") == ["she succeeded in staying"]
    assert said(table, "she was able to stay and watch") == []


@pytest.mark.parametrize(
    "line", ["no arrow", "=> nothing before", "nothing after =>", "a => b |", "buy.v => take.v NP", "eat => V.ing"]
)
def test_a_line_that_is_none(line: str) -> None:
    with pytest.raises(InputError, match="line 2"):
        Wordings(f"a => b\n{line}")


def test_the_table_that_comes_along_is_whole() -> None:
    """Every wording can be read, says something else, and none is there twice."""
    lines = [
        (sentence_wording.parts, sentence_wording.followed, sentence_wording.without, sentence_wording.after)
        for sentence_wording in shipped()
    ]
    assert len(lines) > 600
    assert len(set(lines)) == len(lines)
    for wording in shipped():
        assert wording.parts not in wording.others
        assert len(set(wording.others)) == len(wording.others)
