"""Scores against ratings, story by story: what is drawn of many stories and of few values; the CSV is exact."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from core.arrays import Ints
from core.figures.data import figure_rows
from core.figures.scatter import MOST_POINTS, scatter, scatter_rows, what_scores_are
from core.metrics import METRICS
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import correlate
from core.stored_texts import Stored
from tests.core.figures.correlation import EVIL
from tests.core.figures.style import titles


def table(n: int = 6, **changes: object) -> ScoreTable:
    columns = (ScoreColumn("bleu", "bleu|v:1", np.arange(n, dtype=float), {}),)
    kept = {
        "keys": tuple(f"story {i}" for i in range(n)),
        "prompts": ("p",) * n,
        "systems": ("s2s",) * n,
        "texts": tuple(f"Text {i}." for i in range(n)),
        "human": np.array([1.0, 2, 2, 4, 5, 5][:n]),
        "columns": columns,
    }
    return ScoreTable(**{**kept, **changes})  # type: ignore[arg-type]


def drawn(shown: ScoreTable) -> go.Figure:
    column = shown.columns[0]
    return scatter(shown, column, correlate(column.values, shown.human, resamples=0))


def test_scatter_is_titled_and_its_axes_named() -> None:
    figure = drawn(table())
    r = np.corrcoef(np.arange(6), [1, 2, 2, 4, 5, 5])[0, 1]
    assert titles(figure) == [f"bleu against people, r = {r:.3f}", "6 stories."]
    assert figure.layout.xaxis.title.text == "bleu (raw score)"
    assert figure.layout.yaxis.title.text == "mean rating"


def test_scatter_shows_the_rated_and_scored_stories_with_their_line() -> None:
    values = np.array([0.0, 1, np.nan, 3, 4, 5])
    human = np.array([1.0, np.nan, 2, 7, 9, 11])
    points, edge, line = drawn(table(columns=(ScoreColumn("bleu", "b", values, {}),), human=human)).data
    assert list(points.x) == [0, 3, 4, 5]
    assert list(points.y) == [1, 7, 9, 11]
    assert [text.split("</b>")[0] for text in points.hovertext] == [f"<b>story {i} · s2s" for i in (0, 3, 4, 5)]
    assert list(line.x) == list(edge.x) == [0, 5]
    assert list(line.y) == pytest.approx([1, 11])


def test_two_stories_of_close_scores_have_a_line() -> None:
    column = ScoreColumn("bleu", "b", np.array([0.01, 0.03]), {})
    line = scatter(table(2, columns=(column,)), column, correlate([], [])).data[-1]
    assert list(line.y) == pytest.approx([1, 2])


def test_scatter_without_a_slope_has_no_line_and_no_r() -> None:
    column = ScoreColumn("bleu", "b", np.ones(6), {})
    figure = drawn(table(columns=(column,)))
    assert len(figure.data) == 1
    assert titles(figure) == ["bleu against people", "6 stories."]
    nothing = drawn(table(human=np.full(6, np.nan)))
    assert [len(trace.x) for trace in nothing.data] == [0]


def test_hover_texts_are_escaped() -> None:
    column = ScoreColumn(EVIL, "e", np.arange(6.0), {})
    figure = drawn(table(texts=(EVIL,) * 6, keys=(EVIL,) * 6, systems=(EVIL,) * 6, columns=(column,)))
    for text in figure.data[0].hovertext:
        rest = text.replace("<br>", " ").replace("<b>", "", 1).replace("</b>", "", 1)
        assert "<" not in rest
        assert ">" not in rest
        assert "$" not in rest
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in rest
    for text in (*titles(figure), figure.layout.xaxis.title.text.replace("<br>", " ")):
        assert "<" not in text
        assert "$" not in text


def test_hover_texts_are_cut_and_wrapped() -> None:
    long, short = "word " * 300, "A text."
    whole = drawn(table(texts=("a" * 320,) * 6)).data[0].hovertext[0]
    assert whole.count("a") == 322  # two of them in "mean rating"
    assert "…" not in whole
    hover = drawn(table(texts=(long, short, "", "", "", ""), systems=("gpt",) * 6)).data[0].hovertext
    assert hover[0].startswith("<b>story 0 · gpt</b><br>score 0, mean rating 1.00<br>word word")
    assert hover[0].endswith("…")
    assert all(len(line) <= 60 for line in hover[0].split("<br>")[1:])
    assert 300 < len(hover[0]) < 430
    assert hover[1] == "<b>story 1 · gpt</b><br>score 1, mean rating 2.00<br>A text."
    assert hover[2].startswith("<b>story 2 · gpt</b><br>score 2, mean rating ")


def many(n: int, scores: np.ndarray, ratings: np.ndarray) -> ScoreTable:
    texts = tuple(map(str, range(n)))
    return ScoreTable(texts, texts, texts, texts, ratings, (ScoreColumn("m", "m|v:1", scores, {}),))


def test_of_many_stories_a_sample_is_drawn_and_the_line_is_of_all() -> None:
    rng = np.random.default_rng(1)
    n = 4 * MOST_POINTS
    scores = rng.normal(size=n)
    shown = many(n, scores, scores + rng.normal(size=n))
    points, _, _, _, line = drawn(shown).data  # with the band's edges
    assert len(points.x) == len(points.hovertext) == MOST_POINTS
    assert points.type == "scatter"  # vectors in an export
    slope, intercept = np.polyfit(scores, shown.human, 1)
    assert list(line.y) == pytest.approx(slope * line.x + intercept)
    assert titles(drawn(shown))[1].startswith("3,000 of 12,000 stories, drawn at random; the line is of all.")
    assert list(drawn(shown).data[0].x) == list(points.x)
    column = shown.columns[0]
    other = scatter(shown, column, correlate([], []), seed=1).data[0]
    assert list(other.x) != list(points.x)
    assert len(scatter_rows(shown, column)) == n


def test_points_of_few_values_are_moved_apart_and_the_figure_says_how_far() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.integers(0, 8, 400) / 7
    shown = many(400, rng.normal(size=400), ratings)
    figure = drawn(shown)
    points = figure.data[0]
    assert list(points.x) == list(shown.columns[0].values)
    far = np.abs(points.y - ratings)
    assert 0.5 * 0.15 / 7 < far.max() <= 0.15 / 7
    assert "Points moved at random, at most ±0.021 up or down" in " ".join(titles(figure))
    assert "mean rating 0." in points.hovertext[0]
    assert [row["Mean rating"] for row in scatter_rows(shown, shown.columns[0])] == list(ratings)
    both = many(400, rng.integers(1, 6, 400).astype(float), ratings)
    sentence = " ".join(titles(drawn(both)))
    assert "±0.15 across and ±0.021 up or down" in sentence


def test_scores_that_pile_up_at_their_ends_are_moved_a_little() -> None:
    rng = np.random.default_rng(1)
    scores = np.where(rng.random(400) < 0.5, 1 - rng.random(400) / 1e6, rng.random(400) / 1e6)
    figure = drawn(many(400, scores, rng.normal(size=400)))
    assert 0.01 < np.abs(figure.data[0].x - scores).max() <= 0.02
    even = many(400, rng.random(400), rng.normal(size=400))
    assert list(drawn(even).data[0].x) == list(even.columns[0].values)
    assert "moved" not in drawn(even).layout.title.text


@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
def test_a_rank_coefficient_stands_beside_no_straight_line(coefficient: str) -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=200)
    shown = many(200, scores, np.exp(scores))
    column = shown.columns[0]
    figure = scatter(shown, column, correlate(scores, shown.human, resamples=0), coefficient)
    line = figure.data[-1]
    assert line.name == "means of groups of like scores"
    assert len(line.x) == 10
    assert list(line.y) == sorted(line.y)
    first = np.argsort(scores)[:20]
    assert (line.x[0], line.y[0]) == pytest.approx((scores[first].mean(), shown.human[first].mean()))
    tied = many(200, np.repeat([1.0, 2.0], 100), np.repeat([3.0, 4.0], 100))
    figure = scatter(tied, tied.columns[0], correlate([], []), coefficient)
    assert list(figure.data[-1].y) == pytest.approx([3, 4])  # equal scores stay together


def test_the_edge_of_the_line_is_no_data() -> None:
    rows = figure_rows(drawn(table()))
    assert [row["series"] for row in rows] == ["stories"] * 6 + ["least squares"] * 2


def test_points_are_moved_inwards_at_the_ends_of_the_scale() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.integers(1, 6, 400).astype(float)
    points = drawn(many(400, rng.integers(0, 3, 400).astype(float), ratings)).data[0]
    assert points.y.min() >= 1
    assert points.y.max() <= 5
    assert points.x.min() >= 0
    assert points.x.max() <= 2
    assert (points.y[ratings == 5] < 5).any()
    assert np.abs(points.y - ratings).max() <= 0.15


def test_a_few_systems_have_a_colour_and_a_shape_each() -> None:
    few = table(systems=("b", "a", "b", "a", EVIL, "a"))
    series = [trace for trace in drawn(few).data if trace.mode == "markers"]
    assert [trace.name for trace in series][1:] == ["a", "b"]
    assert "<" not in series[0].name
    assert sorted(len(trace.x) for trace in series) == [1, 2, 3]
    assert len({trace.marker.color for trace in series}) == len({trace.marker.symbol for trace in series}) == 3
    assert all(trace.showlegend for trace in series)
    crowd = table(systems=tuple("abcdef"))
    assert len([trace for trace in drawn(crowd).data if trace.mode == "markers"]) == 6
    many_systems = many(40, np.arange(40.0), np.arange(40.0))
    assert [trace.name for trace in drawn(many_systems).data if trace.mode == "markers"] == ["stories"]


def test_the_line_has_a_band_where_there_are_prompts_to_draw() -> None:
    figure = drawn(table(prompts=tuple("abcabc")))
    assert "Band: 95 %" in figure.layout.title.text
    low, high = (trace for trace in figure.data if trace.line.width == 0)
    assert (np.array(low.y) <= np.array(high.y)).all()
    assert "Band" not in drawn(table()).layout.title.text


def test_stored_keys_are_read_together() -> None:
    """A query a story took a second of a page."""
    read: list[int] = []

    def keys(places: Ints) -> list[str]:
        read.append(len(places))
        return [f"story {place}" for place in places.tolist()]

    (series, *_) = drawn(table(keys=Stored(np.arange(6), keys))).data
    assert [one[0] for one in series.customdata] == [f"story {place}" for place in range(6)]
    assert set(read) == {6}


def test_the_band_ends_at_the_scale() -> None:
    rng = np.random.default_rng(3)
    human = rng.integers(1, 6, 12).astype(float)
    shown = replace(many(12, rng.normal(size=12), human), prompts=tuple(str(i) for i in range(12)))
    column = shown.columns[0]
    free, cut = (
        [band.y for band in scatter(shown, column, correlate([], []), scale=scale).data[1:3]]
        for scale in (None, (2.5, 3.5))
    )
    assert np.min(free) < 2.5 < 3.5 < np.max(free)
    assert np.allclose(cut, np.clip(free, 2.5, 3.5))


def test_an_axis_says_what_a_score_is_where_the_name_does_not() -> None:
    computed, imported = (ScoreColumn("perplexity", of, np.arange(6.0), {}) for of in ("perplexity|v:1", "file:0"))
    figure = drawn(table(columns=(computed,)))
    assert figure.layout.xaxis.title.text == "perplexity<br>(negated log-perplexity; higher is better)"
    assert "negated log-perplexity 0, mean rating 1.00" in figure.data[0].hovertext[0]
    assert drawn(table(columns=(imported,))).layout.xaxis.title.text == "perplexity (raw score)"


def test_a_sentence_says_what_scores_are_where_names_do_not() -> None:
    names = (("perplexity", "perplexity|v:1"), ("perplexity-exp", "perplexity-exp|v:1"), ("bleu", "bleu|v:1"))
    columns = [ScoreColumn(name, of, np.arange(6.0), {}) for name, of in names]
    assert what_scores_are(columns) == (
        "What scores are: negated log-perplexity (perplexity); negated perplexity (perplexity-exp)."
    )
    assert what_scores_are(columns[2:]) == ""
    assert METRICS["perplexity-finetuned"].card.number == METRICS["perplexity"].card.number
