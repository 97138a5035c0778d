"""The papers' numbers beside what the released data gives: straight from the files, past any database."""

import json
from collections.abc import Callable, Iterable
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
from core.published.beside import Cell, State, beside, number
from core.published.quantities import Kind, Released
from core.published.tables import PublishedTable
from core.scores import ScoreColumn, ScoreTable
from core.stories import Corpus, Source, Story


@dataclass(frozen=True)
class Reproduced:
    """One cell of a published table; `ours` is unrounded, `agrees` compares at the printed digits, stars included.

    Shares are fractions. `reason`: why it does not agree, "" where it does.
    """

    table: str
    row: str
    column: str
    published: float
    ours: float | None
    agrees: bool
    reason: str = ""


def judged_stories(corpus: Corpus) -> dict[str, JudgedStory]:
    """The rated stories of an import, by key, in the order of the file."""
    given: dict[str, list[Rating]] = {}
    for rating in corpus.ratings:
        types = frozenset(name for name, _ in rating.deductions)
        given.setdefault(rating.story_key, []).append(Rating(rating.overall, types))
    stories = {s.key: s for s in corpus.stories}
    return {
        key: JudgedStory(stories[key].prompt_key, stories[key].system or "unknown", tuple(ratings))
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


def _find(data: Path, names: Iterable[str], holds: Callable[[Path], bool]) -> list[Path]:
    """`data` itself where it holds the files, else its subfolders of these names that do."""
    if not data.is_dir():
        raise InputError(f"{data} is not a folder.")
    if holds(data):
        return [data]
    return [data / name for name in names if holds(data / name)]


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
    )


def reproduce_union(data: Path) -> list[Reproduced]:
    """UNION's Tables 2, 5 and 7 and section 3.1 from one annotation folder, or from one with both corpora's folders.

    Of Table 7, the sets and UNION's own row: the rest are metrics retrained, whose scores were not released.
    """
    folders = _find(data, ("union-roc", "union-wp"), lambda folder: (folder / "ant_data.txt").is_file())
    if not folders:
        raise InputError(f"{data} holds no ant_data.txt, nor do its folders union-roc and union-wp.")
    rows: list[Reproduced] = []
    for folder in folders:
        table = _table(read_union(folder))
        scored = {column.metric for column in table.columns}
        for metric in union.METRICS.values():
            if metric not in scored:
                raise InputError(f"metric_output/{metric}.txt is missing: Table 5 cannot be computed without it.")
        # The two released sets are 400 ROC and 200 WP stories; a folder of its own may have any name.
        roc = "roc" in folder.name or ("wp" not in folder.name and len(table.keys) > 300)
        of = Released.UNION_ROC if roc else Released.UNION_WP
        for published in (union.CORRELATIONS, union.SHARES, union.TYPES, union.ABLATION):
            for cell in beside(published, table, of):
                if cell.quantity is not None and cell.state is not State.ELSEWHERE:
                    rows.append(_reproduced(published, cell))
    return rows


def reproduce_mans(data: Path) -> list[Reproduced]:
    """OpenMEVA's numbers of the MANS stories of ROC, from `mans_roc.json` and the released scores.

    BLEU is computed; the other metrics of Table 11 are correlated as far as their scores were released.
    """
    folders = _find(data, ("mans-roc",), lambda folder: (folder / "mans_roc.json").is_file())
    if not folders:
        raise InputError(f"{data} holds no mans_roc.json, nor does its folder mans-roc.")
    corpus = read_mans(folders[0] / "mans_roc.json")
    table = _table(corpus)
    scores = {"bleu": _bleu(corpus, table.keys)}
    released = _released_scores(folders[0] / "openmeva_roc_metric_scores.json")
    for name, sign in openmeva.RELEASED.values():
        scores[name] = [sign * released[key].get(name, np.nan) if key in released else np.nan for key in table.keys]
    columns = tuple(ScoreColumn(name, "", np.array(values), {}) for name, values in scores.items())
    table = replace(table, columns=columns)
    return [
        _reproduced(published, cell)
        for published in (openmeva.CORRELATIONS, openmeva.AGREEMENT, openmeva.BY_ERROR_TYPE, openmeva.STATISTICS)
        for cell in beside(published, table, Released.MANS_ROC)
        if _computable(cell)
    ]


_COMPUTED = {"BLEU": "bleu (computed)"} | {
    row: f"{name} (released scores)"
    for row, name in (
        *(("ROUGE-L", "rouge-l"), ("METEOR", "meteor"), ("BERTScore-P", "bertscore-p")),
        *(("BERTScore-R", "bertscore-r"), ("BERTScore-F1", "bertscore-f1"), ("PPL (P)", "ppl (P)")),
    )
}
"""Row of a table of correlations -> what `reproduce` calls it; the other metrics' scores were not released."""


def _computable(cell: Cell) -> bool:
    """Whether the released files hold what the cell is made of."""
    if cell.quantity is None or cell.quantity.error_type or cell.state is State.ELSEWHERE:
        return False
    return cell.quantity.kind is not Kind.PEARSON or cell.row in _COMPUTED


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
