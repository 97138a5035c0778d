"""Judges' names: what is made of judge, variant and criterion is read back, also where a model's name has colons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.judges.naming import JudgeColumn, asked_judge, judge_column
from core.metrics import family_of, registered

NAMES = st.text("ab1v2 /:.-@[]é", min_size=1, max_size=12).filter(lambda text: text == text.strip())
VARIANTS = st.one_of(st.just(""), st.integers(0, 99).map(str), st.integers(0, 9).map("v{}".format))
CRITERIA = st.text("ab1 /.-[]é", min_size=1, max_size=8).filter(lambda text: text == text.strip())


@given(judge=NAMES, variant=VARIANTS, criterion=CRITERIA)
def test_what_is_written_is_read_back(judge: str, variant: str, criterion: str) -> None:
    column = JudgeColumn(judge, criterion, variant)
    read = judge_column(column.metric)
    assert read is not None
    assert (read.metric, read.name, read.criterion) == (column.metric, column.name, criterion)
    if variant:
        assert read == column
    assert judge_column(read.metric) == read


@given(st.text(":/ \n\tv1a", max_size=8))
def test_any_name_is_a_judge_s_or_none(metric: str) -> None:
    """Whatever a study has stored under names from elsewhere, it opens."""
    read = judge_column(metric)
    assert read is None or read.metric == metric


@pytest.mark.parametrize(
    ("metric", "parts"),
    [
        ("llama3:8b:coherence", ("llama3:8b", "", "coherence")),
        ("llama3:8b/2:coherence", ("llama3:8b", "2", "coherence")),
        ("hf.co/org/m:q4_K_M/v3:empathy", ("hf.co/org/m:q4_K_M", "v3", "empathy")),
        ("gpt-4o/strict:coherence", ("gpt-4o/strict", "", "coherence")),
        ("judge:8b:coherence", ("judge:8b", "", "coherence")),
        ("judge:coherence", ("judge", "", "coherence")),
    ],
)
def test_the_criterion_stands_behind_the_last_colon(metric: str, parts: tuple[str, str, str]) -> None:
    column = judge_column(metric)
    assert column is not None
    assert (column.judge, column.variant, column.criterion) == parts


def test_a_criterion_has_no_colon_and_a_variant_no_slash() -> None:
    for parts in (("m", "a:b", ""), ("m", "a", "b/c"), ("", "a", ""), ("m", "", "")):
        with pytest.raises(InputError, match="a variant has no slash, a criterion no colon"):
            JudgeColumn(*parts)
    with pytest.raises(InputError, match="no line ends"):
        JudgeColumn("m\n", "a")


def test_a_model_called_judge_is_no_judge_of_fabula_s() -> None:
    assert registered("judge:8b:coherence") is None
    assert family_of("judge:8b:coherence") == "judge:8b:coherence"
    assert family_of("judge:coherence") == "judge"


@pytest.mark.parametrize(
    ("examples", "wording"),
    [("", "mine.2"), ("|few_shot:0", "mine.2"), ("|few_shot:1", "mine.2, shown 1 rated story"),
     ("|few_shot:4", "mine.2, shown 4 rated stories")],
)  # fmt: skip
def test_judges_that_differ_in_what_they_were_shown_have_other_wordings(examples: str, wording: str) -> None:
    asked = asked_judge(f"judge:overall|model:tiny@1{examples}|template:mine.2@ab12|way:points|v:1")
    assert asked is not None
    assert (asked.template, asked.wording) == ("mine.2", wording)
