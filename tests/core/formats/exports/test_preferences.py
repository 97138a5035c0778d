"""Files of preferences: both shapes, what is found by name, and what cannot be read."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.formats.exports.preferences import (
    MeansCompared,
    PreferenceRow,
    guessed,
    judgments_in,
    optimisation_files,
    preference_files,
    read_preferences,
)
from core.formats.exports.restored import Restored
from core.formats.tables import RowFilter

AB = [
    {"prompt": "P.", "model_a": "x", "model_b": "y", "response_a": "One.", "response_b": "Two.", "winner": "model_a"},
    {"prompt": "P.", "model_a": "y", "model_b": "z", "response_a": "Two.", "response_b": "Three.", "winner": "tie"},
    {"prompt": "Q.", "model_a": "x", "model_b": "y", "response_a": "Four.", "response_b": "Five.", "winner": "y"},
]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def judged(restored: Restored) -> list[tuple[str, str, str, float]]:
    text = {story.key: story.text for story in restored.stories}
    return [
        (
            restored.panels[given.panel].annotator,
            text[given.story_key],
            text[given.compared_with],
            given.values["preference"],
        )
        for given in restored.ratings
    ]


def refused(path: Path, **mapping: str) -> str:
    with pytest.raises(InputError) as caught:
        read_preferences(path, mapping)
    return str(caught.value)


def test_two_systems_and_the_winner(tmp_path: Path) -> None:
    restored = read_preferences(lines(tmp_path / "arena.jsonl", AB))
    assert judged(restored) == [
        ("rater 1", "One.", "Two.", 1),
        ("rater 1", "Two.", "Three.", 0),
        ("rater 1", "Four.", "Five.", -1),
    ]
    assert sorted((story.prompt, story.system, story.text) for story in restored.stories) == [
        ("P.", "x", "One."),
        ("P.", "y", "Two."),
        ("P.", "z", "Three."),
        ("Q.", "x", "Four."),
        ("Q.", "y", "Five."),
    ]
    assert [len(panel.stories) for panel in restored.panels] == [4, 2]
    assert (restored.scheme_key, restored.scale, restored.raters_identified) == ("preferences", (), False)


def test_chosen_and_rejected_stand_on_either_side(tmp_path: Path) -> None:
    rows = [{"Prompt": f"P {n}.", "Chosen": f"Good {n}.", "Rejected": f"Bad {n}."} for n in range(40)]
    path = tmp_path / "dpo.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    restored = read_preferences(path)
    better = [(one if value > 0 else other) for _, one, other, value in judged(restored)]
    assert sorted(better) == sorted(f"Good {n}." for n in range(40))
    assert 10 < sum(value > 0 for *_, value in judged(restored)) < 30  # which was shown first nobody knows
    assert "80 stories name no system" in restored.notices[-1]


def test_strengths_raters_and_reasons(tmp_path: Path) -> None:
    rows = [{**row, "strength": n, "rater": f"w{n}", "reason": "Because."} for n, row in enumerate(AB, 1)]
    rows.append({**AB[0], "winner": "B", "strength": 1, "rater": "w9", "reason": ""})
    restored = read_preferences(lines(tmp_path / "j.jsonl", rows))
    assert [value for *_, value in judged(restored)] == [1, 0, -3, -1]
    assert [panel.annotator for panel in restored.panels] == ["w1", "w2", "w3", "w9"]
    assert restored.ratings[0].comment == "Because."
    assert [step for step, _ in restored.scale] == [-3, -2, -1, 0, 1, 2, 3]
    assert restored.raters_identified


def test_what_only_a_later_line_has_is_read(tmp_path: Path) -> None:
    rows = [AB[0], {**AB[1], "winner": "y", "strength": 2}, {**AB[2], "rater": "w", "reason": "Why."}]
    restored = read_preferences(lines(tmp_path / "late.jsonl", rows))
    assert [value for *_, value in judged(restored)] == [1, 2, -1]
    assert restored.ratings[2].comment == "Why."
    assert [panel.annotator for panel in restored.panels] == ["rater 1", "w"]


def test_other_names_of_columns_and_chosen_rows(tmp_path: Path) -> None:
    rows = [
        {"q": "P.", "l": "One.", "r": "Two.", "who": side, "split": split} for side, split in (("a", "x"), ("b", "y"))
    ]
    path = lines(tmp_path / "odd.jsonl", rows)
    mapping = {"prompt": "q", "a": "l", "b": "r", "winner": "who"}
    assert len(read_preferences(path, mapping).ratings) == 2
    assert [value for *_, value in judged(read_preferences(path, mapping, RowFilter((("split", "y"),))))] == [-1]


@pytest.mark.parametrize("asked", ["Which is better?", "Which is the better story?", "Preferred story"])
@pytest.mark.parametrize("who", ["Worker", "Coder", "Participant ID"])
def test_names_that_a_questionnaire_gives(tmp_path: Path, asked: str, who: str) -> None:
    names = ("Prompt", "Story A", "Story B", "Model A", "Model B", "Subject", who, asked, "Comment")
    found = {
        "prompt": "Prompt", "a": "Story A", "b": "Story B", "winner": asked, "system_a": "Model A",
        "system_b": "Model B", "annotator": who, "comment": "Comment",
    }  # fmt: skip
    assert guessed(names) == found  # a subject may be what a text is about
    row = dict(zip(names, ("P.", "One.", "Two.", "x", "Human", "cats", "W7", "Story B", "It ends."), strict=True))
    restored = read_preferences(lines(tmp_path / "asked.jsonl", [row]))
    assert judged(restored) == [("W7", "One.", "Two.", -1)]
    assert restored.raters_identified


def test_a_column_of_texts_is_no_choice(tmp_path: Path) -> None:
    """`preferred_story` may hold the story itself: then it is refused, not read as a side."""
    row = {"prompt": "P.", "a": "One.", "b": "Two.", "preferred_story": "Two."}
    assert "the winner is a, b or tie, or one of the two; not 'Two.'" in refused(lines(tmp_path / "t.jsonl", [row]))


def test_sides_go_before_systems_that_are_called_like_them(tmp_path: Path) -> None:
    turned = {**AB[0], "model_a": "b", "model_b": "a"}
    rows = [{**turned, "prompt": said, "winner": said} for said in ("a", "b", "A", "model_a")]
    assert [value for *_, value in judged(read_preferences(lines(tmp_path / "ab.jsonl", rows)))] == [1, -1, 1, 1]


def test_texts_may_be_empty_beside_ids(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text("prompt,a,b,a_id,b_id,winner\n,,,s1,s2,b\n", encoding="utf-8")
    restored = read_preferences(path)
    assert [(given.story_key, given.compared_with) for given in restored.ratings] == [("s1", "s2")]
    assert restored.stories == ()


def test_people_are_no_system(tmp_path: Path) -> None:
    restored = read_preferences(lines(tmp_path / "h.jsonl", [{**AB[0], "model_b": "Human"}]))
    assert [(story.source, story.system) for story in restored.stories] == [("system", "x"), ("human", "")]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"winner": "c"}, "column 'winner': the winner is a, b or tie, or one of the two; not 'c'"),
        ({"winner": ""}, "the winner is a, b or tie"),
        ({"response_b": "One.", "model_b": "x"}, "a story is compared with itself"),
        ({"model_b": "x"}, "the system 'x' is compared with itself"),
        ({"response_a": None}, "column 'response_a': there is no story"),
        ({"prompt": None}, "column 'prompt': there is no prompt"),
        ({"strength": 1.5}, "a strength is a whole number from 1 to 3"),
        ({"strength": 0}, "column 'strength': a strength of 0 is for a tie, and the winner is 'model_a'"),
        ({"strength": 4}, "a strength is a whole number from 1 to 3"),
        ({"model_a": "x" * 300}, "at most 200 characters"),
    ],
)
def test_what_makes_no_preference(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    said = refused(lines(tmp_path / "bad.jsonl", [{**AB[2], "strength": 1}, {**AB[0], "strength": 1, **change}]))
    assert sentence in said
    assert "bad.jsonl, line 2" in said


def test_one_rater_judges_two_stories_once(tmp_path: Path) -> None:
    rows = [{**AB[0], "rater": "w"}, {**AB[0], "rater": "w"}]
    assert "'w' judges the same two stories on an earlier line too" in refused(lines(tmp_path / "t.jsonl", rows))
    turned = {**AB[0], "response_a": "Two.", "response_b": "One.", "model_a": "y", "model_b": "x", "rater": "w"}
    assert "on an earlier line too" in refused(lines(tmp_path / "t.jsonl", [rows[0], turned]))


def test_a_file_without_the_columns(tmp_path: Path) -> None:
    assert "no columns chosen and rejected, and none of a, b and winner" in refused(
        lines(tmp_path / "t.jsonl", [{"prompt": "P.", "text": "One."}])
    )
    assert "has no column 'prompt'" in refused(lines(tmp_path / "t.jsonl", [{"chosen": "One.", "rejected": "Two."}]))
    path = lines(tmp_path / "t.jsonl", AB)
    assert "has no column 'nope'" in refused(path, a="nope")
    assert "no field 'wit'" in refused(path, wit="winner")
    with pytest.raises(InputError, match=r"holds no preferences with winner=never"):
        read_preferences(path, where=RowFilter((("winner", "never"),)))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    rows = [
        PreferenceRow("p", "P.", "1", "2", "One.", "Two.", "x", "human", -2, "annotator-1", "Because."),
        PreferenceRow("p", "P.", "3", "1", "Three.", "One.", "y", "x", 0, ""),
    ]
    path = tmp_path / "preferences.jsonl"
    path.write_text(preference_files(rows)["preferences.jsonl"], encoding="utf-8")
    restored = read_preferences(path)
    assert [(r.story_key, r.compared_with, r.values["preference"]) for r in restored.ratings] == [
        ("1", "2", 2.0),
        ("3", "1", 0.0),
    ]
    chosen = [json.loads(line) for line in optimisation_files(rows)["chosen.jsonl"].splitlines()]
    assert chosen == [{"prompt": "P.", "chosen": "One.", "rejected": "Two.", "chosen_id": "1", "rejected_id": "2"}]
    assert judgments_in(preference_files(rows)) == 2
    assert judgments_in(optimisation_files(rows)) == 1


def test_what_is_made_from_means_says_by_how_much_and_is_read_back(tmp_path: Path) -> None:
    rows = [
        PreferenceRow("p", "P.", "1", "2", "One.", "Two.", "x", "y", 1, "", means=MeansCompared(2.5, 3, 4)),
        PreferenceRow("p", "P.", "3", "4", "Same.", "Same.", "y", "x", -1, "", means=MeansCompared(0.25, 1, 3)),
    ]
    (table,), (chosen,) = (write(rows).values() for write in (preference_files, optimisation_files))
    assert [
        (line["winner"], line["strength"], line["margin"], line["ratings_a"], line["ratings_b"])
        for line in map(json.loads, table.splitlines())
    ] == [("b", 1, 2.5, 3, 4), ("a", 1, 0.25, 1, 3)]
    assert json.loads(chosen.splitlines()[0]) == {
        "prompt": "P.", "chosen": "Two.", "rejected": "One.", "chosen_id": "2", "rejected_id": "1",
        "margin": 2.5, "chosen_ratings": 4, "rejected_ratings": 3,
    }  # fmt: skip
    for text in (table, chosen):
        path = tmp_path / "again.jsonl"
        path.write_text(text, encoding="utf-8")
        restored = read_preferences(path)
        better = [
            (r.story_key, r.compared_with) if r.values["preference"] > 0 else (r.compared_with, r.story_key)
            for r in restored.ratings
        ]
        assert better == [("2", "1"), ("3", "4")]
        assert {abs(r.values["preference"]) for r in restored.ratings} == {1}
        assert any("not used: margin, " in message for message in restored.notices)


def test_a_margin_is_a_strength_where_somebody_says_so(tmp_path: Path) -> None:
    path = lines(tmp_path / "m.jsonl", [{**row, "margin": 2} for row in AB])
    assert [value for *_, value in judged(read_preferences(path))] == [1, 0, -1]
    assert [value for *_, value in judged(read_preferences(path, {"strength": "margin"}))] == [2, 0, -2]
