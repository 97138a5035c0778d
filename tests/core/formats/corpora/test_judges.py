"""Judges' ratings from files: long, long by criterion and wide, found by names or named; and what is refused."""

import json
from pathlib import Path

import pytest

from core.annotation.builtin import HANNA, SCHEMES
from core.errors import InputError
from core.formats.corpora.judges import JudgeChoice, JudgesBrought, read_judges

STORIES = ("1", "2")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "judges.csv"


def read(file: Path, text: str, **choice: str) -> JudgesBrought:
    file.write_text(text, encoding="utf-8")
    return read_judges(file, HANNA, STORIES, others=("1", "2", "h"), choice=JudgeChoice(**choice))


def values(brought: JudgesBrought) -> dict[str, dict[str, float]]:
    return {record.metric: record.values for record in brought.records}


def test_a_row_a_judge_and_story(file: Path) -> None:
    brought = read(
        file, "story_id,judge,prompt_variant,Coherence,empathy,words\n1,m,1,4,2.5,7\n2,m,1,,3,8\n2,m,2,1,1,8\n"
    )
    assert values(brought) == {
        "m/1:coherence": {"1": 4.0},
        "m/1:empathy": {"1": 2.5, "2": 3.0},
        "m/2:coherence": {"2": 1.0},
        "m/2:empathy": {"2": 1.0},
    }
    assert (brought.judges, brought.criteria) == (("m/1", "m/2"), ("coherence", "empathy"))
    assert brought.notices == ("Columns that are no criterion of this study and were left out: words.",)
    assert {record.signature[:5] for record in brought.records} == {"file:"}


def test_a_row_a_criterion(file: Path) -> None:
    brought = read(file, "id,llm,criterion,rating\n1,gpt-4o,coherence,4\n1,gpt-4o,Empathy,3\nh,gpt-4o,empathy,3\n")
    assert values(brought) == {"gpt-4o:coherence": {"1": 4.0}, "gpt-4o:empathy": {"1": 3.0}}
    assert brought.left_out == 1
    assert brought.notices == ("Left out as rows of people's or damaged stories: 1.",)


def test_a_row_a_story(file: Path) -> None:
    brought = read(file, "id,gpt-4o coherence,org/m:empathy,coherence\n1,4,2,1\n2,5,1,1\n")
    assert values(brought) == {"gpt-4o:coherence": {"1": 4.0, "2": 5.0}, "org/m:empathy": {"1": 2.0, "2": 1.0}}


def test_a_model_s_name_may_have_a_colon(file: Path) -> None:
    brought = read(file, "id,judge,variant,coherence,empathy\n1,llama3:8b,,4,2\n1,llama3:8b,2,5,1\n")
    assert list(values(brought)) == ["llama3:8b:coherence", "llama3:8b:empathy", "llama3:8b/2:coherence",
                                     "llama3:8b/2:empathy"]  # fmt: skip
    assert (brought.judges, brought.criteria) == (("llama3:8b", "llama3:8b/2"), ("coherence", "empathy"))
    wide = read(file, "id,llama3:8b coherence,llama3:70b:coherence,llama3:8b: empathy\n1,4,2,3\n")
    assert list(values(wide)) == ["llama3:8b:coherence", "llama3:70b:coherence", "llama3:8b:empathy"]


def test_the_mean_over_variants_where_it_is_asked_for(file: Path) -> None:
    text = "id,judge,variant,coherence\n1,m,1,4\n1,m,2,1\n2,m,1,5\n1,n,1,3\n"
    file.write_text(text, encoding="utf-8")
    with_means = read_judges(file, HANNA, STORIES, choice=JudgeChoice(mean=True))
    assert values(with_means) == values(read(file, text)) | {"m:coherence": {"1": 2.5}}


def test_one_judge_that_is_named_and_columns_that_are(file: Path) -> None:
    assert set(values(read(file, "id,coherence\n1,4\n", judge="gpt-4o"))) == {"gpt-4o:coherence"}
    named = read(file, "id,who,how,which,coherence\n1,a,x1,2,4\n", judge="who", variant="how", story="which")
    assert values(named) == {"a/x1:coherence": {"2": 4.0}}


def test_a_study_of_one_question_takes_a_column_of_ratings(file: Path) -> None:
    file.write_text(json.dumps([{"id": "1", "judge": "m", "rating": 3}]), encoding="utf-8")
    brought = read_judges(file.rename(file.with_suffix(".json")), SCHEMES["mans"], STORIES)
    assert values(brought) == {"m:overall": {"1": 3.0}}


def test_a_rating_a_little_off_its_scale_is_kept_and_told(file: Path) -> None:
    brought = read(file, "id,judge,coherence\n1,m,-1\n2,m,0.5\n")
    assert values(brought) == {"m:coherence": {"1": -1.0, "2": 0.5}}
    assert "2 ratings are off" in brought.notices[0]
    assert "judges.csv, line 2, coherence -1 of 1 to 5" in brought.notices[0]


def test_decimal_commas_are_read_and_said(file: Path) -> None:
    brought = read(file, "id;judge;coherence\n1;m;3,5\n2;m;\n")
    assert values(brought) == {"m:coherence": {"1": 3.5}}
    assert brought.notices == ("Decimal commas were read in 1 number: 3,5 as 3.5.",)
    with pytest.raises(InputError, match=r"line 2: 'good' is not a number\. 2 cells are not numbers\. Correct"):
        read(file, "id;judge;coherence\n1;m;good\n2;m;poor\n")


@pytest.mark.parametrize(
    ("text", "choice", "sentence"),
    [
        (
            "id,judge,coherence\n1,m,50\n",
            {},
            "line 2: a rating of 50 is on another scale than that of coherence, 1 to 5",
        ),
        ("id,judge,coherence\n1,m,3\n9,m,3\n", {}, "line 3: the study has no story '9'"),
        ("id,judge,coherence\n1,m,3\n1,m,3\n", {}, "line 3: m rates the coherence of the story '1' twice"),
        ("id,judge,coherence\n1,m,good\n", {}, "line 2: 'good' is not a number"),
        ("id,judge,coherence\n1,,3\n", {}, "line 2: there is no judge in 'judge'"),
        ("id,judge,variant,coherence\n1,a,b/c,3\n", {}, "line 2: A judge has a name"),
        ("id,judge,criterion,rating\n1,m,style,3\n", {}, "There is no criterion 'style'"),
        ("id,judge,style\n1,m,3\n", {}, "neither a column called like a criterion"),
        ("id,coherence\n1,3\n", {}, "names no judge"),
        ("id,x,y\n1,3,4\n", {"criteria": (("coherence", "x"), ("empathy", "y"))}, "names no judge"),
        ("id,x\n1,3\n", {"criteria": (("coherence", "y"),)}, "has no column 'y' for the coherence ratings"),
        ("id,x\n1,3\n", {"criteria": (("style", "x"),)}, "There is no criterion 'style'"),
        ("key,judge,coherence\n1,m,3\n", {}, "no column of stories' ids"),
        ("id,judge,coherence\n1,m,3\n", {"variant": "v"}, "no column 'v' for the variant"),
        ("id,judge,coherence\nh,m,3\n", {}, "holds no rating by a judge"),
        ("id,judge,coherence\n", {}, "has no rows"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(file: Path, text: str, choice: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read(file, text, **choice)


def test_columns_that_are_said_to_hold_the_ratings(file: Path) -> None:
    text = "id,gpt4_score,judge\n1,4,5\n2,,3\n"
    one = read(file, text, criteria=(("coherence", "gpt4_score"),), judge="gpt-4")
    assert values(one) == {"gpt-4:coherence": {"1": 4.0}}
    called_like_the_column = read(file, text, criteria=(("Coherence", "judge"),))
    assert values(called_like_the_column) == {"judge:coherence": {"1": 5.0, "2": 3.0}}
    both = read(file, text, criteria=(("coherence", "gpt4_score"), ("empathy", "judge")), judge="m")
    assert values(both) == {"m:coherence": {"1": 4.0}, "m:empathy": {"1": 5.0, "2": 3.0}}


def test_options_are_named_on_a_terminal_alone(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(file, "id,mine\n1,3\n")
    assert "--" not in str(caught.value)
    assert caught.value.on_terminal.startswith("Name the judge with --judge.")


def test_a_study_of_pairs_takes_none(file: Path) -> None:
    file.write_text("id,judge,preference\n1,m,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="which of two stories is better"):
        read_judges(file, SCHEMES["preferences"], STORIES)
