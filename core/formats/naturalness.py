"""Human and machine texts from tables of stories: two files, or one that holds summaries and their references."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.analysis.naturalness.corpora import NaturalTexts
from core.errors import InputError
from core.formats.tables import EVERY_ROW, RowFilter, Table, choose_columns, read_table, select_rows, stories_of
from core.stories import Source, StoryRecord

TAGS = re.compile(r"\s*</?[A-Za-z][A-Za-z0-9]{0,9}>\s*")
"""Such as the `<t>` and `</t>` around the sentences of summaries."""


@dataclass(frozen=True)
class Gathered:
    """The texts in order, whose they are and what about; `notices`: what the user should know of them."""

    texts: tuple[str, ...]
    about: NaturalTexts
    notices: tuple[str, ...] = ()


def gather(
    machine: Sequence[Path],
    human: Path | None = None,
    *,
    mapping: Mapping[str, str] | None = None,
    human_mapping: Mapping[str, str] | None = None,
    where: RowFilter = EVERY_ROW,
    strip_tags: bool = False,
    limit: int | None = None,
    seed: int = 0,
) -> Gathered:
    """Read machine texts, and human ones from a file of their own, else from the references beside the machine texts.

    Texts of one prompt (`prompt_id`, else `prompt`, else a reference) are about one document, across files too. A
    system is what the column says, else the file's name. `limit`: texts of each side and system, drawn by document.
    Raises InputError as reading tables does, and where a side has no text.
    """
    rows: list[tuple[str | None, str, str]] = []
    for path in machine:
        rows += _machine_rows(select_rows(read_table(path), where), mapping or {}, references=human is None)
    if human is not None:
        table = read_table(human)
        chosen = {k: v for k, v in choose_columns(table, human_mapping or {}).items() if k not in ("reference", "id")}
        records = stories_of(table, chosen, defaults=False).stories
        rows += [
            (None, _document(record, table.name), record.text)
            for record in records
            if record.source is not Source.NEGATIVE
        ]
    rows = list(dict.fromkeys(row for row in rows if row[0] is None)) + [row for row in rows if row[0] is not None]
    notices = []
    tagged = sum(bool(TAGS.search(text)) for _, _, text in rows)
    if strip_tags:
        rows = [(system, document, " ".join(TAGS.sub(" ", text).split())) for system, document, text in rows]
        notices.append(f"tags such as <t> were taken out of {tagged:,} texts")
    elif tagged:
        example = next(match.group().strip() for _, _, text in rows if (match := TAGS.search(text)))
        notices.append(f"{tagged:,} texts hold tags such as {example}, read as text; --strip-tags takes them out")
    if limit is not None:
        rows = _limited(rows, limit, seed)
    about = NaturalTexts(tuple(row[0] for row in rows), tuple(row[1] for row in rows))
    return Gathered(tuple(row[2] for row in rows), about, tuple(notices))


def _machine_rows(table: Table, mapping: Mapping[str, str], *, references: bool) -> list[tuple[str | None, str, str]]:
    """(system, document, text) of a file; of people's too where `references`."""
    chosen = {field: column for field, column in choose_columns(table, mapping).items() if field != "id"}
    if not references:
        chosen.pop("reference", None)
    records = stories_of(table, chosen, defaults=False).stories
    gold = {record.prompt_key: record for record in records if record.source is Source.HUMAN}
    stem = Path(table.name).stem
    result: list[tuple[str | None, str, str]] = []
    for record in records:
        if record.source is Source.NEGATIVE or (record.source is Source.HUMAN and not references):
            continue
        document = _document(record, table.name)
        if not record.prompt and record.prompt_key in gold and "prompt_id" not in chosen:
            document = gold[record.prompt_key].text  # rows without a prompt are about one document by their reference
        result.append((None if record.source is Source.HUMAN else record.system or stem, document, record.text))
    return result


def _document(record: StoryRecord, file: str) -> str:
    """What a text is about; a row that says nothing of it stands alone, and is nothing to another file's rows."""
    return f"{file}, {record.key}" if record.prompt_key == record.key else record.prompt_key


def _limited(rows: list[tuple[str | None, str, str]], limit: int, seed: int) -> list[tuple[str | None, str, str]]:
    """Return at most `limit` texts of each side and system: those of the documents that are drawn first."""
    if limit < 1:
        raise InputError(f"--limit takes a number of texts from 1 on, not {limit}.")
    documents = sorted({document for _, document, _ in rows})
    drawn = np.random.default_rng(seed).permutation(len(documents)).tolist()
    turn = dict(zip(documents, drawn, strict=True))
    taken: dict[str | None, int] = {}
    kept = set()
    for place in sorted(range(len(rows)), key=lambda place: turn[rows[place][1]]):
        system = rows[place][0]
        taken[system] = taken.get(system, 0) + 1
        if taken[system] <= limit:
            kept.add(place)
    return [row for place, row in enumerate(rows) if place in kept]
