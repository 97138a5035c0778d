"""Judges' names: what is made of judge, variant and criterion is read back, also where a model's name has colons."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judges.columns import judges_of
from core.errors import InputError
from core.judges.backends.endpoint import Endpoint
from core.judges.naming import JudgeColumn, judge_column
from core.judges.study import JudgedStudy
from core.metrics import build, family_of, registered
from core.metrics.base import Settings
from core.metrics.naming import place_of, unique_names
from core.scores import IMPORTED, ScoreColumn

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


def test_imported_judges_and_those_on_a_server_stand_side_by_side() -> None:
    """Whatever the model is called, each is one judge of its criteria, under a name that finds it."""
    at = Endpoint("http://localhost:11434/v1", "llama3:8b")
    file = f"{IMPORTED}1a2b"
    pairs = [(f"llama3:8b{variant}:{name}", file) for variant in ("", "/2") for name in ("coherence", "overall")]
    for name in ("coherence", "overall"):
        pairs += [(f"judge:{name}", build(f"judge:{name}", Settings(endpoint=where, judged=JudgedStudy())).signature)
                  for where in (None, at)]  # fmt: skip
    columns = [ScoreColumn(metric, signature, np.zeros(1), {}) for metric, signature in pairs]
    judges = judges_of(columns, ["coherence", "overall"])
    assert [judge.name for judge in judges] == ["llama3:8b", "llama3:8b/2", "judge", "judge[llama3:8b]"]
    assert judges[3].metrics == ("judge:coherence[llama3:8b]", "judge:overall[llama3:8b]")
    assert [place_of(name, pairs) for name in unique_names(pairs)] == list(range(len(pairs)))


def test_a_name_that_holds_its_criterion() -> None:
    column = ScoreColumn("m:coherence-tuned:coherence", IMPORTED, np.zeros(1), {})
    assert [judge.name for judge in judges_of([column], ["coherence"])] == ["m:coherence-tuned"]
