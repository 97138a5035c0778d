"""`explain …`: why a trained metric gives a story its score."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from commands.terminal import JsonFile, Seed, console, print_table, show
from core.checkpoints.backbone import base_of
from core.errors import InputError
from core.explanation.results import Explanation, StoryLayout
from core.formats.perturbed import read_cases
from core.formats.plain_json import plain
from core.metrics.trained.odds import probability
from core.statistics.intervals import Estimate
from core.stories import Story
from core.windows import Long
from db.training import checkpoints

app = typer.Typer(help="Why a trained metric gives a story its score.", no_args_is_help=True)


@app.callback()
def start() -> None:
    """Explain a metric's score; each kind of metric is a command of its own."""


@app.command()
def union(
    checkpoint: Annotated[str, typer.Option(help="A checkpoint's name, as `checkpoints list` shows it.")] = "union",
    text: Annotated[str, typer.Option(help="A story.")] = "",
    prompt: Annotated[str, typer.Option(help="With --text: what stands before the story.")] = "",
    in_: Annotated[Path | None, typer.Option("--in", help="Negatives that `perturb negatives` wrote.")] = None,
    long: Annotated[Long, typer.Option(help="What is done with a story that is longer than is read at once.")] = (
        Long.WINDOWS
    ),
    base: Annotated[str, typer.Option(help="Where the checkpoint's base is, if it was trained on a folder's.")] = "",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Seed = 0,
    resamples: Annotated[int, typer.Option(help="Draws of the bootstrap.")] = 1000,
    json_file: JsonFile = None,
) -> None:
    """What each sentence adds to a story's score; or, of many negatives, whether their edits are where scores drop."""
    from core.explanation.explain import explain, find_edits
    from core.metrics.trained.union_scorer import Scorer

    if bool(text.strip()) == (in_ is not None):
        raise InputError("Give either --text STORY or --in FILE.jsonl with negatives.")
    cases = read_cases(in_) if in_ else ()
    loaded_checkpoint = checkpoints.find(checkpoint).checkpoint()
    scorer = Scorer(loaded_checkpoint, base_of(loaded_checkpoint.card, base or None), device)
    about = {"checkpoint": loaded_checkpoint.card.name, "weights": loaded_checkpoint.card.weights}
    with _bar() as report:
        if in_ is None:
            story = Story(text, prompt)
            explanation = explain(scorer, story, on_progress=report, long=long)
        else:
            done = 0

            def count(more: int) -> None:
                nonlocal done
                done += more
                report(done, None)

            edits = find_edits(scorer, cases, seed=seed, resamples=resamples, on_progress=count, long=long)
    if in_ is None:
        show({**about, **plain(explanation)}, json_file, lambda: _sentences(explanation, StoryLayout.of(story).text))
        return
    rows = [edits.all, *edits.techniques]
    result = {**about, "n": edits.stories, "seed": seed, "lower": edits.lower, "rows": rows}

    def table() -> None:
        lines = [[row.technique, row.stories, *_ends(row.auc)] for row in rows]
        print_table(
            "Chance that an edited sentence adds less than another", ["edits", "n", "auc", "low", "high"], lines
        )
        lower = edits.lower.text(".4f")
        console.print(f"Negatives below their human story: {lower} of {edits.stories:,}.", markup=False)

    show(result, json_file, table)


def _sentences(explanation: Explanation, text: str) -> None:
    lines: list[list[Any]] = [
        [
            number,
            " ".join(text[sentence.start : sentence.end].split()),
            explanation.contribution(sentence),
            None if sentence.without is None else probability(sentence.without),
        ]
        for number, sentence in enumerate(explanation.sentences, 1)
    ]
    print_table("", ["", "sentence", "contribution", "p without it"], lines)
    console.print(f"P(a person's story) = {explanation.probability:.4f}, logit {explanation.logit:.4f}.", markup=False)
    if explanation.rebuilt is not None:
        kept = explanation.pieces - len(explanation.rebuilt)
        console.print(f"Reconstruction would keep {kept:,} of {explanation.pieces:,} pieces; --json has the others.")


def _ends(estimate: Estimate) -> list[float | None]:
    return [estimate.value, estimate.low, estimate.high]


@contextmanager
def _bar() -> Iterator[Callable[[int, int | None], None]]:
    """Progress on stderr."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)
