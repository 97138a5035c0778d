"""`tokens`, `gltr import`, `gltr export`: what a language model thinks of every token of a text, or of many."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from commands.metrics.judging import EndpointModel, EndpointSettings, judge_settings
from commands.terminal import JsonFile, Pairs, Where, console, pairs, print_table, row_filter, show
from core.errors import InputError
from core.files import text_of
from core.formats.gltr import gltr_json, read_gltr, tokens_json
from core.formats.plain_json import plain
from core.formats.tables import SUFFIXES, read_table, select_rows, texts_of
from core.judges.backends.key import judge_key
from core.judges.likelihood.table import ServedTokens
from core.metrics.run import endpoint_of
from core.tokens import Mode, TokenTable, summarise

TEXTS_AT_ONCE = 64
TOKENS_SHOWN = 200
"""Of one text, as a table on the terminal; --json has all of them."""
TABLES = tuple(suffix for suffix in SUFFIXES if suffix != ".txt")
Model = Annotated[str | None, typer.Option(help="A bundled model, a folder or a hub name; vllm:NAME for vLLM.")]
ModeName = Annotated[Mode, typer.Option("--mode", help="How the model looks at a token; masked models: see the docs.")]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
Precision = Annotated[str, typer.Option(help="float32 or bfloat16.")]
Endpoint = Annotated[
    str | None,
    typer.Option(
        "--endpoint", metavar="URL", help="The texts are sent to the server of this base address, and read there."
    ),
]


def tokens(
    file: Annotated[str, typer.Argument(help="A text, - for standard input, or a table of texts.")],
    model: Model = None,
    mode: ModeName = Mode.CAUSAL,
    top: Annotated[int, typer.Option(help="How many of the likeliest tokens to name.")] = 5,
    lines: Annotated[bool, typer.Option("--lines", help="Each line of the file is a text.")] = False,
    out: Annotated[Path | None, typer.Option(help="Of many texts: a JSONL file with one line per text.")] = None,
    device: Device = "auto",
    precision: Precision = "float32",
    endpoint: Endpoint = None,
    endpoint_model: EndpointModel = None,
    endpoint_setting: EndpointSettings = None,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Rank, probability, fraction and entropy of every token of a text, and the likeliest in its place.

    White space around a text does not count, as in metrics.
    """
    options: dict[str, Any] = {"model": model, "mode": mode, "device": device, "precision": precision, "top": top}
    options["there"] = _there(judge_settings(endpoint, endpoint_model, endpoint_setting), options)
    if Path(file).suffix.lower() in TABLES:
        if lines:
            raise InputError("--lines goes with a text file; a table has one text per row.")
        table = select_rows(read_table(Path(file)), row_filter(where))
        return _many([story.text for story in texts_of(table, pairs(mapping, "--map"))], options, out, json_file)
    if mapping or where:
        raise InputError(f"--map and --where go with a table of texts ({', '.join(TABLES)}).")
    text = _text(file)
    if lines:  # only a line feed ends one: texts may hold other separators
        return _many([line.strip() for line in text.removesuffix("\n").split("\n")], options, out, json_file)
    if out is not None:
        raise InputError("--out goes with a table of texts or --lines; --json takes one text's tokens.")
    with _progress("tokens") as report:
        (token_table,) = _read([text.strip()], options, report)
    return _show(token_table, json_file)


def import_gltr(
    file: Annotated[Path, typer.Argument(help="A JSON file of GLTR's, or one that gltr export wrote.")],
    json_file: JsonFile = None,
) -> None:
    """Show a file of GLTR's as `tokens` shows a text."""
    _show(read_gltr(file), json_file)


def export_gltr(
    file: Annotated[str, typer.Argument(help="A text, or - for standard input.")],
    out: Annotated[Path, typer.Option(help="The JSON file to write.")],
    model: Model = None,
    mode: ModeName = Mode.CAUSAL,
    top: Annotated[int, typer.Option(help="How many of the likeliest tokens to name.")] = 40,
    device: Device = "auto",
    precision: Precision = "float32",
    endpoint: Endpoint = None,
    endpoint_model: EndpointModel = None,
    endpoint_setting: EndpointSettings = None,
) -> None:
    """Write what a model thinks of a text as JSON in GLTR's shape."""
    options: dict[str, Any] = {"model": model, "mode": mode, "device": device, "precision": precision, "top": top}
    options["there"] = _there(judge_settings(endpoint, endpoint_model, endpoint_setting), options)
    with _progress("tokens") as report, _writing(out) as stream:
        (token_table,) = _read([_text(file).strip()], options, report)
        stream.write(gltr_json(token_table) + "\n")
    console.print(f"{len(token_table):,} tokens written to {out}.", markup=False)


def _text(file: str) -> str:
    if file != "-":
        return text_of(file, "text").removeprefix("\ufeff")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("Standard input is not UTF-8 text.") from None


def _there(run: dict[str, Any], options: dict[str, Any]) -> ServedTokens | None:
    """What reads on a server; None on this machine."""
    endpoint = endpoint_of(run)
    if endpoint is None:
        return None
    if options["model"] or options["mode"] is not Mode.CAUSAL:
        raise InputError(
            "A server reads with the model of --endpoint-model, and causally: leave --model and --mode out."
        )
    return ServedTokens(endpoint, judge_key(endpoint.address), options["top"])


def _read(texts: Sequence[str], options: dict[str, Any], report: Callable[[int, int], None]) -> list[TokenTable]:
    here = dict(options)
    there: ServedTokens | None = here.pop("there")
    if there:
        return there.read(texts, report)
    from core.models.tokens.table import read_tokens  # torch

    return read_tokens(texts, **here, on_progress=report)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr for so many `what` done of all."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)


@contextmanager
def _writing(path: Path) -> Iterator[IO[str]]:
    """A file that is there whole or not at all."""
    partial = path.with_name(path.name + ".part")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        partial.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        partial.unlink(missing_ok=True)


def _summary(table: TokenTable) -> dict[str, Any]:
    result = summarise(table)
    names = [*(f"top_{rank}" for rank in result.ranks), "beyond"]
    shares = dict(zip(names, result.shares or [None] * len(names), strict=True))
    return {"n": result.tokens, "fp": result.fp, "perplexity": result.perplexity, "entropy": result.entropy, **shares}


def _many(texts: Sequence[str], options: dict[str, Any], out: Path | None, json_file: str | None) -> None:
    """One row per text, and with `out` a line of JSON with all of a text's tokens."""
    rows: list[dict[str, Any]] = []
    about = {"model": options["model"], "mode": options["mode"].value, "n": len(texts)}
    with _progress("texts") as report, _writing(out) if out else nullcontext() as stream:
        for begin in range(0, len(texts), TEXTS_AT_ONCE):
            for token_table in _read(texts[begin : begin + TEXTS_AT_ONCE], options, lambda _done, _whole: None):
                about["model"] = token_table.model
                rows.append({"row": len(rows) + 1, **_summary(token_table)})
                if stream:
                    stream.write(json.dumps(plain(tokens_json(token_table)), ensure_ascii=False) + "\n")
            report(len(rows), len(texts))

    def table() -> None:
        columns = list(rows[0]) if rows else ["row"]
        print_table(f"{about['model']}, {about['mode']}", columns, [list(row.values()) for row in rows])

    show({**about, "rows": rows}, json_file, table)


def _show(table_result: TokenTable, json_file: str | None) -> None:
    """One text: its numbers, and its first tokens."""

    def table() -> None:
        summary = _summary(table_result)
        print_table(f"{table_result.model}, {table_result.mode}", list(summary), [list(summary.values())])
        shown = tokens_json(table_result)["tokens"][:TOKENS_SHOWN]
        columns = ["token", "rank", "p", "fraction", "entropy", "likeliest"]
        # As Python writes texts: spaces show, and no control character reaches the terminal.
        lines = [
            [repr(row["text"]), *(row[name] for name in columns[1:5]), " ".join(repr(text) for text, _ in row["top"])]
            for row in shown
        ]
        if lines:
            print_table("", columns, lines)
        if len(table_result) > len(shown):
            console.print(f"and {len(table_result) - len(shown):,} tokens more: --json has all of them")

    show(tokens_json(table_result), json_file, table)
