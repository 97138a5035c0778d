"""Tests between metrics as a plain JSON object; see `commands.json.results`."""

from typing import Any

from core.analysis.significance.tests import Significance
from core.annotation.studies import Study
from core.formats.plain_json import plain


def compare_report(study: Study, significance: Significance, signatures: dict[str, str]) -> dict[str, Any]:
    """What `compare --json` prints. `signatures`: of each metric, by the names that the comparison has.

    A row has those of its two metrics, `a`'s first; a rank has its own.
    """
    ranking = [plain(ranked) | {"signature": signatures[ranked.metric]} for ranked in significance.ranking]
    rows = [plain(row) | {"signatures": [signatures[row.a], signatures[row.b]]} for row in significance.rows]
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": significance.n,
        "signatures": signatures,
        **plain(significance.settings),
        "ranking": ranking,
        "rows": rows,
        "clusters": plain(significance.clusters),
    }
