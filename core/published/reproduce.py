"""The papers' numbers compared with what the released data gives, straight from the files, without a database."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.texts import StudyText, Texts, text_statistics, tokens
from core.annotation.builtin import scheme_of
from core.errors import InputError
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.metrics.bleu import Bleu
from core.metrics.rouge import RougeL
from core.published import hanna, naturalness, openmeva, perception, union
from core.published.comparison import EMPTY, UNEXPLAINED, Cell, CellState, compared, guess, number
from core.published.hanna_files import STORIES, hanna_table
from core.published.quantities import Released, quantity
from core.published.reasons import Why, reason
from core.published.tables import PublishedTable
from core.scores import IMPORTED, ScoreColumn, ScoreTable
from core.statistics.agreement import rating_table
from core.stories import NAMELESS, Corpus, Source, Story, sentences
from core.text_files import read_text


@dataclass(frozen=True)
class Reproduced:
    """One cell of a published table, `printed` as it stands there; `published`: as a number, None for words.

    `ours` is unrounded (of words: how many of them Fabula has), with `low` and `high` where it has a range; `agrees`
    compares at the printed digits, stars included. Shares are fractions. `n`: stories behind it, None for a count;
    `signature`: of the scores behind it, "" where there are none. `reason` and its `kind`: why it does not agree.
    """

    table: str
    row: str
    column: str
    printed: str
    published: float | None
    ours: float | None
    agrees: bool
    state: CellState
    kind: Why | None = None
    reason: str = ""
    n: int | None = None
    signature: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Counted:
    """How the cells of a table compare: all that are printed, those that agree, those that differ, and of the others
    how many there are of each kind of reason.
    """

    table: str
    caption: str
    cells: int
    agrees: int
    differs: int
    reasons: Mapping[Why, int]


PAPERS: Mapping[str, tuple[PublishedTable, ...]] = {
    "union": union.TABLES,
    "mans": openmeva.TABLES,
    "perception": perception.TABLES,
    "naturalness": naturalness.TABLES,
    "hanna": hanna.TABLES,
}
"""What `reproduce` calls a paper -> its tables."""
ALL = "all"
_OF_FILES = ("union", "mans", "hanna")
CLOZE = {"Dev": "cloze_val_spring2016.tsv", "Test": "cloze_test_spring2016.tsv"}
"""Part of ROCStories in Perception Score's Table 4 -> the file of Story Cloze whose contexts it is."""


def reproduce(paper: str, data: Path | None = None) -> list[Reproduced]:
    """Every cell of every table of a paper, or of all. `data`: the folder with the released files, which UNION,
    OpenMEVA and HANNA need; Perception Score's table of sizes is counted as far as its files are there. Raises
    InputError for another name, and for files that are missing or bad.
    """
    if paper not in (*PAPERS, ALL):
        raise InputError(f"There is nothing published under {paper!r} here; choose {', '.join(PAPERS)} or {ALL}.")
    if paper in (*_OF_FILES, ALL) and data is None:
        raise InputError(f"reproduce {paper} takes --data, the folder with the released files.")
    rows = []
    for name in PAPERS if paper == ALL else (paper,):
        if name == "union" and data is not None:
            rows += reproduce_union(data)
        elif name == "mans" and data is not None:
            rows += reproduce_mans(data)
        elif name == "hanna" and data is not None and (paper != ALL or _find(data, ("hanna",), STORIES)):
            rows += reproduce_hanna(data)
        elif name == "perception" and data is not None:
            rows += reproduce_perception(data)
        else:
            rows += _reproduced(PAPERS[name], {})
    return rows


def summary_lines(paper: str, rows: Iterable[Reproduced]) -> list[Counted]:
    """A line a table of the paper, in the paper's order, those of words and of examples too."""
    by_table: dict[str, list[Reproduced]] = {}
    for row in rows:
        by_table.setdefault(row.table, []).append(row)
    result = []
    for name in PAPERS if paper == ALL else (paper,):
        for table in PAPERS[name]:
            cells = by_table.get(table.name, [])
            kinds = [row.kind for row in cells if row.state is not CellState.DIFFERS and row.kind]
            result.append(
                Counted(
                    table.name,
                    table.caption,
                    len(cells),
                    sum(row.agrees for row in cells),
                    sum(row.state is CellState.DIFFERS for row in cells),
                    {kind: kinds.count(kind) for kind in Why},
                )
            )
    return result


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


@dataclass(frozen=True)
class _Study:
    """Stories of a folder with their scores; `texts`: their statistics, where a table asks for them."""

    table: ScoreTable
    texts: Texts | None = None


_NO_STUDY = _Study(EMPTY)


def _reproduced(tables: Iterable[PublishedTable], studies: Mapping[Released, _Study]) -> list[Reproduced]:
    """Every cell of the tables, beside those of the stories that are there."""
    rows = []
    for published in tables:
        for row in published.rows:
            for column in published.columns:
                wanted = quantity(published, row, column)
                of = wanted.of if wanted and wanted.of in studies else None
                study = studies[of] if of else _NO_STUDY
                cell = compared(published, row, column, study.table, of, texts=study.texts)
                if cell.state is CellState.ELSEWHERE:
                    cell = _elsewhere(published, cell)
                if cell.state is not CellState.EMPTY:
                    rows.append(_row(published, cell))
    return rows


def _elsewhere(published: PublishedTable, cell: Cell) -> Cell:
    """What is of stories that the folder does not hold: the reason that holds for these too, else that they are
    missing.
    """
    lasting = reason(published, cell.row, cell.column)
    if lasting and lasting.kind is Why.NOT_RELEASED:
        return replace(cell, state=CellState.MISSING, kind=lasting.kind, reason=lasting.why)
    of = cell.quantity.of if cell.quantity else None
    sentence = f"Of the stories {of}, which were linked, and which this folder does not hold."
    return replace(cell, state=CellState.MISSING, kind=Why.NOT_YET, reason=sentence)


def _row(published: PublishedTable, cell: Cell) -> Reproduced:
    wanted = cell.quantity
    scale = 100 if wanted and wanted.percent else 1
    row = wanted.row if wanted and wanted.row else cell.row
    if published.paper == openmeva.SOURCE and cell.signature:
        row = f"{_CALLED[cell.row]} ({'released scores' if cell.signature.startswith(IMPORTED) else 'computed'})"
    try:
        printed = round(number(cell.printed) / scale, 6)
    except ValueError:  # words
        printed = None
    return Reproduced(
        published.name,
        row,
        wanted.column if wanted and wanted.column else cell.column,
        cell.printed,
        printed,
        None if cell.ours is None else cell.ours / scale,
        cell.state is CellState.AGREES,
        cell.state,
        cell.kind,
        cell.reason,
        cell.n,
        cell.signature,
        cell.low,
        cell.high,
    )


def reproduce_union(data: Path) -> list[Reproduced]:
    """UNION's tables beside one annotation folder, or one with both corpora's folders."""
    folders = _find(data, ("union-roc", "union-wp"), "ant_data.txt")
    if not folders:
        raise InputError(f"{data} holds no ant_data.txt, nor do its folders union-roc and union-wp.")
    studies: dict[Released, _Study] = {}
    for folder in folders:
        table = _table(read_union(folder))
        scored = {column.metric for column in table.columns}
        for metric in union.METRICS.values():
            if metric not in scored:
                raise InputError(f"metric_output/{metric}.txt is missing: Table 5 cannot be computed without it.")
        studies[_corpus(folder, table)] = _Study(table)
    return _reproduced(union.TABLES, studies)


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
    """OpenMEVA's tables beside the MANS stories of ROC and WP: `mans_roc.json`, `mans_wp.json` and files of scores.

    BLEU and ROUGE-L are computed; the other metrics are correlated as far as their scores were released: of ROC only.
    """
    studies: dict[Released, _Study] = {}
    for corpus, of in (("roc", Released.MANS_ROC), ("wp", Released.MANS_WP)):
        stories = f"mans_{corpus}.json"
        for folder in _find(data, (f"mans-{corpus}",), stories):
            scores = folder / f"openmeva_{corpus}_metric_scores.json"
            released = scores if of is Released.MANS_ROC or scores.is_file() else None
            studies[of] = _scored(folder / stories, released)
    if not studies:
        raise InputError(f"{data} holds no mans_roc.json and no mans_wp.json, nor do its folders mans-roc and mans-wp.")
    return _reproduced(openmeva.TABLES, studies)


def reproduce_hanna(data: Path) -> list[Reproduced]:
    """HANNA's tables beside its stories, ratings and the authors' scores."""
    folders = _find(data, ("hanna",), STORIES)
    if not folders:
        raise InputError(f"{data} holds no {STORIES}, nor does its folder hanna.")
    return _reproduced(hanna.TABLES, {Released.HANNA: _Study(hanna_table(folders[0]))})


def reproduce_perception(data: Path) -> list[Reproduced]:
    """Perception Score's tables, of which Story Cloze's two files of 2016 give the sizes of ROCStories' parts."""
    sizes = {part: _stories(folder / file) for part, file in CLOZE.items() for folder in _find(data, ("cloze",), file)}
    return [_sized(row, sizes) for row in _reproduced(perception.TABLES, {})]


def _sized(row: Reproduced, sizes: Mapping[str, int]) -> Reproduced:
    if row.table != perception.DATASETS.name or row.row != "ROCStories" or row.column not in sizes:
        return row
    size = sizes[row.column]
    agrees = size == row.published
    sentence = "" if agrees else UNEXPLAINED
    state = CellState.AGREES if agrees else CellState.DIFFERS
    return replace(row, ours=float(size), agrees=agrees, state=state, kind=None, reason=sentence)


def _stories(path: Path) -> int:
    """How many lines with text a table has below its head."""
    return sum(bool(line.strip()) for line in read_text(path).splitlines()[1:])


def _scored(stories: Path, released: Path | None) -> _Study:
    """The stories with BLEU and ROUGE-L, computed, and whatever the file of scores holds."""
    corpus = read_mans(stories)
    table = _table(corpus)
    texts = _texts(corpus, table.keys)
    columns = [
        ScoreColumn(metric.name, metric.signature, np.array(metric.score(texts).values), {})
        for metric in (Bleu(), RougeL())
    ]
    if released is not None:
        scores = _released_scores(released)
        digest = hashlib.sha256(released.read_bytes()).hexdigest()[:12]
        for name, sign in openmeva.RELEASED.values():
            values = [sign * scores[key].get(name, np.nan) if key in scores else np.nan for key in table.keys]
            signature = f"{IMPORTED}{digest}" + ("|negated" if sign < 0 else "")
            columns.append(ScoreColumn(name, signature, np.array(values), {}))
    return _Study(replace(table, columns=tuple(columns)), _statistics(corpus))


def _statistics(corpus: Corpus) -> Texts:
    """How long prompts, references and stories are."""
    prompts = {record.prompt_key: record.prompt for record in corpus.stories}
    rows = [
        StudyText(
            story.prompt_key, story.system or story.source, story.source, tokens(story.text), len(sentences(story.text))
        )
        for story in corpus.stories
    ]
    return text_statistics(prompts, rows)


_CALLED = {
    "BLEU": "bleu",
    "ROUGE-L": "rouge-l",
    "METEOR": "meteor",
    "BERTScore-P": "bertscore-p",
    "BERTScore-R": "bertscore-r",
    "BERTScore-F1": "bertscore-f1",
    "PPL (P)": "ppl (P)",
}
"""Row of a table of OpenMEVA -> what `reproduce` calls it, with where its scores are from."""


def _texts(corpus: Corpus, keys: Iterable[str]) -> list[Story]:
    """The stories with their references, for a referenced metric."""
    references: dict[str, list[str]] = {}
    for record in corpus.stories:
        if record.source is Source.HUMAN:
            references.setdefault(record.prompt_key, []).append(record.text)
    stories = {s.key: s for s in corpus.stories}
    return [Story(stories[k].text, stories[k].prompt, tuple(references[stories[k].prompt_key])) for k in keys]


def _released_scores(path: Path) -> dict[str, dict[str, float]]:
    """Scores by story key, `prompt/system`."""
    try:
        entries = json.loads(read_text(path))
        return {
            f"{entry['doc_id']}/{system}": dict(generated["score"])
            for entry in entries
            for system, generated in entry["gen"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path.name} is not the released score file: {type(error).__name__} {error}.") from None
