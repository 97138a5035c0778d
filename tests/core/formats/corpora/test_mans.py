"""OpenMEVA's MANS file."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.formats.corpora.mans import mans_text, read_mans
from core.stories import Corpus, RatingRecord, Source, StoryRecord


def good() -> dict[str, Any]:
    """Two prompts, of two systems and one."""
    return {
        "125": {
            "prompt": " it rained . ",
            "gold_response": "we stayed in .",
            "gen": {
                "fusion": {"text": "we got wet .", "score": [1, 2, 5]},
                "s2s": {"text": " the sun 😀 .", "score": [3]},
            },
        },
        "7": {
            "prompt": "the dog ran .",
            "gold_response": "it came back .",
            "gen": {"s2s": {"text": "it sat .", "score": []}},
        },
    }


def write(folder: Path, data: object) -> Path:
    file = folder / "mans.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def refusal(folder: Path, data: object) -> str:
    with pytest.raises(InputError) as caught:
        read_mans(write(folder, data))
    return str(caught.value)


def test_a_good_file(tmp_path: Path) -> None:
    corpus = read_mans(write(tmp_path, good()))
    assert (corpus.scheme, corpus.raters_identified, corpus.scores, corpus.notices) == ("mans", False, (), ())
    assert corpus.stories == (
        StoryRecord("125/gold_response", "125", "it rained .", "we stayed in .", Source.HUMAN),
        StoryRecord("125/fusion", "125", "it rained .", "we got wet .", Source.SYSTEM, "fusion"),
        StoryRecord("125/s2s", "125", "it rained .", "the sun 😀 .", Source.SYSTEM, "s2s"),
        StoryRecord("7/gold_response", "7", "the dog ran .", "it came back .", Source.HUMAN),
        StoryRecord("7/s2s", "7", "the dog ran .", "it sat .", Source.SYSTEM, "s2s"),
    )
    assert corpus.ratings == (
        RatingRecord("125/fusion", "rater 1", 1.0),
        RatingRecord("125/fusion", "rater 2", 2.0),
        RatingRecord("125/fusion", "rater 3", 5.0),
        RatingRecord("125/s2s", "rater 1", 3.0),
    )


def test_an_empty_story_is_data_with_a_notice(tmp_path: Path) -> None:
    data = good()
    data["7"]["gen"]["s2s"]["text"] = "  "
    assert read_mans(write(tmp_path, data)).notices == ("1 story is empty: metrics leave such stories undefined.",)


@pytest.mark.parametrize("name", ["prompt", "gold_response", "gen"])
def test_a_missing_field_of_a_prompt(tmp_path: Path, name: str) -> None:
    data = good()
    del data["7"][name]
    text = ", ".join(data["7"])
    assert refusal(tmp_path, data) == f"mans.json, prompt 7: the field '{name}' is missing; there are {text}."


@pytest.mark.parametrize(("name", "there"), [("text", "score"), ("score", "text")])
def test_a_missing_field_of_a_story(tmp_path: Path, name: str, there: str) -> None:
    data = good()
    del data["125"]["gen"]["s2s"][name]
    message = f"mans.json, prompt 125, system s2s: the field '{name}' is missing; there are {there}."
    assert refusal(tmp_path, data) == message


def test_an_object_without_fields(tmp_path: Path) -> None:
    assert refusal(tmp_path, {"7": {}}) == "mans.json, prompt 7: the field 'prompt' is missing; there are none."


@pytest.mark.parametrize("value", [7, None, ["a"], True])
def test_a_text_that_is_no_string(tmp_path: Path, value: object) -> None:
    data = good()
    data["125"]["gen"]["s2s"]["text"] = value
    assert refusal(tmp_path, data) == "mans.json, prompt 125, system s2s: the field 'text' has the wrong type."


@pytest.mark.parametrize(("name", "value"), [("prompt", 3), ("gold_response", None), ("gen", [])])
def test_a_field_of_the_wrong_type(tmp_path: Path, name: str, value: object) -> None:
    data = good()
    data["7"][name] = value
    assert refusal(tmp_path, data) == f"mans.json, prompt 7: the field '{name}' has the wrong type."


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (7, "rating 2: 7 is outside the scale 1 to 5."),
        (0, "rating 2: 0 is outside the scale 1 to 5."),
        (5.5, "rating 2: 5.5 is outside the scale 1 to 5."),
        ("good", "rating 2: 'good' is not a number."),
        (None, "rating 2: 'None' is not a number."),
        (True, "rating 2: 'True' is not a number."),
        (float("nan"), "rating 2: nan is not a finite number."),
    ],
)
def test_a_bad_rating(tmp_path: Path, value: object, message: str) -> None:
    data = good()
    data["125"]["gen"]["s2s"]["score"] = [3, value]
    assert refusal(tmp_path, data) == f"mans.json, prompt 125, system s2s, {message}"


def test_a_rating_between_two_steps_is_kept(tmp_path: Path) -> None:
    data = good()
    data["125"]["gen"]["s2s"]["score"] = [3, 4.5]
    assert [r.overall for r in read_mans(write(tmp_path, data)).ratings if r.story_key == "125/s2s"] == [3.0, 4.5]


def test_what_is_not_json(tmp_path: Path) -> None:
    assert refusal(tmp_path, '{\n"1": {},\n"2": oops\n}') == "mans.json, line 3: this is not JSON (Expecting value)."
    assert refusal(tmp_path, '{"1": {}').startswith("mans.json, line 1: this is not JSON (")
    assert refusal(tmp_path, " \n ") == "The file mans.json is empty."
    with pytest.raises(InputError, match=r"There is no file .*none\.json"):
        read_mans(tmp_path / "none.json")


@pytest.mark.parametrize("data", [[], [good()], {}, "3", '"text"', "null"])
def test_another_shape_than_an_object(tmp_path: Path, data: object) -> None:
    message = "mans.json is not a MANS file: it must be an object from prompt id to prompt and stories."
    assert refusal(tmp_path, data) == message


def test_a_prompt_or_a_story_that_is_no_object(tmp_path: Path) -> None:
    message = "mans.json, prompt 7: expected an object with prompt, gold_response and gen."
    assert refusal(tmp_path, {"7": "text"}) == message
    data = good()
    data["7"]["gen"]["s2s"] = "text"
    assert refusal(tmp_path, data) == "mans.json, prompt 7, system s2s: expected an object with text and score."


def test_an_id_that_stands_twice(tmp_path: Path) -> None:
    entry = json.dumps(good()["7"])
    message = refusal(tmp_path, f'{{"7": {entry}, "8": {entry}, "7": {entry}}}')
    assert "the key '7' stands twice in one object; every id must be unique." in message
    message = refusal(tmp_path, json.dumps(good()).replace('"fusion"', '"s2s"'))
    assert "the key 's2s' stands twice" in message


@pytest.mark.parametrize("names", [("1", "human", "1", "x"), ("1", "2-x", "1-2", "x")])
def test_no_two_stories_share_a_key(tmp_path: Path, names: tuple[str, str, str, str]) -> None:
    data: dict[str, Any] = {}
    for prompt, system in (names[:2], names[2:]):
        entry = data.setdefault(prompt, {"prompt": "p", "gold_response": "g", "gen": {}})
        entry["gen"][system] = {"text": system, "score": [3]}
    keys = [story.key for story in read_mans(write(tmp_path, data)).stories]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("where", ["prompt", "gold_response", "text", "system"])
def test_a_nul_byte(tmp_path: Path, where: str) -> None:
    data = good()
    match where:
        case "text":
            data["7"]["gen"]["s2s"]["text"] = "a\0"
        case "system":
            data["7"]["gen"]["s\0"] = data["7"]["gen"].pop("s2s")
        case _:
            data["7"][where] = "a\0"
    assert refusal(tmp_path, data).startswith("mans.json, prompt 7")
    assert refusal(tmp_path, data).endswith("the text holds a NUL byte; remove it.")


def test_a_nul_byte_in_an_id(tmp_path: Path) -> None:
    assert refusal(tmp_path, {"7\0": good()["7"]}).endswith("the text holds a NUL byte; remove it.")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"7": ' + "9" * 5000 + "}"),
        pytest.param('{"7": ' + "[" * 100_000),
    ],
    ids=["a number of 5000 digits", "100,000 brackets"],
)
def test_json_that_python_cannot_hold(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path, text).startswith("mans.json")


def test_the_released_file(shared: Path) -> None:
    corpus = read_mans(shared / "mans-roc" / "mans_roc.json")
    assert len(corpus.stories) == 1200
    assert len(corpus.ratings) == 5000
    assert len({story.system for story in corpus.stories if story.source is Source.SYSTEM}) == 5


def stories(*changed: StoryRecord) -> tuple[StoryRecord, ...]:
    """A prompt with a human story, two systems' and a control, and what else is given."""
    return (
        StoryRecord("h", "7", "Go.", "They went.", Source.HUMAN),
        StoryRecord("a", "7", "Go.", "One.", Source.SYSTEM, "a"),
        StoryRecord("b", "7", "Go.", "Two 😀.", Source.SYSTEM, "b"),
        StoryRecord("n", "7", "Go.", "went They.", Source.NEGATIVE),
        *changed,
    )


def rated(*values: float) -> tuple[RatingRecord, ...]:
    return tuple(RatingRecord("a", f"rater {number}", value) for number, value in enumerate(values, 1))


def test_what_was_read_is_written_and_read_again(tmp_path: Path) -> None:
    corpus = read_mans(write(tmp_path, good()))
    assert read_mans(write(tmp_path, mans_text(corpus))) == corpus
    assert mans_text(read_mans(write(tmp_path, mans_text(corpus)))) == mans_text(corpus)


def test_the_released_file_comes_back_equal(shared: Path, tmp_path: Path) -> None:
    path = shared / "mans-roc" / "mans_roc.json"
    corpus = read_mans(path)
    assert read_mans(write(tmp_path, mans_text(corpus))) == corpus
    sent, written = json.loads(path.read_text(encoding="utf-8")), json.loads(mans_text(corpus))
    assert {key: entry["gen"] for key, entry in sent.items()} == {key: entry["gen"] for key, entry in written.items()}


def test_controls_and_deductions_stay_out_and_ratings_are_sorted() -> None:
    data = json.loads(mans_text(Corpus("mans", stories(), rated(5, 1, 2.5))))
    assert data == {
        "7": {
            "prompt": "Go.",
            "gen": {"a": {"text": "One.", "score": [1, 2.5, 5]}, "b": {"text": "Two 😀.", "score": []}},
            "gold_response": "They went.",
        }
    }


@pytest.mark.parametrize(
    ("corpus", "words"),
    [
        (Corpus("union", stories()), "of the MANS scheme"),
        (Corpus("mans", stories(), rated(0)), "ratings from 1 to 5, not 0"),
        (Corpus("mans", stories()[1:]), "needs a human story of every prompt; '7' has none"),
        (
            Corpus("mans", stories(StoryRecord("h2", "7", "Go.", "x", Source.HUMAN))),
            "one human story a prompt; '7' has",
        ),
        (
            Corpus("mans", stories(StoryRecord("a2", "7", "Go.", "x", Source.SYSTEM, "a"))),
            "one story per system and prompt",
        ),
        (Corpus("mans", stories(StoryRecord("c", "7", "Go.", " x", Source.SYSTEM, "c"))), "the story of 'c' has some"),
        (
            Corpus("mans", stories(StoryRecord("c", "7", "Go.", "x", Source.SYSTEM, "gold_response"))),
            "'7/gold_response'",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_format_cannot_hold_is_refused(corpus: Corpus, words: str) -> None:
    with pytest.raises(InputError, match="MANS format") as caught:
        mans_text(corpus)
    assert words in str(caught.value)


def test_the_zip_of_an_export_is_read_as_its_file(tmp_path: Path) -> None:
    text = mans_text(read_mans(write(tmp_path, good())))
    packed = tmp_path / "study-mans.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mans.json", text)
        archive.writestr("manifest.json", "{}")
    assert read_mans(packed) == read_mans(write(tmp_path, text))
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("other.json", text)
    with pytest.raises(InputError, match="holds 2 files that could be the MANS file"):
        read_mans(packed)
    packed.write_bytes(b"no zip")
    with pytest.raises(InputError, match="no zip that can be read"):
        read_mans(packed)
