"""The papers' numbers beside what the released data gives: straight from the files, past any database."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.analysis.correlation import Coefficient, correlate
from core.analysis.judgments import JudgedStory, Judgments, Rating, summarise
from core.annotation.builtin import scheme_of
from core.errors import InputError
from core.formats.mans import read_mans
from core.formats.text import read_text
from core.formats.union import read_union
from core.metrics.bleu import Bleu
from core.published import openmeva, union
from core.stories import Corpus, Source, Story


@dataclass(frozen=True)
class Reproduced:
    """One cell of a published table; `ours` is unrounded, `agrees` compares at the printed digits, stars included."""

    table: str
    row: str
    column: str
    published: float
    ours: float | None
    agrees: bool


def _compare(
    table: str, row: str, column: str, printed: str, ours: float | None, starred: bool | None = None
) -> Reproduced:
    digits = printed.rstrip("*")
    decimals = len(digits.partition(".")[2])
    agrees = ours is not None and f"{round(ours, decimals):.{decimals}f}" == digits
    if starred is not None:
        agrees = agrees and starred == printed.endswith("*")
    return Reproduced(table, row, column, float(digits), ours, agrees)


def _coefficient(table: str, row: str, column: str, printed: str, ours: Coefficient) -> Reproduced:
    return _compare(table, row, column, printed, ours.value, ours.starred)


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


def _summary(corpus: Corpus) -> Judgments:
    judged = list(judged_stories(corpus).values())
    return summarise(judged, scheme_of(corpus.scheme), annotators=None, raters_identified=False, resamples=0)


def _find(data: Path, names: Iterable[str], holds: Callable[[Path], bool]) -> list[Path]:
    """`data` itself where it holds the files, else its subfolders of these names that do."""
    if not data.is_dir():
        raise InputError(f"{data} is not a folder.")
    if holds(data):
        return [data]
    return [data / name for name in names if holds(data / name)]


def reproduce_union(data: Path) -> list[Reproduced]:
    """UNION's Tables 2 and 5 from one annotation folder, or from a folder with `union-roc` and `union-wp`."""
    folders = _find(data, ("union-roc", "union-wp"), lambda folder: (folder / "ant_data.txt").is_file())
    if not folders:
        raise InputError(f"{data} holds no ant_data.txt, nor do its folders union-roc and union-wp.")
    rows: list[Reproduced] = []
    for folder in folders:
        corpus = read_union(folder)
        judged = judged_stories(corpus)
        # The two released sets are 400 ROC and 200 WP stories; a folder of its own may have any name.
        roc = "roc" in folder.name or ("wp" not in folder.name and len(judged) > 300)
        rows += _union_table_5(corpus, judged, "roc" if roc else "wp")
        if roc:
            rows += _union_table_2(corpus)
    return rows


def _union_table_5(corpus: Corpus, judged: dict[str, JudgedStory], name: str) -> list[Reproduced]:
    rows = []
    human = [story.mean for story in judged.values()]
    scores = {record.metric: record.values for record in corpus.scores}
    for metric, printed in union.TABLE_5[name].items():
        if metric not in scores:
            raise InputError(f"metric_output/{metric}.txt is missing: Table 5 cannot be computed without it.")
        found = correlate([scores[metric][key] for key in judged], human, resamples=0)
        for column, text, ours in zip(
            ("pearson", "spearman", "kendall"), printed, (found.pearson, found.spearman, found.kendall), strict=True
        ):
            rows.append(_coefficient(f"{union.SOURCE} Table 5", metric, f"{name} {column}", text, ours))
    return rows


def _union_table_2(corpus: Corpus) -> list[Reproduced]:
    found = _summary(corpus)
    shares = {name: summary.share for name, summary in found.error_types.items()}
    table = f"{union.SOURCE} Table 2"
    rows = [_compare(table, name, "share", p, shares.get(name)) for name, p in union.TABLE_2_SHARES.items()]
    counts = found.error_counts
    return rows + [_compare(table, f"{n} types", "share", p, counts.get(n)) for n, p in union.TABLE_2_COUNTS.items()]


def reproduce_mans(data: Path) -> list[Reproduced]:
    """OpenMEVA's Table 11 (ROC), alpha and reasonable stories, from `mans_roc.json` and the released scores."""
    folders = _find(data, ("mans-roc",), lambda folder: (folder / "mans_roc.json").is_file())
    if not folders:
        raise InputError(f"{data} holds no mans_roc.json, nor does its folder mans-roc.")
    corpus = read_mans(folders[0] / "mans_roc.json")
    judged = judged_stories(corpus)
    human = [story.mean for story in judged.values()]
    table = f"{openmeva.SOURCE} Table 11"
    ours = correlate(_bleu(corpus, list(judged)), human, resamples=0).pearson
    rows = [_coefficient(table, "bleu (computed)", "roc pearson", openmeva.TABLE_11_ROC["bleu"], ours)]
    released = _released_scores(folders[0] / "openmeva_roc_metric_scores.json")
    for row, (name, sign) in openmeva.RELEASED.items():
        values = [sign * released[key].get(name, np.nan) if key in released else np.nan for key in judged]
        ours = correlate(values, human, resamples=0).pearson
        rows.append(_coefficient(table, f"{row} (released scores)", "roc pearson", openmeva.TABLE_11_ROC[row], ours))
    alpha = _summary(corpus).alpha.interval
    rows.append(_compare(f"{openmeva.SOURCE} A.3", "alpha (interval)", "roc", openmeva.ALPHA_ROC, alpha))
    reasonable = float(sum(mean > 4 for mean in human))
    rows.append(
        _compare(f"{openmeva.SOURCE} Table 3", "reasonable stories", "roc", openmeva.REASONABLE_ROC, reasonable)
    )
    return rows


def _bleu(corpus: Corpus, keys: list[str]) -> list[float]:
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
