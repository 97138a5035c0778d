"""Biases of judges as plain JSON objects; see `commands.json.results`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from commands.json.judges import wordings_row
from core.analysis.judges.bias_table import BiasRow, bias_rows
from core.analysis.judges.biases import Biases
from core.analysis.judges.probed import ProbedBiases
from core.analysis.judges.reported import Reported
from core.annotation.studies import Study
from core.formats.plain_json import plain


@dataclass(frozen=True)
class Found:
    """What may be reported of a target's judges, what their ratings tell, and what was measured of each of them."""

    reported: Reported
    biases: Biases
    probed: tuple[ProbedBiases, ...]


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
                "words": plain(of.biases.words),
                "between_judges": plain(of.biases.between_judges),
                "wordings": wordings_row(of.reported),
                "rows": [
                    {
                        "judge": row.judge.name,
                        "signatures": row.judge.signatures,
                        "stories": probed.stories,
                        "undefined": probed.undefined,
                        "biases": [_bias(one) for one in bias_rows(row, probed)],
                    }
                    for row, probed in zip(of.biases.rows, of.probed, strict=True)
                ],
            }
            for target, of in found.items()
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
