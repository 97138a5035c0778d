"""Sentences, normalisation and the identity of a story."""

import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stories import (
    NORMALISATIONS,
    Source,
    Story,
    first_words,
    normalise,
    sentences,
    source_called,
    whole_story,
    without_prompt,
)
from tests.core.stories import TEXTS


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("no end", ["no end"]),
        ("He ran. She sat! Why? No", ["He ran.", "She sat!", "Why?", "No"]),
        ('he ran . she sat . "stop !" he said .', ["he ran .", "she sat .", '"stop !"', "he said ."]),
        ("Mr. Smith met Dr. Lee. They ate e.g. cake.", ["Mr. Smith met Dr. Lee.", "They ate e.g. cake."]),
        ("J. K. wrote. Yes.", ["J. K. wrote.", "Yes."]),
        ("3.5 miles. Fine.", ["3.5 miles.", "Fine."]),
        ("One.\nTwo\nThree", ["One.", "Two", "Three"]),
        ("Two\n\nparagraphs", ["Two", "paragraphs"]),
        ('"Go!" (Now.) Ran... ?', ['"Go!"', "(Now.)", "Ran... ?"]),
        ("Wait?! What…", ["Wait?!", "What…"]),
        ("Hi. . . Bye.", ["Hi. . .", "Bye."]),
        ("... He ran.", ["...", "He ran."]),
        ("He ran 😀. She sat 👩‍👩‍👧! 😀", ["He ran 😀.", "She sat 👩‍👩‍👧! 😀"]),
        ("ذهب الولد. هل عاد؟ نعم!", ["ذهب الولد.", "هل عاد؟", "نعم!"]),
        ("He waited.  She   came.  ", ["He waited.", "She   came."]),
        ("We saw the Dr. ", ["We saw the Dr."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_sentence_offsets_count_code_points() -> None:
    assert sentences(" 😀 ran. 👩‍👧 sat.") == [(1, 7), (8, 16)]


def slowly(text: str) -> list[tuple[int, int]]:
    """The same, one letter after the other: where a sentence may end, what stands before, what is left over."""
    ends, place = [], 0
    while place < len(text):
        letter = text[place]
        run = next((signs for signs in (".!?…؟", "。！？", "\n") if letter in signs), "")
        end = place + 1
        while run and end < len(text) and text[end] in run:
            end += 1
        while run not in ("", "\n") and end < len(text) and text[end] in "\"'”’»)]":
            end += 1
        if run and (run != ".!?…؟" or end == len(text) or text[end].isspace()):
            ends.append(end)
        place = end
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*ends, len(text)]:
        short = r"(\b(?i:mr|mrs|ms|dr|st|prof|jr|sr|vs|etc|e\.g|i\.e)|\b[A-HJ-Z])\.\n?\Z"
        if end < len(text) and re.search(short, text[max(start, end - 12) : end]):
            continue
        piece, start, begun = text[start:end], end, start
        left = begun + len(piece) - len(piece.lstrip())
        right = left + len(piece.strip())
        if piece.strip() and spans and not any(letter.isalnum() for letter in piece):
            spans[-1] = (spans[-1][0], right)
        elif piece.strip():
            spans.append((left, right))
    return spans


@given(TEXTS | st.text(".!?…؟。！？\n \"'”)]aMr.DB_-\t4"))
def test_sentences_are_those_of_a_slow_search(text: str) -> None:
    assert sentences(text) == slowly(text)


@given(st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_a_content_hash_is_that_of_its_json(prompt: str, text: str, references: list[str]) -> None:
    written = json.dumps([prompt, text, *sorted(references)], ensure_ascii=False)
    assert Story(text, prompt, tuple(references)).content_hash == hashlib.sha256(written.encode()).hexdigest()


@given(TEXTS)
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    spans = sentences(text)
    ends = [0]
    for start, end in spans:
        assert ends[-1] <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        ends.append(end)
    inside = {i for start, end in spans for i in range(start, end)}
    assert all(character.isspace() for i, character in enumerate(text) if i not in inside)


def test_a_line_break_ends_a_sentence_even_after_an_abbreviation() -> None:
    assert split("He lived on Main St.\n\nShe came.") == ["He lived on Main St.", "She came."]


def test_sentences_of_text_without_spaces() -> None:
    assert split("他走了。她来了！") == ["他走了。", "她来了！"]


@pytest.mark.parametrize(
    ("text", "detokenised"),
    [
        ("she did n ' t find the bear . it was cold !", "She didn't find the bear. It was cold!"),
        ("he did n't go . i ca n't !", "He didn't go. I can't!"),
        ("wo n ’ t you ?", "Won't you?"),
        ("they 're here ; we 've won : i 'm glad .", "They're here; we've won: I'm glad."),
        ("the man ' s dog , and he 'd go , she 'll see .", "The man's dog, and he'd go, she'll see."),
        ("he said `` hello there '' .", 'He said "hello there".'),
        ("( a note ) cost $ 5 , 50 % .", "(a note) cost $5, 50%."),
        ("  two \n lines\tand   spaces ", "Two lines and spaces"),
        ("in it i hid . is it ?", "In it I hid. Is it?"),
        ("Don't change this. It is fine.", "Don't change this. It is fine."),
        ("", ""),
        ("  ", ""),
    ],
)
def test_detokenised(text: str, detokenised: str) -> None:
    assert normalise(text, "detokenised") == detokenised
    assert normalise(detokenised, "detokenised") == detokenised
    assert normalise(text, "named") == detokenised


def test_named_fills_the_placeholders() -> None:
    text = "[MALE] ' s team met [FEMALE] and [NEUTRAL] ."
    assert normalise(text, "named") == "Tom's team met Anna and Alex."


def test_recased_leaves_capitals_at_beginnings_and_in_i() -> None:
    text = "[MALE] met Anna 's DOG . i like Paris . \" Do n ' t , \" I said ."
    assert normalise(text, "recased") == "Tom met anna's dog. I like paris. \" don't, \" I said."
    assert normalise("The Dog Came. It Slept.", "recased") == normalise("the dog came . it slept .", "recased")
    assert "[MALE]" in normalise(text, "detokenised")


def test_detokenised_glues_a_clitic_to_a_placeholder() -> None:
    assert normalise("[MALE] ' s team won .", "detokenised") == "[MALE]'s team won."


def test_detokenised_adds_no_space_before_a_contraction() -> None:
    assert normalise('he said "do n\'t go" .', "detokenised") == 'He said "don\'t go".'


@given(st.text())
def test_raw_changes_nothing(text: str) -> None:
    assert normalise(text) == normalise(text, "raw") == text


@given(st.text(alphabet="ab i.,!?'()$\n", max_size=40))
def test_detokenised_keeps_every_letter(text: str) -> None:
    def letters(t: str) -> str:
        return "".join(c for c in t.lower() if c.isalnum())

    assert letters(normalise(text, "detokenised")) == letters(text)


def test_an_unknown_normalisation_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="unknown normalisation 'lower'; there are raw, detokenised, named"):
        normalise("text", "lower")
    assert NORMALISATIONS == ("raw", "detokenised", "named", "recased", "delexicalised")


@pytest.mark.parametrize(
    ("text", "words", "cut"),
    [
        ("He ran. She sat down. End.", 5, "He ran. She sat down."),
        ("He ran. She sat down. End.", 4, "He ran."),
        ("He ran. She sat down. End.", 2, "He ran."),
        ("He ran. She sat down. End.", 6, "He ran. She sat down. End."),
        ("he ran . she sat .", 6, "he ran . she sat ."),
        ("he ran . she sat .", 5, "he ran ."),
        # The first sentence is longer than that: cut in the middle of it, between two words.
        ("He ran on and on. Yes.", 3, "He ran on"),
        ("no end at all", 2, "no end"),
        ("one", 1, "one"),
        # Mr. ends no sentence, and a full stop that stands alone is a word.
        ("He ran. Then Mr. Lee came. Yes.", 4, "He ran."),
        # A text that is short enough keeps its white space; one that is cut keeps it before the cut.
        ("  two  words \n", 2, "  two  words \n"),
        ("  He\n ran.  She sat.  ", 3, "  He\n ran."),
        ("", 3, ""),
        (" \n", 3, " \n"),
        # Words are what white space parts: a text without any is one.
        ("他走了。她来了。", 1, "他走了。她来了。"),
    ],
)
def test_first_words(text: str, words: int, cut: str) -> None:
    assert first_words(text, words) == cut


@given(TEXTS, st.integers(1, 30))
def test_first_words_are_a_beginning_of_at_most_so_many_words(text: str, words: int) -> None:
    cut = first_words(text, words)
    assert text.startswith(cut)
    assert len(cut.split()) <= words
    assert first_words(cut, words) == cut
    if len(text.split()) <= words:
        assert cut == text
    else:
        assert cut.strip()
        spans = [end for _, end in sentences(text) if end <= len(cut)]
        assert len(cut.split()) == words or (spans and spans[-1] == len(cut))


def test_content_hash_is_kept_for_ever() -> None:
    """Scores are stored under it, so another way of computing it would lose them."""
    expected = hashlib.sha256('["prompt", "é😀", "a", "b"]'.encode()).hexdigest()
    assert Story("é😀", "prompt", ("b", "a")).content_hash == expected


@given(
    st.text(), st.text(), st.lists(st.text(), max_size=4).flatmap(lambda r: st.tuples(st.just(r), st.permutations(r)))
)
def test_content_hash_ignores_the_order_of_references(
    text: str, prompt: str, orders: tuple[list[str], list[str]]
) -> None:
    story, other = (Story(text, prompt, tuple(order)) for order in orders)
    assert story.content_hash == other.content_hash


@given(*[st.tuples(st.text(max_size=3), st.text(max_size=3), st.lists(st.text(max_size=2), max_size=2))] * 2)
def test_content_hash_tells_any_two_stories_apart(
    one: tuple[str, str, list[str]], other: tuple[str, str, list[str]]
) -> None:
    hashes = {Story(text, prompt, tuple(references)).content_hash for text, prompt, references in (one, other)}
    same = one[:2] == other[:2] and sorted(one[2]) == sorted(other[2])
    assert len(hashes) == (1 if same else 2)


def test_content_hash_does_not_join_its_parts() -> None:
    stories = [
        Story("ab", "c"),
        Story("a", "bc"),
        Story("c", "ab"),
        Story("c", "a", ("b",)),
        Story("b", "a", ("c",)),
        Story("c", "", ("a", "b")),
        Story("c", "", ("ab",)),
        Story("c", "", ("a", "b", "")),
        Story('a", "b', "c"),
        Story("a", "c", ("b",)),
        Story("ab", "c", ("",)),
    ]
    assert len({story.content_hash for story in stories}) == len(stories)


@pytest.mark.parametrize(
    ("prompt", "text", "rest"),
    [
        ("It rained.", "It rained. He ran.", "He ran."),
        ("It rained.", " He ran.", "He ran."),
        ("", "He ran.", "He ran."),
        ("The race", "The race\nHe ran.", "He ran."),
        ("The race", "The race", ""),
        ("I", "It rained.", "It rained."),
    ],
)
def test_a_text_with_and_without_its_prompt(prompt: str, text: str, rest: str) -> None:
    assert without_prompt(prompt, text) == rest
    assert whole_story(prompt, text).split() == f"{prompt} {rest}".split()


def test_systems_called_like_controls() -> None:
    for name in ("human", "Human", "gold", "gold_response", "reference", "human-written", "writer", "references",
                 "humanReference", "ground truth", "original story by a person"):  # fmt: skip
        assert source_called(name) is Source.HUMAN, name
    for name in ("negative", "Negative sample", "corrupted", "perturbed stories"):
        assert source_called(name) is Source.NEGATIVE, name
    for name in ("", "gpt", "human-gpt", "plan-write", "goldfinch", "original", "text", "s2s", "negation model"):
        assert source_called(name) is Source.SYSTEM, name
