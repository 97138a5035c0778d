"""The command `naturalness`: how human corpora and systems look to language models."""

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, TaskID

from commands.json.naturalness import naturalness_report
from commands.terminal import JsonFile, Pairs, Seed, Where, console, pairs, print_table, row_filter, show
from core.analysis.naturalness.corpora import (
    Discriminator,
    FpScores,
    Naturalness,
    NaturalTexts,
    SystemComparison,
    naturalness,
)
from core.analysis.naturalness.discrimination import Discrimination, discriminate
from core.analysis.naturalness.hypotheses import Hypothesis, between_discriminators, between_generators
from core.analysis.naturalness.thresholds import WANTED, ThresholdRule
from core.errors import InputError
from core.formats.naturalness import Gathered, gather
from core.statistics.intervals import Estimate
from core.tokens import Mode
from core.wording import p_digits

ALL = "all"


def naturalness_command(
    machine: Annotated[
        list[Path], typer.Option(help="A file of machine texts; may be repeated, each file a system or several.")
    ],
    human: Annotated[
        Path | None, typer.Option(help="A file of human texts; else the references beside the machine texts are.")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A discriminator: a bundled model, a folder or a hub name; may be repeated."),
    ] = None,
    mode: Annotated[Mode, typer.Option(help="How the models of --model look at a token.")] = Mode.CAUSAL,
    masked: Annotated[
        list[str] | None,
        typer.Option(help="A masked model that reads the texts as well: a folder or a hub name; may be repeated."),
    ] = None,
    first: Annotated[
        list[str] | None, typer.Option(help="Fp of each text's first N tokens, or all; may be repeated.")
    ] = None,
    thresholds: Annotated[int, typer.Option(min=1, max=2, help="One threshold, or two with u between.")] = 1,
    rule: Annotated[
        ThresholdRule, typer.Option(help="Thresholds from means and variances, or searched for.")
    ] = ThresholdRule.SEARCH,
    accuracy: Annotated[
        float, typer.Option(min=0.5, max=1.0, help="Of two searched thresholds: on the texts they decide.")
    ] = WANTED,
    size: Annotated[
        list[str] | None, typer.Option(help="NAME=PARAMETERS of a system or model: H1 and H2 ask which is bigger.")
    ] = None,
    strip_tags: Annotated[bool, typer.Option("--strip-tags", help="Take tags such as <t> out of the texts.")] = False,
    limit: Annotated[int | None, typer.Option(help="At most so many texts of each side and system, drawn.")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    precision: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    mapping: Pairs = None,
    human_mapping: Annotated[list[str] | None, typer.Option("--human-map", help="As --map, of the human file.")] = None,
    where: Where = None,
    seed: Seed = 0,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws of whole documents.")] = 1000,
    json_file: JsonFile = None,
) -> None:
    """How human corpora and systems look to a language model: Fp, differences, thresholds, h scores."""
    firsts = lengths(first or [ALL])
    sizes = {name: _parameters(name, value) for name, value in pairs(size, "--size").items()}
    gathered = gather(
        machine,
        human,
        mapping=pairs(mapping, "--map"),
        human_mapping=pairs(human_mapping, "--human-map"),
        where=row_filter(where),
        strip_tags=strip_tags,
        limit=limit,
        seed=seed,
    )
    models = [(name, mode) for name in model or [""]] + [(name, Mode.MASKED) for name in masked or []]
    readings = _read(gathered, firsts, models, device, precision)
    texts = gathered.about
    analysis = naturalness(texts, readings, seed=seed, resamples=resamples)
    judged = {
        reading.discriminator: discriminate(
            reading.fp, texts.systems, texts.numbers, rule=rule, number=thresholds, wanted=accuracy, seed=seed
        )
        for reading in readings
    }
    tested = hypotheses(texts, readings, sizes, seed, resamples)
    show(
        naturalness_report(analysis, judged, tested, gathered.notices),
        json_file,
        lambda: _tables(analysis, judged, tested, gathered.notices),
    )


def lengths(given: Sequence[str]) -> list[int | None]:
    """`all` as None, else a number of tokens; raises InputError for anything else."""
    for text in given:
        if text != ALL and not (text.isdecimal() and 0 < int(text) < 10**6):
            raise InputError(f"--first takes a number of tokens from 1 on, or all, not {text!r}.")
    return [None if text == ALL else int(text) for text in dict.fromkeys(given)]


def _parameters(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise InputError(f"--size {name} takes a number of parameters, such as 135e6, not {text!r}.")
    return value


def _read(
    gathered: Gathered, firsts: list[int | None], models: list[tuple[str, Mode]], device: str, precision: str
) -> list[FpScores]:
    from core.analysis.naturalness.fractions import read_fractions

    readings: list[FpScores] = []
    with Progress(console=Console(stderr=True), transient=True) as bar:
        for name, mode in dict.fromkeys(models):
            task = bar.add_task(f"reading with {name or 'the bundled model'}", total=len(gathered.texts))
            readings += read_fractions(
                gathered.texts,
                firsts,
                model=name or None,
                mode=mode,
                device=device,
                precision=precision,
                on_progress=_telling(bar, task),
            )
    return readings


def _telling(bar: Progress, task: TaskID) -> Callable[[int, int], None]:
    return lambda done, total: bar.update(task, completed=done, total=total)


def hypotheses(
    texts: NaturalTexts, readings: Sequence[FpScores], sizes: dict[str, float], seed: int, resamples: int
) -> list[Hypothesis]:
    """H1 of every two systems whose sizes are known and differ, H2 of every two models likewise."""
    names = {*texts.names, *(fp_scores.discriminator.model for fp_scores in readings)}
    models = {name.split("@")[0] for name in names}
    for name in sizes:
        if name not in names | models:
            raise InputError(f"--size names {name!r}, which is no system or model here: {', '.join(sorted(names))}.")
    result = []
    for reading in readings:
        for larger, smaller in _by_size(texts.names, sizes):
            result.append(between_generators(texts, reading, larger, smaller, seed=seed, resamples=resamples))
    for scores, other in combinations(readings, 2):
        if scores.discriminator.first == other.discriminator.first:
            for larger, _ in _by_size([scores.discriminator.model, other.discriminator.model], sizes):
                pair = (scores, other) if larger == scores.discriminator.model else (other, scores)
                result += [
                    between_discriminators(texts, *pair, name, seed=seed, resamples=resamples) for name in texts.names
                ]
    return result


def _by_size(names: Sequence[str], sizes: dict[str, float]) -> list[tuple[str, str]]:
    """Larger and smaller of every two names whose sizes are known and differ; a model is known without revision."""
    known = {name: sizes.get(name, sizes.get(name.split("@")[0])) for name in dict.fromkeys(names)}
    rows = [(a, b) for a in known for b in known]
    return [(a, b) for a, b in rows if (known[a] or 0) > (known[b] or 0) and known[a] and known[b]]


def _tables(
    naturalness_result: Naturalness,
    judged: dict[Discriminator, Discrimination],
    tested: Sequence[Hypothesis],
    notices: Sequence[str],
) -> None:
    for by, discrimination in judged.items():
        console.print(by.name, style="bold", markup=False)
        summaries = [row for row in naturalness_result.summaries if row.discriminator == by]
        lines = [
            [row.system or "(human)", row.n, _text(row.mean), row.sd, *_classes(discrimination, row.system)]
            for row in summaries
        ]
        shares = ["h", "u", "m"] if discrimination.number == 2 else ["h", "m"]
        print_table("", ["texts of", "n", "mean Fp", "SD", *shares], lines)
        for row in summaries:
            for reason, count in row.left_out.items():
                console.print(f"  {row.system or 'human'}: {count:,} left out, {reason}", markup=False)
        comparisons = [row for row in naturalness_result.comparisons if row.discriminator == by]
        columns = ["system", "pairs", "share greater", "difference", "relative", "p", "p Holm"]
        print_table("Against human text", columns, [_compared(row) for row in comparisons])
        print_table("Effect sizes", ["system", "dz", "g", "AUC"], [_effects(row) for row in comparisons])
        console.print(_thresholds(discrimination), markup=False)
    if not tested:
        console.print("H1 and H2 are tested where --size says how big two systems or two models are.")
    for test in tested:
        of = f" (by {test.of})" if test.name == "H1" else f" (texts of {test.of})"
        console.print(f"{test.sentence}{of}", markup=False, soft_wrap=True)
    for notice in notices:
        console.print(f"Note: {notice}.", markup=False)
    console.print(
        f"Intervals: 95 %, documents drawn {naturalness_result.resamples:,} times, seed {naturalness_result.seed}.",
        markup=False,
    )


def _classes(discrimination: Discrimination, system: str | None) -> list[Any]:
    classes = discrimination.human if system is None else discrimination.systems.get(system)
    names = ("h", "u", "m") if discrimination.number == 2 else ("h", "m")
    return [_text(getattr(classes, name)) if classes else None for name in names]


def _compared(row: SystemComparison) -> list[Any]:
    return [
        row.system,
        row.paired.pairs,
        _text(row.paired.share_greater),
        _text(row.difference),
        _text(row.relative),
        _p(row.p),
        _p(row.p_holm),
    ]


def _effects(row: SystemComparison) -> list[Any]:
    return [row.system, _text(row.paired.dz), _text(row.unpaired.g), _text(row.unpaired.auc)]


def _thresholds(discrimination: Discrimination) -> str:
    if discrimination.undefined:
        return f"No thresholds: {discrimination.undefined}."
    values = " and ".join(f"{value:.4f}" for value in discrimination.thresholds)
    how = "from means and variances" if discrimination.rule is ThresholdRule.MOMENTS else "searched for"
    decided = "on the decided" if discrimination.number == 2 else "balanced"
    return (
        f"Threshold{'s' if discrimination.number == 2 else ''} {values}, {how}; of held-out texts "
        f"({discrimination.folds} folds by document) accuracy {_text(discrimination.accuracy)} {decided}; h, u and m "
        "are of held-out texts."
    )


def _text(estimate: Estimate) -> str | None:
    return None if estimate.value is None else estimate.text(to=" … ")


def _p(value: float | None) -> str | None:
    return None if value is None else p_digits(value)
