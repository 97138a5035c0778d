"""The command `plan`: how many prompts and ratings it takes to see a difference, and what they cost."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from commands.terminal import JsonFile, TargetName, console, print_table, show
from core.analysis.correlation.metric_order import best_first
from core.analysis.planning.design import Design, Setup
from core.analysis.planning.metrics import Correlations, MetricsPlan, PastMetrics, past_metrics, plan_metrics
from core.analysis.planning.sentences import design_rows, metrics_sentence, spread_sentence, systems_sentence
from core.analysis.planning.spread import PastSpread, Spread, check_past, past_spread, stated
from core.analysis.planning.systems import SystemsPlan, plan_systems
from core.annotation.studies import Study
from core.annotation.target import target_of
from core.annotation.unit import Unit
from core.errors import InputError
from core.formats.plain_json import plain
from core.payments import Pay, Rate, check_currency, in_hundredths
from core.settings import described
from db.ratings import ratings
from db.scores import tables
from db.studies import studies


def _option(kind: type, name: str, *flags: str) -> Any:
    """The option of a setting, with its bounds."""
    about = described(kind)[name][0]
    return typer.Option(*flags, help=about.help, min=about.least, max=about.most)


def _spread_option(name: str) -> Any:
    about, _, usual = described(Spread)[name]
    return typer.Option(f"--sd-{name}", help=f"{about.help} {usual:g}, or the study's, if left out.", min=about.least)


def _correlation_option(name: str, flag: str) -> Any:
    about, _, usual = described(Correlations)[name]
    return typer.Option(flag, help=f"{about.help} {usual:g}, or the study's, if left out.")


def plan(
    difference: Annotated[
        float | None, typer.Option(help="Between two systems' mean ratings, in points of the scale, to be seen.")
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(help="Between two metrics' correlations with people, to be seen; ratings noise-free."),
    ] = None,
    study: Annotated[
        str | None, typer.Option("--study", metavar="NAME", help="A past study: how its ratings spread, what it pays.")
    ] = None,
    target: TargetName = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Of --delta: the past study's two metrics; its two best, if left out.")
    ] = None,
    sd_prompt: Annotated[float | None, _spread_option("prompt")] = None,
    sd_story: Annotated[float | None, _spread_option("story")] = None,
    sd_rater: Annotated[float | None, _spread_option("rater")] = None,
    sd_rating: Annotated[float | None, _spread_option("rating")] = None,
    correlation: Annotated[float | None, _correlation_option("correlation", "--correlation")] = None,
    between: Annotated[float | None, _correlation_option("between", "--between")] = None,
    effect: Annotated[float | None, _correlation_option("effect", "--design-effect")] = None,
    systems: Annotated[int, _option(Setup, "systems")] = Setup.systems,
    prompts: Annotated[int | None, _option(Setup, "prompts")] = None,
    power: Annotated[float, _option(Setup, "power")] = Setup.power,
    alpha: Annotated[float, _option(Setup, "alpha")] = Setup.alpha,
    corrected: Annotated[bool, _option(Setup, "corrected", "--corrected/--uncorrected")] = Setup.corrected,
    unit: Annotated[
        str | None,
        typer.Option(help="panel: a rater rates all stories of a prompt; story: one. The study's, or panel."),
    ] = None,
    pay: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="What a panel, or a story rated by itself, is paid.")
    ] = None,
    currency: Annotated[str | None, typer.Option(help="Three letters, such as EUR.")] = None,
    story_price: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="What a story costs to come by, beside its ratings.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """How many prompts and ratings it takes to see a difference between two systems, or between two metrics, and what
    they cost: from a past study's ratings, or from stated standard deviations.
    """
    _check(difference, delta, study, target, metric)
    about = studies.find(study) if study else None
    if about:
        check_past(about)
    judged = target_of(about.scheme, target) if about else None
    given = {"prompt": sd_prompt, "story": sd_story, "rater": sd_rater, "rating": sd_rating}
    past = past_spread(ratings.rating_table(about.id, judged)) if about and None in given.values() else None
    spread = stated(given, past.spread if past else Spread())
    setup = Setup(
        systems,
        power,
        alpha,
        corrected,
        prompts,
        _unit(unit, about),
        _pay(pay, currency, about),
        0 if story_price is None else in_hundredths(story_price, "price of a story"),
    ).checked()
    of_systems = None if difference is None else plan_systems(difference, spread, setup)
    of_metrics, measured = None, None
    if delta is not None:
        values = {"correlation": correlation, "between": between, "effect": effect}
        asked = {name: value for name, value in values.items() if value is not None}
        if about and judged and len(asked) < len(values):
            measured = past_metrics(best_first(tables.table(about.id, target=judged)), metric or ())
        of_metrics = plan_metrics(
            delta, replace(measured.correlations if measured else Correlations(), **asked), spread, setup
        )
    report = {
        "study": about.name if about else None,
        "target": judged.text if judged else None,
        "spread": plain(spread),
        "past": plain(past),
        "caution": past.caution if past else None,
        "setup": _setup_report(setup),
        "systems": plain(of_systems),
        "metrics": plain(of_metrics) | {"past": plain(measured)} if of_metrics else None,
    }
    show(report, json_file, lambda: _print(past, spread, setup, of_systems, of_metrics, measured))


def _check(
    difference: float | None, delta: float | None, study: str | None, target: str | None, metric: list[str] | None
) -> None:
    if difference is None and delta is None:
        raise InputError(
            "Say what is to be seen: --difference 0.3 between two systems, or --delta 0.1 between two metrics."
        )
    if study is None and (target or metric):
        raise InputError("--target and --metric are of a past study: name it with --study.")


def _unit(unit: str | None, study: Study | None) -> Unit:
    if unit is None:
        return study.scheme.unit if study else Unit.PANEL
    if unit not in (Unit.PANEL, Unit.STORY):
        raise InputError(f"--unit is {Unit.PANEL} or {Unit.STORY}, not {unit!r}.")
    return Unit(unit)


def _pay(pay: str | None, currency: str | None, study: Study | None) -> Pay:
    """What was said, else what the study pays."""
    usual = study.payment if study else Pay()
    code = check_currency(currency) if currency else usual.currency
    return replace(usual, currency=code) if pay is None else Pay(code, (Rate(in_hundredths(pay, "pay")),))


def _setup_report(setup: Setup) -> dict[str, Any]:
    """The setup with its money as numbers."""
    rest = {name: value for name, value in plain(setup).items() if name not in ("pay", "story_hundredths")}
    paid = setup.pay.rates[-1].hundredths if setup.pay.rates else None
    return rest | {
        "pay_hundredths": paid,
        "story_hundredths": setup.story_hundredths,
        "currency": setup.pay.currency or None,
    }


def _print(
    past: PastSpread | None,
    spread: Spread,
    setup: Setup,
    of_systems: SystemsPlan | None,
    of_metrics: MetricsPlan | None,
    measured: PastMetrics | None,
) -> None:
    for line in (spread_sentence(spread, past), past.caution if past else None):
        if line:
            console.print(line, markup=False, soft_wrap=True)
    if of_systems:
        _designs(systems_sentence(of_systems, setup), of_systems.designs, setup)
    if of_metrics:
        _designs(metrics_sentence(of_metrics, setup, measured), of_metrics.designs, setup)


def _designs(sentence: str, designs: Sequence[Design], setup: Setup) -> None:
    console.print(sentence, markup=False, soft_wrap=True)
    rows = [list(row.values()) for row in design_rows(designs, setup)]
    print_table("", list(design_rows(designs, setup)[0]), rows)
    if designs and not any(one.cheapest for one in designs):
        console.print(f"None needs as few as {setup.prompts:,} prompts.", markup=False, soft_wrap=True)
