"""Panel-level quality control: a panel counts or it does not, all its ratings together (OpenMEVA section 3.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.annotation.scheme import Rules


@dataclass(frozen=True)
class Verdict:
    """Whether a panel's ratings may be used, and if not, why: for the study owner's eyes, never the annotator's."""

    valid: bool
    reason: str = ""


def judge_panel(human: Iterable[float], negative: Iterable[float], rules: Rules) -> Verdict:
    """Judge a panel by its controls: the overall ratings of its human stories and of its negative stories."""
    reasons = []
    worst_human, best_negative = min(human, default=None), max(negative, default=None)
    if worst_human is not None and worst_human < rules.human_least:
        reasons.append(f"the human story was rated {worst_human:g}, below {rules.human_least}")
    if best_negative is not None and best_negative > rules.negative_most:
        reasons.append(f"the negative story was rated {best_negative:g}, above {rules.negative_most}")
    return Verdict(not reasons, "; ".join(reasons))
