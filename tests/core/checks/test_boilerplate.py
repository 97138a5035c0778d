import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.checks.boilerplate import boilerplate, common_segments
from core.checks.phrases import ANYWHERE, LITERALS
from core.stories import sentences

CHARACTERS = string.printable + "©"
STORY = "The old man walked down to the harbour. His boat was gone. "


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("This site uses cookies.", "cookies"),
        ("Read our cookie policy.", "cookies"),
        ("Sign up for our newsletter!", "a subscription"),
        ("Subscribe now", "a subscription"),
        ("You must be logged in to post.", "a subscription"),
        ("Share this on Facebook", "sharing"),
        ("Follow us on Twitter", "sharing"),
        ("Copyright 2019 The Daily Harbour", "rights"),
        ("© The Daily Harbour", "rights"),
        ("All rights reserved.", "rights"),
        ("Click here for the pictures.", "a link"),
        ("Read more", "a link"),
        ("Related articles", "a link"),
        ("12 comments", "comments"),
        ("Leave a comment", "comments"),
        ("Advertisement", "an advertisement"),
        ("Story continues below", "an advertisement"),
        ("Please enable JavaScript.", "a notice"),
        ("(Photo by A. Nobody/Getty Images)", "a notice"),
        ("Home | News | Sport | Weather", "a menu"),
        ("Home\nNews\nSport\nWeather\nAbout us", "a menu"),
        ("From: Anna\nSubject: The boat", "mail headers"),
        ("https://harbour.example/boats?id=1", "web or mail addresses"),
        ("anna@harbour.example", "web or mail addresses"),
    ],
)
def test_what_a_page_puts_around_a_text_is_found(line: str, what: str) -> None:
    text = f"The old man wept.\n{line}\nHis boat was gone."
    result = boilerplate(text)
    assert result.what == (what,)
    assert "\n".join(text[start:end] for start, end in result.spans) == line
    (finding,) = result.findings()
    assert finding.sentence.endswith(f"of the text looks like boilerplate: {what}.")


@pytest.mark.parametrize(
    "text",
    [
        "He decided to sign up for the army.",
        "They shared the bread. She clicked her tongue and read the letter.",
        "Date: the old word for a fruit.",
        "She had an account at the bank, and a print of the harbour on the wall.",
        "Roses are red,\nviolets are blue,\nhoney is sweet,\nand so are you,\nmy love.",
        "",
        "   \n \n \n \n \n \n ",
    ],
)
def test_a_story_is_no_boilerplate(text: str) -> None:
    result = boilerplate(text)
    assert (result.share, result.spans, result.what, result.findings()) == (0.0, (), (), ())


def test_a_little_boilerplate_is_marked_but_no_finding() -> None:
    result = boilerplate(STORY * 20 + "Read more")
    assert result.spans
    assert 0 < result.share < 0.1
    assert result.findings() == ()


def test_what_many_texts_share_is_boilerplate_of_the_corpus() -> None:
    footer = "The Daily Harbour is made with love by its readers."
    texts = [f"Story number {i} is about a boat called {i}. {footer}" for i in range(12)] + [STORY] * 3
    common = common_segments(texts, [sentences(text) for text in texts])
    assert common == {footer.lower()}
    result = boilerplate(texts[0], common)
    assert result.shared == 1
    assert [texts[0][a:b] for a, b in result.spans] == [footer]


PATTERNS = [re.compile(pattern, re.I) for patterns in ANYWHERE.values() for pattern in patterns]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(PATTERNS).flatmap(lambda p: st.from_regex(p, alphabet=st.sampled_from(CHARACTERS))))
def test_the_quick_look_misses_nothing(phrase: str) -> None:
    assert any(literal in phrase.lower() for literal in LITERALS)


@pytest.mark.parametrize("piece", ["a.", "a@", "| ", "> ", "From: ", "share this ", "©", " \n", "www.", "read more "])
def test_hostile_texts_are_quick(piece: str) -> None:
    boilerplate(piece * (100_000 // len(piece)))
