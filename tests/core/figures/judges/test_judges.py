"""Figures of judges: what they show, and names that look like markup."""

import numpy as np

from core.analysis.criteria.heat_map import Level
from core.analysis.judges.alternative import alternative_test
from core.analysis.judges.heat_map import NOT_RATED, JudgeMap
from core.analysis.judges.replacement import JudgeTest, standard
from core.analysis.judges.trial import Confusion
from core.figures.judges.replacement import winning_rates
from core.figures.judges.trial import confusion, judges_by_criteria
from core.statistics.correlation import NOTHING, Coefficient
from core.statistics.intervals import Estimate

HOSTILE = "<b>m</b> $x$"
SAFE = "&lt;b&gt;m&lt;/b&gt; &#36;x&#36;"


def test_a_row_a_judge_and_a_dash_where_it_rates_nothing() -> None:
    cells = ((Coefficient(0.5, p_cluster=0.001), NOTHING), (Coefficient(-0.2), Coefficient(0.1)))
    found = JudgeMap(Level.PROMPT, "pearson", ("wit", "mood"), (HOSTILE, "b"), cells, ((None, NOT_RATED), (None, None)))
    heat, cells = judges_by_criteria(found).data
    assert [list(row) for row in heat.text] == [["0.50†", "–"], ["−0.20", "0.10"]]
    assert list(heat.y) == [SAFE, "b"]
    assert list(map(tuple, cells.customdata)) == [(SAFE, "wit"), (), ("b", "wit"), ("b", "mood")]


def test_confusion_counts_stories_and_colours_parts_of_rows() -> None:
    counts = np.array([[3, 1], [0, 0]])
    none = Estimate(None)
    figure = confusion(Confusion((0, 1), counts, none, none, none, 0), HOSTILE, "wit")
    heat, unseen = figure.data
    assert np.array_equal(heat.text, counts)
    carried = dict(zip(map(tuple, unseen.customdata), unseen.hovertext, strict=True))
    assert carried["0", "1"] == "people 0, the judge 1: 1 stories, 25.0% of the row"
    assert [(y, x) for y, x in zip(unseen.y, unseen.x, strict=True)] == list(carried)
    assert np.allclose(heat.z, [[0.75, 0.25], [0, 0]])
    assert figure.layout.xaxis.title.text == f"rating by {SAFE}"
    tall = confusion(Confusion((1, 2, 3, 4), np.ones((4, 4), dtype=np.intp), none, none, none, 0), HOSTILE, "wit")
    assert figure.layout.height == tall.layout.height  # the words beside two steps need as much room
    assert "<b>" not in figure.layout.title.text.replace("<br>", "")


def test_winning_rates_stand_beside_what_a_judge_has_to_reach() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, 60).astype(float)
    people = np.clip(truth + rng.integers(-1, 2, (4, 60)), 1, 5)
    held_to = standard(None, None)
    rows = [
        JudgeTest(name, alternative_test(people, judge, "abcd"))
        for name, judge in ((HOSTILE, truth), ("bad", 6 - truth), ("unknown", np.full(60, np.nan)))
    ]
    figure = winning_rates(rows, held_to, "wit")
    won, advantage = figure.data
    assert list(won.y) == list(advantage.y) == ["bad", SAFE]
    assert list(won.x) == [0, 1]
    assert won.marker.size >= 2 * advantage.marker.size
    assert advantage.marker.symbol == "diamond-open"
    assert [dots.name for dots in (won, advantage)] == ["winning rate, which decides", "advantage, which does not"]
    few = JudgeTest("few", alternative_test(people[:2], truth, "ab"))
    assert list(winning_rates([few], held_to, "wit").data[0].y) == ["few (no verdict)"]
    unlike = winning_rates(rows[:1], held_to, "wit", disagree=True)
    assert list(unlike.data[0].y) == [f"{SAFE} (no verdict)"]
    assert "passes from 0.5 on" not in unlike.layout.title.text.replace("<br>", " ")
    assert figure.layout.title.text.startswith("May a judge stand in for a crowd worker?")
    assert "Only the circle decides: a winning rate passes from 0.5 on." in figure.layout.title.text.replace(
        "<br>", " "
    )
