"""Preferences as a plain JSON object; see `commands.json.results`."""

from collections.abc import Sequence
from typing import Any

from commands.json.results import by_metric, called, coefficient_row
from core.analysis.preferences.agreement import PreferenceAgreement
from core.analysis.preferences.metrics import MetricPreference, MetricPreferences
from core.analysis.preferences.pair_judges import PairTrial
from core.analysis.preferences.ranking import Ranking, SystemStrength
from core.annotation.studies import Study
from core.formats.plain_json import plain


def preferences_report(
    study: Study,
    ranking: Ranking,
    agreement: PreferenceAgreement,
    metrics: MetricPreferences,
    judges: Sequence[PairTrial] = (),
    *,
    seed: int,
    resamples: int,
) -> dict[str, Any]:
    """What `preferences --json` prints: `systems` and `rows` of metrics best first, `judges` of pairs with their
    answers in both orders, `n` counts judgments.
    """
    pairs = [(row.metric, row.signature) for row in metrics.rows]
    names = called(pairs)
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "n": ranking.judgments,
        "prompts": ranking.prompts,
        "seed": seed,
        "resamples": resamples,
        "signatures": by_metric(list(dict.fromkeys(pairs))),
        "undefined": ranking.undefined,
        "parts": plain(ranking.parts),
        "penalised": ranking.penalised,
        "draws": {
            "n": ranking.draws, "penalised": ranking.draws_penalised, "left_out": ranking.draws_apart,
        },
        "nu": plain(ranking.nu),
        "ties": plain(ranking.ties),
        "first": {"n": ranking.decided, **plain(ranking.first)},
        "systems": {row.system: _system(row) for row in ranking.rows},
        "groups": plain(ranking.groups),
        "differences": [
            {"a": row.a, "b": row.b, **plain(row.difference), "p": row.p, "p_holm": row.p_holm}
            for row in ranking.differences
        ],
        "table": _table(ranking),
        "agreement": plain(agreement),
        "rows": [_metric(row, names[row.metric, row.signature]) for row in metrics.rows],
        "judges": [_judge(row, names[row.metric, row.signature]) for row in judges],
    }  # fmt: skip


def _system(row: SystemStrength) -> dict[str, Any]:
    return {key: value for key, value in plain(row).items() if key != "system"}


def _table(ranking: Ranking) -> dict[str, dict[str, Any]]:
    """By the system that won, and by the other: judgments and share won; pairs that nobody judged are left out."""
    names = [row.system for row in ranking.rows]
    return {
        name: {
            other: {"n": cell.judgments, **plain(cell.share)}
            for other, cell in zip(names, cells, strict=True)
            if cell.judgments
        }
        for name, cells in zip(names, ranking.table, strict=True)
    }


def _metric(row: MetricPreference, name: str) -> dict[str, Any]:
    return {
        "metric": name,
        "signature": row.signature,
        "n": row.n,
        "missing": row.missing,
        "reasons": dict(row.reasons),
        "tied": row.tied,
        "accuracy": plain(row.accuracy),
        "by_strength": plain(row.by_strength),
        "systems": row.over.systems,
        "kendall": {key: coefficient_row(row.over.kendall)[key] for key in ("value", "p")},
        "spearman": {key: coefficient_row(row.over.spearman)[key] for key in ("value", "p")},
        "undefined": row.over.undefined,
    }


def _judge(row: PairTrial, name: str) -> dict[str, Any]:
    return {
        "metric": name,
        "signature": row.signature,
        "n": row.n,
        "alike": plain(row.alike),
        "tied": plain(row.tied),
        "pairs": row.position.pairs,
        "changed": plain(row.position.changed),
        "answers": row.position.answers,
        "first": plain(row.position.first),
    }
