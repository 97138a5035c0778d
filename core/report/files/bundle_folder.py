"""A bundle's files: its first page, a report a metric, data where they are wanted, and a manifest with every hash.

They open without a server and ask for nothing from anywhere. The same study gives the same bytes, but for when the
bundle was made.
"""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version

import numpy as np

from core.formats.exports.package import Files
from core.formats.results_csv import ResultRow, results_csv
from core.metrics.naming import unique_names
from core.report.files.bundle import INDEX, MANIFEST, SCORES, STORIES, Bundle, BundledStudy
from core.report.files.bundle_page import index_html
from core.report.files.html import report_html
from core.scores import ScoreTable

VERSION = 1
"""Of the manifest."""
LIBRARIES = ("numpy", "scipy", "plotly")
"""What the numbers and the figures depend on besides Fabula."""


def bundle_files(bundle: Bundle) -> Files:
    """The files by name, the manifest with their hashes last; each is made when it is asked for."""
    entries: dict[str, dict[str, object]] = {}

    def kept(name: str, text: str) -> tuple[str, Iterator[bytes]]:
        content = text.encode()
        entries[name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        return name, iter([content])

    def files() -> Files:
        yield kept(INDEX, index_html(bundle))
        for linked in bundle.reports:
            yield kept(linked.file, report_html(linked.report))
        if bundle.choice.data:
            yield kept(SCORES, results_csv(score_rows(bundle.source.table)))
        if bundle.choice.texts:
            yield kept(STORIES, results_csv(story_rows(bundle.source)))
        yield MANIFEST, iter([manifest(bundle, entries).encode()])

    return files()


def score_rows(table: ScoreTable) -> list[ResultRow]:
    """By story key its prompt, system, judgment and scores, unrounded; None where there is none."""
    names = unique_names([(column.metric, column.signature) for column in table.columns])
    behind = table.behind.tolist() if table.rated else [0] * len(table.keys)
    columns = {table.judgment: table.human, **{n: c.values for n, c in zip(names, table.columns, strict=True)}}
    numbers = {name: np.where(np.isfinite(values), values, np.nan).tolist() for name, values in columns.items()}
    return [
        {
            "story": key,
            "prompt": prompt,
            "system": system,
            "ratings": behind[place],
            **{name: None if np.isnan(values[place]) else values[place] for name, values in numbers.items()},
        }
        for place, (key, prompt, system) in enumerate(zip(table.keys, table.prompts, table.systems, strict=True))
    ]


def story_rows(source: BundledStudy) -> list[ResultRow]:
    """The texts of the systems' stories, with their prompts'."""
    table = source.table
    return [
        {"story": key, "prompt": prompt, "system": system, "opening": source.openings.get(prompt), "text": text}
        for key, prompt, system, text in zip(table.keys, table.prompts, table.systems, table.texts, strict=True)
    ]


def manifest(bundle: Bundle, files: Mapping[str, Mapping[str, object]]) -> str:
    """What this is, what it rests on and what is in it, as JSON."""
    source, table = bundle.source, bundle.source.table
    names = unique_names([(column.metric, column.signature) for column in table.columns])
    about = {
        "fabula_bundle": VERSION,
        "made": bundle.made.isoformat(timespec="seconds"),
        "versions": {
            "fabula": source.app_version,
            "python": platform.python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
        "study": {
            "name": source.study.name,
            "scheme": source.study.scheme_key,
            "demonstration": source.study.demonstration,
            "target": source.target.text,
        },
        "counts": {"stories": len(table.keys), "rated": table.rated, "ratings": table.given},
        "seed": bundle.choice.seed,
        "resamples": bundle.choice.resamples,
        "signatures": dict(zip(names, (column.signature for column in table.columns), strict=True)),
        "files": files,
    }
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"
