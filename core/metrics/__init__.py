"""The one registry of metrics: a name, the class that computes it."""

from core.errors import InputError
from core.metrics.base import Metric, Settings
from core.metrics.bleu import Bleu
from core.metrics.perplexity import ExponentialPerplexity, Perplexity

METRICS: dict[str, type[Metric]] = {
    Bleu.name: Bleu,
    Perplexity.name: Perplexity,
    ExponentialPerplexity.name: ExponentialPerplexity,
}


def build(name: str, settings: Settings | None = None) -> Metric:
    """Make a metric by its registered name; raises InputError with the names there are."""
    if name not in METRICS:
        raise InputError(f"There is no metric {name!r}; there are {', '.join(METRICS)}.")
    return METRICS[name](settings)
