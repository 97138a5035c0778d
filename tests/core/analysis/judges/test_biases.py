"""Biases of judges: each is found where it was planted, absent where not, and its interval is that of slow draws."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.correlation.partial import partial_table, words_alone
from core.analysis.judges.biases import family, judge_biases
from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable
from core.statistics.draws import draw_prompts

SYSTEMS = ("Llama-7B", "GPT-2", "HINT")


def made(judges: dict[str, Floats], human: Floats, words: Floats) -> ScoreTable:
    n = len(human)
    return ScoreTable(
        tuple(f"s{i}" for i in range(n)),
        tuple(f"p{i // 3}" for i in range(n)),
        tuple(SYSTEMS[i % 3] for i in range(n)),
        tuple("word " * int(number) for number in words),
        human,
        tuple(ScoreColumn(f"{name}:empathy", f"file:{name}", values, {}) for name, values in judges.items()),
    )


@pytest.fixture
def table() -> ScoreTable:
    """People do not care for length; one judge does, one favours its family, one has two wordings."""
    rng = np.random.default_rng(0)
    words, human = rng.integers(10, 100, 150).astype(float), rng.uniform(1, 5, 150)
    own = np.array([SYSTEMS[i % 3] == "Llama-7B" for i in range(150)])
    fair = human + rng.normal(0, 0.3, 150)
    judges = {
        "long": 1 + words / 25,
        "llama-13b": fair + 0.8 * own,
        "fair/1": fair + 0.5,
        "fair/2": fair + rng.normal(0, 0.2, 150),
    }
    judges["fair/2"][4] = np.nan
    return made(judges, human, words)


def test_each_bias_is_found_where_it_is(table: ScoreTable) -> None:
    found = judge_biases(table, ("empathy",))
    by_name = {row.judge.name.removesuffix(":empathy"): row for row in found.rows}
    long, llama, one, two = (by_name[name] for name in ("long", "llama-13b", "fair/1", "fair/2"))
    assert found.words.low is not None
    assert found.words.low < 0 < (found.words.high or 0)
    assert long.longer.low is not None
    assert long.longer.low > 0.4
    assert long.equal_length.undefined == "the scores, or the ratings, follow the number of words exactly"
    for row in (llama, one, two):
        assert row.longer.low is not None
        assert row.longer.low < 0 < (row.longer.high or 0)
        assert row.equal_length.value == pytest.approx(row.pooled.value, abs=0.02)
    assert llama.relatives == ("Llama-7B",)
    assert llama.family.value == pytest.approx(0.8, abs=0.15)
    assert (llama.family.low or 0) > 0.5
    assert one.family.undefined == "no system has its name"
    assert one.lenient.value == pytest.approx(0.5, abs=0.1)
    assert (one.variants, two.wordings) == (2, one.wordings)
    assert long.wordings.undefined == "it comes in one wording"
    assert (found.between_judges.value or 0) > (one.wordings.value or 0)


def test_the_mean_of_wordings_is_no_wording(table: ScoreTable) -> None:
    mean = np.mean([table.columns[2].values, table.columns[3].values], axis=0)
    more = replace(table, columns=(*table.columns, ScoreColumn("fair:empathy", "file:mean", mean, {})))
    before, after = (judge_biases(given, ("empathy",), resamples=20) for given in (table, more))
    assert after.between_judges == before.between_judges
    assert (after.rows[-1].judge.name, after.rows[-1].variants) == ("fair:empathy", 2)
    assert after.rows[-1].wordings == before.rows[-1].wordings


def test_figures_and_intervals_are_those_of_slow_draws(table: ScoreTable) -> None:
    found = judge_biases(table, ("empathy",), seed=5, resamples=40)
    rows = {row.judge.name.removesuffix(":empathy"): row for row in found.rows}
    values = {column.metric.removesuffix(":empathy"): column.values for column in table.columns}
    words = np.array([len(text.split()) for text in table.texts])
    own = np.array([system == "Llama-7B" for system in table.systems])

    def lenient(i: Floats) -> float:
        return float(np.nanmean(values["fair/2"][i] - table.human[i]))

    def longer(i: Floats) -> float:
        return float(np.corrcoef(values["long"][i] - table.human[i], words[i])[0, 1])

    def length(i: Floats) -> float:
        return float(np.corrcoef(values["long"][i], words[i])[0, 1])

    def favour(i: Floats) -> float:
        above = values["llama-13b"][i] - table.human[i]
        return float(above[own[i]].mean() - above[~own[i]].mean())

    def wordings(i: Floats) -> float:
        return float(np.sqrt(np.nanmean(np.var([values["fair/1"][i], values["fair/2"][i]], axis=0, ddof=1))))

    draws = draw_prompts(table.prompts, seed=5, resamples=40)
    numbers = draws.of(table.prompts)
    again = [np.repeat(np.arange(150), copies[numbers].astype(int)) for copies in draws.copies]
    for estimate, slow in (
        (rows["fair/2"].lenient, lenient),
        (rows["long"].longer, longer),
        (rows["long"].length, length),
        (rows["llama-13b"].family, favour),
        (rows["fair/1"].wordings, wordings),
    ):
        assert estimate.value == pytest.approx(slow(np.arange(150)))
        assert (estimate.low, estimate.high) == pytest.approx(np.percentile([slow(i) for i in again], (2.5, 97.5)))


def test_the_number_of_words_has_one_interval_in_all_analyses(table: ScoreTable) -> None:
    unrated = replace(table, human=np.where(np.array(table.prompts) == table.prompts[0], np.nan, table.human))
    found = judge_biases(unrated, ("empathy",), seed=5, resamples=40).words
    alone = words_alone(unrated, seed=5, resamples=40).pearson
    beside = partial_table(unrated, seed=5, resamples=40)[0].words.r  # the column has a score of every story
    assert found.low is not None
    assert (found.value, found.low, found.high) == (alone.value, alone.low, alone.high)
    assert (found.low, found.high) == pytest.approx((beside.low, beside.high))


def test_families_go_by_the_first_word() -> None:
    systems = ("GPT", "GPT-2", "Llama-7B", "meta-llama/Llama-3", "7", "HINT", "HINT")
    assert family("gpt-4o", systems) == ("GPT", "GPT-2")
    assert family("org/llama-13b", systems) == ("Llama-7B", "meta-llama/Llama-3")
    assert family("hint", systems) == ("HINT",)
    assert family("ChatGPT", systems) == family("7", systems) == ()


def test_without_judges_or_with_one_there_is_less_to_say() -> None:
    human = np.array([1.0, 2, 3, 4, 5, 3])
    alone = judge_biases(made({"m": human + 1}, human, np.full(6, 9.0)), ("empathy",), resamples=10)
    assert alone.between_judges.undefined == "there is one judge"
    assert alone.rows[0].longer.undefined == "it, or the number of words, is the same for every story"
    assert alone.rows[0].lenient.value == 1.0
    assert judge_biases(made({}, human, np.arange(6.0) + 1), ("empathy",), resamples=10).rows == ()
