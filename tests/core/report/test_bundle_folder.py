"""A bundle's files: what was asked for, the same each time, and a manifest that knows them all."""

import csv
import hashlib
import io
import json
from dataclasses import replace
from datetime import timedelta

import numpy as np
import plotly
import pytest

from core.report.files.bundle import Bundle, BundleChoice
from core.report.files.bundle_folder import bundle_files, score_rows
from core.report.files.html import report_html
from tests.core.report.bundle import MADE, bundle_of
from tests.core.report.metric import random_table

WHOLE = BundleChoice(data=True, texts=True, resamples=50)


def files(bundle: Bundle) -> dict[str, bytes]:
    return {name: b"".join(chunks) for name, chunks in bundle_files(bundle)}


def table_in(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.slow
def test_data_and_texts_are_there_when_they_are_asked_for() -> None:
    reports = ["reports/01-bleu.html", "reports/02-weak.html"]
    assert list(files(bundle_of())) == ["index.html", *reports, "manifest.json"]
    whole = files(bundle_of(choice=WHOLE))
    assert list(whole) == ["index.html", *reports, "data/scores.csv", "data/stories.csv", "manifest.json"]
    assert b"a story" not in files(bundle_of(choice=BundleChoice(data=True, resamples=50)))["data/scores.csv"]
    (first, *_) = table_in(whole["data/stories.csv"])
    assert first == {"story": "s0", "prompt": "p0", "system": "system 0", "opening": "Opening p0.", "text": "a story"}


def test_scores_and_mean_ratings_are_unrounded_and_empty_where_there_are_none() -> None:
    table = random_table()
    values = table.columns[0].values.copy()
    values[1] = np.nan
    table = replace(table, columns=(replace(table.columns[0], values=values), table.columns[1]))
    rows = table_in(files(bundle_of(table, WHOLE))["data/scores.csv"])
    assert len(rows) == 120
    assert float(rows[0]["bleu"]) == values[0]
    assert rows[1]["bleu"] == ""
    assert [float(row["mean rating"]) for row in rows] == table.human.tolist()
    assert {row["ratings"] for row in rows} == {"5"}


@pytest.mark.slow
def test_a_report_is_that_of_the_report_command() -> None:
    bundle = bundle_of()
    assert files(bundle)["reports/01-bleu.html"].decode() == report_html(bundle.reports[0].report)


def test_the_manifest_has_versions_signatures_and_the_hash_of_every_file() -> None:
    made = files(bundle_of(choice=WHOLE))
    manifest = json.loads(made.pop("manifest.json"))
    assert manifest["made"] == "2026-01-02T03:04:00+00:00"
    assert manifest["versions"]["fabula"] == "9.9"
    assert manifest["versions"]["plotly"] == plotly.__version__
    assert manifest["signatures"] == {"bleu": "file:0123456789ab", "weak": "file:ffffffffffff"}
    assert manifest["counts"] == {"stories": 120, "rated": 120, "ratings": 600}
    assert manifest["files"] == {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()} for name, content in made.items()
    }


@pytest.mark.slow
def test_the_same_state_gives_the_same_bytes_but_for_the_time() -> None:
    first, second = files(bundle_of(choice=WHOLE)), files(bundle_of(choice=WHOLE))
    assert first == second
    later = files(bundle_of(choice=WHOLE, made=MADE + timedelta(days=1)))
    differing = {name for name in first if first[name] != later[name]}
    assert differing == {name for name in first if not name.startswith("data/")}
    assert later["index.html"].decode().replace("2026-01-03", "2026-01-02") == first["index.html"].decode()


def test_rows_of_a_study_without_ratings() -> None:
    table = random_table()
    rows = score_rows(replace(table, human=np.full(120, np.nan), ratings=np.empty((0, 0))))
    assert rows[0]["ratings"] == 0
    assert rows[0]["mean rating"] is None
