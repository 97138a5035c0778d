"""Controls that most annotators fail."""

from core.annotation.monitor.bad_controls import BadControl, BadControlPair, bad_control_pairs, bad_controls
from core.annotation.panel_summary import ControlPair
from core.annotation.scheme import QualityRules
from core.stories import Source
from tests.core.annotation.quality import panel


def test_most_failed_a_bad_control_where_enough_panels_judged_it() -> None:
    def found(*human: float) -> list[BadControl]:
        return bad_controls([panel(i, human=(h,)).brief for i, h in enumerate(human)], QualityRules())

    assert found(5, 5) == []
    assert found(1) == [BadControl(1, "Opening", Source.HUMAN, 1, 1, (1,))]
    assert found(2, 1, 5) == [BadControl(1, "Opening", Source.HUMAN, 2, 3, (1, 2))]
    assert [found(*human)[0].by_most for human in ((1, 1), (1, 1, 5, 5), (1, 1, 5))] == [False, False, True]
    other = [panel(9, unit=(2, None, None), prompt="Other", human=(h,)).brief for h in (1.0, 1.0, 5.0)]
    once = [panel(8, unit=(3, None, None), prompt="Once", human=(1.0,)).brief]
    worst = bad_controls(once + [panel(i, negative=(5.0,)).brief for i in range(3)] + other, QualityRules())
    assert [(c.prompt, c.source) for c in worst] == [
        *(("Opening", Source.NEGATIVE), ("Other", Source.HUMAN)),
        ("Once", Source.HUMAN),  # by all who judged it, who are too few
    ]


def test_most_failed_a_bad_control_pair_where_enough_panels_judged_it() -> None:
    def found(*answers: tuple[ControlPair, ...], least: int = 1) -> list[BadControlPair]:
        panels = [panel(number, controls=controls).brief for number, controls in enumerate(answers)]
        return bad_control_pairs(panels, QualityRules(human_least=least))

    right, wrong, equal = ((ControlPair(5, 6, by),) for by in (1.0, -1.0, 0.0))
    assert found(right, right) == []
    assert found(wrong) == [BadControlPair(5, 6, 1, 1)]
    few = ((wrong, wrong), (wrong, right, right, wrong), (wrong, right, wrong))
    assert [found(*answers)[0].by_most for answers in few] == [False, False, True]
    assert found(wrong, right, equal) == [BadControlPair(5, 6, 2, 3)]
    assert found(wrong, right, equal, least=0) == [BadControlPair(5, 6, 1, 3)]
    assert found(right, equal, least=0) == []
    # Shown twice in a panel, it is failed where either answer fails it.
    assert found(right + wrong, right + wrong, right) == [BadControlPair(5, 6, 2, 3)]
    other = (ControlPair(1, 2, -1.0),)
    worst = [control.damaged for control in found(wrong + other, wrong + other, right + other)]
    assert worst == [2, 6]
