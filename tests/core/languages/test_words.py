"""The languages of annotators: what a file has to hold, which one is chosen, and a language that somebody adds."""

import re
import shutil
from pathlib import Path

import pytest

from core.annotation.builtin import SCHEMES, with_prompts
from core.annotation.onboarding_items import built_in_items
from core.annotation.panel import End
from core.annotation.unit import WORDING, WORDING_OF_TASKS, PromptKind
from core.errors import InputError, NotAllowed, StorageError
from core.languages.words import FOLDER, accepted, joined, languages, load, placeholders, preferred, sentence, told
from core.languages.words import worded as worded_error

LANGUAGES = languages()
OTHERS = [code for code in LANGUAGES if code != "en"]
ENGLISH = LANGUAGES["en"]


def test_there_are_five() -> None:
    assert list(LANGUAGES) == ["en", "ar", "de", "es", "zh"]
    assert {code for code, words in LANGUAGES.items() if words.direction == "rtl"} == {"ar"}


@pytest.mark.parametrize("code", OTHERS)
def test_every_language_has_exactly_english_s_keys_and_braces(code: str) -> None:
    words = LANGUAGES[code]
    assert set(words.texts) == set(ENGLISH.texts)
    for key, text in ENGLISH.texts.items():
        assert placeholders(words.texts[key]) == placeholders(text), key


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_left_in_english(code: str) -> None:
    same = {key for key, text in ENGLISH.texts.items() if LANGUAGES[code].texts[key] == text}
    # What has no words, and single words that both languages have.
    assert {key for key in same if re.search("[A-Za-z]{4}", re.sub(r"\{\w+\}", "", ENGLISH.texts[key]))} == set()


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_signs_of_markdown_come_in_pairs(code: str) -> None:
    for key, text in LANGUAGES[code].texts.items():
        assert text.count("**") % 2 == 0, key
        assert text == text.strip() or key == "practice.times", key
        assert not re.search(r"[`#\[\]<>$]|:[a-z]+\[", text), key


def built_in_texts() -> set[str]:
    """What the built-in schemes, the degrees of preference and the explanations of practice say in English."""
    texts = set()
    for scheme in SCHEMES.values():
        for criterion in scheme.criteria:
            texts |= {criterion.name, criterion.question, criterion.example, *(label for _, label in criterion.scale)}
        for error_type in scheme.error_types:
            texts |= {error_type.name, error_type.description, error_type.example, error_type.why}
        for error_type in with_prompts(scheme, PromptKind.TASK).error_types:
            texts |= {error_type.description, error_type.why}
        texts |= {item.explanation for item in built_in_items(scheme)}
    for wording in (*WORDING.values(), *WORDING_OF_TASKS.values()):
        texts |= {wording.noun, wording.plural, wording.task, wording.task_of_criteria, wording.opening}
    return texts - {""}


def test_english_says_what_the_built_in_schemes_say_and_nothing_else() -> None:
    elsewhere = {"A is much better", "B is much better", "attention check"}  # the Form tab offers them
    assert set(ENGLISH.built_in) == built_in_texts() | elsewhere


def test_every_end_has_its_texts() -> None:
    for end in End:
        assert ENGLISH.text(f"end.{end.name.lower()}.title")
        assert ENGLISH.text(f"end.{end.name.lower()}.text")


def test_every_text_is_used() -> None:
    root = FOLDER.parents[1]
    code = "\n".join(
        path.read_text() for room in ("core", "db", "pages", "routes") for path in sorted((root / room).rglob("*.py"))
    )
    built = ("names.", "unit.", "scheme.", "explanation.", "language.", "lists.", "end.", "bar.")
    put_together = ("errors.compare_", "errors.overall_", "errors.rating_", "errors.reason_", "instructions.pairs_")
    put_together += ("arrival.too_often_", "practice.once", "practice.twice", "practice.nothing_")
    put_together += ("instructions.both_stories", "instructions.whole_story")
    for key in ENGLISH.texts:
        assert key in code or key.startswith((*built, *put_together)), key


def test_values_are_put_in() -> None:
    assert ENGLISH.text("story.name", letter="B") == "Story B"
    assert ENGLISH.text("between.begin") == "Begin"
    assert LANGUAGES["de"].text("panel.heading", unit="Runde", number=1, most=3) == "Runde 1 von 3"
    with pytest.raises(KeyError):
        ENGLISH.text("story.name", letters="B")
    with pytest.raises(KeyError):
        ENGLISH.text("story.nothing")


def test_enumerations() -> None:
    assert ENGLISH.listed(["A"]) == "A"
    assert ENGLISH.listed(["A", "B"]) == "A and B"
    assert ENGLISH.listed(["A", "B", "C"], "or") == "A, B or C"
    assert LANGUAGES["zh"].listed(["A", "B", "C"]) == "A、B和C"
    assert LANGUAGES["ar"].listed(["A", "B", "C"]) == "A، B وC"
    assert joined(ENGLISH, ["{x}", "b"], "lists.comma", "lists.comma") == "{x}, b"  # braces of others mean nothing


def test_numbers() -> None:
    assert ENGLISH.number(1_234_567) == "1,234,567"
    assert LANGUAGES["de"].number(1_000) == "1.000"
    assert LANGUAGES["de"].number(12) == "12"


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ([], "en"),
        (["de"], "de"),
        (["de-AT"], "de"),
        (["zh-Hans-CN"], "zh"),
        (["ZH-cn"], "zh"),
        (["fr", "es-MX", "de"], "es"),
        (["fr"], "en"),
        (["en-GB", "de"], "en"),
        (["", "-", "*"], "en"),
    ],
)
def test_the_first_language_that_there_is(wanted: list[str], code: str) -> None:
    assert preferred(wanted, LANGUAGES).code == code


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("", []),
        ("de", ["de"]),
        ("en;q=0.5, de-AT, fr;q=0.9", ["de-AT", "fr", "en"]),
        ("de;q=0, en", ["en"]),
        ("de;q=much,en;q=0.1", ["en"]),
        ("*", ["*"]),
        (",,;", []),
    ],
)
def test_what_a_browser_asks_for(header: str, tags: list[str]) -> None:
    assert accepted(header) == tags


def test_errors_speak_the_language_of_who_reads_them() -> None:
    error = told(InputError, "errors.note_length", most=2_000, number=3_000)
    assert str(error) == "Write 1 to 2,000 characters; this note has 3,000."
    assert isinstance(error, InputError)
    assert sentence(LANGUAGES["de"], error) == "Schreiben Sie 1 bis 2.000 Zeichen; diese Nachricht hat 3.000."
    assert sentence(LANGUAGES["de"], NotAllowed("Only in English.")) == "Only in English."
    both = worded_error(NotAllowed, lambda words: words.listed(["A", "B"]))
    assert (str(both), sentence(LANGUAGES["es"], both)) == ("A and B", "A y B")


def test_a_server_s_errors_too(monkeypatch: pytest.MonkeyPatch) -> None:
    error = StorageError("The file /secret is locked.")
    assert sentence(LANGUAGES["de"], error) == "The file /secret is locked."  # on a terminal
    monkeypatch.setattr("core.errors._served", True)
    assert sentence(LANGUAGES["de"], error).startswith("Der Server kann das gerade nicht.")
    assert sentence(LANGUAGES["de"], error).endswith(f"(Code {error.code})")
    assert sentence(ENGLISH, error) == str(error)
    assert sentence(LANGUAGES["de"], StorageError("Gone.", outside="It is full.")) != "It is full."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with English and a toy language, which says everything in capital letters."""
    shutil.copy(FOLDER / "en.toml", tmp_path)
    lines = (FOLDER / "en.toml").read_text().replace('"English"', '"Toy"').splitlines()
    (tmp_path / "xx-Toy.toml").write_text("\n".join(map(louder, lines)))
    return tmp_path


def louder(line: str) -> str:
    """A line of a language file with its text in capital letters, all but what stands in braces."""
    if not re.search('"[^"]*"$', line) or line.startswith(("direction", 'name = "Toy"')):
        return line
    key, text = line.split("=", 1)
    return f"{key}={re.sub(r'(?<![{a-z_])[a-z]+(?![}a-z_])', lambda word: word[0].upper(), text)}"


def test_a_language_is_added_by_adding_its_file(folder: Path) -> None:
    found = load(folder)
    assert list(found) == ["en", "xx-Toy"]
    toy = preferred(["xx-toy"], found)
    assert (toy.code, toy.name) == ("xx-Toy", "Toy")
    assert toy.text("story.name", letter="b") == "STORY b"
    assert toy.ours("How good is this story as a whole?") == "HOW GOOD IS THIS STORY AS A WHOLE?"
    assert toy.ours("What an owner asks") == "What an owner asks"


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('agree = "I AGREE"', "", "xx-Toy.toml lacks consent.agree, and 0 more; see en.toml."),
        ('agree = "I AGREE"', 'agree = "I AGREE"\nhello = "YOU"', "xx-Toy.toml has consent.hello, which en.toml"),
        ('name = "STORY {letter}"', 'name = "STORY"', "xx-Toy.toml needs {letter} at story.name, as en.toml has."),
        ('name = "STORY {letter}"', 'name = "{letter"', "xx-Toy.toml needs {letter} at story.name, as en.toml has."),
        ('agree = "I AGREE"', 'agree = "I {agree}"', "xx-Toy.toml needs no braces at consent.agree, as en.toml has."),
        ('agree = "I AGREE"', 'agree = " "', "xx-Toy.toml has no text at consent.agree; write one in quotes."),
        ('agree = "I AGREE"', "agree = 7", "xx-Toy.toml has no text at consent.agree; write one in quotes."),
        ('direction = "ltr"', 'direction = "up"', "xx-Toy.toml says ltr or rtl at language.direction."),
        ('agree = "I AGREE"', "agree = I AGREE", "xx-Toy.toml cannot be read: "),
    ],
)
def test_a_file_that_cannot_be_used_says_what_is_wrong(folder: Path, before: str, after: str, says: str) -> None:
    path = folder / "xx-Toy.toml"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(InputError, match=re.escape(f"The language file {says}")):
        load(folder)
