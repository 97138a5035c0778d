"""`perturb discrimination` and `perturb invariance`: test sets of what a metric should see, and of what it should
ignore.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from commands.terminal import JsonFile, Pairs, Where, console, pairs, print_table, row_filter, show
from core.english.knowledge import WORDNET
from core.errors import InputError
from core.formats.autos import read_autos, write_autos
from core.formats.perturbed import check_cases_target, read_cases, write_cases
from core.formats.tables import read_stories
from core.perturb.cases import Case, human_stories
from core.perturb.test_sets.aspects import Aspect, Change, Techniques, Test
from core.perturb.test_sets.generation import TestSetSettings, generate
from core.perturb.test_sets.grammar import SHIPPED, Reads
from core.perturb.test_sets.test_set import TestSet, lengths

_KNOWN = [*map(str, Aspect), *map(str, Change)]
In = Annotated[Path, typer.Option("--in", help="Human stories: a table, or a .txt with one a line.")]
Out = Annotated[Path, typer.Option(help="The JSONL file to write, one line per case.")]
Stories = Annotated[int | None, typer.Option(help="At most so many stories, at random; else all.", min=1)]
Seed = Annotated[int, typer.Option(help="Seed: the same one gives the same cases.")]
Knowledge = Annotated[str, typer.Option(help="wordnet, or a file: ConceptNet's assertions, or a part of them.")]
ParaphraseFile = Annotated[
    str, typer.Option("--paraphrases", help="A file of paraphrases, such as story_bt.json, instead of Fabula's rules.")
]
There = Annotated[str, typer.Option("--translate-to", help="A translation model from English: a folder or hub name.")]
Back = Annotated[str, typer.Option("--translate-back", help="The model that translates back into English.")]
Filter = Annotated[
    str,
    typer.Option(
        "--filter",
        help="Grammaticality: shipped, none, a classifier of CoLA (folder, hub name), or language-model: stronger, but "
        "the model of perplexity, Fp and UNION, so that it first removes the faults that these metrics see.",
    ),
]
FilterReads = Annotated[
    Reads, typer.Option(help="What the classifier is given: the sentences that are new, or, as the paper's, all.")
]
By = Annotated[
    Techniques,
    typer.Option(
        "--techniques", help="ours: only where a reader sees the fault; paper: as OpenMEVA's tables print them."
    ),
]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]


_OPTIONS: dict[str, tuple[Any, Any]] = {
    "stories": (Stories, None),
    "seed": (Seed, 0),
    "knowledge": (Knowledge, WORDNET),
    "paraphrases": (ParaphraseFile, ""),
    "translate_to": (There, ""),
    "translate_back": (Back, ""),
    "filter_": (Filter, SHIPPED),
    "filter_reads": (FilterReads, Reads.NEW),
    "techniques": (By, Techniques.OURS),
    "device": (Device, "auto"),
    "mapping": (Pairs, None),
    "where": (Where, None),
    "json_file": (JsonFile, None),
}
"""What both commands ask, with its default."""
_MARKED = (
    "Rows whose source is human, and references, are the human stories; where a file marks none, all its rows are."
)


def _command(test: Test, every: type[Aspect] | type[Change], about: str) -> Callable[..., None]:
    """The command that makes such test sets; `every`: what `--aspect` or `--change` chooses from."""
    choice = every.__name__.lower()

    def command(
        in_: Path,
        out: Path,
        *,
        stories: int | None,
        translate_to: str,
        translate_back: str,
        filter_: str,
        mapping: list[str] | None,
        where: list[str] | None,
        json_file: str | None,
        **given: Any,
    ) -> None:
        chosen = tuple(given.pop(choice) or every)
        translation = translate_to, translate_back
        settings = TestSetSettings(test, chosen, stories, translation=translation, filter=filter_, **given)
        _run(in_, out, settings, mapping, where, json_file)

    required = inspect.Parameter.empty
    only = Annotated[list[every] | None, typer.Option(help=f"Only this {choice}; may be repeated.")]  # type: ignore[valid-type]
    options = {"in_": (In, required), "out": (Out, required), choice: (only, None), **_OPTIONS}
    command.__name__ = test.value
    command.__doc__ = f"{about}\n\n{_MARKED}"
    command.__annotations__ = {name: annotation for name, (annotation, _) in options.items()}
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)
            for name, (annotation, default) in options.items()
        ]
    )
    return command


discrimination = _command(
    Test.DISCRIMINATION,
    Aspect,
    "Stories that are wrong in one aspect of coherence each, and coherent ones beside them (OpenMEVA's AUTOS).",
)
invariance = _command(
    Test.INVARIANCE,
    Change,
    "Stories, and incoherent examples of them, with changes that a metric should not mind (OpenMEVA's AUTOS).",
)


def export(
    tests: Annotated[
        list[Path], typer.Option(help="A JSONL file of cases, or a folder of OpenMEVA's; may be repeated.")
    ],
    out: Annotated[Path, typer.Option(help="A new folder; or a .jsonl file, to read OpenMEVA's into one.")],
    corpus: Annotated[str, typer.Option(help="What OpenMEVA's files begin with.")] = "roc",
) -> None:
    """Test sets in OpenMEVA's format, a folder that its own tools read; or as JSONL."""
    cases = read_tests(tests)
    if out.suffix == ".jsonl":
        write_cases(cases, out)
    else:
        write_autos(cases, out, corpus)
    console.print(f"{len(cases):,} cases written to {out}.", markup=False)


def read_tests(paths: Sequence[Path]) -> list[Case]:
    """All cases, aspects in the order of the paper's tables. Raises InputError for one that two files have."""
    by_content: dict[tuple[str, str, int], tuple[Case, Path]] = {}
    for path in paths:
        for case in read_autos(path) if path.is_dir() else read_cases(path):
            other = by_content.setdefault((case.aspect, case.id, case.label), (case, path))
            if other[0] is not case:
                raise InputError(
                    f"{path} and {other[1]} both have a case {case.id[:60]!r} of {case.aspect}: test them one after "
                    "the other, or give the cases of one of them other ids."
                )
    cases = [case for case, _ in by_content.values()]
    return sorted(cases, key=lambda case: _KNOWN.index(case.aspect) if case.aspect in _KNOWN else len(_KNOWN))


def _run(
    in_: Path,
    out: Path,
    order: TestSetSettings,
    mapping: list[str] | None,
    where: list[str] | None,
    json_file: str | None,
) -> None:
    check_cases_target(out)
    if out.resolve() == in_.resolve():
        raise InputError(f"--out names the file that is read, {in_}; name another one.")
    records = human_stories(read_stories(in_, pairs(mapping, "--map"), row_filter(where)).stories)
    with stages() as report:
        test_set = generate(records, order, report)
    write_cases(test_set.cases, out)
    yields = test_set.yields(order.aspects)
    result = {
        "n": test_set.stories,
        "seed": test_set.seed,
        "made_with": test_set.made_with,
        "made": len(test_set.cases),
        "yields": yields,
        "lengths": {name: {"input": a, "story": b} for name, (a, b) in lengths(test_set.cases).items()},
        "left_out": [{"reason": reason, "stories": count} for reason, count in test_set.reasons.items()],
    }
    show(result, json_file, lambda: _tables(test_set, order, out))


def _tables(set_result: TestSet, order: TestSetSettings, out: Path) -> None:
    good = "coherent" if set_result.test is Test.DISCRIMINATION else "originals"
    bad = "incoherent" if set_result.test is Test.DISCRIMINATION else "changed"
    rows: list[list[Any]] = [
        [item.aspect, item.of, item.good, item.changed, item.share, item.passed]
        for item in set_result.yields(order.aspects)
    ]
    print_table("Cases", ["aspect", "of", good, bad, "a story", "pass the filter"], rows)
    words = [[name, a, b] for name, (a, b) in lengths(set_result.cases).items()]
    print_table("Mean words", ["", "input", "story"], words)
    for reason, count in set_result.reasons.items():
        console.print(f"{count:,} stories were left out: {reason}", markup=False)
    made_with = ", ".join(f"{name} {value}" for name, value in set_result.made_with.items())
    console.print(f"Made with {made_with}.", markup=False)
    console.print(f"{len(set_result.cases):,} cases of {set_result.stories:,} stories written to {out}.", markup=False)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on stderr that says what is being done."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, number: bar.update(task, description=what, completed=done, total=number)


def register(app: typer.Typer, commands: Sequence[Callable[..., None]] = (discrimination, invariance, export)) -> None:
    """Under `perturb`."""
    for command in commands:
        app.command()(command)
