"""The tables of `judgments`."""

from collections.abc import Mapping
from typing import Any

from commands.terminal import console, print_table
from core.analysis.forecast import Forecast
from core.analysis.judgments import Agreement, Judgments
from core.annotation.draws import Estimate


def judgments_tables(name: str, found: Judgments, left: Forecast) -> None:
    """Print what people said of the study of this name; parts that are undefined say why in a line."""
    single = ("stories", "ratings", "annotators", "mean", "one_rater", "ceiling")
    print_table("", ["", name], [[key, getattr(found, key)] for key in single])
    _agreement(found)
    figures = sorted({figure for shares in found.shares.values() for figure in shares})
    print_table(
        "By system",
        ["system", "n", "mean", "95 %", "sd", *figures],
        [
            [system, one.n, one.mean, _range(one.low, one.high), one.sd]
            + [_interval(found.shares[system][f]) if system in found.shares else None for f in figures]
            for system, one in found.by_system.items()
        ],
    )
    if found.error_types:
        types = [[k, e.share, e.alpha, _range(e.low, e.high)] for k, e in found.error_types.items()]
        print_table("Error types", ["type", "share", "alpha", "95 %"], types)
    rest = found.against_the_rest
    _part(
        "Each annotator against the rest",
        ["annotator", "n", "Pearson", "Spearman", "95 % of Spearman", "leniency"],
        {
            who: [
                one.n,
                one.pearson.value,
                one.spearman.value,
                _range(one.spearman.low, one.spearman.high),
                one.leniency.value,
            ]
            for who, one in rest.annotators.items()
        },
        rest.undefined,
    )
    effect = found.position_effect
    _part(
        "Position in the panel" + (f" (p = {effect.p:.3g})" if effect.p is not None else ""),
        ["position", "n", "deviation"],
        {place: [one.n, _interval(one.deviation)] for place, one in effect.positions.items()},
        effect.undefined,
    )
    console.print(f"Left to rate: {_left(left)}.")


def _agreement(found: Judgments) -> None:
    """Every measure; the variants without their intervals, and only those that differ."""
    valid = _measures(found.agreement["valid"])
    others = {name: _measures(one) for name, one in found.agreement.items()}
    others = {name: measures for name, measures in others.items() if measures != valid}
    rows = [
        [measure, one.value, _range(one.low, one.high), *(measures[measure].value for measures in others.values())]
        for measure, one in valid.items()
    ]
    word = f": {found.reading} (alpha, {found.level})" if found.reading else ""
    print_table(f"Agreement{word}", ["", "valid", "95 %", *(name.replace("_", " ") for name in others)], rows)


def _measures(one: Agreement) -> dict[str, Estimate]:
    alphas = {f"alpha, {level}": alpha for level, alpha in one.alpha.items()}
    return {**alphas, "Fleiss' kappa": one.fleiss_kappa, "ICC(1,k)": one.icc, "Kendall's W": one.kendall_w}


def _left(left: Forecast) -> str:
    wanted = f"{left.open_slots:,} valid panels wanted"
    if not left.open_slots or left.panels is None:
        return wanted + (f" ({left.undefined})" if left.undefined else "")
    rate = f"{left.rejection_rate:.1%} of {left.valid + left.rejected:,} panels were rejected"
    return f"{wanted}; {rate}, so about {left.panels:,} more must come in ({left.low:,} to {left.high:,})"


def _part(title: str, columns: list[str], rows: Mapping[Any, list[Any]], undefined: str | None) -> None:
    if undefined:
        console.print(f"{title}: none, {undefined}.")
    elif rows:
        print_table(title, columns, [[key, *cells] for key, cells in rows.items()])


def _interval(one: Estimate) -> str:
    if one.value is None:
        return "–"
    return f"{one.value:.4f}" + (f" ({_range(one.low, one.high)})" if one.low is not None else "")


def _range(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.3f} … {high:.3f}"
