"""Which of the registered metrics a page offers for test sets, and why not the others."""

from collections.abc import Mapping

from core.analysis.capability.scoring import why_not_applicable
from core.errors import ModelMissing
from core.metrics import METRICS, build
from core.scores import IMPORTED


def offered() -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """Metrics that run on test sets with what is here; and by reason those that do not."""
    ready: list[str] = []
    reasons: dict[str, list[str]] = {}
    for name, metric in METRICS.items():
        reason = why_not_applicable(metric) or _missing(name)
        if reason:
            reasons.setdefault(reason.rstrip("."), []).append(name)
        else:
            ready.append(name)
    return tuple(ready), {reason: tuple(names) for reason, names in reasons.items()}


def can_be_tested(name: str, signature: str) -> bool:
    """Whether the metric behind these scores can be tested: a registered one of the right kind, run here."""
    return name in METRICS and not signature.startswith(IMPORTED) and why_not_applicable(METRICS[name]) is None


def _missing(name: str) -> str | None:
    """Why it cannot run as it is."""
    try:
        build(name).model_revision()
    except ModelMissing as error:
        return str(error)
    return None
