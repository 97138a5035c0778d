"""What a process needs to make a run's metrics, wherever it is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import FabulaError
from core.metrics import build
from core.metrics.base import Metric
from core.metrics.run import settings_of


@dataclass(frozen=True)
class Recipe:
    """A run's settings (see `core.metrics.run`), the signatures that its metrics have here, and what these have fitted
    on their corpus. It can be pickled.
    """

    run: Mapping[str, Any]
    signatures: tuple[str, ...]
    fitted: tuple[Any, ...]

    @classmethod
    def of(cls, run: Mapping[str, Any], corpus: Callable[[], Iterable[str]] = tuple) -> "Recipe":
        """Of these settings; `corpus` gives the references that tables of frequencies are fitted on."""
        metrics = [build(name, settings_of(run, name, corpus)) for name in run["metrics"]]
        fitted = tuple(metric.fitted() for metric in metrics)
        return cls(run, tuple(metric.signature for metric in metrics), fitted)

    def metrics(self) -> list[Metric]:
        """Make them. Raises FabulaError where they would give other numbers than those that the run is about."""
        metrics = [build(name, settings_of(self.run, name)) for name in self.run["metrics"]]
        for metric, fitted, signature in zip(metrics, self.fitted, self.signatures, strict=True):
            metric.use_fitted(fitted)
            if metric.signature != signature:
                raise FabulaError(
                    f"A process that should score would make {metric.signature}, and this run is of {signature}: give "
                    "every machine the same Fabula, models and files."
                )
        return metrics
