"""Changed stories as JSONL: out and in equal, and lines that do not add up named."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, StorageError
from core.formats.perturbed import case_json, cases_jsonl, read_cases, write_cases
from core.perturb.cases import Case, Of
from core.perturb.edits import Draft, Edit, Perturbed

LINE: dict[str, Any] = {
    "id": "1",
    "aspect": "negative",
    "label": 0,
    "prompt": "",
    "text": "He sat 😀 there.",
    "original": "He 😀 was.",
    "edits": [
        {"start": 3, "end": 3, "before": "", "after": "sat "},
        {"start": 5, "end": 8, "before": "was", "after": "there"},
    ],
}


def case(key: str, text: str = "One 😀 came. Two\u2028went.\r\nThree.") -> Case:
    draft = Draft(text)
    draft.step("negation", "put in", [(3, 3, " not")])
    draft.step("reordering", "2 sentences", [(0, 3, "Six")])
    return Case(key, "negative", 0, "Once\x07 upon.", draft.done())


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_out_and_in_are_equal(tmp_path: Path) -> None:
    cases = (case("a"), case("b"), Case("a", "typos", 1, "", Perturbed("Same.", "Same.", (), ())))
    cases += (replace(case("a/character"), story="a", of=Of.INCOHERENT, acceptable=0.25),)
    write_cases(cases, tmp_path / "cases.jsonl")
    assert read_cases(tmp_path / "cases.jsonl") == cases
    assert [file.name for file in tmp_path.iterdir()] == ["cases.jsonl"]


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=4, max_size=40))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "cases.jsonl"
    write_cases([case("a", text)], path)
    assert read_cases(path) == (case("a", text),)


def test_a_line_by_hand(tmp_path: Path) -> None:
    (result,) = read_cases(written(tmp_path, LINE))
    assert result.perturbed.edits == (Edit(3, 3, "", "sat "), Edit(5, 8, "was", "there"))
    assert result.perturbed.steps == ()
    keys = ["id", "story", "of", "aspect", "label", "prompt", "text", "original", "acceptable", "edits", "steps"]
    assert list(case_json(result)) == keys
    assert (result.story, result.source, result.of, result.acceptable) == ("", "1", Of.HUMAN, None)
    assert cases_jsonl([result]).endswith('"steps": []}\n')


def test_fields_that_may_be_missing(tmp_path: Path) -> None:
    line = {key: LINE[key] for key in ("id", "aspect", "label")} | {"text": "Same.", "original": "Same."}
    (result,) = read_cases(written(tmp_path, line | {"edits": None}))
    assert result.perturbed == Perturbed("Same.", "Same.", (), ())
    step = {"technique": "negation", "way": "put in", "edits": [{"start": 0, "end": 0, "before": "", "after": "No "}]}
    (result,) = read_cases(written(tmp_path, line | {"text": "No Same.", "steps": [step]}))
    assert result.perturbed.steps[0].edits == (Edit(0, 0, "", "No ", ("negation",)),)


def edit(**change: Any) -> dict[str, Any]:
    return LINE | {"edits": [LINE["edits"][0] | change, LINE["edits"][1]]}


STEP = {"technique": "a", "way": "b", "edits": []}


def passing(new: str) -> dict[str, Any]:
    """What a step puts in and the next takes out."""
    there = [STEP | {"edits": [{"start": 0, "end": 0, "before": "", "after": new}]}]
    return LINE | {"steps": [*there, STEP | {"edits": [{"start": 0, "end": 1, "before": new, "after": ""}]}]}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: this is not JSON"),
        ("[]", "line 2: expected an object"),
        (LINE | {"id": 7}, "line 2: 'id' is no text"),
        ({k: v for k, v in LINE.items() if k != "original"}, "line 2: 'original' is missing"),
        (LINE | {"label": 2}, "line 2: the label is 1 for a good story and 0 for one made worse, not '2'"),
        (LINE | {"label": True}, "line 2: the label"),
        (LINE | {"label": None}, "line 2: the label"),
        (LINE | {"of": "machine"}, "line 2: the original is of kind human or incoherent, not 'machine'"),
        (LINE | {"acceptable": 1.5}, "line 2: acceptable is a probability from 0 to 1, not '1.5'"),
        (LINE | {"acceptable": True}, "line 2: acceptable is a probability"),
        (LINE | {"story": 3}, "line 2: 'story' is no text"),
        (LINE | {"edits": {}}, "line 2, edits: expected a list of objects"),
        (LINE | {"edits": [1]}, "line 2, edits: expected a list of objects"),
        (edit(start="3"), "line 2, edits: start and end of an edit are whole numbers"),
        (edit(end=True), "line 2, edits: start and end"),
        (edit(after=None), "line 2, edits: 'after' is missing"),
        (edit(techniques="negation"), "line 2, edits: the techniques of an edit are a list of names"),
        (edit(before="x"), "line 2: the edits do not fit: The edit at 3 does not fit the text"),
        (edit(start=2), "line 2: the edits do not fit"),
        (edit(after="stood "), "line 2: the edits do not turn the original into the text"),
        (LINE | {"edits": []}, "line 2: the edits do not turn the original into the text"),
        (LINE | {"steps": [STEP]}, "line 2: the steps do not turn the original into the text"),
        (LINE | {"steps": [{"way": "b"}]}, "line 2, steps: 'technique' is missing"),
        (LINE | {"text": "a\0"}, "line 2, text: the text holds a NUL byte"),
        (LINE | {"prompt": "\ud800"}, "line 2, prompt: the text holds half of a character"),
        (edit(techniques=["\ud800"]), "line 2, edits, techniques: the text holds half of a character"),
        (LINE | {"steps": [STEP | {"technique": "\ud800"}]}, "line 2, steps, technique: the text holds half of a"),
        (LINE | {"steps": [STEP | {"way": "\0"}]}, "line 2, steps, way: the text holds a NUL byte"),
        (passing("\ud800"), "line 2, steps, after: the text holds half of a character"),
        (passing("\0"), "line 2, steps, after: the text holds a NUL byte"),
        (LINE | {"id": "x" * 201}, "line 2: an id or name has at most 200"),
        (LINE | {"id": ""}, "line 2: 'id' is empty; give every case an id and an aspect"),
        (LINE | {"aspect": " "}, "line 2: 'aspect' is empty; give every case an id and an aspect"),
        (LINE | {"id": "0"}, "line 2: the id '0' stands on an earlier line too"),
    ],
)
def test_lines_that_are_wrong(tmp_path: Path, line: Any, said: str) -> None:
    path = written(tmp_path, LINE | {"id": "0"}, line)
    with pytest.raises(InputError, match=r"cases\.jsonl, line 2") as raised:
        read_cases(path)
    assert said in str(raised.value)


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cases\.csv: changed stories are written as \.jsonl"):
        write_cases([], tmp_path / "cases.csv")
    (tmp_path / "folder.jsonl").mkdir()
    for path in (tmp_path / "none" / "cases.jsonl", tmp_path / "folder.jsonl"):
        with pytest.raises(InputError, match="cannot be written: name a file in a folder"):
            write_cases([], path)


def test_nothing_half_written(tmp_path: Path) -> None:
    def failing() -> Any:
        yield case("a")
        raise OSError("the disk is full")

    target = tmp_path / "cases.jsonl"
    target.write_text("old\n")
    with pytest.raises(StorageError, match="cannot be written: the disk is full"):
        write_cases(failing(), target)
    assert target.read_text() == "old\n"
    assert [file.name for file in tmp_path.iterdir()] == ["cases.jsonl"]
