"""`perturb …`: test sets of stories that were changed on purpose."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from commands.terminal import JsonFile, Pairs, Where, console, pairs, print_table, row_filter, show
from commands.test_sets import generation, human_check
from commands.test_sets.negative_options import Lexicon, MixChoice, Without
from core.english.knowledge import WORDNET, knowledge_named
from core.errors import InputError
from core.formats.perturbed import check_cases_target, write_cases
from core.formats.tables import read_stories
from core.perturb.cases import human_stories
from core.perturb.negatives.sampler import Mix, MixName, Sampler, Technique
from core.perturb.negatives.sets import NegativeSet, TechniqueShare, negative_set

app = typer.Typer(help="Test sets: stories that are changed on purpose, with every edit.", no_args_is_help=True)
generation.register(app)
app.command()(human_check.check)
app.command()(human_check.validity)


@app.command()
def negatives(
    in_: Annotated[Path, typer.Option("--in", help="Human stories: a table, or a .txt with one a line.")],
    out: Annotated[Path, typer.Option(help="The JSONL file to write, one line per negative.")],
    seed: Annotated[int, typer.Option(help="Seed: the same one gives the same negatives.")] = 0,
    mix: MixChoice = MixName.FABULA,
    without: Without = None,
    knowledge: Lexicon = WORDNET,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Make human stories worse by UNION's four techniques, one to four of them a story.

    Rows whose source is human, and references, are the human stories; where a file marks none, all its rows are.
    """
    chosen = Mix(name=mix).without(*(without or []))
    check_cases_target(out)
    if out.resolve() == in_.resolve():
        raise InputError(f"--out names the file that is read, {in_}; name another one.")
    records = human_stories(read_stories(in_, pairs(mapping, "--map"), row_filter(where)).stories)
    sampler = Sampler([record.text for record in records], knowledge_named(knowledge), chosen)
    if Technique.SUBSTITUTION in chosen.techniques:
        with _progress("counting keywords", len(records)) as report:
            sampler.count(report)
    with _progress("making negatives", len(records)) as report:
        negatives = negative_set(records, sampler, seed, report)
    if not negatives.cases:
        raise InputError(f"No story of {in_} could be changed: {', '.join(negatives.reasons)}.")
    write_cases(negatives.cases, out)
    show(
        {
            "n": negatives.stories,
            "seed": seed,
            "mix": mix.value,
            "knowledge": sampler.knowledge.name,
            "made": len(negatives.cases),
            "numbers": negatives.numbers,
            "techniques": negatives.techniques,
            "unchanged": [{"reason": reason, "stories": count} for reason, count in negatives.reasons.items()],
        },
        json_file,
        lambda: _tables(negatives, out),
    )


def _tables(result: NegativeSet, out: Path) -> None:
    for title, shares in (("Techniques a story", result.numbers), ("Stories by technique", result.techniques)):
        print_table(title, ["", "stories", "share", "expected"], [_row(share) for share in shares])
    for reason, count in result.reasons.items():
        console.print(f"{count:,} could not be changed: {reason}", markup=False)
    console.print(f"{len(result.cases):,} negatives of {result.stories:,} stories written to {out}.", markup=False)


def _row(share: TechniqueShare) -> list[Any]:
    return [share.name, share.stories, share.share, share.expected]


@contextmanager
def _progress(what: str, number: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=number)
        yield lambda done: bar.update(task, completed=done)
