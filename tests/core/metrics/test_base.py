"""The contract every metric keeps: options, signature, scores."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from core.errors import InputError
from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Option, Progress, Scores, Settings
from core.stories import Story


class Length(Metric):
    """Characters of a story: a metric simple enough to be obvious."""

    name = "length"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("length", "none", "everything else")
    version = 3
    options = {"unit": Option(("characters", "words"), "what is counted"), "blank": Option(("keep", "drop"), "spaces")}

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        return Scores.collect(len(story.text) or "the story is empty" for story in stories)


class Modelled(Length):
    """The same with a model behind it."""

    name = "modelled"

    def model_revision(self) -> str:
        return "tiny@abc"


class Cut(Length):
    """With the options that every text has."""

    name = "cut"
    options = TEXT_OPTIONS
    version = 1


class Bare(Length):
    """A metric without options, of the default version."""

    name = "bare"
    options = {}
    version = Metric.version


def test_signature_names_all_that_numbers_depend_on() -> None:
    assert Length().signature == "length|blank:keep|unit:characters|v:3"
    chosen = Settings(options={"unit": "words"})
    assert Length(chosen).signature == "length|blank:keep|unit:words|v:3"
    assert Modelled().signature == "modelled|model:tiny@abc|dtype:float32|blank:keep|unit:characters|v:3"
    assert Bare().signature == "bare|v:1"


def test_signature_names_the_precision_and_a_file_of_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Modelled, "file_hash", "123456")
    expected = "modelled|file:123456|model:tiny@abc|dtype:bfloat16|blank:keep|unit:characters|v:3"
    assert Modelled(Settings(precision="bfloat16")).signature == expected
    assert Length(Settings(precision="bfloat16")).signature == Length().signature, "no model, no precision"


def test_signature_does_not_depend_on_the_order_options_were_given_in() -> None:
    length = Length(Settings(options={"unit": "words", "blank": "drop"}))
    other = Length(Settings(options={"blank": "drop", "unit": "words"}))
    assert length.signature == other.signature == "length|blank:drop|unit:words|v:3"


def test_signature_does_not_depend_on_the_device() -> None:
    assert Length(Settings(device="cuda")).signature == Length(Settings(device="cpu")).signature


def test_the_first_value_of_an_option_is_its_default() -> None:
    assert Length().chosen == {"unit": "characters", "blank": "keep"}
    assert Length(Settings(options={"blank": "drop"})).chosen == {"unit": "characters", "blank": "drop"}


def test_an_unknown_option_names_those_there_are() -> None:
    with pytest.raises(InputError, match="The metric length has no option 'size'; its options are: unit, blank"):
        Length(Settings(options={"size": "words"}))
    with pytest.raises(InputError, match="The metric bare has no option 'unit'; its options are: none"):
        Bare(Settings(options={"unit": "words"}))


def test_a_value_that_an_option_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"The option length\.unit cannot be 'lines'; choose one of characters, words"):
        Length(Settings(options={"unit": "lines"}))


@pytest.mark.parametrize("value", ["all", "200", "250", "1", "12", "99999"])
def test_an_option_may_allow_more_than_it_offers(value: str) -> None:
    assert Cut(Settings(options={"first_words": value})).signature == f"cut|first_words:{value}|normalisation:raw|v:1"


@pytest.mark.parametrize("value", ["0", "", "-5", "07", "1.5", "100000", "200 ", "200\n", "ten"])
def test_what_fits_neither_the_values_nor_the_pattern_is_refused(value: str) -> None:
    words = f"The option cut.first_words cannot be {value!r}; choose one of all, 200, 250 or a number of words."
    with pytest.raises(InputError, match=f"^{re.escape(words)}$"):
        Cut(Settings(options={"first_words": value}))


def test_an_unknown_precision_names_those_there_are() -> None:
    with pytest.raises(InputError, match="There is no precision 'int8'; choose one of float32, bfloat16"):
        Length(Settings(precision="int8"))


def test_a_text_is_normalised_then_cut() -> None:
    """Three words of the normalised text: of the raw one they would be `he did n`."""
    metric = Cut(Settings(options={"normalisation": "detokenised", "first_words": "3"}))
    assert metric.text("he did n ' t run . she sat .") == "He didn't run."
    assert Cut().text("he did n ' t run .") == "he did n ' t run ."


def test_a_metric_without_score_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Metric()  # type: ignore[abstract]


def test_collect_keeps_the_order_and_says_why_a_number_is_missing() -> None:
    scores = Scores.collect(iter([0.5, "no reason to score", -1, "another"]))
    assert scores.values.dtype == np.float64
    np.testing.assert_array_equal(scores.values, [0.5, np.nan, -1.0, np.nan])
    assert scores.reasons == {1: "no reason to score", 3: "another"}


def test_collect_of_nothing() -> None:
    scores = Scores.collect([])
    assert scores.values.shape == (0,)
    assert scores.values.dtype == np.float64
    assert scores.reasons == {}
