"""Files of ratings by others: their columns, rows, scale, separators, panels and references."""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core.errors import InputError
from core.formats.delimited import is_quoted
from core.formats.exports.choice import ColumnChoice, guessed, shared_name, with_rating
from core.formats.exports.encoding import encoded
from core.formats.exports.overview import overview
from core.formats.exports.package import write_file
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.formats.exports.rows import TABLES
from core.formats.tables import read_table
from core.stories import Source, StoryRecord
from tests.core.formats.exports.conftest import RATINGS, rated_in

ROWS = [
    {"Story ID": 7, "Model": "a", "Worker": "W1", "Criterion": "coherence", "Value": 0},
    {"Story ID": 7, "Model": "a", "Worker": "W1", "Criterion": "surprise", "Value": 9},
    {"Story ID": 8, "Model": "b", "Worker": "W2", "Criterion": "coherence", "Value": 4.5},
]
COLUMNS = (("story_id", "Story ID"), ("overall", "Value"), ("annotator", "Worker"), ("system", "Model"))
CHOICE = ColumnChoice(COLUMNS, (("Criterion", "coherence"),), "0-5")


def file_of(folder: Path, rows: list[dict[str, object]], suffix: str = "csv") -> Path:
    path, frame = folder / f"theirs.{suffix}", pd.DataFrame(rows)
    if suffix == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif suffix == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
    return path


def refusal(path: Path, choice: ColumnChoice) -> str:
    with pytest.raises(InputError) as caught:
        read_export(path, choice=choice)
    return str(caught.value)


def ratings(found: Restored) -> list[tuple[str, str, float]]:
    return [(found.panels[r.panel].annotator, r.story_key, r.overall) for r in found.ratings]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_columns_rows_and_scale(tmp_path: Path, suffix: str) -> None:
    restored = read_export(file_of(tmp_path, ROWS, suffix), choice=CHOICE)
    assert ratings(restored) == [("W1", "7", 0.0), ("W2", "8", 4.5)]
    assert [step for step, _ in restored.scale] == [0, 1, 2, 3, 4, 5]
    assert restored.notices == ("The scale goes from 0 to 5, and the ratings from 0 to 4.5.",)


def test_stories_have_the_names_of_the_other_imports(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"n": "a", "sentences": ["It was", "late. "], "rating": 3, "rater": "Ann"}]
    restored = read_export(file_of(tmp_path, rows, "jsonl"), choice=ColumnChoice((("id", "n"), ("text", "sentences"))))
    assert restored.stories == (StoryRecord("a", "a", "", "It was late."),)
    assert ratings(restored) == [("Ann", "a", 3.0)]


@pytest.mark.parametrize(
    "column",
    [
        *("worker", "worker_id", "WorkerId", "rater", "Rater ID", "annotator", "annotator_id", "participant", "coder"),
        *("participant_id", "prolific_id", "PROLIFIC_PID", "assessor", "crowdworker", "user_id"),
    ],
)
def test_who_rated_is_known_by_the_column_s_name(column: str) -> None:
    assert guessed(["story_id", column, "coherence"])["annotator"] == column


def test_a_column_that_was_named_is_not_guessed_as_another(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"id": "Ann", "overall": 3}]
    sentence = refusal(file_of(tmp_path, rows), ColumnChoice((("annotator", "id"),)))
    assert "has no column 'story_id'; say which one holds it. Its" in sentence


def test_only_what_was_named_counts_without_defaults(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"story_id": "a", "overall": 3, "other": 4, "annotator": "Ann"}]
    for suffix in ("csv", "jsonl"):
        choice = ColumnChoice((("story_id", "story_id"), ("overall", "other")), defaults=False)
        restored = read_export(file_of(tmp_path, rows, suffix), choice=choice)
        assert ratings(restored) == [("rater 1", "a", 4.0)]
        assert restored.notices == ("Columns that are not used: overall, annotator.",)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (ColumnChoice((("mood", "Value"),)), "There is no field 'mood' to map; there are story_id, overall"),
        (
            ColumnChoice((("overall", "Stars"),)),
            "theirs.csv has no column 'Stars'; its columns are: Story ID, Model, Worker",
        ),
        (ColumnChoice(COLUMNS, (("Aspect", "x"),)), "theirs.csv has no column 'Aspect'; its columns are: Story ID"),
        (
            ColumnChoice(COLUMNS, (("Criterion", "humour"),)),
            "holds no ratings with Criterion=humour; Criterion is “coherence” or “surprise” there.",
        ),
        (
            ColumnChoice(COLUMNS, (("Criterion", "surprise"),), "0-5"),
            "line 3, column 'Value': a rating of 9 is outside the s",
        ),
        (
            ColumnChoice(COLUMNS, scale="5-0"),
            "A scale goes from its lowest to its highest rating, such as 0-5; not 5-0.",
        ),
        (
            ColumnChoice((*COLUMNS, ("panel", "Model"))),
            "line 3, column 'Story ID': 'W1' rates '7' twice in the panel 'a'.",
        ),
        (ColumnChoice((*COLUMNS, ("position", "Model"))), "line 2, column 'Model': 'a' is not a number."),
    ],
)
def test_a_choice_that_the_file_does_not_allow(tmp_path: Path, choice: ColumnChoice, words: str) -> None:
    assert words in refusal(file_of(tmp_path, ROWS), choice)


def test_lines_are_counted_with_those_left_out(tmp_path: Path) -> None:
    rows = [ROWS[1], {**ROWS[0], "Value": "much"}]
    assert "line 3, column 'Value': 'much' is not a number." in refusal(file_of(tmp_path, rows), CHOICE)


def test_a_later_line_of_json_may_bring_the_column(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"story_id": "a", "overall": 3}, {"story_id": "b", "overall": 4, "who": "Ann"}]
    restored = read_export(file_of(tmp_path, rows, "jsonl"), choice=ColumnChoice((("annotator", "who"),)))
    assert ratings(restored) == [("rater 1", "a", 3.0), ("Ann", "b", 4.0)]


def test_an_export_needs_no_choice(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    write_file(encoded(RATINGS, TABLES["ratings"], "csv"), path)
    only = ColumnChoice(rows=(("story_id", "p1/a"),))
    assert {rating.story_key for rating in read_export(path, choice=only).ratings} == {"p1/a"}


TEXTS = ['He said "hi".', '"No," she said. "Go."', "One\ttab", "Two\nlines", '"Whole."', "Plain."]


@pytest.mark.parametrize("text", TEXTS)
def test_tab_separated_text_as_pandas_writes_it(tmp_path: Path, text: str) -> None:
    rows: list[dict[str, object]] = [{"story_id": "a", "story": text, "overall": 3}]
    path = file_of(tmp_path, rows, "tsv")
    assert read_export(path).stories[0].text == text
    assert read_table(path).rows[0]["story"] == text


@pytest.mark.parametrize("text", ['He said "hi".', '"No," she said. "Go."', '"Whole."', '"Half.', '""', "Plain."])
def test_tab_separated_text_without_quotation(tmp_path: Path, text: str) -> None:
    path = tmp_path / "theirs.tsv"
    path.write_text(f"story_id\tstory\toverall\na\t{text}\t3\nb\tSecond.\t4\n", encoding="utf-8")
    assert [story.text for story in read_export(path).stories] == [text, "Second."]
    assert not is_quoted(path.read_text().splitlines(keepends=True))


def test_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text('story_id;story;overall\na;"One; or two.";3\n', encoding="utf-8")
    assert read_export(path).stories[0].text == "One; or two."


def test_panels_have_any_names(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"story_id": story, "annotator": who, "panel": panel, "overall": 3}
        for story, who, panel in (("a", "Ann", "HIT-x"), ("b", "Ann", "HIT-x"), ("a", "Ann", "HIT-y"))
    ]
    rows.append({"story_id": "a", "annotator": "Bo", "panel": "HIT-x", "overall": 4})
    restored = read_export(file_of(tmp_path, rows))
    assert [(p.annotator, p.person, rated_in(restored, place)) for place, p in enumerate(restored.panels)] == [
        ("Ann", True, ("a", "b")),
        ("Ann", True, ("a",)),
        ("Bo", True, ("a",)),
    ]
    assert restored.raters_identified
    (sentence,) = restored.notices
    assert sentence.startswith("1 rating is a rater's second or later of the same story:")


def test_a_panel_without_an_annotator_is_all_that_is_known_of_who_rated(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"story_id": "a", "panel": panel, "overall": 3} for panel in ("x", "y")]
    restored = read_export(file_of(tmp_path, rows))
    assert [(p.annotator, p.person) for p in restored.panels] == [("panel x", False), ("panel y", False)]


def test_references_are_the_prompts_human_stories(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"story_id": key, "prompt": "Go.", "story": text, "reference": reference, "source": source, "overall": 3}
        for key, text, reference, source in (
            ("a", "One.", "They went.", "system"),
            ("b", "Two.", "They went.", "system"),
            ("c", "They left.", "They left.", "human"),
        )
    ]
    restored = read_export(file_of(tmp_path, rows))
    human = [story for story in restored.stories if story.source is Source.HUMAN]
    assert [(record.prompt_key, record.prompt, record.text) for record in human] == [
        ("Go.", "Go.", "They left."),
        ("Go.", "Go.", "They went."),
    ]
    for row in rows:
        del row["story"]
    assert read_export(file_of(tmp_path, rows)).notices[-1].startswith("3 ratings have a reference without the story's")


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("id", "human_rating"), "human_rating"),
        (("id", "storyQuality", "bleu_score"), "storyQuality"),  # that score is a metric's
        (("id", "Human score"), "Human score"),
        (("id", "human_rating", "rating_id", "n_ratings"), "human_rating"),
        (("id", "human_rating", "quality"), ""),  # either may be meant
        (("id", "human_rating", "coherence"), ""),  # a criterion of several
        (("id", "human_rating", "coherence1", "coherence2"), ""),
        (("id", "human_rating", "overall"), "overall"),
        (("id", "Quality (mean)"), "Quality (mean)"),
        (("id", "human_rating", "Coherence (mean)"), ""),
        (("id", "bertscore", "bleu_score"), ""),
    ],
)
def test_a_column_whose_name_says_that_it_holds_ratings_is_found(names: tuple[str, ...], chosen: str) -> None:
    assert with_rating(guessed(names), names, ()).get("overall", "") == chosen


def test_a_criterion_that_is_expected_is_no_overall_rating(tmp_path: Path) -> None:
    names = ("id", "quality")
    assert "overall" not in with_rating(guessed(names), names, ("quality",))
    file = file_of(tmp_path, [{"id": "a", "story_quality": 3}])
    assert read_export(file).criteria == ("overall",)
    named = read_export(file, choice=ColumnChoice(criteria=(("quality", "story_quality"),)))
    assert named.criteria == ("quality",)


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        (("coherence_anna", "coherence_ben"), "coherence"),
        (("DramaticTension Anna", "dramatic_tension_ben"), "Dramatic tension"),
        (("plot twist (A)", "plot twist (B)"), "plot twist"),
        (("anna", "ben"), "overall"),
        (("human_rating_anna", "human_rating_ben"), "overall"),
        (("ann_01", "ann_02"), "overall"),
        (("coder A", "coder B"), "overall"),
        (("r_anna", "r_ben"), "overall"),
    ],
)
def test_raters_of_one_criterion_share_its_name(columns: tuple[str, ...], name: str) -> None:
    assert shared_name(columns, ["Dramatic tension"]) == name


def test_a_usual_name_wins_however_it_is_written() -> None:
    assert guessed(["Model", "author", "Writing Prompt", "context"]) == {"system": "Model", "prompt": "Writing Prompt"}


@pytest.mark.parametrize(
    "column",
    ["Participant", "participant_id", "Subject", "Respondent", "Judge", "Evaluator", "Coder", "Rater ID", "Worker ID"],
)
def test_who_rated_is_found_by_many_names(column: str) -> None:
    assert guessed(("id", column, "overall"))["annotator"] == column
    assert guessed(("id", column, "annotator"))["annotator"] == "annotator"


@pytest.mark.parametrize(
    "column",
    [
        *("n raters", "n_raters", "N Raters", "num_raters", "Number of raters", "n annotators", "num_annotators"),
        *("n ratings", "number_of_ratings", "raters"),
    ],
)
def test_of_how_many_raters_means_are_is_found_by_many_names(column: str) -> None:
    assert guessed(("id", "coherence", column))["raters"] == column
    assert "raters" not in guessed(("id", "coherence", "n"))
    assert guessed(("id", "coherence", column, "Raters"))["raters"] in {"Raters", "raters"}


@pytest.mark.parametrize("single", [("Worker ID", "coherence"), ("coherence_1", "coherence_2"), ("rater1", "rater2")])
def test_how_many_rated_a_story_makes_no_means_of_single_ratings(single: tuple[str, ...]) -> None:
    assert "raters" not in guessed(("id", *single, "n_ratings"))
    assert guessed(("id", *single, "raters"))["raters"] == "raters"


def test_an_item_that_is_one_story_is_its_id(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"Item": item, "Story": text, "Participant": who, "overall": 3}
        for who in ("Ann", "Bo")
        for item, text in (("i1", "One."), ("i2", "Two."))
    ]
    file = file_of(tmp_path, rows)
    assert (overview(file).item, {story.key for story in read_export(file).stories}) == ("Item", {"i1", "i2"})
    for row in rows:
        del row["Story"]
    assert read_export(file_of(tmp_path, rows)).ratings[0].story_key == "i1"
    for row in rows:
        row |= {"System": row["Participant"], "Story": f"{row['Item']} by {row['Participant']}."}
    file = file_of(tmp_path, rows)
    assert (overview(file).item, len(read_export(file).stories)) == ("", 4)  # an item is a prompt here


@pytest.mark.parametrize(("names", "steps"), [(("Wit (1-7)", "Flow [1–7]"), 7), (("Wit (1-7)", "Flow (1-5)"), 0)])
def test_a_scale_in_the_names_is_the_ratings(tmp_path: Path, names: tuple[str, str], steps: int) -> None:
    choice = ColumnChoice(criteria=(("Wit", names[0]), ("Flow", names[1])))
    file = file_of(tmp_path, [{"id": "a", names[0]: 3, names[1]: 5}])
    assert len(read_export(file, choice=choice).scale) == steps
    assert not read_export(file_of(tmp_path, [{"id": "a", names[0]: 3, names[1]: 8}]), choice=choice).scale
    assert len(read_export(file, choice=replace(choice, scale="0-10")).scale) == 11


def test_criteria_are_called_without_their_scale_and_found_again(tmp_path: Path) -> None:
    file = file_of(tmp_path, [{"id": "a", "Coherence (1-5)": 3, "engagement_1to5": 5, "Pace (1-5)": 4}])
    assert read_export(file).criteria == ("coherence", "engagement")
    again = read_export(file, choice=ColumnChoice(expected=("Pace", "coherence", "engagement")))
    assert again.criteria == ("coherence", "engagement", "Pace")
    assert read_export(file, choice=ColumnChoice(expected=("Pace (1-5)",))).criteria[-1] == "Pace (1-5)"
    overall = file_of(tmp_path, [{"id": "a", "Overall (1-5)": 3}])
    assert read_export(overall).criteria == ("overall",)


def test_a_number_is_a_story_s_id_where_each_story_has_one(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"Nr": number, "Text": text, "Rater": who, "overall": 3}
        for who in ("Ann", "Bo")
        for number, text in enumerate(("One.", "Two."))
    ]
    file = file_of(tmp_path, rows)
    assert (overview(file).item, {story.key for story in read_export(file).stories}) == ("Nr", {"0", "1"})
    for place, row in enumerate(rows):
        row["Nr"] = place  # of the row
    file = file_of(tmp_path, rows)
    assert (overview(file).item, len(read_export(file).stories)) == ("", 2)
