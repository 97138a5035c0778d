"""What is said of a ranking: groups, why there is none, what leans on the prior, and sides."""

from dataclasses import replace

import numpy as np

from core.analysis.preferences.metrics import MetricPreference, MetricPreferences
from core.analysis.preferences.ranking import SIDES_UNKNOWN, Ranking, rank
from core.analysis.preferences.remarks import groups_sentence, missing, unscored
from core.analysis.preferences.remarks import remarks as remarks_of
from core.analysis.systems.ranking import of_column
from core.judges.asking import AGAIN
from core.scores import ScoreColumn
from core.statistics.intervals import Estimate
from tests.core.analysis.preferences.judged import preferences, simulated
from tests.core.analysis.systems.ranking import of_means


def remarks(ranking: Ranking) -> tuple[str, ...]:
    return remarks_of(ranking, ranking.judgments)


def test_groups() -> None:
    apart = rank(simulated(np.array([4.0, 0.0, -4.0]), 1500, prompts=100), resamples=200)
    assert groups_sentence(apart) == "Tests tell each system from the next: system 00; system 01; system 02."
    alike = rank(simulated(np.array([2.0, 2.0, -2.0]), 1200, prompts=100), resamples=200)
    assert "Groups, the strongest first: " in groups_sentence(alike)
    assert "; system 02. No test tells apart the systems of one group" in groups_sentence(alike)
    equal = rank(simulated(np.zeros(3), 60, prompts=30), resamples=200)
    assert groups_sentence(equal).startswith("No test tells any two of these systems apart")


def test_nothing_to_rank() -> None:
    (ties,) = remarks(rank(preferences("ab", ("a", "b", 0), ("b", "a", 0))))
    assert ties == "Every judgment is a tie, so all systems are equally strong and there is nothing to rank."
    apart = rank(preferences("abcd", ("a", "b", -1), ("b", "a", -1), ("c", "d", -1), ("d", "c", -1)))
    (parts,) = remarks(apart)
    assert parts.endswith("common scale: a, b; c, d. Have stories of one part compared with stories of another.")
    assert groups_sentence(apart) == ""


def test_the_prior() -> None:
    lost = rank(preferences("abx", *[("a", "b", -1), ("b", "a", -1), ("a", "x", -1), ("x", "b", 1)] * 3), resamples=20)
    assert remarks(lost)[0] == (
        "Each of these groups has won or lost everything against the others: a, b; x. So log strengths have a weak "
        "prior: normal, with mean 0 and SD 2. A system whose strength only the prior keeps finite has a rank, but no "
        "interval."
    )
    few = rank(preferences("ab", *[("a", "b", -1)] * 4, ("b", "a", -1)), resamples=200)
    assert f"{few.draws_penalised:,} of the 200 draws of prompts needed a weak prior" in remarks(few)[0]


def test_draws_that_fall_apart() -> None:
    thin = rank(preferences("abc", ("a", "b", -1), ("b", "a", -1), ("b", "c", -1), ("c", "b", -1)), resamples=200)
    assert thin.draws_apart
    assert any(f"{thin.draws_apart:,} of the 200 draws of prompts fall into parts" in said for said in remarks(thin))


def test_one_prompt() -> None:
    found = rank(preferences("ab", ("a", "b", -1), ("b", "a", -1), prompts=[0, 0]))
    assert [said.partition(":")[0] for said in remarks(found)] == ["All judgments are of one prompt"]


def test_a_side_that_people_favour_is_named_where_it_is_known() -> None:
    always = preferences("ab", *[("a", "b", -1), ("b", "a", -1)] * 20)
    found = rank(always, resamples=50)
    assert any("people favour a side" in said for said in remarks(found))
    unknown = rank(replace(always, sides_known=False), resamples=50)
    assert unknown.first.undefined == SIDES_UNKNOWN
    assert not remarks(unknown)


def test_stories_that_name_no_system() -> None:
    found = rank(preferences("ab", ("a", "b", -1), ("b", "a", -1)), resamples=0)
    assert remarks_of(found, 5)[0].startswith("3 of 5 judgments are of stories that name no system")
    nothing = rank(preferences("ab"))
    assert len(remarks_of(nothing, 5)) == 1
    assert remarks_of(nothing, 0) == ()


def test_what_a_judge_did_not_answer_may_come_yet() -> None:
    """Its reason is a sentence already, and another run asks again; a refusal is for good."""
    over = of_column(of_means(1, 2), ScoreColumn("judge:overall", "judge:overall|v:1", np.full(4, np.nan), {}))
    row = MetricPreference("judge:overall", "judge:overall|v:1", 4, 3, {}, 0, Estimate(0.5), (), over, 1)
    for reason, again in ((f"The server was busy. {AGAIN}", True), ("The model refused: no", False)):
        found = MetricPreferences(10, 0, (replace(row, reasons={reason: 3}),))
        (sentence,) = missing(found, ["judge"])
        assert sentence == f"3 decided judgments do not count for judge: {reason.rstrip('.')}."
        assert unscored(found, imported=False) is again
        assert unscored(found, imported=True) is False
