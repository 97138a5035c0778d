"""Words as the techniques look at them: where they stand, contractions, placeholders, capitals."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.english.words import like, words


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("He didn't go.", ["He", "did", "n't", "go", "."]),
        ("he did n ' t go .", ["he", "did", "n ' t", "go", "."]),
        ("he did n't go .", ["he", "did", "n't", "go", "."]),
        ("he don ' t know .", ["he", "do", "n ' t", "know", "."]),
        ("She isn’t here", ["She", "is", "n’t", "here"]),
        ("I can't; we won't", ["I", "ca", "n't", ";", "we", "wo", "n't"]),
        ("It's Tom's, they 'll say", ["It", "'s", "Tom", "'s", ",", "they", "'ll", "say"]),
        ("[MALE] ' s dog bit [FEMALE].", ["[MALE]", "' s", "dog", "bit", "[FEMALE]", "."]),
        ("a well-known 3.5 % at 10:30", ["a", "well-known", "3.5", "%", "at", "10:30"]),
        ("“No,” he said…", ["“", "No", ",", "”", "he", "said", "…"]),
        ("", []),
        (" \t\n", []),
        ("彼は走った。", ["彼は走った", "。"]),
    ],
)
def test_parts(sentence: str, parts: list[str]) -> None:
    assert [word.text for word in words(sentence)] == parts


@settings(max_examples=50, deadline=None)
@given(st.text(st.sampled_from("aBn't ’.[]M 𝒳\x00\x07é彼-"), max_size=30))
def test_every_word_stands_where_it_says(sentence: str) -> None:
    reached = 0
    for word in words(sentence):
        assert reached <= word.start < word.end
        assert sentence[word.start : word.end] == word.text
        assert not sentence[reached : word.start].strip()
        assert word.tag
        reached = word.end
    assert not sentence[reached:].strip()


def test_lower_is_the_word_however_it_is_written() -> None:
    written = ["DIDN'T", "did n ' t", "didn’t", "did n ’t"]
    assert {tuple(word.lower for word in words(text)) for text in written} == {("did", "n't")}


def test_tags() -> None:
    tags = {word.text: word.tag for word in words("[MALE] quickly sold his old boats because i asked.")}
    assert tags == {
        "[MALE]": "NNP", "quickly": "RB", "sold": "VBD", "his": "PRP$", "old": "JJ", "boats": "NNS",
        "because": "IN", "i": "PRP", "asked": "VBD", ".": ".",
    }  # fmt: skip


def test_capitals_throughout_are_no_names() -> None:
    assert [word.tag for word in words("HE RAN HOME.")] == [word.tag for word in words("he ran home.")]


@pytest.mark.parametrize(
    ("model", "word", "found"),
    [
        ("Old", "young", "Young"),
        ("OLD", "young", "YOUNG"),
        ("old", "young", "young"),
        ("I", "we", "We"),
        ("", "x", "x"),
    ],
)
def test_capitals(model: str, word: str, found: str) -> None:
    assert like(model, word) == found
