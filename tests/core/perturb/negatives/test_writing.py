"""How stories are written: capital letters, and blanks before full stops."""

import pytest

from core.perturb.negatives.writing import Writing, placeholder, stands_for_names, usual, writing


@pytest.mark.parametrize(
    ("text", "capitals", "spaced"),
    [
        ("he went home .", False, True),
        ("[MALE] went home , and [FEMALE] stayed .", False, True),
        ("Marc went home.", True, False),
        ("marc woke up. he ate, then left.", False, False),
        ("Dani goes to the OBGYN . she waits .", True, True),
        ("he waited ... and waited. he left.", False, False),
        ("no end", False, False),
        ("", False, False),
    ],
)
def test_how_a_story_is_written(text: str, capitals: bool, spaced: bool) -> None:
    assert writing(text) == Writing(capitals, spaced)


def test_usual_ways_stand_with_the_commonest_first_and_without_the_rare() -> None:
    assert usual([]) == []
    texts = ["He left."] * 3 + ["he left ."] * 16 + ["he left."]
    assert usual(texts) == [Writing(capitals=False, spaced=True), Writing(capitals=True, spaced=False)]
    assert usual(["he left ."] * 5000) == [Writing(capitals=False, spaced=True)]


def test_it_is_said_in_words() -> None:
    assert str(writing("he left .")) == "without capital letters and with a space before full stops"


@pytest.mark.parametrize(
    ("rated", "lending", "told"),
    [
        (["[MALE] left .", "she left ."], ["tim left ."] * 9, "[MALE]"),
        (["[MALE] left .", "she left ."], ["tim left ."] * 8 + ["[FEMALE] left ."], "[MALE]"),
        (["[MALE] left .", "she left ."], ["tim left .", "[MALE] sat ."], ""),  # half of both
        (["[MALE] left .", *["she left ."] * 10], ["tim left ."], ""),  # a rare one tells nobody
        (["she left ."], ["tim left ."], ""),
        (["[MALE] left ."], [], ""),
        ([], ["tim left ."], ""),
    ],
)
def test_names_where_the_stories_to_rate_have_none_are_told(rated: list[str], lending: list[str], told: str) -> None:
    assert stands_for_names(rated, lending) == told


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["[MALE] left .", "[FEMALE] and [MALE] sat .", "she left ."], "[MALE]"),
        (["[MALE] left .", *["she left ."] * 9], "[MALE]"),
        (["[MALE] left .", *["she left ."] * 10], ""),
        (["she left ."], ""),
        ([], ""),
    ],
)
def test_what_stands_for_names_is_known_before_any_story_lends(texts: list[str], told: str) -> None:
    assert placeholder(texts) == told
