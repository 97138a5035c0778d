"""The papers' numbers beside what the released data gives: straight from the files, past any database."""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.analysis.judgments import JudgedStory, Rating
from core.annotation.agreement import rating_table
from core.annotation.builtin import scheme_of
from core.errors import InputError
from core.formats.mans import read_mans
from core.formats.text import read_text
from core.formats.union import read_union
from core.metrics.bleu import Bleu
from core.published import openmeva, union
from core.published.beside import Cell, State, beside, guess, number
from core.published.quantities import Kind, Released
from core.published.tables import PublishedTable
from core.scores import ScoreColumn, ScoreTable
from core.stories import NAMELESS, Corpus, Source, Story


@dataclass(frozen=True)
class Reproduced:
    """One cell of a published table; `ours` is unrounded, `agrees` compares at the printed digits, stars included.

    Shares are fractions. `n`: stories behind it, None for a count; `signature`: of the scores behind it, "" where there
    are none. `reason`: why it does not agree, "" where it does.
    """

    table: str
    row: str
    column: str
    published: float
    ours: float | None
    agrees: bool
    reason: str = ""
    n: int | None = None
    signature: str = ""


def judged_stories(corpus: Corpus) -> dict[str, JudgedStory]:
    """The rated stories of an import, by key, in the order of the file."""
    given: dict[str, list[Rating]] = {}
    for rating in corpus.ratings:
        types = frozenset(name for name, _ in rating.deductions)
        given.setdefault(rating.story_key, []).append(Rating(rating.overall, types))
    stories = {s.key: s for s in corpus.stories}
    return {
        key: JudgedStory(stories[key].prompt_key, stories[key].system or NAMELESS, tuple(ratings))
        for key, ratings in given.items()
    }


def _table(corpus: Corpus) -> ScoreTable:
    """The rated stories of an import with its scores, as an analysis wants them."""
    judged = judged_stories(corpus)
    stories = {s.key: s for s in corpus.stories}
    types = [error_type.name for error_type in scheme_of(corpus.scheme).error_types]
    columns = tuple(
        ScoreColumn(
            record.metric,
            record.signature,
            np.array([record.values.get(key, np.nan) for key in judged], dtype=np.float64),
            {},
        )
        for record in corpus.scores
    )
    return ScoreTable(
        tuple(judged),
        tuple(story.prompt for story in judged.values()),
        tuple(story.group for story in judged.values()),
        tuple(stories[key].text for key in judged),
        np.array([story.mean for story in judged.values()], dtype=np.float64),
        columns,
        rating_table([[rating.overall for rating in story.ratings] for story in judged.values()]),
        {
            name: np.array([sum(name in r.error_types for r in s.ratings) for s in judged.values()], dtype=np.intp)
            for name in types
        },
    )


def _find(data: Path, names: Iterable[str], file: str) -> list[Path]:
    """`data` itself where it holds the file, else its subfolders of these names that do."""
    if not data.is_dir():
        raise InputError(f"{data} is not a folder.")
    if (data / file).is_file():
        return [data]
    return [data / name for name in names if (data / name / file).is_file()]


def _reproduced(published: PublishedTable, cell: Cell) -> Reproduced:
    wanted = cell.quantity
    scale = 100 if wanted and wanted.percent else 1
    row = wanted.row if wanted else cell.row
    if published.paper == openmeva.SOURCE and wanted and wanted.kind is Kind.PEARSON:
        row = _COMPUTED[cell.row]
    return Reproduced(
        published.name,
        row,
        wanted.column if wanted else cell.column,
        round(number(cell.printed) / scale, 6),
        None if cell.ours is None else cell.ours / scale,
        cell.state is State.AGREES,
        cell.reason,
        cell.n,
        cell.signature,
    )


def reproduce_union(data: Path) -> list[Reproduced]:
    """UNION's Tables 2, 5 and 7 and section 3.1 from one annotation folder, or from one with both corpora's folders.

    Of Table 7, the sets and UNION's own row: the rest are metrics retrained, whose scores were not released.
    """
    folders = _find(data, ("union-roc", "union-wp"), "ant_data.txt")
    if not folders:
        raise InputError(f"{data} holds no ant_data.txt, nor do its folders union-roc and union-wp.")
    rows: list[Reproduced] = []
    for folder in folders:
        table = _table(read_union(folder))
        scored = {column.metric for column in table.columns}
        for metric in union.METRICS.values():
            if metric not in scored:
                raise InputError(f"metric_output/{metric}.txt is missing: Table 5 cannot be computed without it.")
        of = _corpus(folder, table)
        for published in (union.CORRELATIONS, union.SHARES, union.TYPES, union.ABLATION):
            for cell in beside(published, table, of):
                if cell.quantity is not None and cell.state is not State.ELSEWHERE:
                    rows.append(_reproduced(published, cell))
    return rows


def _corpus(folder: Path, table: ScoreTable) -> Released:
    """ROC or WP, by the number of stories, else by the folder's name; raises InputError where neither tells."""
    of = guess(table)
    if of is not None:
        return of
    words = re.split(r"[^a-z]+", folder.resolve().name.lower())
    for word, named in (("roc", Released.UNION_ROC), ("wp", Released.UNION_WP)):
        if word in words:
            return named
    raise InputError(
        f"{folder} holds {len(table.keys):,} stories; the released sets are 400 of ROC and 200 of WP with seven votes "
        "each. Name the folder union-roc or union-wp to compare it with one of them all the same."
    )


def reproduce_mans(data: Path) -> list[Reproduced]:
    """OpenMEVA's numbers of the MANS stories of ROC and of WP, from `mans_roc.json`, `mans_wp.json` and their scores.

    BLEU is computed; the other metrics of Table 11 are correlated as far as their scores were released: of ROC only.
    """
    rows: list[Reproduced] = []
    for corpus, of in (("roc", Released.MANS_ROC), ("wp", Released.MANS_WP)):
        stories = f"mans_{corpus}.json"
        for folder in _find(data, (f"mans-{corpus}",), stories):
            scores = folder / f"openmeva_{corpus}_metric_scores.json"
            released = scores if of is Released.MANS_ROC or scores.is_file() else None
            rows += _reproduce_mans(folder / stories, released, of)
    if not rows:
        raise InputError(f"{data} holds no mans_roc.json and no mans_wp.json, nor do its folders mans-roc and mans-wp.")
    return rows


def _reproduce_mans(stories: Path, released: Path | None, of: Released) -> list[Reproduced]:
    corpus = read_mans(stories)
    table = _table(corpus)
    columns = [ScoreColumn("bleu", Bleu().signature, np.array(_bleu(corpus, table.keys)), {})]
    if released is not None:
        scores = _released_scores(released)
        digest = hashlib.sha256(released.read_bytes()).hexdigest()[:12]
        for name, sign in openmeva.RELEASED.values():
            values = [sign * scores[key].get(name, np.nan) if key in scores else np.nan for key in table.keys]
            signature = f"file:{digest}" + ("|negated" if sign < 0 else "")
            columns.append(ScoreColumn(name, signature, np.array(values), {}))
    table = replace(table, columns=tuple(columns))
    return [
        _reproduced(published, cell)
        for published in (openmeva.CORRELATIONS, openmeva.AGREEMENT, openmeva.BY_ERROR_TYPE, openmeva.STATISTICS)
        for cell in beside(published, table, of)
        if _computable(cell, released is not None)
    ]


_COMPUTED = {"BLEU": "bleu (computed)"} | {
    row: f"{name} (released scores)"
    for row, name in (
        *(("ROUGE-L", "rouge-l"), ("METEOR", "meteor"), ("BERTScore-P", "bertscore-p")),
        *(("BERTScore-R", "bertscore-r"), ("BERTScore-F1", "bertscore-f1"), ("PPL (P)", "ppl (P)")),
    )
}
"""Row of a table of correlations -> what `reproduce` calls it; the other metrics' scores were not released."""


def _computable(cell: Cell, scores: bool) -> bool:
    """Whether the released files hold what the cell is made of; `scores`: the file of scores is among them."""
    if cell.quantity is None or cell.quantity.error_type or cell.state is State.ELSEWHERE:
        return False
    return cell.quantity.kind is not Kind.PEARSON or cell.row == "BLEU" or (scores and cell.row in _COMPUTED)


def _bleu(corpus: Corpus, keys: Iterable[str]) -> list[float]:
    references: dict[str, list[str]] = {}
    for record in corpus.stories:
        if record.source is Source.HUMAN:
            references.setdefault(record.prompt_key, []).append(record.text)
    stories = {s.key: s for s in corpus.stories}
    texts = [Story(stories[k].text, stories[k].prompt, tuple(references[stories[k].prompt_key])) for k in keys]
    return [float(value) for value in Bleu().score(texts).values]


def _released_scores(path: Path) -> dict[str, dict[str, float]]:
    """Scores by story key, `prompt/system`."""
    try:
        entries = json.loads(read_text(path))
        return {
            f"{entry['doc_id']}/{system}": dict(made["score"])
            for entry in entries
            for system, made in entry["gen"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path.name} is not the released score file: {type(error).__name__} {error}.") from None
