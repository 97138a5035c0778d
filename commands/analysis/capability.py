"""capability: what metrics see in a test set, and whether other words move them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from commands.json.capability import capability_report
from commands.metrics.scoring import checked_settings, metric_options
from commands.terminal import JsonFile, Seed, console, print_signatures, print_table, show
from commands.test_sets.generation import read_tests
from core.analysis.capability.examples import Scored
from core.analysis.capability.results import ALL, Capability, Robustness, Seen
from core.analysis.verdict.capability import enough_for_r, enough_pairs
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED
from core.errors import InputError, ModelMissing
from core.perturb.cases import Case
from core.perturb.test_sets.aspects import Test, test_of

Reasons = list[tuple[str, str]]


def capability(
    tests: Annotated[
        list[Path], typer.Option(help="A JSONL file of cases, or a folder of OpenMEVA's; may be repeated.")
    ],
    metric: Annotated[
        list[str] | None, typer.Option(help="Only this metric, or path.py:Class for one of your own; may be repeated.")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A bundled model, a folder or a hub name; ROLE=NAME where several are needed."),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    precision: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    option: Annotated[list[str] | None, typer.Option(help="NAME.KEY=VALUE: an option of a metric.")] = None,
    whole_stories: Annotated[
        bool, typer.Option("--whole-stories", help="Without a prompt, do not take the first sentence for one.")
    ] = False,
    seed: Seed = 0,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws of human stories; 0 for none.")] = 1000,
    json_file: JsonFile = None,
) -> None:
    """What metrics see in a test set, and whether they stay the same where only the wording changes; * is p < 0.01."""
    cases = read_tests(tests)
    run = {"device": device, "precision": precision, "options": metric_options(option)}
    settings, not_applicable = _settings(metric, model or [], run)
    analysis, notices = _tested(cases, settings, not_applicable, whole_stories, seed, resamples)
    for text in notices:
        typer.echo(text, err=True)
    show(
        capability_report(analysis, not_applicable, notices),
        json_file,
        lambda: _tables(analysis, cases, not_applicable),
    )


def _settings(names: list[str] | None, models: list[str], run: dict[str, Any]) -> tuple[dict[str, Any], Reasons]:
    """A run of the metrics that can be tested, checked; and why others cannot. A metric whose model is not here is
    left out, unless it was asked for by name. Raises InputError where none is left, and ModelMissing.
    """
    from core.analysis.capability.scoring import why_not_applicable
    from core.metrics import METRICS, build, find
    from core.metrics.run import models_by_role, settings_of

    usual = [name for name, metric in METRICS.items() if not metric.apart]  # a judge takes its time
    asked = {find(name).name: name for name in names or usual}
    reasons = {text: why for text, name in asked.items() if (why := why_not_applicable(find(name)))}
    left = [name for text, name in asked.items() if text not in reasons]
    if left:
        run = checked_settings({**run, "metrics": left, "models": models_by_role(models, left)})
        for name in run["metrics"]:
            try:
                build(name, settings_of(run, name)).model_revision()
            except ModelMissing as error:
                if names:
                    raise
                reasons[name] = str(error)
        run["metrics"] = [name for name in run["metrics"] if name not in reasons]
    if not left or not run["metrics"]:
        sentence = "; ".join(f"{name}: {why}" for name, why in reasons.items())
        raise InputError(f"No metric here can be tested ({sentence}); name an unreferenced one such as perplexity.")
    return run, list(reasons.items())


def _tested(
    cases: Sequence[Case], settings: dict[str, Any], not_applicable: Reasons, whole: bool, seed: int, resamples: int
) -> tuple[Capability, list[str]]:
    """The result, and what to know of it."""
    from core.analysis.capability.results import capability as capability_of
    from core.analysis.capability.scoring import columns_of, lay_out, score_stories
    from core.metrics import build
    from core.metrics.batches import batch_size
    from core.metrics.run import settings_of, steps
    from core.notices import collecting
    from core.perturb.test_sets.grammar import passes

    layout = lay_out(cases, whole)
    columns: dict[str, Scored] = {}
    undefined: list[str] = []
    with collecting() as heard:
        for step in steps(settings):
            metrics = [build(name, settings_of(settings, name)) for name in step.metrics]
            size = batch_size(with_model=metrics[0].role is not None, device=settings["device"])
            what = ", ".join(metric.name for metric in metrics)
            with _progress(f"scoring with {what}", len(metrics) * len(layout.stories)) as report:
                values, lines = score_stories(metrics, layout.stories, size, report)
            undefined += lines
            pairs = zip(step.metrics, metrics, values, strict=True)
            columns |= {name: layout.column(metric.name, metric.signature, own) for name, metric, own in pairs}
    ordered = [columns[name] for name in settings["metrics"]]
    result = capability_of(columns_of(cases), ordered, seed=seed, resamples=resamples)
    sharing = [] if all(map(passes, cases)) else _sharing(ordered)
    return result, [*sharing, *layout.notices, *heard, *undefined]


def _sharing(columns: Sequence[Scored]) -> list[str]:
    """Which metrics read with a model that one of Fabula's filters asks: a file does not say which of them it was."""
    from core.perturb.test_sets.grammar import LANGUAGE_MODEL, OWN, shares_model

    lines, before = [], set[str]()
    for filter_, name in ((OWN, "Fabula's grammaticality filter"), (LANGUAGE_MODEL, f"the filter {LANGUAGE_MODEL}")):
        shared = [
            column.metric
            for column in columns
            if shares_model(column.signature, filter_) and column.metric not in before
        ]
        before.update(shared)
        if shared:
            lines.append(
                f"{', '.join(shared)}: they read with the model that {name} asks. If it judged these cases, filtered "
                "figures are partly its doing: read the unfiltered ones."
            )
    return lines


@contextmanager
def _progress(what: str, number: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, where somebody sees it."""
    stderr = Console(stderr=True)
    with Progress(console=stderr, transient=True, disable=not stderr.is_terminal) as bar:
        task = bar.add_task(what, total=number)
        yield lambda done: bar.update(task, completed=done)


def _tables(capability_result: Capability, cases: Sequence[Case], not_applicable: Reasons) -> None:
    from core.perturb.test_sets.grammar import passes

    changed = [case for case in cases if not case.label]
    failing = sum(not passes(case) for case in changed)
    if failing:
        console.print(f"The grammaticality filter rejects {failing:,} of {len(changed):,} changed stories.")
        console.print("\nOf the stories that pass it:")
        _both(capability_result.rows, capability_result.invariance)
        console.print("\nOf all stories:")
    _both(capability_result.unfiltered, capability_result.invariance_unfiltered)
    reasons = dict.fromkeys(reason for _, reason in not_applicable)
    for reason in reasons:
        alike = ", ".join(metric for metric, why in not_applicable if why == reason)
        console.print(f"Not applicable: {alike}: {reason.rstrip('.')}.", markup=False)
    print_signatures({row.metric: row.signature for row in capability_result.rows})


def _both(seen: Sequence[Seen], robust: Sequence[Robustness]) -> None:
    rows = [row for row in seen if test_of(row.aspect) is Test.DISCRIMINATION]
    if rows:
        aspects, metrics = _named(rows)
        cells = {(row.metric, row.aspect): _r(row) for row in rows}
        counts = [
            [what, *(f"{max(getattr(row, of_side) for row in rows if row.aspect == aspect):,}" for aspect in aspects)]
            for what, of_side in (("coherent", "positives"), ("changed", "negatives"))
        ]
        table = [[metric, *(cells[metric, aspect] for aspect in aspects)] for metric in metrics]
        console.print(
            "Discrimination: Pearson's r, 1 for a coherent story, 0 for a changed one, higher is better; * is p < 0.01."
        )
        print_table("", ["", *aspects], counts + table)
    if robust:
        _invariance(robust)
    if any(row.pearson.value is not None and not enough_for_r(row) for row in rows) or any(
        row.pearson.value is not None and not enough_pairs(row) for row in robust
    ):
        console.print(
            f"Of fewer than {FEWEST_CLAIMED} stories, {FEWEST_PROMPTS_CLAIMED} of a side, or {FEWEST_CLAIMED} pairs "
            "there is no star: too few to claim anything."
        )
    _say_undefined([*rows, *robust])


def _invariance(rows: Sequence[Robustness]) -> None:
    """|r| and the mean change, one line per metric and kind of originals; of all where there are several kinds."""
    aspects, metrics = _named(rows)
    cells = {(row.metric, row.of, row.aspect): _moved(row) for row in rows}
    kinds = list(dict.fromkeys(row.of for row in rows if row.of != ALL))
    kinds += [ALL] if len(kinds) != 1 else []
    table = [
        [metric, kind, *(cells.get((metric, kind, aspect), "–") for aspect in aspects)]
        for metric in metrics
        for kind in kinds
    ]
    console.print(
        "Invariance: |r|, 1 for an original and 0 for a changed story, smaller is more robust; and the mean change in "
        "standard deviations of the originals' scores."
    )
    print_table("", ["", "originals", *aspects], table)


def _named(rows: Sequence[Seen] | Sequence[Robustness]) -> tuple[list[str], list[str]]:
    """Aspects and metrics."""
    return list(dict.fromkeys(row.aspect for row in rows)), list(dict.fromkeys(row.metric for row in rows))


def _r(row: Seen) -> str:
    return "–" if row.pearson.value is None else f"{row.pearson.value:.4f}{_star(row, enough_for_r(row))}"


def _moved(row: Robustness) -> str:
    if row.absolute is None:
        return "–"
    change = "–" if row.change.value is None else f"{row.change.value:+.2f}"
    return f"{row.absolute:.4f}{_star(row, enough_pairs(row))} {change}"


def _star(row: Seen | Robustness, enough: bool) -> str:
    return "*" if enough and row.pearson.starred else ""


def _say_undefined(rows: Sequence[Seen | Robustness]) -> None:
    """Why there are figures missing; metrics with the same gaps together."""
    gaps: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        if row.undefined:
            gaps.setdefault((row.metric, row.undefined), {})[row.aspect] = None
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (metric, reason), aspects in gaps.items():
        alike.setdefault((reason, tuple(aspects)), []).append(metric)
    for (reason, where), metrics in alike.items():
        console.print(f"{', '.join(where)}: {reason} ({', '.join(metrics)}).", markup=False)
