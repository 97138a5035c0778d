"""Biases of judges as plain JSON objects; see `commands.json.results`."""

from collections.abc import Mapping
from typing import Any

from core.analysis.judges.bias_table import BiasRow, bias_rows
from core.analysis.judges.biases import Biases
from core.analysis.judges.probed import ProbedBiases
from core.annotation.studies import Study
from core.formats.plain_json import plain

Found = tuple[Biases, tuple[ProbedBiases, ...]]
"""What the ratings of a target's judges tell, and what was measured of each of them."""


def bias_report(
    study: Study, found: Mapping[str, Found], run: Mapping[str, Any] | None, seed: int, resamples: int
) -> dict[str, Any]:
    """What `biases --json` prints: by target, in words, a row a judge with all of its biases. `run`: what was asked
    just now, None where nothing was.
    """
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "seed": seed,
        "resamples": resamples,
        "run": run,
        "targets": {
            target: {
                "words": plain(every.words),
                "between_judges": plain(every.between_judges),
                "rows": [
                    {
                        "judge": row.judge.name,
                        "signatures": row.judge.signatures,
                        "stories": probed.stories,
                        "undefined": probed.undefined,
                        "biases": [_bias(one) for one in bias_rows(row, probed)],
                    }
                    for row, probed in zip(every.rows, measured, strict=True)
                ],
            }
            for target, (every, measured) in found.items()
        },
    }


def _bias(row: BiasRow) -> dict[str, Any]:
    return {
        "bias": row.bias,
        "variant": row.variant or None,
        "unit": row.unit,
        **plain(row.figure),
        "share": None if row.share is None else plain(row.share),
        "n": row.n,
        "unread": row.unread,
    }
