"""What people's comparisons of a study of pairs say, for the reports of its metrics."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from core.analysis.preferences.agreement import agreement
from core.analysis.preferences.metrics import judge_metrics
from core.analysis.verdict.preferences import ComparedPairs
from db.ratings.preferences import preferences_of
from db.scores import scores, tables


def of_metrics(
    study_id: int, signatures: Iterable[str], *, seed: int, resamples: int, folders: Sequence[Path] = ()
) -> dict[str, ComparedPairs]:
    """By these signatures, how far raters agree on the study's pairs and how often each metric orders two stories as
    they do: the numbers of the page Preferences, over all judgments that count. `folders`: as `tables.table` has them.
    """
    judged = preferences_of(study_id)
    raters = agreement(preferences_of(study_id, repeats=True), seed=seed, resamples=resamples)
    table = tables.table(study_id, signatures, sources=scores.sources(study_id), folders=folders)
    rows = judge_metrics(judged, table, seed=seed, resamples=resamples).rows
    return {row.signature: ComparedPairs(raters, row) for row in rows}
