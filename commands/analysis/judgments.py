"""The tables of `judgments`."""

from collections.abc import Mapping, Sequence
from typing import Any

from commands.terminal import console, print_caution, print_table
from core.analysis.judgments.judgments import Agreement, Judgments
from core.analysis.judgments.texts import Texts
from core.annotation.monitor.forecast import Forecast
from core.annotation.studies import Study, StudyState
from core.statistics.intervals import Estimate


def judgments_tables(study: Study, results: Judgments, texts: Texts, left: Forecast, names: Mapping[int, str]) -> None:
    """Print what people said of a study; parts that are undefined say why in a line.

    `names`: its annotators, by number.
    """
    if results.by_system:
        _judged(study, results, names)
    else:
        console.print(_next(study, results, texts), markup=False)
    _texts(texts)
    console.print(f"Left to rate: {_left(left, study.scheme.unit.wording.rated_plural)}.")


def _next(study: Study, results: Judgments, texts: Texts) -> str:
    """What to do where no rating counts yet."""
    if not texts.by_system:
        return f"The study {study.name!r} has no stories yet: `import` some."
    if results.panels_rejected:
        return (
            f"No rating of {study.name!r} counts yet: all that was handed in ({results.panels_rejected:,}) was "
            "rejected. The pages say why."
        )
    if study.state is StudyState.OPEN:
        return f"Nothing has been handed in yet for {study.name!r}: `people invite --role annotator` makes a link."
    return f"Nobody has rated {study.name!r} yet: open it for annotation on its Overview, or `import` ratings."


def _judged(study: Study, results: Judgments, names: Mapping[int, str]) -> None:
    print_caution(results.agreement["valid"].reliability)
    for remark in results.remarks:
        console.print(remark, markup=False, soft_wrap=True)
    if results.compared:
        _compared(study, results)
        return
    single = ("stories", "ratings", "annotators", "mean", "one_rater", "ceiling")
    print_table("", ["", study.name], [[key.replace("_", " "), getattr(results, key)] for key in single])
    _agreement(results)
    _systems(results)
    _error_types(results)
    rest = results.against_the_rest
    _part(
        "Each annotator against the rest",
        ["annotator", "n", "Pearson", "Spearman", "95 % of Spearman", "leniency"],
        {
            names.get(who, f"annotator {who}"): [
                annotator.n,
                annotator.pearson.value,
                annotator.spearman.value,
                annotator.spearman.ends_text(to=" … "),
                annotator.leniency.value,
            ]
            for who, annotator in rest.annotators.items()
        },
        rest.undefined,
    )
    effect = results.position_effect
    _part(
        "Position" + (f" (p = {effect.p:.3g})" if effect.p is not None else ""),
        ["position", "n", "deviation"],
        {
            place: [position.n, position.deviation.text(".4f", ".3f", to=" … ")]
            for place, position in effect.positions.items()
        },
        effect.undefined,
    )


def _compared(study: Study, results: Judgments) -> None:
    """Stories that won shares of their comparisons: nobody has rated one by itself."""
    rows: list[list[Any]] = [
        ["stories", results.stories],
        ["comparisons a story", f"{results.a_story:.3g}"],
        ["annotators", results.annotators],
    ]
    print_table("", ["", study.name], rows)
    _systems(results)
    console.print(
        f"`preferences --study {study.name}` ranks the systems and says how far people agree.",
        markup=False,
        soft_wrap=True,
    )


def _agreement(results: Judgments) -> None:
    """Every measure over the three choices of ratings; intervals for the valid ones."""
    variants = {name: _measures(agreement) for name, agreement in results.agreement.items()}
    others = [name for name in variants if name != "valid"]
    rows: list[list[Any]] = [
        [
            measure,
            estimate.value,
            _range(estimate.low, estimate.high),
            *(variants[name][measure].value for name in others),
        ]
        for measure, estimate in variants["valid"].items()
    ]
    valid = results.agreement["valid"]
    rows.append(["stories rated twice", valid.paired, "", *(results.agreement[name].paired for name in others)])
    rows.append(["ratings", valid.ratings, "", *(results.agreement[name].ratings for name in others)])
    few = f", but over {valid.paired:,} stories of {valid.prompts:,} prompts alone" if valid.reliability.small else ""
    word = f": {results.reading} (alpha, {results.level}{few})" if results.reading else ""
    print_table(f"Agreement{word}", ["", "valid", "95 %", *(name.replace("_", " ") for name in others)], rows)


def _measures(agreement: Agreement) -> dict[str, Estimate]:
    alphas = {f"alpha, {level}": alpha for level, alpha in agreement.alpha.items()}
    return {
        **alphas,
        "Fleiss' kappa": agreement.fleiss_kappa,
        "ICC(1,k)": agreement.icc,
        "Kendall's W": agreement.kendall_w,
    }


def _systems(results: Judgments) -> None:
    figures = sorted({figure for shares in results.shares.values() for figure in shares})
    print_table(
        "By system",
        ["system", "n", "mean", "95 %", "sd", "median", *figures],
        [
            [
                system,
                summary.n,
                summary.mean,
                _range(summary.low, summary.high),
                summary.sd,
                results.boxes[system].median,
            ]
            + [
                results.shares[system][f].text(".4f", ".3f", to=" … ") if system in results.shares else None
                for f in figures
            ]
            for system, summary in results.by_system.items()
        ],
    )


def _error_types(results: Judgments) -> None:
    """How often each type was given, by whom, what it goes with, and what was deducted."""
    if results.errors.undefined:
        console.print(f"Error types: none, {results.errors.undefined}.")
        return
    types = [[k, e.share, e.alpha, _range(e.low, e.high)] for k, e in results.error_types.items()]
    print_table("Error types: share of the faulted stories", ["type", "share", "alpha", "95 %"], types)
    names = list(results.errors.with_rating)
    rates = [
        [system, *(error_rates[name].share.value for name in names)]
        for system, error_rates in results.errors.by_system.items()
    ]
    print_table("Error types: share of a system's ratings", ["system", *names], rates)
    print_table(
        "Error types: Pearson's r over stories",
        ["type", "with the rating", "95 %", *names[1:]],
        [
            [name, with_rating.share.value, with_rating.share.ends_text(to=" … "), *_others(results, name, names[1:])]
            for name, with_rating in results.errors.with_rating.items()
        ],
    )
    deductions = results.deductions
    rows = {
        "points taken off a rating": deductions.points,
        "share of ratings equal to the implied one": deductions.same,
        "share two or more steps from it": deductions.far,
        "given minus implied": deductions.difference,
        "Pearson's r of given and implied means": deductions.pearson,
    }
    cells = {label: [figure.value, _range(figure.low, figure.high)] for label, figure in rows.items()}
    _part("Deductions and ratings", ["", "value", "95 %"], cells, deductions.undefined)


def _others(results: Judgments, name: str, names: Sequence[str]) -> list[str]:
    """Return a row's correlations with the other types, each pair once: blank where it stands in another row."""
    pairs = results.errors.between.get(name, {})
    return [_short(pairs[other].value) if other in pairs else "" for other in names]


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _texts(texts: Texts) -> None:
    if not texts.by_system:
        return
    averages = [texts.prompt_tokens, texts.reference_tokens, texts.story_tokens]
    print_table(
        "Texts",
        ["prompts", "stories a prompt", "stories", "prompt tokens", "reference tokens", "story tokens"],
        [[texts.prompts, texts.stories_a_prompt, texts.stories, *averages]],
    )
    rows = [
        [system, lengths.n, lengths.tokens, lengths.sd, lengths.shortest, lengths.longest, lengths.sentences]
        for system, lengths in texts.by_system.items()
    ]
    print_table("Texts by system", ["system", "n", "tokens", "sd of tokens", "shortest", "longest", "sentences"], rows)


def _left(left: Forecast, work: str) -> str:
    wanted = f"{left.open_slots:,} valid {work} wanted"
    if not left.open_slots or left.panels is None:
        return wanted + (f" ({left.undefined})" if left.undefined else "")
    rate = f"{left.rejection_rate:.1%} of {left.valid + left.rejected:,} {work} were rejected"
    return f"{wanted}; {rate}, so about {left.panels:,} more must come in ({left.low:,} to {left.high:,})"


def _part(title: str, columns: list[str], rows: Mapping[Any, list[Any]], undefined: str | None) -> None:
    if undefined:
        console.print(f"{title}: none, {undefined}.")
    elif rows:
        print_table(title, columns, [[key, *cells] for key, cells in rows.items()])


def _range(low: float | None, high: float | None) -> str:
    return Estimate(None, low, high).ends_text(to=" … ")
