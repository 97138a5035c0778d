"""Files of ratings on several criteria: long, wide, nested, means, and what cannot be read."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.formats.exports.choice import ColumnChoice, called_ratings
from core.formats.exports.criterion_columns import CriterionColumns, found_criteria, numbered_criteria
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.formats.scores import MetricColumn

LONG = [
    {"Story ID": "a", "Story": "One.", "Model": "s1", "Coherence": 4, "Empathy": 2, "Worker ID": "w1"},
    {"Story ID": "a", "Story": "One.", "Model": "s1", "Coherence": 5, "Empathy": "", "Worker ID": "w2"},
    {"Story ID": "b", "Story": "Two.", "Model": "Human", "Coherence": 1, "Empathy": 3, "Worker ID": "w1"},
]
JOINED = ("wit", "wit_anna+wit_ben")


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def values(restored: Restored) -> list[tuple[str, str, dict[str, float]]]:
    return [(restored.panels[r.panel].annotator, r.story_key, r.values) for r in restored.ratings]


def refused(path: Path, choice: ColumnChoice | None = None) -> str:
    with pytest.raises(InputError) as caught:
        read_export(path, choice=choice or ColumnChoice())
    return str(caught.value)


def test_criteria_are_found_by_their_names_and_gaps_are_said(tmp_path: Path) -> None:
    restored = read_export(table(tmp_path / "hanna.csv", LONG))
    assert restored.criteria == ("coherence", "empathy")
    assert values(restored) == [
        ("w1", "a", {"coherence": 4, "empathy": 2}),
        ("w2", "a", {"coherence": 5}),
        ("w1", "b", {"coherence": 1, "empathy": 3}),
    ]
    assert [story.source for story in restored.stories] == ["system", "human"]
    assert restored.raters_identified
    assert restored.notices == (
        "Criteria found by the columns' names: coherence, empathy.",
        "1 of 3 ratings say nothing on empathy.",
        "By their names, the stories of “Human” count as people's. If a system wrote them, say so in a column "
        "“source”: system.",
    )


def test_criteria_are_named_and_scores_stand_beside_them(tmp_path: Path) -> None:
    rows = [{**row, "Wit": 2, "bleu": 0.5, "ppl": 12} for row in LONG]
    choice = ColumnChoice(
        criteria=(("wit", "Wit"), ("sense", "Coherence")),
        scores=(MetricColumn("BLEU", "bleu"), MetricColumn("ppl", "ppl", negate=True)),
    )
    restored = read_export(table(tmp_path / "theirs.csv", rows), choice=choice)
    assert restored.criteria == ("wit", "sense")
    assert {(s.story_key, s.metric, s.value) for s in restored.scores} == {
        ("a", "BLEU", 0.5),
        ("b", "BLEU", 0.5),
        ("a", "ppl", -12),
        ("b", "ppl", -12),
    }
    assert all(score.signature.startswith("file:") and "|column:" in score.signature for score in restored.scores)


def test_a_row_a_story_with_a_column_a_rater(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "text": "One.", "coherence_1": 4, "coherence_2": 5, "empathy_1": 1, "empathy_2": 2},
        {"id": "b", "text": "Two.", "coherence_1": 3, "coherence_2": "", "empathy_1": 2, "empathy_2": ""},
    ]
    expected = [
        ("rater 1", "a", {"coherence": 4, "empathy": 1}),
        ("rater 2", "a", {"coherence": 5, "empathy": 2}),
        ("rater 1", "b", {"coherence": 3, "empathy": 2}),
    ]
    path = table(tmp_path / "wide.csv", rows)
    assert values(read_export(path)) == expected
    choice = ColumnChoice(
        criteria=(("coherence", "coherence_1+coherence_2"), ("empathy", "empathy_1 + empathy_2")),
    )
    assert values(read_export(path, choice=choice)) == expected
    overall = ColumnChoice(criteria=(("overall", "coherence_1+coherence_2"),))
    assert [rating.overall for rating in read_export(path, choice=overall).ratings] == [4, 5, 3]
    uneven = ColumnChoice(criteria=(("coherence", "coherence_1+coherence_2"), ("empathy", "empathy_1")))
    assert "every criterion has as many columns, one a rater; here are coherence 2, empathy 1" in refused(path, uneven)


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_nested_lists_of_ratings_and_of_stories(tmp_path: Path, suffix: str) -> None:
    items: list[dict[str, Any]] = [
        {"story_id": 7, "story": "One.", "ratings": [{"coherence": 4, "wit": 1}, {"coherence": 2, "wit": 5}]},
        {"story_id": 8, "story": "Two.", "ratings": [{"coherence": 3, "wit": 3}]},
    ]
    text = "\n".join(map(json.dumps, items)) if suffix == "jsonl" else json.dumps(items)
    path = tmp_path / f"nested.{suffix}"
    path.write_text(text)
    choice = ColumnChoice(criteria=(("coherence", "coherence"), ("wit", "wit")))
    assert values(read_export(path, choice=choice)) == [
        ("rater 1", "7", {"coherence": 4, "wit": 1}),
        ("rater 2", "7", {"coherence": 2, "wit": 5}),
        ("rater 1", "8", {"coherence": 3, "wit": 3}),
    ]


def test_means_of_three_as_the_next_chapter_has_them(tmp_path: Path) -> None:
    path = tmp_path / "human.json"
    story = {"model": "BART", "story": "They went home.", "scores": {"fluency": 3.67, "coherence": 4.33}}
    path.write_text(json.dumps([{"condition": "It rained.", "reference": "They got wet.", "generations": [story]}]))
    restored = read_export(path, choice=ColumnChoice(raters=3))
    (rating,) = restored.ratings
    assert (rating.values, rating.raters) == ({"fluency": 3.67, "coherence": 4.33}, 3)
    assert [(s.prompt, s.text, str(s.source), s.system) for s in restored.stories] == [
        ("It rained.", "They went home.", "system", "BART"),
        ("It rained.", "They got wet.", "human", ""),
    ]
    (notice,) = [text for text in read_export(path).notices if "whole" in text]
    assert notice.startswith("1 of 1 ratings are no whole numbers. If they are means, say of how many (Raters")


def test_a_table_of_means_is_read_by_its_columns_names(tmp_path: Path) -> None:
    row = {"Story": "One.", "Model": "m", "Coherence (mean)": 4.67, "avg_engagement": 3.67, "n raters": 3}
    restored = read_export(table(tmp_path / "means.csv", [row]))
    (rating,) = restored.ratings
    assert (rating.values, rating.raters) == ({"coherence": 4.67, "engagement": 3.67}, 3)


@pytest.mark.parametrize(("column", "raters"), [("n raters", 1), ("raters", 2)])
def test_columns_that_are_joined_hold_single_ratings_beside_a_number_of_raters(
    tmp_path: Path, column: str, raters: int
) -> None:
    """As columns that are numbered do: only a column that is called `raters` itself says that each is a mean."""
    row = {"Story": "One.", "Model": "m", "wit_anna": 4, "wit_ben": 2, column: 2}
    restored = read_export(table(tmp_path / "joined.csv", [row]), choice=ColumnChoice(criteria=(JOINED,)))
    assert [(rating.values, rating.raters) for rating in restored.ratings] == [
        ({"wit": 4}, raters),
        ({"wit": 2}, raters),
    ]
    named = ColumnChoice(columns=(("raters", column),), criteria=(JOINED,))
    assert {rating.raters for rating in read_export(tmp_path / "joined.csv", choice=named).ratings} == {2}


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("coherence_mean", "coherence_sd"), {"coherence": ("coherence_mean",)}),
        (("coherence_mean", "coherence"), {"coherence": ("coherence",)}),
        (("Coherence (mean)", "Coherence (average)"), {}),
        (("Coherence (mean)", "Coherence (average)", "Empathy mean"), {"empathy": ("Empathy mean",)}),
        (("coherence_1", "coherence_2", "coherence_mean"), {"coherence": ("coherence_1", "coherence_2")}),
        (("coherence_anna", "coherence_ben", "coherence_mean"), {}),
        (("Wit (mean)",), {}),
    ],
)
def test_a_mean_is_a_criterion_where_nothing_else_may_be_it(
    names: tuple[str, ...], found: dict[str, tuple[str, ...]]
) -> None:
    assert found_criteria(names) == found
    assert found_criteria(("Wit (mean)",), ("Wit (mean)",)) == {"Wit (mean)": ("Wit (mean)",)}
    assert found_criteria(("Wit (mean)",), ("wit",)) == {"wit": ("Wit (mean)",)}


def test_ratings_and_means_in_one_file(tmp_path: Path) -> None:
    rows = [{"story_id": "a", "coherence": 3, "raters": 3}, {"story_id": "b", "coherence": 3, "raters": 1}]
    assert (
        "mixed.csv, line 3, column 'raters': this is a single rating, and line 2 is a mean; give ratings "
        "and means a file each." in refused(table(tmp_path / "mixed.csv", rows))
    )


@pytest.mark.parametrize(
    ("rows", "choice", "words"),
    [
        ([{"story_id": "a", "mood": 3}], ColumnChoice(), "has no column 'overall'; say which one holds it"),
        ([{"mood": 3}], ColumnChoice(criteria=(("mood", "mood"),)), "has no column 'story_id'"),
        ([{"story_id": "a", "mood": 3}], ColumnChoice(criteria=(("mood", "Mood"),)), "has no column 'Mood'"),
        (
            [{"story_id": "a", "mood": 3}],
            ColumnChoice(criteria=(("mood", "mood"), ("mood ", "mood"))),
            "A criterion is named twice",
        ),
        ([{"story_id": "a", "coherence": "good"}], ColumnChoice(), "column 'coherence': 'good' is not a number."),
        ([{"story_id": "a", "coherence": ""}], ColumnChoice(), "there is no rating."),
        (
            [{"story_id": "a", "coherence": 11}],
            ColumnChoice(scale="0-10"),
            "column 'coherence': a rating of 11 is outside the scale 0 to 10.",
        ),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, rows: list[dict[str, Any]], choice: ColumnChoice, words: str
) -> None:
    assert words in refused(table(tmp_path / "theirs.csv", rows), choice)


def test_other_lists_are_left_alone_and_a_storys_id_stays(tmp_path: Path) -> None:
    path = tmp_path / "nested.jsonl"
    item: dict[str, Any] = {"id": "s0", "text": "One.", "spans": [{"a": 1}, {"a": 2}], "overall": 3}
    path.write_text(json.dumps(item))
    assert values(read_export(path)) == [("rater 1", "s0", {"overall": 3})]
    item = {"id": "s0", "text": "One.", "ratings": [{"id": 1, "coherence": 3}, {"id": 2, "coherence": 4}]}
    path.write_text(json.dumps(item | {"meta": [{"b": 1}, {"b": 2}]}))
    assert values(read_export(path)) == [("rater 1", "s0", {"coherence": 3}), ("rater 2", "s0", {"coherence": 4})]


def test_a_metric_called_like_a_criterion_is_none_where_that_is_said(tmp_path: Path) -> None:
    path = table(tmp_path / "theirs.csv", [{"story_id": "a", "overall": 3, "coherence": 0.87}])
    assert read_export(path, choice=ColumnChoice(criteria=())).criteria == ("overall",)
    scored = read_export(path, choice=ColumnChoice(scores=(MetricColumn("coherence", "coherence"),)))
    assert (scored.criteria, [score.value for score in scored.scores]) == (("overall",), [0.87])


def test_people_s_means_are_no_stories(tmp_path: Path) -> None:
    row = {"story_id": "a", "story": "One.", "prompt": "It rained.", "coherence": 3, "human": 4.5}
    assert [story.text for story in read_export(table(tmp_path / "a.csv", [row])).stories] == ["One."]
    told = {**row, "human": "They got wet."}
    assert [story.text for story in read_export(table(tmp_path / "b.csv", [told])).stories] == ["One.", "They got wet."]


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_stories_without_ids_are_known_by_what_they_say(tmp_path: Path, suffix: str) -> None:
    rows: list[dict[str, Any]] = [{"story": "One.", "prompt": "p", "system": "s", "overall": 3}] * 2
    path = tmp_path / f"theirs.{suffix}"
    if suffix == "csv":
        table(path, rows)
    else:
        path.write_text("\n".join(map(json.dumps, rows)))
    restored = read_export(path)
    assert len(restored.stories) == 1
    assert [annotator for annotator, _, _ in values(restored)] == ["rater 1", "rater 2"]


@pytest.mark.parametrize("called", ["rater{}", "Rating {}", "human_rating_{}", "Annotator-{}"])
def test_columns_that_are_called_like_raters_hold_the_overall_rating(tmp_path: Path, called: str) -> None:
    rows = [{"id": "a", "story": "One.", called.format(1): 4, called.format(2): 2}]
    restored = read_export(table(tmp_path / "t.csv", rows))
    assert [value for _, _, value in values(restored)] == [{"overall": 4}, {"overall": 2}]


def test_known_criteria_count_before_raters(tmp_path: Path) -> None:
    rows = [{"id": "a", "story": "One.", "rater1": "Ann", "rater2": "Bob", "coherence1": 4, "coherence2": 2}]
    restored = read_export(table(tmp_path / "t.csv", rows))
    assert [value for _, _, value in values(restored)] == [{"coherence": 4}, {"coherence": 2}]


def test_what_a_criterion_with_a_column_a_rater_is_called() -> None:
    names = ["item", "coh_R1", "coh_R2", "Wit 1", "Wit 2", "fun-rater-1", "fun-rater-2", "1", "2", "x1"]
    assert numbered_criteria(names) == {
        "coh": ("coh_R1", "coh_R2"),
        "Wit": ("Wit 1", "Wit 2"),
        "fun": ("fun-rater-1", "fun-rater-2"),
        "overall": ("1", "2"),
    }


@pytest.mark.parametrize("stem", ["ann_0", "Annotator ", "coder", "r", "a_", "judge", "Answer.score_"])
def test_what_merely_says_that_people_rate_is_no_criterion(stem: str) -> None:
    columns = (f"{stem}1", f"{stem}2")
    assert numbered_criteria([*columns, "wit1", "wit2"]) == {"overall": columns, "wit": ("wit1", "wit2")}


def test_two_sets_of_raters_keep_their_names() -> None:
    assert set(numbered_criteria(["ann_1", "ann_2", "coder_1", "coder_2"])) == {"ann", "coder"}


def test_criteria_are_found_by_a_column_a_rater(tmp_path: Path) -> None:
    rows = [{"id": "a", "story": "One.", "fluency_R1": 4, "fluency_R2": 2, "Empathy rater 1": 3, "Empathy rater 2": 5}]
    restored = read_export(table(tmp_path / "t.csv", rows))
    assert [value for _, _, value in values(restored)] == [
        {"fluency": 4, "empathy": 3},
        {"fluency": 2, "empathy": 5},
    ]
    assert called_ratings([*rows[0], "story_length", "x1", "x2"]) == [*rows[0]][2:]


@pytest.mark.parametrize(
    ("columns", "named", "people"),
    [
        ({"overall": ("anna", "ben")}, True, ("anna", "ben")),
        ({"wit": ("Rating by Anna", "Rating by Ben")}, True, ("Anna", "Ben")),
        ({"q1": ("q1_anna", "q1_ben"), "q2": ("q2_ben", "q2_Anna")}, True, ("anna", "ben")),
        ({"q1": ("q1_anna", "q1_ben"), "q2": ("A", "B")}, True, ("anna", "ben")),
        ({"overall": ("rater1", "rater2")}, False, ("rater1", "rater2")),
        ({"wit": ("Wit 1", "Wit 2")}, False, ("rater 1", "rater 2")),
        ({"fluency": ("fluency_R1", "fluency_R2")}, False, ("R1", "R2")),
        ({"x": ("a b", "a_b")}, True, ("a b", "a_b")),
        ({"x": ("anna",)}, False, ()),
    ],
)
def test_columns_of_raters_are_called_after_people_or_numbered(
    columns: dict[str, tuple[str, ...]], named: bool, people: tuple[str, ...]
) -> None:
    of_raters = CriterionColumns(columns)
    assert (of_raters.named_after_people, of_raters.of_same_raters().people) == (named, people)


def test_each_column_of_several_raters_is_one_person_where_it_is_called_so(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "text": "One.", "wit_anna": 4, "wit_ben": 5, "style_ben": 1, "style_anna": 2},
        {"id": "b", "text": "Two.", "wit_anna": 3, "wit_ben": "", "style_ben": 2, "style_anna": 1},
    ]
    path = table(tmp_path / "lab.csv", rows)
    choice = ColumnChoice(criteria=(("wit", "wit_anna+wit_ben"), ("style", "style_ben+style_anna")))
    restored = read_export(path, choice=choice)
    assert restored.raters_identified
    assert values(restored) == [
        ("anna", "a", {"wit": 4, "style": 2}),
        ("ben", "a", {"wit": 5, "style": 1}),
        ("anna", "b", {"wit": 3, "style": 1}),
        ("ben", "b", {"style": 2}),
    ]
    said = "Each of these raters is one person in every row: anna (wit_anna, style_anna); ben (wit_ben, style_ben)."
    assert said in restored.notices
    others = read_export(path, choice=replace(choice, same_raters=False))
    assert not others.raters_identified
    assert said not in others.notices
    assert values(others)[0] == ("rater 1", "a", {"wit": 4, "style": 1})  # as the columns stand
    means = read_export(path, choice=replace(choice, raters=3, same_raters=True))
    assert not means.raters_identified
    assert said not in means.notices


def test_numbered_columns_are_people_where_it_is_said(tmp_path: Path) -> None:
    path = table(tmp_path / "lab.csv", [{"id": "a", "text": "One.", "rater1": 4, "rater2": 5}])
    assert not read_export(path).raters_identified
    told = read_export(path, choice=ColumnChoice(same_raters=True))
    assert told.raters_identified
    assert values(told) == [("rater1", "a", {"overall": 4}), ("rater2", "a", {"overall": 5})]
    assert "Each of these raters is one person in every row: rater1; rater2." in told.notices
