"""What metrics read of a test set, which of them can be tested, and their scores as columns."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.capability.scoring import columns_of, lay_out, score_stories, stories_of, why_not_applicable
from core.errors import FabulaError
from core.metrics import METRICS, find
from core.metrics.base import Card, Kind, Metric, Progress, Scores
from core.metrics.blend import Blend
from core.perturb.cases import Case, Of
from core.perturb.edits import Perturbed
from core.perturb.test_sets.aspects import Aspect, Change
from core.perturb.test_sets.grammar import passes
from core.stories import Story


def case(text: str, original: str, prompt: str = "", aspect: str = Aspect.CAUSAL, label: int = 0) -> Case:
    return Case(text, aspect, label, prompt, Perturbed(original, text, (), ()), "h")


class Length(Metric):
    """A toy: how long a story is, unless it is long."""

    name = "toy-length"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("How many characters a story has.", "none", "Everything else.")

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Characters."""
        return Scores.collect(float(len(s.text)) if len(s.text) < 20 else "it is long" for s in stories)


def test_the_prompt_is_read_once() -> None:
    assert stories_of(case("He came. He sat.", "He came. She sat.", "He came.")) == (
        Story("He sat.", "He came."),
        Story("She sat.", "He came."),
    )
    assert stories_of(case("He sat.", "She sat.", " He came. ")) == (
        Story("He sat.", "He came."),
        Story("She sat.", "He came."),
    )
    # What begins with the prompt by a change, or no longer does.
    put_in = stories_of(case("He came. She sat.", "She sat.", "He came."))
    assert put_in == (Story("He came. She sat.", "He came."), Story("She sat.", "He came."))
    lost = stories_of(case("She came. She sat.", "He came. She sat.", "He came."))
    assert lost == (Story("She came. She sat."), Story("He came. She sat."))


def test_without_a_prompt_the_first_sentence_is_one() -> None:
    new_case = case("He came. He sat.", "He came. She sat.")
    assert stories_of(new_case) == (Story("He sat.", "He came."), Story("She sat.", "He came."))
    assert stories_of(new_case, whole=True) == (Story("He came. He sat."), Story("He came. She sat."))
    other = case("She came. She sat.", "He came. She sat.")
    assert stories_of(other) == (Story("She came. She sat."), Story("He came. She sat."))
    short = case("He came.", "He came. She sat.")
    assert stories_of(short) == (Story("He came."), Story("He came. She sat."))
    assert stories_of(case("", "")) == (Story(""), Story(""))


SENTENCES = st.lists(st.sampled_from(["He came.", "She sat!", "Why?"]), max_size=4).map(" ".join)


@given(SENTENCES, SENTENCES, st.sampled_from(["", "He came."]), st.booleans())
def test_a_pair_is_read_alike_and_nothing_is_lost(text: str, original: str, prompt: str, whole: bool) -> None:
    read = stories_of(case(text, original, prompt), whole)
    assert read[0].prompt == read[1].prompt
    for story, given_text in zip(read, (text, original), strict=True):
        assert f"{story.prompt} {story.text}".strip() in (given_text, f"{prompt} {given_text}".strip())


def test_each_text_stands_there_once() -> None:
    cases = [
        case("He came. She sat.", "He came. She sat.", label=1),
        case("He came. He sat.", "He came. She sat."),
        case("He came. She sat. She sat.", "He came. She sat."),
    ]
    layout = lay_out(cases)
    assert [story.text for story in layout.stories] == ["She sat. She sat.", "She sat.", "He sat."]
    assert layout.texts.tolist() == [1, 2, 0]
    assert layout.originals.tolist() == [1, 1, 1]
    assert layout.notices == ()
    column = layout.column("length", "length|v:1", np.array([17.0, 8.0, 7.0]))
    assert (column.metric, column.signature) == ("length", "length|v:1")
    assert (column.texts.tolist(), column.originals.tolist()) == ([8, 7, 17], [8, 8, 8])


def test_aspects_that_are_read_in_two_ways_are_named() -> None:
    cases = [case("He came. He sat.", "He came. She sat."), case("She came. She sat.", "He came. She sat.")]
    (notice,) = lay_out(cases).notices
    assert notice.startswith("causal: 1 of 2 stories are read without a prompt, as their beginning was changed")
    assert lay_out(cases, whole=True).notices == ()
    invariant = [case(item.perturbed.text, item.perturbed.original, aspect=Change.TYPOS) for item in cases]
    assert lay_out(invariant).notices == ()


def test_scores_in_batches_with_what_is_undefined() -> None:
    stories = [Story("x" * length) for length in (30, 25, 8, 3, 1)]
    told: list[int] = []
    (values, again), lines = score_stories([Length(), Length()], stories, 2, told.append)
    assert values[2:].tolist() == [8.0, 3.0, 1.0]
    assert np.isnan(values[:2]).all()
    np.testing.assert_array_equal(values, again)
    assert lines == ["toy-length is undefined for 2 of 5 texts: it is long."] * 2
    assert told == [2, 4, 6, 8, 9, 10]

    class Broken(Length):
        def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
            return Scores(np.array([np.inf]), {})

    with pytest.raises(FabulaError, match="infinite"):
        score_stories([Broken()], [Story("x")])


def test_the_filter_keeps_what_nobody_judged() -> None:
    judged = [None, 0.0, 0.49, 0.5, 1.0]
    cases = [Case(str(value), "typos", 0, "", Perturbed("", "", (), ()), acceptable=value) for value in judged]
    assert [passes(item) for item in cases] == [True, False, False, True, True]
    columns = columns_of([Case("a", "causal", 1, "", Perturbed("", "", (), ()), "s", Of.INCOHERENT), *cases])
    assert columns.accepted.tolist() == [True, True, False, False, True, True]
    assert (columns.aspects[0], columns.sources[:2], columns.of[:2]) == (
        "causal",
        ["s", "None"],
        [Of.INCOHERENT, Of.HUMAN],
    )
    assert columns.labels.tolist() == [1, 0, 0, 0, 0, 0]


def test_which_metrics_can_be_tested() -> None:
    result = {name: why_not_applicable(metric) for name, metric in METRICS.items()}
    assert "its own reference" in str(result["bleu"])
    assert {name for name, why in result.items() if why is None} >= {"perplexity", "union", "ruber-u", "fp-masked"}
    assert all((why is None) == (find(name).kind is Kind.UNREFERENCED) for name, why in result.items())

    class Unreferenced(Blend):
        name = "toy-blend"
        kind = Kind.UNREFERENCED
        needs = frozenset()
        parts = ("fp", "entropy")
        card = Length.card

    assert "a study's other stories" in str(why_not_applicable(Unreferenced))
