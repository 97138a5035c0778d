"""Columns found by their names and by what is in them; what may be two things is left to the user."""

from typing import Any

import pytest

from core.errors import InputError
from core.formats.columns import (
    DEFAULTS,
    called_like_judge,
    called_like_machine,
    check_column,
    guess_columns,
    parts_of,
    scale_in,
    series_of,
    without_mean,
    without_scale,
)


def guess(row: dict[str, Any], mapping: dict[str, str] | None = None) -> dict[str, str]:
    return guess_columns(list(row), [row], mapping)


FOUND: list[tuple[dict[str, Any], dict[str, str]]] = [
    (
        {"id": 1, "opening": "Go.", "model": "m", "continuation": "Once."},
        {"text": "continuation", "prompt": "opening", "system": "model", "id": "id"},
    ),
    (
        {"story_id": 1, "prompt_id": 2, "context": "Go.", "generation": "Once.", "generator": "m"},
        {"text": "generation", "prompt": "context", "system": "generator", "id": "story_id", "prompt_id": "prompt_id"},
    ),
    ({"Story ID": "a", "Prompt": "Go.", "Human": "So.", "Story": "Once.", "Model": "m", "Coherence": "3"},
     {"text": "Story", "prompt": "Prompt", "system": "Model", "reference": "Human", "id": "Story ID"}),
    ({"input": "Go.", "output": "Once."}, {"text": "output", "prompt": "input"}),
    ({"input": 3, "output": 4, "story": "Once."}, {"text": "story"}),
    ({"story": "A title", "sections": ["Once.", "Then."]}, {"text": "sections"}),
    ({"text": "Once.", "output": "Then.", "generation": "So."}, {"text": "text"}),
    ({"text": "Once.", "human": 4.5, "response": "3"}, {"text": "text"}),
    ({"text": "Once.", "human": "So."}, {"text": "text", "reference": "human"}),
    ({"text": "Once.", "writing_prompt": "Go.", "input": "All.", "author": "m"},
     {"text": "text", "prompt": "writing_prompt", "system": "author"}),
    ({"text": "Once.", "Model": "m", "author": "Ann", "method": "top-k"}, {"text": "text", "system": "Model"}),
    ({"text": "Once.", "method": "top-k"}, {"text": "text", "system": "method"}),
    ({"text": "Once.", "method": 1, "llm": 4.5}, {"text": "text"}),
    ({"instruction": "Go.", "input": "", "output": "Once."}, {"text": "output", "prompt": "instruction"}),
    (
        {"HITId": "3X", "Input.leading_context": "Go.", "Input.story": "Once.", "Input.model": "m", "Answer.x": 4},
        {"text": "Input.story", "prompt": "Input.leading_context", "system": "Input.model"},
    ),
    ({"text": "Once.", "source": "http://x.org/1"}, {"text": "text"}),
    ({"text": "Once.", "source": "Human"}, {"text": "text", "source": "source"}),
    (
        {"storyid": "a", "storytitle": "T", **{f"sentence{n}": f"{n}." for n in range(1, 6)}},
        {"text": "sentence1+sentence2+sentence3+sentence4+sentence5", "id": "storyid"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("row", "columns"), FOUND)
def test_columns_are_found(row: dict[str, Any], columns: dict[str, str]) -> None:
    assert guess(row) == columns


AMBIGUOUS: list[dict[str, Any]] = [
    {"story": "By a person.", "generation": "By a model."},
    {"generation": "One.", "output": "Other."},
    {"continuation": "Once.", "sentence1": "One.", "sentence2": "Two."},
    {"RandomFifthSentenceQuiz1": "One.", "RandomFifthSentenceQuiz2": "Two."},
]


@pytest.mark.parametrize("row", AMBIGUOUS)
def test_what_may_be_either_is_left_to_the_user(row: dict[str, Any]) -> None:
    assert "text" not in guess(row)


def test_story_cloze_has_its_context_and_asks_for_the_ending() -> None:
    row = {"InputStoryid": "x", **{f"InputSentence{n}": f"{n}." for n in range(1, 5)}, "AnswerRightEnding": "1"}
    row |= {f"RandomFifthSentenceQuiz{n}": "End." for n in (1, 2)}
    context = "InputSentence1+InputSentence2+InputSentence3+InputSentence4"
    assert guess(row) == {"prompt": context, "id": "InputStoryid"}
    assert guess(row, {"text": "RandomFifthSentenceQuiz1"})["prompt"] == context


def test_what_is_mapped_is_not_found_again() -> None:
    assert guess({"human": "So.", "opening": "Go."}, {"text": "human"}) == {"prompt": "opening"}


@pytest.mark.parametrize("field", DEFAULTS)
def test_every_name_is_found_alone(field: str) -> None:
    for name in DEFAULTS[field]:
        assert guess({name: "human"})[field] == name
        assert guess({name.replace("_", " ").title(): "human"})[field].lower().replace(" ", "_") == name


def test_joined_columns() -> None:
    assert parts_of("a + b", ["a", "b"]) == ("a", "b")
    assert parts_of("a+b", ["a+b"]) == ("a+b",)
    assert series_of(["s2", "s1", "t1", "t3", "u1"]) == {"s": "s1+s2"}
    check_column("a+b", ["a", "b"], "f.csv")
    with pytest.raises(InputError, match=r"^f\.csv has no column 'c'; its columns are: a, b\.$"):
        check_column("a+c", ["a", "b"], "f.csv")


@pytest.mark.parametrize("column", ["Item", "item_id", "Input.item", "Stimulus ID"])
def test_items_are_the_ids_where_each_is_one_story(column: str) -> None:
    rows = [{column: item, "story": text, "x": number} for number, (item, text) in enumerate([(1, "A."), (2, "B.")])]
    assert guess_columns([column, "story", "x"], rows)["id"] == column
    again = [*rows, {**rows[0], "x": 7}]  # a row a rating repeats its story
    assert guess_columns([column, "story", "x"], again)["id"] == column
    by_two = [*rows, {**rows[0], "story": "C."}]  # an item is a prompt, of several stories
    assert "id" not in guess_columns([column, "story", "x"], by_two)
    assert guess_columns([column, "story", "id"], rows)["id"] == "id"
    assert "id" not in guess_columns([column, "x"], rows)


@pytest.mark.parametrize(
    ("column", "name", "scale"),
    [
        ("Coherence (1-5)", "Coherence", (1, 5)),
        ("engagement_1to5", "engagement", (1, 5)),
        ("Fluency [1–7]", "Fluency", (1, 7)),
        ("Interest 0 to 100", "Interest", (0, 100)),
        ("Flow(-3..3)", "Flow", (-3, 3)),
        ("wit_1", "wit_1", None),
        ("rating_1_5", "rating_1_5", None),
        ("pages 10-5", "pages 10-5", None),
        ("(1-5)", "(1-5)", None),
        ("gpt-4-1", "gpt-4-1", None),
    ],
)
def test_the_scale_is_no_part_of_a_name(column: str, name: str, scale: tuple[int, int] | None) -> None:
    assert (without_scale(column), scale_in(column)) == (name, scale)


@pytest.mark.parametrize(
    ("column", "name"),
    [
        *((f"Coherence{end}", "Coherence") for end in (" (mean)", " [average]", " (Avg.)", "_mean", " mean (1-5)")),
        *((f"{start}Coherence", "Coherence") for start in ("mean ", "avg_", "Average ", "Avg. ", "mean.")),
        ("Coherence (1-5) (mean)", "Coherence"),
        ("Coherence (1-5)", "Coherence"),
        ("mean", "mean"),
        ("_mean", "_mean"),
        ("meaning", "meaning"),
        ("demean", "demean"),
    ],
)
def test_a_word_for_means_is_no_part_of_a_name(column: str, name: str) -> None:
    assert without_mean(column) == name


@pytest.mark.parametrize(
    ("column", "machine"),
    [
        *((name, True) for name in ("gpt4_judge", "GPT-4o coherence", "ChatGPT", "claude_3", "llama3-8b", "LLM score")),
        *((name, True) for name in ("rouge_l", "ROUGE-1", "BERTScore F1", "bleurt", "COMET", "gemma_judge")),
        *((name, False) for name in ("ann_01", "judge", "judge 1", "expert_judge", "anna", "Claudia", "comets", "wit")),
    ],
)
def test_a_model_or_a_metric_is_told_by_its_columns_name(column: str, machine: bool) -> None:
    assert called_like_machine(column) == machine


@pytest.mark.parametrize(("column", "judge"), [("gpt4_judge", True), ("Prometheus 2", True), ("ROUGE-1", False)])
def test_a_judge_is_told_from_a_metric_by_its_columns_name(column: str, judge: bool) -> None:
    assert called_like_machine(column)
    assert called_like_judge(column) == judge
