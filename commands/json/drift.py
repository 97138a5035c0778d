"""What `drift … --json` prints: `sets` are the biased sets, the systems or the studies; a row's values go by them."""

from collections.abc import Sequence
from typing import Any

from commands.json.results import by_metric, called
from core.analysis.drift.quality import QualityDrift
from core.analysis.drift.subsets import DatasetDrift, SystemDrift
from core.annotation.studies import Study
from core.statistics.intervals import Estimate


def quality_report(study: Study, drift: QualityDrift) -> dict[str, Any]:
    """Eight biased sets; `values` are mean r over the draws, `low` and `high` hold 95 % of them."""
    names = called((row.metric, row.signature) for row in drift.rows)
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": drift.n,
        "unrated": drift.unrated,
        "seed": drift.seed,
        "draws": drift.draws,
        "signatures": by_metric([(row.metric, row.signature) for row in drift.rows]),
        "levels": [[level.low, level.high] for level in drift.levels],
        "sets": [
            {
                "set": biased_set.number,
                "expected_size": biased_set.expected_size,
                "rating_sd": biased_set.rating_sd,
                "by_level": list(biased_set.by_level),
            }
            for biased_set in drift.sets
        ],
        "rows": [
            {
                "metric": names[row.metric, row.signature],
                "signature": row.signature,
                "n": row.n,
                **_ends(row.values),
                "undefined_draws": list(row.undefined_draws),
            }
            for row in drift.rows
        ],
    }


def system_report(study: Study, drift: SystemDrift) -> dict[str, Any]:
    """One set per system; `all` is the correlation over all stories."""
    names = called((row.metric, row.signature) for row in drift.rows)
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": drift.n,
        "unrated": drift.unrated,
        "seed": drift.seed,
        "resamples": drift.resamples,
        "signatures": by_metric([(row.metric, row.signature) for row in drift.rows]),
        "sets": [{"set": part.name, "expected_size": part.n} for part in drift.systems],
        "rows": [
            {
                "metric": names[row.metric, row.signature],
                "signature": row.signature,
                "n": list(row.n),
                **_ends(row.values),
                "all": {"value": row.all.value, "low": row.all.low, "high": row.all.high},
            }
            for row in drift.rows
        ],
    }


def dataset_report(studies: Sequence[Study], drift: DatasetDrift) -> dict[str, Any]:
    """A set per study; signatures go by study, and a row's `changes` against the first one by the studies after it."""
    names = [part.name for part in drift.studies]
    return {
        "study": names[0],
        "studies": names,
        "demonstration": any(study.demonstration for study in studies),
        "n": sum(part.n for part in drift.studies),
        "seed": drift.seed,
        "resamples": drift.resamples,
        "signatures": {
            name: {row.metric: row.signatures[place] for row in drift.rows if row.signatures[place]}
            for place, name in enumerate(names)
        },
        "sets": [{"set": part.name, "expected_size": part.n} for part in drift.studies],
        "rows": [
            {
                "metric": row.metric,
                "signatures": list(row.signatures),
                "n": list(row.n),
                **_ends(row.values),
                "changes": _ends(row.changes),
                "relative_changes": list(row.relative),
            }
            for row in drift.rows
        ],
        "unmatched": {study: list(metrics) for study, metrics in drift.unmatched.items()},
    }


def _ends(values: Sequence[Estimate]) -> dict[str, Any]:
    return {
        "values": [value.value for value in values],
        "low": [value.low for value in values],
        "high": [value.high for value in values],
        "undefined": [value.undefined for value in values],
    }
