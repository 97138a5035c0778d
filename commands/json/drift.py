"""What `drift … --json` prints: `sets` are the biased sets, the systems or the studies; a row's values go by them."""

from collections.abc import Sequence
from typing import Any

from commands.json.results import by_metric, called
from core.analysis.drift.parts import DatasetDrift, SystemDrift
from core.analysis.drift.quality import QualityDrift
from core.annotation.studies import Study
from core.statistics.intervals import Estimate


def quality_report(study: Study, found: QualityDrift) -> dict[str, Any]:
    """Eight biased sets; `values` are mean r over the draws, `low` and `high` hold 95 % of them."""
    names = called((row.metric, row.signature) for row in found.rows)
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": found.n,
        "unrated": found.unrated,
        "seed": found.seed,
        "draws": found.draws,
        "signatures": by_metric([(row.metric, row.signature) for row in found.rows]),
        "levels": [[level.low, level.high] for level in found.levels],
        "sets": [
            {
                "set": one.number,
                "expected_size": one.expected_size,
                "rating_sd": one.rating_sd,
                "by_level": list(one.by_level),
            }
            for one in found.sets
        ],
        "rows": [
            {
                "metric": names[row.metric, row.signature],
                "signature": row.signature,
                "n": row.n,
                **_ends(row.values),
                "undefined_draws": list(row.undefined_draws),
            }
            for row in found.rows
        ],
    }


def system_report(study: Study, found: SystemDrift) -> dict[str, Any]:
    """A set a system; `all` is the correlation over all stories."""
    names = called((row.metric, row.signature) for row in found.rows)
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": found.n,
        "unrated": found.unrated,
        "seed": found.seed,
        "resamples": found.resamples,
        "signatures": by_metric([(row.metric, row.signature) for row in found.rows]),
        "sets": [{"set": part.name, "expected_size": part.n} for part in found.systems],
        "rows": [
            {
                "metric": names[row.metric, row.signature],
                "signature": row.signature,
                "n": list(row.n),
                **_ends(row.values),
                "all": {"value": row.all.value, "low": row.all.low, "high": row.all.high},
            }
            for row in found.rows
        ],
    }


def dataset_report(studies: Sequence[Study], found: DatasetDrift) -> dict[str, Any]:
    """A set a study; signatures go by study, and a row's `changes` against the first one by the studies after it."""
    names = [part.name for part in found.studies]
    return {
        "study": names[0],
        "studies": names,
        "demonstration": any(study.demonstration for study in studies),
        "n": sum(part.n for part in found.studies),
        "seed": found.seed,
        "resamples": found.resamples,
        "signatures": {
            name: {row.metric: row.signatures[place] for row in found.rows if row.signatures[place]}
            for place, name in enumerate(names)
        },
        "sets": [{"set": part.name, "expected_size": part.n} for part in found.studies],
        "rows": [
            {
                "metric": row.metric,
                "signatures": list(row.signatures),
                "n": list(row.n),
                **_ends(row.values),
                "changes": _ends(row.changes),
                "relative_changes": list(row.relative),
            }
            for row in found.rows
        ],
        "unmatched": {study: list(metrics) for study, metrics in found.unmatched.items()},
    }


def _ends(values: Sequence[Estimate]) -> dict[str, Any]:
    return {
        "values": [one.value for one in values],
        "low": [one.low for one in values],
        "high": [one.high for one in values],
        "undefined": [one.undefined for one in values],
    }
