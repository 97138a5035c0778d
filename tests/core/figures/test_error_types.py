"""Figures of error types."""

import numpy as np

from core.analysis.judgments.error_types import Errors, Given, errors
from core.analysis.judgments.judgments import summarise
from core.annotation.builtin import MANS
from core.figures.data import figure_rows
from core.figures.error_types import correlations, error_shares, errors_by_system, implied_and_given
from core.figures.style import LESS, MORE, original
from core.statistics.draws import draw_prompts
from tests.core.analysis.judgments.error_types import TYPES, study_with_deductions

HOSTILE = "<b>$x$</b> & a name that is far longer than any axis has room for"


def said(figure: object) -> str:
    """All that a figure says."""
    return str(figure.to_json())  # type: ignore[attr-defined]


def test_error_types_are_escaped_and_sorted() -> None:
    (bars,) = error_shares({"other": 0.1, HOSTILE: 0.7, "logic": 0.4}).data
    assert [original(name) for (name,) in bars.customdata] == ["other", "logic", HOSTILE]
    assert list(bars.x) == [0.1, 0.4, 0.7]
    assert "<b>" not in "".join(bars.y)


def test_a_cell_a_system_and_type() -> None:
    result = summarise(study_with_deductions(), MANS, annotators=None, raters_identified=False).errors
    figure = errors_by_system(result, ["negative", "b", "a"])
    cells, unseen = figure.data
    assert [list(row) for row in cells.z] == [
        [result.by_system[group][name].share.value for name in TYPES] for group in ("negative", "b", "a")
    ]
    assert list(figure.layout.yaxis.ticktext) == ["negative", "b", "a"]
    assert figure.layout.xaxis.ticktext[0] == "repetitive<br>plots"
    assert cells.zmin == 0
    assert unseen.hovertext[0].startswith("negative: ")
    assert [tuple(one) for one in unseen.customdata] == [
        (group, name) for group in ("negative", "b", "a") for name in TYPES
    ]
    assert (unseen.x[1], unseen.y[1]) == (1, 0)
    assert len(figure_rows(figure)) == 3 * len(TYPES)  # the unseen points are no data
    assert figure.layout.title.text


def hostile() -> Errors:
    """Results whose every name wants to be markup."""
    result = summarise(study_with_deductions(), MANS, annotators=None, raters_identified=False).errors
    names = dict(zip(TYPES, [HOSTILE, *TYPES[1:]], strict=True))
    return Errors(
        {HOSTILE: {names[n]: error_rate for n, error_rate in result.by_system["a"].items()}},
        {names[n]: with_rating for n, with_rating in result.with_rating.items()},
        {names[n]: {names[m]: other for m, other in others.items()} for n, others in result.between.items()},
    )


def test_every_pair_once_and_the_rating_first() -> None:
    result = summarise(study_with_deductions(), MANS, annotators=None, raters_identified=False).errors
    figure = correlations(result)
    cells, unseen = figure.data
    rows = [list(row) for row in cells.z][::-1]  # Plotly draws from the bottom
    assert [row[0] for row in rows] == [result.with_rating[name].share.value for name in TYPES]
    assert rows[1][1] == result.between[TYPES[0]][TYPES[1]].value
    assert [sum(cell is not None for cell in row) for row in rows] == [1, 2, 3, 4]
    carried = [tuple(map(original, parts)) for parts in unseen.customdata]
    assert carried[-1] == (TYPES[0],)  # on top, with the rating alone
    assert set(carried) == {(name,) for name in TYPES} | {
        (later, earlier) for place, later in enumerate(TYPES) for earlier in TYPES[:place]
    }
    assert (cells.zmin, cells.zmax) == (-1, 1)
    assert (cells.colorscale[0][1], cells.colorscale[-1][1]) == (LESS, MORE)
    assert list(figure.layout.yaxis.ticktext)[::-1] == TYPES
    assert figure.layout.xaxis.ticktext[0] == "overall<br>rating"


def test_names_are_text_in_all_of_them() -> None:
    for figure in (errors_by_system(hostile(), [HOSTILE]), correlations(hostile())):
        assert "<b>" not in said(figure)
        assert "\\u003cb\\u003e" not in said(figure)
        assert "$x$" not in said(figure)


def test_implied_and_given_meet_on_the_diagonal() -> None:
    deductions = summarise(study_with_deductions(), MANS, annotators=None, raters_identified=False).deductions
    cells, points = implied_and_given(deductions, [1, 2, 3, 4, 5]).data
    assert sum(bool(len(carried)) for carried in points.customdata) == sum(map(len, deductions.table.values()))
    assert sum(cell or 0 for row in cells.z for cell in row) == deductions.ratings
    assert sum(cells.z[i][i] or 0 for i in range(5)) == round((deductions.same.value or 0) * deductions.ratings)
    assert cells.z[2][4] == deductions.table[5].get(3)  # given 3 where 5 was implied


def test_one_type_and_one_system() -> None:
    given = Given(np.arange(3.0), np.arange(3), np.eye(3)[:, :1], np.zeros((3, 1)), ("only",), np.arange(3))
    result = errors(given, ["s"] * 3, [False] * 3, draw_prompts(["p", "q", "r"], resamples=20))
    assert list(errors_by_system(result, ["s"]).data[0].z[0]) == [1 / 3]
    assert list(correlations(result).data[0].z[0]) == [result.with_rating["only"].share.value]
